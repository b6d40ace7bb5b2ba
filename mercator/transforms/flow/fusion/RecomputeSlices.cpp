// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils after stencils. A large tensor that one elementwise operation reads through
// several slices is computed for each slice, in place of being stored:
//
//   y = f(x[0:n], x[1:n+1])                    y, with a halo, from x
//   z = g(y[0:n-1], y[1:n])
//                                    =>
//   z = g(f(x[0:n-1], x[1:n]), f(x[1:n], x[2:n+1]))
//
// The slices of y become slices of x, and f is a part of the body of g. So elements of
// y are computed as often as they are read, in registers. That is chosen where it takes
// less time on the device than to store and load y.
//
// Tiles of z with a halo of y in a cache would compute less, but gain less: of two
// five-point steps on 4096 x 4096 numbers, in one thread of Emerald Rapids, steps one
// after the other take 24 ms, tiles 17 to 23 (the best of 20 sizes), and one loop that
// computes again 15. One step alone takes 12.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/fusion/FusionGroups.h"

#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/device/Device.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mercator::flow {
#define GEN_PASS_DEF_RECOMPUTESLICES
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
/// A box of a tensor.
struct Part {
  Value of;
  SmallVector<int64_t> first, sizes;
  bool operator==(const Part &) const = default;
};

/// An operation that may be computed again for each slice.
class SlicedStep {
public:
  explicit SlicedStep(linalg::GenericOp op) : op(op) {}

  /// Whether one elementwise operation reads it, through several slices, and both
  /// together have few enough operands.
  bool match();
  [[nodiscard]] bool pays(const Device &device) const;
  /// In the body of the reader.
  void computeAgain();

private:
  [[nodiscard]] Part partOfInput(OpOperand &input, const Part &part) const;

  linalg::GenericOp op;
  linalg::GenericOp reader;
  SmallVector<tensor::ExtractSliceOp> slices;
  SmallVector<Part> parts; ///< that the slices are
};
} // namespace

/// The part of a tensor that a value is: all of it, unless it is a slice.
static std::optional<Part> partOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride() ||
      slice.getSourceType().getRank() != type.getRank() ||
      llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic))
    return Part{value, SmallVector<int64_t>(size_t(type.getRank()), 0),
                llvm::to_vector(type.getShape())};
  return Part{slice.getSource(), llvm::to_vector(slice.getStaticOffsets()),
              llvm::to_vector(type.getShape())};
}

/// Short operations alone: functions would take longer than memory.
static bool isShort(linalg::GenericOp op) {
  return !op.hasIndexSemantics() &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           return isa<arith::ConstantOp, arith::AddFOp, arith::SubFOp,
                      arith::MulFOp, arith::NegFOp, arith::MaximumFOp,
                      arith::MinimumFOp, arith::CmpFOp, arith::SelectOp,
                      arith::ExtFOp, arith::AddIOp, arith::SubIOp,
                      arith::MulIOp, arith::CmpIOp, arith::SIToFPOp>(inner);
         });
}

/// An input is a slice of a tensor: the slice of that tensor which a part of the result
/// needs.
Part SlicedStep::partOfInput(OpOperand &input, const Part &part) const {
  Part needed = *partOf(input.get());
  linalg::GenericOp own = op;
  for (auto [d, expr] :
       llvm::enumerate(own.getMatchingIndexingMap(&input).getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    needed.first[d] += part.first[dim];
    needed.sizes[d] = part.sizes[dim];
  }
  return needed;
}

bool SlicedStep::match() {
  constexpr size_t kMostOperands = 31; // see FusionGroups.cpp
  if (op->getNumResults() != 1 || !flow::isElementwise(op) || !isShort(op) ||
      !op.getIndexingMapsArray().back().isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return false;
  Operation *only = nullptr;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    auto part = slice ? partOf(slice) : std::nullopt;
    if (!part || part->of != op->getResult(0) ||
        slice->getBlock() != op->getBlock())
      return false;
    slices.push_back(slice);
    if (!llvm::is_contained(parts, *part))
      parts.push_back(*part);
    for (Operation *next : slice->getUsers()) {
      if (only && next != only)
        return false;
      only = next;
    }
  }
  reader = dyn_cast_or_null<linalg::GenericOp>(only);
  if (parts.size() < 2 || !reader || !flow::isElementwise(reader) ||
      reader->getBlock() != op->getBlock())
    return false;
  SmallVector<Part> operands;
  auto add = [&](Part part) {
    if (!llvm::is_contained(operands, part))
      operands.push_back(std::move(part));
  };
  for (Value value : reader.getDpsInputs())
    if (auto part = partOf(value); part && part->of != op->getResult(0))
      add(*part);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!partOf(input->get()) ||
        !op.getMatchingIndexingMap(input).isProjectedPermutation())
      return false;
    for (const Part &part : parts)
      add(partOfInput(*input, part));
  }
  return operands.size() + 1 <= kMostOperands;
}

