// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/vhlo/Read.h"
#include "mercator/dialects/Register.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/chlo/TopKBytecode.h"
#include "mercator/frontends/stablehlo/Binary.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Limits.h"
#include "mercator/frontends/vhlo/Container.h"
#include "mercator/frontends/vhlo/Convert.h"
#include "mercator/frontends/vhlo/Encodings.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mercator;
using llvm::StringRef;

//===--- Exported programs ------------------------------------------------===//

namespace {
/// A flatbuffer: tables of fields, read where they lie. Any offset may be wrong.
class Flatbuffer {
public:
  explicit Flatbuffer(StringRef bytes) : bytes(bytes) {}

  /// The bytes of a field of the root table that is a vector of bytes; empty if
  /// there are none.
  StringRef vectorOfRoot(unsigned field) const {
    uint64_t table = number<uint32_t>(0);
    // The table begins with the distance back to the offsets of its fields.
    int64_t offsets = int64_t(table) - number<int32_t>(table);
    uint64_t entry = 4 + 2 * uint64_t(field);
    if (offsets < 0 || entry >= number<uint16_t>(offsets))
      return {};
    uint64_t at = table + number<uint16_t>(offsets + entry);
    if (at == table)
      return {};
    at += number<uint32_t>(at);
    uint64_t size = number<uint32_t>(at);
    return at + 4 + size <= bytes.size() ? bytes.substr(at + 4, size)
                                         : StringRef();
  }

private:
  /// 0 beyond the end.
  template <typename T> T number(uint64_t at) const {
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
      return 0;
    return llvm::support::endian::read<T, llvm::endianness::little>(
        bytes.data() + at);
  }

  StringRef bytes;
};
} // namespace

std::optional<StringRef> vhlo::findBytecode(StringRef bytes) {
  if (stablehlo::bytecodeProducer(bytes))
    return bytes;
  // Of the table `Exported`.
  constexpr unsigned kModule = 13;
  StringRef module = Flatbuffer(bytes).vectorOfRoot(kModule);
  if (stablehlo::bytecodeProducer(module))
    return module;
  return std::nullopt;
}

//===--- Bytecode ---------------------------------------------------------===//

namespace {
/// Counts the parts of types and attributes, which may share theirs. What prints
/// them does not.
class Parts {
public:
  uint64_t of(mlir::Type type) {
    return count(type, [&](auto onAttr, auto onType) {
      type.walkImmediateSubElements(onAttr, onType);
    });
  }
  uint64_t of(mlir::Attribute attr) {
    return count(attr, [&](auto onAttr, auto onType) {
      attr.walkImmediateSubElements(onAttr, onType);
    });
  }

private:
  template <typename T, typename F> uint64_t count(T part, F walk) {
    const void *key = part.getAsOpaquePointer();
    if (auto found = known.find(key); found != known.end())
      return found->second;
    uint64_t parts = 1;
    // Deeper than any text may be.
    if (++depth > stablehlo::kMaxLevels)
      parts = stablehlo::kMaxParts;
    else
      walk([&](mlir::Attribute attr) { parts += attr ? of(attr) : 0; },
           [&](mlir::Type type) { parts += type ? of(type) : 0; });
    --depth;
    parts = std::min(parts, stablehlo::kMaxParts);
    known[key] = parts;
    return parts;
  }

  llvm::DenseMap<const void *, uint64_t> known;
  unsigned depth = 0;
};
} // namespace

/// Fails after an error if the module is larger, or nested deeper, than a text
/// may be.
static llvm::LogicalResult checkSize(mlir::Operation *root) {
  Parts parts;
  auto tooLarge = [&](mlir::Operation *op) {
    for (mlir::NamedAttribute attr : op->getAttrs())
      if (parts.of(attr.getValue()) >= stablehlo::kMaxParts)
        return true;
    for (mlir::Type type : op->getResultTypes())
      if (parts.of(type) >= stablehlo::kMaxParts)
        return true;
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::Type type : block.getArgumentTypes())
          if (parts.of(type) >= stablehlo::kMaxParts)
            return true;
    return parts.of(mlir::Attribute(op->getLoc())) >= stablehlo::kMaxParts;
  };
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>> stack{{root, 0}};
  while (!stack.empty()) {
    auto [op, depth] = stack.pop_back_val();
    if (depth > stablehlo::kMaxLevels)
      return op->emitError("expected at most ")
             << stablehlo::kMaxLevels << " levels of regions";
    if (tooLarge(op))
      return op->emitError("expected types and attributes of at most ")
             << stablehlo::kMaxParts << " parts";
    for (mlir::Region &region : op->getRegions())
      for (mlir::Operation &inner : region.getOps())
        stack.push_back({&inner, depth + 1});
  }
  return llvm::success();
}

/// A module with one module in it is that module.
static mlir::Operation *programIn(mlir::Block &block) {
  return llvm::hasSingleElement(block) ? &block.front() : nullptr;
}

std::optional<std::string>
vhlo::readBytecode(const SourceBuffer &source,
                   mercator::DiagnosticEngine &diagnostics) {
  std::optional<StringRef> bytecode = findBytecode(source.getText());
  if (!bytecode) {
    (void)diagnostics.error({}, "expected MLIR bytecode in " +
                                    quote(source.getName()));
    return std::nullopt;
  }
  if (std::optional<std::string> fault = faultOf(*bytecode)) {
    (void)diagnostics.error({}, "cannot read " + quote(source.getName()) +
                                    ": " + *fault);
    return std::nullopt;
  }
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  loadEncodings(context);

  // Bytes have no places that people could look at.
  std::string fault;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            fault.empty())
          fault = diagnostic.str();
      });

  // Bytecode may hold data that must be aligned.
  auto aligned = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      bytecode->size(), source.getName(), llvm::Align(64));
  llvm::copy(*bytecode, aligned->getBufferStart());
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  addBuiltinEncodings(config.getBytecodeReaderConfig(), bytecode->size());
  mlir::Block block;
  auto readInto = [&](mlir::Block &block) {
    return succeeded(mlir::readBytecodeFile(aligned->getMemBufferRef(), &block,
                                            config)) &&
           fault.empty();
  };
  bool isRead = readInto(block);
  if (!isRead && bytecode->contains("top_k")) {
    std::string first = std::exchange(fault, {});
    block.clear();
    auto *dialect = context.getOrLoadDialect<chlo::ChloDialect>();
    dialect->addInterface(std::make_unique<chlo::TopKOfOldWriters>(dialect));
    isRead = readInto(block);
    if (!isRead)
      fault = std::move(first);
  }
  mlir::Operation *program = isRead ? programIn(block) : nullptr;
  if (program && succeeded(checkSize(program)) &&
      succeeded(convertToStablehlo(program)) &&
      succeeded(mlir::verify(program)) && fault.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    stablehlo::print(program, os, mlir::OpPrintingFlags().enableDebugInfo());
    os << '\n';
    return text;
  }
  (void)diagnostics.error({},
                          "cannot read " + quote(source.getName()) + ": " +
                              (fault.empty() ? "expected one module" : fault));
  if (!fault.empty())
    diagnostics.note({}, "written by " +
                             quote(*stablehlo::bytecodeProducer(*bytecode)));
  return std::nullopt;
}
