// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of a program, and its maps from results to arguments and back.

#ifndef MERCATOR_TESTS_ANALYSIS_MAPS_COMPUTATION_H
#define MERCATOR_TESTS_ANALYSIS_MAPS_COMPUTATION_H

#include "Program.h"

namespace mercator::testing {

class Computation {
public:
  explicit Computation(llvm::StringRef text, llvm::StringRef function = "f")
      : program(text), block(&program.function(function).getBody().front()) {}

  MapSet toArgument(unsigned argument, unsigned result = 0, unsigned leaf = 0) {
    for (Reached &r :
         maps.toArguments({block->getTerminator()->getOperand(result), 0}))
      if (r.number == argument && r.leaf == leaf)
        return r.maps;
    return {};
  }
  MapSet toResult(unsigned argument, unsigned result = 0) {
    for (Reached &r : maps.toResults({block->getArgument(argument), 0}))
      if (r.number == result)
        return r.maps;
    return {};
  }

  Program program;
  mlir::Block *block;
  Arena arena;
  FusionMaps maps{arena};
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_ANALYSIS_MAPS_COMPUTATION_H
