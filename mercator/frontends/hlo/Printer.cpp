// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Printer.h"
#include "mercator/frontends/hlo/FloatFormat.h"
#include "mercator/frontends/hlo/Lexer.h"

#include "llvm/ADT/STLExtras.h"

#include <charconv>

using namespace mercator::hlo;
using llvm::raw_ostream;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

static uint64_t bitsAt(const char *bytes, unsigned width) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < width; ++i)
    bits |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return bits;
}

static void printScalar(const char *bytes, ElementType type, raw_ostream &os) {
  unsigned width = byteWidth(type);
  uint64_t bits = bitsAt(bytes, width);
  if (type == ElementType::PRED)
    os << (bits ? "true" : "false");
  else if (isSignedInteger(type))
    os << (int64_t(bits << (64 - 8 * width)) >> (64 - 8 * width));
  else if (isUnsignedInteger(type))
    os << bits;
  else
    os << formatFloat(bits, type);
}

static void printElement(const char *bytes, ElementType type, raw_ostream &os) {
  if (!isComplex(type))
    return printScalar(bytes, type, os);
  ElementType part = realPart(type);
  os << '(';
  printScalar(bytes, part, os);
  os << ", ";
  printScalar(bytes + byteWidth(part), part, os);
  os << ')';
}

/// The sub-array at `level`; moves `at` past its elements.
static void printArray(const Shape &shape, unsigned level, const char *&at,
                       raw_ostream &os) {
  if (level == shape.rank()) {
    printElement(at, shape.elementType, os);
    at += byteWidth(shape.elementType);
    return;
  }
  os << '{';
  bool nested = level + 1 < shape.rank();
  for (int64_t i = 0; i < shape.dims[level]; ++i) {
    os << (i ? ", " : nested ? " " : "");
    printArray(shape, level + 1, at, os);
  }
  os << (nested && shape.dims[level] ? " }" : "}");
}

