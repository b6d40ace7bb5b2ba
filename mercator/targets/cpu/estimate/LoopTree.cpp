// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/LoopTree.h"
#include "mercator/targets/cpu/estimate/Numbers.h"
#include "mercator/targets/cpu/estimate/TileLoops.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

CoreWork &CoreWork::operator+=(const CoreWork &other) {
  multiplyAdds += other.multiplyAdds;
  additions += other.additions;
  functions += other.functions;
  divisions += other.divisions;
  gathers += other.gathers;
  loads += other.loads;
  stores += other.stores;
  scalars += other.scalars;
  chain += other.chain;
  path += other.path;
  return *this;
}

CoreWork CoreWork::scaled(double factor) const {
  CoreWork made = *this;
  for (double CoreWork::*field :
       {&CoreWork::multiplyAdds, &CoreWork::additions, &CoreWork::functions,
        &CoreWork::gathers, &CoreWork::loads, &CoreWork::stores,
        &CoreWork::scalars, &CoreWork::chain, &CoreWork::path})
    made.*field *= factor;
  return made;
}

double CoreWork::arithmetic() const {
  return std::max(std::max(multiplyAdds, additions) + functions + gathers,
                  divisions);
}

double CoreWork::nanoseconds() const {
  return std::max({arithmetic(), loads, stores, scalars});
}

/// How much longer a load waits for what several stores wrote, or one with a mask: a core
/// does not forward it, so it comes from the cache.
static constexpr double kUnforwarded = 3;

//===----------------------------------------------------------------------===//
// What an operation occupies
//===----------------------------------------------------------------------===//

namespace {
/// The rates of a core, in nanoseconds.
struct CoreRates {
  explicit CoreRates(const Device &device) : device(device) {
    constexpr double kGigaflops = 50, kGigabytes = 100; // where not known
    double flops = device.multiplyAddRate("f32");
    vectorBytes = double(device.vectorBytes());
    lineBytes = double(device.lineBytes);
    slot = vectorBytes / 2 / (flops > 0 ? flops : kGigaflops);
    cycle = cycleOf(device);
    double first =
        device.caches.empty() ? 0 : device.caches[0].coreGigabytesPerSecond;
    byte = 1 / (first > 0 ? first : kGigabytes);
  }

  /// An instruction on a vector of `bytes` bytes. A core begins at most two in a cycle,
  /// however short they are.
  [[nodiscard]] double onVector(double bytes) const {
    return std::max(
        {slot * bytes / vectorBytes, slot / 2, std::min(slot, cycle / 2)});
  }
  [[nodiscard]] double load(double bytes) const {
    return byte * std::max(bytes, vectorBytes / 2);
  }
  [[nodiscard]] double store(double bytes) const {
    return core().storeLoads * load(bytes);
  }
  [[nodiscard]] const Device::Core &core() const { return device.core; }
  /// Of an element; `other` stands for a function that is not measured.
  [[nodiscard]] double function(StringRef name) const {
    constexpr double kGiga = 0.5;
    double rate = device.functionRate(name);
    return 1 / (rate > 0 ? rate : kGiga);
  }

  /// A maximum: with comparisons for NaN and for the sign of zero.
  [[nodiscard]] double maximumSlots() const {
    constexpr double kSlots = 3; // where not known
    double rate = device.functionRate("maximum");
    return rate > 0 ? vectorBytes / 4 / rate / slot : kSlots;
  }

  /// A product of two tiles of the matrix unit, of 16 rows of 64 bytes.
  [[nodiscard]] double tileProduct(bool isFloat) const {
    constexpr double kSlots = 32; // where not known: 16 cycles
    double perWord = isFloat ? 2 : 4,
           operations = 2 * kTileRows * kTileWords * kTileWords * perWord;
    double rate =
        device.multiplyAddRate(isFloat ? "bf16" : "i8", Device::Unit::Matrix);
    return rate > 0 ? operations / rate : kSlots * slot;
  }

  /// Of a vector of f32.
  [[nodiscard]] double cyclesOf(StringRef name) const {
    return function(name) * vectorBytes / 4 / cycle;
  }

  const Device &device;
  double vectorBytes, lineBytes, slot, cycle, byte;
};
} // namespace

/// Whether LLVM multiplies instead: the divisor is a power of two.
static bool isProduct(Operation &op) {
  APFloat divisor(0.0);
  return isa<arith::DivFOp>(op) &&
         matchPattern(op.getOperand(1), m_ConstantFloat(&divisor)) &&
         divisor.getExactInverse(nullptr);
}

/// The function of a device that takes as long as the operation, and how much of it;
/// empty for an operation that takes a slot or none.
static std::pair<StringRef, double> functionOf(Operation &op) {
  if (isa<arith::DivFOp>(op))
    return isProduct(op) ? std::pair<StringRef, double>("", 0)
                         : std::pair<StringRef, double>("division", 1);
  if (isa<arith::RemFOp>(op))
    return {"power", 1};
  if (isa<complex::DivOp>(op))
    return {"division", 4};
  if (isa<complex::ComplexDialect>(op.getDialect()))
    return {"", 0};
  if (!isa<math::MathDialect>(op.getDialect()))
    return {"", 0};
  StringRef name = op.getName().stripDialect();
  return llvm::StringSwitch<std::pair<StringRef, double>>(name)
      .Cases({"absf", "absi", "fma", "ceil", "floor", "round", "roundeven",
              "trunc", "copysign", "ctpop", "ctlz", "cttz", "isfinite", "isinf",
              "isnan"},
             {"", 0})
      .Case("expm1", {"exp", 1.5})
      .Cases({"exp", "exp2"}, {"exp", 1})
      .Case("log1p", {"log", 1.5})
      .Cases({"log", "log2", "log10"}, {"log", 1})
      .Case("cos", {"sin", 1})
      .Case("powf", {"power", 1})
      .Cases({"sqrt", "rsqrt", "tanh", "erf", "sin"}, {name, 1})
      .Default({"power", 1});
}

static unsigned bitsOf(Type type) {
  type = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bitsOf(complex.getElementType());
  return type.isIndex()        ? 64
         : type.isIntOrFloat() ? type.getIntOrFloatBitWidth()
                               : 64;
}

/// Whether the block of a rest has the quotient of the same two numbers.
static bool hasQuotient(Operation &rest) {
  return llvm::any_of(rest.getOperand(0).getUsers(), [&](Operation *other) {
    return isa<arith::DivUIOp, arith::DivSIOp>(other) &&
           other->getBlock() == rest.getBlock() &&
           other->getOperand(0) == rest.getOperand(0) &&
           getAsOpFoldResult(other->getOperand(1)) ==
               getAsOpFoldResult(rest.getOperand(1));
  });
}

