// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/GroupOrder.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <utility>

using namespace mercator::flow;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr unsigned kNone = Dependences::kNone;

std::vector<unsigned> Dependences::roots() const {
  std::vector<unsigned> roots(size(), kNone);
  // A source comes before its views.
  for (unsigned item = 0; item < size(); ++item)
    if (source[item] != kNone)
      roots[item] =
          source[source[item]] == kNone ? source[item] : roots[source[item]];
  return roots;
}

//===--- Items ------------------------------------------------------------===//

static uint64_t entryOf(unsigned item, bool isSource) {
  return uint64_t(item) << 1 | uint64_t(isSource);
}
static unsigned itemOf(uint64_t entry) { return unsigned(entry >> 1); }
static bool isSourceOf(uint64_t entry) { return entry & 1; }

GroupOrder::GroupOrder(const Dependences &dependences)
    : nodes(dependences.size() + 1), source(dependences.source),
      roots(dependences.roots()) {
  unsigned count = dependences.size();
  for (unsigned item = 0; item <= count; ++item) {
    nodes[item].parent = item;
    nodes[item].before = item == 0 ? count : item - 1;
    nodes[item].after = item + 1 < count ? item + 1 : kNone;
  }
  nodes[count].before = kNone;
  nodes[count].after = count == 0 ? kNone : 0;
  for (const Dependences::Edge &edge : dependences.edges) {
    nodes[edge.from].neededBy.push_back(entryOf(edge.to, edge.isSource));
    nodes[edge.to].needs.push_back(entryOf(edge.from, edge.isSource));
  }
  for (auto &ofDirection : marks)
    for (std::vector<unsigned> &each : ofDirection)
      each.assign(count, 0);
  relabel();
}

unsigned GroupOrder::find(unsigned item) {
  while (nodes[item].parent != item) {
    nodes[item].parent = nodes[nodes[item].parent].parent;
    item = nodes[item].parent;
  }
  return item;
}

/// Whether `user`, a group, has its own copy of the view.
bool GroupOrder::isDead(unsigned view, unsigned user) {
  return roots[view] != kNone && find(roots[view]) == user;
}

//===--- The order --------------------------------------------------------===//

void GroupOrder::relabel() {
  constexpr uint64_t kStep = uint64_t(1) << 32;
  uint64_t label = 0;
  for (unsigned at = nodes.size() - 1; at != kNone; at = nodes[at].after)
    nodes[at].label = label += kStep;
}

void GroupOrder::unlink(unsigned group) {
  Node &node = nodes[group];
  nodes[node.before].after = node.after;
  if (node.after != kNone)
    nodes[node.after].before = node.before;
}

/// Puts groups, which are in no order, behind one.
void GroupOrder::insertAfter(unsigned place, ArrayRef<unsigned> groups) {
  unsigned next = nodes[place].after;
  unsigned at = place;
  for (unsigned group : groups) {
    nodes[at].after = group;
    nodes[group].before = at;
    at = group;
  }
  nodes[at].after = next;
  if (next != kNone)
    nodes[next].before = at;
  uint64_t begin = nodes[place].label;
  uint64_t end = next == kNone ? begin + (uint64_t(groups.size() + 1) << 32)
                               : nodes[next].label;
  uint64_t step = (end - begin) / (groups.size() + 1);
  if (step == 0 || end < begin)
    return relabel();
  for (unsigned group : groups)
    nodes[group].label = begin += step;
}

//===--- Queries ----------------------------------------------------------===//

/// Whether the group has not been visited this way.
bool GroupOrder::visit(Side &side, Step step) {
  auto &ofSide = marks[side.isForward];
  // A way that is not by views alone says more.
  if (ofSide[false][step.group] == query ||
      ofSide[step.onlyViews][step.group] == query)
    return false;
  if (ofSide[true][step.group] != query)
    side.visited.push_back(step.group);
  ofSide[step.onlyViews][step.group] = query;
  side.work.push_back(step);
  return true;
}

/// An item of the group that `to` needs.
unsigned GroupOrder::betweenItem(unsigned group, unsigned to) {
  for (Entry entry : nodes[to].needs)
    if (find(itemOf(entry)) == group)
      return itemOf(entry);
  return group;
}

/// Takes one step of a search between two groups. Returns true if something is
/// between them.
bool GroupOrder::advance(Side &side, unsigned from, unsigned to,
                         unsigned &third) {
  Step step = side.work.pop_back_val();
  unsigned begin = side.isForward ? from : to;
  unsigned end = side.isForward ? to : from;
  const auto &list =
      side.isForward ? nodes[step.group].neededBy : nodes[step.group].needs;
  side.scanned += list.size() + 1;
  for (Entry entry : list) {
    unsigned item = itemOf(entry);
    unsigned group = find(item);
    if (group == step.group || (side.isForward ? isDead(step.group, group)
                                               : isDead(group, step.group)))
      continue;
    bool isDirect = step.group == begin;
    if (group == end) {
      // A view reaches its group by views alone if it looks into the other.
      bool byViews =
          side.isForward ? step.onlyViews : step.onlyViews && isSourceOf(entry);
      if (isDirect || byViews)
        continue;
      third = side.isForward ? betweenItem(step.group, to) : step.first;
      return true;
    }
    bool isInside = side.isForward ? nodes[group].label < nodes[end].label
                                   : nodes[group].label > nodes[end].label;
    if (!isInside)
      continue;
    bool onlyViews = step.onlyViews;
    if (side.isForward)
      onlyViews &= isSourceOf(entry);
    else
      onlyViews &= source[group] != kNone && (isDirect || isSourceOf(entry));
    visit(side, {group, onlyViews, isDirect ? item : step.first});
  }
  return false;
}

