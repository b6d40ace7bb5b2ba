// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of manual computations (sdy.manual_computation): composition of whole to
// part, the body, and part to whole.

#include "mercator/analysis/maps/Manual.h"
#include "mercator/analysis/maps/DeviceGroups.h"
#include "mercator/analysis/maps/Walk.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;
using sdy::Division;

//===--- Parts and wholes -------------------------------------------------===//

/// The sizes of a part; nothing if the parts are not equal.
static std::optional<SmallVector<int64_t>> partSizes(const Division &division,
                                                     Sizes whole) {
  SmallVector<int64_t> sizes;
  if (!division.ids.empty() || division.parts.size() != whole.size())
    return std::nullopt;
  for (auto [extent, parts] : llvm::zip_equal(whole, division.parts)) {
    if (!fits(extent) || extent % parts != 0)
      return std::nullopt;
    sizes.push_back(extent / parts);
  }
  return sizes;
}

/// (x floordiv divisor) mod size
static Expr digitOf(Arena &arena, Expr x, int64_t divisor, int64_t size) {
  return arena.mod(arena.floorDiv(x, divisor), size);
}

/// A map on the elements of a tensor and the device, without results yet.
static Map withDevice(Arena &arena, Sizes sizes, int64_t devices) {
  Map map = Map::toScalar(arena, sizes);
  map.domain.addDim(arena, Interval::ofSize(devices));
  map.domain.dims.back().name = arena.intern("device");
  return map;
}

/// Adds the results of a map from a whole tensor: the element of the part, and
/// the device that holds it, as `reader` sees it.
static void addHolder(Map &map, const Division &division, Sizes part,
                      Expr reader) {
  Arena &arena = *map.arena;
  Expr holder = arena.constant(0);
  for (size_t i = 0; i < part.size(); ++i)
    map.results.push_back(arena.mod(arena.dim(i), part[i]));
  for (const Division::Digit &digit : division.digits) {
    Expr value = arena.constant(0);
    if (digit.of >= 0)
      value = digitOf(arena, arena.dim(digit.of), part[digit.of] * digit.weight,
                      digit.size);
    else if (digit.of == Division::NotManual)
      value = digitOf(arena, reader, digit.stride, digit.size);
    holder = arena.add(holder, arena.scale(value, digit.stride));
  }
  map.results.push_back(holder);
}

/// From the whole to the part: for a tensor on a device, or, without devices,
/// for a tensor that is on no particular device.
static std::optional<Map> toPart(Arena &arena, const Division &division,
                                 Sizes whole, bool onDevices) {
  std::optional<SmallVector<int64_t>> part = partSizes(division, whole);
  if (!part)
    return std::nullopt;
  if (llvm::is_contained(whole, 0))
    return Map::makeEmpty(arena, whole.size() + onDevices, whole.size() + 1);
  Map map = onDevices ? withDevice(arena, whole, division.devices)
                      : Map::toScalar(arena, whole);
  addHolder(map, division, *part,
            onDevices ? arena.dim(whole.size()) : arena.constant(0));
  return map;
}

std::optional<Map> maps::wholeToPart(Arena &arena, const Division &division,
                                     Sizes whole) {
  return toPart(arena, division, whole, /*onDevices=*/true);
}

/// The same for a tensor that is on no particular device.
static std::optional<Map> globalToPart(Arena &arena, const Division &division,
                                       Sizes whole) {
  return toPart(arena, division, whole, /*onDevices=*/false);
}

std::optional<Map> maps::partToWhole(Arena &arena, const Division &division,
                                     Sizes whole) {
  std::optional<SmallVector<int64_t>> part = partSizes(division, whole);
  if (!part)
    return std::nullopt;
  if (llvm::is_contained(whole, 0))
    return Map::makeEmpty(arena, whole.size() + 1, whole.size() + 1);
  Map map = withDevice(arena, *part, division.devices);
  Expr device = arena.dim(whole.size());
  for (size_t i = 0; i < whole.size(); ++i)
    map.results.push_back(arena.dim(i));
  for (const Division::Digit &digit : division.digits)
    if (digit.of >= 0)
      map.results[digit.of] = arena.add(
          map.results[digit.of],
          arena.scale(digitOf(arena, device, digit.stride, digit.size),
                      digit.weight * (*part)[digit.of]));
  map.results.push_back(device);
  return map;
}

//===--- Computations -----------------------------------------------------===//

static SmallVector<int64_t> ranksOf(mlir::TypeRange types) {
  return llvm::map_to_vector(
      types, [](mlir::Type type) { return (int64_t)sizesOf(type).size(); });
}

