// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of HLO text: the text with every name resolved and every
// shape known.
//
// Example. The text
//
//     p0 = f32[20] parameter(0)
//     bc = f32[10,20,30] broadcast(p0), dimensions={1}
//
// becomes a Module with one Computation `entry` of two Instructions:
//
//     #0 p0  Parameter  f32[20]        parameterNumber 0
//     #1 bc  Broadcast  f32[10,20,30]  operands [0]  Dimensions = {1}   (root)
//
// Vocabulary. A *computation* is a named list of instructions with one root. An
// *operand* is the index of an earlier instruction of the same computation. A
// *called computation* is the index of an earlier computation of the module.
// Both graphs are therefore acyclic by construction, and a walk in index order
// visits every definition before its uses.
//
// Properties of a tree from Parser.h (later stages rely on them):
//   - names are resolved, operands and called computations precede their use;
//   - each instruction has a shape, written or inferred; a written shape agrees
//     with the inferred one if ShapeInference.h knows the opcode;
//   - operand counts, required attributes, permutations, slice limits, window
//     ranks and dimension numbers are checked;
//   - each array shape has at most `kMaxRank` dimensions, and its element count
//     fits in int64_t.
//
// Memory: lists and strings live in the module's arena. Nothing points into the
// parsed text. Nodes are plain data and can be copied.

#ifndef MERCATOR_FRONTENDS_HLO_SYNTAX_H
#define MERCATOR_FRONTENDS_HLO_SYNTAX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mercator::hlo {

using llvm::ArrayRef;
using llvm::StringRef;

/// A byte offset into the parsed text. Texts are limited to 2^32 - 2 bytes.
using SourceLoc = uint32_t;
inline constexpr SourceLoc kNoLoc = ~SourceLoc(0);

/// "No such instruction" or "no such computation".
inline constexpr uint32_t kNone = ~uint32_t(0);

/// Limits of the text; beyond them the parser reports an error.
inline constexpr unsigned kMaxRank = 64;
inline constexpr unsigned kMaxDepth = 256;         // nested shapes, operands
inline constexpr unsigned kMaxTupleSize = 1 << 16; // shapes within one shape

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

enum class ElementType : uint8_t {
#define HLO_ELEMENT_TYPE(ENUM, SPELLING, BITS, CLASS) ENUM,
#include "mercator/frontends/hlo/ElementTypes.def"
};

/// The spelling in HLO text: `f32`, `pred`, `f8e4m3fn`.
[[nodiscard]] StringRef spelling(ElementType type);
[[nodiscard]] std::optional<ElementType>
elementTypeFromSpelling(StringRef word);
/// Bits of an element in HLO's terms: 1 for `pred`, 4 for `s4`, 64 for `c64`.
[[nodiscard]] unsigned bitWidth(ElementType type);
/// Bytes of an element in a Literal: whole bytes, 1 for `pred` and `s4`.
[[nodiscard]] unsigned byteWidth(ElementType type);
[[nodiscard]] bool isSignedInteger(ElementType type);
[[nodiscard]] bool isUnsignedInteger(ElementType type);
[[nodiscard]] bool isFloat(ElementType type);
[[nodiscard]] bool isComplex(ElementType type);
[[nodiscard]] inline bool isInteger(ElementType type) {
  return isSignedInteger(type) || isUnsignedInteger(type);
}
/// `c64` -> `f32`, `c128` -> `f64`; other types are unchanged.
[[nodiscard]] ElementType realPart(ElementType type);

struct Shape;

/// A `T(8,128)` group of a layout. `kCombine` is `*`.
struct Tile {
  static constexpr int64_t kCombine = INT64_MIN;
  ArrayRef<int64_t> dims;
};

/// The memory layout of an array: `{1,0:T(8,128)E(4)S(5)}`.
struct Layout {
  ArrayRef<int64_t> minorToMajor;         // a permutation of the dimensions
  ArrayRef<Tile> tiles;                   // outermost first
  int64_t elementSizeInBits = 0;          // E(bits); 0 = not written
  int64_t memorySpace = 0;                // S(space); 0 = default
  int64_t tailPaddingAlignment = 1;       // L(n)
  int64_t dynamicMetadataPrefix = 0;      // M(bytes)
  std::optional<ElementType> indexType;   // #(u32)
  std::optional<ElementType> pointerType; // *(u32)
  StringRef dimLevelTypes;                // inside D(..), as written
  StringRef splitConfigs;                 // `SC(..)` groups, as written, joined
  const Shape *physicalShape = nullptr;   // P(shape)
};

/// An array, a tuple, a token, an opaque value or a buffer of one of these.
struct Shape {
  enum class Kind : uint8_t { Array, Tuple, Token, Opaque, Buffer };
  /// The extent of a dimension written `?`.
  static constexpr int64_t kUnbounded = -1;

