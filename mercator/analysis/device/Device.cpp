// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Device.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

//===--- CPUs -------------------------------------------------------------===//

static constexpr StringRef aarch64Features[] = {"+dotprod", "+i8mm"};

// Eight rows by eight columns fill the vector registers of 128 bits; K is what
// one instruction sums: 1 (fmla), 4 (sdot), 8 (smmla).
static constexpr MatmulTile aarch64Tiles[] = {
    {"i8", "i8", "i32", "+i8mm", 8, 8, 8, 8, "i8*i8->i32, aarch64 +i8mm"},
    {"i8", "i8", "i32", "+dotprod", 8, 4, 8, 4, "i8*i8->i32, aarch64 +dotprod"},
    {"i8", "i8", "i32", "", 8, 1, 8, 8, "i8*i8->i32, aarch64"},
    {"f32", "f32", "f32", "", 8, 1, 8, 1, "f32*f32->f32, aarch64"},
};

constexpr Device devices::aarch64 = {.target = "cpu",
                                     .name = "aarch64",
                                     .title = "aarch64",
                                     .features = aarch64Features,
                                     .matmulTiles = aarch64Tiles,
                                     .coreOperators = {}};

//===--- Ascend -----------------------------------------------------------===//

constexpr Device devices::ascendAny = {.target = "ascend",
                                       .name = "any",
                                       .title = "any Ascend",
                                       .features = {},
                                       .matmulTiles = {},
                                       .coreOperators = {}};

// Types are in the order of GE's registry, which is that of the diagnostics.
// Source: the operator information of the 910B that the tests of hicann/ge
// install (revision ffdcbc9, 2026-08-21, in
// tests/engines/nn_engine/depends/CANN_910b_stub). By this information GE
// decides which nodes the cores execute. Without an entry there, the cores
// execute no type. Where the information is code and not a list (Select, Add,
// Mul, RealDiv, Reciprocal, Cos, Slice, Pack): the lists in op_api/*.cpp of
// hicann/ops-math (c419332, 2026-08-22). GE replaces TensorScatterAdd by
// TensorMove and ScatterNdAdd (hicann/ops-nn, e5c3fa9,
// index/scatter_nd_add/op_graph/fusion_pass).
static constexpr StringRef movedTypes[] = {
    "float32", "float16", "int8",  "int32",  "uint8", "int16",
    "uint16",  "uint32",  "int64", "uint64", "bool",  "bfloat16"};
static constexpr StringRef gatherNdTypes[] = {"float32", "float16", "int8",
                                              "int32",   "uint8",   "int64",
                                              "bool",    "bfloat16"};
static constexpr StringRef gatherElementsTypes[] = {
    "float32", "float16", "int8",  "int32",  "uint8",   "int16",
    "uint16",  "uint32",  "int64", "uint64", "bfloat16"};
static constexpr StringRef indexedTypes[] = {
    "float32", "float16", "int8", "int32", "uint8", "int64", "bool"};
static constexpr StringRef broadcastTypes[] = {
    "float32", "float16", "int8", "int32",   "uint8",
    "uint32",  "int64",   "bool", "bfloat16"};
static constexpr StringRef clippedTypes[] = {"float32", "float16", "int32",
                                             "int64", "bfloat16"};
static constexpr StringRef extremumTypes[] = {"float32", "float16", "int8",
                                              "int32",   "int64",   "bfloat16"};
static constexpr StringRef castTypes[] = {
    "float32", "float16", "int8",  "int32", "uint8",   "int16",
    "uint16",  "uint32",  "int64", "bool",  "bfloat16"};
static constexpr StringRef selectTypes[] = {
    "float32", "float16", "int8", "int32", "uint8", "int64", "bfloat16"};
static constexpr StringRef sumTypes[] = {"float32", "float16",   "int8",
                                         "int32",   "uint8",     "int64",
                                         "bool",    "complex64", "bfloat16"};