/// Slots of an element-wise operation, without functions: of the instructions that
/// LLVM makes of it.
static double slotsOf(Operation &op, const CoreRates &rates) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    if (!matchPattern(op.getOperand(1), m_Constant()))
      return rates.core().divisionSlots;
    // By a constant: a multiplication and shifts, and for a sign two more. A rest takes a
    // multiplication and a difference more, or these alone if there is a quotient.
    double quotient = isa<arith::DivSIOp, arith::RemSIOp>(op) ? 6 : 4;
    if (isa<arith::DivSIOp, arith::DivUIOp>(op))
      return quotient;
    return hasQuotient(op) ? 2 : quotient + 2;
  }
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op))
    return rates.maximumSlots();
  if (isa<arith::TruncFOp>(op))
    return bitsOf(op.getOperand(0).getType()) > 32 ? 1 : 4;
  if (isa<complex::MulOp>(op))
    return 8;
  if (isa<math::RoundOp>(op))
    return 4;
  return 1;
}

static bool isMultiplication(Operation &op) {
  return isa<arith::MulFOp, math::FmaOp, vector::FMAOp, arith::MulIOp>(op) ||
         isProduct(op);
}

/// How long a chain waits for the result, in cycles.
static double latencyOf(Operation &op, const CoreRates &rates) {
  const Device::Core &core = rates.core();
  if (auto [name, factor] = functionOf(op); factor > 0) {
    // A short one is a chain; a long one has parts side by side.
    return std::min(core.functionWaits * factor * rates.cyclesOf(name),
                    core.functionMostCycles);
  }
  if (isa<vector::FMAOp, math::FmaOp, arith::MulFOp>(op))
    return core.multiplyAddCycles;
  // TDPBF16PS and TDPBSSD, in Intel's manual on optimization.
  constexpr double kTileCycles = 52;
  if (isa<amx::TileMulFOp, amx::TileMulIOp>(op))
    return kTileCycles;
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return core.addCycles;
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return core.maximumCycles;
  if (isa<arith::MulIOp>(op))
    return core.multiplyCycles;
  return isa<arith::ArithDialect>(op.getDialect()) ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

namespace {
class TreeBuilder {
public:
  TreeBuilder(LoopTree &tree, const Device &device)
      : tree(tree), rates(device) {}

  std::vector<LoopNode> block(Block &block, double lanes);

private:
  void loop(scf::ForOp op, std::vector<LoopNode> &nodes);
  bool tryWhole(scf::ForOp op, const LinearNumber &lower, double step,
                double count, double lanes, std::vector<LoopNode> &nodes);
  void bindSearch(scf::ForOp op);
  bool isDecidedBy(uint64_t loops);
  void segment(scf::ForOp op, const LinearNumber &lower, double step,
               double first, double count, double total, double lanes,
               std::vector<LoopNode> &nodes);
  void branch(scf::IfOp op, double lanes, std::vector<LoopNode> &nodes);
  uint64_t loopsThatDecide(mlir::Value condition);
  void alternative(Block &block, double share, double lanes,
                   std::vector<LoopNode> &nodes);
  void work(Operation &op, double lanes, LoopNode &leaf);
  void access(Operation &op, mlir::Value buffer, ValueRange indices, Type type,
              bool isWrite, double lanes, LoopNode &leaf, double beyond = 0);
  void tile(Operation &op, LoopNode &leaf);
  void elementwise(Operation &op, double lanes, LoopNode &leaf);
  double lanesOf(scf::ForOp op, double count);
  bool mayOverlap(scf::ForOp op) const;
  bool isKept(mlir::Value root);
  bool isOwnVector(mlir::Value root) const;
  double chainOf(scf::ForOp op);
  double combineTime(scf::ForOp op, double count, double lanes);
  double pathBetween(Block &block, mlir::Value root);
  double pathThrough(Block &block) const;
  [[nodiscard]] bool waitsForItself(const LoopNode &node) const;
  bool dependsOn(scf::ForOp op);
  bool isHoisted(Operation &op);
  bool canHoist(Operation &op, scf::ForOp loop);
  void addChains(Block &block, LoopNode &leaf);

  /// What follows from the operations of a block alone. A block is built several
  /// times if its loop has segments.
  struct Facts {
    double path = 0;        ///< pathThrough
    bool movesOnly = false; ///< it loads and stores, and computes nothing
  };
  const Facts &factsOf(Block &block);

  llvm::DenseMap<Block *, Facts> facts;
  llvm::DenseMap<Operation *, bool> depends; ///< dependsOn
  llvm::DenseMap<mlir::Value, bool> kept;    ///< isKept
  LoopTree &tree;
  CoreRates rates;
  Numbers numbers;
  llvm::SmallDenseSet<mlir::Value> hoisted;
  double hoistedTime = 0; ///< of what LLVM computes before the current loop
  unsigned depth = 0;     ///< of segmented loops
  unsigned innermost = 0;
  unsigned branches = 0; ///< around the current block
  /// In a branch that is taken if there is one of many, and the loop around it.
  bool isOneOf = false;
  unsigned aroundOneOf = 0;
  unsigned parallel = 0;         ///< loops around it whose iterations are parts
  unsigned nested = 0;           ///< loops around it
  std::vector<scf::ForOp> whole; ///< loops that are tried without segments
  uint64_t tried = 0;            ///< their bits
  uint64_t refuted = 0;          ///< of those, whose iterations are not alike
};
} // namespace

/// Whether the value is combined by a function whose terms may be in any order.
static bool isOrderless(mlir::Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(op) ||
         (op && value.getType().isIntOrIndex());
}

/// At an address, or so many elements beyond it.
void TreeBuilder::access(Operation &op, mlir::Value buffer, ValueRange indices,
                         Type type, bool isWrite, double lanes, LoopNode &leaf,
                         double beyond) {
  auto memory = cast<MemRefType>(buffer.getType());
  double element = double(elementBytes(memory.getElementType()));
  double count = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    count = double(vector.getNumElements());
  LoopAccess made{.root = numbers.placeOf(buffer).root,
                  .bytes = count * element,
                  .isWrite = isWrite};
  auto root = dyn_cast<MemRefType>(made.root.getType());
  made.rootBytes = root && root.hasStaticShape() && root.getRank() > 0
                       ? double(root.getNumElements()) *
                             double(elementBytes(root.getElementType()))
                       : HUGE_VAL;
  std::optional<LinearNumber> address = numbers.addressOf(buffer, indices);
  made.isRandom = !address || address->isRandom;
  double inner = 0; ///< bytes to the next lane
  if (address) {
    made.offset = (address->constant + beyond) * element;
    for (auto [loop, factor] : address->terms) {
      made.strides.push_back({loop, factor * element});
      if (loop == innermost)
        inner = factor * element;
    }
  }
  if (!isWrite && address && type.isIntOrIndex()) {
    numbers.bind(op.getResult(0), numbers.randomAt(*address));
    leaf.loadsNumbers = true;
  }
  leaf.instructions += 1 / lanes;
  // A vector of ours may lie in two lines. LLVM begins its vectors at a line.
  bool crosses = isa<VectorType>(type) && address &&
                 made.bytes >= rates.lineBytes &&
                 (std::fmod(made.offset, rates.lineBytes) != 0 ||
                  llvm::any_of(made.strides, [&](const LoopStride &stride) {
                    return std::fmod(stride.second, rates.lineBytes) != 0;
                  }));
  if (auto store = dyn_cast<memref::StoreOp>(op))
    made.isOrderless = branches == 0 && isOrderless(store.getValue());
  made.cost = (isWrite ? rates.store(made.bytes * lanes)
                       : rates.load(made.bytes * lanes)) /
              lanes;
  made.isSplit = crosses;
  leaf.accesses.push_back(made);
  CoreWork &work = leaf.work;
  if (lanes > 1 && address && inner == 0) {
    // The same for all lanes: LLVM loads it before the loop.
    if (isWrite)
      work.stores += rates.store(element) / lanes;
    return;
  }
  bool isGather = lanes > 1 && (!address || std::abs(inner) != element);
  if (isGather && !isWrite)
    work.gathers += rates.function("gather");
  else if (isGather)
    work.stores += rates.store(element);
  else if (isWrite)
    work.stores += (crosses ? rates.core().storeOverLines : 1) *
                   rates.store(made.bytes * lanes) / lanes;
  else
    work.loads += (crosses ? rates.core().loadOverLines : 1) *
                  rates.load(made.bytes * lanes) / lanes;
}

/// An operation on tiles of the matrix unit.
void TreeBuilder::tile(Operation &op, LoopNode &leaf) {
  leaf.instructions += 1;
  auto rows = [&](mlir::Value buffer, ValueRange indices, mlir::Value stride,
                  bool isWrite) {
    constexpr int64_t kRowBytes = 64;
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    auto row = VectorType::get({kRowBytes / elementBytes(element)}, element);
    auto step = double(getConstantIntValue(stride).value_or(kTileWords));
    for (int64_t i = 0; i < kTileRows; ++i)
      access(op, buffer, indices, row, isWrite, 1, leaf, double(i) * step);
  };
  if (auto load = dyn_cast<amx::TileLoadOp>(op))
    rows(load.getBase(), load.getIndices(), load.getStride(), false);
  else if (auto store = dyn_cast<amx::TileStoreOp>(op))
    rows(store.getBase(), store.getIndices(), store.getStride(), true);
  else if (isa<amx::TileMulFOp, amx::TileMulIOp>(op))
    leaf.work.multiplyAdds += rates.tileProduct(isa<amx::TileMulFOp>(op));
}

void TreeBuilder::elementwise(Operation &op, double lanes, LoopNode &leaf) {
  Type type = op.getResult(0).getType();
  double bits = bitsOf(type);
  for (mlir::Value operand : op.getOperands())
    if (bitsOf(operand.getType()) > bits)
      bits = bitsOf(operand.getType());
  auto vector = dyn_cast<VectorType>(type);
  double count = vector ? double(vector.getNumElements()) : 1;
  double bytes = count * bits / 8 * lanes;
  CoreWork &work = leaf.work;
  // Some instructions of a maximum take longer than a slot.
  constexpr double kOfAMaximum = 6;
  bool isMaximum = isa<arith::MaximumFOp, arith::MinimumFOp>(op);
  leaf.instructions += (isMaximum ? kOfAMaximum : slotsOf(op, rates)) / lanes;
  if (auto [name, factor] = functionOf(op); factor > 0) {
    constexpr double kInCycle = 2;
    leaf.instructions += kInCycle * factor * rates.cyclesOf(name) / lanes;
    double width = std::max(1.0, bits / 32);
    // An element alone takes as long as a vector.
    double alone = vector || lanes > 1 ? 1 : rates.vectorBytes / 4;
    bool divides = name == "division" || name.ends_with("sqrt");
    (divides ? work.divisions : work.functions) +=
        rates.function(name) * factor * count * width * alone;
    return;
  }
  double ns = slotsOf(op, rates) * rates.onVector(bytes) / lanes;
  (isMultiplication(op) ? work.multiplyAdds : work.additions) += ns;
  if (!vector && lanes == 1) {
    // The comparison of a maximum makes a mask first.
    constexpr double kOfMaximum = 20;
    work.scalars += (isMaximum ? kOfMaximum : slotsOf(op, rates)) *
                    rates.cycle / rates.core().scalarsPerCycle;
  }
}

/// Whether nothing in the loop writes what the load reads. The part of a loop for a
/// thread has its buffers from memory: there, LLVM asks before the loop, but does not
/// know of indices.
bool TreeBuilder::canHoist(Operation &op, scf::ForOp loop) {
  auto load = dyn_cast<memref::LoadOp>(op);
  return load && (parallel == 0 || isa<FloatType>(load.getType())) &&
         llvm::none_of(loop.getBody()->getOps<memref::StoreOp>(),
                       [&](memref::StoreOp store) {
                         return numbers.placeOf(store.getMemRef()).root ==
                                numbers.placeOf(load.getMemRef()).root;
                       });
}

/// Whether the operation is the same in all iterations of the loop that it is in, so
/// that LLVM computes it before the loop.
bool TreeBuilder::isHoisted(Operation &op) {
  auto loop = dyn_cast<scf::ForOp>(op.getParentOp());
  if (!loop || op.getNumResults() != 1 ||
      !(isMemoryEffectFree(&op) || canHoist(op, loop)) ||
      !llvm::all_of(op.getOperands(), [&](mlir::Value operand) {
        return loop.isDefinedOutsideOfLoop(operand) ||
               hoisted.contains(operand) || matchPattern(operand, m_Constant());
      }))
    return false;
  hoisted.insert(op.getResult(0));
  // Its number is that of the loops around.
  if (auto load = dyn_cast<memref::LoadOp>(op);
      load && load.getType().isIntOrIndex())
    if (auto address = numbers.addressOf(load.getMemRef(), load.getIndices()))
      numbers.bind(op.getResult(0), numbers.randomAt(*address));
  return true;
}

void TreeBuilder::work(Operation &op, double lanes, LoopNode &leaf) {
  numbers.evaluate(op);
  if (isOpTriviallyDead(&op))
    return;
  if (lanes > 1 && isHoisted(op)) {
    LoopNode once;
    if (isa<FloatType>(op.getResult(0).getType()) &&
        isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
        !matchPattern(&op, m_Constant()))
      elementwise(op, 1, once);
    hoistedTime += once.work.functions + once.work.divisions;
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return access(op, load.getMemRef(), load.getIndices(), load.getType(),
                  false, lanes, leaf);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return access(op, store.getMemRef(), store.getIndices(),
                  store.getValue().getType(), true, lanes, leaf);
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    // Elements that were stored one by one.
    if (mlir::Value root = numbers.placeOf(load.getBase()).root;
        isOwnVector(root) && !isKept(root))
      leaf.stall += kUnforwarded * rates.core().storeCycles * rates.cycle;
    return access(op, load.getBase(), load.getIndices(), load.getType(), false,
                  lanes, leaf);
  }
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return access(op, load.getBase(), load.getIndices(), load.getType(), false,
                  lanes, leaf);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return access(op, store.getBase(), store.getIndices(),
                  store.getValueToStore().getType(), true, lanes, leaf);
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return access(op, store.getBase(), store.getIndices(),
                  store.getValueToStore().getType(), true, lanes, leaf);
  if (isa<amx::AMXDialect>(op.getDialect()))
    return tile(op, leaf);
  CoreWork &work = leaf.work;
  if (isa<vector::FMAOp>(op)) {
    auto type = cast<VectorType>(op.getResult(0).getType());
    work.multiplyAdds +=
        rates.onVector(double(type.getNumElements()) * bitsOf(type) / 8);
    leaf.instructions += 1;
    return;
  }
  if (isa<LLVM::CallIntrinsicOp>(op)) { // a product of pairs
    work.multiplyAdds += rates.slot;
    return;
  }
  if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
    double lanes = reduction.getSourceVectorType().getNumElements();
    double steps = std::ceil(std::log2(std::max(2.0, lanes)));
    work.additions += (1 + rates.core().shuffleSlots) * steps * rates.slot;
    return;
  }
  if (isa<vector::VectorDialect>(op.getDialect())) {
    // A broadcast of what is loaded is part of the load.
    if (isa<vector::ShuffleOp, vector::InterleaveOp, vector::DeinterleaveOp>(
            op))
      work.additions += rates.core().shuffleSlots * rates.slot;
    leaf.instructions += 1;
    return;
  }
  if (op.getNumResults() != 1 || matchPattern(&op, m_Constant()))
    return;
  // A division of the variable of a loop has no simpler form.
  if (isa<arith::DivUIOp, arith::RemUIOp>(op) && lanes == 1 &&
      innermost < tree.iterations.size())
    if (auto number = numbers.find(op.getOperand(0));
        number && llvm::any_of(number->terms, [&](const auto &term) {
          return term.first == innermost;
        })) {
      double slots = slotsOf(op, rates);
      leaf.instructions += slots;
      work.scalars += slots * rates.cycle / rates.core().scalarsPerCycle;
    }
  // Addresses are computed beside everything else.
  auto number = numbers.find(op.getResult(0));
  if (number && !number->isRandom)
    return;
  if (isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(
          op.getDialect()))
    elementwise(op, lanes, leaf);
}

