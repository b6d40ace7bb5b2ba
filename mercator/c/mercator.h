// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The C interface of Mercator: the library libmercator.so. Other languages use
/// Mercator through this header; the Python package is written on it.
///
///   mercator_compilation *program = NULL;
///   mercator_text *messages = NULL, *answer = NULL;
///   if (mercator_load_file("softmax.hlo", &program, &messages) != MERCATOR_DONE) {
///     fputs(mercator_text_data(messages), stderr);
///     mercator_free_text(messages);
///     return 1;
///   }
///   const char *words[] = {"map", "--fused", "--json"};
///   mercator_ask(program, words, 3, &answer, NULL);
///   puts(mercator_text_data(answer)); // in the form of schemas/mercator.map-1.json
///   mercator_free_text(answer);
///   mercator_free_compilation(program);
///
/// Questions. A question about a program has the words of the command line
/// (docs/cli.md), without the name of the file. So every option of a command can be
/// given, `--json` gives the JSON that schemas/ describes, and without `--json` the
/// answer is the text that the command prints. The library calls the code of the
/// commands; a later version may have a function with a struct of options for each.
///
/// Errors. A function that can fail returns a status, which is the exit code of the
/// command in the same case. Its last argument, if it is not NULL, receives the
/// messages: a line of JSON for each error, warning, note and help, in the form of
/// schemas/mercator.diagnostic-1.json, or NULL if there are none. An answer that the
/// function could not give is NULL. A NULL handle is an error like any other. No
/// input ends the process; a bug in Mercator may.
///
/// Ownership. Whoever receives a handle frees it with the function of its type, which
/// accepts NULL. Results of a run keep their program alive. Texts and arrays are valid
/// until their handle is freed.
///
/// Threads. Handles are independent of each other. Calls with one handle wait for each
/// other. The library keeps no state between calls except in handles; the threads that
/// run kernels are shared by all programs, and so is their number (`--threads`).
/// mercator_command is an exception: it is for a process that is a command.
///
/// Stability. A function keeps its name and its meaning while MERCATOR_C_VERSION stays
/// the same. Structs of this header do not grow.

#ifndef MERCATOR_C_MERCATOR_H
#define MERCATOR_C_MERCATOR_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MERCATOR_API __attribute__((visibility("default")))
#else
#define MERCATOR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming, modernize-use-using): names of C

#define MERCATOR_C_VERSION 1

//===----------------------------------------------------------------------===//
// Versions, statuses, texts
//===----------------------------------------------------------------------===//

/// The value of MERCATOR_C_VERSION that the library was built with.
MERCATOR_API uint32_t mercator_c_version(void);
/// "0.1.0 (LLVM 22.1.0, commit 0123456789ab)", as `mercator --version` prints it.
MERCATOR_API const char *mercator_version(void);

typedef enum mercator_status {
  MERCATOR_DONE = 0,
  MERCATOR_INPUT_REJECTED = 1, ///< the messages say where and why
  MERCATOR_WRONG_USAGE = 2,    ///< unknown words, a missing argument, NULL
  MERCATOR_PROPERTY_FALSE = 3, ///< maps differ; there is an answer
  MERCATOR_UNDECIDED = 4,      ///< undecided, or a limit was reached
  MERCATOR_INTERNAL_ERROR = 70 ///< a bug in Mercator
} mercator_status;

/// Bytes, with a zero byte behind them that their size does not count.
typedef struct mercator_text mercator_text;
/// "" and 0 for NULL.
MERCATOR_API const char *mercator_text_data(const mercator_text *text);
MERCATOR_API size_t mercator_text_size(const mercator_text *text);
MERCATOR_API void mercator_free_text(mercator_text *text);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A program: HLO text, StableHLO, or MLIR that Mercator reads.
typedef struct mercator_compilation mercator_compilation;

/// `name` is the file name in messages. The bytes are copied.
MERCATOR_API mercator_status mercator_load(const char *name, const char *bytes,
                                           size_t size,
                                           mercator_compilation **program,
                                           mercator_text **messages);
MERCATOR_API mercator_status mercator_load_file(const char *path,
                                                mercator_compilation **program,
                                                mercator_text **messages);
/// The name of the module, "module" if it has none. "" for NULL.
MERCATOR_API const char *
mercator_compilation_name(const mercator_compilation *program);
MERCATOR_API void mercator_free_compilation(mercator_compilation *program);

/// Asks a question: `map`, `tile`, `access`, `explain`, `run` or `compile`, and
/// options. With `-o FILE` the file gets the answer.
MERCATOR_API mercator_status mercator_ask(mercator_compilation *program,
                                          const char *const *words,
                                          size_t count, mercator_text **answer,
                                          mercator_text **messages);

/// `diff`, about two programs. MERCATOR_PROPERTY_FALSE if their maps differ.
MERCATOR_API mercator_status mercator_diff(mercator_compilation *first,
                                           mercator_compilation *second,
                                           const char *const *options,
                                           size_t count, mercator_text **answer,
                                           mercator_text **messages);

