// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Processes.h"

using namespace mlir;

namespace mercator::reference {

void ProcessGrid::setInfeed(std::vector<func::FuncOp> functions) {
  infeed = std::move(functions);
}

std::string ProcessGrid::nameOf(int64_t process) const {
  return "(" + std::to_string(process / partitions) + ", " +
         std::to_string(process % partitions) + ")";
}

FailureOr<std::vector<std::vector<Value>>>
ProcessGrid::runEach(Evaluator &parent, const Body &body) {
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  std::vector<std::vector<Value>> results(size());
  for (size_t i = 0; i < results.size(); ++i) {
    evaluators.push_back(parent.forProcess(*this, i));
    // Both vectors have their final size before any task starts.
    scheduler.spawn([&results, &body, i, evaluator = evaluators.back().get()] {
      FailureOr<std::vector<Value>> values = body(*evaluator, i);
      if (failed(values))
        return failure();
      results[i] = std::move(*values);
      return success();
    });
  }
  LogicalResult outcome = scheduler.run();
  for (const std::unique_ptr<Evaluator> &evaluator : evaluators)
    parent.absorb(*evaluator);
  for (auto &[task, other] : started)
    parent.absorb(*other.evaluator);
  if (failed(outcome))
    return failure();
  return results;
}

FailureOr<std::vector<std::vector<Value>>>
ProcessGrid::run(Evaluator &parent, ArrayRef<Invocation> programs) {
  assert(int64_t(programs.size()) == size() && "expected one program each");
  return runEach(parent, [&](Evaluator &evaluator, size_t process) {
    const Invocation &program = programs[process];
    return evaluator.call(program.function, program.arguments);
  });
}

FailureOr<std::vector<std::vector<Value>>>
ProcessGrid::run(Evaluator &parent, ArrayRef<Part> parts) {
  assert(int64_t(parts.size()) == size() && "expected one region each");
  return runEach(parent, [&](Evaluator &evaluator, size_t process) {
    const Part &part = parts[process];
    return evaluator.region(*part.body, part.arguments);
  });
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

static bool sameTypes(ArrayRef<Value> a, ArrayRef<Value> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [](const auto &pair) {
           const Tensor *x = std::get<0>(pair).tensor(),
                        *y = std::get<1>(pair).tensor();
           return bool(x) == bool(y) && (!x || x->type() == y->type());
         });
}

FailureOr<std::vector<std::vector<Value>>>
ProcessGrid::meet(Step &step, int64_t channel, const ProcessGroup &group) {
  int64_t self = step.evaluator.getProcess();
  const auto *position = llvm::find(group, self).base();
  size_t index = position - group.data();
  assert(index < group.size() && "expected a process of the group");
  MeetingKey key{channel, group};
  std::pair<MeetingKey, int64_t> place{key, visits[{key, self}]++};
  Meeting &meeting = meetings[place];
  StringRef name = step.op->getName().getStringRef();
  if (meeting.arrived == 0) {
    meeting.brought.resize(group.size());
    meeting.present.resize(group.size());
    meeting.operation = name;
  } else {
    size_t other = llvm::find(meeting.present, true) - meeting.present.begin();
    if (meeting.operation != name)
      return step.error() << "expected every process of a group to reach the "
                             "same operation, got process "
                          << nameOf(group[other]) << " at '"
                          << meeting.operation << "' and process "
                          << nameOf(self) << " at this one";
    if (!sameTypes(meeting.brought[other], step.operands))
      return step.error() << "expected operands of the same types in every "
                             "process of a group, got others in process "
                          << nameOf(group[other]) << " than in process "
                          << nameOf(self);
  }
  meeting.brought[index].assign(step.operands.begin(), step.operands.end());
  meeting.present[index] = true;
  ++meeting.arrived;
  std::string why = nameOf(self) + " waits for";
  bool first = true;
  for (auto [there, process] : llvm::zip(meeting.present, group))
    if (!there) {
      why += (first ? " " : ", ") + nameOf(process);
      first = false;
    }
  if (failed(scheduler.wait(step.op, why, [&meeting] {
        return meeting.arrived == meeting.present.size();
      })))
    return failure();
  std::vector<std::vector<Value>> brought = meeting.brought;
  if (++meeting.left == group.size())
    meetings.erase(place);
  return brought;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

void ProcessGrid::post(Step &step, Sending kind, int64_t channel, int64_t to) {
  int64_t self = step.evaluator.getProcess();
  boxes[{kind, channel, self, to}].emplace_back(step.operands.begin(),
                                                step.operands.end());
}

FailureOr<std::vector<Value>> ProcessGrid::take(Step &step, Sending kind,
                                                int64_t channel, int64_t from) {
  int64_t self = step.evaluator.getProcess();
  std::deque<std::vector<Value>> &box = boxes[{kind, channel, from, self}];
  if (failed(scheduler.wait(step.op,
                            nameOf(self) + " waits for data that " +
                                nameOf(from) + " sends",
                            [&box] { return !box.empty(); })))
    return failure();
  std::vector<Value> values = std::move(box.front());
  box.pop_front();
  return values;
}

FailureOr<std::vector<Value>> ProcessGrid::feed(Step &step) {
  if (fed == infeed.size())
    return step.error() << "expected data in the infeed, got none";
  return step.evaluator.call(infeed[fed++], {}, step.op);
}

//===----------------------------------------------------------------------===//
// Asynchronous tasks
//===----------------------------------------------------------------------===//

size_t ProcessGrid::start(Step &step, Region &region) {
  Started begun;
  begun.evaluator =
      step.evaluator.forProcess(*this, step.evaluator.getProcess());
  Evaluator *evaluator = begun.evaluator.get();
  std::vector<Value> arguments(step.operands.begin(), step.operands.end());
  // The number is known only after spawn(); the task starts later.
  auto number = std::make_shared<size_t>();
  *number = scheduler.spawn([this, number, evaluator, &region, arguments] {
    FailureOr<std::vector<Value>> values = evaluator->region(region, arguments);
    if (failed(values))
      return failure();
    started[*number].results = std::move(*values);
    return success();
  });
  started[*number] = std::move(begun);
  return *number;
}

FailureOr<std::vector<Value>> ProcessGrid::wait(Step &step, size_t task) {
  if (failed(scheduler.wait(step.op,
                            nameOf(step.evaluator.getProcess()) +
                                " waits for the operation that it started",
                            [this, task] { return scheduler.isDone(task); })))
    return failure();
  return started[task].results;
}

} // namespace mercator::reference
