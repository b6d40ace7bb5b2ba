// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A file of PTX after parsing: its kernels in a compact form that runs fast.
///
/// ```cpp
/// using namespace mercator::reference;
/// mercator::SourceBuffer text("one.ptx", R"(
///   .version 8.0
///   .target sm_90a
///   .address_size 64
///   .visible .entry one(.param .u64 out) .reqntid 32, 1, 1 {
///     .reg .b32 %r<2>;
///     .reg .b64 %rd<2>;
///     ld.param.b64 %rd1, [out];
///     mov.b32 %r1, 1;
///     st.global.b32 [%rd1], %r1;
///     ret;
///   })");
/// mercator::DiagnosticEngine diagnostics(llvm::errs());
/// std::optional<ptx::Module> module = ptx::parse(text, diagnostics);
/// assert(module && module->find("one")->block[0] == 32);
/// ```
///
/// All instructions that XLA and Triton write for one block are known, apart from
/// `wgmma`, `mbarrier` and the bulk copies of TMA. An unknown instruction is an error
/// that names it; nothing is ignored silently. A register is declared before its use
/// and has the width of the operand. PTX allows wider registers in `ld`, `st` and
/// `cvt` only.
///
/// Source: PTX ISA 9.0, the chapters "Instruction Set" and "Directives".

#ifndef MERCATOR_REFERENCE_PTX_MODULE_H
#define MERCATOR_REFERENCE_PTX_MODULE_H

#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mercator::reference::ptx {

class Machine;
struct Instruction;

/// Executes one instruction for the lanes of `mask`. `mask` is not 0.
using Handler = void (*)(Machine &, const Instruction &, uint32_t mask);

/// What the machine does itself, since it moves the program counter. `None`: a handler
/// does it.
enum class Control : uint8_t { None, Branch, Return, Barrier };

/// The unit that executes an instruction, for counts of instructions.
enum class Unit : uint8_t {
  Integer,
  Float,     ///< f32 and packed halves
  Double,    ///< f64
  Special,   ///< approximations: ex2, lg2, rcp, rsqrt, sin, cos, tanh
  Convert,   ///< cvt
  Move,      ///< mov, selp, cvta
  Predicate, ///< setp and the logic of predicates
  Global,    ///< ld, st, atom, red and cp.async of global memory
  Shared,    ///< ld, st, atom, ldmatrix and stmatrix of shared memory
  Local,     ///< ld, st of local memory and of parameters
  Warp,      ///< shfl, vote, match, redux
  Matrix,    ///< mma
  Control,   ///< branches, barriers, fences
};
inline constexpr unsigned kUnits = 13;
[[nodiscard]] llvm::StringRef nameOf(Unit unit);

/// The place of a register or a constant: an offset in the register file of a warp, or,
/// with the highest bit set, in the constants of the kernel. A predicate is the index of
/// a mask of 32 lanes.
using Slot = uint32_t;
inline constexpr Slot kConstant = Slot(1) << 31;
/// The operand `_`, which takes no value.
inline constexpr Slot kNoSlot = ~Slot(0);

/// One instruction. The meaning of the fields belongs to the handler; those of `Control`
/// are: `target` of a branch, `a` and `b` the number and the threads of a barrier.
struct Instruction {
  Handler handler = nullptr;
  Slot d = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  /// The predicate that guards the instruction. kNoSlot: none.
  Slot guard = kNoSlot;
  bool guardIsNegated = false;
  Control control = Control::None;
  Unit unit = Unit::Control;
  uint8_t bytes = 0;  ///< of one element in memory
  uint8_t vector = 1; ///< elements of one lane
  uint32_t flags =
      0; ///< rounding, saturation, comparison, as the handler reads them
  int64_t offset = 0; ///< added to an address
  uint32_t target = 0;
  /// Where the lanes that a branch parts meet again: an instruction, or the end.
  uint32_t reconvergence = 0;
  /// The operands in braces: a range of Kernel::operands.
  uint32_t firstOperand = 0;
  uint32_t begin = 0, end = 0; ///< in the text
};

/// A variable in shared or local memory.
struct Variable {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// A parameter. Kernels of XLA have pointers to global memory only.
struct Parameter {
  std::string name;
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0;
  /// The threads of a block: `.reqntid`, or 0 where only the launch says it.
  std::array<uint32_t, 3> block = {0, 0, 0};
  std::vector<Instruction> code;
  std::vector<Slot> operands;
  /// Each constant once for each lane.
  std::vector<uint64_t> constants;
  uint32_t registerBytes = 0;
  uint32_t predicates = 0;
  /// The slots of the special registers that the kernel reads: an index of
  /// kSpecialRegisters, and a slot.
  std::vector<std::pair<unsigned, Slot>> specials;
  /// Variables of a fixed size. Memory that the launch sizes follows them.
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0;

  /// Whether some instruction loads this parameter. XLA passes a buffer that is updated
  /// in place twice and reads the first of the two parameters.
  std::vector<bool> isParameterUsed;
};

/// A variable in global or constant memory with its initial bytes.
struct GlobalVariable {
  std::string name;
  std::vector<uint8_t> bytes;
  uint64_t address = 0;
};

struct Module {
  const SourceBuffer *text = nullptr;
  std::vector<Kernel> kernels;
  std::vector<GlobalVariable> globals;

  [[nodiscard]] const Kernel *find(llvm::StringRef name) const;
};

/// Reads a file of PTX. Without a value, `diagnostics` has an error with the place in
/// the text. The module refers to `text`.
/// Time: linear in the text, apart from the post-dominators of branches.
[[nodiscard]] std::optional<Module> parse(const SourceBuffer &text,
                                          DiagnosticEngine &diagnostics);

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_MODULE_H
