// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/c/Handles.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/run/Run.h"
#include "mercator/support/File.h"
#include "mercator/tools/driver/Driver.h"

#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <mutex>
#include <optional>

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Versions and texts
//===----------------------------------------------------------------------===//

uint32_t mercator_c_version() { return MERCATOR_C_VERSION; }
const char *mercator_version() { return versionOfMercator(); }

const char *mercator_text_data(const mercator_text *text) {
  return text ? text->bytes.c_str() : "";
}
size_t mercator_text_size(const mercator_text *text) {
  return text ? text->bytes.size() : 0;
}
void mercator_free_text(mercator_text *text) { delete text; }

int mercator_command(int argc, const char *const *argv) {
  return runMercator(argc, argv);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// A program, its messages, and who uses it now.
struct Loaded {
  std::mutex inUse;
  Messages messages; ///< the program refers to it
  std::unique_ptr<Compilation> program;
  std::string name;
  /// The words of the last run: the next one mostly has the same.
  std::vector<std::string> runWords;
  std::optional<RunOptions> runOptions;
};

/// The words of a question.
class Words {
public:
  /// Null pointers are none.
  Words(const char *const *given, size_t count) {
    for (size_t i = 0; i < count; ++i)
      if (given && given[i])
        words.push_back(given[i]);
      else
        hasNull = true;
  }
  bool hasNull = false;
  std::vector<StringRef> words;
};
} // namespace

// NOLINTBEGIN(readability-identifier-naming): names of C
struct mercator_compilation {
  std::shared_ptr<Loaded> loaded = std::make_shared<Loaded>();
};

struct mercator_results {
  std::shared_ptr<Loaded> loaded; ///< owns the types of the results
  RunResults results;
  struct Array {
    std::string element;
    mercator_array array;
  };
  std::vector<Array> arrays;
};
// NOLINTEND(readability-identifier-naming)

static mercator_status load(std::string name, std::string text,
                            mercator_compilation **program,
                            mercator_text **messages) {
  auto handle = std::make_unique<mercator_compilation>();
  Loaded &loaded = *handle->loaded;
  loaded.program = Compilation::load(std::move(name), std::move(text),
                                     loaded.messages.diagnostics());
  give(loaded.messages.take(), messages);
  if (!loaded.program)
    return MERCATOR_INPUT_REJECTED;
  loaded.name = loaded.program->getName().str();
  *program = handle.release();
  return MERCATOR_DONE;
}

mercator_status mercator_load(const char *name, const char *bytes, size_t size,
                              mercator_compilation **program,
                              mercator_text **messages) {
  if (!program)
    return refuse(messages, "expected a place for the program, got NULL");
  *program = nullptr;
  if (!bytes && size > 0)
    return refuse(messages, "expected the text of a program, got NULL");
  if (size > defaultInputLimit)
    return refuse(messages, "expected a text of at most 1 GiB");
  return load(name ? name : "<program>",
              size ? std::string(bytes, size) : std::string(), program,
              messages);
}

mercator_status mercator_load_file(const char *path,
                                   mercator_compilation **program,
                                   mercator_text **messages) {
  if (!program)
    return refuse(messages, "expected a place for the program, got NULL");
  *program = nullptr;
  if (!path)
    return refuse(messages, "expected the path of a program, got NULL");
  llvm::Expected<std::string> text = readFile(path);
  if (!text) {
    (void)refuse(messages, llvm::toString(text.takeError()).c_str());
    return MERCATOR_INPUT_REJECTED;
  }
  return load(path, std::move(*text), program, messages);
}

const char *mercator_compilation_name(const mercator_compilation *program) {
  return program ? program->loaded->name.c_str() : "";
}