/// Whether the value is the same in all iterations of the loop.
static bool isSameIn(scf::ForOp loop, mlir::Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return false;
  auto isSame = [&](mlir::Value operand) { return isSameIn(loop, operand); };
  // LLVM asks one of two conditions before the loop, too.
  return isa<arith::AndIOp>(op) ? llvm::any_of(op->getOperands(), isSame)
                                : llvm::all_of(op->getOperands(), isSame);
}

/// Whether the operation does something where its condition does not hold, too.
static bool hasAlternative(scf::IfOp op) {
  return op.elseBlock() && !op.elseBlock()->without_terminator().empty();
}

/// Whether the number moves with the iterations of the loop, by what is known of it.
static bool movesWith(scf::ForOp loop, mlir::Value value, unsigned depth = 0) {
  constexpr unsigned kMostDepth = 16;
  if (value == loop.getInductionVar())
    return true;
  if (loop.isDefinedOutsideOfLoop(value) || depth > kMostDepth)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto inner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return inner && value == inner.getInductionVar() &&
           movesWith(loop, inner.getLowerBound(), depth + 1);
  }
  Operation *op = value.getDefiningOp();
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
           return movesWith(loop, operand, depth + 1);
         });
}

/// Whether the condition compares the variable of a loop with a number that is the same
/// in all iterations. LLVM makes two loops of it, without branches.
static bool dividesLoop(mlir::Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  auto variable = dyn_cast<BlockArgument>(compare.getLhs());
  auto loop = variable
                  ? dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && variable == loop.getInductionVar() &&
         (loop.isDefinedOutsideOfLoop(compare.getRhs()) ||
          matchPattern(compare.getRhs(), m_Constant()));
}

