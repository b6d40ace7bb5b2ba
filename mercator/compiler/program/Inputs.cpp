// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Inputs.h"

#include "mercator/compiler/program/CacheKey.h"
#include "mercator/compiler/program/FanIn.h"
#include "mercator/compiler/program/NpyTensor.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Limits.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Random
//===----------------------------------------------------------------------===//

void mercator::addTo(CacheKey &key, const RandomElements &elements) {
  const auto &[seed, scale] = elements;
  key.add(int64_t(seed)).add(scale);
}

std::optional<RandomElements> mercator::parseRandom(StringRef word) {
  RandomElements random;
  if (!word.consume_front("random:"))
    return std::nullopt;
  auto [seed, scale] = word.split(':');
  if (seed.getAsInteger(10, random.seed))
    return std::nullopt;
  if (seed.size() == word.size())
    return random;
  double number = 0;
  if (scale.getAsDouble(number) || !std::isfinite(number) || number <= 0)
    return std::nullopt;
  random.scale = number;
  return random;
}

namespace {
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (2014): SplitMix64.
class Random {
public:
  Random(uint64_t seed, uint64_t stream) : state(seed) {
    state = next() + stream;
    state = next();
  }
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform in [-1, 1).
  double unit() { return double(int64_t(next()) >> 11) * 0x1p-52; }

private:
  uint64_t state;
};
} // namespace

llvm::FailureOr<Tensor> mercator::randomTensor(mlir::RankedTensorType type,
                                               const RandomElements &elements,
                                               uint64_t stream, int64_t fanIn,
                                               EmitError emitError) {
  llvm::FailureOr<Tensor> tensor = Tensor::zeros(type, emitError);
  if (failed(tensor))
    return tensor;
  Random random(elements.seed, stream);
  double scale = elements.scale.value_or(
      1 / std::sqrt(double(std::max<int64_t>(fanIn, 1))));
  const Element &element = tensor->element();
  for (int64_t i = 0; i < tensor->size(); ++i) {
    Scalar value;
    if (element.isComplex()) {
      double re = scale * random.unit(), im = scale * random.unit();
      value = Scalar::complex(re, im);
    } else if (element.isReal()) {
      value = Scalar::real(scale * random.unit());
    } else {
      uint64_t highest = uint64_t(element.highest());
      value = Scalar::whole(
          int64_t(random.next() % (std::min<uint64_t>(highest, 15) + 1)));
    }
    tensor->set(i, value);
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

std::string mercator::whyNotParameter(mlir::RankedTensorType got,
                                      mlir::RankedTensorType wanted) {
  if (got.getElementType() == wanted.getElementType() &&
      stablehlo::shapesAgree(got.getShape(), wanted.getShape()))
    return "";
  return "expected " + textOf(wanted) + ", got " + textOf(got);
}

namespace {
/// What is said of one parameter: a word, an array of an .npz file, or an array of
/// the caller.
struct Word {
  std::string text;
  std::optional<NpyArray> array = {};
  const GivenArray *given = nullptr;
};

class InputReader {
public:
  InputReader(const Callee &callee, DiagnosticEngine &diagnostics)
      : callee(callee), diagnostics(diagnostics) {}

  /// A token in the place of a value that is drawn later.
  std::optional<Value> read(const Word &given, mlir::Type type, size_t position,
                            size_t copy, size_t parameter);
  std::vector<PlannedInputs::Draw> draws;

private:
  std::nullopt_t refuse(size_t position, const llvm::Twine &what) {
    (void)diagnostics.error({},
                            "input #" + llvm::Twine(position) + ": " + what);
    return std::nullopt;
  }
  std::optional<Value> later(const RandomElements &elements, mlir::Type type,
                             size_t position, size_t copy, size_t parameter);
  bool canDraw(mlir::Type type, size_t position, mlir::Value value,
               llvm::SmallVectorImpl<int64_t> &path,
               std::vector<int64_t> &fanIns);
  std::optional<Tensor> written(StringRef word, size_t position);
  std::optional<Tensor> file(const Word &given, mlir::RankedTensorType wanted,
                             size_t position);
  std::optional<Tensor> memory(const GivenArray &given,
                               mlir::RankedTensorType wanted, size_t position);

  const Callee &callee;
  DiagnosticEngine &diagnostics;
  uint64_t stream = 0;
};
} // namespace

/// Adds the fan-in of each tensor of the type; false after an error.
bool InputReader::canDraw(mlir::Type type, size_t position, mlir::Value value,
                          llvm::SmallVectorImpl<int64_t> &path,
                          std::vector<int64_t> &fanIns) {
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    for (auto [i, member] : llvm::enumerate(tuple.getTypes())) {
      path.push_back(int64_t(i));
      if (!canDraw(member, position, value, path, fanIns))
        return false;
      path.pop_back();
    }
    return true;
  }
  if (llvm::isa<stablehlo::TokenType>(type))
    return true;
  ++stream;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) {
    (void)refuse(position, "expected a type of a known shape to make random "
                           "values of, got " +
                               textOf(type));
    return false;
  }
  fanIns.push_back(value ? fanInOf(value, path) : 1);
  return true;
}

