// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Instructions.h"

#include "mercator/analysis/Names.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/support/Suggest.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mercator;
using llvm::StringRef;

InstructionTable::InstructionTable(const LoadedProgram &program, OneModule one)
    : module(one.module), name(std::move(one.name)), file(program.file),
      isHlo(program.isHlo) {
  collect(module);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

void InstructionTable::collect(mlir::ModuleOp module) {
  size_t first = computations.size();
  for (bool entry : {true, false}) // the entry first
    for (auto function : module.getOps<mlir::FunctionOpInterface>())
      if (entry == isEntry(function))
        collect(function.getFunctionBody());
  if (computations.size() > first)
    entries.push_back(first);
  for (auto inner : module.getOps<mlir::ModuleOp>())
    collect(inner);
}

void InstructionTable::collect(mlir::Region &region) {
  if (region.empty())
    return;
  std::string name = computationName(&region);
  if (!computationNames.insert(name).second)
    return;
  mlir::Block &block = region.front();
  computations.push_back({std::move(name), &block});
  for (mlir::Operation &op : block) {
    // The body of a library call is not in the text.
    if (auto fusion = llvm::dyn_cast<hlo::FusionOp>(op)) {
      if (fusion.getLibraryTarget().empty())
        collect(fusion.getBody());
    } else if (llvm::isa<stablehlo::WhileOp, stablehlo::IfOp,
                         stablehlo::CaseOp>(op))
      for (mlir::Region &inner : op.getRegions())
        collect(inner);
  }
}

llvm::SmallVector<const Computation *> InstructionTable::getEntries() const {
  return llvm::map_to_vector(entries,
                             [&](size_t i) { return &computations[i]; });
}

std::string InstructionTable::nameOf(mlir::Operation *op) const {
  if (isHlo && nameIn(op->getLoc()).empty())
    return {};
  return instructionName(op);
}

std::string InstructionTable::nameOf(mlir::Value value) const {
  // An operation that the import inserted between two instructions copies a
  // value, or takes it from a tuple.
  while (mlir::Operation *op = value.getDefiningOp()) {
    std::string name = nameOf(op);
    unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
    if (StringRef own = resultName(name, number); !own.empty())
      return own.str();
    if (!name.empty())
      return name;
    // A tuple may have all results of one instruction as its members.
    // The workspace of a library call is a constant without a name.
    bool isWhole =
        llvm::isa<stablehlo::TupleOp>(op) && op->getNumOperands() > 0 &&
        llvm::all_of(op->getOperands(), [&](mlir::Value member) {
          auto constant = member.getDefiningOp<stablehlo::ConstantOp>();
          return (constant && nameOf(constant.getOperation()).empty()) ||
                 nameOf(member) == nameOf(op->getOperand(0));
        });
    if (!isWhole && !llvm::isa<hlo::CopyOp, stablehlo::GetTupleElementOp,
                               stablehlo::ConvertOp>(op))
      return instructionName(op);
    value = op->getOperand(0);
  }
  return valueName(value);
}

void InstructionTable::forEachOperation(
    const Computation &computation,
    llvm::function_ref<void(mlir::Operation *)> f) const {
  for (mlir::Operation &op : computation.block->without_terminator())
    if (!nameOf(&op).empty())
      f(&op);
}

Root InstructionTable::root(const Computation &computation) const {
  mlir::ValueRange values = computation.block->getTerminator()->getOperands();
  Root root{&computation, "", {values.begin(), values.end()}};
  llvm::StringSet<> names;
  for (mlir::Value value : values)
    names.insert(root.name = nameOf(value));
  // A tuple that only the terminator builds has no name.
  if (names.size() != 1)
    root.name = "ROOT";
  return root;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void InstructionTable::forEachInstruction(
    llvm::function_ref<void(Instruction, std::string)> f) const {
  for (const Computation &computation : computations) {
    for (mlir::BlockArgument argument : computation.block->getArguments())
      f({&computation, nullptr, argument}, nameOf(mlir::Value(argument)));
    forEachOperation(computation, [&](mlir::Operation *op) {
      f({&computation, op, nullptr}, nameOf(op));
    });
  }
}

/// The name for comparisons: no '%' at the beginning of any part.
static std::string bare(StringRef name) {
  std::string text;
  for (char c : name)
    if (c != '%' || !(text.empty() || text.back() == '/' || text.back() == ','))
      text += c;
  return text;
}

/// True if `wanted` names the instruction. An instruction whose results have
/// names of their own has each of these names.
static bool isCalled(StringRef wanted, StringRef computation, StringRef name) {
  auto is = [&](StringRef own) {
    StringRef rest = wanted;
    return rest == own || (rest.consume_front(computation) &&
                           rest.consume_front("/") && rest == own);
  };
  if (is(name))
    return true;
  llvm::SmallVector<StringRef> results;
  name.split(results, ',');
  return results.size() > 1 && llvm::any_of(results, is);
}

std::optional<Instruction>
InstructionTable::find(StringRef name, StringRef option,
                       DiagnosticEngine &diagnostics) const {
  std::string flag = ("--" + option + "=").str(), wanted = bare(name);
  std::vector<Instruction> found, inEntries;
  llvm::SmallVector<const Computation *> entries = getEntries();
  forEachInstruction([&](Instruction i, std::string own) {
    if (!isCalled(wanted, bare(i.computation->name), bare(own)))
      return;
    found.push_back(i);
    if (llvm::is_contained(entries, i.computation))
      inEntries.push_back(i);
  });
  if (inEntries.size() == 1 || (!inEntries.empty() && entries.size() == 1))
    return inEntries.front();
  if (found.size() == 1)
    return found.front();
  if (found.empty()) {
    refuseUnknown(name, flag, diagnostics);
    return std::nullopt;
  }
  (void)diagnostics.error({}, "expected the name of one instruction, got " +
                                  quote(name) + ", which is in " +
                                  llvm::Twine(found.size()) + " computations");
  constexpr size_t kShown = 8;
  for (const Instruction &i : llvm::ArrayRef(found).take_front(kShown))
    diagnostics.note({}, "one is " + i.computation->name + "/" + name);
  if (found.size() > kShown)
    diagnostics.note({},
                     "and " + llvm::Twine(found.size() - kShown) + " others");
  diagnostics.help(flag + found.front().computation->name + "/" + name);
  return std::nullopt;
}

void InstructionTable::refuseUnknown(StringRef name, StringRef flag,
                                     DiagnosticEngine &diagnostics) const {
  std::string wanted = bare(name);
  std::vector<std::string> names, spelled; // bare, and as in the text
  bool isQualified = wanted.find('/') != std::string::npos;
  forEachInstruction([&](Instruction i, std::string own) {
    spelled.push_back(isQualified ? i.computation->name + "/" + own : own);
    names.push_back(bare(spelled.back()));
  });
  (void)diagnostics.error(
      {}, "no instruction " + quote(name) + " in " + quote(this->name) + " (" +
              llvm::Twine(names.size()) + " instructions; `mercator map " +
              file + "` lists them)");
  for (const Computation &computation : computations)
    if (bare(computation.name) == wanted) {
      diagnostics.help("it is a computation; its root is `" + flag + name +
                       "/" + root(computation).name + "`");
      return;
    }
  // `add` for `add.3`.
  auto meant = llvm::find_if(names, [&](StringRef own) {
    return own.consume_front(wanted) && own.starts_with(".");
  });
  if (auto nearest = suggest(wanted, names); nearest && meant == names.end())
    meant = llvm::find(names, *nearest);
  if (meant != names.end())
    diagnostics.help("did you mean `" + flag + spelled[meant - names.begin()] +
                     "`?");
}