/// Whether the branch is a mask of the vectors that LLVM makes of the loop around it:
/// its other terms change nothing.
static bool isMaskOfLoop(scf::IfOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  return loop && compare && isMasked(loop) &&
         compare.getLhs() == loop.getInductionVar() &&
         dividesLoop(op.getCondition());
}

/// Whether what is inside the loop depends on its iteration: a bound of a loop, or a
/// condition.
bool TreeBuilder::dependsOn(scf::ForOp op) {
  auto [known, isNew] = depends.try_emplace(op, false);
  if (!isNew)
    return known->second;
  auto result = op.getBody()->walk([&](Operation *inner) {
    SmallVector<mlir::Value, 2> deciding;
    if (auto loop = dyn_cast<scf::ForOp>(inner))
      deciding = {loop.getLowerBound(), loop.getUpperBound()};
    if (auto branch = dyn_cast<scf::IfOp>(inner);
        branch && !isMaskOfLoop(branch))
      deciding = {branch.getCondition()};
    return llvm::any_of(deciding,
                        [&](mlir::Value each) { return movesWith(op, each); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return known->second = result.wasInterrupted();
}

/// Whether LLVM has to ask if buffers of the loop overlap, in a part, whose buffers come
/// from memory. It does not for a short loop, which then has no vectors.
bool TreeBuilder::mayOverlap(scf::ForOp op) const {
  llvm::SmallDenseSet<mlir::Value> roots;
  bool stores = false;
  op.getBody()->walk([&](Operation *inner) {
    mlir::Value buffer;
    if (auto load = dyn_cast<memref::LoadOp>(inner))
      buffer = load.getMemRef();
    if (auto store = dyn_cast<memref::StoreOp>(inner))
      buffer = store.getMemRef();
    if (!buffer)
      return;
    mlir::Value root = numbers.placeOf(buffer).root;
    if (root.getDefiningOp<memref::AllocaOp>())
      return;
    stores |= isa<memref::StoreOp>(inner);
    roots.insert(root);
  });
  return stores && roots.size() > 1;
}

/// Whether the last vector that LLVM makes of the loop has a mask: it was asked to, or the
/// loop is shorter than what it makes a rest of.
static bool hasMask(scf::ForOp op) {
  if (isMasked(op))
    return true;
  constexpr uint64_t kShort = 16;
  auto lower = getConstantIntValue(op.getLowerBound()),
       upper = getConstantIntValue(op.getUpperBound()),
       step = getConstantIntValue(op.getStep());
  if (!lower || !upper || step != 1 || *upper <= *lower)
    return false;
  auto count = uint64_t(*upper - *lower);
  return count < kShort && !llvm::isPowerOf2_64(count);
}

/// The elements of a vector that LLVM makes of a loop; 1: it makes none.
double TreeBuilder::lanesOf(scf::ForOp op, double count) {
  double bits = 8;
  bool isPlain = true;
  // Maxima may be taken in any order, sums of floats not.
  for (auto [init, handed] : llvm::zip(
           op.getInitArgs(), op.getBody()->getTerminator()->getOperands()))
    isPlain &= init.getType().isIntOrIndex() ||
               isa<MemRefType>(init.getType()) || isOrderless(handed);
  llvm::SmallVector<Operation *> all;
  for (Operation &inner : *op.getBody()) {
    auto branch = dyn_cast<scf::IfOp>(inner);
    // LLVM asks before the loop, or for each lane.
    if (branch &&
        (isMaskOfLoop(branch) ||
         (isSameIn(op, branch.getCondition()) && !hasAlternative(branch))))
      for (Operation &own : branch.thenBlock()->without_terminator())
        all.push_back(&own);
    else
      all.push_back(&inner);
  }
  for (Operation *each : all) {
    Operation &inner = *each;
    bool isKnown =
        isa<memref::LoadOp, memref::StoreOp, affine::AffineApplyOp,
            scf::YieldOp>(inner) ||
        isa<arith::ArithDialect, math::MathDialect>(inner.getDialect());
    isPlain &= isKnown;
    for (Type type : inner.getResultTypes())
      isPlain &= type.isIntOrIndexOrFloat();
    if (auto load = dyn_cast<memref::LoadOp>(inner))
      bits = std::max<double>(bits, bitsOf(load.getType()));
    if (auto store = dyn_cast<memref::StoreOp>(inner))
      bits = std::max<double>(bits, bitsOf(store.getValue().getType()));
  }
  constexpr double kShort = 16;
  // If a mask leaves out the last iteration alone, LLVM ends the loop before it.
  bool endsBefore =
      llvm::any_of(op.getBody()->getOps<scf::IfOp>(), [&](scf::IfOp branch) {
        auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
        return isMaskOfLoop(branch) &&
               getConstantIntValue(compare.getRhs()) == int64_t(count) - 1;
      });
  bool isAsked = parallel > 0 && ((count < kShort && !isMasked(op)) ||
                                  (count <= kShort && endsBefore));
  if (!isPlain || (isAsked && mayOverlap(op)))
    return 1;
  double lanes = rates.vectorBytes * 8 / bits;
  // With a mask, a vector may be longer than the loop.
  double longest = hasMask(op) ? 2 * count - 1 : count;
  while (lanes > 1 && lanes > longest)
    lanes /= 2;
  return lanes;
}

/// Whether the buffer is the kernel's own, and at most a vector.
bool TreeBuilder::isOwnVector(mlir::Value root) const {
  auto type = dyn_cast<MemRefType>(root.getType());
  return type && root.getDefiningOp<memref::AllocaOp>() &&
         type.hasStaticShape() &&
         double(type.getNumElements() * elementBytes(type.getElementType())) <=
             rates.vectorBytes;
}

/// Whether LLVM keeps a buffer in a register: it is a vector of the kernel's own, and
/// each loop over its elements is one vector without a mask.
bool TreeBuilder::isKept(mlir::Value root) {
  if (!isOwnVector(root))
    return false;
  auto [known, isNew] = kept.try_emplace(root, true);
  if (!isNew)
    return known->second;
  bool isWhole = true;
  SmallVector<mlir::Value> buffers = {root};
  while (!buffers.empty())
    for (Operation *user : buffers.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user)) {
        buffers.push_back(user->getResult(0));
        continue;
      }
      auto loop = user->getParentOfType<scf::ForOp>();
      auto moves = [&](mlir::Value index) { return movesWith(loop, index); };
      if (!isa<memref::LoadOp, memref::StoreOp>(user) || !loop ||
          llvm::none_of(user->getOperands(), moves))
        continue;
      auto lower = getConstantIntValue(loop.getLowerBound()),
           upper = getConstantIntValue(loop.getUpperBound());
      double count = lower && upper ? double(*upper - *lower) : 0;
      isWhole &= count == 1 || (count > 1 && lanesOf(loop, count) == count);
    }
  return kept[root] = isWhole;
}

/// Whether an iteration of the loop may read what one before it wrote.
bool TreeBuilder::waitsForItself(const LoopNode &node) const {
  auto moves = [&](const LoopAccess &access) {
    return llvm::any_of(access.strides, [&](const LoopStride &stride) {
      return int(stride.first) == node.loop;
    });
  };
  for (const LoopNode &leaf : node.inner) {
    // An index that is loaded in every iteration (canHoist).
    if (leaf.loadsNumbers && parallel > 0 &&
        llvm::any_of(leaf.accesses,
                     [](auto &access) { return access.isRandom; }))
      return true;
    for (const LoopAccess &write : leaf.accesses)
      if (write.isWrite && (llvm::any_of(leaf.accesses, [&](auto &read) {
            return !read.isWrite && read.root == write.root &&
                   (read.offset != write.offset ||
                    read.strides != write.strides ||
                    (!write.isOrderless && !moves(write)));
          })))
        return true;
  }
  return false;
}

namespace {
/// When the values of an iteration are there, in cycles after what it gets.
class Chain {
public:
  explicit Chain(const CoreRates &rates) : rates(rates) {}

  void begin(mlir::Value carried) { at[carried] = 0; }
  void follow(Block &block);
  /// -1: it does not depend on what the iteration gets.
  [[nodiscard]] double of(mlir::Value value) const {
    auto found = at.find(value);
    return found == at.end() ? -1 : found->second;
  }

private:
  void choose(scf::IfOp op);
  [[nodiscard]] double latencyOf(Operation &op);

  const CoreRates &rates;
  DenseMap<mlir::Value, double> at;
  llvm::SmallDenseSet<mlir::Value> fromMemory; ///< and what is computed of it
  llvm::SmallDenseSet<mlir::Value> guessed;    ///< conditions
};
} // namespace

double Chain::latencyOf(Operation &op) {
  const Device::Core &core = rates.core();
  // The iteration says where to read.
  if (isa<memref::LoadOp>(op))
    return core.loadCycles;
  if (isa<arith::CmpFOp>(op))
    return core.addCycles;
  // Data say where the next iteration reads: a branch, since LLVM does not wait for
  // them, and one that is guessed wrong every other time.
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && select.getType().isIndex() &&
      fromMemory.contains(select.getCondition()) &&
      guessed.insert(select.getCondition()).second)
    return 1 + core.missCycles / 2;
  return ::latencyOf(op, rates);
}

void Chain::choose(scf::IfOp op) {
  double condition = of(op.getCondition());
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()})
    for (Block &block : *region) {
      follow(block);
      for (auto [result, handed] :
           llvm::zip(op.getResults(), block.getTerminator()->getOperands())) {
        double own = std::max({condition, of(handed), of(result)});
        if (own >= 0)
          at[result] = own;
        if (fromMemory.contains(handed))
          fromMemory.insert(result);
      }
    }
}

