// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What GroupByMaps.h describes, for the files that implement it: Nodes.cpp has the
// operations and edges, Merges.cpp what becomes of two groups, Review.cpp what the
// target says of the result, Notes.cpp why.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_MAPGROUPING_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_MAPGROUPING_H

#include "mercator/analysis/cells/Align.h"
#include "mercator/analysis/cells/Space.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/formation/maps/GroupByMaps.h"
#include "mercator/transforms/flow/formation/maps/GroupOrder.h"

namespace mercator::flow::maps {

/// What an unknown extent is taken for.
inline constexpr double kUnknownExtent = 128;

/// An operation that can be in a dispatch with others.
struct Node {
  mlir::Operation *op;
  unsigned item; ///< in the order of all operations
  /// None: a dispatch of its own.
  std::optional<cells::Space> space;
  /// The cells that the operation has alone, as expressions over its
  /// iterations.
  llvm::SmallVector<indexing::Expr> cells;
};

struct Edge {
  unsigned from, to;    ///< nodes
  mlir::Value value;    ///< a result of `from`, or what both read
  mlir::OpOperand *use; ///< of `to`, perhaps of a view of the value
  indexing::MapSet maps;
  double bytes;
  bool areSiblings;
};

inline constexpr unsigned kNoGroup = ~0U;

struct CellGroup {
  unsigned parent;
  /// The two groups that this one was made of.
  unsigned writer = kNoGroup, reader = kNoGroup;
  /// The coordinates of the parent, over those of this group.
  llvm::SmallVector<indexing::Expr> up;
  /// The values of each coordinate.
  llvm::SmallVector<indexing::Interval> cells;
  GroupTraffic traffic;
  bool hasChain = false; ///< a member computes what is not stored
  llvm::SmallVector<unsigned> members;
  llvm::SmallVector<unsigned> edges; ///< from or to members
};

/// A group that was divided again, and how long the target takes for it whole, and
/// for its parts.
struct Division {
  std::vector<unsigned> members; ///< sorted
  double whole, parts;
};

/// A merge that is possible.
struct Merge {
  unsigned writer, reader; ///< groups
  llvm::SmallVector<cells::Pair> pairs;
  llvm::SmallVector<indexing::Interval> cells;
  llvm::SmallVector<double> extents;
  Origins writerOrigins, readerOrigins;
  llvm::SmallVector<Handed> handed;
  Estimate estimate;
  mlir::Operation *third = nullptr; ///< between the two, if one was found
  /// The writer has no coordinates: each tile of cells computes all of it.
  bool isRepeated = false;
  /// If that was refused: how often each value would be computed.
  double wouldRepeat = 0;
};

class MapGrouping {
public:
  MapGrouping(mlir::FunctionOpInterface function, const Machine &machine,
              llvm::ArrayRef<FusedLines> fused, Reasons &reasons,
              DispatchTime *time = nullptr)
      : function(function), machine(machine), fused(fused), reasons(reasons),
        time(time), blocks(function), order(dependencesOf(blocks)) {}

  DispatchGroups run();
  /// What the given groups take.
  Totals estimate(const DispatchGroups &grouping);

private:
  mlir::FunctionOpInterface function;
  const Machine &machine;
  llvm::ArrayRef<FusedLines> fused;
  Reasons &reasons;
  DispatchTime *time; ///< of the target; null if it does not say
  FormationBlocks blocks;
  GroupOrder order; ///< of `blocks.operations`
  indexing::Arena arena;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf;
  std::vector<Edge> edges;
  std::vector<CellGroup> groups; ///< the first of them are those of the nodes
  /// The edges of the merges, and the groups that these made.
  std::vector<std::pair<unsigned, unsigned>> merges;
  std::vector<Division> divisions;
  double programBytes = 0;
  int64_t questions =
      0; ///< operations that the target may still be asked about
  llvm::DenseSet<unsigned> forced; ///< groups that must not be divided
  llvm::DenseMap<unsigned, std::optional<double>> times; ///< of groups
  /// Answers that nothing has asked for yet.
  llvm::DenseMap<unsigned, std::optional<double>> ahead;

  void collectNodes();
  void startGroups();
  void addEdges(unsigned node);
  void addSiblings();
  void addTraffic(unsigned node);
  void addWholeTraffic(unsigned node);
  Totals totals(unsigned dispatches);
  bool escapes(mlir::Value value);

  llvm::SmallVector<indexing::Expr> compose(llvm::ArrayRef<indexing::Expr> up,
                                            llvm::ArrayRef<indexing::Expr> own);
  unsigned groupOf(unsigned number);
  llvm::SmallVector<indexing::Expr> cellsOf(unsigned node);
  unsigned itemOf(unsigned group) const;
  std::optional<EdgeReason> dependsThroughOthers(Merge &merge);
  bool findCells(Merge &merge, llvm::ArrayRef<unsigned> between);
  std::optional<Merge> repeatWriter(const Merge &merge);
  std::optional<EdgeReason> judge(const Merge &merge);
  std::optional<EdgeReason> ask(const Edge &edge, Merge &merge);
  static bool isForced(const Edge &edge);
  bool refuses(const Edge &edge, Merge &merge);
  void merge(Merge &merge);
  void join(Merge &merge);
  void sweep();
  void review();
  double bytesLive();
  std::vector<unsigned> membersOf(unsigned group) const;
  std::optional<double> timeOf(unsigned group);
  void collectQuestions(unsigned group, unsigned levels, int64_t &limit,
                        llvm::SmallVectorImpl<unsigned> &asked) const;
  void askAhead(llvm::ArrayRef<unsigned> asked);
  std::optional<double> bestTime(unsigned group, unsigned levels,
                                 llvm::DenseSet<unsigned> &divided);
  void fuseLines();
  std::string whatKeepsApart(const Edge &edge, const Merge &merge);
  std::vector<FusedLines> linesOfEdges();
  const Division *divisionOf(const Edge &edge) const;
  void explain(const Edge &edge, const FusedLines &lines,
               std::optional<EdgeReason> refusal, Merge &merge,
               const Division *division);

  bool isRepeated(unsigned node);
  mlir::AffineMap toAffineCells(unsigned node);
  DispatchGroups finish();
};

} // namespace mercator::flow::maps

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_MAPGROUPING_H