  Kind kind = Kind::Array;
  ElementType elementType = ElementType::F32; // Array only
  /// Extents; the bound where `isDynamic(i)`, `kUnbounded` for `?`.
  ArrayRef<int64_t> dims;
  /// Empty (all static) or one flag for each dimension: written `<=n` or `?`.
  ArrayRef<bool> dynamic;
  const Layout *layout = nullptr;   // null = not written: row-major
  ArrayRef<const Shape *> elements; // Tuple: its members. Buffer: exactly one.
  /// The number of shapes in this tree, including the root, and its nesting
  /// depth. At most kMaxTupleSize and kMaxDepth, which bounds the cost of a
  /// walk.
  uint32_t treeSize = 1, depth = 1;

  [[nodiscard]] bool isArray() const { return kind == Kind::Array; }
  [[nodiscard]] bool isTuple() const { return kind == Kind::Tuple; }
  [[nodiscard]] bool isScalar() const { return isArray() && dims.empty(); }
  [[nodiscard]] unsigned rank() const { return dims.size(); }
  [[nodiscard]] bool isDynamic(unsigned i) const {
    return !dynamic.empty() && dynamic[i];
  }
  [[nodiscard]] bool isStatic() const;
  /// The product of the extents (bounds for dynamic dimensions). Requires: an
  /// array without unbounded dimensions. It fits in int64_t.
  [[nodiscard]] int64_t elementCount() const;
};

/// Same kind, element types and extents; layouts are not compared.
[[nodiscard]] bool sameShape(const Shape &a, const Shape &b);
/// The same, and the written layouts agree too.
[[nodiscard]] bool sameShapeAndLayout(const Shape &a, const Shape &b);
/// The HLO spelling, `f32[10,20]{1,0}`; the layout only if it was written.
[[nodiscard]] std::string toString(const Shape &shape);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The value of a `constant`. Elements are in row-major (logical) order, little
/// endian, `byteWidth(type)` bytes each. A complex element is its real part,
/// then its imaginary part; `pred` is a byte 0 or 1; a 4-bit integer is a sign-
/// or zero-extended byte; a small float is its bit pattern. NaN payloads and
/// signed zeros are preserved, because elements are bits.
struct Literal {
  bool elided = false;          // written `{...}`: the text holds no data
  bool splat = false;           // `f32[8] constant(0)`: one element for all
  const Shape *shape = nullptr; // the shape of the value
  ArrayRef<char> bytes;         // empty when elided or a tuple
  ArrayRef<const Literal *> elements; // members of a tuple literal
};

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Opcodes, in the order of Opcodes.def.
enum class Opcode : uint8_t {
#define HLO_OPCODE(ENUM, SPELLING, MIN, MAX, RULE, REQUIRED, ALLOWED) ENUM,
#include "mercator/frontends/hlo/Opcodes.def"
};
[[nodiscard]] StringRef spelling(Opcode opcode);
[[nodiscard]] std::optional<Opcode> opcodeFromSpelling(StringRef word);

/// The form of an attribute's value, and the field that holds it.
enum class AttrKind : uint8_t {
  Flag,         // true | false                            -> integer
  Integer,      // 17                                      -> integer
  Real,         // 1e-5                                    -> real
  Ints,         // {0,1}                                   -> ints
  IntLists,     // {{0,1},{2,3}}                           -> intLists()
  Word,         // kLoop, LT, rng_three_fry                -> text
  Words,        // {high,highest}                          -> words()
  String,       // "..."                                   -> text (unescaped)
  Shapes,       // {f32[2]{0}, f32[]}                      -> shapes()
  Dictionary,   // {a="b",c="d"}                           -> entries()
  Metadata,     // {op_name="x" source_line=3}             -> metadata()
  Window,       // {size=3x3 pad=1_1x1_1}                  -> window()
  ConvLabels,   // b01f_01io->b01f                         -> convLabels()
  Slices,       // {[0:4:2],[1:3]}                         -> slices()
  Padding,      // 1_4_1x4_8                               -> padding()
  Computation,  // %add                                    -> computations() of
                // one
  Computations, // {%a, %b}                                -> computations()
  Predecessors, // {%a, %b}, instructions                  -> ints (indices)
  Raw           // anything else, kept as written          -> text
};

enum class AttrName : uint8_t {
#define HLO_ATTRIBUTE(ENUM, SPELLING, KIND, WHERE) ENUM,
#include "mercator/frontends/hlo/Attributes.def"
};
[[nodiscard]] StringRef spelling(AttrName name);
[[nodiscard]] std::optional<AttrName> attrNameFromSpelling(StringRef word);
[[nodiscard]] AttrKind kindOf(AttrName name);