void Chain::follow(Block &block) {
  for (Operation &op : block) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      choose(branch);
      continue;
    }
    double before = -1;
    bool isData = isa<memref::LoadOp>(op);
    for (mlir::Value operand : op.getOperands()) {
      before = std::max(before, of(operand));
      isData |= fromMemory.contains(operand);
    }
    if (before < 0)
      continue;
    double own = latencyOf(op);
    for (mlir::Value result : op.getResults()) {
      at[result] = before + own;
      if (isData)
        fromMemory.insert(result);
    }
  }
}

/// The longest chain from what an iteration gets to what it hands on.
double TreeBuilder::chainOf(scf::ForOp op) {
  Chain chain(rates);
  bool hasNumbers = false;
  for (mlir::Value carried : op.getRegionIterArgs())
    if (!isa<MemRefType>(carried.getType())) {
      chain.begin(carried);
      hasNumbers = true;
    }
  if (!hasNumbers)
    return 0;
  chain.follow(*op.getBody());
  double longest = 0;
  for (mlir::Value handed : op.getBody()->getTerminator()->getOperands())
    longest = std::max(longest, chain.of(handed));
  return longest * rates.cycle;
}

/// To combine the lanes of what a loop hands on, or stores where the loop does not
/// move, with the elements that are left of the last vector: each waits for the one
/// before.
double TreeBuilder::combineTime(scf::ForOp op, double count, double lanes) {
  const Device::Core &core = rates.core();
  SmallVector<mlir::Value> made(op.getBody()->getTerminator()->getOperands());
  for (auto store : op.getBody()->getOps<memref::StoreOp>())
    if (llvm::none_of(store.getIndices(),
                      [&](mlir::Value index) { return movesWith(op, index); }))
      made.push_back(store.getValue());
  double longest = 0;
  for (mlir::Value each : made)
    if (Operation *last = each.getDefiningOp();
        last && !isa<MemRefType>(each.getType()))
      longest = std::max(longest, latencyOf(*last, rates));
  double rest = hasMask(op) ? 0 : std::fmod(count, lanes), half = lanes / 2;
  double cycles = core.combineCycles +
                  std::log2(lanes) * std::max(0.0, longest - core.addCycles) +
                  (rest >= half ? rest - half : rest) * longest;
  return cycles * rates.cycle;
}

