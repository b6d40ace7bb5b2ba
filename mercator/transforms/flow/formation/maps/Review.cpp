// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/Candidate.h"
#include "mercator/transforms/flow/formation/maps/MapGrouping.h"

#include "mercator/analysis/Sizes.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using namespace mercator::flow::maps;

/// The most bytes at once in tensors that dispatches hand to others, with those that
/// the function takes.
double MapGrouping::bytesLive() {
  auto sizeOf = [](Value value) {
    return double(bytesOf(value.getType()).value_or(0));
  };
  // From the item that makes a tensor to the last one that reads it.
  DenseMap<Value, unsigned> lastUse;
  for (const Edge &edge : edges) {
    if (edge.areSiblings || groupOf(edge.from) == groupOf(edge.to))
      continue;
    unsigned &last = lastUse[edge.value];
    last = std::max(last, nodes[edge.to].item);
  }
  std::vector<double> changes(blocks.operations.size() + 1);
  for (const Node &node : nodes)
    for (Value result : node.op->getResults()) {
      bool isResult = escapes(result);
      auto last = lastUse.find(result);
      if (!isResult && last == lastUse.end())
        continue;
      changes[node.item] += sizeOf(result);
      if (!isResult)
        changes[std::max(last->second, node.item) + 1] -= sizeOf(result);
    }
  double now = 0, most = 0;
  for (double change : changes)
    most = std::max(most, now += change);
  for (Value argument : function.getArguments())
    most += sizeOf(argument);
  return most;
}

/// The nodes of a group, in program order.
std::vector<unsigned> MapGrouping::membersOf(unsigned group) const {
  std::vector<unsigned> members, work = {group};
  while (!work.empty()) {
    unsigned number = work.back();
    work.pop_back();
    if (groups[number].writer == kNoGroup) {
      members.push_back(number);
      continue;
    }
    work.push_back(groups[number].writer);
    work.push_back(groups[number].reader);
  }
  llvm::sort(members);
  return members;
}

/// How long the target takes for a group, or for one that it was made of.
std::optional<double> MapGrouping::timeOf(unsigned group) {
  auto [known, isNew] = times.try_emplace(group);
  if (!isNew)
    return known->second;
  SmallVector<Operation *> members;
  for (unsigned member : membersOf(group))
    members.push_back(nodes[member].op);
  questions -= int64_t(members.size());
  if (questions < 0)
    return std::nullopt;
  if (auto found = ahead.find(group); found != ahead.end())
    return times[group] = found->second;
  std::optional<double> answer;
  if (OwningOpRef<ModuleOp> module = makeCandidate(members))
    answer = time->of(*module->getOps<func::FuncOp>().begin(), programBytes);
  return times[group] = answer;
}

/// What bestTime asks about if each answer is known.
void MapGrouping::collectQuestions(unsigned group, unsigned levels,
                                   int64_t &limit,
                                   SmallVectorImpl<unsigned> &asked) const {
  limit -= int64_t(membersOf(group).size());
  if (limit < 0)
    return;
  asked.push_back(group);
  if (groups[group].writer == kNoGroup || levels == 0 || forced.contains(group))
    return;
  collectQuestions(groups[group].writer, levels - 1, limit, asked);
  collectQuestions(groups[group].reader, levels - 1, limit, asked);
}

/// Asks about groups all at once: the target answers in several threads.
void MapGrouping::askAhead(ArrayRef<unsigned> asked) {
  SmallVector<OwningOpRef<ModuleOp>> modules;
  SmallVector<func::FuncOp> functions;
  SmallVector<unsigned> numbers;
  for (unsigned group : asked) {
    SmallVector<Operation *> members;
    for (unsigned member : membersOf(group))
      members.push_back(nodes[member].op);
    OwningOpRef<ModuleOp> module = makeCandidate(members);
    ahead[group] = std::nullopt;
    if (!module)
      continue;
    functions.push_back(*module->getOps<func::FuncOp>().begin());
    modules.push_back(std::move(module));
    numbers.push_back(group);
  }
  for (auto [group, answer] :
       llvm::zip_equal(numbers, time->ofAll(functions, programBytes)))
    ahead[group] = answer;
}

/// The time of the best way to divide the group along its merges, down to so many
/// levels of them. Those that are undone for it are added to `divided`.
std::optional<double> MapGrouping::bestTime(unsigned group, unsigned levels,
                                            DenseSet<unsigned> &divided) {
  // A little less is within the error of the estimate: fewer dispatches are better.
  constexpr double kGain = 0.97;
  std::optional<double> whole = timeOf(group);
  unsigned writer = groups[group].writer, reader = groups[group].reader;
  if (!whole || writer == kNoGroup || levels == 0 || forced.contains(group))
    return whole;
  DenseSet<unsigned> inner;
  std::optional<double> first = bestTime(writer, levels - 1, inner);
  std::optional<double> second =
      first ? bestTime(reader, levels - 1, inner) : std::nullopt;
  if (!second || *first + *second > kGain * *whole)
    return whole;
  divided.insert(group);
  divided.insert(inner.begin(), inner.end());
  divisions.push_back({membersOf(group), *whole, *first + *second});
  return *first + *second;
}

/// Divides groups again if the target takes longer for them than for their parts.
void MapGrouping::review() {
  if (!time || merges.empty())
    return;
  // Shorter ones are faster together: starting them is most of it.
  constexpr double kWorthAsking = 20'000;
  constexpr int64_t kQuestions = 4, kMoreQuestions = 2048;
  questions = kQuestions * int64_t(nodes.size()) + kMoreQuestions;
  SmallVector<std::pair<double, unsigned>> expensive;
  for (auto [number, group] : llvm::enumerate(groups))
    if (group.parent == number && group.members.size() > 1)
      if (double ns = group.traffic.estimate(machine).time(machine);
          ns >= kWorthAsking)
        expensive.emplace_back(-ns, number);
  llvm::sort(expensive);
  if (expensive.empty())
    return;
  programBytes = bytesLive();
  for (auto [edge, made] : merges)
    if (isForced(edges[edge]))
      forced.insert(made);
  // Each level asks about all members once, so large groups have fewer.
  auto levelsOf = [&](unsigned number) {
    constexpr size_t kMostLevels = 4, kMostMembers = 96;
    return unsigned(std::clamp<size_t>(
        kMostMembers / groups[number].members.size(), 1, kMostLevels));
  };
  SmallVector<unsigned> asked;
  int64_t limit = questions;
  for (auto [ns, number] : expensive)
    collectQuestions(number, levelsOf(number), limit, asked);
  askAhead(asked);
  DenseSet<unsigned> divided;
  for (auto [ns, number] : expensive)
    (void)bestTime(number, levelsOf(number), divided);
  if (divided.empty())
    return;
  // The other merges again.
  startGroups();
  times.clear();
  order = GroupOrder(dependencesOf(blocks));
  for (auto [edge, made] : std::exchange(merges, {})) {
    Merge candidate;
    if (divided.contains(made) ||
        groupOf(edges[edge].from) == groupOf(edges[edge].to) ||
        refuses(edges[edge], candidate))
      continue;
    merge(candidate);
    merges.emplace_back(edge, groups.size() - 1);
  }
}

/// The smallest group that was divided and had both ends of the edge.
const Division *MapGrouping::divisionOf(const Edge &edge) const {
  const Division *best = nullptr;
  for (const Division &division : divisions)
    if (llvm::binary_search(division.members, edge.from) &&
        llvm::binary_search(division.members, edge.to) &&
        (!best || division.members.size() < best->members.size()))
      best = &division;
  return best;
}
