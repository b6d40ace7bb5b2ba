// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The fields of `backend_config` that a target reads, checked.
///
///   static constexpr Field fields[] = {
///       {"alpha_real", FieldKind::Number},
///       {"epilogue", FieldKind::Word, Need::Optional}};
///   Config config;
///   config.read(R"({"gemm_backend_config":{"alpha_real":2}})",
///               "gemm_backend_config", fields);
///   config.number("alpha_real", 0) == 2
///   config.word("epilogue", "DEFAULT") == "DEFAULT"
///
/// Numbers may be written as strings, as the JSON form of protocol buffers has
/// integers of 64 bits. Other fields are not looked at: a newer XLA may add some.
///
/// Internal to this folder.

#ifndef MERCATOR_FRONTENDS_CALLS_CONFIG_H
#define MERCATOR_FRONTENDS_CALLS_CONFIG_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mercator::calls {

enum class FieldKind { Number, Word, Flag, Integers };
enum class Need { Required, Optional };

struct Field {
  /// A path: `dot_dimension_numbers.lhs_batch_dimensions`.
  llvm::StringLiteral name;
  FieldKind kind;
  Need need = Need::Required;
};

class Config {
public:
  /// Reads JSON. The fields are in the object `section`; texts of older XLA have
  /// them at the top. False after an error.
  [[nodiscard]] bool read(llvm::StringRef text, llvm::StringRef section,
                          llvm::ArrayRef<Field> fields);
  /// Reads attributes, as typed calls have them.
  [[nodiscard]] bool read(mlir::DictionaryAttr dictionary,
                          llvm::ArrayRef<Field> fields);

  [[nodiscard]] bool has(llvm::StringRef name) const { return find(name); }
  [[nodiscard]] double number(llvm::StringRef name, double otherwise) const;
  [[nodiscard]] bool flag(llvm::StringRef name, bool otherwise) const;
  /// A word, or a number as it is written.
  [[nodiscard]] std::string word(llvm::StringRef name,
                                 llvm::StringRef otherwise) const;
  [[nodiscard]] llvm::SmallVector<int64_t> integers(llvm::StringRef name) const;

  /// After a failure: what is wrong, and where in the text.
  std::string error, help;
  size_t at = 0;

private:
  [[nodiscard]] const llvm::json::Value *find(llvm::StringRef name) const;
  bool fail(size_t place, const llvm::Twine &message);
  bool check(llvm::ArrayRef<Field> fields);

  llvm::json::Object fields;
  llvm::StringRef text;
  std::string section;
};

} // namespace mercator::calls

#endif // MERCATOR_FRONTENDS_CALLS_CONFIG_H