static constexpr StringRef quotientTypes[] = {"float32", "float16", "int8",
                                              "int32",   "uint8",   "bfloat16"};
static constexpr StringRef floatTypes[] = {"float32", "float16", "bfloat16"};
static constexpr StringRef roundedTypes[] = {"float32", "float16", "int32",
                                             "bfloat16"};
static constexpr StringRef logicalTypes[] = {"bool"};
static constexpr StringRef bitwiseTypes[] = {"int32", "int16", "uint16",
                                             "int64"};
static constexpr StringRef invertedTypes[] = {"int16", "uint16"};
static constexpr StringRef complexTypes[] = {"float32", "float16"};
static constexpr StringRef realTypes[] = {"float32", "float16", "complex64"};
static constexpr StringRef complexAbsTypes[] = {"complex64"};
static constexpr StringRef rangeTypes[] = {"float32", "float16", "int32",
                                           "int64",   "float64", "bfloat16"};
static constexpr StringRef fillTypes[] = {
    "float32", "float16", "int8", "int32", "int64", "bool", "bfloat16"};
static constexpr StringRef stridedTypes[] = {
    "float32", "float16", "int8",   "int32", "uint8",     "int16",   "uint16",
    "uint32",  "int64",   "uint64", "bool",  "complex64", "bfloat16"};
static constexpr StringRef packTypes[] = {
    "float32", "float16", "int8",      "int32",   "uint8",
    "int16",   "uint16",  "uint32",    "int64",   "uint64",
    "float64", "bool",    "complex64", "bfloat16"};
static constexpr StringRef reversedTypes[] = {
    "float32", "float16", "int32", "int16", "uint16", "int64", "bfloat16"};
static constexpr StringRef scatterAddTypes[] = {"float32", "float16", "int32",
                                                "bool"};
static constexpr StringRef scatterUpdateTypes[] = {
    "float32", "float16", "int8", "int64", "bool", "bfloat16"};
static constexpr StringRef copiedTypes[] = {
    "float32", "float16", "int8",   "int32",   "uint8", "int16",   "uint16",
    "uint32",  "int64",   "uint64", "float64", "bool",  "bfloat16"};
static constexpr StringRef halfTypes[] = {"float16", "bfloat16"};
static constexpr StringRef plainFloatTypes[] = {"float32", "float16"};

