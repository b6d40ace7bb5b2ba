// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The parts of the import; Import.h describes the result. Only the Import*.cpp
/// files include this header.
///
///   ModuleImporter   functions, types, locations, literals: the shared state
///   BodyImporter     the instructions of one computation into one block;
///                    split by family over ImportData.cpp, ImportControl.cpp,
///                    ImportCalls.cpp, ImportCollectives.cpp,
///                    ImportTransfers.cpp, ImportAsync.cpp
///   AttributeReader  the attributes of an instruction, and which are unread

#ifndef MERCATOR_FRONTENDS_HLO_IMPORTER_H
#define MERCATOR_FRONTENDS_HLO_IMPORTER_H

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/frontends/hlo/Syntax.h"
#include "mercator/support/Diagnostic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mercator::hlo {

inline constexpr unsigned kMaxBodyDepth = 64;
/// The limit on operations, clones included: this many, plus `kCopiesAllowed`
/// times the text's.
inline constexpr size_t kMinOperations = size_t(1) << 18;
inline constexpr size_t kCopiesAllowed = 4;

/// Reads attributes and remembers which were read. The others are kept as text:
/// nothing is dropped silently.
class AttributeReader {
public:
  explicit AttributeReader(const Instruction &instruction)
      : instruction(&instruction), unread(instruction.attributes.size(), true) {
  }

  /// Null if the attribute was not written.
  const Attribute *find(AttrName name);
  ArrayRef<int64_t> ints(AttrName name);
  int64_t integer(AttrName name, int64_t otherwise);
  bool flag(AttrName name, bool otherwise = false) {
    return integer(name, otherwise) != 0;
  }
  StringRef text(AttrName name);
  const ComputationRef *called(AttrName name);
  /// Counts the attribute as read.
  void skip(AttrName name) { (void)find(name); }

  template <typename Function> void forUnread(Function visit) const {
    for (unsigned i : unread.set_bits())
      visit(instruction->attributes[i]);
  }

private:
  const Instruction *instruction;
  llvm::SmallBitVector unread;
};

/// Whether any instruction may have the attribute.
[[nodiscard]] bool isCommon(AttrName name);
/// The name as written, also for attributes that are too new to be known.
[[nodiscard]] std::string nameOf(const Attribute &attribute);

class ModuleImporter {
public:
  ModuleImporter(const Module &module, const SourceBuffer &source,
                 mlir::MLIRContext &context, DiagnosticEngine &diagnostics);

  mlir::OwningOpRef<mlir::ModuleOp> run();

  //--- Shared by the bodies ---//
  const Module &module;
  mlir::MLIRContext &context;
  mlir::Builder attributes;

  mlir::Type typeOf(const Shape &shape);
  /// The location of the instruction, with its name. Requires: `named` is false
  /// for operations that HLO lacks.
  mlir::Location locationOf(const Instruction &instruction, bool named = true);
  mlir::ElementsAttr elementsOf(const Literal &literal);
  mlir::FunctionType signatureOf(uint32_t computation);
  /// The symbol of a computation, which becomes a function.
  mlir::FlatSymbolRefAttr reference(uint32_t computation);
  /// Counts an operation against the limit.
  llvm::LogicalResult count(const Instruction &instruction);
  llvm::LogicalResult error(SourceLoc loc, const llvm::Twine &message);
  /// A line that can be typed, for the error before it.
  void help(const llvm::Twine &message);
  /// The operation for an opcode that maps one to one to an elementwise
  /// operation of stablehlo; nothing for any other opcode.
  std::optional<mlir::RegisteredOperationName> elementwise(Opcode opcode);

  /// Values with the lifetime of the import.
  ArrayRef<mlir::Value> save(mlir::ValueRange values);

private:
  mlir::Location textLocation(SourceLoc loc);
  mlir::Location metadataLocation(const Metadata &metadata,
                                  mlir::Location text);
  mlir::Type arrayTypeOf(const Shape &shape);
  mlir::Attribute encodingOf(const Shape &shape);
  std::vector<bool> functionsFirst() const;
  mlir::func::FuncOp importFunction(uint32_t computation);
  void setModuleAttributes(mlir::ModuleOp op);
  llvm::LogicalResult verify(mlir::ModuleOp op);