GroupOrder::Answer GroupOrder::between(unsigned a, unsigned b) {
  unsigned from = find(a), to = find(b);
  assert(from != to && "a group and itself");
  if (nodes[from].label > nodes[to].label)
    std::swap(from, to);
  found.reset();
  ++query;
  Side sides[2];
  sides[true].isForward = true;
  visit(sides[false], {to, true, to});
  visit(sides[true], {from, true, from});
  auto cost = [&](const Side &side) {
    const Node &next = nodes[side.work.back().group];
    return side.scanned +
           (side.isForward ? next.neededBy.size() : next.needs.size());
  };
  while (!sides[false].work.empty() && !sides[true].work.empty()) {
    Side &side = sides[cost(sides[true]) <= cost(sides[false])];
    unsigned third = kNone;
    if (advance(side, from, to, third))
      return {Between::Something, third};
    if (sides[false].visited.size() + sides[true].visited.size() > kMaxVisits)
      return {Between::Unknown};
  }
  bool isForward = sides[true].work.empty();
  found = Found{from, to, isForward, std::move(sides[isForward].visited)};
  return {Between::Nothing};
}

//===--- Merges -----------------------------------------------------------===//

void GroupOrder::compact(unsigned group, SmallVector<Entry, 2> &list,
                         unsigned &kept, bool isForward) {
  if (list.size() <= 2 * kept + 16)
    return;
  llvm::erase_if(list, [&](Entry entry) {
    unsigned other = find(itemOf(entry));
    return other == group || (!isForward && isDead(itemOf(entry), group));
  });
  llvm::sort(list);
  list.erase(llvm::unique(list), list.end());
  kept = list.size();
}

void GroupOrder::merge(unsigned a, unsigned b) {
  unsigned from = find(a), to = find(b);
  if (nodes[from].label > nodes[to].label)
    std::swap(from, to);
  assert(found && found->first == from && found->second == to &&
         "the last query was another one");
  // The copies of the views between the two need what else the views need.
  SmallVector<unsigned> copied;
  for (Entry entry : nodes[to].needs)
    for (unsigned view = itemOf(entry);
         source[view] != kNone && find(roots[view]) == from;
         view = source[view]) {
      if (llvm::is_contained(copied, view))
        break;
      copied.push_back(view);
    }
  // What comes after the first moves behind the second, or what the second
  // needs moves before the first. Views between them stay behind both.
  SmallVector<unsigned> moved;
  for (unsigned group : found->visited)
    if (group != from && group != to &&
        (found->isForward || roots[group] == kNone ||
         find(roots[group]) != from))
      moved.push_back(group);
  llvm::sort(moved, [&](unsigned x, unsigned y) {
    return nodes[x].label < nodes[y].label;
  });
  for (unsigned group : moved)
    unlink(group);
  insertAfter(found->isForward ? to : nodes[from].before, moved);
  unsigned place = found->isForward ? to : from;
  auto sizeOf = [&](unsigned group) {
    return nodes[group].needs.size() + nodes[group].neededBy.size();
  };
  unsigned kept = sizeOf(from) >= sizeOf(to) ? from : to;
  unsigned gone = kept == from ? to : from;
  Node &node = nodes[kept];
  if (place != kept) {
    unlink(kept);
    insertAfter(place, kept);
  }
  unlink(gone);
  nodes[gone].parent = kept;
  llvm::append_range(node.needs, std::exchange(nodes[gone].needs, {}));
  llvm::append_range(node.neededBy, std::exchange(nodes[gone].neededBy, {}));
  for (unsigned view : copied)
    for (Entry entry : nodes[view].needs)
      if (!isSourceOf(entry)) {
        node.needs.push_back(entry);
        nodes[find(itemOf(entry))].neededBy.push_back(entryOf(kept, false));
      }
  compact(kept, node.needs, node.needsKept, /*isForward=*/false);
  compact(kept, node.neededBy, node.neededByKept, /*isForward=*/true);
  found.reset();
}

bool GroupOrder::isConsistent() {
  for (unsigned item = 0; item + 1 < nodes.size(); ++item) {
    unsigned group = find(item);
    if (group != item)
      continue;
    for (Entry entry : nodes[group].needs) {
      unsigned other = find(itemOf(entry));
      if (other != group && !isDead(itemOf(entry), group) &&
          nodes[other].label >= nodes[group].label)
        return false;
    }
  }
  return true;
}