void TreeBuilder::segment(scf::ForOp op, const LinearNumber &lower, double step,
                          double first, double count, double total,
                          double lanes, std::vector<LoopNode> &nodes) {
  if (count <= 0)
    return;
  // Of two in the middle, the later one in the first half of the loop: so the samples are
  // not too early on average.
  bool isEarly = first + count / 2 < total / 2;
  double sample = isEarly ? std::floor(count / 2) : std::floor((count - 1) / 2);
  unsigned number = numbers.addLoop(sample, count, nested);
  tree.iterations.push_back(count);
  LinearNumber iteration = lower;
  iteration.constant += step * first;
  iteration.terms.push_back({number, step});
  numbers.bind(op.getInductionVar(), iteration);
  constexpr double kUnrolled = 4, kShort = 8;
  unsigned before = std::exchange(innermost, number);
  LoopNode node{.loop = int(number),
                .iterations = count,
                .isParallel = op->hasAttr(kParallel)};
  for (auto [carried, init] :
       llvm::zip(op.getRegionIterArgs(), op.getInitArgs()))
    if (isa<MemRefType>(init.getType()))
      numbers.bind(carried, numbers.placeOf(init));
  parallel += node.isParallel;
  ++nested;
  double hoistedAround = std::exchange(hoistedTime, 0);
  node.inner = block(*op.getBody(), lanes);
  if (lanes > 1 && refuted == 0 && waitsForItself(node)) {
    lanes = 1;
    hoistedTime = 0;
    node.inner = block(*op.getBody(), lanes);
  }
  parallel -= node.isParallel;
  --nested;
  innermost = before;
  double chain = lanes > 1 ? 0 : chainOf(op);
  for (LoopNode &leaf : node.inner)
    if (leaf.loop < 0 && chain > 0) {
      leaf.work.chain += chain;
      chain = 0;
    }
  // A short loop has no branch: LLVM writes its iterations one after the other, and
  // several vectors at a time.
  bool isShort = count <= std::max(kShort, lanes) && !dependsOn(op);
  node.overhead = isShort     ? 0
                  : lanes > 1 ? rates.cycle / (lanes * kUnrolled)
                              : rates.cycle;
  // The number of the iteration, and the branch.
  constexpr double kOfIteration = 2;
  if (lanes == 1 && !isShort)
    for (LoopNode &leaf : node.inner)
      leaf.instructions += kOfIteration;
  if (lanes > 1) {
    // Half a vector or more of the rest is a vector; else each element is alone.
    constexpr double kAlone = 0.6;
    double rest = std::fmod(count, lanes), half = lanes / 2;
    double vectors = hasMask(op)
                         ? std::ceil(count / lanes)
                         : std::floor(count / lanes) + (rest >= half ? 1 : 0) +
                               kAlone * (rest >= half ? rest - half : rest);
    for (LoopNode &leaf : node.inner) {
      // What only moves is a copy of the C library.
      if (leaf.work.arithmetic() == leaf.work.gathers)
        continue;
      double gathers = leaf.work.gathers;
      leaf.work = leaf.work.scaled(vectors * lanes / count);
      leaf.work.gathers = gathers;
    }
  }
  // Whether buffers overlap is asked before the loop.
  if (lanes > 1 && !isShort)
    node.entry = rates.cycle * rates.core().loopCycles;
  bool combines = llvm::any_of(op.getInitArgs(), [](mlir::Value init) {
    return !isa<MemRefType>(init.getType());
  });
  for (const LoopNode &leaf : node.inner)
    combines |= llvm::any_of(leaf.accesses, [&](const LoopAccess &access) {
      return access.isOrderless &&
             llvm::none_of(access.strides, [&](const LoopStride &stride) {
               return int(stride.first) == node.loop;
             });
    });
  if (lanes > 1 && combines)
    node.entry += combineTime(op, count, lanes);
  node.entry += std::exchange(hoistedTime, hoistedAround);
  node.parts = double(partsBefore(op).value_or(int64_t(total)));
  node.isFirst = first == 0;
  nodes.push_back(std::move(node));
}

