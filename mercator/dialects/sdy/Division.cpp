// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/sdy/Division.h"

#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/sdy/Text.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>
#include <optional>

using namespace mlir;
using namespace mercator::sdy;

//===----------------------------------------------------------------------===//
// Devices and parts
//===----------------------------------------------------------------------===//

SmallVector<int64_t> Division::partOf(int64_t device) const {
  int64_t place = device;
  if (!ids.empty())
    place = llvm::find(ids, device) - ids.begin();
  SmallVector<int64_t> part(parts.size(), 0);
  for (const Digit &digit : digits)
    if (digit.of >= 0)
      part[digit.of] += place / digit.stride % digit.size * digit.weight;
  return part;
}

int64_t Division::holder(ArrayRef<int64_t> part, int64_t reader) const {
  int64_t place = reader, result = 0;
  if (!ids.empty())
    place = llvm::find(ids, reader) - ids.begin();
  for (const Digit &digit : digits) {
    int64_t value = 0;
    if (digit.of >= 0)
      value = part[digit.of] / digit.weight % digit.size;
    else if (digit.of == NotManual)
      value = place / digit.stride % digit.size;
    result += value * digit.stride;
  }
  return ids.empty() ? result : ids[result];
}

/// Drops a list of numbers that is in order.
static void dropOrdered(std::vector<int64_t> &ids) {
  if (llvm::is_sorted(ids))
    ids.clear();
}

//===----------------------------------------------------------------------===//
// Shardy
//===----------------------------------------------------------------------===//

static DivisionOr cannot(const Twine &why) { return {{}, why.str()}; }

/// Adds the digits of an axis that divide no dimension.
static void addRest(Division &division, const MeshText &mesh, size_t axis,
                    ArrayRef<Division::Digit> taken, int64_t of) {
  int64_t below = mesh.stride(axis), end = below * mesh.axes[axis].second;
  while (below < end) {
    // The next digit that divides a dimension begins at `next`.
    int64_t next = end;
    const Division::Digit *here = nullptr;
    for (const Division::Digit &digit : taken)
      if (digit.stride == below)
        here = &digit;
      else if (digit.stride > below)
        next = std::min(next, digit.stride);
    if (here) {
      below *= here->size;
      continue;
    }
    division.digits.push_back({of, below, next / below, 0});
    below = next;
  }
}

static DivisionOr divide(const ShardingText &sharding,
                         ArrayRef<AxisText> manual, int64_t rank) {
  const MeshText &mesh = sharding.mesh;
  Division division;
  division.devices = mesh.devices;
  division.ids = mesh.ids;
  division.parts.assign(rank, 1);
  if (int64_t(sharding.dims.size()) != rank)
    return cannot("expected a sharding of " + Twine(rank) +
                  " dimensions, got one of " + Twine(sharding.dims.size()));
  auto isManual = [&](StringRef name) {
    return llvm::any_of(
        manual, [&](const AxisText &axis) { return axis.name == name; });
  };
  // The digits of each axis that divide dimensions.
  std::vector<SmallVector<Division::Digit, 2>> taken(mesh.axes.size());
  for (auto [dim, axes] : llvm::enumerate(sharding.dims))
    for (const AxisText &ref :
         llvm::reverse(axes.axes)) { // the last varies fastest
      const auto *axis = llvm::find_if(
          mesh.axes, [&](const auto &it) { return it.first == ref.name; });
      if (axis == mesh.axes.end())
        return cannot("expected an axis of the mesh, got \"" + ref.name + "\"");
      if (!isManual(ref.name))
        continue; // the axis does not divide the parts
      size_t number = axis - mesh.axes.begin();
      int64_t size = ref.size ? ref.size : axis->second;
      if (axis->second % (ref.before * size) != 0)
        return cannot("expected a part of an axis of " + Twine(axis->second) +
                      " devices");
      Division::Digit digit{int64_t(dim),
                            mesh.stride(number) *
                                (axis->second / (ref.before * size)),
                            size, division.parts[dim]};
      for (const Division::Digit &other : taken[number])
        if (digit.stride < other.stride * other.size &&
            other.stride < digit.stride * digit.size)
          return cannot("expected each axis once, got \"" + ref.name +
                        "\" again");
      taken[number].push_back(digit);
      division.digits.push_back(digit);
      division.parts[dim] *= size;
    }
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis)
    addRest(division, mesh, axis, taken[axis],
            isManual(mesh.axes[axis].first) ? Division::Copies
                                            : Division::NotManual);
  // A digit with one value carries no information.
  llvm::erase_if(division.digits,
                 [](const Division::Digit &digit) { return digit.size == 1; });
  return {division, {}};
}

