// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/DispatchSummary.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

static std::string spell(llvm::ArrayRef<int64_t> extents) {
  auto text = llvm::map_range(extents, [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? std::string("D")
                                         : llvm::itostr(extent);
  });
  return llvm::join(text, "x");
}

/// `loop` and the shape of the result; empty if there is no loop of tensors.
static std::string summarizeLoop(Region &body) {
  for (Operation &op : body.front()) {
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) || op.use_empty())
      continue;
    auto used = llvm::find_if(op.getResults(),
                              [](Value value) { return !value.use_empty(); });
    auto type = dyn_cast<RankedTensorType>((*used).getType());
    if (type)
      return type.getRank() == 0 ? "loop" : "loop_" + spell(type.getShape());
  }
  return {};
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
  // A fill only makes what a loop updates.
  if (!largest || isa<linalg::FillOp>(largest))
    if (std::string loop = summarizeLoop(body); !loop.empty())
      return loop;
  if (!largest)
    return {};
  llvm::StringRef name = largest->getName().stripDialect();
  if (largestLoops.empty())
    return name.str();
  return (name + "_" + spell(largestLoops)).str();
}
