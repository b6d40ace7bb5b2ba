// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random scatters and dynamic_update_slices in the operators of GE: with any
// dimension numbers, and with indices inside and outside, they give the same
// result. The evaluator's scatters of GE refuse an index outside. What the
// planner says of the original program, as `mercator explain` prints it, is what
// the conversion emits: the way, the nodes, the bytes.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "mercator/targets/ascend/scatter/Planner.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mercator;
using gather::Draw;
using gather::Ints;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Tensor;

static constexpr std::array<const char *, 9> elements = {
    "f32", "i32", "i1", "i64", "ui16", "f16", "bf16", "i8", "ui32"};
static constexpr std::array<const char *, 4> indexTypes = {"i32", "i64", "ui8",
                                                           "ui64"};

/// A dynamic_update_slice whose program takes operand, update and starts.
static std::string drawUpdate(Draw &draw, const std::string &element) {
  int64_t rank = 1 + draw.upTo(3);
  Ints shape, sizes;
  for (int64_t i = 0; i < rank; ++i) {
    shape.push_back(1 + draw.upTo(6));
    sizes.push_back(draw.once(2) ? shape.back()
                                 : 1 + draw.upTo(shape.back() - 1));
  }
  std::string index = indexTypes[draw.upTo(3)],
              scalar = "tensor<" + index + ">", x = tensorText(shape, element),
              u = tensorText(sizes, element), names, types, parameters,
              constants;
  for (int64_t i = 0; i < rank; ++i) {
    std::string name = "%s" + std::to_string(i);
    parameters += ", " + name + ": " + scalar;
    if (draw.once(4)) {
      name += "c";
      constants += "  " + name + " = stablehlo.constant dense<" +
                   std::to_string(draw.upTo(3)) + "> : " + scalar + "\n";
    }
    names += ", " + name;
    types += ", " + scalar;
  }
  return "func.func @main(%x: " + x + ", %u: " + u + parameters + ") -> " + x +
         " {\n" + constants + "  %r = stablehlo.dynamic_update_slice %x, %u" +
         names + " : (" + x + ", " + u + types + ") -> " + x +
         "\n  return %r : " + x + "\n}\n";
}

/// A scatter whose program takes operand, updates and indices.
static std::string drawScatter(Draw &draw, const std::string &element) {
  int64_t rank = draw.upTo(4);
  Ints shape, windows, inserted, batching, mapped, batch, indexBatching;
  for (int64_t i = draw.upTo(2); i > 0; --i)
    batch.push_back(1 + draw.upTo(3));
  llvm::SmallVector<bool> isPaired(batch.size());
  for (int64_t d = 0; d < rank; ++d) {
    shape.push_back(1 + draw.upTo(5));
    int64_t axis = batch.empty() ? 0 : draw.upTo(batch.size() - 1);
    if (!batch.empty() && draw.once(4) && !isPaired[axis]) {
      isPaired[axis] = true;
      shape[d] = batch[axis];
      batching.push_back(d);
      indexBatching.push_back(axis);
      continue;
    }
    if (draw.once(2))
      mapped.push_back(d);
    if (draw.once(3))
      inserted.push_back(d);
    else
      windows.push_back(draw.once(2) ? shape[d] : 1 + draw.upTo(shape[d] - 1));
  }
  for (size_t i = mapped.size(); i > 1; --i)
    std::swap(mapped[i - 1], mapped[draw.upTo(i - 1)]);
  // The updates: axes of the batch and of the windows, mixed.
  Ints updates, windowDims;
  size_t b = 0, w = 0;
  while (b < batch.size() || w < windows.size())
    if (b == batch.size() || (w < windows.size() && draw.once(2))) {
      windowDims.push_back(updates.size());
      updates.push_back(windows[w++]);
    } else {
      updates.push_back(batch[b++]);
    }
  Ints indices(batch);
  int64_t vector = draw.upTo(batch.size());
  if (mapped.size() == 1 && draw.once(3)) {
    vector = batch.size();
  } else {
    indices.insert(indices.begin() + vector, mapped.size());
    for (int64_t &axis : indexBatching)
      axis += axis >= vector;
  }
  std::string index = indexTypes[draw.upTo(3)], x = tensorText(shape, element),
              u = tensorText(updates, element), i = tensorText(indices, index),
              one = "tensor<" + element + ">", body = "%b";
  static constexpr std::array<const char *, 5> bodies = {"", "add", "maximum",
                                                         "minimum", "multiply"};
  int64_t kind = draw.upTo(4);
  std::string compute;
  if (kind != 0) {
    body = "%c";
    compute = "    %c = stablehlo." + std::string(bodies[kind]) +
              (draw.once(2) ? " %a, %b" : " %b, %a") + " : " + one + "\n";
  }
  std::string starts = "%i", clamp;
  bool isBounded = draw.once(3);
  if (isBounded) {
    starts = "%s";
    clamp = "  %l = stablehlo.constant dense<0> : tensor<" + index +
            ">\n  %h = stablehlo.constant dense<" +
            std::to_string(draw.upTo(3)) + "> : tensor<" + index +
            ">\n  %s = stablehlo.clamp %l, %i, %h : (tensor<" + index + ">, " +
            i + ", tensor<" + index + ">) -> " + i + "\n";
  }
  return "func.func @main(%x: " + x + ", %u: " + u + ", %i: " + i + ") -> " +
         x + " {\n" + clamp + "  %r = \"stablehlo.scatter\"(%x, " + starts +
         ", %u) <{scatter_dimension_numbers = #stablehlo.scatter<" +
         "update_window_dims = " + listText(windowDims) +
         ", inserted_window_dims = " + listText(inserted) +
         ", input_batching_dims = " + listText(batching) +
         ", scatter_indices_batching_dims = " + listText(indexBatching) +
         ", scatter_dims_to_operand_dims = " + listText(mapped) +
         ", index_vector_dim = " + std::to_string(vector) +
         ">}> ({\n  ^bb0(%a: " + one + ", %b: " + one + "):\n" + compute +
         "    stablehlo.return " + body + " : " + one + "\n  }) : (" + x +
         ", " + i + ", " + u + ") -> " + x + "\n  return %r : " + x + "\n}\n";
}