void mercator::hlo::print(const Literal &literal, raw_ostream &os) {
  if (literal.elided) {
    os << "{...}";
  } else if (literal.shape->isTuple()) {
    os << '(';
    llvm::interleaveComma(literal.elements, os,
                          [&](const Literal *member) { print(*member, os); });
    os << ')';
  } else if (literal.splat) {
    printElement(literal.bytes.data(), literal.shape->elementType, os);
  } else if (literal.bytes.empty()) {
    os << "{}"; // for any zero extent
  } else {
    const char *at = literal.bytes.data();
    printArray(*literal.shape, 0, at, os);
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void printInts(ArrayRef<int64_t> values, raw_ostream &os) {
  os << '{';
  llvm::interleave(values, os, ",");
  os << '}';
}

static void printWindow(ArrayRef<WindowDim> dims, raw_ostream &os) {
  const WindowDim plain;
  const char *separator = "";
  auto key = [&](const char *name, bool needed, auto value) {
    if (!needed)
      return;
    os << separator << name << '=';
    separator = " ";
    llvm::interleave(dims, os, value, "x");
  };
  auto any = [&](auto differs) { return llvm::any_of(dims, differs); };
  os << '{';
  key("size", !dims.empty(), [&](const WindowDim &d) { os << d.size; });
  key("stride", any([&](auto &d) { return d.stride != plain.stride; }),
      [&](const WindowDim &d) { os << d.stride; });
  key("pad", any([&](auto &d) { return d.padLow || d.padHigh; }),
      [&](const WindowDim &d) { os << d.padLow << '_' << d.padHigh; });
  key("lhs_dilate", any([&](auto &d) { return d.baseDilation != 1; }),
      [&](const WindowDim &d) { os << d.baseDilation; });
  key("rhs_dilate", any([&](auto &d) { return d.windowDilation != 1; }),
      [&](const WindowDim &d) { os << d.windowDilation; });
  key("rhs_reversal", any([&](auto &d) { return d.reversed; }),
      [&](const WindowDim &d) { os << int(d.reversed); });
  os << '}';
}

static void printMetadata(const Metadata &data, raw_ostream &os) {
  const char *separator = "";
  auto string = [&](const char *key, StringRef value) {
    if (value.empty())
      return;
    os << separator << key << '=' << escape(value);
    separator = " ";
  };
  auto integer = [&](const char *key, int64_t value) {
    if (value == 0)
      return;
    os << separator << key << '=' << value;
    separator = " ";
  };
  os << '{';
  string("op_type", data.opType);
  string("op_name", data.opName);
  string("source_file", data.sourceFile);
  integer("source_line", data.sourceLine);
  integer("source_end_line", data.sourceEndLine);
  integer("source_column", data.sourceColumn);
  integer("source_end_column", data.sourceEndColumn);
  integer("stack_frame_id", data.stackFrameId);
  if (!data.others.empty())
    os << separator << data.others;
  os << '}';
}

static void printReal(double value, raw_ostream &os) {
  char text[64];
  auto end = std::to_chars(text, std::end(text), value);
  os << StringRef(text, end.ptr - text);
}

/// `computation` is null for the header's attributes, which name no
/// instruction.
static void printValue(const Attribute &attribute,
                       const Computation *computation, raw_ostream &os) {
  auto name = [&](const ComputationRef &ref) {
    os << (ref.builtin ? "" : "%") << ref.name;
  };
  switch (attribute.kind) {
  case AttrKind::Flag:
    os << (attribute.flag() ? "true" : "false");
    return;
  case AttrKind::Integer:
    os << attribute.integer;
    return;
  case AttrKind::Real:
    return printReal(attribute.real, os);
  case AttrKind::Ints:
    return printInts(attribute.ints, os);
  case AttrKind::IntLists:
    os << '{';
    llvm::interleave(
        attribute.intLists(), os,
        [&](ArrayRef<int64_t> list) { printInts(list, os); }, ",");
    os << '}';
    return;
  case AttrKind::Words:
    os << '{';
    llvm::interleave(attribute.words(), os, ",");
    os << '}';
    return;
  case AttrKind::String:
    os << escape(attribute.text);
    return;
  case AttrKind::Shapes:
    os << '{';
    llvm::interleaveComma(attribute.shapes(), os,
                          [&](const Shape *shape) { os << toString(*shape); });
    os << '}';
    return;
  case AttrKind::Dictionary:
    os << '{';
    llvm::interleave(
        attribute.entries(), os,
        [&](const DictionaryEntry &entry) {
          os << entry.key << '=' << escape(entry.value);
        },
        ",");
    os << '}';
    return;
  case AttrKind::Metadata:
    return printMetadata(attribute.metadata(), os);
  case AttrKind::Window:
    return printWindow(attribute.window(), os);
  case AttrKind::Slices:
    os << '{';
    llvm::interleaveComma(attribute.slices(), os, [&](const SliceDim &dim) {
      os << '[' << dim.start << ':' << dim.limit;
      if (dim.stride != 1)
        os << ':' << dim.stride;
      os << ']';
    });
    os << '}';
    return;
  case AttrKind::Padding: {
    bool interior = llvm::any_of(
        attribute.padding(), [](const PadDim &dim) { return dim.interior; });
    llvm::interleave(
        attribute.padding(), os,
        [&](const PadDim &dim) {
          os << dim.low << '_' << dim.high;
          if (interior)
            os << '_' << dim.interior;
        },
        "x");
    return;
  }
  case AttrKind::Computation:
    name(attribute.computations().front());
    return;
  case AttrKind::Computations:
    os << '{';
    llvm::interleaveComma(attribute.computations(), os, name);
    os << '}';
    return;
  case AttrKind::Predecessors:
    os << '{';
    llvm::interleaveComma(attribute.ints, os, [&](int64_t index) {
      os << '%' << computation->instructions[index].name;
    });
    os << '}';
    return;
  case AttrKind::Word:
  case AttrKind::ConvLabels:
  case AttrKind::Raw:
    os << attribute.text;
    return;
  }
}

static void printAttribute(const Attribute &attribute,
                           const Computation *computation, raw_ostream &os) {
  os << ", ";
  if (attribute.name == AttrName::Other)
    os << attribute.otherName;
  else
    os << spelling(attribute.name);
  os << '=';
  printValue(attribute, computation, os);
}

//===----------------------------------------------------------------------===//
// Instructions, computations, the module
//===----------------------------------------------------------------------===//

void mercator::hlo::print(const Instruction &node,
                          const Computation &computation, raw_ostream &os) {
  if (node.isRoot)
    os << "ROOT ";
  os << '%' << node.name << " = " << toString(*node.shape) << ' ';
  if (node.asyncWrapped)
    os << spelling(*node.asyncWrapped)
       << (node.opcode == Opcode::AsyncStart    ? "-start"
           : node.opcode == Opcode::AsyncUpdate ? "-update"
                                                : "-done");
  else
    os << spelling(node.opcode);
  os << '(';
  if (node.opcode == Opcode::Parameter)
    os << node.parameterNumber;
  else if (node.literal)
    print(*node.literal, os);
  else
    llvm::interleaveComma(node.operands, os, [&](uint32_t index) {
      os << '%' << computation.instructions[index].name;
    });
  os << ')';
  for (const Attribute &attribute : node.attributes)
    printAttribute(attribute, &computation, os);
}

void mercator::hlo::print(const Computation &computation, raw_ostream &os) {
  if (computation.isEntry)
    os << "ENTRY ";
  os << '%' << computation.name;
  if (computation.hasSignature) {
    os << " (";
    llvm::interleaveComma(
        computation.signature, os,
        [&](const Computation::SignatureParameter &parameter) {
          os << parameter.name << ": " << toString(*parameter.shape);
        });
    os << ") -> " << toString(*computation.signatureResult);
  }
  os << " {\n";
  for (const Instruction &node : computation.instructions) {
    os << "  ";
    print(node, computation, os);
    os << '\n';
  }
  os << '}';
  if (!computation.executionThread.empty())
    os << ", execution_thread=" << escape(computation.executionThread);
  os << '\n';
}

static void printTables(const Module &module, raw_ostream &os) {
  if (module.fileNames.empty() && module.functionNames.empty() &&
      module.fileLocations.empty() && module.stackFrames.empty())
    return;
  os << "\nFileNames\n";
  for (auto [i, name] : llvm::enumerate(module.fileNames))
    os << i + 1 << ' ' << escape(name) << '\n';
  os << "\nFunctionNames\n";
  for (auto [i, name] : llvm::enumerate(module.functionNames))
    os << i + 1 << ' ' << escape(name) << '\n';
  os << "\nFileLocations\n";
  for (auto [i, row] : llvm::enumerate(module.fileLocations))
    os << i + 1 << " {file_name_id=" << row.fileNameId
       << " function_name_id=" << row.functionNameId << " line=" << row.line
       << " end_line=" << row.endLine << " column=" << row.column
       << " end_column=" << row.endColumn << "}\n";
  os << "\nStackFrames\n";
  for (auto [i, row] : llvm::enumerate(module.stackFrames))
    os << i + 1 << " {file_location_id=" << row.fileLocationId
       << " parent_frame_id=" << row.parentFrameId + 1 << "}\n";
}

static void printHeader(const Module &module, raw_ostream &os) {
  os << "HloModule " << module.name;
  for (const Attribute &attribute : module.attributes) {
    if (attribute.name != AttrName::EntryComputationLayout) {
      printAttribute(attribute, nullptr, os);
      continue;
    }
    os << ", " << spelling(attribute.name) << "={(";
    llvm::interleaveComma(module.entryLayoutParameters, os,
                          [&](const Shape *shape) { os << toString(*shape); });
    os << ")->" << toString(*module.entryLayoutResult) << '}';
  }
  os << '\n';
}

void mercator::hlo::print(const Module &module, raw_ostream &os) {
  if (module.hasHeader)
    printHeader(module, os);
  printTables(module, os);
  for (auto [i, computation] : llvm::enumerate(module.computations)) {
    if (i || module.hasHeader || !module.fileNames.empty())
      os << '\n';
    print(computation, os);
  }
}

std::string mercator::hlo::toString(const Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(module, os);
  return text;
}