/// A dimension of `window={size=.. stride=.. pad=.. lhs_dilate=.. rhs_dilate=..
/// rhs_reversal=..}`. Omitted keys have these defaults.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padLow = 0, padHigh = 0; // may be negative
  int64_t baseDilation = 1;        // lhs_dilate: of the operand
  int64_t windowDilation = 1;      // rhs_dilate: of the window
  bool reversed = false;

  bool operator==(const WindowDim &) const = default;
};

/// `b01f_01io->b01f`: the roles of the dimensions of lhs, rhs and result. The
/// lhs of `bf01` has batch 0, feature 1, spatial {2, 3}.
struct ConvLabels {
  struct Side {
    int64_t batch = 0;         // rhs: the output feature dimension, `o`
    int64_t feature = 0;       // rhs: the input feature dimension, `i`
    ArrayRef<int64_t> spatial; // dimension of spatial 0, 1, ..
    unsigned rank = 0;         // spatial + 2, and the dimensions marked `?`
  };
  Side lhs, rhs, result;
  [[nodiscard]] unsigned spatialRank() const { return lhs.spatial.size(); }
};

struct SliceDim {
  int64_t start = 0, limit = 0, stride = 1;
  bool operator==(const SliceDim &) const = default;
};

struct PadDim {
  int64_t low = 0, high = 0, interior = 0; // low and high may be negative
  bool operator==(const PadDim &) const = default;
};

/// A called computation, or a binary opcode if no computation has the name:
/// `to_apply=max`.
struct ComputationRef {
  uint32_t index = kNone;        // into Module::computations, or
  std::optional<Opcode> builtin; // the scalar binary opcode meant
  StringRef name;                // as written, without `%`
};

struct DictionaryEntry {
  StringRef key;   // as written; quotes removed
  StringRef value; // unescaped
};

struct Metadata {
  StringRef opType, opName, sourceFile;
  int64_t sourceLine = 0; // 0 = not written
  int64_t sourceEndLine = 0, sourceColumn = 0, sourceEndColumn = 0;
  int64_t stackFrameId = 0; // 1-based row of Module::stackFrames; 0 = none
  StringRef others;         // further `key=value` pairs, as written
};

/// A `name=value` after the operands or in the module header.
struct Attribute {
  AttrName name{};
  /// kindOf(name), except String or Raw for `backend_config` (quoted, or a JSON
  /// object), and IntLists for the `slice_sizes` of a collective-permute.
  AttrKind kind = AttrKind::Raw;
  SourceLoc loc = kNoLoc; // of the name
  SourceLoc valueLoc = kNoLoc;
  StringRef otherName; // AttrName::Other: the name as written
  /// The word, the unescaped string, or the value as written (all other kinds).
  StringRef text;
  int64_t integer = 0;
  double real = 0;
  ArrayRef<int64_t> ints;

  [[nodiscard]] bool flag() const { return integer != 0; }
  [[nodiscard]] ArrayRef<ArrayRef<int64_t>> intLists() const {
    return list<ArrayRef<int64_t>>(AttrKind::IntLists);
  }
  [[nodiscard]] ArrayRef<StringRef> words() const {
    return list<StringRef>(AttrKind::Words);
  }
  [[nodiscard]] ArrayRef<const Shape *> shapes() const {
    return list<const Shape *>(AttrKind::Shapes);
  }
  [[nodiscard]] ArrayRef<DictionaryEntry> entries() const {
    return list<DictionaryEntry>(AttrKind::Dictionary);
  }
  [[nodiscard]] const Metadata &metadata() const {
    return list<Metadata>(AttrKind::Metadata).front();
  }
  [[nodiscard]] ArrayRef<WindowDim> window() const {
    return list<WindowDim>(AttrKind::Window);
  }
  [[nodiscard]] const ConvLabels &convLabels() const {
    return list<ConvLabels>(AttrKind::ConvLabels).front();
  }
  [[nodiscard]] ArrayRef<SliceDim> slices() const {
    return list<SliceDim>(AttrKind::Slices);
  }
  [[nodiscard]] ArrayRef<PadDim> padding() const {
    return list<PadDim>(AttrKind::Padding);
  }
  [[nodiscard]] ArrayRef<ComputationRef> computations() const {
    assert(kind == AttrKind::Computation || kind == AttrKind::Computations);
    return list<ComputationRef>(kind);
  }

  /// Stores a list that is in the module's arena.
  template <typename T> void setList(AttrKind listKind, ArrayRef<T> values) {
    kind = listKind;
    data = values.data();
    size = values.size();
  }

private:
  template <typename T> ArrayRef<T> list(AttrKind expected) const {
    assert(kind == expected && "attribute holds another kind of value");
    (void)expected;
    return ArrayRef<T>(static_cast<const T *>(data), size);
  }
  const void *data = nullptr;
  size_t size = 0;
};

