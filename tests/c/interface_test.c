// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* interface_test FOLDER: every function of mercator.h, also with wrong input. Writes
   files to FOLDER. */

#include "mercator/c/mercator.h"

#include <stdio.h>
#include <string.h>

static int failures = 0, checks = 0;

static void check(int holds, const char *what, int line) {
  ++checks;
  if (holds)
    return;
  ++failures;
  fprintf(stderr, "interface_test.c:%d: failed: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

/* Whether the text has `part`. Frees the text. */
static int has(mercator_text *text, const char *part) {
  int found = strstr(mercator_text_data(text), part) != NULL;
  if (!found)
    fprintf(stderr, "expected '%s', got '%s'\n", part,
            mercator_text_data(text));
  mercator_free_text(text);
  return found;
}

static const char *const program_text =
    "func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>)\n"
    "    -> (tensor<3x2xf32>, tensor<2x3xi1>) {\n"
    "  %sum = stablehlo.add %x, %y : tensor<2x3xf32>\n"
    "  %t = stablehlo.transpose %sum, dims = [1, 0] : (tensor<2x3xf32>) -> "
    "tensor<3x2xf32>\n"
    "  %less = stablehlo.compare LT, %x, %y : (tensor<2x3xf32>, "
    "tensor<2x3xf32>) -> tensor<2x3xi1>\n"
    "  return %t, %less : tensor<3x2xf32>, tensor<2x3xi1>\n"
    "}\n";

static mercator_compilation *load(const char *text) {
  mercator_compilation *program = NULL;
  mercator_text *messages = NULL;
  if (mercator_load("test.mlir", text, strlen(text), &program, &messages) !=
      MERCATOR_DONE)
    fprintf(stderr, "%s", mercator_text_data(messages));
  mercator_free_text(messages);
  return program;
}

static mercator_map *parse(const char *text) {
  mercator_map *map = NULL;
  CHECK(mercator_parse_map(text, strlen(text), &map, NULL) == MERCATOR_DONE);
  return map;
}

static int is_text_of(const mercator_map *map, const char *expected) {
  mercator_text *text = mercator_map_text(map);
  int same = strcmp(mercator_text_data(text), expected) == 0;
  if (!same)
    fprintf(stderr, "expected '%s', got '%s'\n", expected,
            mercator_text_data(text));
  mercator_free_text(text);
  return same;
}

static void test_versions_and_texts(void) {
  CHECK(mercator_c_version() == MERCATOR_C_VERSION);
  CHECK(strncmp(mercator_version(), "0.", 2) == 0);
  CHECK(strcmp(mercator_text_data(NULL), "") == 0);
  CHECK(mercator_text_size(NULL) == 0);
  mercator_free_text(NULL);
}

static void test_loading(const char *folder) {
  mercator_compilation *program = load(program_text);
  CHECK(program != NULL);
  CHECK(strcmp(mercator_compilation_name(program), "module") == 0);
  mercator_free_compilation(program);

  char path[512];
  snprintf(path, sizeof path, "%s/program.mlir", folder);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(program_text, file);
  fclose(file);
  mercator_text *messages = NULL;
  CHECK(mercator_load_file(path, &program, &messages) == MERCATOR_DONE);
  CHECK(messages == NULL);
  mercator_free_compilation(program);

  CHECK(mercator_load_file("/nowhere/x.mlir", &program, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(program == NULL);
  CHECK(has(messages, "/nowhere/x.mlir"));
  CHECK(mercator_load_file(NULL, &program, &messages) == MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  CHECK(mercator_load_file(path, NULL, &messages) == MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));

  /* A place and help, as JSON. */
  const char *wrong = "ROOT r = f32[4] ad(f32[4] p)";
  CHECK(mercator_load("a.hlo", wrong, strlen(wrong), &program, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(program == NULL);
  CHECK(mercator_text_size(messages) == strlen(mercator_text_data(messages)));
  CHECK(strstr(mercator_text_data(messages),
               "\"file\":\"a.hlo\",\"line\":1,\"column\":17") != NULL);
  CHECK(has(messages, "write 'add'"));
  CHECK(mercator_load(NULL, "\0\xff{", 3, &program, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "error"));
  CHECK(mercator_load("a", NULL, 3, &program, NULL) == MERCATOR_WRONG_USAGE);
  CHECK(mercator_load("a", "x", 1, NULL, &messages) == MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  CHECK(mercator_load("a", "", (size_t)1 << 40, &program, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "1 GiB"));
  CHECK(strcmp(mercator_compilation_name(NULL), "") == 0);
  mercator_free_compilation(NULL);
}

static void test_questions(const char *folder) {
  mercator_compilation *program = load(program_text);
  static const struct {
    const char *words[4];
    size_t count;
    const char *part;
  } questions[] = {
      {{"map", "--json"}, 2, "(d0, d1) -> (d1, d0)"},
      {{"map", "--fused", "--json"}, 3, "\"schema\":\"mercator.map/1\""},
      {{"map", "--fused"}, 2, "exact"},
      {{"tile", "--tile=1x2", "--device=zen5", "--json"}, 4, "mercator.tile/1"},
      {{"tile", "--of=%t[0:2, 0:1]", "--device=h100"}, 3, "%t"},
      {{"access", "--device=h100", "--json"}, 3, "mercator.access/1"},
      {{"explain", "--device=zen5", "--json"}, 3, "mercator.explain/1"},
      {{"run", "--input=random:1", "--json"}, 3, "mercator.run/1"},
      {{"compile", "--stop-after=flow"}, 2, "flow.executable"},
  };
  mercator_text *answer = NULL, *messages = NULL;
  for (int round = 0; round < 2; ++round)
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
      CHECK(mercator_ask(program, questions[i].words, questions[i].count,
                         &answer, &messages) == MERCATOR_DONE);
      CHECK(has(answer, questions[i].part));
      mercator_free_text(messages);
    }

  /* Each of these has an answer afterwards as before. */
  static const struct {
    const char *words[3];
    size_t count;
    mercator_status status;
    const char *part;
  } wrong[] = {
      {{"mapp"}, 1, MERCATOR_WRONG_USAGE, "'mapp'"},
      {{"prove"}, 1, MERCATOR_WRONG_USAGE, "asks about a program"},
      {{"crash"}, 1, MERCATOR_WRONG_USAGE, "'crash'"},
      {{"map", "--help"}, 2, MERCATOR_WRONG_USAGE, "--help"},
      {{"map", "--fuse"}, 2, MERCATOR_WRONG_USAGE, "--fuse"},
      {{"map", "other.mlir"}, 2, MERCATOR_WRONG_USAGE, "other.mlir"},
      {{"map", "--instruction=nope"}, 2, MERCATOR_WRONG_USAGE, "nope"},
      {{"diff"}, 1, MERCATOR_WRONG_USAGE, "expected A B"},
      {{"tile", "--of=%t[0:"}, 2, MERCATOR_WRONG_USAGE, "expected"},
      {{"map", NULL}, 2, MERCATOR_WRONG_USAGE, "NULL"},
      {{NULL}, 0, MERCATOR_WRONG_USAGE, "expected a command"},
  };
  for (int round = 0; round < 3; ++round) /* more than 20 errors in all */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
      CHECK(mercator_ask(program, wrong[i].words, wrong[i].count, &answer,
                         &messages) == wrong[i].status);
      CHECK(answer == NULL);
      CHECK(has(messages, wrong[i].part));
    }
  CHECK(mercator_ask(program, NULL, 1, &answer, NULL) == MERCATOR_WRONG_USAGE);
  CHECK(mercator_ask(NULL, NULL, 0, &answer, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));

  /* To a file. */
  char path[512];
  snprintf(path, sizeof path, "%s/maps.json", folder);
  const char *words[] = {"map", "--json", "-o", path};
  CHECK(mercator_ask(program, words, 4, &answer, NULL) == MERCATOR_DONE);
  CHECK(answer == NULL);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (file)
    fclose(file);
  words[3] = "/nowhere/maps.json";
  CHECK(mercator_ask(program, words, 4, NULL, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "/nowhere"));
  mercator_free_compilation(program);
}

static void test_diff(void) {
  mercator_compilation *first = load(program_text);
  mercator_compilation *second =
      load("func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>)\n"
           "    -> (tensor<3x2xf32>, tensor<2x3xi1>) {\n"
           "  %t = stablehlo.reshape %x : (tensor<2x3xf32>) -> "
           "tensor<3x2xf32>\n"
           "  %less = stablehlo.compare LT, %x, %y : (tensor<2x3xf32>, "
           "tensor<2x3xf32>) -> tensor<2x3xi1>\n"
           "  return %t, %less : tensor<3x2xf32>, tensor<2x3xi1>\n"
           "}\n");
  const char *json[] = {"--json"};
  mercator_text *answer = NULL, *messages = NULL;
  CHECK(mercator_diff(first, second, json, 1, &answer, &messages) ==
        MERCATOR_PROPERTY_FALSE);
  CHECK(messages == NULL);
  CHECK(has(answer, "mercator.diff/1"));
  CHECK(mercator_diff(first, first, NULL, 0, &answer, NULL) == MERCATOR_DONE);
  CHECK(has(answer, "maps equal"));
  const char *wrong[] = {"--nope"};
  CHECK(mercator_diff(second, first, wrong, 1, &answer, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "--nope"));
  CHECK(mercator_diff(first, NULL, NULL, 0, &answer, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  mercator_free_compilation(second);
  mercator_free_compilation(first);
}

static void test_runs(void) {
  mercator_compilation *program = load(program_text);
  float x[] = {1, 2, 3, 4, 5, 6}, y[] = {10, 1, 30, 1, 50, 1};
  const int64_t shape[] = {2, 3};
  mercator_array inputs[] = {{"f32", 2, shape, x}, {"f32", 2, shape, y}};
  const char *const options[][1] = {{"--reference"}, {"--cache=off"}};
  mercator_results *results = NULL;
  mercator_text *messages = NULL;
  for (int i = 0; i < 2; ++i) {
    CHECK(mercator_run(program, options[i], 1, inputs, 2, &results,
                       &messages) == MERCATOR_DONE);
    CHECK(messages == NULL);
    CHECK(mercator_results_count(results) == 2);
    mercator_array array;
    CHECK(mercator_results_get(results, 0, &array) == MERCATOR_DONE);
    CHECK(strcmp(array.element, "f32") == 0);
    CHECK(array.rank == 2 && array.shape[0] == 3 && array.shape[1] == 2);
    const float expected[] = {11, 5, 3, 55, 33, 7};
    CHECK(memcmp(array.data, expected, sizeof expected) == 0);
    CHECK(mercator_results_get(results, 1, &array) == MERCATOR_DONE);
    CHECK(strcmp(array.element, "i1") == 0);
    CHECK(memcmp(array.data, "\1\0\1\0\1\0", 6) == 0);
    CHECK(mercator_results_get(results, 2, &array) == MERCATOR_WRONG_USAGE);
    CHECK(mercator_results_get(results, 0, NULL) == MERCATOR_WRONG_USAGE);
    if (i == 0)
      mercator_free_results(results);
  }
  /* Results outlive the handle of their program. */
  mercator_free_compilation(program);
  mercator_array array;
  CHECK(mercator_results_get(results, 0, &array) == MERCATOR_DONE);
  CHECK(((const float *)array.data)[0] == 11);
  mercator_free_results(results);
  CHECK(mercator_results_count(NULL) == 0);
  CHECK(mercator_results_get(NULL, 0, &array) == MERCATOR_WRONG_USAGE);
  mercator_free_results(NULL);

  program = load(program_text);
  const char *const reference[] = {"--reference", "--input=random:1"};
  CHECK(mercator_run(program, reference, 2, inputs, 1, &results, &messages) ==
        MERCATOR_DONE);
  mercator_free_results(results);

  /* Wrong inputs. */
  static const struct {
    const char *element;
    int64_t rank;
    int64_t shape[2];
    int has_data;
    const char *part;
  } wrong[] = {
      {"f64", 2, {2, 3}, 1, "expected elements of type f32, got 'f64'"},
      {"", 2, {2, 3}, 1, "expected elements of type f32"},
      {"f32", 2, {3, 2}, 1, "expected tensor<2x3xf32>, got tensor<3x2xf32>"},
      {"f32", 1, {6, 0}, 1, "expected tensor<2x3xf32>, got tensor<6xf32>"},
      {"f32", 2, {-1, 3}, 1, "extents of at least 0"},
      {"f32", 2, {2, INT64_MAX}, 1, "expected tensor<2x3xf32>"},
      {"f32", 2, {2, 3}, 0, "24 bytes, got a null pointer"},
      {NULL, 2, {2, 3}, 1, "expected an array with an element type"},
      {"f32", -1, {2, 3}, 1, "expected an array with an element type"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    mercator_array one[2] = {{wrong[i].element, wrong[i].rank, wrong[i].shape,
                              wrong[i].has_data ? x : NULL},
                             inputs[1]};
    CHECK(mercator_run(program, reference, 1, one, 2, &results, &messages) !=
          MERCATOR_DONE);
    CHECK(results == NULL);
    CHECK(has(messages, wrong[i].part));
  }
  CHECK(mercator_run(program, reference, 1, inputs, 1, &results, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "parameter #1"));
  const mercator_array three[] = {inputs[0], inputs[1], inputs[1]};
  CHECK(mercator_run(program, reference, 1, three, 3, &results, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "expected 2 inputs"));
  const char *const check_option[] = {"--check"}, *const none[] = {NULL};
  CHECK(mercator_run(program, check_option, 1, inputs, 2, &results,
                     &messages) == MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "check"));
  CHECK(mercator_run(program, none, 1, inputs, 2, &results, NULL) ==
        MERCATOR_WRONG_USAGE);
  CHECK(mercator_run(program, NULL, 0, NULL, 2, &results, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "expected arrays"));
  CHECK(mercator_run(program, NULL, 0, inputs, 2, NULL, NULL) ==
        MERCATOR_WRONG_USAGE);
  CHECK(mercator_run(NULL, NULL, 0, inputs, 2, &results, NULL) ==
        MERCATOR_WRONG_USAGE);
  mercator_free_compilation(program);

  /* A check in the program that fails. */
  program = load("func.func @main() -> tensor<i32> {\n"
                 "  %a = stablehlo.constant dense<1> : tensor<i32>\n"
                 "  check.expect_eq_const %a, dense<2> : tensor<i32>\n"
                 "  return %a : tensor<i32>\n"
                 "}\n");
  CHECK(mercator_run(program, reference, 1, NULL, 0, &results, &messages) ==
        MERCATOR_PROPERTY_FALSE);
  CHECK(mercator_results_count(results) == 1);
  mercator_free_text(messages);
  mercator_free_results(results);
  mercator_free_compilation(program);

  /* Booleans are 0 or 1, and a scalar needs no shape. */
  program = load("func.func @main(%p: tensor<i1>, %i: tensor<2xi4>)\n"
                 "    -> (tensor<i1>, tensor<2xi4>) {\n"
                 "  return %p, %i : tensor<i1>, tensor<2xi4>\n"
                 "}\n");
  const int64_t two[] = {2};
  const mercator_array narrow[] = {{"i1", 0, NULL, "\x02"},
                                   {"i4", 1, two, "\x07\xf8"}};
  CHECK(mercator_run(program, reference, 1, narrow, 2, &results, NULL) ==
        MERCATOR_DONE);
  CHECK(mercator_results_get(results, 0, &array) == MERCATOR_DONE);
  CHECK(array.rank == 0 && *(const char *)array.data == 1);
  CHECK(mercator_results_get(results, 1, &array) == MERCATOR_DONE);
  CHECK(strcmp(array.element, "i4") == 0 &&
        ((const signed char *)array.data)[0] == 7 &&
        ((const signed char *)array.data)[1] == -8);
  mercator_free_results(results);
  const mercator_array beyond[] = {narrow[0], {"i4", 1, two, "\x08\x00"}};
  CHECK(mercator_run(program, reference, 1, beyond, 2, &results, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "from -8 to"));
  mercator_free_compilation(program);
}

static void test_compile(const char *folder) {
  mercator_compilation *program = load(program_text);
  mercator_text *messages = NULL;
  char path[512];
  snprintf(path, sizeof path, "%s/program.o", folder);
  const char *const object[] = {"--emit=obj", "--cpu=x86-64-v3"};
  CHECK(mercator_compile(program, path, object, 2, &messages) == MERCATOR_DONE);
  mercator_free_text(messages);
  FILE *file = fopen(path, "rb");
  char magic[4] = "";
  CHECK(file && fread(magic, 1, 4, file) == 4);
  CHECK(memcmp(magic,
               "\x7f"
               "ELF",
               4) == 0);
  if (file)
    fclose(file);
  CHECK(mercator_compile(program, "x.dll", NULL, 0, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, ".so"));
  CHECK(mercator_compile(program, NULL, NULL, 0, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  CHECK(mercator_compile(NULL, path, NULL, 0, NULL) == MERCATOR_WRONG_USAGE);
  mercator_free_compilation(program);
}

static void test_evaluation(void) {
  mercator_map *map =
      parse("(d0)[s0] -> (d0 * 4 + s0, d0 floordiv 2), domain: d0 in [0, 9], "
            "s0 in [0, 3], d0 + s0 in [0, 10]");
  mercator_text *structure = mercator_map_structure(map);
  CHECK(has(structure, "\"name\":\"s0\",\"kind\":\"range\""));
  enum { count = 10000 };
  static int64_t d0[count], s0[count], r0[count], r1[count];
  static uint8_t inside[count];
  for (int i = 0; i < count; ++i) {
    d0[i] = i % 12 - 1;
    s0[i] = i / 12 % 5;
  }
  const int64_t *const variables[] = {d0, s0};
  int64_t *const elements[] = {r0, r1};
  mercator_text *messages = NULL;
  CHECK(mercator_map_evaluate(map, count, variables, elements, inside,
                              &messages) == MERCATOR_DONE);
  CHECK(messages == NULL);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    int is_inside =
        d0[i] >= 0 && d0[i] <= 9 && s0[i] <= 3 && d0[i] + s0[i] <= 10;
    wrong += inside[i] != is_inside;
    if (is_inside)
      wrong += r0[i] != d0[i] * 4 + s0[i] || r1[i] != d0[i] / 2;
  }
  CHECK(wrong == 0);
  CHECK(mercator_map_evaluate(map, 0, NULL, NULL, NULL, NULL) == MERCATOR_DONE);
  const int64_t *const missing[] = {d0, NULL};
  CHECK(mercator_map_evaluate(map, 1, missing, elements, inside, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  CHECK(mercator_map_evaluate(map, 1, variables, NULL, inside, NULL) ==
        MERCATOR_WRONG_USAGE);
  CHECK(mercator_map_evaluate(NULL, 1, variables, elements, inside, NULL) ==
        MERCATOR_WRONG_USAGE);
  mercator_free_map(map);

  /* Values that do not fit int64, and a division by zero, are outside. */
  map = parse("(d0, d1) -> (d0 * d0 floordiv d1)");
  const int64_t large[] = {3, (int64_t)1 << 62, 3}, divisor[] = {2, 1, 0};
  const int64_t *const points[] = {large, divisor};
  CHECK(mercator_map_evaluate(map, 3, points, elements, inside, NULL) ==
        MERCATOR_DONE);
  CHECK(inside[0] == 1 && r0[0] == 4 && inside[1] == 0 && inside[2] == 0);
  mercator_free_map(map);
  map = parse("(d0) -> (d0), domain: d0 in [3, 2]");
  CHECK(mercator_map_evaluate(map, 1, points, elements, inside, NULL) ==
        MERCATOR_DONE);
  CHECK(inside[0] == 0);
  mercator_free_map(map);
}

static void test_algebra(void) {
  mercator_text *messages = NULL, *answer = NULL;
  mercator_map *map = NULL, *other = NULL, *made = NULL;
  const char *wrong = "(d0) -> (d1)";
  CHECK(mercator_parse_map(wrong, strlen(wrong), &map, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(map == NULL);
  CHECK(has(messages, "\"line\":1,\"column\":10"));
  CHECK(mercator_parse_map(NULL, 0, &map, &messages) == MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  CHECK(mercator_parse_map("()", 2, NULL, NULL) == MERCATOR_WRONG_USAGE);
  mercator_free_map(NULL);
  CHECK(mercator_map_text(NULL) == NULL);
  CHECK(mercator_map_structure(NULL) == NULL);

  map = parse("(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]");
  other =
      parse("(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 7], d1 in [0, 3]");
  CHECK(mercator_map_compose(map, other, &made, &messages) == MERCATOR_DONE);
  CHECK(is_text_of(made, "(d0, d1) -> (d1 * 4 + d0), domain: d0 in [0, 3], "
                         "d1 in [0, 7]"));
  mercator_free_map(made);
  CHECK(mercator_map_compose(other, map, &made, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(made == NULL);
  CHECK(has(messages, "a second map with 1 dimensions"));
  CHECK(mercator_map_compose(NULL, map, &made, NULL) == MERCATOR_WRONG_USAGE);
  CHECK(mercator_map_compose(map, map, NULL, NULL) == MERCATOR_WRONG_USAGE);

  CHECK(mercator_map_invert(other, NULL, 0, &made, &messages) == MERCATOR_DONE);
  CHECK(is_text_of(made, "(d0) -> (d0 / 4, d0 mod 4), domain: d0 in [0, 31]"));
  mercator_free_map(made);
  const int64_t sizes[] = {100, 100};
  CHECK(mercator_map_invert(other, sizes, 1, &made, &messages) ==
        MERCATOR_DONE);
  mercator_free_map(made);
  CHECK(mercator_map_invert(other, sizes, 2, &made, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "expected 1 sizes"));
  const int64_t negative[] = {-1};
  CHECK(mercator_map_invert(other, negative, 1, &made, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "a negative one"));
  CHECK(mercator_map_invert(NULL, NULL, 0, &made, NULL) ==
        MERCATOR_WRONG_USAGE);
  CHECK(mercator_map_invert(map, NULL, 0, NULL, NULL) == MERCATOR_WRONG_USAGE);
  mercator_free_map(other);
  other = parse("(d0) -> (d0 * 2)");
  CHECK(mercator_map_invert(other, NULL, 0, &made, &messages) ==
        MERCATOR_INPUT_REJECTED);
  CHECK(has(messages, "give the sizes"));
  mercator_free_map(other);

  other = parse("(d0, d1) -> ((d1 * 8 + d1) floordiv 9, d0 mod 4), domain: d0 "
                "in [0, 3], d1 in [0, 7]");
  CHECK(mercator_map_simplify(other, &made, &answer, &messages) ==
        MERCATOR_DONE);
  CHECK(messages == NULL);
  CHECK(is_text_of(made, "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in "
                         "[0, 7]"));
  CHECK(has(answer, "mercator.simplify/1"));
  mercator_free_map(made);
  CHECK(mercator_map_simplify(other, NULL, NULL, NULL) == MERCATOR_DONE);
  CHECK(mercator_map_simplify(NULL, &made, &answer, NULL) ==
        MERCATOR_WRONG_USAGE);

  CHECK(mercator_map_prove(map, other, &answer, &messages) == MERCATOR_DONE);
  CHECK(has(answer, "\"verdict\": \"equal\""));
  mercator_free_map(other);
  other = parse("(d0, d1) -> (d1, 0), domain: d0 in [0, 3], d1 in [0, 7]");
  CHECK(mercator_map_prove(map, other, &answer, &messages) ==
        MERCATOR_PROPERTY_FALSE);
  CHECK(has(answer, "\"counterexample\""));
  CHECK(mercator_map_prove(map, NULL, &answer, &messages) ==
        MERCATOR_WRONG_USAGE);
  CHECK(has(messages, "got NULL"));
  mercator_free_map(other);
  mercator_free_map(map);
}

static void test_command(const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "%s/proof.json", folder);
  const char *const argv[] = {"mercator",   "prove", "(d0) -> (d0)",
                              "(d) -> (d)", "-o",    path};
  CHECK(mercator_command(6, argv) == 0);
  const char *const wrong[] = {"mercator", "prove"};
  CHECK(mercator_command(2, wrong) == 2);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  test_versions_and_texts();
  test_loading(folder);
  test_questions(folder);
  test_diff();
  test_runs();
  test_compile(folder);
  test_evaluation();
  test_algebra();
  test_command(folder); /* last: it handles signals from then on */
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
