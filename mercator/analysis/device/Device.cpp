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
static constexpr StringRef gatherV2Types[] = {
    "float32", "float16", "int8",  "int32",  "uint8", "int16",
    "uint16",  "uint32",  "int64", "uint64", "bool",  "bfloat16"};
static constexpr StringRef gatherNdTypes[] = {"float32", "float16", "int8",
                                              "int32",   "uint8",   "int64",
                                              "bool",    "bfloat16"};
static constexpr StringRef gatherElementsTypes[] = {
    "float32", "float16", "int8",  "int32",  "uint8",   "int16",
    "uint16",  "uint32",  "int64", "uint64", "bfloat16"};
static constexpr StringRef broadcastTypes[] = {
    "float32", "float16", "int8", "int32",   "uint8",
    "uint32",  "int64",   "bool", "bfloat16"};
static constexpr StringRef clampTypes[] = {"float32", "float16", "int32",
                                           "int64", "bfloat16"};
static constexpr StringRef castTypes[] = {
    "float32", "float16", "int8",  "int32", "uint8",   "int16",
    "uint16",  "uint32",  "int64", "bool",  "bfloat16"};

// Of hicann/ops-math, revision c419332 (2026-08-22): the lists of the cores in
// op_api/*.cpp.
static constexpr StringRef selectTypes[] = {
    "float32", "float16", "int8", "int32", "uint8", "int64", "bfloat16"};
static constexpr StringRef lessTypes[] = {"float32", "float16", "int8",
                                          "int32",   "uint8",   "int64",
                                          "bool",    "bfloat16"};
static constexpr StringRef sumTypes[] = {"float32", "float16",   "int8",
                                         "int32",   "uint8",     "int64",
                                         "bool",    "complex64", "bfloat16"};
static constexpr StringRef quotientTypes[] = {"float32", "float16", "int8",
                                              "int32",   "uint8",   "bfloat16"};
static constexpr StringRef negatedTypes[] = {"float32", "float16", "int8",
                                             "int32",   "uint8",   "int16",
                                             "int64",   "bfloat16"};
static constexpr StringRef totalTypes[] = {"float32", "float16", "int32",
                                           "int64", "bfloat16"};
static constexpr StringRef floatTypes[] = {"float32", "float16", "bfloat16"};
static constexpr StringRef roundedTypes[] = {"float32", "float16", "int32",
                                             "bfloat16"};
static constexpr StringRef bitwiseTypes[] = {"int32", "int16", "uint16",
                                             "int64"};
static constexpr StringRef invertedTypes[] = {"int16", "uint16"};
static constexpr StringRef logicalTypes[] = {"bool"};
static constexpr StringRef complexTypes[] = {"float32", "float16"};
static constexpr StringRef realTypes[] = {"float32", "float16", "complex64"};
static constexpr StringRef complexAbsTypes[] = {"complex64"};
static constexpr StringRef fillTypes[] = {
    "float32", "float16", "int8",   "int32", "uint16",
    "uint32",  "int64",   "uint64", "bool",  "bfloat16"};
static constexpr StringRef movedTypes[] = {
    "float32", "float16", "int8",  "int32",  "uint8", "int16",
    "uint16",  "uint32",  "int64", "uint64", "bool",  "bfloat16"};
static constexpr StringRef stridedTypes[] = {
    "float32", "float16", "int8",   "int32", "uint8",     "int16",   "uint16",
    "uint32",  "int64",   "uint64", "bool",  "complex64", "bfloat16"};
static constexpr StringRef packTypes[] = {
    "float32", "float16", "int8",      "int32",   "uint8",
    "int16",   "uint16",  "uint32",    "int64",   "uint64",
    "bool",    "float64", "complex64", "bfloat16"};

// Of hicann/ops-nn, revision e5c3fa9: the lists of the cores in op_api/*.cpp.
// GE replaces TensorScatterAdd by TensorMove and ScatterNdAdd
// (index/scatter_nd_add/op_graph/fusion_pass); the row is that of ScatterNdAdd.
// There is no row for TensorScatterUpdate: the public sources have its kernel
// for the AI CPU, and do not say whether GE replaces it, too.
static constexpr StringRef reversedTypes[] = {"float32", "float16", "int32",
                                              "int16", "int64"};
static constexpr StringRef scatterAddTypes[] = {"float32", "float16", "int32",
                                                "bool"};

// Of hicann/ge, revision ffdcbc9 (2026-08-21): the operator information of the
// 910B in tests/engines/nn_engine/depends/CANN_910b_stub.
static constexpr StringRef indexTypes[] = {
    "float32", "float16", "int8", "int32", "uint8", "int64", "bool"};

static constexpr CoreOperator operators910b[] = {
    {"GatherV2", gatherV2Types},
    {"GatherNd", gatherNdTypes},
    {"GatherElements", gatherElementsTypes},
    {"IndexByTensor", indexTypes},
    {"BroadcastTo", broadcastTypes},
    {"ClipByValue", clampTypes},
    {"Minimum", clampTypes},
    {"Maximum", clampTypes},
    {"Cast", castTypes},
    {"Select", selectTypes},
    {"SelectV2", selectTypes},
    {"Less", lessTypes},
    {"LessEqual", selectTypes},
    {"Greater", selectTypes},
    {"GreaterEqual", selectTypes},
    {"Add", sumTypes},
    {"Sub", sumTypes},
    {"Mul", sumTypes},
    {"RealDiv", quotientTypes},
    {"Div", quotientTypes},
    {"Pow", quotientTypes},
    {"Neg", negatedTypes},
    {"Abs", totalTypes},
    {"ReduceSum", totalTypes},
    {"ReduceMax", selectTypes},
    {"ReduceMin", selectTypes},
    {"ReduceProd", selectTypes},
    {"ReduceMean", floatTypes},
    {"Exp", floatTypes},
    {"Expm1", floatTypes},
    {"Log", floatTypes},
    {"Log1p", floatTypes},
    {"Sqrt", floatTypes},
    {"Rsqrt", floatTypes},
    {"Sin", floatTypes},
    {"Cos", floatTypes},
    {"Tan", roundedTypes},
    {"Atan2", floatTypes},
    {"Erf", floatTypes},
    {"Floor", floatTypes},
    {"Ceil", floatTypes},
    {"Round", roundedTypes},
    {"Sign", roundedTypes},
    {"Reciprocal", floatTypes},
    {"IsFinite", floatTypes},
    {"TruncateDiv", negatedTypes},
    {"Equal", lessTypes},
    {"NotEqual", lessTypes},
    {"LogicalAnd", logicalTypes},
    {"LogicalOr", logicalTypes},
    {"BitwiseAnd", bitwiseTypes},
    {"BitwiseOr", bitwiseTypes},
    {"BitwiseXor", bitwiseTypes},
    {"Invert", invertedTypes},
    {"Complex", complexTypes},
    {"Real", realTypes},
    {"ComplexAbs", complexAbsTypes},
    {"Range", totalTypes},
    {"Fill", fillTypes},
    {"Transpose", movedTypes},
    {"Slice", movedTypes},
    {"StridedSlice", stridedTypes},
    {"Pack", packTypes},
    {"Sigmoid", floatTypes},
    {"ReverseV2", reversedTypes},
    {"TensorScatterAdd", scatterAddTypes},
    {"LeftShift", {}},
    {"RightShift", {}},
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
