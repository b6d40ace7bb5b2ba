// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Reasons.h"
#include "mercator/dialects/MapInterface.h"
#include "mercator/transforms/flow/Cloneable.h"
#include "mercator/transforms/flow/formation/Candidates.h"
#include "mercator/transforms/flow/formation/Grouping.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

//===--- The rules --------------------------------------------------------===//

namespace {
struct RuleText {
  Question question;
  StringLiteral name;
  StringLiteral sentence;
};
} // namespace

static constexpr RuleText ruleTexts[] = {
#define RULE(enumerator, question, name, sentence)                             \
  {Question::question, name, sentence},
#include "mercator/transforms/flow/formation/Rules.def"
#undef RULE
};

Question flow::questionOf(Rule rule) {
  return ruleTexts[static_cast<unsigned>(rule)].question;
}
StringRef flow::nameOf(Rule rule) {
  return ruleTexts[static_cast<unsigned>(rule)].name;
}
StringRef flow::sentenceOf(Rule rule) {
  return ruleTexts[static_cast<unsigned>(rule)].sentence;
}

static StringRef nameOf(Question question) {
  switch (question) {
  case Question::none:
    return "taken";
  case Question::legality:
    return "legality";
  case Question::profit:
    return "profit";
  case Question::feasibility:
    return "feasibility";
  }
  llvm_unreachable("a question without name");
}

void Reasons::note(OpOperand &use, Rule rule) {
  if (!listening)
    return;
  auto [it, isNew] = rules.try_emplace(&use, rule);
  if (!isNew && (isTaken(rule) || it->second == Rule::otherDispatch ||
                 it->second == Rule::notFirstUse))
    it->second = rule;
}

//===--- The remarks ------------------------------------------------------===//

namespace {
/// Tells the reasons of one function.
class Report {
public:
  Report(FunctionOpInterface function, const Grouping &grouping,
         const DenseMap<OpOperand *, Rule> &rules)
      : function(function), grouping(grouping), rules(rules), names(function) {}

  void edgesInto(Operation *consumer);
  void dispatch(const Group &group);
  void outside(Operation *op);

private:
  FunctionOpInterface function;
  const Grouping &grouping;
  const DenseMap<OpOperand *, Rule> &rules;
  AsmState names;

  std::optional<Rule> ruleOf(OpOperand &use) const;
  std::string spell(Operation *op);
  std::string spellEdge(OpOperand &use);
  static void addMaps(remark::detail::InFlightRemark &remark, OpOperand &use);
  remark::RemarkOpts about(StringRef name, StringRef subcategory = {}) {
    // An initializer has no name.
    auto symbol =
        function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return {name, dispatchFormationCategory, subcategory,
            symbol ? symbol.getValue() : "util.initializer"};
  }
};
} // namespace

/// `%3 = linalg.matmul`, by the name that the text gives it, if that is known.
std::string Report::spell(Operation *op) {
  if (StringRef name = nameIn(op->getLoc()); !name.empty())
    return (name + " = " + op->getName().getStringRef()).str();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (op->getNumResults() > 0) {
    op->getResult(0).printAsOperand(os, names);
    // A result of several is printed with its number.
    text = StringRef(text).take_until([](char c) { return c == '#'; }).str();
    os << " = ";
  }
  os << op->getName();
  return text;
}

std::string Report::spellEdge(OpOperand &use) {
  auto result = cast<OpResult>(use.get());
  std::string text;
  llvm::raw_string_ostream(text)
      << spell(result.getOwner()) << ", result " << result.getResultNumber()
      << " -> " << spell(use.getOwner()) << ", operand "
      << use.getOperandNumber();
  return text;
}

/// The map that a value is made by and the map that it is read by.
void Report::addMaps(remark::detail::InFlightRemark &remark, OpOperand &use) {
  auto result = cast<OpResult>(use.get());
  linalg::LinalgOp producer = asLinalgOnTensors(result.getOwner());
  linalg::LinalgOp consumer = asLinalgOnTensors(use.getOwner());
  if (producer)
    remark << remark::detail::Remark::Arg(
        "Made",
        AffineMapAttr::get(producer.getIndexingMapMatchingResult(result)));
  if (consumer)
    remark << remark::detail::Remark::Arg(
        "Read", AffineMapAttr::get(consumer.getMatchingIndexingMap(&use)));
}

