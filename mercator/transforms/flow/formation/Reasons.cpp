// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Reasons.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/formation/DispatchGroups.h"
#include "mercator/transforms/flow/formation/Makers.h"
#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/operations/ScalarLoops.h"
#include "mercator/transforms/flow/operations/TensorToFlow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

//===--- The reasons ------------------------------------------------------===//

namespace {
struct ReasonText {
  EdgeQuestion question;
  StringLiteral name;
  StringLiteral sentence;
};
} // namespace

static constexpr ReasonText reasonTexts[] = {
#define EDGE_REASON(enumerator, question, name, sentence)                      \
  {EdgeQuestion::question, name, sentence},
#include "mercator/transforms/flow/formation/EdgeReasons.def"
#undef EDGE_REASON
};

EdgeQuestion flow::questionOf(EdgeReason reason) {
  return reasonTexts[static_cast<unsigned>(reason)].question;
}
StringRef flow::nameOf(EdgeReason reason) {
  return reasonTexts[static_cast<unsigned>(reason)].name;
}
StringRef flow::sentenceOf(EdgeReason reason) {
  return reasonTexts[static_cast<unsigned>(reason)].sentence;
}

EdgeReason flow::reasonNamed(StringRef name) {
  const auto *found = llvm::find_if(
      reasonTexts, [&](const ReasonText &text) { return text.name == name; });
  assert(found != std::end(reasonTexts) && "a reason of no name");
  return static_cast<EdgeReason>(found - std::begin(reasonTexts));
}

StringRef flow::nameOf(EdgeQuestion question) {
  switch (question) {
  case EdgeQuestion::None:
    return "taken";
  case EdgeQuestion::Legality:
    return "legality";
  case EdgeQuestion::Rule:
    return "rule";
  case EdgeQuestion::Profit:
    return "profit";
  case EdgeQuestion::Feasibility:
    return "feasibility";
  }
  llvm_unreachable("a question without name");
}

void Reasons::note(OpOperand &use, ArrayRef<EdgeReason> answer) {
  if (!listening)
    return;
  auto [it, isNew] = rules.try_emplace(&use, answer);
  if (!isNew && (isTaken(answer.front()) ||
                 it->second.front() == EdgeReason::OtherDispatch ||
                 it->second.front() == EdgeReason::NotFirstUse))
    it->second.assign(answer.begin(), answer.end());
}

//===--- The remarks ------------------------------------------------------===//

namespace {
/// Reports the reasons of one function.
class Report {
public:
  Report(FunctionOpInterface function, const DispatchGroups &grouping,
         const DenseMap<OpOperand *, SmallVector<EdgeReason, 2>> &rules)
      : function(function), grouping(grouping), rules(rules), names(function) {}

  void edgesInto(Operation *consumer);
  void edge(const EdgeNote &note);
  void dispatch(const Group &group);
  void outside(Operation *op);
  void all(const Totals &totals);

private:
  FunctionOpInterface function;
  const DispatchGroups &grouping;
  const DenseMap<OpOperand *, SmallVector<EdgeReason, 2>> &rules;
  AsmState names;

  SmallVector<EdgeReason, 2> reasonsOf(OpOperand &use) const;
  bool isClonedOnly(Operation *op) const;
  StringRef whyOutside(Operation *op) const;
  std::string spell(Operation *op);
  std::pair<std::string, unsigned> spellMaker(OpResult result);
  using Arg = remark::detail::Remark::Arg;
  void edge(OpResult producer, OpOperand &use, Operation *consumer,
            ArrayRef<EdgeReason> answer);
  remark::detail::InFlightRemark begin(OpResult producer, OpOperand &use,
                                       Operation *consumer,
                                       ArrayRef<EdgeReason> answer);
  void edgesIntoBody(Operation *loop);
  remark::RemarkOpts about(StringRef name, StringRef subcategory = {}) {
    // An initializer has no name.
    auto symbol =
        function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return {name, dispatchFormationCategory, subcategory,
            symbol ? symbol.getValue() : "util.initializer"};
  }
};
} // namespace

