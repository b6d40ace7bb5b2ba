// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of text for a proto, shared by its .cpp files only: Proto.cpp (module
// and computations), ProtoInstructions.cpp, ProtoShapes.cpp (shapes, constants)
// and ProtoShardings.cpp (shardings, replica groups, meshes).
//
// It checks what the parser cannot see in the text: that a name is one name, that
// an id exists, that an enumeration has the value, that a constant has its bytes.
// The first error ends the text.

#ifndef MERCATOR_FRONTENDS_HLO_PROTOTEXT_H
#define MERCATOR_FRONTENDS_HLO_PROTOTEXT_H

#include "mercator/frontends/hlo/Syntax.h"
#include "mercator/frontends/hlo/Wire.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <vector>

namespace mercator::hlo {

class ProtoText {
public:
  /// Requires: the fault, which is the one of the messages, and the module,
  /// whose arena holds shapes, outlive the writer.
  ProtoText(Module &scratch, WireFault &fault, size_t limit)
      : scratch(scratch), fault(fault), limit(limit), os(text) {}

  void writeModule(const WireMessage &module);

  /// The first error, if there was one.
  [[nodiscard]] std::optional<std::string> error() const;
  [[nodiscard]] std::string takeText() { return std::move(text); }

private:
  struct Node {
    WireMessage proto;
    llvm::StringRef name;
    llvm::StringRef opcode;
  };

  using Nodes = llvm::DenseMap<int64_t, const Node *>;

  /// A computation of one operation, which runs asynchronously: XLA writes the
  /// operation at its call, `negate-start(%p)`, and not the computation.
  struct Wrapped {
    std::vector<Node> list;
    Nodes nodes;
    const Node *operation = nullptr;
  };

  //===--- Errors ---------------------------------------------------------===//
  /// Records the first error. Returns false.
  bool fail(const llvm::Twine &what);
  [[nodiscard]] bool failed() const;

  //===--- Module (Proto.cpp) ---------------------------------------------===//
  void findWrapped(llvm::ArrayRef<WireMessage> protos);
  std::vector<Node> readNodes(const WireMessage &computation);
  bool numberNodes(llvm::ArrayRef<Node> list, Nodes &numbered);
  void writeHeader(const WireMessage &module);
  void writeTables(const WireMessage &index);
  void writeComputation(const WireMessage &computation, bool isEntry,
                        llvm::ArrayRef<int64_t> schedule);
  void writeSignature(const WireMessage &program);
  bool orderBySchedule(std::vector<Node> &nodes,
                       llvm::ArrayRef<int64_t> schedule);
  /// A name as the parser reads it: one word.
  void writeName(llvm::StringRef name, llvm::StringRef what);
  void writeWord(llvm::StringRef word);
  void writeIndices(llvm::ArrayRef<int64_t> values);
  void writeFrontendAttributes(const WireMessage &attributes);

  //===--- Instructions (ProtoInstructions.cpp) ---------------------------===//
  void writeInstruction(const Node &node, bool isRoot);
  void writeOperands(const Node &node);
  void writeOpcode(const Node &node);
  void writeAttributes(const Node &node);
  const Wrapped *wrappedBy(const Node &node);
  void writeDimensions(const Node &node);
  void writeContraction(const WireMessage &dims);
  void writePrecision(const WireMessage &precision);
  void writeConvolution(const Node &node);
  void writeGather(const Node &node);
  void writeScatter(const Node &node);
  void writeCollective(const Node &node);
  void writeCustomCall(const Node &node);
  void writeComparison(const Node &node);
  void writeAccuracy(const WireMessage &accuracy);
  void writeCallees(const Node &node);
  void writeCallee(int64_t id);
  void writeCommon(const Node &node);
  void writeMetadata(const WireMessage &metadata);
  void writeBackendConfig(const Node &node);
  llvm::StringRef payloadOf(const WireMessage &message, uint32_t number);
  void writeAliasing(const WireMessage &proto);
  void writeWindow(const WireMessage &window);
  void writeLabels(const WireMessage &labels);
  void integer(llvm::StringRef name, int64_t value);
  void flag(llvm::StringRef name, bool value);
  void integers(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                bool always = true);
  void string(llvm::StringRef name, llvm::StringRef value);
  void word(llvm::StringRef name, llvm::StringRef value);
  /// The word of an enumeration's value; an empty word is not written.
  void choice(llvm::StringRef name, int64_t value,
              llvm::ArrayRef<llvm::StringRef> words);

  //===--- Shapes and constants (ProtoShapes.cpp) -------------------------===//
  /// Null after an error.
  const Shape *readShape(const WireMessage &proto, bool withLayout = true,
                         unsigned depth = 0);
  const Layout *readLayout(const WireMessage &proto, unsigned depth);
  std::optional<ElementType> readElementType(int64_t value);
  void writeShape(const WireMessage &proto, bool withLayout = true);
  const Literal *readLiteral(const WireMessage &proto, unsigned depth = 0);
  /// The elements in the order of their layout, in whole bytes.
  bool readElements(const WireMessage &proto, const Shape &shape,
                    llvm::SmallVectorImpl<char> &bytes);

