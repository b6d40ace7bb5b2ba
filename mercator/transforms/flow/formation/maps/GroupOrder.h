// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A topological order of groups, kept while groups are merged.
///
/// Items are numbered in a topological order. At first each item is a group of
/// its own. A merge of two groups is legal if no third group depends on the one
/// and is needed by the other: then groups never depend on each other in a
/// circle. What decides is the path between *groups*:
///
///   a1 -> b1      {a1, a2} and {b1, b2} are groups.
///   b2 -> a2      c comes after a1 and before b2, but no item depends on
///   a1 -> c       itself. Still the groups need each other, and may not be.
///
/// A view (a reshape or a slice) depends on its source in another way. A group
/// that has the source gets its own copy of the view. A view between two groups
/// is therefore not third:
///
///   a -> v -> b   v is a view of a: a and b can be one group, {a, v', b}, and
///                 v stays for others.
///
/// Laws. There is no circle of groups at any time. `between(a, b)` is `nothing`
/// exactly if `merge(a, b)` leaves none.
///
/// The order is a linked list with labels. A search from one group to another
/// stays between their labels, and goes in both directions in turn; the side
/// that ends first is moved past the other group (Bender, Fineman, Gilbert,
/// Tarjan: A New Approach to Incremental Cycle Detection, 2016, have the
/// two-way search for edges). Complexity: of a query, the dependences of the smaller
/// side, at most kMaxVisits groups; of a merge the same, and the dependences of
/// the smaller group.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_GROUPORDER_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_GROUPORDER_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mercator::flow {

/// What each item needs.
struct Dependences {
  static constexpr unsigned kNone = ~0u;

  struct Edge {
    unsigned from, to; ///< `to` needs `from`
    bool isSource;     ///< `to` is a view, and looks into `from`
  };

  /// Requires: `from < to` in each edge; a view has at most one source. What
  /// it needs besides, the offsets of a slice, is no view and is never merged.
  explicit Dependences(unsigned count) : source(count, kNone) {}

  void add(unsigned from, unsigned to) { edges.push_back({from, to, false}); }
  void addSource(unsigned from, unsigned view) {
    edges.push_back({from, view, true});
    source[view] = from;
  }
  [[nodiscard]] unsigned size() const { return source.size(); }
  /// For each view the item at the begin of its chain of views; kNone for
  /// others.
  [[nodiscard]] std::vector<unsigned> roots() const;

  std::vector<Edge> edges;
  std::vector<unsigned> source; ///< of each view; kNone for others
};

class GroupOrder {
public:
  /// The most groups that one query visits.
  static constexpr unsigned kMaxVisits = 4096;

  explicit GroupOrder(const Dependences &dependences);

  enum class Between { Nothing, Something, Unknown };
  struct Answer {
    Between between;
    /// An item between the two, if there is something.
    unsigned third = Dependences::kNone;
  };

  /// The group of an item, as the number of one of its items.
  [[nodiscard]] unsigned find(unsigned item);
  /// Whether the groups of two items can be one. Requires: they are two, and
  /// neither item is a view. `unknown` if the search was given up.
  [[nodiscard]] Answer between(unsigned a, unsigned b);
  /// Makes them one. Requires: the last call of between() was about these, and
  /// its answer was `nothing`.
  void merge(unsigned a, unsigned b);

  /// Whether each group comes after what it needs, by all dependences. For tests.
  [[nodiscard]] bool isConsistent();

private:
  using Entry = uint64_t; ///< an item, and whether the edge is to a source
  struct Node {
    unsigned parent;
    uint64_t label;
    unsigned before, after; ///< in the order
    llvm::SmallVector<Entry, 2> needs, neededBy;
    unsigned needsKept = 0, neededByKept = 0;
  };
  struct Step {
    unsigned group;
    bool onlyViews;
    unsigned first; ///< item, of a search from the last: the first on the way
  };
  /// A search in one direction.
  struct Side {
    bool isForward = false;
    llvm::SmallVector<Step> work;
    std::vector<unsigned> visited; ///< groups
    unsigned scanned = 0;
  };

  bool isDead(unsigned view, unsigned user);
  bool advance(Side &side, unsigned from, unsigned to, unsigned &third);
  bool visit(Side &side, Step step);
  unsigned betweenItem(unsigned group, unsigned to);
  void compact(unsigned group, llvm::SmallVector<Entry, 2> &list,
               unsigned &kept, bool isForward);
  void unlink(unsigned group);
  void insertAfter(unsigned place, llvm::ArrayRef<unsigned> groups);
  void relabel();

  std::vector<Node> nodes; ///< the last is the begin of the order
  std::vector<unsigned> source, roots;
  /// The query that marked a group: forward and backward, by views alone and not.
  std::vector<unsigned> marks[2][2];
  unsigned query = 0;
  /// The last query.
  struct Found {
    unsigned first, second;
    bool isForward;
    std::vector<unsigned> visited;
  };
  std::optional<Found> found;
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_GROUPORDER_H
