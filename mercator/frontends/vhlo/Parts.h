// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Attributes and types that VHLO and MLIR encode alike, after their code. Each
/// function gives null after an error.

#ifndef MERCATOR_FRONTENDS_VHLO_PARTS_H
#define MERCATOR_FRONTENDS_VHLO_PARTS_H

#include "mercator/frontends/vhlo/Decoder.h"

namespace mercator::vhlo {

/// Pairs of names, which differ, and attributes.
mlir::Attribute dictionaryAttribute(Decoder &in);
/// A type and a number of it.
mlir::Attribute integerAttribute(Decoder &in);
mlir::Attribute floatAttribute(Decoder &in);
/// A type and the bytes of the elements. Booleans are bits, one byte for all, or a
/// byte each.
mlir::Attribute elementsAttribute(Decoder &in);
/// Extents and the type of the elements, after an encoding.
mlir::Type tensorType(Decoder &in, bool hasEncoding);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_PARTS_H
