// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HLO modules in binary form (`.pb`), as text.
//
//   HloModuleProto           PJRT clients, jaxlib's as_serialized_hlo_module_proto
//   HloProto                 XLA with --xla_dump_to=DIR --xla_dump_hlo_as_proto
//   HloSnapshot,             the same and arguments, which are ignored
//   HloUnoptimizedSnapshot
//
// The text is the one that XLA writes of the same module: names, shapes with
// layouts, constants, metadata and the order of a schedule. It is parsed like a
// text that a user wrote (Parser.h): all limits and checks are those of the text,
// and a diagnostic shows the line of the text that it speaks of.
//
//   { name: "m" computations { name: "e" id: 1 root_id: 3 instructions {
//     name: "p" opcode: "parameter" id: 2 shape { element_type: F32 .. } } .. } }
//
// becomes
//
//   HloModule m
//
//   ENTRY %e {
//     %p = f32[4]{0} parameter(0)
//     ..
//
// Not in the text: the origins of values after optimizations, statistics. Not in
// the proto: the number of replicas and partitions, and the flags of sharding
// propagation, which XLA keeps in its own configuration.
//
// Time and memory are linear in the bytes and the text. A text of more than 256
// bytes for each byte is refused.

#ifndef MERCATOR_FRONTENDS_HLO_PROTO_H
#define MERCATOR_FRONTENDS_HLO_PROTO_H

#include "mercator/support/Diagnostic.h"

#include <optional>
#include <string>

namespace mercator::hlo {

/// Whether the bytes are such a proto, maybe damaged: its first computation has a
/// name and an instruction with an opcode.
[[nodiscard]] bool looksLikeProto(llvm::StringRef bytes);

/// The text of a proto. None after an error. The bytes may be any.
[[nodiscard]] std::optional<std::string>
readProto(const SourceBuffer &source, DiagnosticEngine &diagnostics);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_PROTO_H