void mercator_free_compilation(mercator_compilation *program) {
  delete program;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static mercator_status ask(llvm::ArrayRef<Loaded *> programs,
                           const Words &words, mercator_text **answer,
                           mercator_text **messages) {
  if (words.hasNull)
    return refuse(messages, "expected a word, got NULL");
  std::vector<Compilation *> compilations;
  for (Loaded *loaded : programs)
    compilations.push_back(loaded->program.get());
  std::string text;
  llvm::raw_string_ostream os(text);
  ExitCode code = askMercator(words.words, compilations, os,
                              programs.front()->messages.diagnostics());
  std::string said = programs.front()->messages.take();
  if (programs.back() != programs.front())
    said += programs.back()->messages.take();
  give(std::move(said), messages);
  if (answer && (code == ExitCode::Done || code == ExitCode::PropertyFalse ||
                 code == ExitCode::Undecided))
    *answer = makeText(std::move(text));
  return statusOf(code);
}

mercator_status mercator_ask(mercator_compilation *program,
                             const char *const *words, size_t count,
                             mercator_text **answer, mercator_text **messages) {
  if (answer)
    *answer = nullptr;
  if (!program)
    return refuse(messages, "expected a program, got NULL");
  std::lock_guard<std::mutex> lock(program->loaded->inUse);
  return ask({program->loaded.get()}, {words, count}, answer, messages);
}

mercator_status mercator_diff(mercator_compilation *first,
                              mercator_compilation *second,
                              const char *const *options, size_t count,
                              mercator_text **answer,
                              mercator_text **messages) {
  if (answer)
    *answer = nullptr;
  if (!first || !second)
    return refuse(messages, "expected two programs, got NULL");
  Words words(options, count);
  words.words.insert(words.words.begin(), "diff");
  if (first == second) {
    std::lock_guard<std::mutex> lock(first->loaded->inUse);
    return ask({first->loaded.get(), first->loaded.get()}, words, answer,
               messages);
  }
  std::scoped_lock lock(first->loaded->inUse, second->loaded->inUse);
  return ask({first->loaded.get(), second->loaded.get()}, words, answer,
             messages);
}

mercator_status mercator_compile(mercator_compilation *program,
                                 const char *path, const char *const *options,
                                 size_t count, mercator_text **messages) {
  if (!program || !path)
    return refuse(messages, "expected a program and a path, got NULL");
  Words words(options, count);
  words.words.insert(words.words.begin(),
                     {"compile", "--target=cpu", "-o", path});
  std::lock_guard<std::mutex> lock(program->loaded->inUse);
  return ask({program->loaded.get()}, words, nullptr, messages);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The inputs, or none after an error.
static std::optional<std::vector<GivenArray>>
arraysOf(const mercator_array *inputs, size_t count, const char *&why) {
  std::vector<GivenArray> arrays;
  if (!inputs && count > 0) {
    why = "expected arrays, got NULL";
    return std::nullopt;
  }
  for (const mercator_array &input : llvm::ArrayRef(inputs, count)) {
    constexpr int64_t kMostDims = 1 << 16;
    if (!input.element || input.rank < 0 || input.rank > kMostDims ||
        (!input.shape && input.rank > 0)) {
      why = "expected an array with an element type, a rank and a shape";
      return std::nullopt;
    }
    arrays.push_back({.element = input.element,
                      .shape = llvm::ArrayRef(input.shape, input.rank).vec(),
                      .data = input.data});
  }
  return arrays;
}

mercator_status mercator_run(mercator_compilation *program,
                             const char *const *options, size_t optionCount,
                             const mercator_array *inputs, size_t inputCount,
                             mercator_results **results,
                             mercator_text **messages) {
  if (!results)
    return refuse(messages, "expected a place for the results, got NULL");
  *results = nullptr;
  if (!program)
    return refuse(messages, "expected a program, got NULL");
  Words words(options, optionCount);
  if (words.hasNull)
    return refuse(messages, "expected an option, got NULL");
  const char *why = nullptr;
  std::optional<std::vector<GivenArray>> arrays =
      arraysOf(inputs, inputCount, why);
  if (!arrays)
    return refuse(messages, why);
  Loaded &loaded = *program->loaded;
  std::lock_guard<std::mutex> lock(loaded.inUse);
  if (!loaded.runOptions || !llvm::equal(loaded.runWords, words.words)) {
    loaded.runOptions = runOptionsOf(words.words, *loaded.program,
                                     loaded.messages.diagnostics());
    loaded.runWords.assign(words.words.begin(), words.words.end());
    if (!loaded.runOptions) {
      give(loaded.messages.take(), messages);
      return MERCATOR_WRONG_USAGE;
    }
    loaded.runOptions->keepsCode = true;
  }
  loaded.runOptions->arrays = std::move(*arrays);
  Answer<RunResults> run = loaded.program->run(*loaded.runOptions);
  loaded.runOptions->arrays.clear();
  give(loaded.messages.take(), messages);
  if (!run)
    return statusOf(run.getFailure());
  auto handle = std::make_unique<mercator_results>();
  handle->loaded = program->loaded;
  handle->results = std::move(*run);
  for (const ResultLeaf &leaf : leavesOf(handle->results)) {
    const reference::Tensor *tensor = leaf.tensor();
    if (!tensor)
      continue; // a token
    auto &array = handle->arrays.emplace_back();
    llvm::raw_string_ostream(array.element) << tensor->type().getElementType();
    llvm::ArrayRef<int64_t> shape = tensor->shape();
    array.array = {nullptr, int64_t(shape.size()), shape.data(),
                   tensor->data()};
  }
  for (auto &array : handle->arrays) // which no longer move
    array.array.element = array.element.c_str();
  bool holds = handle->results.checks.failed == 0;
  *results = handle.release();
  return holds ? MERCATOR_DONE : MERCATOR_PROPERTY_FALSE;
}

size_t mercator_results_count(const mercator_results *results) {
  return results ? results->arrays.size() : 0;
}

mercator_status mercator_results_get(const mercator_results *results,
                                     size_t index, mercator_array *array) {
  if (!results || !array || index >= results->arrays.size())
    return MERCATOR_WRONG_USAGE;
  *array = results->arrays[index].array;
  return MERCATOR_DONE;
}

void mercator_free_results(mercator_results *results) { delete results; }
