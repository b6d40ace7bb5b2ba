// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of an instruction, inferred from its operands and attributes, and
// the check that these are consistent.
//
//     p0  = f32[4,8] parameter(0)
//     t   = transpose(p0), dimensions={1,0}          infers f32[8,4]
//     t   = transpose(p0), dimensions={1,1}          refuses: not a permutation
//     t   = f32[4,8] transpose(p0), dimensions={1,0} refuses: f32[8,4] expected
//
// The properties that later stages rely on are checked here, once:
// permutations, slice limits, dimension numbers, window ranks, contracted
// sizes. The checks are as lenient as HLO: layouts never matter, a scalar may
// replace an array in elementwise instructions, dot and convolution may widen
// their element type, and a dynamic dimension fits any size up to its bound.
//
// Cost: linear in the operands, ranks and attribute lists of the instruction.

#ifndef MERCATOR_FRONTENDS_HLO_SHAPEINFERENCE_H
#define MERCATOR_FRONTENDS_HLO_SHAPEINFERENCE_H

#include "mercator/frontends/hlo/Syntax.h"

namespace mercator::hlo {

/// A problem, and the part of the instruction that causes it.
struct ShapeProblem {
  enum class Part : uint8_t { Opcode, Operand, Attribute };
  Part part = Part::Opcode;
  unsigned operand = 0; // Part::Operand
  AttrName attribute{}; // Part::Attribute
  std::string message;
  std::string help; // empty, or a line that can be typed
};

/// The known properties of the result.
struct InferredShape {
  /// Null if operands and attributes do not determine it (reshape, iota,
  /// custom-call, ..). Then the text must give the shape.
  const Shape *shape = nullptr;
  /// False if the instruction may choose the element type (dot with a wider
  /// result). Then only the extents are compared.
  bool exactElementType = true;
};

/// Requires: operands are resolved, their number is within the table's limits,
/// and required attributes are present. `instruction.shape` is the written
/// shape or null; checks that need a written shape use it (broadcast, reshape,
/// iota). Ensures: on failure `problem` is set. New shapes are in `module`'s
/// arena.
[[nodiscard]] bool inferShape(Module &module, const Computation &computation,
                              const Instruction &instruction,
                              InferredShape &inferred, ShapeProblem &problem);

/// Whether a written shape agrees with the inferred one, as leniently as HLO.
[[nodiscard]] bool agrees(const Shape &written, const InferredShape &inferred);

/// Same kind and extents; a dynamic dimension fits any size up to its bound.
[[nodiscard]] bool compatible(const Shape &a, const Shape &b);

/// Creates shapes in the arena. Null if a limit of Syntax.h is exceeded.
[[nodiscard]] const Shape *makeArray(Module &module, ElementType type,
                                     ArrayRef<int64_t> dims,
                                     ArrayRef<bool> dynamic = {});
[[nodiscard]] const Shape *makeTuple(Module &module,
                                     ArrayRef<const Shape *> members);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_SHAPEINFERENCE_H