  const SourceBuffer &source;
  DiagnosticEngine &diagnostics;
  mlir::StringAttr fileName;
  llvm::DenseMap<const Shape *, mlir::Type> types;
  std::vector<std::optional<mlir::RegisteredOperationName>> elementwiseNames;
  std::vector<bool> isFunction;  // has a function, or will have one
  std::vector<uint32_t> pending; // functions to import
  size_t operations = 0, maxOperations = kMinOperations;
  llvm::BumpPtrAllocator allocator;
};

/// The import of an instruction: one value, or the members of its tuple.
struct Imported {
  mlir::Value value;              // null: not assembled yet
  bool isSplit = false;           // several values represent the tuple
  ArrayRef<mlir::Value> elements; // its members, if known
};

/// Whether control flow carries the members of this tuple type in its place. An
/// empty tuple has none.
[[nodiscard]] inline bool isSplitTuple(mlir::Type type) {
  auto tuple = mlir::dyn_cast<mlir::TupleType>(type);
  return tuple && tuple.size() > 0;
}

/// The end of a block: its terminator, and whether a returned tuple is one
/// value or several.
enum class BodyKind { Function, Region, Fusion };

class BodyImporter {
public:
  BodyImporter(ModuleImporter &shared, const Computation &computation,
               mlir::Block &block, BodyKind kind, unsigned depth)
      : shared(shared), computation(computation), block(block), kind(kind),
        depth(depth), b(mlir::OpBuilder::atBlockEnd(&block)),
        values(computation.instructions.size()) {}

  llvm::LogicalResult run();

private:
  llvm::LogicalResult importInstruction(uint32_t index);
  /// Null if the instruction has no form here; it is then imported as
  /// hlo.opaque.
  mlir::Operation *build();
  void setResult(uint32_t index, mlir::Operation *op);
  void setLeftovers(mlir::Operation *op);
  void terminate();

  /// The value of an instruction; a tuple if HLO has a tuple.
  mlir::Value value(uint32_t index);
  /// The members of an instruction's tuple; for any other type the value
  /// itself.
  ArrayRef<mlir::Value> elements(uint32_t index);
  mlir::Value operand(unsigned i) { return value(instruction->operands[i]); }
  llvm::SmallVector<mlir::Value> operands(unsigned first = 0,
                                          unsigned count = ~0u);
  /// A copy into the type's layout, if the layouts differ.
  mlir::Value coerce(mlir::OpBuilder &builder, mlir::Value value,
                     mlir::Type type);
  mlir::Type resultType() { return shared.typeOf(*instruction->shape); }
  /// One type for each member if the result is a tuple.
  llvm::SmallVector<mlir::Type> resultTypes();
  bool operandsAreArrays() const;
  /// One get_tuple_element for each member.
  llvm::SmallVector<mlir::Value> split(mlir::OpBuilder &builder,
                                       mlir::Location where, mlir::Value tuple);
  /// Whether exactly one instruction uses this one, and has this opcode.
  bool isOnlyUsedBy(uint32_t index, Opcode opcode);

  // ImportData.cpp
  mlir::Operation *buildConstant();
  mlir::Operation *buildLiteral(const Literal &literal, mlir::Location loc);
  mlir::Operation *buildElementwise();
  mlir::Operation *buildMovement();
  mlir::Operation *buildWindowed();
  mlir::Operation *buildProduct();
  mlir::Operation *buildRaggedProduct();
  mlir::Operation *buildTopK();
  mlir::Operation *buildConvolution();
  void unifyElementTypes(llvm::MutableArrayRef<mlir::Value> values);
  mlir::Operation *buildGather();
  mlir::Operation *buildMatrix();
  mlir::ArrayAttr precision(ArrayRef<mlir::StringRef> words);

