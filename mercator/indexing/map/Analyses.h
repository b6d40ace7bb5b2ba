// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis results that an arena remembers: the domains it has seen, and
// for each expression the last result of each analysis.
//
// Each domain is interned to a number, its epoch. Each expression has one memo
// entry with its interval and its simplified form. Both are stamped with the
// epoch of the domain that they were computed for. So switching to another
// domain costs nothing and clears nothing, and switching back finds the entries
// that no other domain has overwritten.
//
// Internal: included by the .cpp files of this library only.

#ifndef MERCATOR_INDEXING_MAP_ANALYSES_H
#define MERCATOR_INDEXING_MAP_ANALYSES_H

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/map/Map.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace mercator::indexing {

struct IntervalAnalysis::Data {
  uint32_t epoch = 0;
  uint64_t hash = 0;
  llvm::SmallVector<Interval, 12> given;     ///< bounds of the domain, by slot
  llvm::SmallVector<Interval, 12> tightened; ///< implied by all constraints
  llvm::SmallVector<Residue, 12> residues;
  uint32_t numDims = 0, numRanges = 0, numRuntimes = 0;
  llvm::SmallVector<Constraint, 4> constraints;
  bool knownEmpty = false;
  bool givenEmpty = false; ///< the domain itself said so
  /// The epoch of the domain that simplifying this one gives; 0: not known yet.
  uint32_t simplifiedEpoch = 0;
  /// Maps on this domain whose range variables were rewritten, and their
  /// simplified forms.
  struct Rewritten {
    Map given, simple;
    bool foldPoints, normalForm;
  };
  std::vector<Rewritten> rewritten = {};

  /// Position of a variable in the lists; past the end for unknown variables.
  uint32_t slot(Var v) const {
    switch (v.kind) {
    case VarKind::Dim:
      return v.index < numDims ? v.index : ~0u;
    case VarKind::Range:
      return v.index < numRanges ? numDims + v.index : ~0u;
    case VarKind::Runtime:
      break;
    }
    return v.index < numRuntimes ? numDims + numRanges + v.index : ~0u;
  }
};

struct Analyses : Arena::AnalysisState {
  /// The last results for one expression, and the epochs they belong to.
  struct Memo {
    Interval interval;
    uint32_t intervalEpoch;
    uint32_t simplifyEpoch;
    Expr simplified;
    uint32_t size; ///< see sizeOf; 0: not computed yet
  };
  llvm::SmallVector<IntervalAnalysis::Data *, 8> domains; ///< by epoch - 1
  /// Open addressing by hash, holding epochs; empty while domains are few.
  std::vector<uint32_t> domainTable;
  IntervalAnalysis::Data *last = nullptr;

  /// The place of the next domain. Its members are those of an earlier search.
  IntervalAnalysis::Data &next() {
    if (nextDomain)
      return *nextDomain;
    size_t index = domains.size();
    void *place = index < kInlineDomains
                      ? inlineDomains + index * sizeof(IntervalAnalysis::Data)
                      : std::malloc(sizeof(IntervalAnalysis::Data));
    if (!place)
      std::abort(); // Out of memory: nothing sensible is left to do.
    // Not value-initialized, which would clear the inline elements too.
    return *(nextDomain = new (place) IntervalAnalysis::Data);
  }
  void addNext() {
    domains.push_back(std::exchange(nextDomain, nullptr));
    domains.back()->epoch = domains.size();
  }

  /// Valid until the next call.
  Memo &memo(const Arena &arena, Expr e) {
    if (e.getId() >= used)
      grow(arena.idBound());
    return memos[e.getId()];
  }
  Analyses() {} // not defaulted: make_unique would clear the inline bytes
  ~Analyses() override {
    if (nextDomain)
      addNext();
    for (auto [i, domain] : llvm::enumerate(domains)) {
      domain->~Data();
      if (i >= kInlineDomains)
        std::free(domain);
    }
    if (memos != inlineMemos())
      std::free(memos);
  }
  Analyses(const Analyses &) = delete;
  Analyses &operator=(const Analyses &) = delete;

private:
  void grow(uint32_t bound) {
    if (bound > capacity) {
      capacity = bound + bound / 2;
      bool isInline = memos == inlineMemos();
      void *grown =
          std::realloc(isInline ? nullptr : static_cast<void *>(memos),
                       capacity * sizeof(Memo));
      if (!grown)
        std::abort();
      if (isInline)
        std::memcpy(grown, inlineMemos(), used * sizeof(Memo));
      memos = static_cast<Memo *>(grown);
    }
    // Small arenas use a few of the entries.
    for (; used < bound; ++used)
      memos[used].intervalEpoch = memos[used].simplifyEpoch = memos[used].size =
          0;
  }
  Memo *inlineMemos() { return reinterpret_cast<Memo *>(inlineBytes); }

  // Small arenas need no other allocation.
  static constexpr uint32_t kInlineMemos = 96, kInlineDomains = 4;
  IntervalAnalysis::Data *nextDomain = nullptr;
  Memo *memos = inlineMemos();
  uint32_t used = 0, capacity = kInlineMemos;
  alignas(16) char inlineBytes[kInlineMemos * sizeof(Memo)];
  alignas(
      16) char inlineDomains[kInlineDomains * sizeof(IntervalAnalysis::Data)];
};

inline Analyses &analysesOf(Arena &arena) {
  if (!arena.analysisState)
    arena.analysisState = std::make_unique<Analyses>();
  return static_cast<Analyses &>(*arena.analysisState);
}

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_ANALYSES_H
