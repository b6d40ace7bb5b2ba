// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Annotations.h"

#include "mercator/dialects/sdy/Division.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/sdy/Text.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

namespace {

/// (position floordiv stride) mod size.
struct Digit {
  int64_t stride, size;
};

/// A sharding before its mesh is known.
struct Stated {
  std::vector<SmallVector<Digit, 2>> dims; ///< the slowest digit first
  SmallVector<bool, 4> isOpen;
  SmallVector<int64_t, 4> priorities; ///< empty: all 0
  SmallVector<Digit, 2> replicated;
};

/// The text of one mesh; ids in the order of positions.
struct NamedMesh {
  SmallVector<std::pair<std::string, int64_t>> axes; ///< none: GSPMD's
  std::vector<int64_t> ids;
  int64_t devices = 1;
};

class Reader {
public:
  Reader(func::FuncOp function, const Request &request)
      : function(function), request(request) {}

  FailureOr<Annotations> read();

private:
  LogicalResult readRequest();
  LogicalResult readProgram();
  LogicalResult readOperation(Operation *op);
  LogicalResult buildMesh();
  Sharding convert(const Stated &stated);

  /// Takes over the mesh of a sharding. Fails if there is another one.
  LogicalResult join(Operation *at, NamedMesh mesh);
  FailureOr<Stated> stated(Operation *at, const sdy::ShardingText &text,
                           int64_t rank);
  FailureOr<std::optional<Stated>> statedByGspmd(Operation *at, StringRef text,
                                                 int64_t rank);
  FailureOr<std::optional<Stated>>
  fromAttributes(Operation *at, DictionaryAttr attributes, Type type);
  /// `data,-,model+other` over the named axes.
  FailureOr<Stated> statedByUser(StringRef text, int64_t rank);
  InFlightDiagnostic error(Operation *at) { return at->emitError(); }

  func::FuncOp function;
  const Request &request;
  std::optional<NamedMesh> mesh;
  std::vector<std::pair<Value, Stated>> values;
  std::vector<std::pair<unsigned, Stated>> results;
  struct Manual {
    std::vector<Stated> in, out;
  };
  std::vector<std::pair<Operation *, Manual>> manual;
  Annotations annotations;
};

} // namespace

