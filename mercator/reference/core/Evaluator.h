// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The evaluator: says what a program means, on concrete tensors: one of
/// StableHLO, or of linalg and what it becomes on the way to dispatches, or of
/// the operators of Ascend's Graph Engine.
///
///   Evaluator evaluator(module, allRules());          // AllRules.h
///   FailureOr<std::vector<Value>> results =
///       evaluator.call(main, {*Tensor::from(input, emitError)});
///   if (failed(results) && evaluator.isUnsupported()) ..
///
/// It is slow and obvious: each operation is a *rule*, a function that walks
/// over indices as the specification's text does (one file a family: see
/// AllRules.h). It is the oracle for everything else, so it shares no code with
/// what it judges. The rules come from outside: this folder knows no dialect of
/// the project.
///
/// Errors are MLIR diagnostics at the operation, and failure. A program cannot
/// take more than its limits: tensors (Tensor.h), calls within calls,
/// operations, and steps of the loops within them.
///
/// Source: the StableHLO specification, openxla.org/stablehlo/spec; for MLIR's
/// own dialects their definitions, mlir.llvm.org/docs/Dialects.

#ifndef MERCATOR_REFERENCE_CORE_EVALUATOR_H
#define MERCATOR_REFERENCE_CORE_EVALUATOR_H

#include "mercator/reference/core/Value.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/SaveAndRestore.h"

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>

namespace mercator::reference {

class Evaluator;
class ProcessGrid;

/// An operation that is being evaluated.
struct Step {
  mlir::Operation *op;
  llvm::ArrayRef<Value> operands;
  /// One for each result of the operation, to be filled.
  llvm::MutableArrayRef<Value> results;
  Evaluator &evaluator;
  /// Whether quantised operands have become the floats that they stand for, as
  /// results must be, too (see evaluateOnFloats).
  bool onFloats = false;

  /// Operand `i`. Requires: it is a tensor, as the verifier saw.
  [[nodiscard]] const Tensor &tensor(size_t i) const {
    return *operands[i].tensor();
  }
  /// Operands `begin`, `begin` + 1, ..
  [[nodiscard]] llvm::SmallVector<Tensor> tensors(size_t begin,
                                                  size_t count) const;

  /// A tensor of zeros for result `i`: its shape as declared. Fails where a
  /// dimension is not known: then the rule must find the shape itself.
  [[nodiscard]] llvm::FailureOr<Tensor> make(size_t i = 0) const;
  /// The same, whose shape the rule has found. Fails where that is not of the
  /// type declared.
  [[nodiscard]] llvm::FailureOr<Tensor>
  make(size_t i, llvm::ArrayRef<int64_t> shape) const;
  /// A tensor of any type. Where its size is over a limit, that is recorded.
  [[nodiscard]] llvm::FailureOr<Tensor>
  zeros(mlir::RankedTensorType type) const;
  /// The type of result `i` with a shape that the rule has found.
  [[nodiscard]] llvm::FailureOr<mlir::RankedTensorType>
  type(size_t i, llvm::ArrayRef<int64_t> shape) const;

  /// A tensor whose elements nobody has written (see Evaluator::Unwritten).
  [[nodiscard]] llvm::FailureOr<Tensor>
  unwritten(mlir::RankedTensorType type) const;

  /// The elements of a constant; made up where the text leaves them out and
  /// the evaluator knows how (see Evaluator::setFill).
  [[nodiscard]] llvm::FailureOr<Tensor>
  constant(mlir::ElementsAttr value) const;

  /// Fails unless the shape of `tensor` is `expected`. The verifier sees to
  /// that only where types are static.
  llvm::LogicalResult expectShape(llvm::StringRef what, const Tensor &tensor,
                                  llvm::ArrayRef<int64_t> expected) const;
  /// Counts the product of `extents` towards the element operations that a
  /// program may take; fails where that is too many. To be called before loops
  /// that are longer than the results, whose elements count in any case.
  llvm::LogicalResult charge(llvm::ArrayRef<int64_t> extents) const;