/// Writes machine code for a CPU to the file `path`; `options` are those of
/// `compile --target=cpu`. By default a shared library, `path` then ends in .so and a
/// header of C lies beside it.
MERCATOR_API mercator_status mercator_compile(mercator_compilation *program,
                                              const char *path,
                                              const char *const *options,
                                              size_t count,
                                              mercator_text **messages);

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Elements in row-major order, without gaps.
typedef struct mercator_array {
  /// The type of an element, as MLIR writes it: "f32", "bf16", "i32" (signed),
  /// "ui8", "i1", "complex<f32>", "f8E4M3FN". A bool and an integer of fewer than 8
  /// bits take a byte each.
  const char *element;
  int64_t rank;
  const int64_t *shape; ///< may be NULL for rank 0
  const void *data;     ///< may be NULL if there are no elements
} mercator_array;

typedef struct mercator_results mercator_results;

/// Runs the program as machine code of this CPU, which is kept in a cache, or as
/// `options` of `run` say: `--reference`, `--function=NAME`, `--threads=N`. There is
/// an array for each parameter, in order; `--input` gives those that follow. The
/// arrays are copied. The program keeps the code of its last run, for runs with the
/// same options.
MERCATOR_API mercator_status mercator_run(
    mercator_compilation *program, const char *const *options,
    size_t optionCount, const mercator_array *inputs, size_t inputCount,
    mercator_results **results, mercator_text **messages);
/// The number of arrays: those of the members of a tuple, in order. 0 for NULL.
MERCATOR_API size_t mercator_results_count(const mercator_results *results);
/// MERCATOR_WRONG_USAGE if there is no such array.
MERCATOR_API mercator_status mercator_results_get(
    const mercator_results *results, size_t index, mercator_array *array);
MERCATOR_API void mercator_free_results(mercator_results *results);

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// An indexing map, such as
///   (d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 9], s0 in [0, 3]
typedef struct mercator_map mercator_map;

/// Reads the notation of maps (docs/cli.md).
MERCATOR_API mercator_status mercator_parse_map(const char *text, size_t size,
                                                mercator_map **map,
                                                mercator_text **messages);
MERCATOR_API void mercator_free_map(mercator_map *map);
/// The map in the notation. NULL for NULL.
MERCATOR_API mercator_text *mercator_map_text(const mercator_map *map);
/// The map as JSON: `structure` in schemas/mercator.map-1.json. Its variables stand
/// in the order of the columns of mercator_map_evaluate. NULL for NULL.
MERCATOR_API mercator_text *mercator_map_structure(const mercator_map *map);

/// The elements that the map gives at `count` points. A point has a value for each
/// variable: dimensions, ranges, runtime variables, parameters. `variables[v][i]` is
/// the value of variable v at point i, `elements[r][i]` receives result r there, and
/// inside[i] is 1 if the point is in the domain and all results have a value there,
/// else 0; then the results are unspecified. No output overlaps another array.
MERCATOR_API mercator_status mercator_map_evaluate(
    const mercator_map *map, size_t count, const int64_t *const *variables,
    int64_t *const *elements, uint8_t *inside, mercator_text **messages);

/// Where `first` leads from A to B and `second` from B to C, the map from A to C,
/// simplified.
MERCATOR_API mercator_status mercator_map_compose(const mercator_map *first,
                                                  const mercator_map *second,
                                                  mercator_map **map,
                                                  mercator_text **messages);
/// The map from the elements that are read to those that read them. `sizes` are the
/// extents of the tensor that is read, one for each result; NULL: the smallest that
/// hold all results, which fails if these have no bounds.
MERCATOR_API mercator_status mercator_map_invert(const mercator_map *map,
                                                 const int64_t *sizes,
                                                 size_t count,
                                                 mercator_map **inverse,
                                                 mercator_text **messages);
/// The simple form, and mercator.simplify/1: the rules used and the proof. Either
/// pointer may be NULL.
MERCATOR_API mercator_status mercator_map_simplify(const mercator_map *map,
                                                   mercator_map **simple,
                                                   mercator_text **answer,
                                                   mercator_text **messages);
/// Whether the maps read the same elements: mercator.prove/1, with a counterexample if
/// they do not. MERCATOR_DONE, MERCATOR_PROPERTY_FALSE or MERCATOR_UNDECIDED.
MERCATOR_API mercator_status mercator_map_prove(const mercator_map *first,
                                                const mercator_map *second,
                                                mercator_text **answer,
                                                mercator_text **messages);

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

/// Does what `mercator ARGUMENT...` does, and returns the exit code; argv[0] is the
/// name of the command. It reads standard input, writes to the standard streams, and
/// handles fatal signals of the process from then on.
MERCATOR_API int mercator_command(int argc, const char *const *argv);

// NOLINTEND(readability-identifier-naming, modernize-use-using)

#ifdef __cplusplus
}
#endif

#endif // MERCATOR_C_MERCATOR_H
