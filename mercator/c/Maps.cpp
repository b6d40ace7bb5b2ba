// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/c/Handles.h"

#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/maps/Prove.h"
#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <optional>

using namespace mercator;
using namespace mercator::indexing;

// NOLINTNEXTLINE(readability-identifier-naming): a name of C
struct mercator_map {
  Arena arena;
  Map map;
  /// The results, then the constraints.
  std::optional<CompiledExprs> program;
  std::string text; ///< with all that is known of runtime variables
};

/// A handle for the map that `make` finds in the arena of the handle. `make` may
/// fail.
static mercator_map *
makeHandle(llvm::function_ref<std::optional<Map>(Arena &)> make) {
  auto handle = std::make_unique<mercator_map>();
  std::optional<Map> map = make(handle->arena);
  if (!map)
    return nullptr;
  handle->map = std::move(*map);
  std::vector<Expr> exprs(handle->map.results.begin(),
                          handle->map.results.end());
  for (const Constraint &constraint : handle->map.domain.constraints)
    exprs.push_back(constraint.expr);
  handle->program.emplace(handle->arena, handle->map.domain, exprs);
  handle->text = toLines(handle->map);
  return handle.release();
}

/// The map of a handle in another arena. None after an error: its text is too long.
static std::optional<Map> copyInto(Arena &arena, const mercator_map &from,
                                   Messages &messages) {
  ParseError error;
  std::optional<Map> map = parseMap(arena, from.text, error);
  if (!map)
    (void)messages.diagnostics().error(
        {}, "expected a map of at most 1 MiB as text");
  return map;
}

mercator_status mercator_parse_map(const char *text, size_t size,
                                   mercator_map **map,
                                   mercator_text **messages) {
  if (!map)
    return refuse(messages, "expected a place for the map, got NULL");
  *map = nullptr;
  if (!text)
    return refuse(messages, "expected the text of a map, got NULL");
  Messages said;
  SourceBuffer source("<map>", std::string(text, size));
  *map = makeHandle([&](Arena &arena) {
    ParseError error;
    std::optional<Map> parsed = parseMap(arena, source.getText(), error);
    if (!parsed)
      report(error, source, said.diagnostics());
    return parsed;
  });
  give(said.take(), messages);
  return *map ? MERCATOR_DONE : MERCATOR_INPUT_REJECTED;
}

void mercator_free_map(mercator_map *map) { delete map; }

mercator_text *mercator_map_text(const mercator_map *map) {
  return map ? makeText(toString(map->map)) : nullptr;
}