std::vector<DivisionOr> mercator::sdy::divisionsOf(Operation *from,
                                                   StringRef shardings,
                                                   StringRef manualAxes,
                                                   ArrayRef<int64_t> ranks) {
  std::vector<DivisionOr> divisions;
  auto fail = [&](const Twine &why) {
    divisions.assign(ranks.size(), cannot(why));
    return divisions;
  };
  TokenReader axes(manualAxes), text(shardings);
  std::optional<AxesText> manual = readAxes(axes);
  if (!manual)
    return fail("expected axes in braces, got " + manualAxes);
  if (!text.take("<") || !text.take("["))
    return fail("expected a list of shardings, got " + shardings);
  for (int64_t rank : ranks) {
    if (!divisions.empty() && !text.take(","))
      return fail("expected " + Twine(ranks.size()) + " shardings, got " +
                  Twine(divisions.size()));
    std::optional<ShardingText> sharding = readSharding(text, from);
    if (!sharding)
      return fail("expected shardings over a mesh that is known, got " +
                  shardings);
    divisions.push_back(divide(*sharding, manual->axes, rank));
  }
  if (!text.take("]") || !text.take(">"))
    return fail("expected " + Twine(ranks.size()) + " shardings, got " +
                shardings);
  return divisions;
}

int64_t mercator::sdy::devicesOf(ArrayRef<DivisionOr> divisions) {
  return divisions.empty() || !divisions.front()
             ? 0
             : divisions.front().division.devices;
}

//===----------------------------------------------------------------------===//
// GSPMD
//===----------------------------------------------------------------------===//

namespace {
/// Axes from the slowest to the fastest: the number of values of each, and the
/// distance between neighbors.
struct Radix {
  SmallVector<std::pair<int64_t, int64_t>> axes;
};
} // namespace

/// Writes tiles, from the slowest dimension to the fastest, as digits of the
/// device number. `axes` are the values of the device number in the same order.
/// False if a tile ends within an axis that it does not divide.
static bool splitDigits(ArrayRef<int64_t> tiles, ArrayRef<int64_t> of,
                        Radix axes, Division &division) {
  for (size_t i = tiles.size(); i-- > 0;) {
    int64_t left = tiles[i], weight = 1;
    while (left > 1) {
      while (!axes.axes.empty() && axes.axes.back().first == 1)
        axes.axes.pop_back();
      if (axes.axes.empty())
        return false;
      auto &[size, stride] = axes.axes.back();
      int64_t common = std::gcd(size, left);
      if (common != size && common != left)
        return false;
      division.digits.push_back(
          {of[i], stride, common, of[i] >= 0 ? weight : 0});
      weight *= common;
      left /= common;
      size /= common;
      stride *= common;
    }
  }
  return true;
}