  /// An error at the operation: "expected .., got ..".
  [[nodiscard]] mlir::InFlightDiagnostic error() const;
  /// An error that says that this cannot be evaluated, and why.
  [[nodiscard]] llvm::LogicalResult unsupported(const llvm::Twine &why) const;
};

/// How one operation is evaluated.
using Rule = llvm::LogicalResult (*)(Step &step);

/// Evaluates an operation that is defined on quantised tensors as: dequantize
/// the operands, `rule`, quantize the results.
llvm::LogicalResult evaluateOnFloats(Step &step, Rule rule);

/// The rules of all operations, by the class of the operation.
class Rules {
public:
  /// rules.add<IotaOp, evaluateIota>(), where the function is
  /// LogicalResult evaluateIota(IotaOp op, Step &step).
  template <typename Op, llvm::LogicalResult (*function)(Op, Step &)>
  void add() {
    rules[mlir::TypeID::get<Op>()] = [](Step &step) -> llvm::LogicalResult {
      return function(llvm::cast<Op>(step.op), step);
    };
  }
  /// The same for an operation that evaluateOnFloats is for.
  template <typename Op, llvm::LogicalResult (*function)(Op, Step &)>
  void addOnFloats() {
    rules[mlir::TypeID::get<Op>()] = [](Step &step) -> llvm::LogicalResult {
      return evaluateOnFloats(step, [](Step &inner) -> llvm::LogicalResult {
        return function(llvm::cast<Op>(inner.op), inner);
      });
    };
  }
  /// Values of this type are held as tensors.
  template <typename T> void holdAsTensors() {
    heldAsTensors.insert(mlir::TypeID::get<T>());
  }
  /// The rule of all operations without one of their own that `is` holds for.
  void addWhere(bool (*is)(mlir::Operation *), Rule rule) {
    families.emplace_back(is, rule);
  }
  /// Null where there is none.
  [[nodiscard]] Rule find(mlir::Operation *op) const {
    std::optional<mlir::RegisteredOperationName> name = op->getRegisteredInfo();
    if (!name)
      return nullptr;
    if (Rule own = rules.lookup(name->getTypeID()))
      return own;
    for (auto [is, rule] : families)
      if (is(op))
        return rule;
    return nullptr;
  }

  /// Whether values of a type that is no tensor and no number are tensors.
  [[nodiscard]] bool areHeldAsTensors(mlir::Type type) const {
    return heldAsTensors.contains(type.getTypeID());
  }

private:
  llvm::DenseMap<mlir::TypeID, Rule> rules;
  llvm::DenseSet<mlir::TypeID> heldAsTensors;
  llvm::SmallVector<std::pair<bool (*)(mlir::Operation *), Rule>> families;
};

struct Limits {
  int64_t operations = 100'000'000;
  /// Some hours.
  int64_t elementOperations = 200'000'000'000;
  int calls = 400; // and regions, within one another
};

/// Evaluates the functions of a module, as one process of its program.
class Evaluator {
public:
  /// `rules` must outlive it.
  Evaluator(mlir::ModuleOp module, const Rules &rules, Limits limits = {});
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;
  ~Evaluator();

  /// Evaluates a function. Requires: as many arguments as it has parameters;
  /// of other types, that is an error.
  llvm::FailureOr<std::vector<Value>> call(mlir::func::FuncOp function,
                                           llvm::ArrayRef<Value> arguments,
                                           mlir::Operation *caller = nullptr);
  /// The same by name, seen from `from`; an error at `from` where there is no
  /// such function.
  llvm::FailureOr<std::vector<Value>> call(mlir::FlatSymbolRefAttr name,
                                           llvm::ArrayRef<Value> arguments,
                                           mlir::Operation *from);
  /// Evaluates a region of the operation being evaluated, or any isolated one,
  /// following its branches: the operands of the terminator that leaves it.
  /// Values from outside the region are seen.
  llvm::FailureOr<std::vector<Value>> region(mlir::Region &region,
                                             llvm::ArrayRef<Value> arguments);

  /// Evaluates a region alone: the only values from outside are `outside`.
  llvm::FailureOr<std::vector<Value>>
  isolated(mlir::Region &region, llvm::ArrayRef<Value> arguments,
           llvm::ArrayRef<std::pair<mlir::Value, Value>> outside);

  /// Evaluates one operation alone. `outside` are the values that its regions
  /// see from outside. Requires: room for each result; not called while the
  /// evaluator is at work.
  llvm::LogicalResult
  single(mlir::Operation *op, llvm::ArrayRef<Value> operands,
         llvm::MutableArrayRef<Value> results,
         llvm::ArrayRef<std::pair<mlir::Value, Value>> outside = {});

  /// The value of an SSA value of the function being evaluated; null where it
  /// has none (yet).
  [[nodiscard]] const Value *lookup(mlir::Value value) const;

  /// Whether a value is of a type, of which it may know more extents.
  [[nodiscard]] bool fits(const Value &value, mlir::Type type) const;
  /// An error at `at` unless the arguments are of these types.
  llvm::LogicalResult checkArguments(mlir::Operation *at,
                                     llvm::StringRef callee,
                                     llvm::ArrayRef<mlir::Type> types,
                                     llvm::ArrayRef<Value> arguments) const;

  [[nodiscard]] mlir::ModuleOp getModule() const { return module; }

  /// The checks of the program that held, and those that did not. Those are
  /// errors, too, but the program goes on.
  struct Checks {
    int64_t passed = 0, failed = 0;
  };
  [[nodiscard]] Checks getChecks() const { return checks; }
  void recordCheck(bool passed) { ++(passed ? checks.passed : checks.failed); }

