// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/sdy/Text.h"

#include "mercator/dialects/sdy/Division.h"
#include "mercator/dialects/sdy/Sdy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator::sdy;

bool TokenReader::take(StringRef token) {
  rest = rest.ltrim();
  return rest.consume_front(token);
}

std::optional<int64_t> TokenReader::takeNumber() {
  rest = rest.ltrim();
  int64_t number;
  if (rest.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

std::optional<std::string> TokenReader::takeString() {
  if (!take("\""))
    return std::nullopt;
  size_t end = rest.find('"');
  if (end == StringRef::npos)
    return std::nullopt;
  std::string string = rest.take_front(end).str();
  rest = rest.drop_front(end + 1);
  return string;
}

StringRef TokenReader::takeName() {
  rest = rest.ltrim();
  StringRef name = rest.take_while(
      [](char c) { return llvm::isAlnum(c) || StringRef("_.$-").contains(c); });
  rest = rest.drop_front(name.size());
  return name;
}

std::optional<SmallVector<int64_t>> TokenReader::takeNumbers() {
  SmallVector<int64_t> numbers;
  do {
    std::optional<int64_t> number = takeNumber();
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  } while (take(","));
  return numbers;
}

int64_t MeshText::stride(size_t axis) const {
  int64_t stride = 1;
  for (size_t i = axis + 1; i < axes.size(); ++i)
    stride *= axes[i].second;
  return stride;
}

bool mercator::sdy::isPermutation(ArrayRef<int64_t> ids, int64_t count) {
  std::vector<bool> seen(count);
  for (int64_t id : ids) {
    if (id < 0 || id >= count || seen[id])
      return false;
    seen[id] = true;
  }
  return int64_t(ids.size()) == count;
}

std::optional<MeshText> mercator::sdy::readMesh(TokenReader &text) {
  MeshText mesh;
  if (!text.take("<") || !text.take("["))
    return std::nullopt;
  if (!text.take("]")) {
    do {
      std::optional<std::string> name = text.takeString();
      std::optional<int64_t> size;
      if (!name || !text.take("=") || !(size = text.takeNumber()) ||
          *size < 1 || *size > kMaxDevices / mesh.devices)
        return std::nullopt;
      mesh.axes.emplace_back(*name, *size);
      mesh.devices *= *size;
    } while (text.take(","));
    if (!text.take("]"))
      return std::nullopt;
  }
  if (text.take(",")) {
    if (!text.take("device_ids") || !text.take("=") || !text.take("["))
      return std::nullopt;
    std::optional<SmallVector<int64_t>> ids = text.takeNumbers();
    if (!ids || !text.take("]") || !isPermutation(*ids, mesh.devices))
      return std::nullopt;
    if (!llvm::is_sorted(*ids))
      mesh.ids.assign(ids->begin(), ids->end());
  }
  if (!text.take(">"))
    return std::nullopt;
  return mesh;
}

/// The mesh with this name: a symbol of the module, or an entry of HLO's
/// attributes, `{mesh = #sdy.mesh<["x"=2]>}`.
static std::optional<MeshText> findMesh(Operation *from, StringRef name) {
  auto module = from->getParentOfType<ModuleOp>();
  if (auto own = dyn_cast<ModuleOp>(from))
    module = own;
  if (!module)
    return std::nullopt;
  for (auto op : module.getOps<MeshOp>())
    if (op.getSymName() == name) {
      TokenReader text(op.getMesh().getText());
      return readMesh(text);
    }
  auto attributes =
      module->getAttrOfType<DictionaryAttr>("mhlo.frontend_attributes");
  auto meshes =
      attributes ? attributes.getAs<StringAttr>("xla.sdy.meshes") : nullptr;
  if (!meshes)
    return std::nullopt;
  TokenReader text(meshes.getValue());
  if (!text.take("{"))
    return std::nullopt;
  do {
    StringRef listed = text.takeName();
    if (!text.take("=") || !text.take("#sdy.mesh"))
      return std::nullopt;
    std::optional<MeshText> mesh = readMesh(text);
    if (!mesh || listed == name)
      return mesh;
  } while (text.take(","));
  return std::nullopt;
}

static std::optional<AxisText> readAxis(TokenReader &text) {
  std::optional<std::string> name = text.takeString();
  if (!name)
    return std::nullopt;
  AxisText axis{*name};
  if (text.take(":")) {
    if (!text.take("("))
      return std::nullopt;
    std::optional<int64_t> before = text.takeNumber();
    if (!before || !text.take(")"))
      return std::nullopt;
    std::optional<int64_t> size = text.takeNumber();
    if (!size || *size < 1 || *before < 1 || *size > kMaxDevices ||
        *before > kMaxDevices)
      return std::nullopt;
    axis.before = *before;
    axis.size = *size;
  }
  return axis;
}

std::optional<AxesText> mercator::sdy::readAxes(TokenReader &text) {
  AxesText read;
  if (!text.take("{"))
    return std::nullopt;
  if (text.take("}"))
    return read;
  do {
    if (text.take("?")) {
      read.isOpen = true;
      continue;
    }
    std::optional<AxisText> axis = readAxis(text);
    if (!axis)
      return std::nullopt;
    read.axes.push_back(*axis);
  } while (text.take(","));
  if (!text.take("}"))
    return std::nullopt;
  return read;
}

std::optional<ShardingText> mercator::sdy::readSharding(TokenReader &text,
                                                        Operation *from) {
  ShardingText sharding;
  if (!text.take("<"))
    return std::nullopt;
  std::optional<MeshText> mesh;
  if (text.take("@")) {
    if (std::optional<std::string> quoted = text.takeString())
      mesh = findMesh(from, *quoted);
    else
      mesh = findMesh(from, text.takeName());
  } else if (text.take("mesh")) {
    mesh = readMesh(text);
  }
  if (!mesh || !text.take(",") || !text.take("["))
    return std::nullopt;
  sharding.mesh = *mesh;
  if (!text.take("]")) {
    do {
      std::optional<AxesText> axes = readAxes(text);
      if (!axes)
        return std::nullopt;
      if (text.take("p")) {
        std::optional<int64_t> priority = text.takeNumber();
        if (!priority)
          return std::nullopt;
        axes->priority = *priority;
      }
      sharding.dims.push_back(*axes);
    } while (text.take(","));
    if (!text.take("]"))
      return std::nullopt;
  }
  // The remaining text is about axes that divide no dimension. It changes no
  // part.
  while (text.take(",")) {
    StringRef kind = text.takeName();
    std::optional<AxesText> axes;
    if (!text.take("=") || !(axes = readAxes(text)))
      return std::nullopt;
    if (kind == "replicated")
      sharding.replicated = axes->axes;
  }
  if (!text.take(">"))
    return std::nullopt;
  return sharding;
}

std::optional<std::vector<ShardingText>>
mercator::sdy::readShardings(StringRef shardings, Operation *from,
                             size_t count) {
  std::vector<ShardingText> read;
  TokenReader text(shardings);
  if (!text.take("<") || !text.take("["))
    return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    if (i && !text.take(","))
      return std::nullopt;
    std::optional<ShardingText> sharding = readSharding(text, from);
    if (!sharding)
      return std::nullopt;
    read.push_back(std::move(*sharding));
  }
  if (!text.take("]") || !text.take(">"))
    return std::nullopt;
  return read;
}
