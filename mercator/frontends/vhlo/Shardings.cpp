// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/vhlo/Shardings.h"
#include "mercator/dialects/sdy/Sdy.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mercator::vhlo::Decoder;
namespace sdy = mercator::sdy;

/// The text of a part.
static std::string partText(Attribute part) {
  if (auto text = dyn_cast_if_present<StringAttr>(part))
    return text.str();
  if (auto sharding = dyn_cast_if_present<sdy::ShardingAttr>(part))
    return sharding.getText().str();
  if (auto axes = dyn_cast_if_present<sdy::AxisRefListAttr>(part))
    return axes.getText().str();
  return {};
}

static std::string quoted(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
  return text;
}

static std::string listText(Decoder &in) {
  return llvm::join(in.list([&] { return partText(in.attribute()); }), ", ");
}

/// `i` to `z`, `z_1`, `z_2`, ..
static std::string factorText(int64_t factor) {
  constexpr int64_t kLetters = 'z' - 'i' + 1;
  if (factor < 0 || factor >= kLetters)
    return "z_" + std::to_string(factor - kLetters + 1);
  return std::string(1, char('i' + factor));
}

static std::string factorsText(Decoder &in, StringRef separator) {
  auto factors = in.integers();
  return llvm::join(llvm::map_range(factors, factorText), separator);
}

static std::string meshText(Decoder &in) {
  std::string text = "<[" + listText(in) + "]";
  auto devices = in.integers();
  if (!devices.empty())
    text +=
        ", device_ids=[" +
        llvm::join(llvm::map_range(
                       devices, [](int64_t id) { return std::to_string(id); }),
                   ", ") +
        "]";
  return text + ">";
}

static std::string dimensionText(Decoder &in) {
  std::string axes = listText(in), text = "{" + axes;
  if (!in.boolean())
    text += axes.empty() ? "?" : ", ?";
  text += "}";
  bool hasPriority = false;
  uint64_t priority = in.naturalAndFlag(hasPriority);
  return hasPriority ? text + "p" + std::to_string(priority) : text;
}

static std::string shardingText(Decoder &in, bool hasUnreduced,
                                bool hasReduction) {
  Attribute mesh = in.attribute();
  std::string text = "<";
  if (auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(mesh))
    text +=
        "@" + (llvm::all_of(symbol.getValue(),
                            [](char c) { return llvm::isAlnum(c) || c == '_'; })
                   ? symbol.getValue().str()
                   : quoted(symbol.getValue()));
  else if (auto inlined = dyn_cast_if_present<sdy::MeshAttr>(mesh))
    text += "mesh" + inlined.getText().str();
  else
    in.fail("expected a mesh");
  text += ", [" + listText(in) + "]";
  if (std::string axes = listText(in); !axes.empty())
    text += ", replicated={" + axes + "}";
  if (!hasUnreduced)
    return text + ">";
  std::string axes = listText(in), reduction;
  if (hasReduction) {
    int64_t number = in.integer();
    reduction = number == 1 ? "max" : number == 2 ? "min" : "sum";
  }
  if (!axes.empty())
    text += ", unreduced={" + axes + "}";
  if (!reduction.empty())
    text += ":" + reduction;
  return text + ">";
}

static std::string ruleText(Decoder &in) {
  auto sizes = in.integers();
  std::string operands = listText(in), results = listText(in);
  std::string text = "<(" + operands + ")->(" + results + ") {";
  for (auto [i, size] : llvm::enumerate(sizes))
    text +=
        (i ? ", " : "") + factorText(int64_t(i)) + "=" + std::to_string(size);
  text += "}";
  for (StringRef name :
       {"reduction", "need_replication", "permutation", "blocked_propagation"})
    if (std::string factors = factorsText(in, ", "); !factors.empty())
      text += (" " + name + "={" + factors + "}").str();
  if (in.boolean())
    text += ", custom";
  return text + ">";
}

Attribute mercator::vhlo::shardingAttribute(Decoder &in) {
  MLIRContext *context = in.context();
  auto part = [&](const std::string &text) -> Attribute {
    return in.hasFailed() ? Attribute() : StringAttr::get(context, text);
  };
  switch (uint64_t code = in.natural()) {
  case 0: {
    auto names = in.list([&] {
      auto name = in.attribute<StringAttr>("the name of an axis");
      return in.hasFailed() ? std::string() : quoted(name);
    });
    return in.make<sdy::ManualAxesAttr>("{" + llvm::join(names, ", ") + "}");
  }
  case 1: {
    std::string name = quoted(in.string());
    return part(name + "=" + std::to_string(in.integer()));
  }
  case 2:
    return in.make<sdy::MeshAttr>(meshText(in));
  case 3: {
    std::string before = std::to_string(in.integer());
    return part("(" + before + ")" + std::to_string(in.integer()));
  }
  case 4: {
    std::string name = quoted(in.string());
    Attribute axisPart = in.optionalAttribute();
    return part(axisPart ? name + ":" + partText(axisPart) : name);
  }
  case 5:
    return part(dimensionText(in));
  case 6:
  case 15:
  case 17:
    return in.make<sdy::ShardingAttr>(shardingText(
        in, /*hasUnreduced=*/code != 6, /*hasReduction=*/code == 17));
  case 7:
  case 16:
    return in.make<sdy::ShardingPerValueAttr>("<[" + listText(in) + "]>");
  case 8:
    return part(factorsText(in, ""));
  case 9:
    return part("[" + listText(in) + "]");
  case 10:
    return in.make<sdy::OpShardingRuleAttr>(ruleText(in));
  case 11:
    return in.make<sdy::AxisRefListAttr>("{" + listText(in) + "}");
  case 12:
    return in.make<sdy::ListOfAxisRefListsAttr>("[" + listText(in) + "]");
  case 13: {
    std::string axes = listText(in), from = std::to_string(in.integer());
    return part("{" + axes + "}: " + from + "->" +
                std::to_string(in.integer()));
  }
  case 14:
    return in.make<sdy::AllToAllParamListAttr>("[" + listText(in) + "]");
  default:
    in.fail("unknown attribute " + Twine(code) + " of sdy");
    return {};
  }
}
