// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints what each instruction of a program reads.

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Maps.h"

using namespace mercator;

static constexpr llvm::StringLiteral program = R"(
  func.func @main(%x: tensor<4x8xf32>) -> tensor<8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %sums = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    return %sums : tensor<8xf32>
  })";

int main() {
  DiagnosticEngine diagnostics(llvm::errs());
  auto compilation = Compilation::load("sums.mlir", program.str(), diagnostics);
  if (!compilation)
    return 1; // a diagnostic has been printed
  Answer<std::vector<MapRecord>> records = compilation->map({.fused = true});
  if (!records)
    return 1;
  for (const MapRecord &record : *records)
    for (const MapTarget &target : record.to)
      for (const indexing::OperandMap &map : target.maps)
        llvm::outs() << record.instruction << " reads " << target.name << ": "
                     << describe(map).map << '\n';
}

// prints
//   %sums reads %x: (d0)[s0] -> (s0, d0), domain: d0 in [0, 7], s0 in [0, 3]