DivisionOr mercator::sdy::divisionOf(StringRef sharding, int64_t rank) {
  Division division;
  division.parts.assign(rank, 1);
  TokenReader text(sharding);
  auto unknown = [&] {
    return cannot("expected a sharding in GSPMD's notation, got " + sharding);
  };
  if (!text.take("{"))
    return unknown();
  if (text.take("replicated") || text.take("manual"))
    return cannot("expected a sharding that divides the tensor, got " +
                  sharding);
  if (!text.take("devices") || !text.take("=") || !text.take("["))
    return unknown();
  std::optional<SmallVector<int64_t>> tiles = text.takeNumbers();
  if (!tiles || !text.take("]"))
    return unknown();
  int64_t count = 1;
  for (int64_t tile : *tiles) {
    if (tile < 1 || tile > kMaxDevices / count)
      return unknown();
    count *= tile;
  }
  division.devices = count;

  // The device of each tile.
  Radix axes;
  if (text.take("<=")) {
    if (!text.take("["))
      return unknown();
    std::optional<SmallVector<int64_t>> sizes = text.takeNumbers();
    if (!sizes || !text.take("]"))
      return unknown();
    SmallVector<int64_t> order(
        llvm::to_vector(llvm::seq<int64_t>(0, sizes->size())));
    if (text.take("T")) {
      if (!text.take("("))
        return unknown();
      std::optional<SmallVector<int64_t>> permutation = text.takeNumbers();
      if (!permutation || !text.take(")") ||
          !isPermutation(*permutation, sizes->size()))
        return unknown();
      order = *permutation;
    }
    SmallVector<int64_t> strides(sizes->size());
    int64_t stride = 1;
    for (size_t i = sizes->size(); i-- > 0; stride *= (*sizes)[i]) {
      if ((*sizes)[i] < 1 || (*sizes)[i] > kMaxDevices / stride)
        return unknown();
      strides[i] = stride;
    }
    if (stride != count)
      return unknown();
    for (int64_t i : order)
      axes.axes.emplace_back((*sizes)[i], strides[i]);
  } else {
    std::optional<SmallVector<int64_t>> ids = text.takeNumbers();
    if (!ids || !isPermutation(*ids, count))
      return unknown();
    division.ids.assign(ids->begin(), ids->end());
    dropOrdered(division.ids);
    axes.axes.emplace_back(count, 1);
  }

  // The meaning of the tile dimensions that follow those of the tensor.
  SmallVector<int64_t> of(llvm::to_vector(
      llvm::seq<int64_t>(0, std::min<int64_t>(rank, tiles->size()))));
  if (text.take("last_tile_dim_replicate")) {
    of.push_back(Division::Copies);
  } else if (text.take("last_tile_dims")) {
    if (!text.take("=") || !text.take("{"))
      return unknown();
    do {
      StringRef kind = text.takeName();
      if (kind != "replicated" && kind != "manual")
        return cannot("expected tiles that are replicated or manual, got " +
                      sharding);
      of.push_back(kind == "manual" ? Division::NotManual : Division::Copies);
    } while (text.take(","));
    if (!text.take("}"))
      return unknown();
  }
  if (!text.take("}") || !text.isDone())
    return unknown();
  if (of.size() != tiles->size() || int64_t(of.size()) < rank)
    return cannot("expected a sharding of " + Twine(rank) +
                  " dimensions, got " + sharding);
  for (int64_t i = 0; i < rank; ++i)
    division.parts[i] = (*tiles)[i];
  if (!splitDigits(*tiles, of, axes, division))
    return cannot("expected tiles along axes of the devices, got " + sharding);
  return {division, {}};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::vector<DivisionOr>
mercator::sdy::divisionsOfCall(Operation *call, StringRef name,
                               ArrayRef<int64_t> ranks) {
  auto attributes =
      call->getAttrOfType<DictionaryAttr>("mhlo.frontend_attributes");
  auto text = [&](StringRef name) {
    auto string =
        attributes ? attributes.getAs<StringAttr>(name) : StringAttr();
    return string ? string.getValue() : StringRef();
  };
  // `#sdy.sharding_per_value<..>` and `#sdy<manual_axes{..}>`.
  StringRef shardings = text(name), axes = text("xla.sdy.manual_axes");
  shardings.consume_front("#sdy.sharding_per_value");
  axes = axes.substr(std::min(axes.find('{'), axes.size()));
  axes = axes.take_front(axes.rfind('}') + 1);
  if (shardings.empty() || axes.empty())
    return std::vector<DivisionOr>(
        ranks.size(), cannot("expected `" + name +
                             "` and `xla.sdy.manual_axes` in its attributes"));
  return divisionsOf(call, shardings, axes, ranks);
}

static DivisionOr divisionOfText(StringAttr sharding, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!sharding || !tensor)
    return cannot("expected a tensor with the attribute `mhlo.sharding`");
  return divisionOf(sharding.getValue(), tensor.getRank());
}

DivisionOr mercator::sdy::divisionOfOperand(Operation *call) {
  Value whole = call->getOperand(0);
  StringAttr sharding;
  if (Operation *op = whole.getDefiningOp()) {
    sharding = op->getAttrOfType<StringAttr>("mhlo.sharding");
  } else {
    auto argument = cast<BlockArgument>(whole);
    if (auto function = dyn_cast_or_null<FunctionOpInterface>(
            argument.getOwner()->getParentOp()))
      sharding = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                       "mhlo.sharding");
  }
  return divisionOfText(sharding, whole.getType());
}

DivisionOr mercator::sdy::divisionOfResult(Operation *call) {
  return divisionOfText(call->getAttrOfType<StringAttr>("mhlo.sharding"),
                        call->getResult(0).getType());
}