//===--- What is explained and what is emitted ----------------------------===//

static int64_t bytesOf(mlir::Value value) {
  auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
  return type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
}

static bool isScatterNode(mlir::Operation *op) {
  return llvm::isa<ascend::ScatterNdUpdateOp, ascend::ScatterNdAddOp,
                   ascend::ScatterElementsOp, ascend::TensorScatterMaxOp,
                   ascend::TensorScatterMinOp>(op);
}

namespace {
/// A count of its own, from the types alone.
struct Emitted {
  bool hasScatter = false, hasGather = false;
  int64_t nodes = 0, bytes = 0, copied = 0;

  void add(mlir::Operation *op) {
    if (llvm::isa<ascend::ConstOp, ascend::ReshapeOp>(op))
      return;
    ++nodes;
    int64_t written = bytesOf(op->getResult(0));
    if (llvm::isa<ascend::TensorMoveOp>(op))
      copied += 2 * written;
    if (isScatterNode(op)) {
      hasScatter = true;
      auto elements = llvm::dyn_cast<ascend::ScatterElementsOp>(op);
      bool isUpdate = llvm::isa<ascend::ScatterNdUpdateOp>(op) ||
                      (elements && elements.getReduction() == "none"),
           isInPlace =
               llvm::isa<ascend::ScatterNdUpdateOp, ascend::ScatterNdAddOp>(op);
      bytes += (isInPlace ? 0 : 2 * written) + bytesOf(op->getOperand(1)) +
               (isUpdate ? 2 : 3) * bytesOf(op->getOperand(2));
    } else if (llvm::isa<ascend::GatherV2Op>(op)) {
      hasGather = true;
      bytes += 2 * written + bytesOf(op->getOperand(1));
    } else if (llvm::isa<ascend::SliceOp>(op)) {
      bytes += 2 * written;
    } else {
      bytes += written;
      for (mlir::Value operand : op->getOperands()) {
        auto type = llvm::cast<mlir::RankedTensorType>(operand.getType());
        bool isParameter = operand.getDefiningOp<ascend::ConstOp>() &&
                           type.getRank() <= 1 && type.getNumElements() <= 8;
        if (!isParameter)
          bytes += bytesOf(operand);
      }
    }
  }
};
} // namespace

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Compares the plan for the program with the converted program.
static void checkExplanation(ModuleOp program, ModuleOp converted,
                             const Device &device) {
  mlir::Operation *scatter = nullptr;
  program->walk([&](mlir::Operation *op) {
    if (scatter::isScatter(op))
      scatter = op;
  });
  ASSERT_TRUE(scatter);
  std::string before = textOf(program);
  scatter::Planning planning = scatter::planScatter(scatter, device);
  const scatter::Candidate *best = planning.best();
  ASSERT_TRUE(best) << planning.refused;
  planning.keep(nullptr);
  EXPECT_EQ(textOf(program), before);
  // The nodes that replace an operation have its location.
  Emitted emitted;
  converted->walk([&](mlir::Operation *op) {
    if (op->getLoc() == scatter->getLoc() && op->getNumResults() == 1)
      emitted.add(op);
  });
  EXPECT_EQ(best->way == scatter::Way::Rows ||
                best->way == scatter::Way::Elements,
            emitted.hasScatter);
  EXPECT_EQ(best->way == scatter::Way::Mask, emitted.hasGather);
  EXPECT_EQ(best->cost.nodes, emitted.nodes);
  EXPECT_EQ(best->cost.bytes, emitted.bytes);
  EXPECT_EQ(best->cost.copied, emitted.copied);
}