  /// The grid of processes that it is one of; null where there is none.
  [[nodiscard]] ProcessGrid *getGrid() const { return grid; }
  [[nodiscard]] int64_t getProcess() const { return process; }
  /// Another one with the same settings, for a process of a grid.
  [[nodiscard]] std::unique_ptr<Evaluator> forProcess(ProcessGrid &grid,
                                                      int64_t process) const;
  /// Adds the checks of another one, and why it failed.
  void absorb(const Evaluator &other);

  /// How to make up the constants whose elements the text leaves out
  /// (`dense_resource<__elided__>`); without it, an operation that has one as
  /// an operand is an error. It must give the same for one operation each time.
  using Fill = std::function<llvm::FailureOr<Tensor>(
      mlir::Operation *, mlir::RankedTensorType, EmitError)>;
  void setFill(Fill function) { fill = std::move(function); }
  [[nodiscard]] const Fill &getFill() const { return fill; }

  /// Takes what the program shows: `interpreter.print` without a name,
  /// `interpreter.probe` with its own. Without it, nothing is shown.
  using Show = std::function<void(llvm::StringRef name, const Tensor &)>;
  void setShow(Show function) { show = std::move(function); }
  [[nodiscard]] const Show &getShow() const { return show; }

  /// What elements hold that nobody has written (those of `tensor.empty`, of
  /// globals without an initial value): a program has a meaning only where that
  /// makes no difference, which two runs with different ones show.
  struct Unwritten {
    double real = std::numeric_limits<double>::quiet_NaN();
    int64_t whole = 0x5A5A5A5A5A5A5A5A;
  };
  void setUnwritten(Unwritten elements) { unwritten = elements; }
  [[nodiscard]] const Unwritten &getUnwritten() const { return unwritten; }

  /// Evaluates what the evaluator knows nothing of: operations without a rule,
  /// calls of functions and dispatches without a body. It is to fill the
  /// results; `name` is that of the operation or function. Without it, all of
  /// these are errors.
  using Opaque =
      std::function<llvm::LogicalResult(Step &step, llvm::StringRef name)>;
  void setOpaque(Opaque function) { opaque = std::move(function); }
  [[nodiscard]] const Opaque &getOpaque() const { return opaque; }

  /// The point of the iteration space that the body of a structured operation
  /// is being evaluated for; empty outside of one.
  [[nodiscard]] llvm::ArrayRef<int64_t> getPoint() const { return point; }
  /// Evaluator::At here(evaluator, point);    // until the end of the block
  class At {
  public:
    At(Evaluator &evaluator, llvm::ArrayRef<int64_t> point)
        : restore(evaluator.point, point) {}

  private:
    llvm::SaveAndRestore<llvm::ArrayRef<int64_t>> restore;
  };

  /// The workgroup of a dispatch that is being evaluated, and how many there
  /// are, along x, y and z.
  struct Workgroup {
    std::array<int64_t, 3> id = {0, 0, 0}, count = {1, 1, 1};
  };
  [[nodiscard]] Workgroup &getWorkgroup() { return workgroup; }

  /// What a global holds; nothing until somebody reads or writes it.
  [[nodiscard]] std::optional<Value> &global(mlir::Operation *op) {
    return globals[op];
  }

  /// The next 64 random bits for operations that have a hidden state. They are
  /// the same in each run.
  uint64_t randomBits();

  /// Whether the last failure was for want of a rule, not for a fault of the
  /// program; then why.
  [[nodiscard]] bool isUnsupported() const { return !whyUnsupported.empty(); }
  [[nodiscard]] llvm::StringRef getWhyUnsupported() const {
    return whyUnsupported;
  }
  /// Whether the last failure was because of a limit.
  [[nodiscard]] bool isOverLimit() const { return overLimit; }

private:
  friend struct Step;
  struct Plan;
  struct Frame;

  const Plan &plan(mlir::Block &block);
  llvm::LogicalResult tooDeep(mlir::Operation *op);
  /// Makes a constant that was left out until it is needed; null after an
  /// error.
  const Value *elided(mlir::Value constant, mlir::ElementsAttr elements);
  /// Evaluates a block: what it returns, or, where it branches, what it hands
  /// to `next`.
  llvm::FailureOr<std::vector<Value>> block(mlir::Block &block,
                                            llvm::ArrayRef<Value> arguments,
                                            mlir::Block *&next);

  mlir::ModuleOp module;
  const Rules &rules;
  Limits limits;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Block *, std::unique_ptr<Plan>> plans;
  Frame *frame = nullptr;
  ProcessGrid *grid = nullptr;
  int64_t process = 0;
  int64_t operationCount = 0;
  int64_t elementOperationCount = 0;
  int callDepth = 0;
  Checks checks;
  Fill fill;
  Show show;
  llvm::DenseMap<mlir::Operation *, std::optional<Value>> globals;
  Unwritten unwritten;
  Opaque opaque;
  llvm::ArrayRef<int64_t> point;
  Workgroup workgroup;
  uint64_t randomState = 0;
  std::string whyUnsupported;
  bool overLimit = false;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_EVALUATOR_H