/// Notes loops that were tried as a whole, and decide a bound or a condition.
bool TreeBuilder::isDecidedBy(uint64_t loops) {
  refuted |= loops & tried;
  return refuted != 0;
}

/// Adds the loop in one piece if its iterations are alike: the bounds and conditions
/// inside may be written with its variable, but are the same for all of them.
///
///   scf.for %i = 0 to 64 step 16              the rest of a tile: there is none
///     %end = arith.minsi %i + 16, %c64
///     scf.for %j = %i to %end
bool TreeBuilder::tryWhole(scf::ForOp op, const LinearNumber &lower,
                           double step, double count, double lanes,
                           std::vector<LoopNode> &nodes) {
  constexpr unsigned kMostLoops = 63;
  if (nested >= kMostLoops)
    return false;
  uint64_t bit = Numbers::bitOf(nested);
  size_t before = nodes.size();
  bool wasKnown = tree.isKnown;
  whole.push_back(op);
  tried |= bit;
  segment(op, lower, step, 0, count, count, lanes, nodes);
  tried &= ~bit;
  whole.pop_back();
  if ((refuted & bit) == 0)
    return true;
  refuted &= ~bit;
  nodes.erase(nodes.begin() + ptrdiff_t(before), nodes.end());
  tree.isKnown = wasKnown;
  return false;
}

/// Gives numbers to the results of a binary search: a loop whose two results are the ends
/// of the interval that is left.
void TreeBuilder::bindSearch(scf::ForOp op) {
  auto isIndex = [](mlir::Value value) { return value.getType().isIndex(); };
  if (op.getNumResults() != 2 || !llvm::all_of(op.getResults(), isIndex))
    return;
  auto low = numbers.find(op.getInitArgs()[0]),
       high = numbers.find(op.getInitArgs()[1]);
  if (!low || !high || low->isRandom || high->isRandom)
    return;
  for (mlir::Value result : op.getResults())
    numbers.bind(result, numbers.middleOf(*low, *high));
}

void TreeBuilder::loop(scf::ForOp op, std::vector<LoopNode> &nodes) {
  bindSearch(op);
  for (auto [result, init] : llvm::zip(op.getResults(), op.getInitArgs()))
    if (isa<MemRefType>(init.getType()))
      numbers.bind(result, numbers.placeOf(init));
  // What a mask excludes is most often not computed: its loop runs once.
  if (op->hasAttr(kEverything))
    return segment(op, {}, 1, 0, 1, 1, 1, nodes);
  auto lower = numbers.find(op.getLowerBound()),
       upper = numbers.find(op.getUpperBound()),
       by = numbers.find(op.getStep());
  if (!lower || !upper || !by || upper->isRandom || by->isRandom ||
      numbers.sampled(*by) <= 0) {
    tree.isKnown = false;
    return;
  }
  if (isDecidedBy(numbers.loopsOfDifference(*upper, *lower) |
                  numbers.loopsOf(*by)))
    return;
  double step = numbers.sampled(*by);
  double count =
      std::ceil((numbers.sampled(*upper) - numbers.sampled(*lower)) / step);
  double lanes = lanesOf(op, count);
  // Each iteration of few; else the last one, and a middle for each third.
  constexpr double kEach = 4;
  constexpr unsigned kMostDepth = 3;
  if (depth >= kMostDepth || count <= 1 || !dependsOn(op))
    return segment(op, *lower, step, 0, count, count, lanes, nodes);
  if (tryWhole(op, *lower, step, count, lanes, nodes) || refuted != 0)
    return;
  ++depth;
  if (count <= kEach) {
    for (double i = 0; i < count; ++i)
      segment(op, *lower, step, i, 1, count, lanes, nodes);
  } else {
    double rest = count - 1, first = 0;
    for (double part : {1, 2, 3}) {
      double end = std::round(rest * part / 3);
      segment(op, *lower, step, first, end - first, count, lanes, nodes);
      first = end;
    }
    segment(op, *lower, step, rest, 1, count, lanes, nodes);
  }
  --depth;
}

void TreeBuilder::alternative(Block &alternative, double share, double lanes,
                              std::vector<LoopNode> &nodes) {
  std::vector<LoopNode> inner = block(alternative, lanes);
  if (share == 1) {
    std::move(inner.begin(), inner.end(), std::back_inserter(nodes));
    return;
  }
  unsigned number = numbers.addLoop(0, 1, nested);
  tree.iterations.push_back(share);
  LoopNode node{.loop = int(number), .iterations = share};
  node.inner = std::move(inner);
  nodes.push_back(std::move(node));
}

/// The loops in whose other iterations a condition on data may be known: those that
/// decide a part of it.
uint64_t TreeBuilder::loopsThatDecide(mlir::Value condition) {
  if (auto number = numbers.find(condition))
    return numbers.loopsOf(*number);
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op))
    return loopsThatDecide(op->getOperand(0)) |
           loopsThatDecide(op->getOperand(1));
  // A comparison with data is one in every iteration.
  if (isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(op))
    return 0;
  return llvm::any_of(
             whole, [&](scf::ForOp loop) { return movesWith(loop, condition); })
             ? tried
             : 0;
}

void TreeBuilder::branch(scf::IfOp op, double lanes,
                         std::vector<LoopNode> &nodes) {
  auto condition = numbers.sampled(op.getCondition());
  uint64_t deciding =
      condition ? numbers.loopsOf(*numbers.find(op.getCondition())) : 0;
  if (!condition)
    deciding = loopsThatDecide(op.getCondition());
  if (isDecidedBy(deciding))
    return;
  bool isBranch = !(condition && dividesLoop(op.getCondition()));
  branches += isBranch;
  // A condition on data without an alternative is most often a check that holds. But
  // where a loop has asked whether there is one of many, one of them it is.
  bool asksForOne = op.getCondition().getDefiningOp<scf::ForOp>() != nullptr,
       decides = asksForOne || hasAlternative(op),
       isTheOne = !condition && !decides && isOneOf && innermost != aroundOneOf;
  double share = condition  ? (*condition != 0 ? 1 : 0)
                 : decides  ? 0.5
                 : isTheOne ? 1 / tree.iterations[innermost]
                            : 1;
  bool wasOneOf = std::exchange(isOneOf, asksForOne || (isOneOf && !isTheOne));
  unsigned wasAround =
      std::exchange(aroundOneOf, asksForOne ? innermost : aroundOneOf);
  if (share > 0)
    alternative(*op.thenBlock(), share, lanes, nodes);
  if (share < 1 && op.elseBlock())
    alternative(*op.elseBlock(), 1 - share, lanes, nodes);
  for (auto [result, handed] :
       llvm::zip(op.getResults(), op.thenYield().getOperands()))
    if (isa<MemRefType>(result.getType()))
      numbers.bind(result, numbers.placeOf(handed));
  branches -= isBranch;
  isOneOf = wasOneOf;
  aroundOneOf = wasAround;
}

