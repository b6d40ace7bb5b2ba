// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Lexer.h"
#include "mercator/frontends/hlo/Printer.h"
#include "mercator/frontends/hlo/ProtoText.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>

using namespace mercator;
using namespace mercator::hlo;
using namespace mercator::hlo::field;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Attributes by their form
//===----------------------------------------------------------------------===//

void ProtoText::integer(StringRef name, int64_t value) {
  os << ", " << name << '=' << value;
}

void ProtoText::flag(StringRef name, bool value) {
  if (value)
    os << ", " << name << "=true";
}

void ProtoText::integers(StringRef name, llvm::ArrayRef<int64_t> values,
                         bool always) {
  if (values.empty() && !always)
    return;
  os << ", " << name << '=';
  writeIndices(values);
}

void ProtoText::string(StringRef name, StringRef value) {
  os << ", " << name << '=' << escape(value);
}

void ProtoText::word(StringRef name, StringRef value) {
  if (value.empty())
    return;
  os << ", " << name << '=';
  writeWord(value);
}

void ProtoText::choice(StringRef name, int64_t value,
                       llvm::ArrayRef<StringRef> words) {
  if (value < 0 || size_t(value) >= words.size()) {
    fail("unknown value " + Twine(value) + " of " + quote(name));
    return;
  }
  if (!words[value].empty())
    os << ", " << name << '=' << words[value];
}

template <typename T> static std::string shortest(T value) {
  char buffer[64];
  auto end = std::to_chars(buffer, std::end(buffer), value);
  return std::string(buffer, end.ptr);
}

/// The indices of a list of messages: each a name and an index list.
static std::string indexText(llvm::ArrayRef<int64_t> values) {
  std::string text = "{";
  llvm::raw_string_ostream os(text);
  llvm::interleave(values, os, ",");
  os << '}';
  return text;
}

//===----------------------------------------------------------------------===//
// Windows, contractions, gathers
//===----------------------------------------------------------------------===//

void ProtoText::writeWindow(const WireMessage &window) {
  auto dims = window.messages(1);
  if (dims.empty())
    return;
  os << ", window={size=";
  auto values = [&](uint32_t number) {
    llvm::interleave(
        dims, os, [&](const WireMessage &d) { os << d.integer(number); }, "x");
  };
  // `otherwise` is the default, and absent numbers are 0, which stands for it.
  auto key = [&](StringRef name, uint32_t number, int64_t otherwise) {
    if (llvm::all_of(dims, [&](const WireMessage &d) {
          return d.integer(number, otherwise) == otherwise;
        }))
      return;
    os << ' ' << name << '=';
    values(number);
  };
  values(1);
  key("stride", 2, 1);
  if (llvm::any_of(dims, [](const WireMessage &d) {
        return d.integer(3) || d.integer(4);
      })) {
    os << " pad=";
    llvm::interleave(
        dims, os,
        [&](const WireMessage &d) {
          os << d.integer(3) << '_' << d.integer(4);
        },
        "x");
  }
  key("lhs_dilate", 6, 1);
  key("rhs_dilate", 5, 1);
  key("rhs_reversal", 7, 0);
  os << '}';
}

/// One side of dimension labels; empty if the dimensions are not 0, 1, ..
static std::string sideOfLabels(char first, int64_t firstDim, char second,
                                int64_t secondDim,
                                llvm::ArrayRef<int64_t> spatial) {
  // A dimension that no role names is a question mark.
  int64_t rank = std::max(firstDim, secondDim) + 1;
  for (int64_t dim : spatial)
    rank = std::max(rank, dim + 1);
  if (firstDim < 0 || secondDim < 0 || rank > kMaxRank)
    return {};
  std::string labels(rank, '?');
  auto place = [&](int64_t dim, char label) {
    if (dim < 0 || labels[dim] != '?')
      return false;
    labels[dim] = label;
    return true;
  };
  bool good = place(firstDim, first) && place(secondDim, second) &&
              spatial.size() <= 10;
  for (size_t i = 0; good && i < spatial.size(); ++i)
    good = place(spatial[i], char('0' + i));
  return good ? labels : std::string();
}