mercator_text *mercator_map_structure(const mercator_map *map) {
  if (!map)
    return nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  writeStructure(map->map, json);
  return makeText(std::move(text));
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Clears `inside` of the points where a value is not within the bounds.
static void keepWithin(Interval bounds, const int64_t *values,
                       llvm::MutableArrayRef<uint8_t> inside) {
  for (size_t i = 0; i < inside.size(); ++i)
    inside[i] &=
        uint8_t(bounds.lower <= values[i] && values[i] <= bounds.upper);
}

mercator_status mercator_map_evaluate(const mercator_map *map, size_t count,
                                      const int64_t *const *variables,
                                      int64_t *const *elements, uint8_t *inside,
                                      mercator_text **messages) {
  give({}, messages);
  if (!map)
    return refuse(messages, "expected a map, got NULL");
  const Domain &domain = map->map.domain;
  size_t numVars = domain.numVars(), numResults = map->map.numResults();
  auto isMissing = [](auto *const *columns, size_t size) {
    return size > 0 &&
           (!columns ||
            llvm::is_contained(llvm::ArrayRef(columns, size), nullptr));
  };
  if (count > 0 && (!inside || isMissing(variables, numVars) ||
                    isMissing(elements, numResults)))
    return refuse(messages, "expected an array for each variable, for each "
                            "result and for `inside`, got NULL");
  std::vector<Interval> bounds;
  domain.forEachVar([&](Var v) { bounds.push_back(domain.bounds(v)); });

  // In parts, so that the values of constraints need little memory.
  constexpr size_t kPart = 4096;
  std::vector<std::vector<int64_t>> values(domain.constraints.size());
  std::vector<const int64_t *> inputs(numVars);
  std::vector<int64_t *> outputs(numResults + values.size());
  std::vector<uint8_t> defined;
  for (size_t begin = 0; begin < count; begin += kPart) {
    size_t size = std::min(kPart, count - begin);
    llvm::MutableArrayRef<uint8_t> good(inside + begin, size);
    std::fill(good.begin(), good.end(), uint8_t(!map->map.isKnownEmpty()));
    for (size_t v = 0; v < numVars; ++v)
      inputs[v] = variables[v] + begin;
    for (size_t r = 0; r < numResults; ++r)
      outputs[r] = elements[r] + begin;
    for (auto [i, column] : llvm::enumerate(values)) {
      column.resize(size);
      outputs[numResults + i] = column.data();
    }
    defined.assign(size, 1);
    if (!map->program->evaluate(size, inputs.data(), outputs.data(),
                                defined.data()))
      for (size_t i = 0; i < size; ++i)
        good[i] &= defined[i];
    for (size_t v = 0; v < numVars; ++v)
      keepWithin(bounds[v], inputs[v], good);
    for (auto [i, constraint] : llvm::enumerate(domain.constraints))
      keepWithin(constraint.bounds, values[i].data(), good);
  }
  return MERCATOR_DONE;
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

mercator_status mercator_map_compose(const mercator_map *first,
                                     const mercator_map *second,
                                     mercator_map **map,
                                     mercator_text **messages) {
  if (!map)
    return refuse(messages, "expected a place for the map, got NULL");
  *map = nullptr;
  if (!first || !second)
    return refuse(messages, "expected two maps, got NULL");
  Messages said;
  if (first->map.numResults() != second->map.numDims()) {
    (void)said.diagnostics().error(
        {}, "expected a second map with " +
                llvm::Twine(first->map.numResults()) +
                " dimensions, one for each result of the first map, got " +
                llvm::Twine(second->map.numDims()));
    give(said.take(), messages);
    return MERCATOR_INPUT_REJECTED;
  }
  *map = makeHandle([&](Arena &arena) -> std::optional<Map> {
    std::optional<Map> a = copyInto(arena, *first, said);
    std::optional<Map> b = copyInto(arena, *second, said);
    if (!a || !b)
      return std::nullopt;
    return simplify(compose(*a, *b));
  });
  give(said.take(), messages);
  return *map ? MERCATOR_DONE : MERCATOR_UNDECIDED;
}

/// The smallest extents that hold all results. None after an error.
static std::optional<std::vector<int64_t>> extentsOf(const Map &map,
                                                     Messages &messages) {
  std::vector<int64_t> sizes;
  IntervalAnalysis analysis(*map.arena, map.domain);
  for (Expr result : map.results) {
    Interval bounds =
        map.isKnownEmpty() ? Interval{0, 0} : analysis.interval(result);
    if (!bounds.hasUpper() || bounds.upper == INT64_MAX || bounds.lower < 0) {
      (void)messages.diagnostics().error(
          {}, "expected results with bounds from 0, got " +
                  llvm::Twine(toString(*map.arena, result, &map.domain)) +
                  " in " + toShortString(bounds));
      messages.diagnostics().help("give the sizes of the tensor that is read");
      return std::nullopt;
    }
    sizes.push_back(bounds.upper + 1);
  }
  return sizes;
}

mercator_status mercator_map_invert(const mercator_map *map,
                                    const int64_t *sizes, size_t count,
                                    mercator_map **inverse,
                                    mercator_text **messages) {
  if (!inverse)
    return refuse(messages, "expected a place for the map, got NULL");
  *inverse = nullptr;
  if (!map)
    return refuse(messages, "expected a map, got NULL");
  Messages said;
  if (sizes && (count != map->map.numResults() ||
                llvm::any_of(llvm::ArrayRef(sizes, count),
                             [](int64_t size) { return size < 0; }))) {
    (void)said.diagnostics().error(
        {}, "expected " + llvm::Twine(map->map.numResults()) +
                " sizes of at least 0, one for each result, got " +
                (count == map->map.numResults() ? std::string("a negative one")
                                                : std::to_string(count)));
    give(said.take(), messages);
    return MERCATOR_INPUT_REJECTED;
  }
  *inverse = makeHandle([&](Arena &arena) -> std::optional<Map> {
    std::optional<Map> copy = copyInto(arena, *map, said);
    if (!copy)
      return std::nullopt;
    std::optional<std::vector<int64_t>> extents =
        sizes ? llvm::ArrayRef(sizes, count).vec() : extentsOf(*copy, said);
    if (!extents)
      return std::nullopt;
    return indexing::inverse(*copy, *extents);
  });
  give(said.take(), messages);
  return *inverse ? MERCATOR_DONE : MERCATOR_INPUT_REJECTED;
}

mercator_status mercator_map_simplify(const mercator_map *map,
                                      mercator_map **simple,
                                      mercator_text **answer,
                                      mercator_text **messages) {
  if (simple)
    *simple = nullptr;
  if (answer)
    *answer = nullptr;
  if (!map)
    return refuse(messages, "expected a map, got NULL");
  Messages said;
  SourceBuffer source("<map>", map->text);
  Answer<Simplified> simplified =
      mercator::simplify(source, said.diagnostics());
  mercator_status status = MERCATOR_INTERNAL_ERROR;
  if (!simplified)
    status = statusOf(simplified.getFailure());
  else if (simplified->proof.verdict != Proof::Verdict::Different)
    status = simplified->proof.verdict == Proof::Verdict::Equal
                 ? MERCATOR_DONE
                 : MERCATOR_UNDECIDED;
  else
    (void)said.diagnostics().error(
        {}, "the simplified map differs from the given map: a bug in Mercator");
  if (simplified && simple)
    *simple = makeHandle([&](Arena &arena) -> std::optional<Map> {
      std::optional<Map> copy = copyInto(arena, *map, said);
      if (!copy)
        return std::nullopt;
      return indexing::simplify(*copy);
    });
  give(said.take(), messages);
  if (simplified && answer) {
    std::string text;
    llvm::raw_string_ostream os(text);
    writeJson(*simplified, os);
    *answer = makeText(std::move(text));
  }
  return status;
}

mercator_status mercator_map_prove(const mercator_map *first,
                                   const mercator_map *second,
                                   mercator_text **answer,
                                   mercator_text **messages) {
  if (answer)
    *answer = nullptr;
  if (!first || !second)
    return refuse(messages, "expected two maps, got NULL");
  Messages said;
  SourceBuffer a("<map 1>", first->text), b("<map 2>", second->text);
  Answer<Proof> proof = prove(a, b, said.diagnostics());
  give(said.take(), messages);
  if (!proof)
    return statusOf(proof.getFailure());
  if (answer) {
    std::string text;
    llvm::raw_string_ostream os(text);
    writeJson(*proof, os);
    *answer = makeText(std::move(text));
  }
  switch (proof->verdict) {
  case Proof::Verdict::Equal:
    return MERCATOR_DONE;
  case Proof::Verdict::Different:
    return MERCATOR_PROPERTY_FALSE;
  case Proof::Verdict::Undecided:
    break;
  }
  return MERCATOR_UNDECIDED;
}