namespace {
struct Counts {
  int64_t scatters = 0, elements = 0, padded = 0, masked = 0;
};
} // namespace

static void check(uint64_t seed, Programs &programs, Counts &counts) {
  Draw draw(seed);
  std::string element = elements[draw.upTo(elements.size() - 1)];
  std::string text =
      draw.once(3) ? drawUpdate(draw, element) : drawScatter(draw, element);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto module = programs.parse(text);
  ASSERT_TRUE(module) << programs.messages;
  Programs::Inputs inputs =
      programs.inputs(*module, [&](size_t k, int64_t i) -> int64_t {
        return k < 2          ? (i * 7 + draw.upTo(9)) % 127
               : draw.once(9) ? draw.start()
                              : draw.upTo(6) - 1;
      });
  std::optional<Tensor> want = programs.result(*module, inputs);
  ASSERT_TRUE(want) << programs.messages;
  const Device &device =
      draw.once(2) ? devices::ascendAny() : devices::ascend910b();
  OwningOpRef<ModuleOp> after = module->clone();
  std::vector<ascend::Unconverted> left =
      ascend::convertToAscend(*after, {.plan = {.device = &device}});
  for (const ascend::Unconverted &it : left)
    ADD_FAILURE() << it.why;
  ASSERT_TRUE(succeeded(mlir::verify(*after))) << programs.messages;
  checkExplanation(*module, *after, device);
  bool hasScatter = false, hasSpare = false, hasMask = false,
       hasElements = false;
  after->walk([&](mlir::Operation *op) {
    hasScatter |= isScatterNode(op);
    hasElements |= llvm::isa<ascend::ScatterElementsOp>(op);
    hasSpare |= llvm::isa<ascend::ConcatV2Op>(op);
    hasMask |= llvm::isa<ascend::GatherV2Op>(op);
  });
  counts.scatters += hasScatter;
  counts.elements += hasElements;
  counts.masked += hasMask;
  counts.padded += hasScatter && hasSpare;
  std::optional<Tensor> got = programs.result(*after, inputs);
  ASSERT_TRUE(got) << programs.messages;
  const Tensor &a = *got, &b = *want;
  ASSERT_EQ(a.type(), b.type());
  ASSERT_EQ(std::memcmp(a.data(), b.data(), a.byteSize()), 0);
}

TEST(AscendScatter, RandomOnes) {
  Programs programs;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases();
  Counts counts;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    check(seed + i, programs, counts);
  std::printf("  %ld from seed %lu on: %ld by a scatter, %ld of them by "
              "ScatterElements, %ld with a spare row; %ld by a mask\n",
              long(cases), (unsigned long)seed, long(counts.scatters),
              long(counts.elements), long(counts.padded), long(counts.masked));
  EXPECT_GT(counts.scatters, cases / 3);
  EXPECT_GT(counts.elements, cases / 20);
  EXPECT_GT(counts.padded, cases / 20);
  EXPECT_GT(counts.scatters - counts.padded, cases / 20);
}