void ProtoText::writeLabels(const WireMessage &dims) {
  std::string lhs = sideOfLabels('b', dims.integer(7), 'f', dims.integer(8),
                                 dims.integers(11)),
              rhs = sideOfLabels('o', dims.integer(4), 'i', dims.integer(3),
                                 dims.integers(6)),
              result = sideOfLabels('b', dims.integer(9), 'f', dims.integer(10),
                                    dims.integers(12));
  if (lhs.empty() || rhs.empty() || result.empty())
    fail("the dimension numbers of the convolution name a dimension twice");
  os << ", dim_labels=" << lhs << '_' << rhs << "->" << result;
}

void ProtoText::writePrecision(const WireMessage &precision) {
  static constexpr StringRef words[] = {"default", "high", "highest"};
  SmallVector<int64_t, 8> values = precision.integers(1);
  if (llvm::any_of(values, [](int64_t value) { return value != 0; })) {
    os << ", operand_precision={";
    llvm::interleave(
        values, os,
        [&](int64_t value) {
          if (value < 0 || size_t(value) >= std::size(words))
            fail("unknown precision " + Twine(value));
          else
            os << words[value];
        },
        ",");
    os << '}';
  }
  static constexpr StringRef algorithms[] = {"",
                                             "dot_any_f8_any_f8_f32",
                                             "dot_any_f8_any_f8_f32_fast_accum",
                                             "dot_f16_f16_f16",
                                             "dot_f16_f16_f32",
                                             "dot_bf16_bf16_bf16",
                                             "dot_bf16_bf16_f32",
                                             "dot_bf16_bf16_f32_x3",
                                             "dot_bf16_bf16_f32_x6",
                                             "dot_tf32_tf32_f32",
                                             "dot_tf32_tf32_f32_x3",
                                             "dot_f32_f32_f32",
                                             "dot_f64_f64_f64",
                                             "dot_bf16_bf16_f32_x9"};
  choice("algorithm", precision.integer(2), algorithms);
}

void ProtoText::writeContraction(const WireMessage &dims) {
  integers("lhs_batch_dims", dims.integers(3), false);
  integers("lhs_contracting_dims", dims.integers(1), false);
  integers("rhs_batch_dims", dims.integers(4), false);
  integers("rhs_contracting_dims", dims.integers(2), false);
}

void ProtoText::writeConvolution(const Node &node) {
  static constexpr StringRef kinds[] = {"", "fprop", "dgrad", "wgrad"};
  writeWindow(node.proto.message(kWindow));
  writeLabels(node.proto.message(kConvolution));
  for (auto [name, number] : {std::pair<StringRef, uint32_t>(
                                  "feature_group_count", kFeatureGroupCount),
                              {"batch_group_count", kBatchGroupCount}})
    // 0 means 1, too.
    if (int64_t count = node.proto.integer(number); count > 1)
      integer(name, count);
  writePrecision(node.proto.message(kPrecision));
  choice("conv_kind", node.proto.integer(kConvKind), kinds);
}

void ProtoText::writeGather(const Node &node) {
  WireMessage dims = node.proto.message(kGather);
  integers("offset_dims", dims.integers(1));
  integers("collapsed_slice_dims", dims.integers(2));
  integers("start_index_map", dims.integers(3));
  integers("operand_batching_dims", dims.integers(5), false);
  integers("start_indices_batching_dims", dims.integers(6), false);
  integer("index_vector_dim", dims.integer(4));
  integers("slice_sizes", node.proto.integers(kGatherSliceSizes));
  flag("indices_are_sorted", node.proto.flag(kIndicesAreSorted));
}

void ProtoText::writeScatter(const Node &node) {
  WireMessage dims = node.proto.message(kScatter);
  integers("update_window_dims", dims.integers(1));
  integers("inserted_window_dims", dims.integers(2));
  integers("scatter_dims_to_operand_dims", dims.integers(3));
  integers("input_batching_dims", dims.integers(5), false);
  integers("scatter_indices_batching_dims", dims.integers(6), false);
  integer("index_vector_dim", dims.integer(4));
  flag("indices_are_sorted", node.proto.flag(kIndicesAreSorted));
  flag("unique_indices", node.proto.flag(kUniqueIndices));
}