std::optional<Value> InputReader::later(const RandomElements &elements,
                                        mlir::Type type, size_t position,
                                        size_t copy, size_t parameter) {
  PlannedInputs::Draw draw = {copy, parameter, elements, stream, {}};
  auto function = llvm::dyn_cast<mlir::func::FuncOp>(callee.op);
  llvm::SmallVector<int64_t> path;
  if (!canDraw(type, position,
               function ? mlir::Value(function.getArgument(unsigned(parameter)))
                        : mlir::Value(),
               path, draw.fanIns))
    return std::nullopt;
  draws.push_back(std::move(draw));
  return Token();
}

std::optional<Value> mercator::valueOfLeaves(
    mlir::Type type,
    llvm::function_ref<std::optional<Value>(mlir::Type)> leaf) {
  auto tuple = llvm::dyn_cast<mlir::TupleType>(type);
  if (!tuple)
    return leaf(type);
  Tuple value;
  for (mlir::Type member : tuple.getTypes()) {
    std::optional<Value> own = valueOfLeaves(member, leaf);
    if (!own)
      return std::nullopt;
    value.members.push_back(std::move(*own));
  }
  return value;
}

void PlannedInputs::keepOnly(size_t copy) {
  if (isShared)
    copy = 0;
  isShared = false;
  llvm::erase_if(draws, [&](const Draw &draw) { return draw.copy != copy; });
  for (Draw &draw : draws)
    draw.copy = 0;
  values = {std::move(values[copy])};
}

std::optional<std::vector<std::vector<Value>>>
PlannedInputs::make(llvm::ArrayRef<mlir::Type> parameters,
                    mlir::Location loc) && {
  for (const Draw &draw : draws) {
    size_t next = 0;
    auto leaf = [&](mlir::Type type) -> std::optional<Value> {
      if (llvm::isa<stablehlo::TokenType>(type))
        return Token();
      int64_t fanIn = draw.fanIns[next++];
      llvm::FailureOr<Tensor> made = randomTensor(
          llvm::cast<mlir::RankedTensorType>(type), draw.elements,
          draw.stream + next, fanIn, [&] { return mlir::emitError(loc); });
      if (failed(made))
        return std::nullopt;
      return *made;
    };
    std::optional<Value> value =
        valueOfLeaves(parameters[draw.parameter], leaf);
    if (!value)
      return std::nullopt;
    values[draw.copy][draw.parameter] = std::move(*value);
  }
  if (isShared)
    std::fill(values.begin() + 1, values.end(), values.front());
  return std::move(values);
}