/// `f.mlir:12`.
static std::string placeOf(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "?";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine())).str();
}

/// `%3 = linalg.matmul`, with the name of the value in the text, if it is
/// known.
std::string Report::spell(Operation *op) {
  StringRef source = sourceOperationIn(op->getLoc());
  StringRef operation = source.empty() ? op->getName().getStringRef() : source;
  if (StringRef name = nameIn(op->getLoc()); !name.empty())
    return (name + " = " + operation).str();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (op->getNumResults() > 0) {
    op->getResult(0).printAsOperand(os, names);
    // A result of several is printed with its number.
    text = StringRef(text).take_until([](char c) { return c == '#'; }).str();
    os << " = ";
  }
  os << operation;
  return text;
}

/// `%3 = linalg.matmul, result 0`. The result of a fused operation is that of the
/// operation of the text that computes it.
std::pair<std::string, unsigned> Report::spellMaker(OpResult result) {
  Location maker = makerLocation(result);
  StringRef name = nameIn(maker), source = sourceOperationIn(maker);
  if (name.empty() || source.empty() || name == nameIn(result.getLoc()))
    return {spell(result.getOwner()), result.getResultNumber()};
  return {(name + " = " + source).str(), 0};
}

/// The answer for an edge, or why it was not asked; nothing if there is nothing
/// to report.
SmallVector<EdgeReason, 2> Report::reasonsOf(OpOperand &use) const {
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
    return {EdgeReason::Pushed};
  if (toMember && isCloneable(producer) && !fromMember)
    return {EdgeReason::Cloned};
  if (!fromMember && !toMember)
    return {};
  if (consumer->hasTrait<OpTrait::IsTerminator>() || isCloneable(consumer) ||
      isResolvableDim(consumer))
    return {};
  if (producer->getBlock() != consumer->getBlock())
    return {EdgeReason::OtherBlock};
  if (!asLinalgOnTensors(producer) || !asLinalgOnTensors(consumer))
    return {EdgeReason::NotLinalg};
  return {EdgeReason::NotAsked};
}

/// Operations that give the same elements another shape.
static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::ReshapeOp>(op);
}

/// The remark about an edge. There may be reshapes between the two. The use may
/// be in the body of the consumer.
void Report::edge(OpResult producer, OpOperand &use, Operation *consumer,
                  ArrayRef<EdgeReason> answer) {
  auto remark = begin(producer, use, consumer, answer);
  if (!remark)
    return;
  // The map that writes the value and the map that reads it.
  if (linalg::LinalgOp op = asLinalgOnTensors(producer.getOwner()))
    remark << Arg(
        "Made", AffineMapAttr::get(op.getIndexingMapMatchingResult(producer)));
  if (linalg::LinalgOp op = asLinalgOnTensors(use.getOwner()))
    remark << Arg("Read", AffineMapAttr::get(op.getMatchingIndexingMap(&use)));
}

/// The remark about an edge that was decided from maps.
void Report::edge(const EdgeNote &note) {
  auto remark = begin(note.producer, *note.use, note.consumer, note.answer);
  if (!remark)
    return;
  for (auto [key, text] : {std::pair("Made", &note.made),
                           {"Read", &note.read},
                           {"Cost", &note.cost},
                           {"Help", &note.help}})
    if (!text->empty())
      remark << Arg(key, *text);
  if (note.times)
    remark << Arg("OneNanoseconds",
                  std::to_string(std::llround(note.times->one)))
           << Arg("TwoNanoseconds",
                  std::to_string(std::llround(note.times->two)));
  if (note.third)
    remark << Arg("Cost", "between the two is " + spell(note.third));
}