static constexpr CoreOperator operators910b[] = {
    {"GatherV2", movedTypes},
    {"Transpose", movedTypes},
    {"Slice", movedTypes},
    {"GatherNd", gatherNdTypes},
    {"Equal", gatherNdTypes},
    {"NotEqual", gatherNdTypes},
    {"GatherElements", gatherElementsTypes},
    {"IndexByTensor", indexedTypes},
    {"BroadcastTo", broadcastTypes},
    {"ClipByValue", clippedTypes},
    {"Abs", clippedTypes},
    {"ReduceSum", clippedTypes},
    {"Minimum", extremumTypes},
    {"Maximum", extremumTypes},
    {"Neg", extremumTypes},
    {"Cast", castTypes},
    {"Select", selectTypes},
    {"SelectV2", selectTypes},
    {"Less", selectTypes},
    {"LessEqual", selectTypes},
    {"Greater", selectTypes},
    {"GreaterEqual", selectTypes},
    {"ReduceMax", selectTypes},
    {"ReduceMin", selectTypes},
    {"ReduceProd", selectTypes},
    {"Add", sumTypes},
    {"Sub", sumTypes},
    {"Mul", sumTypes},
    {"RealDiv", quotientTypes},
    {"Div", quotientTypes},
    {"Pow", quotientTypes},
    {"TruncateDiv", quotientTypes},
    {"ScatterElements", quotientTypes},
    {"TruncateMod", quotientTypes},
    {"ReduceMean", floatTypes},
    {"Exp", floatTypes},
    {"Expm1", floatTypes},
    {"Log", floatTypes},
    {"Log1p", floatTypes},
    {"Sqrt", floatTypes},
    {"Rsqrt", floatTypes},
    {"Sin", floatTypes},
    {"Cos", floatTypes},
    {"Atan2", floatTypes},
    {"Sinh", floatTypes},
    {"Asinh", floatTypes},
    {"BesselI1e", floatTypes},
    {"Erf", floatTypes},
    {"Floor", floatTypes},
    {"Ceil", floatTypes},
    {"Reciprocal", floatTypes},
    {"IsFinite", floatTypes},
    {"Sigmoid", floatTypes},
    {"Rint", floatTypes},
    {"Tanh", floatTypes},
    {"TopKV2", floatTypes},
    {"GeluV2", floatTypes},
    {"RmsNorm", floatTypes},
    {"Tan", roundedTypes},
    {"Round", roundedTypes},
    {"Sign", roundedTypes},
    {"LogicalAnd", logicalTypes},
    {"LogicalOr", logicalTypes},
    {"LogicalNot", logicalTypes},
    {"ReduceAll", logicalTypes},
    {"ReduceAny", logicalTypes},
    {"BitwiseAnd", bitwiseTypes},
    {"BitwiseOr", bitwiseTypes},
    {"BitwiseXor", bitwiseTypes},
    {"Invert", invertedTypes},
    {"PopulationCount", invertedTypes},
    {"Complex", complexTypes},
    {"Real", realTypes},
    {"ComplexAbs", complexAbsTypes},
    {"Range", rangeTypes},
    {"Fill", fillTypes},
    {"StridedSlice", stridedTypes},
    {"Pack", packTypes},
    {"ReverseV2", reversedTypes},
    // Of hicann/ops-nn, revision e5c3fa9 (2026-08-22): the table of Conv2D and
    // Conv3D in common/inc/op_graph/op_nn_proto_extend.h ("other products"), and
    // pooling/max_pool_v3/op_api/max_pool_v3.cpp. TorchAir, fced884, writes
    // AvgPoolV2 for these two types. Of ops-math: math/cumsum/op_api/cumsum.cpp.
    {"Conv2D", floatTypes},
    {"Conv3D", halfTypes},
    {"MaxPoolV3", plainFloatTypes},
    {"AvgPoolV2", plainFloatTypes},
    {"Cumsum", roundedTypes},
    {"LeftShift", {}},
    {"RightShift", {}},
    {"Imag", {}},
    {"NextAfter", {}},
    {"TensorScatterMax", {}},
    {"TensorScatterMin", {}},
    {"TensorScatterUpdate", {}},
    {"ScatterNdAdd", scatterAddTypes},
    {"TensorScatterAdd", scatterAddTypes},
    {"ScatterNdUpdate", scatterUpdateTypes},
    {"TensorMove", copiedTypes},
    {"Shape", copiedTypes},
};

constexpr Device devices::ascend910b = {.target = "ascend",
                                        .name = "910b",
                                        .title = "910B",
                                        .features = {},
                                        .matmulTiles = {},
                                        .coreOperators = operators910b};

//===--- Queries ----------------------------------------------------------===//

const Device *mercator::findDevice(StringRef target, StringRef name) {
  for (const Device *device :
       {&devices::aarch64, &devices::ascendAny, &devices::ascend910b})
    if (device->target == target && device->name == name)
      return device;
  return nullptr;
}

std::string mercator::whyNotOnCore(const Device &device, StringRef op,
                                   StringRef type) {
  const auto *found =
      llvm::find_if(device.coreOperators,
                    [&](const CoreOperator &row) { return row.name == op; });
  if (found == device.coreOperators.end() ||
      llvm::is_contained(found->types, type))
    return "";
  std::string cores = ("the cores of the " + device.title).str();
  if (found->types.empty())
    return (op + " is not supported by " + cores).str();
  return (op + " of " + type + " is not supported by " + cores +
          " (they support " + llvm::join(found->types, ", ") + ")")
      .str();
}