/// Whether elements are computed again in less time than they are stored and loaded.
bool SlicedStep::pays(const Device &device) const {
  linalg::GenericOp own = op;
  auto type = cast<RankedTensorType>(own->getResult(0).getType());
  std::optional<int64_t> bytes = bytesOf(type);
  if (!bytes)
    return false;
  // What is smaller stays in the caches of the cores, between other operations.
  int64_t kept = 0;
  size_t level = 0;
  for (; level < device.caches.size(); ++level) {
    const Device::Cache &cache = device.caches[level];
    int64_t all =
        cache.bytes * std::max<int64_t>(1, device.cores / cache.sharedBy);
    if (cache.sharedBy == 1)
      kept = std::max(kept, all);
    if (all >= *bytes)
      break;
  }
  double rate = device.multiplyAddRate(type.getElementType().isF64() ? "f64"
                                                                     : "f32"),
         bandwidth = device.bandwidthOf(level).ofAll;
  if (*bytes <= kept || rate == 0 || bandwidth == 0)
    return false;
  // Arithmetic and loads run side by side. A multiply-add counts as two operations.
  auto operations =
      std::max<int64_t>(llvm::range_size(own.getBody()->without_terminator()),
                        own.getNumDpsInputs());
  double again = 2 * double(parts.size() - 1) * double(operations) /
                 (rate * double(device.cores));
  double stored =
      2 * double(*bytes) / double(type.getNumElements()) / bandwidth;
  return again < stored;
}

void SlicedStep::computeAgain() {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<std::pair<Part, Value>> made;
  auto sliceOf = [&](const Part &part) -> Value {
    for (auto &[known, value] : made)
      if (known == part)
        return value;
    Value value = part.of;
    if (part.sizes != cast<RankedTensorType>(value.getType()).getShape()) {
      auto numbers = [&](ArrayRef<int64_t> of) {
        return getAsIndexOpFoldResult(op.getContext(), of);
      };
      value = tensor::ExtractSliceOp::create(
          builder, loc, value, numbers(part.first), numbers(part.sizes),
          numbers(SmallVector<int64_t>(part.sizes.size(), 1)));
    }
    made.emplace_back(part, value);
    return value;
  };
  SmallVector<linalg::GenericOp> copies;
  for (tensor::ExtractSliceOp slice : slices) {
    Part part = *partOf(slice);
    SmallVector<Value> operands;
    for (OpOperand *input : op.getDpsInputOperands())
      operands.push_back(sliceOf(partOfInput(*input, part)));
    operands.push_back(tensor::EmptyOp::create(
        builder, loc, part.sizes,
        cast<RankedTensorType>(slice.getType()).getElementType()));
    copies.push_back(cast<linalg::GenericOp>(
        mlir::clone(builder, op, slice.getType(), operands)));
    slice.replaceAllUsesWith(copies.back());
    slice.erase();
  }
  op.erase();
  copies.push_back(reader);
  flow::fuseElementwise(copies, /*recompute=*/false);
}

namespace {
struct RecomputeSlices : flow::impl::RecomputeSlicesBase<RecomputeSlices> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    llvm::Expected<Device> read = readDevice(device);
    if (!read)
      return emitError(UnknownLoc::get(context),
                       llvm::toString(read.takeError()));
    known = std::move(*read);
    return success();
  }

  void runOnOperation() override {
    getOperation()->walk([&](Block *block) {
      for (Operation *op = block->empty() ? nullptr : &block->front(); op;) {
        Operation *before = op->getPrevNode(), *after = op->getNextNode();
        if (auto generic = dyn_cast<linalg::GenericOp>(op))
          if (SlicedStep step(generic); step.match() && step.pays(known)) {
            step.computeAgain();
            // Its reader comes later, and costs more now.
            after = before ? before->getNextNode() : &block->front();
          }
        op = after;
      }
    });
  }

private:
  Device known;
};
} // namespace