std::optional<Tensor> InputReader::written(StringRef word, size_t position) {
  SourceBuffer text(("<input #" + llvm::Twine(position) + ">").str(),
                    word.str());
  if (failed(stablehlo::checkLimits(text, diagnostics)))
    return std::nullopt;
  mlir::MLIRContext *context = callee.op->getContext();
  std::string why;
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &said) {
    if (why.empty())
      why = said.str();
  });
  std::optional<std::string> packed = stablehlo::packBoolElements(word);
  auto elements = llvm::dyn_cast_or_null<mlir::ElementsAttr>(
      mlir::parseAttribute(packed ? StringRef(*packed) : word, context));
  if (!elements)
    return refuse(position, "expected `dense<..> : tensor<..>`, got " +
                                quote(word) +
                                (why.empty() ? "" : " (" + why + ")"));
  llvm::FailureOr<Tensor> value = Tensor::from(elements, [&] {
    return mlir::emitError(mlir::UnknownLoc::get(context));
  });
  return failed(value) ? refuse(position, why) : std::optional(*value);
}

std::optional<Tensor> InputReader::file(const Word &given,
                                        mlir::RankedTensorType wanted,
                                        size_t position) {
  auto convert = [&](const NpyArray &array) -> std::optional<Tensor> {
    llvm::Expected<Tensor> tensor = toTensor(array, wanted);
    if (!tensor)
      return refuse(position, quote(given.text, 400) + ": " +
                                  llvm::toString(tensor.takeError()));
    return *tensor;
  };
  if (given.array)
    return convert(*given.array);
  llvm::Expected<NpyArray> array = readNpy(given.text);
  if (!array)
    return refuse(position, llvm::toString(array.takeError()));
  return convert(*array);
}

std::optional<Tensor> InputReader::memory(const GivenArray &given,
                                          mlir::RankedTensorType wanted,
                                          size_t position) {
  std::string element = textOf(wanted.getElementType());
  std::optional<Element> known = Element::of(wanted.getElementType());
  if (!known || given.element != element)
    return refuse(position, "expected elements of type " + element + ", got " +
                                quote(given.element));
  if (llvm::any_of(given.shape, [](int64_t extent) { return extent < 0; }))
    return refuse(position, "expected extents of at least 0");
  auto type = mlir::RankedTensorType::get(given.shape, wanted.getElementType());
  if (std::string why = whyNotParameter(type, wanted); !why.empty())
    return refuse(position, why);
  std::string why;
  mlir::ScopedDiagnosticHandler handler(
      wanted.getContext(), [&](mlir::Diagnostic &said) { why = said.str(); });
  llvm::FailureOr<Tensor> tensor = Tensor::zeros(type, [&] {
    return mlir::emitError(mlir::UnknownLoc::get(wanted.getContext()));
  });
  if (failed(tensor))
    return refuse(position, why);
  size_t bytes = size_t(tensor->byteSize());
  if (bytes == 0)
    return *tensor;
  if (!given.data)
    return refuse(position, "expected " + llvm::Twine(bytes) +
                                " bytes, got a null pointer");
  if (known->bits >= 8) {
    std::memcpy(tensor->data(), given.data, bytes);
    return *tensor;
  }
  NpyArray array{npyType(*known), given.shape,
                 std::string(static_cast<const char *>(given.data), bytes)};
  if (known->kind == ElementKind::Boolean)
    for (char &byte : array.elements)
      byte = char(byte != 0);
  llvm::Expected<Tensor> narrow = toTensor(array, wanted);
  if (!narrow)
    return refuse(position, llvm::toString(narrow.takeError()));
  return *narrow;
}