//===----------------------------------------------------------------------===//
// Calls and collectives
//===----------------------------------------------------------------------===//

void ProtoText::writeCollective(const Node &node) {
  const WireMessage &proto = node.proto;
  // The older field has the number of the same channel.
  int64_t channel = proto.integer(kChannelId, proto.integer(kAllReduceId));
  if (node.opcode.starts_with("collective-permute")) {
    if (channel > 0)
      integer("channel_id", channel);
    if (node.opcode.ends_with("-done"))
      return;
    os << ", source_target_pairs={";
    llvm::interleave(
        proto.messages(kSourceTargetPairs), os,
        [&](const WireMessage &pair) {
          writeIndices({pair.integer(1), pair.integer(2)});
        },
        ",");
    os << '}';
    return;
  }
  if (channel > 0)
    integer("channel_id", channel);
  writeReplicaGroups(proto);
  flag("constrain_layout", proto.flag(kConstrainLayout));
  flag("use_global_device_ids", proto.flag(kUseGlobalDeviceIds));
}

/// `{{0}: (1, {}), {1}: (0, {2})}`
void ProtoText::writeAliasing(const WireMessage &proto) {
  auto pairs = proto.messages(kAliasing);
  if (pairs.empty())
    return;
  os << ", output_to_operand_aliasing={";
  llvm::interleaveComma(pairs, os, [&](const WireMessage &pair) {
    os << indexText(pair.integers(1)) << ": (" << pair.integer(2) << ", "
       << indexText(pair.integers(3)) << ')';
  });
  os << '}';
}

