// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Inputs.h"

#include "mercator/compiler/NpyTensor.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Limits.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"

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

std::optional<uint64_t> mercator::parseSeed(StringRef word) {
  uint64_t seed = 0;
  if (!word.consume_front("random:") || word.getAsInteger(10, seed))
    return std::nullopt;
  return seed;
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
                                               uint64_t seed, uint64_t stream,
                                               EmitError emitError) {
  llvm::FailureOr<Tensor> tensor = Tensor::zeros(type, emitError);
  if (failed(tensor))
    return tensor;
  Random random(seed, stream);
  const Element &element = tensor->element();
  for (int64_t i = 0; i < tensor->size(); ++i) {
    Scalar value;
    if (element.isComplex()) {
      double re = random.unit(), im = random.unit();
      value = Scalar::complex(re, im);
    } else if (element.isReal()) {
      value = Scalar::real(random.unit());
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
/// What `--input` says of one parameter: a word, or an array of an .npz file.
struct Word {
  std::string text;
  std::optional<NpyArray> array = {};
};

class InputReader {
public:
  InputReader(const Callee &callee, DiagnosticEngine &diagnostics)
      : callee(callee), diagnostics(diagnostics) {}

  std::optional<Value> read(const Word &given, mlir::Type type,
                            size_t position);

private:
  std::nullopt_t refuse(size_t position, const llvm::Twine &what) {
    (void)diagnostics.error({},
                            "input #" + llvm::Twine(position) + ": " + what);
    return std::nullopt;
  }
  std::optional<Value> random(uint64_t seed, mlir::Type type, size_t position);
  std::optional<Tensor> written(StringRef word, size_t position);
  std::optional<Tensor> file(const Word &given, mlir::RankedTensorType wanted,
                             size_t position);

  const Callee &callee;
  DiagnosticEngine &diagnostics;
  uint64_t stream = 0;
};
} // namespace

std::optional<Value> InputReader::random(uint64_t seed, mlir::Type type,
                                         size_t position) {
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    Tuple members;
    for (mlir::Type member : tuple.getTypes()) {
      std::optional<Value> value = random(seed, member, position);
      if (!value)
        return std::nullopt;
      members.members.push_back(std::move(*value));
    }
    return members;
  }
  if (llvm::isa<stablehlo::TokenType>(type))
    return Token();
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return refuse(position, "expected a type of a known shape to make random "
                            "values of, got " +
                                textOf(type));
  llvm::FailureOr<Tensor> value = randomTensor(
      tensor, seed, ++stream, [&] { return callee.op->emitError(); });
  if (failed(value))
    return std::nullopt;
  return *value;
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

std::optional<Value> InputReader::read(const Word &given, mlir::Type type,
                                       size_t position) {
  StringRef word = given.text;
  if (std::optional<uint64_t> seed = parseSeed(word))
    return random(*seed, type, position);
  if (word.starts_with("random:"))
    return refuse(position, "expected a number after random:, got " +
                                quote(word.drop_front(7)));
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

std::optional<std::vector<std::vector<Value>>>
mercator::makeInputs(const Callee &callee, llvm::ArrayRef<std::string> given,
                     size_t copies, DiagnosticEngine &diagnostics) {
  std::optional<std::vector<Word>> expanded = expand(given, diagnostics);
  if (!expanded)
    return std::nullopt;
  const std::vector<Word> &words = *expanded;
  size_t needed = llvm::count_if(callee.parameters, [](mlir::Type t) {
    return !llvm::isa<stablehlo::TokenType>(t);
  });
  size_t expected = words.size() > needed ? copies * needed : needed;
  if (words.size() > expected) {
    (void)diagnostics.error({}, "expected " + llvm::Twine(expected) +
                                    (expected == 1 ? " input" : " inputs") +
                                    " for @" + callee.name() + ", got " +
                                    llvm::Twine(words.size()));
    return std::nullopt;
  }
  bool goesOn =
      !words.empty() && StringRef(words.back().text).starts_with("random:");
  InputReader reader(callee, diagnostics);
  std::vector<std::vector<Value>> processes;
  size_t next = 0;
  for (size_t copy = 0; copy < copies; ++copy) {
    if (copy != 0 && expected == needed) {
      processes.push_back(processes.front());
      continue;
    }
    std::vector<Value> &values = processes.emplace_back();
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
      std::optional<Value> value = reader.read(
          next < words.size() ? words[next] : words.back(), type, next);
      ++next;
      if (!value)
        return std::nullopt;
      values.push_back(std::move(*value));
    }
  }
  return processes;
}
