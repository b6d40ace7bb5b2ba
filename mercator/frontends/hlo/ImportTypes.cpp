// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts shapes to types, literals to attributes, and text offsets to
// locations.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Type elementTypeOf(MLIRContext *context, ElementType type) {
  Builder b(context);
  switch (type) {
  case ElementType::PRED:
    return b.getI1Type();
  // A signless i1 is a pred.
  case ElementType::S1:
    return b.getIntegerType(1, /*isSigned=*/true);
  case ElementType::F16:
    return b.getF16Type();
  case ElementType::BF16:
    return b.getBF16Type();
  case ElementType::F32:
    return b.getF32Type();
  case ElementType::F64:
    return b.getF64Type();
  case ElementType::F8E3M4:
    return Float8E3M4Type::get(context);
  case ElementType::F8E4M3:
    return Float8E4M3Type::get(context);
  case ElementType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ElementType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case ElementType::F8E4M3B11FNUZ:
    return Float8E4M3B11FNUZType::get(context);
  case ElementType::F8E5M2:
    return Float8E5M2Type::get(context);
  case ElementType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case ElementType::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case ElementType::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case ElementType::C64:
    return ComplexType::get(b.getF32Type());
  case ElementType::C128:
    return ComplexType::get(b.getF64Type());
  default:
    break;
  }
  if (isUnsignedInteger(type))
    return b.getIntegerType(bitWidth(type), /*isSigned=*/false);
  return b.getIntegerType(bitWidth(type));
}

/// Whether the layout has more than an order of dimensions.
static bool hasDetails(const Layout &layout) {
  return !layout.tiles.empty() || layout.elementSizeInBits != 0 ||
         layout.memorySpace != 0 || layout.tailPaddingAlignment != 1 ||
         layout.dynamicMetadataPrefix != 0 || layout.indexType ||
         layout.pointerType || !layout.dimLevelTypes.empty() ||
         !layout.splitConfigs.empty() || layout.physicalShape;
}

mlir::Attribute ModuleImporter::encodingOf(const Shape &shape) {
  SmallVector<int64_t> bounds;
  unsigned bounded = 0;
  if (!shape.dynamic.empty())
    for (unsigned i = 0; i < shape.rank(); ++i) {
      bool known = shape.isDynamic(i) && shape.dims[i] != Shape::kUnbounded;
      bounds.push_back(known ? shape.dims[i] : ShapedType::kDynamic);
      bounded += known;
    }
  if (!bounded)
    bounds.clear();

  // `#stablehlo.bounds` is for one bounded dimension; a layout holds several.
  SmallVector<int64_t> rowMajor =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape.rank())));
  if (!shape.layout && bounded > 1)
    return LayoutAttr::get(&context, rowMajor, "", bounds);
  if (const Layout *layout = shape.layout) {
    std::string details;
    if (hasDetails(*layout)) {
      // `f32[4]{0:T(128)}`: the text between the colon and the last brace.
      std::string text = toString(shape);
      size_t colon = text.find(':');
      if (colon != std::string::npos)
        details = text.substr(colon + 1, text.size() - colon - 2);
    }
    ArrayRef<int64_t> order = layout->minorToMajor;
    bool isDefault = order == ArrayRef(rowMajor);
    if (!isDefault || !details.empty() || bounded > 1)
      return LayoutAttr::get(&context, order, details, bounds);
  }
  if (bounded)
    return stablehlo::TypeExtensionsAttr::get(&context, bounds);
  return {};
}

Type ModuleImporter::arrayTypeOf(const Shape &shape) {
  Type element = elementTypeOf(&context, shape.elementType);
  SmallVector<int64_t> dims(shape.dims);
  for (unsigned i = 0; i < dims.size(); ++i)
    if (shape.isDynamic(i))
      dims[i] = ShapedType::kDynamic;
  return RankedTensorType::get(dims, element, encodingOf(shape));
}

