// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/compile/Cpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mercator;
using llvm::StringRef;

std::string mercator::nameOfC(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "auto",     "break",    "case",     "char",     "const",    "continue",
      "default",  "do",       "double",   "else",     "enum",     "extern",
      "float",    "for",      "goto",     "if",       "inline",   "int",
      "long",     "register", "return",   "short",    "signed",   "sizeof",
      "static",   "struct",   "switch",   "typedef",  "union",    "void",
      "unsigned", "while",    "restrict", "volatile", "class",    "new",
      "delete",   "this",     "main",     "template", "namespace"};
  std::string text;
  name.consume_front("%");
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  if (text.empty() || llvm::isDigit(text.front()))
    text = "x" + text;
  return keywords.contains(text) ? text + "_" : text;
}

/// The type of C for an element, and how many of it one element takes.
static std::pair<std::string, int> typeOfC(mlir::Type element) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    return {typeOfC(complex.getElementType()).first, 2};
  if (element.isF32())
    return {"float", 1};
  if (element.isF64())
    return {"double", 1};
  if (element.isIndex())
    return {"int64_t", 1};
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element)) {
    unsigned bits =
        std::max<unsigned>(8, llvm::PowerOf2Ceil(integer.getWidth()));
    bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
    return {(isUnsigned ? "uint" : "int") + std::to_string(bits) + "_t", 1};
  }
  if (llvm::isa<mlir::FloatType>(element))
    return {element.getIntOrFloatBitWidth() > 8 ? "uint16_t" : "uint8_t", 1};
  return {"uint8_t", 1};
}

static bool isNarrowSigned(const CHeader::Tensor &tensor) {
  auto type = llvm::dyn_cast<mlir::IntegerType>(tensor.type.getElementType());
  return type && type.getWidth() > 1 && type.getWidth() < 8 &&
         !type.isUnsigned();
}

/// Programs write zeros beyond a narrow integer. In C it is a number of int8_t.
static void extendSigns(llvm::ArrayRef<CHeader::Tensor> results,
                        llvm::raw_ostream &os) {
  for (const CHeader::Tensor &tensor : results) {
    auto type = llvm::dyn_cast<mlir::IntegerType>(tensor.type.getElementType());
    if (!isNarrowSigned(tensor))
      continue;
    int64_t sign = int64_t(1) << (type.getWidth() - 1);
    os << "  for (int64_t mercator_i = 0; mercator_i < "
       << tensor.type.getNumElements() << "; ++mercator_i)\n    " << tensor.name
       << "[mercator_i] = (int8_t)((" << tensor.name << "[mercator_i] ^ "
       << sign << ") - " << sign << ");\n";
  }
}

static bool isStatic(llvm::ArrayRef<CHeader::Tensor> tensors) {
  return llvm::all_of(tensors, [](const CHeader::Tensor &tensor) {
    return tensor.type.hasStaticShape();
  });
}

/// `const float x[2 * 4]`.
static std::string parameter(const CHeader::Tensor &tensor, bool isInput) {
  auto [type, each] = typeOfC(tensor.type.getElementType());
  std::vector<std::string> factors;
  for (int64_t size : tensor.type.getShape())
    factors.push_back(std::to_string(size));
  if (each > 1)
    factors.push_back(std::to_string(each));
  std::string extent = factors.empty() ? "1" : llvm::join(factors, " * ");
  if (tensor.type.getNumElements() == 0)
    extent = "1"; // an array of C has an element
  return (isInput ? "const " : "") + type + " " + tensor.name + "[" + extent +
         "]";
}

/// The array of sizes of a tensor, and its row of the table.
static void writeTable(llvm::ArrayRef<CHeader::Tensor> tensors,
                       const char *table, bool isInput, llvm::raw_ostream &os) {
  for (const CHeader::Tensor &tensor : tensors) {
    if (tensor.type.getRank() == 0)
      continue;
    os << "  static const int64_t " << tensor.name << "_sizes[] = {";
    llvm::interleaveComma(tensor.type.getShape(), os);
    os << "};\n";
  }
  os << "  " << (isInput ? "const " : "") << "mercator_tensor " << table
     << "[] = {\n";
  for (const CHeader::Tensor &tensor : tensors) {
    os << "      {(void *)" << tensor.name << ", " << tensor.type.getRank()
       << ", ";
    if (tensor.type.getRank() == 0)
      os << "0";
    else
      os << tensor.name << "_sizes";
    os << "},\n";
  }
  if (tensors.empty())
    os << "      {0, 0, 0},\n";
  os << "  };\n";
}

static void writeList(const char *title,
                      llvm::ArrayRef<CHeader::Tensor> tensors,
                      llvm::raw_ostream &os) {
  os << " *\n * " << title << '\n';
  for (auto [i, tensor] : llvm::enumerate(tensors))
    os << " *   " << i << "  " << tensor.name << "  " << tensor.type << '\n';
}

std::string mercator::textOf(const CHeader &header) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string upper = StringRef(header.name).upper();
  os << "/* " << header.program << ", compiled by Mercator.\n";
  writeList("inputs", header.inputs, os);
  writeList("results", header.results, os);
  os << " *\n * Tensors are contiguous and row-major. A result overlaps no other "
        "tensor. Returns\n * mercator_ok (0), or why there are no results: the "
        "numbers of\n * mercator/runtime/Calls.h. */\n\n#ifndef MERCATOR_PROGRAM_"
     << upper << "_H\n#define MERCATOR_PROGRAM_" << upper
     << "_H\n\n#include \"mercator/runtime/Abi.h\"\n\n"
     << "#if MERCATOR_ABI_VERSION != 2\n#error \"compiled for version 2 of "
        "mercator/runtime/Abi.h\"\n#endif\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/* For mercator_new_context. */\n#define " << upper
     << "_ARENA_BYTES INT64_C(" << header.arenaBytes << ")\n\n"
     << "int32_t " << header.name
     << "(mercator_context *context, const mercator_tensor *inputs,\n    "
        "mercator_tensor *results);\n\n";
  if (isStatic(header.inputs) && isStatic(header.results)) {
    os << "static inline int32_t " << header.name
       << "_run(mercator_context *context";
    for (const CHeader::Tensor &tensor : header.inputs)
      os << ",\n    " << parameter(tensor, true);
    for (const CHeader::Tensor &tensor : header.results)
      os << ",\n    " << parameter(tensor, false);
    os << ") {\n";
    writeTable(header.inputs, "inputs", true, os);
    writeTable(header.results, "results", false, os);
    if (llvm::any_of(header.results, isNarrowSigned)) {
      os << "  int32_t mercator_status = " << header.name
         << "(context, inputs, results);\n";
      extendSigns(header.results, os);
      os << "  return mercator_status;\n}\n\n";
    } else {
      os << "  return " << header.name << "(context, inputs, results);\n}\n\n";
    }
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}