/// What all remarks about edges begin with. Nothing if no one listens.
remark::detail::InFlightRemark Report::begin(OpResult producer, OpOperand &use,
                                             Operation *consumer,
                                             ArrayRef<EdgeReason> answer) {
  EdgeReason reason = answer.front();
  remark::RemarkOpts opts =
      about(flow::nameOf(reason), flow::nameOf(questionOf(reason)));
  remark::detail::InFlightRemark remark =
      isInside(reason) ? remark::passed(consumer->getLoc(), opts)
                       : remark::missed(consumer->getLoc(), opts);
  if (!remark)
    return remark;
  auto [from, result] = spellMaker(producer);
  std::string to = spell(consumer);
  // `Edge` is for people; programs read the two operations as arguments.
  remark << Arg("Edge",
                from + ", result " + std::to_string(result) + " -> " + to +
                    ", " +
                    (use.getOwner() == consumer
                         ? "operand " + std::to_string(use.getOperandNumber())
                         : "its body"))
         << Arg("Producer", from) << Arg("Consumer", to)
         << Arg("ProducerAt", placeOf(makerLocation(producer)))
         << Arg("Answer", isInside(reason) ? "yes" : "no")
         << Arg("Reason", sentenceOf(reason));
  for (EdgeReason other : answer.drop_front())
    remark << Arg("Also", flow::nameOf(other));
  if (std::optional<int64_t> bytes = bytesOf(producer.getType()))
    remark << Arg("Bytes", std::to_string(*bytes));
  return remark;
}

void Report::edgesInto(Operation *consumer) {
  // A reshape moves no data. The operations before and after it matter.
  if (isReshape(consumer))
    return;
  for (OpOperand &use : consumer->getOpOperands()) {
    Operation *producer = use.get().getDefiningOp();
    if (!producer || !isa<TensorType>(use.get().getType()) ||
        isa<tensor::EmptyOp, TensorTieShapeOp>(producer) ||
        producer->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (isReshape(producer)) {
      Value origin = use.get();
      while (isReshape(origin.getDefiningOp()))
        origin = origin.getDefiningOp()->getOperand(0);
      if (grouping.isMember(consumer) && origin.getDefiningOp() &&
          grouping.isMember(origin.getDefiningOp()))
        edge(cast<OpResult>(origin), use, consumer, EdgeReason::Reshaped);
      continue;
    }
    if (SmallVector<EdgeReason, 2> answer = reasonsOf(use); !answer.empty())
      edge(cast<OpResult>(use.get()), use, consumer, answer);
  }
  if (grouping.isMember(consumer) && isScalarLoop(consumer))
    edgesIntoBody(consumer);
}

/// The edges into the body of a scalar loop, which reads tensors of other
/// operations: one for each tensor.
void Report::edgesIntoBody(Operation *loop) {
  DenseSet<Value> seen;
  loop->walk([&](Operation *inner) {
    for (OpOperand &use : inner->getOpOperands()) {
      Operation *producer = use.get().getDefiningOp();
      if (inner == loop || !producer || loop->isAncestor(producer) ||
          !isa<TensorType>(use.get().getType()) ||
          !seen.insert(use.get()).second)
        continue;
      if (grouping.isMember(producer))
        edge(cast<OpResult>(use.get()), use, loop, EdgeReason::NotLinalg);
      else if (isCloneable(producer) &&
               !producer->hasTrait<OpTrait::ConstantLike>())
        edge(cast<OpResult>(use.get()), use, loop, EdgeReason::Cloned);
    }
  });
}

/// Why a dispatch was started.
static StringRef whyStarted(const Group &group) {
  linalg::LinalgOp root = asLinalgOnTensors(group.members.front());
  if (group.members.size() > 1)
    return "a root took its neighbors in";
  if (flow::isScalarLoop(group.root))
    return "a loop on numbers takes no neighbors in";
  if (!root)
    return "a root that is not a linalg operation on tensors takes no neighbors in";
  if (isAllParallel(root))
    return "an elementwise operation that no root took in";
  return "a root that could take none of its neighbors in";
}

void Report::dispatch(const Group &group) {
  bool isApart = grouping.apart.contains(group.root);
  auto remark = remark::analysis(group.root->getLoc(), about("dispatch"));
  if (!remark)
    return;
  std::string members;
  llvm::raw_string_ostream os(members);
  llvm::interleave(
      group.members, os, [&](Operation *op) { os << spell(op); }, "; ");
  remark << Arg("Root", spell(group.root)) << Arg("Members", members)
         << Arg("Reason", isApart ? "its group needed another one in a circle"
                                  : whyStarted(group));
}

/// Whether `op` is only cloned into dispatches and has no other users.
bool Report::isClonedOnly(Operation *op) const {
  return isCloneable(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
           Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
           return grouping.isMember(inBlock ? inBlock : user) ||
                  isCloneable(user) || isResolvableDim(user);
         });
}