Type ModuleImporter::typeOf(const Shape &shape) {
  auto [slot, isNew] = types.try_emplace(&shape);
  if (!isNew)
    return slot->second;
  Type type;
  switch (shape.kind) {
  case Shape::Kind::Array:
    type = arrayTypeOf(shape);
    break;
  case Shape::Kind::Token:
    type = stablehlo::TokenType::get(&context);
    break;
  case Shape::Kind::Opaque:
    type = OpaqueType::get(&context);
    break;
  case Shape::Kind::Tuple: {
    SmallVector<Type> members;
    for (const Shape *member : shape.elements)
      members.push_back(typeOf(*member));
    type = TupleType::get(&context, members);
    break;
  }
  case Shape::Kind::Buffer: {
    Type inner = typeOf(*shape.elements.front());
    auto tensor = dyn_cast<RankedTensorType>(inner);
    // A memref cannot hold tuples or complex numbers of unusual floats; these
    // keep their type.
    type =
        tensor && BaseMemRefType::isValidElementType(tensor.getElementType())
            ? Type(MemRefType::get(tensor.getShape(), tensor.getElementType()))
            : inner;
    break;
  }
  }
  types[&shape] = type; // the recursion may have moved the slot
  return type;
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

ElementsAttr ModuleImporter::elementsOf(const Literal &literal) {
  auto type = cast<RankedTensorType>(typeOf(*literal.shape));
  if (literal.elided)
    return stablehlo::elidedElements(type);
  if (!type.hasStaticShape()) // the text fills the bounds
    type = RankedTensorType::get(literal.shape->dims, type.getElementType());
  ArrayRef<char> bytes = literal.bytes;
  if (type.getNumElements() == 0)
    return DenseElementsAttr::get(type, ArrayRef<mlir::Attribute>());
  // MLIR stores one element of a splat, for a tensor of any size.
  if (bitWidth(literal.shape->elementType) == 1) {
    SmallVector<bool> bits;
    for (char byte : bytes)
      bits.push_back(byte != 0);
    return DenseElementsAttr::get(type, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

Location ModuleImporter::textLocation(SourceLoc loc) {
  if (loc == kNoLoc)
    return UnknownLoc::get(&context);
  LineColumn place = source.getLineColumn(loc);
  return FileLineColLoc::get(fileName, place.line, place.column);
}

Location ModuleImporter::locationOf(const Instruction &instruction,
                                    bool named) {
  Location text = textLocation(instruction.loc);
  if (!named)
    return text;
  const Attribute *metadata = instruction.find(AttrName::Metadata);
  Location inner =
      metadata ? metadataLocation(metadata->metadata(), text) : text;
  return NameLoc::get(attributes.getStringAttr(instruction.name), inner);
}

/// Adds the location in the traced program.
Location ModuleImporter::metadataLocation(const Metadata &metadata,
                                          Location text) {
  StringRef file = metadata.sourceFile;
  int64_t line = metadata.sourceLine, column = metadata.sourceColumn;
  if (file.empty() && metadata.stackFrameId > 0 &&
      metadata.stackFrameId <= int64_t(module.stackFrames.size())) {
    int64_t id = module.stackFrames[metadata.stackFrameId - 1].fileLocationId;
    if (id > 0 && id <= int64_t(module.fileLocations.size())) {
      const FileLocation &place = module.fileLocations[id - 1];
      if (place.fileNameId > 0 &&
          place.fileNameId <= int64_t(module.fileNames.size()))
        file = module.fileNames[place.fileNameId - 1];
      line = place.line;
      column = place.column;
    }
  }
  auto clamp = [](int64_t n) {
    return unsigned(std::clamp<int64_t>(n, 0, UINT32_MAX));
  };
  Location origin =
      file.empty()
          ? Location(UnknownLoc::get(&context))
          : FileLineColLoc::get(&context, file, clamp(line), clamp(column));
  if (!metadata.opName.empty())
    origin = NameLoc::get(attributes.getStringAttr(metadata.opName), origin);
  SmallVector<NamedAttribute, 2> details;
  if (!metadata.opType.empty())
    details.push_back(attributes.getNamedAttr(
        "op_type", attributes.getStringAttr(metadata.opType)));
  if (!metadata.others.empty())
    details.push_back(attributes.getNamedAttr(
        "others", attributes.getStringAttr(metadata.others)));
  mlir::Attribute dictionary = details.empty()
                                   ? mlir::Attribute()
                                   : attributes.getDictionaryAttr(details);
  return FusedLoc::get(&context, {text, origin}, dictionary);
}