void ProtoText::writeCustomCall(const Node &node) {
  const WireMessage &proto = node.proto;
  writeWindow(proto.message(kWindow));
  if (proto.has(kConvolution))
    writeLabels(proto.message(kConvolution));
  if (int64_t count = proto.integer(kFeatureGroupCount); count > 1)
    integer("feature_group_count", count);
  if (int64_t count = proto.integer(kBatchGroupCount); count > 1)
    integer("batch_group_count", count);
  writePrecision(proto.message(kPrecision));
  static constexpr StringRef paddings[] = {"", "PADDING_VALID", "PADDING_SAME"};
  choice("padding_type", proto.integer(kPaddingType), paddings);
  string("custom_call_target", proto.text(kCustomCallTarget));
  if (proto.flag(kConstrainLayout)) {
    os << ", operand_layout_constraints={";
    llvm::interleaveComma(proto.messages(kOperandShapes), os,
                          [&](const WireMessage &shape) { writeShape(shape); });
    os << '}';
  }
  flag("custom_call_has_side_effect", proto.flag(kHasSideEffect));
  if (proto.has(kLiteral))
    if (const Literal *literal = readLiteral(proto.message(kLiteral))) {
      os << ", literal=" << toString(*literal->shape) << ' ';
      print(*literal, os);
    }
  writeAliasing(proto);
  static constexpr StringRef schedules[] = {"", "SCHEDULE_LATEST",
                                            "SCHEDULE_EARLIEST"};
  choice("schedule", proto.integer(kCallSchedule), schedules);
  // XLA omits the original version, which is the default.
  static constexpr StringRef versions[] = {
      "", "", "API_VERSION_STATUS_RETURNING",
      "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
  choice("api_version", proto.integer(kApiVersion), versions);
}

//===----------------------------------------------------------------------===//
// Attributes of single operations
//===----------------------------------------------------------------------===//

/// The comparison that the elements of a type have without an attribute.
static StringRef defaultComparison(std::optional<ElementType> type) {
  if (!type || *type == ElementType::PRED || isUnsignedInteger(*type))
    return "UNSIGNED";
  return isSignedInteger(*type) ? "SIGNED" : "FLOAT";
}

void ProtoText::writeComparison(const Node &node) {
  word("direction", node.proto.text(kDirection));
  StringRef type = node.proto.text(kComparisonType);
  SmallVector<int64_t, 8> operands = node.proto.integers(kOperandIds);
  std::optional<ElementType> element;
  if (!operands.empty())
    if (const Node *operand = nodes.lookup(operands.front() & 0xffffffff))
      element = readElementType(operand->proto.message(kShape).integer(2));
  if (type != defaultComparison(element))
    word("type", type);
}

void ProtoText::writeAccuracy(const WireMessage &accuracy) {
  if (accuracy.has(2)) {
    WireMessage tolerance = accuracy.message(2);
    os << ", result_accuracy={tolerance={atol=" << shortest(tolerance.real64(1))
       << ",rtol=" << shortest(tolerance.real64(2))
       << ",ulps=" << tolerance.integer(3) << "}}";
  } else if (accuracy.integer(1) == 1) {
    os << ", result_accuracy={mode=highest}";
  } else if (accuracy.integer(1) != 0) {
    fail("unknown mode " + Twine(accuracy.integer(1)) + " of an accuracy");
  }
}

/// The field 14, which is an attribute of many operations.
void ProtoText::writeDimensions(const Node &node) {
  SmallVector<int64_t, 8> dims = node.proto.integers(kDimensions);
  if (node.opcode == "iota" || node.opcode == "reshape") {
    if (!dims.empty())
      integer(node.opcode == "iota" ? "iota_dimension" : "inferred_dimension",
              dims.front());
    return;
  }
  static constexpr StringRef always[] = {
      "broadcast",     "concatenate", "get-dimension-size", "map",
      "reduce",        "reverse",     "set-dimension-size", "sort",
      "transpose",     "all-gather",  "all-gather-start",   "scan",
      "reduce-scatter"};
  static constexpr StringRef sometimes[] = {"all-to-all", "ragged-all-to-all",
                                            "shuffle"};
  if (llvm::is_contained(always, node.opcode))
    integers("dimensions", dims);
  else if (llvm::is_contained(sometimes, node.opcode))
    integers("dimensions", dims, /*always=*/false);
}

void ProtoText::writeAttributes(const Node &node) {
  const WireMessage &proto = node.proto;
  StringRef op = node.opcode;
  bool isCollective = llvm::StringSwitch<bool>(op)
                          .StartsWith("all-", true)
                          .StartsWith("collective-", true)
                          .Cases({"reduce-scatter", "ragged-all-to-all"}, true)
                          .Default(false);
  if (isCollective && (!op.ends_with("-done") || op.starts_with("collective")))
    writeCollective(node);
  writeDimensions(node);
  if (op == "convolution") {
    writeConvolution(node);
  } else if (op == "dot" || op == "scaled-dot") {
    writeContraction(proto.message(kDot));
    writePrecision(proto.message(kPrecision));
  } else if (op == "ragged-dot") {
    WireMessage dims = proto.message(kRaggedDot);
    writeContraction(dims.message(1));
    integers("lhs_ragged_dims", dims.integers(2), false);
    integers("rhs_group_dims", dims.integers(3), false);
    writePrecision(proto.message(kPrecision));
  } else if (op == "reduce-window" || op == "select-and-scatter") {
    writeWindow(proto.message(kWindow));
  } else if (op == "gather") {
    writeGather(node);
  } else if (op == "scatter") {
    writeScatter(node);
  } else if (op == "custom-call") {
    writeCustomCall(node);
  } else if (op == "compare") {
    writeComparison(node);
  } else if (op == "slice") {
    os << ", slice={";
    llvm::interleaveComma(
        proto.messages(kSlices), os, [&](const WireMessage &dim) {
          os << '[' << dim.integer(1) << ':' << dim.integer(2);
          if (int64_t stride = dim.integer(3); stride != 1)
            os << ':' << stride;
          os << ']';
        });
    os << '}';
  } else if (op == "dynamic-slice") {
    integers("dynamic_slice_sizes", proto.integers(kDynamicSliceSizes));
  } else if (op == "pad") {
    auto dims = proto.message(kPadding).messages(1);
    bool interior = llvm::any_of(
        dims, [](const WireMessage &dim) { return dim.integer(3) != 0; });
    os << ", padding=";
    llvm::interleave(
        dims, os,
        [&](const WireMessage &dim) {
          os << dim.integer(1) << '_' << dim.integer(2);
          if (interior)
            os << '_' << dim.integer(3);
        },
        "x");
  } else if (op == "reduce-precision") {
    integer("exponent_bits", proto.integer(kExponentBits));
    integer("mantissa_bits", proto.integer(kMantissaBits));
  } else if (op == "get-tuple-element") {
    integer("index", proto.integer(kTupleIndex));
  } else if (op.starts_with("batch-norm-")) {
    os << ", epsilon=" << shortest(proto.real32(kEpsilon));
    integer("feature_index", proto.integer(kFeatureIndex));
  } else if (op == "fft") {
    static constexpr StringRef kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    choice("fft_type", proto.integer(kFftType), kinds);
    integers("fft_length", proto.integers(kFftLength));
  } else if (op == "rng") {
    static constexpr StringRef kinds[] = {"", "rng_uniform", "rng_normal"};
    choice("distribution", proto.integer(kDistribution), kinds);
  } else if (op == "rng-bit-generator") {
    static constexpr StringRef kinds[] = {"rng_default", "rng_three_fry",
                                          "rng_philox"};
    choice("algorithm", proto.integer(kRngAlgorithm), kinds);
  } else if (op == "rng-get-and-update-state") {
    integer("delta", proto.integer(kDelta));
  } else if (op == "triangular-solve") {
    WireMessage options = proto.message(kTriangularSolve);
    static constexpr StringRef kinds[] = {"", "NO_TRANSPOSE", "TRANSPOSE",
                                          "ADJOINT"};
    flag("left_side", options.flag(1));
    flag("lower", options.flag(2));
    flag("unit_diagonal", options.flag(3));
    choice("transpose_a", options.integer(4), kinds);
  } else if (op == "cholesky") {
    flag("lower", proto.message(kCholesky).flag(1));
  } else if (op == "sort") {
    flag("is_stable", proto.flag(kIsStable));
  } else if (op == "topk") {
    integer("k", proto.integer(kK));
    os << ", largest=" << (proto.flag(kLargest) ? "true" : "false");
    flag("is_stable", proto.flag(kIsStable));
  } else if (op == "scan") {
    flag("is_reverse", proto.flag(kIsReverse));
    integer("num_carries", proto.integer(kNumCarries));
    static constexpr StringRef states[] = {"", "true", "false"};
    choice("is_associative", proto.integer(kIsAssociative), states);
  } else if (op == "infeed") {
    if (StringRef config = proto.text(kInfeedConfig); !config.empty())
      string("infeed_config", config);
  } else if (op == "outfeed") {
    if (StringRef config = proto.text(kOutfeedConfig); !config.empty())
      string("outfeed_config", config);
    if (proto.has(kOutfeedShape)) {
      os << ", outfeed_shape=";
      writeShape(proto.message(kOutfeedShape));
    }
  } else if (op.starts_with("send") || op.starts_with("recv")) {
    if (int64_t channel = proto.integer(kChannelId); channel > 0)
      integer("channel_id", channel);
    flag("is_host_transfer", proto.flag(kIsHostTransfer));
  } else if (op == "copy-start") {
    if (proto.has(kPrefetchIndex))
      integer("cross_program_prefetch_index", proto.integer(kPrefetchIndex));
  } else if (op == "domain") {
    os << ", domain={kind=\"sharding\", entry=";
    writeSharding(proto.message(kDomainEntry));
    os << ", exit=";
    writeSharding(proto.message(kDomainExit));
    os << '}';
  } else if (op == "fusion") {
    word("kind", proto.text(kFusionKind));
    writeAliasing(proto);
  } else if (op == "call") {
    flag("is_composite", proto.flag(kIsComposite));
    writeAliasing(proto);
  } else if (op.starts_with("async-")) {
    StringRef thread = proto.text(kAsyncThread);
    if (!thread.empty() && thread != "main")
      string("async_execution_thread", thread);
    writeAliasing(proto);
    if (const Wrapped *inner = wrappedBy(node)) {
      if (op == "async-start") {
        Nodes outer = std::exchange(nodes, inner->nodes);
        writeAttributes(*inner->operation);
        nodes = std::move(outer);
      }
      return;
    }
  }
  if (proto.has(kAccuracy))
    writeAccuracy(proto.message(kAccuracy));
  writeCallees(node);
}

//===----------------------------------------------------------------------===//
// Called computations
//===----------------------------------------------------------------------===//

void ProtoText::writeCallee(int64_t id) {
  auto found = computations.find(id);
  if (found == computations.end()) {
    fail("no computation has the id " + Twine(id));
    return;
  }
  writeName(found->second, "a computation");
}

void ProtoText::writeCallees(const Node &node) {
  SmallVector<int64_t, 8> ids = node.proto.integers(kCalledIds);
  if (ids.empty())
    return;
  StringRef op = node.opcode;
  auto list = [&](StringRef name) {
    os << ", " << name << "={";
    llvm::interleaveComma(ids, os, [&](int64_t id) { writeCallee(id); });
    os << '}';
  };
  // The names of single computations, in the order of the proto.
  SmallVector<StringRef, 2> names;
  if (op == "while")
    names = {"body", "condition"};
  else if (op == "select-and-scatter")
    names = {"select", "scatter"};
  else if (op == "fusion" || op.starts_with("async-"))
    names = {"calls"};
  else if (op == "custom-call")
    return list("called_computations");
  else if (op == "conditional") {
    SmallVector<int64_t, 8> operands = node.proto.integers(kOperandIds);
    const Node *which = operands.empty()
                            ? nullptr
                            : nodes.lookup(operands.front() & 0xffffffff);
    constexpr int64_t kPred = 1;
    if (!which || which->proto.message(kShape).integer(2) != kPred)
      return list("branch_computations");
    names = {"true_computation", "false_computation"};
  } else {
    names = {"to_apply"};
  }
  if (names.size() != ids.size()) {
    fail("expected " + Twine(names.size()) + " called computations of " +
         quote(node.name) + ", got " + Twine(ids.size()));
    return;
  }
  // XLA writes the condition of a loop first.
  if (op == "while") {
    std::swap(names[0], names[1]);
    std::swap(ids[0], ids[1]);
  }
  for (auto [name, id] : llvm::zip(names, ids)) {
    os << ", " << name << '=';
    writeCallee(id);
  }
}

//===----------------------------------------------------------------------===//
// Attributes of every instruction
//===----------------------------------------------------------------------===//

/// The bytes of a Payload: those inside, or those of the module's list that it
/// names.
StringRef ProtoText::payloadOf(const WireMessage &message, uint32_t number) {
  if (!message.has(number))
    return {};
  WireMessage payload = message.message(number);
  if (!payload.has(2))
    return payload.text(1);
  auto id = uint64_t(payload.integer(2));
  if (id < payloads.size())
    return payloads[id];
  fail("no payload " + Twine(id) + " of a module with " +
       Twine(payloads.size()));
  return {};
}

void ProtoText::writeMetadata(const WireMessage &metadata) {
  const char *separator = "";
  auto entry = [&](StringRef name, const Twine &value) {
    os << separator << name << '=' << value;
    separator = " ";
  };
  auto string = [&](StringRef name, uint32_t number) {
    if (StringRef value = metadata.text(number); !value.empty())
      entry(name, escape(value));
  };
  auto integer = [&](StringRef name, uint32_t number) {
    if (int64_t value = metadata.integer(number))
      entry(name, Twine(value));
  };
  os << '{';
  string("op_type", 1);
  string("op_name", 2);
  string("source_file", 3);
  integer("source_line", 4);
  integer("source_end_line", 17);
  integer("source_column", 18);
  integer("source_end_column", 19);
  integer("stack_frame_id", 15);
  string("deduplicated_name", 12);
  string("scheduling_name", 16);
  if (StringRef bytes = payloadOf(metadata, 20); !bytes.empty())
    entry("metadata_payload", escape(bytes));
  os << '}';
}

/// Text that the parser reads as one value without quotes.
static bool isObject(StringRef config) {
  if (!config.starts_with("{") || config.size() >= kNoLoc)
    return false;
  std::string copy = config.str();
  Token raw = Lexer(copy).lexRaw(0, kMaxDepth);
  return !raw.is(TokenKind::Error) && raw.begin == 0 && raw.end == copy.size();
}

void ProtoText::writeBackendConfig(const Node &node) {
  StringRef config = node.proto.text(kBackendConfig);
  if (config.empty())
    config = payloadOf(node.proto, kBackendPayload);
  if (config.empty())
    return;
  os << ", backend_config=";
  if (isObject(config))
    os << config;
  else
    os << escape(config);
}

void ProtoText::writeCommon(const Node &node) {
  const WireMessage &proto = node.proto;
  if (proto.has(kSharding)) {
    os << ", sharding=";
    writeSharding(proto.message(kSharding));
  }
  writeFrontendAttributes(proto.message(kFrontendAttributes));
  SmallVector<int64_t, 8> before = proto.integers(kControlPredecessorIds);
  if (!before.empty()) {
    os << ", control-predecessors={";
    llvm::interleaveComma(before, os, [&](int64_t id) {
      if (const Node *other = nodes.lookup(id & 0xffffffff))
        writeName(other->name, "an instruction");
      else
        fail("no instruction has the id " + Twine(id));
    });
    os << '}';
  }
  if (proto.has(kMetadata))
    if (!proto.text(kMetadata).empty()) {
      os << ", metadata=";
      writeMetadata(proto.message(kMetadata));
    }
  writeBackendConfig(node);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void ProtoText::writeOperands(const Node &node) {
  if (node.opcode == "parameter") {
    os << node.proto.integer(kParameterNumber);
    return;
  }
  if (node.opcode == "constant") {
    const Shape *shape = readShape(node.proto.message(kShape));
    const Literal *literal = readLiteral(node.proto.message(kLiteral));
    if (!shape || !literal)
      return;
    if (!sameShape(*shape, *literal->shape)) {
      fail("expected a constant of shape " + quote(toString(*shape)) +
           ", got " + quote(toString(*literal->shape)));
      return;
    }
    print(*literal, os);
    return;
  }
  llvm::interleaveComma(node.proto.integers(kOperandIds), os, [&](int64_t id) {
    if (const Node *operand = nodes.lookup(id & 0xffffffff))
      writeName(operand->name, "an instruction");
    else
      fail("no instruction has the id " + Twine(id));
  });
}

/// The operation that an asynchronous instruction starts, updates or ends.
const ProtoText::Wrapped *ProtoText::wrappedBy(const Node &node) {
  if (!node.opcode.starts_with("async-"))
    return nullptr;
  auto [found, isNew] = asyncCalls.try_emplace(&node, nullptr);
  if (!isNew)
    return found->second;
  const Wrapped *result = nullptr;
  if (node.opcode == "async-start") {
    SmallVector<int64_t, 8> ids = node.proto.integers(kCalledIds);
    auto one = ids.size() == 1 ? wrapped.find(ids.front()) : wrapped.end();
    result = one == wrapped.end() ? nullptr : &one->second;
  } else {
    // Operands are written before their users, so theirs is known.
    SmallVector<int64_t, 8> ids = node.proto.integers(kOperandIds);
    if (!ids.empty())
      result = asyncCalls.lookup(nodes.lookup(ids.front() & 0xffffffff));
  }
  asyncCalls[&node] = result;
  return result;
}

void ProtoText::writeOpcode(const Node &node) {
  if (const Wrapped *inner = wrappedBy(node)) {
    writeWord(inner->operation->opcode);
    os << node.opcode.drop_front(StringRef("async").size());
    return;
  }
  writeWord(node.opcode);
}

void ProtoText::writeInstruction(const Node &node, bool isRoot) {
  where = "instruction " + quote(node.name);
  os << (isRoot ? "ROOT " : "");
  writeName(node.name, "an instruction");
  os << " = ";
  writeShape(node.proto.message(kShape));
  os << ' ';
  writeOpcode(node);
  os << '(';
  writeOperands(node);
  os << ')';
  writeAttributes(node);
  if (node.opcode == "parameter" && node.proto.has(kParameterReplication)) {
    os << ", parameter_replication={";
    llvm::interleave(
        node.proto.message(kParameterReplication).integers(1), os,
        [&](int64_t value) { os << (value ? "true" : "false"); }, ",");
    os << '}';
  }
  writeCommon(node);
}