/// A block that loads and stores, and computes nothing.
static bool movesOnly(Block &block) {
  bool stores = false;
  for (Operation &op : block) {
    if (op.getNumRegions() != 0)
      return false;
    stores |= isa<memref::StoreOp, vector::StoreOp, vector::MaskedStoreOp>(op);
    for (mlir::Value result : op.getResults())
      if (isa<FloatType>(getElementTypeOrSelf(result.getType())) &&
          !isa<memref::LoadOp, vector::LoadOp, vector::MaskedLoadOp,
               vector::ShuffleOp>(op) &&
          !matchPattern(&op, m_Constant()))
        return false;
  }
  return stores;
}

/// The longest path from the load of a buffer to a store to it, in nanoseconds; -1 if
/// there is none.
double TreeBuilder::pathBetween(Block &block, mlir::Value root) {
  DenseMap<mlir::Value, double> at;
  double longest = -1;
  for (Operation &op : block) {
    double before = -1;
    for (mlir::Value operand : op.getOperands())
      if (auto found = at.find(operand); found != at.end())
        before = std::max(before, found->second);
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && numbers.placeOf(load.getMemRef()).root == root)
      before = 0;
    if (before < 0)
      continue;
    auto store = dyn_cast<memref::StoreOp>(op);
    if (store && numbers.placeOf(store.getMemRef()).root == root)
      longest = std::max(longest, before);
    for (mlir::Value result : op.getResults())
      at[result] = before + latencyOf(op, rates);
  }
  return longest * rates.cycle;
}

/// The longest path from an operation of the block to another one, in nanoseconds.
double TreeBuilder::pathThrough(Block &block) const {
  DenseMap<mlir::Value, double> at;
  double longest = 0;
  for (Operation &op : block) {
    double before = 0;
    for (mlir::Value operand : op.getOperands())
      before = std::max(before, at.lookup(operand));
    double own = 0;
    if (op.getNumResults() == 1 && !op.getResult(0).getType().isIndex())
      own = latencyOf(op, rates);
    for (mlir::Value result : op.getResults())
      at[result] = before + own;
    longest = std::max(longest, before + own);
  }
  return longest * rates.cycle;
}

const TreeBuilder::Facts &TreeBuilder::factsOf(Block &block) {
  auto [known, isNew] = facts.try_emplace(&block);
  if (isNew)
    known->second = {pathThrough(block), ::movesOnly(block)};
  return known->second;
}

/// What is stored where it was loaded: the next load waits for the store.
void TreeBuilder::addChains(Block &block, LoopNode &leaf) {
  // From the store to the load, unless LLVM keeps the value in a register.
  const Device::Core &core = rates.core();
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  bool isMask = leaf.lanes > 1 && loop && hasMask(loop) &&
                std::fmod(tree.iterations[innermost], leaf.lanes) != 0;
  auto forwardingOf = [&](mlir::Value root) {
    if (isKept(root))
      return 0.0;
    return isMask                              ? kUnforwarded * core.storeCycles
           : branches > 0 || isOwnVector(root) ? core.storeCycles
                                               : 0;
  };
  constexpr size_t kMost = 32;
  if (leaf.accesses.size() > kMost)
    return;
  auto moves = [&](const LoopAccess &access) {
    return llvm::any_of(access.strides, [&](const LoopStride &stride) {
      return stride.first == innermost;
    });
  };
  for (LoopAccess &write : leaf.accesses) {
    auto read = llvm::find_if(leaf.accesses, [&](auto &read) {
      return !read.isWrite && read.root == write.root &&
             read.offset == write.offset && read.strides == write.strides;
    });
    if (!write.isWrite || read == leaf.accesses.end())
      continue;
    double forwarding = forwardingOf(write.root);
    if (forwarding == 0 && !moves(write)) {
      leaf.work.loads -= read->cost;
      leaf.work.stores -= write.cost;
      leaf.instructions -= 2 / leaf.lanes;
      if (leaf.lanes > 1)
        continue; // side by side
    }
    if (double path = pathBetween(block, write.root); path > 0) {
      write.chain = path + forwarding * rates.cycle;
      write.isSeen = forwarding > 0;
    }
  }
}

/// Whether a loop is one vector, without a branch.
static bool isOneVector(const LoopNode &node) {
  return node.loop >= 0 && node.overhead == 0 && node.inner.size() == 1 &&
         node.inner[0].loop < 0 && node.iterations <= node.inner[0].lanes;
}

std::vector<LoopNode> TreeBuilder::block(Block &block, double lanes) {
  std::vector<LoopNode> nodes;
  LoopNode leaf;
  leaf.lanes = lanes;
  for (Operation &op : block) {
    if (refuted != 0)
      break; // what is built is thrown away
    if (auto inner = dyn_cast<scf::ForOp>(op))
      loop(inner, nodes);
    else if (auto inner = dyn_cast<scf::IfOp>(op); inner && isMaskOfLoop(inner))
      for (Operation &own : inner.thenBlock()->without_terminator())
        work(own, lanes, leaf);
    else if (inner)
      branch(inner, lanes, nodes);
    else if (op.getNumRegions() != 0)
      tree.isKnown = false;
    else
      work(op, lanes, leaf);
  }
  addChains(block, leaf);
  const Facts &own = factsOf(block);
  leaf.work.path = own.path / lanes;
  // Numbers alone: they are computed beside the vector that follows.
  auto next = llvm::find_if(nodes, isOneVector);
  if (leaf.work.nanoseconds() == leaf.work.scalars && leaf.accesses.empty() &&
      next != nodes.end()) {
    LoopNode &vector = next->inner[0];
    vector.work.scalars += leaf.work.scalars / next->iterations;
    vector.instructions += leaf.instructions / next->iterations;
    leaf.work = {};
  }
  leaf.isPacking = own.movesOnly &&
                   llvm::all_of(leaf.accesses, [](const LoopAccess &access) {
                     return !access.isWrite || !isa<BlockArgument>(access.root);
                   });
  if (!leaf.accesses.empty() || leaf.work.nanoseconds() > 0)
    nodes.insert(nodes.begin(), std::move(leaf));
  return nodes;
}

double cpu::cycleOf(const Device &device) {
  constexpr double kGigahertz = 3; // where it is not known
  return 1 / (device.gigahertz > 0 ? device.gigahertz : kGigahertz);
}

LoopTree cpu::loopTreeOf(func::FuncOp kernel, const Device &device) {
  LoopTree tree;
  if (!llvm::hasSingleElement(kernel.getBody())) {
    tree.isKnown = false;
    return tree;
  }
  tree.nodes = TreeBuilder(tree, device).block(kernel.getBody().front(), 1);
  return tree;
}