//===----------------------------------------------------------------------===//
// Instructions, computations, the module
//===----------------------------------------------------------------------===//

struct Instruction {
  StringRef name; // without `%`; nested operands get a fresh name
  Opcode opcode{};
  /// For the shorthand `custom-call-start(..)`: the opcode is AsyncStart,
  /// AsyncUpdate or AsyncDone, and this is the wrapped operation.
  std::optional<Opcode> asyncWrapped;
  bool isRoot = false;
  bool shapeWritten = false;
  bool nested = false; // was written inside an operand list
  const Shape *shape = nullptr;
  ArrayRef<uint32_t> operands;      // indices into Computation::instructions
  ArrayRef<Attribute> attributes;   // in the order written
  const Literal *literal = nullptr; // Constant
  int64_t parameterNumber = -1;     // Parameter
  SourceLoc loc = kNoLoc;           // of the name
  SourceLoc opcodeLoc = kNoLoc;

  /// Null if the attribute was not written.
  [[nodiscard]] const Attribute *find(AttrName attr) const {
    for (const Attribute &a : attributes)
      if (a.name == attr)
        return &a;
    return nullptr;
  }
  /// Empty if the attribute was not written.
  [[nodiscard]] ArrayRef<int64_t> ints(AttrName attr) const {
    const Attribute *a = find(attr);
    return a ? a->ints : ArrayRef<int64_t>();
  }
  [[nodiscard]] int64_t integer(AttrName attr, int64_t otherwise) const {
    const Attribute *a = find(attr);
    return a ? a->integer : otherwise;
  }
  [[nodiscard]] bool flag(AttrName attr, bool otherwise = false) const {
    return integer(attr, otherwise) != 0;
  }
  [[nodiscard]] StringRef text(AttrName attr) const {
    const Attribute *a = find(attr);
    return a ? a->text : StringRef();
  }
  /// The called computation under `attr` (`to_apply`, `calls`, `condition`,
  /// ..); null if the attribute was not written.
  [[nodiscard]] const ComputationRef *called(AttrName attr) const {
    const Attribute *a = find(attr);
    return a && !a->computations().empty() ? &a->computations().front()
                                           : nullptr;
  }
};

struct Computation {
  StringRef name;
  bool isEntry = false;
  /// `(p: f32[], ..) -> f32[]` after the name, if written.
  struct SignatureParameter {
    StringRef name;
    const Shape *shape;
  };
  bool hasSignature = false;
  ArrayRef<SignatureParameter> signature;
  const Shape *signatureResult = nullptr;

  std::vector<Instruction> instructions; // definitions before uses
  uint32_t root = 0;
  /// parameters[n] is the instruction `parameter(n)`; numbers are dense.
  std::vector<uint32_t> parameters;
  StringRef executionThread;
  SourceLoc loc = kNoLoc; // of the name

  [[nodiscard]] const Instruction &rootInstruction() const {
    return instructions[root];
  }
  /// The index of the instruction with the name `wanted`, or kNone. Linear.
  [[nodiscard]] uint32_t lookup(StringRef wanted) const;
};

/// Rows of the tables after the header of newer modules. Ids count from 1; 0 is
/// "none".
struct FileLocation {
  int64_t fileNameId = 0, functionNameId = 0;
  int64_t line = 0, endLine = 0, column = 0, endColumn = 0;
};
struct StackFrame {
  int64_t fileLocationId = 0, parentFrameId = 0;
};

class Module {
public:
  std::string name = "module";
  bool hasHeader = false;
  std::vector<Attribute> attributes; // of the header line
  /// `entry_computation_layout={(..)->..}`, if written.
  bool hasEntryLayout = false;
  ArrayRef<const Shape *> entryLayoutParameters;
  const Shape *entryLayoutResult = nullptr;

  std::vector<StringRef> fileNames, functionNames;
  std::vector<FileLocation> fileLocations;
  std::vector<StackFrame> stackFrames;

  std::vector<Computation> computations; // callees before callers
  uint32_t entry = 0;

  /// The text that names are slices of; the modules of one text share it.
  std::shared_ptr<std::string> text;

  [[nodiscard]] const Computation &entryComputation() const {
    return computations[entry];
  }

  llvm::BumpPtrAllocator &arena() { return allocator; }
  /// Copies lists and strings into the module's arena.
  template <typename T> ArrayRef<T> save(ArrayRef<T> values) {
    if (values.empty())
      return {};
    T *copy = allocator.Allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), copy);
    return ArrayRef<T>(copy, values.size());
  }
  StringRef save(StringRef text) {
    if (text.empty())
      return {};
    char *copy = allocator.Allocate<char>(text.size());
    std::copy(text.begin(), text.end(), copy);
    return StringRef(copy, text.size());
  }

private:
  llvm::BumpPtrAllocator allocator;
};

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_SYNTAX_H