/// Why an operation on tensors is in no dispatch. Nothing for operations that
/// are obviously outside, and for those whose clone is in a dispatch.
StringRef Report::whyOutside(Operation *op) const {
  if (isa<linalg::FillOp>(op) && asLinalgOnTensors(op))
    return "a fill is cloned into the dispatches that use it; the rest is "
           "a splat";
  if (isa<tensor::EmptyOp, tensor::CastOp, tensor::PadOp,
          tensor::ExtractSliceOp, tensor::ExtractOp>(op) &&
      isClonedOnly(op))
    return "cloned into the dispatches that use it";
  if (isa<tensor::EmptyOp>(op))
    return "storage that later operations write to";
  if (isa<tensor::ExtractOp>(op))
    return "an element that the host reads";
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return isContiguous(slice) ? "a copy of a contiguous slice needs no kernel"
                               : "";
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isContiguous(slice) ? "a copy of a contiguous slice needs no kernel"
                               : "";
  if (isReshape(op) || isa<tensor::CastOp, tensor::BitcastOp>(op))
    return "a reshape moves no data";
  if (isRoot(op) || isElementwiseRoot(op))
    return hasNoEffects(op)
               ? "a dispatch cannot take tensors of its element types"
               : "it has effects";
  if (isa<linalg::LinalgOp>(op))
    return "not on tensors alone";
  return {};
}

void Report::all(const Totals &totals) {
  auto remark = remark::analysis(function.getLoc(), about("totals"));
  auto number = [](double value) { return std::to_string(int64_t(value)); };
  if (remark)
    remark << Arg("Operations", number(totals.operations))
           << Arg("BytesBefore", number(totals.bytesBefore))
           << Arg("NanosecondsBefore", number(totals.timeBefore))
           << Arg("Dispatches", number(totals.dispatches))
           << Arg("Bytes", number(totals.bytes))
           << Arg("Nanoseconds", number(totals.time));
}

void Report::outside(Operation *op) {
  using Arg = remark::detail::Remark::Arg;
  StringRef reason = whyOutside(op);
  if (reason.empty())
    return;
  // Storage, views, and other parts of an operation of the text that are only
  // cloned are not told of.
  StringRef source = sourceOperationIn(op->getLoc());
  if (!source.empty() &&
      (isCloneable(op) || (isReshape(op) && !source.ends_with("reshape"))))
    return;
  auto remark = remark::analysis(op->getLoc(), about("outside"));
  if (!remark)
    return;
  std::string text = spell(op);
  if (!source.empty())
    text += (" (" + op->getName().getStringRef() + ")").str();
  remark << Arg("Operation", text) << Arg("Reason", reason);
}

void Reasons::report(const DispatchGroups &grouping) const {
  if (!listening)
    return;
  Report report(function, grouping, rules);
  if (totals.operations > 0)
    report.all(totals);
  DenseMap<Operation *, SmallVector<const EdgeNote *>> notesOf;
  for (const EdgeNote &note : notes)
    notesOf[note.consumer].push_back(&note);
  for (Operation *op : grouping.operations) {
    if (notes.empty())
      report.edgesInto(op);
    for (const EdgeNote *note : notesOf.lookup(op)) {
      EdgeNote now = *note;
      if (grouping.apart.contains(op) ||
          grouping.apart.contains(now.producer.getOwner()))
        now.answer = EdgeReason::Circle;
      report.edge(now);
    }
    auto it = grouping.groupOf.find(op);
    if (it == grouping.groupOf.end())
      report.outside(op);
    else if (const Group &group = grouping.groups[it->second]; group.root == op)
      report.dispatch(group);
  }
}