Manual::Manual(sdy::ManualComputationOp op)
    : op(op), isNested(op->getParentOfType<sdy::ManualComputationOp>()) {
  llvm::StringRef axes = op.getManualAxes().getText();
  in = sdy::divisionsOf(op, op.getInShardings().getText(), axes,
                        ranksOf(op->getOperandTypes()));
  out = sdy::divisionsOf(op, op.getOutShardings().getText(), axes,
                         ranksOf(op->getResultTypes()));
  devices = std::max(sdy::devicesOf(in), sdy::devicesOf(out));
  for (auto &list : {in, out})
    for (const sdy::DivisionOr &division : list) {
      if (!division)
        why = "manual_computation: " + division.why;
      else if (division.division.devices != devices)
        why = "manual_computation: its shardings are over several meshes";
    }
  if (deviceGrid(op).replicas.value_or(1) != 1)
    why = "manual_computation: the program has several replicas";
}

/// The sizes of a tensor if all are known; else nothing.
static std::optional<SmallVector<int64_t>> staticSizes(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::ShapedType>(type);
  if (tensor && !tensor.hasStaticShape())
    return std::nullopt;
  return sizesOf(type);
}

std::optional<Map> Manual::outOf(Arena &arena, unsigned operand) const {
  Division division = in[operand].division;
  division.ids.clear();
  auto whole = staticSizes(op->getOperand(operand).getType());
  std::optional<Map> map =
      whole ? partToWhole(arena, division, *whole) : std::nullopt;
  if (map && !isNested)
    map->results.pop_back();
  return map;
}

std::optional<Map> Manual::into(Arena &arena, unsigned result) const {
  Division division = out[result].division;
  division.ids.clear();
  auto whole = staticSizes(op->getResult(result).getType());
  if (!whole)
    return std::nullopt;
  return isNested ? wholeToPart(arena, division, *whole)
                  : globalToPart(arena, division, *whole);
}

/// Rewrites runtime variables that are read from an argument of the body to be
/// read from the operand. False if that is not possible.
bool Manual::liftIndices(Arena &arena, Map &map) const {
  mlir::Block &block = op.getBody().front();
  for (RuntimeVariable &v : map.domain.runtimes) {
    auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(
        sourcePlace(arena, v.source, v.element).value);
    if (!argument || argument.getOwner() != &block)
      continue;
    std::optional<Map> outside = outOf(arena, argument.getArgNumber());
    if (!outside || outside->isKnownEmpty() ||
        v.index.size() != outside->numDims())
      return false;
    SmallVector<Expr, 2> index(outside->results.begin(),
                               outside->results.end());
    substitute(arena, index, {.dims = v.index, .ranges = {}, .runtimes = {}});
    v.index = std::move(index);
    Source source =
        internSource(arena, op->getOperand(argument.getArgNumber()));
    v.source = source.id;
    v.element = source.element;
  }
  return true;
}

MapSet Manual::around(Arena &arena, Direction direction, unsigned operand,
                      unsigned result, const MapSet &inner) const {
  SmallVector<int64_t> whole = sizesOf(op->getOperand(operand).getType()),
                       to = sizesOf(op->getResult(result).getType());
  bool back = direction == Direction::OutToIn;
  auto unknown = [&](llvm::StringRef reason) {
    Sizes near = back ? to : whole, far = back ? whole : to;
    std::string text = ("manual_computation: " + reason).str();
    return isNested ? MapSet::acrossDevices(
                          everywhere(arena, near, far, devices), devices, text)
                    : MapSet::approximate(everything(arena, near, far), text);
  };
  // If no value leaves its device, the device can be removed from the maps.
  bool crosses = isNested || llvm::any_of(inner, [](const OperandMap &m) {
                   return m.devices != 0;
                 });
  bool inOrder =
      in[operand].division.ids.empty() && out[result].division.ids.empty();
  if (!inOrder &&
      (crosses || in[operand].division.ids != out[result].division.ids))
    return unknown("its mesh permutes the devices");
  std::optional<Map> first = into(arena, result), last = outOf(arena, operand);
  if (!first || !last)
    return unknown("a size is not known, or the parts are not equal");
  if (!back) {
    SmallVector<int64_t> part(to), from(whole);
    for (auto [extent, parts] : llvm::zip(part, out[result].division.parts))
      extent /= parts;
    part.push_back(devices);
    if (isNested)
      from.push_back(devices);
    std::swap(first, last);
    first = inverse(*first, from);
    last = inverse(*last, part);
  }

  MapSet set;
  for (const OperandMap &m : inner) {
    Map body = m.devices ? m.map : onDevices(m.map);
    if (!liftIndices(arena, body))
      return unknown("an index of its body has no known source outside");
    Map map = simplify(compose(compose(*first, body), *last));
    if (isNested)
      map.domain.dims.back().name = arena.intern("device");
    set.insert({map, m.exact, m.reason, 0, isNested ? devices : 0});
  }
  return lift(arena, set, op, &op.getBody().front());
}