/// The rank of a tensor type; none for others.
static std::optional<int64_t> rankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? std::optional(tensor.getRank()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// One sharding
//===----------------------------------------------------------------------===//

LogicalResult Reader::join(Operation *at, NamedMesh other) {
  if (!mesh || (mesh->devices == 1 && other.devices > 1)) {
    mesh = std::move(other);
    return success();
  }
  if (other.devices == 1)
    return success();
  if (mesh->devices != other.devices || mesh->ids != other.ids ||
      (!mesh->axes.empty() && !other.axes.empty() &&
       mesh->axes != other.axes)) {
    InFlightDiagnostic diagnostic = error(at);
    diagnostic << "expected one mesh for the whole program, got another one "
                  "here";
    return diagnostic;
  }
  if (mesh->axes.empty())
    mesh = std::move(other);
  return success();
}

FailureOr<Stated> Reader::stated(Operation *at, const sdy::ShardingText &text,
                                 int64_t rank) {
  const sdy::MeshText &of = text.mesh;
  if (of.devices > sdy::kMaxDevices)
    return failure();
  if (int64_t(text.dims.size()) != rank)
    return error(at) << "expected a sharding of " << rank
                     << " dimensions, got one of " << text.dims.size();
  if (failed(join(at, {of.axes, of.ids, of.devices})))
    return failure();
  std::set<std::pair<int64_t, int64_t>> taken; // first and last stride
  auto digitOf = [&](const sdy::AxisText &axis) -> FailureOr<Digit> {
    const auto *found = llvm::find_if(
        of.axes, [&](const auto &it) { return it.first == axis.name; });
    if (found == of.axes.end())
      return error(at) << "expected an axis of the mesh, got \"" << axis.name
                       << "\"";
    int64_t whole = found->second, size = axis.size ? axis.size : whole;
    if (whole % (axis.before * size) != 0)
      return error(at) << "expected a part of an axis of " << whole
                       << " devices, got \"" << axis.name << "\":("
                       << axis.before << ")" << size;
    Digit digit{of.stride(found - of.axes.begin()) *
                    (whole / (axis.before * size)),
                size};
    for (auto [begin, end] : taken)
      if (size > 1 && begin < digit.stride * size && digit.stride < end)
        return error(at) << "expected each axis once, got \"" << axis.name
                         << "\" again";
    if (size > 1)
      taken.insert({digit.stride, digit.stride * size});
    return digit;
  };
  Stated result;
  for (const sdy::AxesText &axes : text.dims) {
    auto &digits = result.dims.emplace_back();
    for (const sdy::AxisText &axis : axes.axes) {
      FailureOr<Digit> digit = digitOf(axis);
      if (failed(digit))
        return failure();
      digits.push_back(*digit);
    }
    result.isOpen.push_back(axes.isOpen);
    result.priorities.push_back(axes.priority);
  }
  for (const sdy::AxisText &axis : text.replicated) {
    FailureOr<Digit> digit = digitOf(axis);
    if (failed(digit))
      return failure();
    result.replicated.push_back(*digit);
  }
  return result;
}

FailureOr<std::optional<Stated>>
Reader::statedByGspmd(Operation *at, StringRef text, int64_t rank) {
  Stated result;
  result.dims.resize(rank);
  result.isOpen.assign(rank, false);
  StringRef trimmed = text.trim();
  if (trimmed == "{replicated}" || trimmed.starts_with("{maximal"))
    return std::optional(result);
  if (trimmed == "{manual}")
    return std::optional<Stated>();
  sdy::DivisionOr division = sdy::divisionOf(text, rank);
  if (!division)
    return error(at) << division.why;
  if (failed(join(at, {{}, division.division.ids, division.division.devices})))
    return failure();
  for (sdy::Division::Digit digit : division.division.digits)
    if (digit.of >= 0) // the lightest comes first
      result.dims[digit.of].insert(result.dims[digit.of].begin(),
                                   {digit.stride, digit.size});
  return std::optional(result);
}

FailureOr<std::optional<Stated>>
Reader::fromAttributes(Operation *at, DictionaryAttr attributes, Type type) {
  std::optional<int64_t> rank = rankOf(type);
  if (!attributes || !rank || !request.mesh.empty())
    return std::optional<Stated>();
  if (auto sharding = attributes.getAs<sdy::ShardingAttr>("sdy.sharding")) {
    sdy::TokenReader text(sharding.getText());
    std::optional<sdy::ShardingText> read = sdy::readSharding(text, at);
    if (!read)
      return error(at) << "expected a sharding over a mesh that is known, got "
                       << sharding.getText();
    FailureOr<Stated> result = stated(at, *read, *rank);
    if (failed(result))
      return failure();
    return std::optional(*result);
  }
  if (auto sharding = attributes.getAs<StringAttr>("mhlo.sharding"))
    return statedByGspmd(at, sharding.getValue(), *rank);
  return std::optional<Stated>();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

LogicalResult Reader::readOperation(Operation *op) {
  auto constrain = [&](sdy::ShardingAttr attribute,
                       Value value) -> LogicalResult {
    std::optional<int64_t> rank = rankOf(value.getType());
    sdy::TokenReader text(attribute.getText());
    std::optional<sdy::ShardingText> read = sdy::readSharding(text, op);
    if (!read || !rank)
      return error(op) << "expected a sharding over a mesh that is known, got "
                       << attribute.getText();
    FailureOr<Stated> result = stated(op, *read, *rank);
    if (failed(result))
      return failure();
    values.emplace_back(value, *result);
    return success();
  };
  if (auto constraint = dyn_cast<sdy::ShardingConstraintOp>(op))
    return constrain(constraint.getSharding(), constraint.getResult());
  if (auto reshard = dyn_cast<sdy::ReshardOp>(op))
    return constrain(reshard.getSharding(), reshard.getResult());
  if (auto computation = dyn_cast<sdy::ManualComputationOp>(op)) {
    Manual found;
    auto list = [&](sdy::ShardingPerValueAttr attribute, TypeRange types,
                    std::vector<Stated> &into) -> LogicalResult {
      std::optional<std::vector<sdy::ShardingText>> read =
          sdy::readShardings(attribute.getText(), op, types.size());
      if (!read)
        return error(op) << "expected " << types.size()
                         << " shardings over a mesh that is known, got "
                         << attribute.getText();
      for (auto [text, type] : llvm::zip_equal(*read, types)) {
        FailureOr<Stated> result = stated(op, text, rankOf(type).value_or(0));
        if (failed(result))
          return failure();
        into.push_back(*result);
      }
      return success();
    };
    if (failed(list(computation.getInShardings(), op->getOperandTypes(),
                    found.in)) ||
        failed(list(computation.getOutShardings(), op->getResultTypes(),
                    found.out)))
      return failure();
    manual.emplace_back(op, std::move(found));
    return success();
  }
  if (auto perValue =
          op->getAttrOfType<sdy::ShardingPerValueAttr>("sdy.sharding")) {
    std::optional<std::vector<sdy::ShardingText>> read =
        sdy::readShardings(perValue.getText(), op, op->getNumResults());
    if (!read)
      return error(op) << "expected " << op->getNumResults()
                       << " shardings over a mesh that is known, got "
                       << perValue.getText();
    for (auto [text, value] : llvm::zip_equal(*read, op->getResults())) {
      FailureOr<Stated> result =
          stated(op, text, rankOf(value.getType()).value_or(0));
      if (failed(result))
        return failure();
      values.emplace_back(value, *result);
    }
    return success();
  }
  auto gspmd = op->getAttrOfType<StringAttr>("mhlo.sharding");
  if (gspmd && op->getNumResults() == 1 && rankOf(op->getResult(0).getType())) {
    auto read = statedByGspmd(op, gspmd.getValue(),
                              *rankOf(op->getResult(0).getType()));
    if (failed(read))
      return failure();
    if (*read)
      values.emplace_back(op->getResult(0), **read);
  }
  return success();
}

LogicalResult Reader::readProgram() {
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    auto read = fromAttributes(function, function.getArgAttrDict(i),
                               argument.getType());
    if (failed(read))
      return failure();
    if (*read)
      values.emplace_back(argument, **read);
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto read = fromAttributes(function, function.getResultAttrDict(i),
                               function.getFunctionType().getResult(i));
    if (failed(read))
      return failure();
    if (*read)
      results.emplace_back(i, **read);
  }
  LogicalResult outcome = success();
  function.getBody().walk([&](Operation *op) {
    if (!request.mesh.empty()) {
      if (!isa<sdy::ManualComputationOp>(op))
        return WalkResult::advance();
      outcome = error(op) << "expected the mesh of this computation: --mesh "
                             "replaces the meshes of the program";
      return WalkResult::interrupt();
    }
    outcome = readOperation(op);
    return failed(outcome) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return outcome;
}

//===----------------------------------------------------------------------===//
// The user
//===----------------------------------------------------------------------===//

FailureOr<Stated> Reader::statedByUser(StringRef text, int64_t rank) {
  Stated result;
  SmallVector<StringRef> dims;
  if (rank > 0)
    text.split(dims, ',');
  if (int64_t(dims.size()) != rank)
    return error(function) << "expected " << rank
                           << " dimensions, separated by commas, got '" << text
                           << "'";
  std::set<StringRef> taken;
  for (StringRef dim : dims) {
    auto &digits = result.dims.emplace_back();
    result.isOpen.push_back(dim.trim() == "?");
    if (dim.trim() == "-" || dim.trim() == "?" || dim.trim().empty())
      continue;
    SmallVector<StringRef> names;
    dim.split(names, '+');
    for (StringRef name : names) {
      name = name.trim();
      int64_t stride = mesh->devices;
      bool isFound = false;
      for (const auto &[axis, size] : mesh->axes) {
        stride /= size;
        if (axis != name)
          continue;
        isFound = true;
        digits.push_back({stride, size});
        break;
      }
      if (!isFound || !taken.insert(name).second)
        return error(function)
               << "expected each dimension to be `-` or axes of the mesh, each "
                  "at most once, got '"
               << name << "' in '" << text << "'";
    }
  }
  return result;
}

LogicalResult Reader::readRequest() {
  if (request.mesh.empty()) {
    if (request.in.empty() && request.out.empty())
      return success();
    return error(function) << "expected --mesh with --in and --out, got none";
  }
  NamedMesh named;
  SmallVector<StringRef> parts;
  StringRef(request.mesh).split(parts, ',');
  for (StringRef part : parts) {
    auto [name, size] = part.split(':');
    int64_t number = 0;
    if (name.trim().empty() || size.trim().getAsInteger(10, number) ||
        number < 1 || number > sdy::kMaxDevices / named.devices ||
        llvm::any_of(named.axes, [&, name = name](const auto &axis) {
          return axis.first == name.trim();
        }))
      return error(function)
             << "expected a mesh such as data:2,model:4 with at most "
             << sdy::kMaxDevices << " devices, got '" << request.mesh << "'";
    named.axes.emplace_back(name.trim().str(), number);
    named.devices *= number;
  }
  mesh = std::move(named);
  auto list = [&](const std::vector<std::string> &texts, size_t count,
                  StringRef what, auto &&take) -> LogicalResult {
    for (StringRef text : texts) {
      auto [number, dims] = text.split('=');
      size_t index = 0;
      if (number.trim().getAsInteger(10, index) || index >= count)
        return error(function) << "expected the number of one of " << count
                               << " " << what << " and its axes, such as "
                               << "0=data,-, got '" << text << "'";
      if (failed(take(index, dims)))
        return failure();
    }
    return success();
  };
  auto isTensor = [&](Type type) -> FailureOr<int64_t> {
    if (std::optional<int64_t> rank = rankOf(type))
      return *rank;
    return error(function) << "expected a tensor to be sharded, got " << type;
  };
  if (failed(list(request.in, function.getNumArguments(), "arguments",
                  [&](size_t i, StringRef dims) -> LogicalResult {
                    Value argument = function.getArgument(i);
                    FailureOr<int64_t> rank = isTensor(argument.getType());
                    if (failed(rank))
                      return failure();
                    FailureOr<Stated> read = statedByUser(dims, *rank);
                    if (failed(read))
                      return failure();
                    values.emplace_back(argument, *read);
                    return success();
                  })))
    return failure();
  return list(request.out, function.getNumResults(), "results",
              [&](size_t i, StringRef dims) -> LogicalResult {
                FailureOr<int64_t> rank =
                    isTensor(function.getFunctionType().getResult(i));
                if (failed(rank))
                  return failure();
                FailureOr<Stated> read = statedByUser(dims, *rank);
                if (failed(read))
                  return failure();
                results.emplace_back(i, *read);
                return success();
              });
}

//===----------------------------------------------------------------------===//
// One mesh for all
//===----------------------------------------------------------------------===//

LogicalResult Reader::buildMesh() {
  if (!mesh)
    mesh.emplace();
  std::set<int64_t> cuts{1, mesh->devices};
  int64_t end = mesh->devices;
  for (const auto &[name, size] : mesh->axes) {
    end /= size;
    cuts.insert(end);
  }
  auto cut = [&](const Stated &stated) {
    auto add = [&](ArrayRef<Digit> digits) {
      for (Digit digit : digits)
        if (digit.size > 1)
          cuts.insert({digit.stride, digit.stride * digit.size});
    };
    for (const auto &digits : stated.dims)
      add(digits);
    add(stated.replicated);
  };
  for (const auto &[value, stated] : values)
    cut(stated);
  for (const auto &[number, stated] : results)
    cut(stated);
  for (const auto &[op, shardings] : manual) {
    for (const Stated &stated : shardings.in)
      cut(stated);
    for (const Stated &stated : shardings.out)
      cut(stated);
  }
  // From the fastest axis to the slowest.
  std::vector<Axis> &axes = annotations.mesh.axes;
  for (auto it = cuts.begin(), next = std::next(it); next != cuts.end();
       it = next++) {
    if (*next % *it != 0)
      return error(function)
             << "expected the shardings of one program to divide the devices "
                "along common axes, got parts of "
             << *it << " and of " << *next << " devices";
    Axis axis;
    axis.size = *next / *it;
    int64_t above = mesh->devices;
    for (const auto &[name, size] : mesh->axes) {
      int64_t below = above / size;
      if (size > 1 && below <= *it && *next <= above) {
        axis.name = name;
        if (size != axis.size)
          axis.part = ":(" + std::to_string(above / *next) + ")" +
                      std::to_string(axis.size);
      }
      above = below;
    }
    axes.insert(axes.begin(), axis);
  }
  // Axes of one device have a name that the user may state.
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis.name.empty())
      axis.name = "axis_" + std::to_string(i);
  annotations.mesh.ids = mesh->ids;
  annotations.mesh.finish();
  return success();
}

Sharding Reader::convert(const Stated &stated) {
  const std::vector<Axis> &axes = annotations.mesh.axes;
  auto add = [&](ArrayRef<Digit> digits, Axes &into) {
    for (Digit digit : digits)
      for (auto [number, axis] : llvm::enumerate(axes))
        if (axis.stride < digit.stride * digit.size &&
            axis.stride >= digit.stride)
          into.push_back(number);
  };
  Sharding sharding = Sharding::whole(stated.dims.size());
  sharding.isOpen = stated.isOpen;
  for (auto [digits, dim] : llvm::zip_equal(stated.dims, sharding.dims))
    add(digits, dim);
  add(stated.replicated, sharding.replicated);
  return sharding;
}

FailureOr<Annotations> Reader::read() {
  if (failed(readRequest()) || failed(readProgram()) || failed(buildMesh()))
    return failure();
  for (const auto &[value, stated] : values) {
    annotations.values[value] = convert(stated);
    for (auto [dim, priority] : llvm::enumerate(stated.priorities))
      if (priority > 0)
        annotations.later.push_back({value, unsigned(dim), priority});
  }
  annotations.results.resize(function.getNumResults());
  annotations.resultPriorities.resize(function.getNumResults());
  for (const auto &[number, stated] : results) {
    annotations.results[number] = convert(stated);
    annotations.resultPriorities[number] = stated.priorities;
  }
  for (const auto &[op, shardings] : manual) {
    ManualShardings &converted = annotations.manual[op];
    for (const Stated &stated : shardings.in)
      converted.in.push_back(convert(stated));
    for (const Stated &stated : shardings.out)
      converted.out.push_back(convert(stated));
  }
  return std::move(annotations);
}

FailureOr<Annotations> mercator::spmd::readAnnotations(func::FuncOp function,
                                                       const Request &request) {
  return Reader(function, request).read();
}