  //===--- Shardings (ProtoShardings.cpp) ---------------------------------===//
  void writeSharding(const WireMessage &sharding, unsigned depth = 0);
  void writeTiledSharding(const WireMessage &sharding);
  void writeNamedSharding(const WireMessage &sharding);
  void writeMesh(const WireMessage &mesh);
  void writeAxes(llvm::ArrayRef<WireMessage> axes, const WireMessage &mesh,
                 bool isOpen = false);
  void writeQuoted(llvm::StringRef axis);
  void writeIota(llvm::ArrayRef<int64_t> dims,
                 llvm::ArrayRef<int64_t> permutation);
  void writeReplicaGroups(const WireMessage &instruction);

  Module &scratch;
  WireFault &fault;
  size_t limit;
  std::string text;
  llvm::raw_string_ostream os;
  std::optional<std::string> problem;
  std::string where; // what is being written, for messages

  llvm::DenseMap<int64_t, llvm::StringRef> computations; // by id
  /// Of the current computation, by the lower half of the id.
  Nodes nodes;
  std::map<int64_t, Wrapped> wrapped; // by the id of the computation
  llvm::DenseMap<const Node *, const Wrapped *> asyncCalls;
  llvm::ArrayRef<llvm::StringRef> payloads;
};

/// The fields of the messages, by their numbers in hlo.proto and xla_data.proto.
namespace field {
// HloModuleProto
enum : uint32_t {
  kModuleName = 1,
  kComputations = 3,
  kProgramShape = 4,
  kEntryId = 6,
  kSchedule = 7,
  kInputOutputAlias = 8,
  kStackFrameIndex = 17,
  kBufferDonor = 18,
  kModuleFrontendAttributes = 19,
  kPayloads = 22,
};
// HloComputationProto
enum : uint32_t {
  kComputationName = 1,
  kInstructions = 2,
  kComputationShape = 4,
  kComputationId = 5,
  kRootId = 6,
  kExecutionThread = 8,
};
// HloInstructionProto
enum : uint32_t {
  kName = 1,
  kOpcode = 2,
  kShape = 3,
  kMetadata = 7,
  kLiteral = 8,
  kParameterNumber = 9,
  kFusionKind = 11,
  kTupleIndex = 13,
  kDimensions = 14,
  kWindow = 15,
  kConvolution = 16,
  kSlices = 17,
  kExponentBits = 18,
  kMantissaBits = 19,
  kDynamicSliceSizes = 20,
  kPadding = 21,
  kOutfeedConfig = 22,
  kDistribution = 23,
  kEpsilon = 24,
  kFeatureIndex = 25,
  kChannelId = 26,
  kInfeedConfig = 27,
  kCustomCallTarget = 28,
  kOutfeedShape = 29,
  kDot = 30,
  kFftType = 31,
  kFftLength = 32,
  kGather = 33,
  kGatherSliceSizes = 34,
  kId = 35,
  kOperandIds = 36,
  kControlPredecessorIds = 37,
  kCalledIds = 38,
  kSharding = 40,
  kBackendConfig = 43,
  kAllReduceId = 45,
  kIsHostTransfer = 47,
  kScatter = 48,
  kReplicaGroups = 49,
  kFeatureGroupCount = 50,
  kPrecision = 51,
  kSourceTargetPairs = 52,
  kDomainEntry = 54,
  kDomainExit = 55,
  kConstrainLayout = 56,
  kOperandShapes = 57,
  kBatchGroupCount = 58,
  kTriangularSolve = 59,
  kIsStable = 60,
  kParameterReplication = 61,
  kCholesky = 62,
  kDirection = 63,
  kHasSideEffect = 65,
  kDelta = 66,
  kIndicesAreSorted = 67,
  kFrontendAttributes = 68,
  kUniqueIndices = 69,
  kRngAlgorithm = 70,
  kUseGlobalDeviceIds = 71,
  kComparisonType = 72,
  kAliasing = 74,
  kPaddingType = 75,
  kCallSchedule = 76,
  kApiVersion = 77,
  kAsyncThread = 79,
  kPrefetchIndex = 80,
  kK = 81,
  kLargest = 85,
  kDeviceList = 87,
  kIsComposite = 89,
  kRaggedDot = 90,
  kAccuracy = 91,
  kIotaDeviceList = 92,
  kMeshAxes = 93,
  kIsReverse = 94,
  kNumCarries = 95,
  kIsAssociative = 96,
  kConvKind = 97,
  kBackendPayload = 99,
};
} // namespace field

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_PROTOTEXT_H