/// What was answered about an edge, or why it was not asked about; nothing
/// where there is nothing to tell.
std::optional<Rule> Report::ruleOf(OpOperand &use) const {
  Operation *producer = use.get().getDefiningOp();
  Operation *consumer = use.getOwner();
  auto from = grouping.groupOf.find(producer);
  auto to = grouping.groupOf.find(consumer);
  bool fromMember = from != grouping.groupOf.end();
  bool toMember = to != grouping.groupOf.end();
  auto it = rules.find(&use);
  if (it != rules.end() && !consumer->hasTrait<OpTrait::IsTerminator>() &&
      !isResolvableDim(consumer))
    return it->second;
  if (fromMember && toMember && from->second == to->second)
    return Rule::pushed;
  if (toMember && isCloneable(producer) && !fromMember)
    return Rule::cloned;
  if (!fromMember && !toMember)
    return std::nullopt;
  if (consumer->hasTrait<OpTrait::IsTerminator>() || isCloneable(consumer) ||
      isResolvableDim(consumer))
    return std::nullopt;
  if (producer->getBlock() != consumer->getBlock())
    return Rule::otherBlock;
  if (!asLinalgOnTensors(producer) || !asLinalgOnTensors(consumer))
    return Rule::notLinalg;
  return Rule::notAsked;
}

void Report::edgesInto(Operation *consumer) {
  using Arg = remark::detail::Remark::Arg;
  for (OpOperand &use : consumer->getOpOperands()) {
    Operation *producer = use.get().getDefiningOp();
    if (!producer || !isa<TensorType>(use.get().getType()) ||
        isa<tensor::EmptyOp>(producer) ||
        producer->hasTrait<OpTrait::ConstantLike>())
      continue;
    std::optional<Rule> rule = ruleOf(use);
    if (!rule)
      continue;
    remark::RemarkOpts opts = about(nameOf(*rule), ::nameOf(questionOf(*rule)));
    remark::detail::InFlightRemark remark =
        isInside(*rule) ? remark::passed(consumer->getLoc(), opts)
                        : remark::missed(consumer->getLoc(), opts);
    if (!remark)
      continue;
    remark << Arg("Edge", spellEdge(use))
           << Arg("Answer", isInside(*rule) ? "yes" : "no")
           << Arg("Reason", sentenceOf(*rule));
    addMaps(remark, use);
  }
}

/// Why a dispatch was started.
static StringRef whyStarted(const Group &group) {
  linalg::LinalgOp root = asLinalgOnTensors(group.members.front());
  if (group.members.size() > 1)
    return "a root took its neighbours in";
  if (!root)
    return "a root that is no linalg operation on tensors takes none in";
  if (isAllParallel(root))
    return "an elementwise operation that no root took in";
  return "a root that could take none of its neighbours in";
}

void Report::dispatch(const Group &group) {
  using Arg = remark::detail::Remark::Arg;
  auto remark = remark::analysis(group.root->getLoc(), about("dispatch"));
  if (!remark)
    return;
  std::string members;
  llvm::raw_string_ostream os(members);
  llvm::interleave(
      group.members, os, [&](Operation *op) { os << spell(op); }, "; ");
  remark << Arg("Root", spell(group.root)) << Arg("Members", members)
         << Arg("Reason", whyStarted(group));
}

/// Why an operation on tensors is in no dispatch; nothing where nobody would
/// expect it in one.
static StringRef whyOutside(Operation *op) {
  if (isa<linalg::FillOp>(op) && asLinalgOnTensors(op))
    return "a fill is cloned into the dispatches that use it; what is left is "
           "a splat";
  if (isa<tensor::EmptyOp, tensor::CastOp, tensor::PadOp,
          tensor::ExtractSliceOp, tensor::ExtractOp>(op))
    return "cloned into the dispatches that use it";
  if (isa<tensor::InsertSliceOp, tensor::ConcatOp>(op))
    return "a copy of a slice";
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(
          op))
    return "a reshape moves no data";
  if (isRoot(op) || isElementwiseRoot(op))
    return hasNoEffects(op)
               ? "a dispatch cannot be handed tensors of its element types"
               : "it has effects";
  if (isa<linalg::LinalgOp>(op))
    return "not on tensors alone";
  return {};
}

void Report::outside(Operation *op) {
  using Arg = remark::detail::Remark::Arg;
  StringRef reason = whyOutside(op);
  if (reason.empty())
    return;
  auto remark = remark::analysis(op->getLoc(), about("outside"));
  if (remark)
    remark << Arg("Operation", spell(op)) << Arg("Reason", reason);
}

void Reasons::report(const Grouping &grouping) const {
  if (!listening)
    return;
  Report report(function, grouping, rules);
  for (Operation *op : grouping.operations) {
    report.edgesInto(op);
    auto it = grouping.groupOf.find(op);
    if (it == grouping.groupOf.end())
      report.outside(op);
    else if (const Group &group = grouping.groups[it->second]; group.root == op)
      report.dispatch(group);
  }
}