std::optional<Value> InputReader::read(const Word &given, mlir::Type type,
                                       size_t position, size_t copy,
                                       size_t parameter) {
  StringRef word = given.text;
  if (given.given) {
    auto wanted = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (!wanted)
      return refuse(position, "expected no array for a parameter of type " +
                                  textOf(type));
    std::optional<Tensor> tensor = memory(*given.given, wanted, position);
    return tensor ? std::optional<Value>(*tensor) : std::nullopt;
  }
  if (std::optional<RandomElements> random = parseRandom(word))
    return later(*random, type, position, copy, parameter);
  if (word.starts_with("random:"))
    return refuse(position,
                  "expected random:SEED or random:SEED:SCALE, such as "
                  "random:1 or random:1:0.1, got " +
                      quote(word));
  auto wanted = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!wanted)
    return refuse(position, "expected random:SEED for a parameter of type " +
                                textOf(type) + ", got " + quote(word));
  bool isFile = given.array || word.ends_with(".npy");
  if (!isFile && !word.starts_with("dense"))
    return refuse(position, "expected a file x.npy or x.npz, dense<..> : "
                            "tensor<..> or random:SEED, got " +
                                quote(word));
  std::optional<Tensor> tensor =
      isFile ? file(given, wanted, position) : written(word, position);
  if (!tensor)
    return std::nullopt;
  if (std::string why = whyNotParameter(tensor->type(), wanted); !why.empty())
    return refuse(position, why);
  return *tensor;
}

/// With a word for each array of .npz files. None after an error.
static std::optional<std::vector<Word>>
expand(llvm::ArrayRef<std::string> given, DiagnosticEngine &diagnostics) {
  std::vector<Word> words;
  for (const std::string &text : given) {
    if (!StringRef(text).ends_with(".npz")) {
      words.push_back({text});
      continue;
    }
    llvm::Expected<std::vector<NpzMember>> members = readNpz(text);
    if (!members) {
      (void)diagnostics.error({}, llvm::toString(members.takeError()));
      return std::nullopt;
    }
    for (NpzMember &member : *members)
      words.push_back({text + "/" + member.name, std::move(member.array)});
  }
  return words;
}

std::optional<PlannedInputs>
mercator::planInputs(const Callee &callee, llvm::ArrayRef<GivenArray> arrays,
                     llvm::ArrayRef<std::string> given, size_t copies,
                     DiagnosticEngine &diagnostics) {
  std::optional<std::vector<Word>> expanded = expand(given, diagnostics);
  if (!expanded)
    return std::nullopt;
  std::vector<Word> words;
  for (const GivenArray &array : arrays)
    words.push_back({.text = "an array", .given = &array});
  std::move(expanded->begin(), expanded->end(), std::back_inserter(words));
  size_t needed = llvm::count_if(callee.parameters, [](mlir::Type t) {
    return !llvm::isa<stablehlo::TokenType>(t);
  });
  size_t expected = words.size() > needed ? copies * needed : needed;
  bool goesOn =
      !words.empty() && StringRef(words.back().text).starts_with("random:");
  // A last `random:SEED` stands for all that follow, also for none.
  if (words.size() > expected + (goesOn ? 1 : 0)) {
    (void)diagnostics.error({}, "expected " + llvm::Twine(expected) +
                                    (expected == 1 ? " input" : " inputs") +
                                    " for @" + callee.name() + ", got " +
                                    llvm::Twine(words.size()));
    return std::nullopt;
  }
  InputReader reader(callee, diagnostics);
  PlannedInputs plan;
  plan.isShared = expected == needed;
  size_t next = 0;
  for (size_t copy = 0; copy < copies; ++copy) {
    std::vector<Value> &values = plan.values.emplace_back();
    if (copy != 0 && plan.isShared)
      continue;
    for (auto [i, type] : llvm::enumerate(callee.parameters)) {
      if (llvm::isa<stablehlo::TokenType>(type)) {
        values.push_back(Token());
        continue;
      }
      if (next >= words.size() && !goesOn) {
        (void)diagnostics.error(
            {}, "expected an input for parameter #" + llvm::Twine(i) + " of @" +
                    callee.name() + ", " + textOf(type) + ", got none");
        diagnostics.help("--input=random:1 makes random values for all "
                         "parameters without an input");
        return std::nullopt;
      }
      std::optional<Value> value =
          reader.read(next < words.size() ? words[next] : words.back(), type,
                      next, copy, i);
      ++next;
      if (!value)
        return std::nullopt;
      values.push_back(std::move(*value));
    }
  }
  plan.draws = std::move(reader.draws);
  return plan;
}