  // ImportControl.cpp
  mlir::Operation *buildControl();
  mlir::Operation *buildCall();
  mlir::Operation *buildWhile();
  mlir::Operation *buildConditional();
  mlir::Operation *call(mlir::OpBuilder &builder, mlir::Location loc,
                        uint32_t computation, mlir::ValueRange arguments);
  void callInRegion(mlir::Region &region, uint32_t computation,
                    mlir::ValueRange members, mlir::TypeRange results);
  /// The members of operand `i`, which has this type, or the operand itself.
  llvm::SmallVector<mlir::Value> carried(unsigned i, mlir::Type type);
  static llvm::SmallVector<mlir::Type> carriedTypes(mlir::Type type);

  // ImportTransfers.cpp
  mlir::Operation *buildTransfer();
  mlir::DenseIntElementsAttr transferPairs();
  llvm::SmallVector<mlir::Value> dataOperands();
  mlir::Value dataOf(mlir::Type type, mlir::ValueRange values);

  // ImportAsync.cpp
  mlir::Operation *buildAsync();
  mlir::Operation *buildAsyncStart();
  mlir::Operation *buildNow(Opcode opcode, const Shape &shape);
  mlir::Value stateOf(uint32_t index);
  const Instruction *endOf(const Instruction &start);

  // ImportCalls.cpp
  mlir::Operation *buildTuple();
  mlir::Operation *buildReduction();
  mlir::Operation *buildScatter();
  mlir::Operation *buildSort();
  mlir::Operation *buildScan();
  mlir::Operation *buildFusion();
  mlir::Operation *buildCustomCall();
  /// Null for a call that is not read.
  mlir::Operation *buildLibraryCall(std::string &reason);
  mlir::ArrayAttr bufferAliases(mlir::TypeRange results);
  bool yieldsMembers() const;
  mlir::Operation *buildOpaque();
  /// Fills a region with the body of a called computation or of the builtin
  /// one.
  void fillRegion(mlir::Operation *op, mlir::Region &region, AttrName name,
                  mlir::TypeRange builtinTypes);
  mlir::ArrayAttr references(ArrayRef<ComputationRef> computations);

  // ImportCollectives.cpp
  mlir::Operation *buildCollective();
  /// Programs of PyTorch/XLA pass a scalar along with the tensors of an all-gather
  /// or a reduce-scatter, to order the collectives. A scalar has no dimension that
  /// could be gathered: the collective returns it unchanged.
  static bool isOrderToken(mlir::Value operand, mlir::Type result);
  /// Builds a collective of the operands that are not order tokens.
  mlir::Operation *buildBesideTokens(
      llvm::function_ref<mlir::Operation *(llvm::ArrayRef<mlir::Value>,
                                           llvm::ArrayRef<mlir::Type>)>
          build);
  mlir::Operation *buildTupleAllToAll(mlir::DenseIntElementsAttr groups);
  mlir::Operation *buildRandom();
  stablehlo::ChannelHandleAttr channel(int64_t type);
  mlir::DenseIntElementsAttr replicaGroups();
  /// The groups that a text states, in any notation.
  mlir::DenseIntElementsAttr groupsOf(StringRef text);

  ModuleImporter &shared;
  const Computation &computation;
  mlir::Block &block;
  BodyKind kind;
  unsigned depth;
  mlir::OpBuilder b;
  std::vector<Imported> values;
  /// The single user of each instruction; kNone if there is none or several.
  /// Empty until it is first needed.
  std::vector<uint32_t> soleUsers;

  // The current instruction.
  const Instruction *instruction = nullptr;
  AttributeReader *attrs = nullptr;
  /// Set by the builder: the members of the tuple, if they are not the results
  /// of the operation.
  llvm::SmallVector<mlir::Value> members;
  /// Set by the builder: the single result represents an HLO tuple that only
  /// the instruction that ends the operation takes.
  bool isPending = false;
  mlir::Location loc = mlir::UnknownLoc::get(&shared.context);
  bool failedInside = false; // an error was reported in a nested body
};

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_IMPORTER_H
