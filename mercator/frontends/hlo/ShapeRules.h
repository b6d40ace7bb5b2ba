// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules behind ShapeInference.h, one method an opcode, in three files:
// ShapeInference.cpp (elementwise, tuples, calls), ShapeMovement.cpp (broadcast
// to scatter) and ShapeWindows.cpp (reduce, windows, dot, convolution). Each
// returns false after it set the problem. The extents of results are those of
// StableHLO (dialects/stablehlo/ResultExtents.h). These files add the rules that
// differ in HLO, and the position of a problem in the text.

#ifndef MERCATOR_FRONTENDS_HLO_SHAPERULES_H
#define MERCATOR_FRONTENDS_HLO_SHAPERULES_H

#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/frontends/hlo/ShapeInference.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace mercator::hlo {

class ShapeRules {
public:
  ShapeRules(Module &module, const Computation &computation,
             const Instruction &node, InferredShape &inferred,
             ShapeProblem &problem)
      : module(module), computation(computation), node(node),
        inferred(inferred), problem(problem) {}

  bool run();

private:
  using Dims = llvm::SmallVector<int64_t, 8>;
  using Extent = stablehlo::Extent;
  using Extents = stablehlo::Extents;
  /// For sizes that are computed from attributes and may not fit in int64.
  using Wide = stablehlo::Wide;

  //===--- Reading the instruction ----------------------------------------===//
  size_t operandCount() const { return node.operands.size(); }
  const Shape &operand(unsigned i) const {
    return *computation.instructions[node.operands[i]].shape;
  }
  /// The computation under `attr`; null if it is a builtin reducer or was not
  /// written.
  const Computation *callee(AttrName attr) const;
  std::string describe(unsigned i) const; // "'p0' of shape 'f32[2]'"

  /// The extents of an array.
  static Extents extentsOf(const Shape &shape);
  /// The same; a bound of a dynamic extent counts as its size.
  static Extents sizesOf(const Shape &shape) {
    return stablehlo::known(shape.dims);
  }
  /// The array of these extents. Ensures: extentsOf(array) == extents.
  const Shape *arrayOf(ElementType type, ArrayRef<Extent> extents);

  //===--- Results --------------------------------------------------------===//
  bool fail(const llvm::Twine &message, const llvm::Twine &help = "");
  bool failOperand(unsigned i, const llvm::Twine &message);
  bool failAttr(AttrName attr, const llvm::Twine &message);
  bool result(const Shape *shape); // null: beyond a limit
  bool result(ElementType type, ArrayRef<int64_t> dims,
              ArrayRef<bool> dynamic = {});
  bool resultLike(const Shape &shape); // without its layout
  /// The shape `dims` with the written element type, else with `otherwise`.
  bool resultOfWrittenType(ElementType otherwise, ArrayRef<int64_t> dims);

  //===--- Shared checks --------------------------------------------------===//
  bool needArray(unsigned i);
  bool needAllArrays();
  /// Checks that `dims` are distinct dimensions below `rank`.
  bool checkDims(AttrName attr, ArrayRef<int64_t> dims, unsigned rank,
                 bool increasing = false);
  bool oneDim(AttrName attr, unsigned rank, int64_t &dim);
  bool checkCallee(AttrName attr, ArrayRef<const Shape *> arguments,
                   const llvm::Twine &what);
  bool checkWindow(unsigned rank);
  /// How many places a window has over an extent; false: negative padding eats
  /// more than there is, or they are no int64.
  static bool windowed(int64_t extent, const WindowDim &dim, int64_t &places);
  /// An extent after padding that is negative, or no int64.
  bool failPadded(AttrName attr, unsigned dim, stablehlo::Wide extent);
  bool failWindowed(unsigned dim, int64_t extent, const WindowDim &window);

  //===--- Rules, by the names in Opcodes.def -----------------------------===//
  bool elementwise(ElementType resultType, bool sameTypes = true);
  bool unary(), binary(), select(), clamp(), compare(), complexParts();
  bool convert(), bitcastConvert(), map(), tuple(), getTupleElement();
  bool callOf(AttrName attr), whileLoop(), conditional(), scan();
  bool call() { return callOf(AttrName::ToApply); }
  bool fusion() { return callOf(AttrName::Calls); }
  bool sort(), collective(), batchNorm(), fft(), topK(), getDimensionSize();
  bool token();
  bool deviceId() { return result(ElementType::U32, {}); }
  bool likeFirst() { return resultLike(operand(0)); }
  bool likeSecond() { return needAllArrays() && resultLike(operand(1)); }
  bool asWritten() { return true; }

  bool broadcast(), iota(), reshape(), bitcast(), transpose(), reverse();
  bool concatenate(), slice(), pad(), dynamicSlice(), dynamicUpdateSlice();
  bool startIndices(unsigned first, unsigned rank);
  bool gather(), scatter();
  bool checkIndexVector(unsigned indicesOperand, AttrName mapAttr,
                        unsigned operandRank);

  bool reduce(), reduceWindow(), selectAndScatter(), dot(), convolution();
  bool reducedResult(unsigned inputs, ArrayRef<Extent> extents);
  bool reducerInputs(unsigned &inputs);

  Module &module;
  const Computation &computation;
  const Instruction &node;
  InferredShape &inferred;
  ShapeProblem &problem;
};

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_SHAPERULES_H
