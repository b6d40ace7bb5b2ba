// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What GroupByMaps.h describes, for the files that implement it: Nodes.cpp has the
// operations and edges, Merges.cpp what becomes of two groups, Notes.cpp why.

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

struct CellGroup {
  unsigned parent;
  /// The coordinates of the parent, over those of this group.
  llvm::SmallVector<indexing::Expr> up;
  /// The values of each coordinate.
  llvm::SmallVector<indexing::Interval> cells;
  GroupTraffic traffic;
  llvm::SmallVector<unsigned> members;
  llvm::SmallVector<unsigned> edges; ///< from or to members
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
              llvm::ArrayRef<FusedLines> fused, Reasons &reasons)
      : machine(machine), fused(fused), reasons(reasons), blocks(function),
        order(dependencesOf(blocks)) {}

  DispatchGroups run();
  /// What the given groups take.
  Totals estimate(const DispatchGroups &grouping);

private:
  const Machine &machine;
  llvm::ArrayRef<FusedLines> fused;
  Reasons &reasons;
  FormationBlocks blocks;
  GroupOrder order; ///< of `blocks.operations`
  indexing::Arena arena;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf;
  std::vector<Edge> edges;
  std::vector<CellGroup> groups; ///< the first of them are those of the nodes

  void collectNodes();
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
  void merge(Merge &merge);
  void join(Merge &merge);
  void fuseLines();
  std::string whatKeepsApart(const Edge &edge, const Merge &merge);
  std::vector<FusedLines> linesOfEdges();
  void explain(const Edge &edge, const FusedLines &lines,
               std::optional<EdgeReason> refusal, Merge &merge);

  bool isRepeated(unsigned node);
  mlir::AffineMap toAffineCells(unsigned node);
  DispatchGroups finish();
};

} // namespace mercator::flow::maps

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_MAPS_MAPGROUPING_H
