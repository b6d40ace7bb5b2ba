// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/MatrixUnit.h"

using namespace mercator::cpu;

MatrixProblem MatrixProblem::of(llvm::StringRef type, const Machine &machine) {
  MatrixProblem p;
  p.type = type.str();
  p.keepsSubnormals = machine.preciseMath || machine.keepsSubnormals;
  p.matrixRate = machine.matrixRate(type);
  double own = machine.device.multiplyAddRate(type);
  p.vectorRate = own != 0 ? own : machine.device.multiplyAddRate("f32");
  return p;
}

std::string MatrixProblem::whyNot() const {
  if (type != "bf16" && type != "i8")
    return "the matrix unit multiplies bf16, or integers of 8 bits";
  if (matrixRate == 0)
    return "the CPU has no matrix unit for " + type;
  if (type == "bf16" && keepsSubnormals)
    return "the matrix unit takes subnormal numbers for zero, and here they are "
           "kept";
  if (terms == 0)
    return "the matrix unit needs terms that are an index of their own of both "
           "operands";
  if (isInTile)
    return "products in tiles of cells are computed in vectors";
  if (rows < kTileRows)
    return "a tile of the matrix unit has 16 rows, and the innermost loop of rows "
           "fewer";
  return "";
}

bool MatrixProblem::pays() const {
  auto filled = [](int64_t extent, int64_t size) {
    int64_t tiles = (extent + size - 1) / size;
    return double(tiles * size) / double(extent);
  };
  int64_t perWord = type == "bf16" ? 2 : 4;
  double work = filled(rows, kTileRows) * filled(columns, kTileWords) *
                filled(terms, kTileWords * perWord);
  return whyNot().empty() && work * vectorRate < matrixRate;
}
