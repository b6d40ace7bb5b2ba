// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/DispatchSummary.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;

/// The number of iterations; the maximum if it is unknown or overflows.
static int64_t countIterations(llvm::ArrayRef<int64_t> loops) {
  if (llvm::any_of(loops, ShapedType::isDynamic))
    return INT64_MAX;
  if (llvm::is_contained(loops, 0))
    return 0;
  int64_t count = 1;
  for (int64_t loop : loops)
    if (llvm::MulOverflow(count, loop, count))
      return INT64_MAX;
  return count;
}

std::string flow::summarizeDispatch(Region &body) {
  linalg::LinalgOp largest;
  llvm::SmallVector<int64_t> largestLoops;
  int64_t most = -1;
  body.walk([&](linalg::LinalgOp op) {
    llvm::SmallVector<int64_t> loops = op.getStaticLoopRanges();
    int64_t count = countIterations(loops);
    if (count < most)
      return;
    most = count;
    largest = op;
    largestLoops = std::move(loops);
  });
  if (!largest)
    return {};
  llvm::StringRef name = largest->getName().stripDialect();
  if (largestLoops.empty())
    return name.str();
  auto text = llvm::map_range(largestLoops, [](int64_t loop) {
    return ShapedType::isDynamic(loop) ? std::string("D") : llvm::itostr(loop);
  });
  return (name + "_" + llvm::join(text, "x")).str();
}
