// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// ldmatrix, stmatrix and mma.sync: matrices whose elements lie across the lanes.

#include "mercator/reference/ptx/Formats.h"
#include "mercator/reference/ptx/Functors.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>

namespace mercator::reference::ptx {

static bool hasAllLanes(Machine &m, const Instruction &i, uint32_t mask) {
  if (mask == ~uint32_t(0))
    return true;
  m.fail(i, std::countr_zero(mask),
         "expected all lanes of the warp, got the lanes 0x" +
             llvm::Twine::utohexstr(mask));
  return false;
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

static constexpr uint32_t kIsTransposed = 1;

/// Which two elements of an 8x8 matrix a lane holds: row and column of the first; the
/// second is the next in the row, or in the column if it is transposed.
static unsigned elementOf(unsigned lane, unsigned which, bool isTransposed) {
  unsigned row = lane / 4, column = 2 * (lane % 4) + which;
  return isTransposed ? column * 8 + row : row * 8 + column;
}

/// The rows of each matrix: 8 lanes give their addresses. Null after an error.
static bool findRows(Machine &m, const Instruction &i,
                     std::array<uint8_t *, 32> &rows, uint64_t *addresses) {
  bool isNarrow = i.flags >> 31;
  for (unsigned lane = 0; lane < 8u * i.vector; ++lane) {
    uint64_t base = isNarrow ? m.values<uint32_t>(i.a)[lane]
                             : m.values<uint64_t>(i.a)[lane];
    addresses[lane] = base + uint64_t(i.offset);
    rows[lane] = m.shared(i, addresses[lane], 16, lane);
    if (!rows[lane])
      return false;
  }
  return true;
}

template <bool IsStore>
static void moveMatrices(Machine &m, const Instruction &i, uint32_t mask) {
  std::array<uint8_t *, 32> rows;
  uint64_t addresses[32];
  if (!hasAllLanes(m, i, mask) || !findRows(m, i, rows, addresses))
    return;
  ++(IsStore ? m.counts.sharedStores : m.counts.sharedLoads);
  llvm::ArrayRef<Slot> slots = m.operands(i, i.vector);
  for (unsigned matrix = 0; matrix < i.vector; ++matrix) {
    (IsStore ? m.counts.sharedStorePasses : m.counts.sharedLoadPasses) +=
        bankPasses({addresses + 8 * matrix, 8}, 16);
    if (!IsStore)
      for (unsigned row = 8 * matrix; row < 8 * matrix + 8; ++row)
        m.noteShared(i, addresses[row], 16, row, /*isWrite=*/false);
    if (slots[matrix] == kNoSlot)
      continue;
    uint8_t before[8][16];
    if (IsStore && m.findsRaces())
      for (unsigned row = 0; row < 8; ++row)
        std::memcpy(before[row], rows[8 * matrix + row], 16);
    auto *registers = IsStore ? nullptr : m.registers<uint16_t>(slots[matrix]);
    const auto *values = IsStore ? m.values<uint16_t>(slots[matrix]) : nullptr;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned which = 0; which < 2; ++which) {
        unsigned element = elementOf(lane, which, i.flags & kIsTransposed);
        uint8_t *at = rows[8 * matrix + element / 8] + 2 * (element % 8);
        if (IsStore)
          std::memcpy(at, values + 2 * lane + which, 2);
        else
          std::memcpy(registers + 2 * lane + which, at, 2);
      }
    if (IsStore && m.findsRaces())
      for (unsigned row = 0; row < 8; ++row)
        m.noteShared(
            i, addresses[8 * matrix + row], 16, row + 8 * matrix,
            /*isWrite=*/true,
            std::equal(before[row], before[row] + 16, rows[8 * matrix + row]));
  }
}

static bool decodeMatrixAccess(Decoder &d, bool isStore) {
  d.take("sync");
  d.take("aligned");
  if (!d.take("m8n8"))
    return d.fail("expected '.m8n8'");
  int count = d.takeOne({"x1", "x2", "x4"});
  if (count < 0)
    return d.fail("expected '.x1', '.x2' or '.x4'");
  d.out.vector = uint8_t(1u << count);
  bool isTransposed = d.take("trans");
  (void)(d.take("shared") || d.take("shared::cta"));
  Type type = d.takeType();
  if (type.bits != 16)
    return d.fail("expected '.b16'");
  unsigned registers = 0;
  if (!isStore)
    registers = d.vector(4, /*isResult=*/true);
  d.address();
  if (isStore)
    registers = d.vector(4, /*isResult=*/false);
  d.out.flags |= isTransposed ? kIsTransposed : 0;
  if (!d.hasFailed() && registers != d.out.vector)
    return d.fail("expected " + llvm::Twine(unsigned(d.out.vector)) +
                  " registers");
  return d.done(Unit::Shared,
                isStore ? &moveMatrices<true> : &moveMatrices<false>);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {

/// The elements of an operand of `mma`.
enum ElementKind : uint8_t {
  HalfElement,
  BFloatElement,
  TF32Element,
  SByte,
  UByte,
  E4M3Byte,
  E5M2Byte,
  DoubleElement,
  FloatElement,
  IntElement
};

struct Product {
  unsigned m, n, k;
  ElementKind a, b, c;
};

} // namespace

static unsigned bitsOfElement(ElementKind kind) {
  switch (kind) {
  case HalfElement:
  case BFloatElement:
    return 16;
  case SByte:
  case UByte:
  case E4M3Byte:
  case E5M2Byte:
    return 8;
  case DoubleElement:
    return 64;
  default:
    return 32;
  }
}

static inline double valueOfElement(ElementKind kind, uint64_t bits) {
  switch (kind) {
  case HalfElement: {
    uint32_t exponent = bits >> 10 & 31;
    if (exponent == 0 || exponent == 31)
      return decode(kF16, bits);
    return std::bit_cast<float>(uint32_t(
        bits >> 15 << 31 | (exponent + 112) << 23 | (bits & 0x3FF) << 13));
  }
  case BFloatElement:
    return std::bit_cast<float>(uint32_t(bits) << 16);
  case TF32Element: // the last 13 bits are not read
    return std::bit_cast<float>(uint32_t(bits) & ~uint32_t(0x1FFF));
  case SByte:
    return int8_t(bits);
  case UByte:
    return uint8_t(bits);
  case E4M3Byte:
    return decode(kE4M3, bits);
  case E5M2Byte:
    return decode(kE5M2, bits);
  case DoubleElement:
    return std::bit_cast<double>(bits);
  case FloatElement:
    return std::bit_cast<float>(uint32_t(bits));
  case IntElement:
    return int32_t(bits);
  }
  return 0;
}

static uint64_t bitsOfResult(ElementKind kind, double value) {
  switch (kind) {
  case HalfElement:
    return encode(kF16, {value}, Rounding::Nearest);
  case FloatElement: {
    auto result = float(value);
    return !std::isnan(result) ? std::bit_cast<uint32_t>(result) : kNaN32;
  }
  case IntElement:
    return uint32_t(int64_t(value)); // exact: |value| < 2^53
  default:
    return std::bit_cast<uint64_t>(value);
  }
}

/// Registers of one operand: rows times columns elements over 32 lanes.
static unsigned registersOf(unsigned rows, unsigned columns, ElementKind kind) {
  unsigned bits = bitsOfElement(kind), width = std::max(32u, bits);
  return rows * columns * bits / (32 * width);
}

/// Reads an operand: element (row, column) goes to out[row * kColumns + column]. A
/// register has the neighboring elements of a row; registers go down 8 rows first, then
/// to the right.
static constexpr unsigned kColumns = 32;

template <ElementKind Kind, typename Bits>
static void readOperand(const Machine &m, llvm::ArrayRef<Slot> slots,
                        unsigned rows, double *out) {
  constexpr unsigned kParts = std::max<unsigned>(1, 4 / sizeof(Bits));
  unsigned blocks = rows / 8;
  for (auto [index, slot] : llvm::enumerate(slots)) {
    const auto *bits = m.values<Bits>(slot);
    double *corner =
        out + 8 * (index % blocks) * kColumns + 4 * kParts * (index / blocks);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned part = 0; part < kParts; ++part)
        corner[lane / 4 * kColumns + lane % 4 * kParts + part] =
            valueOfElement(Kind, bits[lane * kParts + part]);
  }
}

static void readOperand(const Machine &m, ElementKind kind,
                        llvm::ArrayRef<Slot> slots, unsigned rows,
                        double *out) {
  switch (kind) {
  case HalfElement:
    return readOperand<HalfElement, uint16_t>(m, slots, rows, out);
  case BFloatElement:
    return readOperand<BFloatElement, uint16_t>(m, slots, rows, out);
  case TF32Element:
    return readOperand<TF32Element, uint32_t>(m, slots, rows, out);
  case SByte:
    return readOperand<SByte, uint8_t>(m, slots, rows, out);
  case UByte:
    return readOperand<UByte, uint8_t>(m, slots, rows, out);
  case E4M3Byte:
    return readOperand<E4M3Byte, uint8_t>(m, slots, rows, out);
  case E5M2Byte:
    return readOperand<E5M2Byte, uint8_t>(m, slots, rows, out);
  default:
    return readOperand<DoubleElement, uint64_t>(m, slots, rows, out);
  }
}

/// C and D: two neighbors of a row, 8 rows further down the next two.
template <typename F> static void forResults(unsigned rows, F &&f) {
  for (unsigned index = 0; index < rows / 4; ++index)
    for (unsigned lane = 0; lane < 32; ++lane)
      f(lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2, index, lane);
}

static uint64_t readElement(const Machine &m, Slot slot, ElementKind kind,
                            unsigned part, unsigned lane) {
  unsigned bytes = bitsOfElement(kind) / 8, width = std::max(4u, bytes);
  uint64_t bits = 0;
  std::memcpy(&bits, m.values<uint8_t>(slot) + lane * width + part * bytes,
              bytes);
  return bits;
}

static Product productOf(const Instruction &i) {
  return {i.vector,
          8,
          i.bytes,
          ElementKind(i.flags & 15),
          ElementKind(i.flags >> 4 & 15),
          ElementKind(i.flags >> 8 & 15)};
}

/// Half the results share a register.
static unsigned resultRegisters(const Product &p) {
  return p.m / 4 / (p.c == HalfElement ? 2 : 1);
}

static constexpr uint32_t kSaturateProduct = 1 << 12;

static void multiply(Machine &m, const Instruction &i, uint32_t mask) {
  if (!hasAllLanes(m, i, mask))
    return;
  ++m.counts.products;
  Product p = productOf(i);
  unsigned results = resultRegisters(p);
  unsigned countA = registersOf(p.m, p.k, p.a),
           countB = registersOf(p.n, p.k, p.b);
  llvm::ArrayRef<Slot> slots = m.operands(i, 2 * results + countA + countB);
  llvm::ArrayRef<Slot> slotsD = slots.take_front(results);
  llvm::ArrayRef<Slot> slotsA = slots.slice(results, countA);
  llvm::ArrayRef<Slot> slotsB = slots.slice(results + countA, countB);
  llvm::ArrayRef<Slot> slotsC = slots.take_back(results);
  // B is stored by columns: a row of its transpose is a column.
  double a[16 * kColumns], b[8 * kColumns], d[16][8];
  readOperand(m, p.a, slotsA, p.m, a);
  readOperand(m, p.b, slotsB, p.n, b);
  unsigned perRegister = p.c == HalfElement ? 2 : 1;
  forResults(
      p.m, [&](unsigned row, unsigned column, unsigned index, unsigned lane) {
        d[row][column] =
            valueOfElement(p.c, readElement(m, slotsC[index / perRegister], p.c,
                                            index % perRegister, lane));
      });
  double rows[kColumns][8]; // of B
  for (unsigned k = 0; k < p.k; ++k)
    for (unsigned column = 0; column < 8; ++column)
      rows[k][column] = b[column * kColumns + k];
  for (unsigned row = 0; row < p.m; ++row) {
    double total[8] = {};
    for (unsigned k = 0; k < p.k; ++k)
      for (unsigned column = 0; column < 8; ++column)
        total[column] += a[row * kColumns + k] * rows[k][column];
    for (unsigned column = 0; column < 8; ++column) {
      d[row][column] += total[column];
      if (i.flags & kSaturateProduct)
        d[row][column] =
            std::clamp(d[row][column], -2147483648.0, 2147483647.0);
    }
  }
  unsigned bytes = bitsOfElement(p.c) / 8, width = std::max(4u, bytes);
  forResults(p.m,
             [&](unsigned row, unsigned column, unsigned index, unsigned lane) {
               Slot slot = slotsD[index / perRegister];
               if (slot == kNoSlot)
                 return;
               uint64_t bits = bitsOfResult(p.c, d[row][column]);
               std::memcpy(m.registers<uint8_t>(slot) + lane * width +
                               index % perRegister * bytes,
                           &bits, bytes);
             });
}

static std::optional<ElementKind> elementKindOf(Type type) {
  switch (type.kind) {
  case Type::Float:
    return type.bits == 16   ? HalfElement
           : type.bits == 32 ? FloatElement
                             : DoubleElement;
  case Type::BFloat:
    return BFloatElement;
  case Type::TF32:
    return TF32Element;
  case Type::E4M3:
    return E4M3Byte;
  case Type::E5M2:
    return E5M2Byte;
  case Type::Signed:
    return type.bits == 8 ? SByte : IntElement;
  case Type::Unsigned:
    return UByte;
  default:
    return std::nullopt;
  }
}

/// Whether the hardware has a product of this shape and these types.
static bool isKnown(const Product &p) {
  unsigned bits = bitsOfElement(p.a);
  bool isByte = bits == 8, isInteger = p.a == SByte || p.a == UByte;
  bool isSame = p.a == p.b || (isInteger && (p.b == SByte || p.b == UByte)) ||
                (isByte && !isInteger && (p.b == E4M3Byte || p.b == E5M2Byte));
  if (!isSame || (p.m != 16 && !(p.m == 8 && p.a == DoubleElement && p.k == 4)))
    return false;
  if (p.a == DoubleElement)
    return p.c == DoubleElement && (p.k == 4 || p.k == 8 || p.k == 16);
  if (isInteger)
    return p.c == IntElement && (p.k == 16 || p.k == 32);
  if (p.c != FloatElement &&
      !(p.c == HalfElement && (p.a == HalfElement || isByte)))
    return false;
  if (p.a == TF32Element)
    return p.k == 4 || p.k == 8;
  return isByte ? p.k == 16 || p.k == 32
                : (bits == 16 && (p.k == 8 || p.k == 16));
}

static bool decodeProductOfMatrices(Decoder &d) {
  d.take("sync");
  d.take("aligned");
  static constexpr std::pair<llvm::StringLiteral, std::array<unsigned, 3>>
      kShapes[] = {{"m16n8k4", {16, 8, 4}},
                   {"m16n8k8", {16, 8, 8}},
                   {"m16n8k16", {16, 8, 16}},
                   {"m16n8k32", {16, 8, 32}},
                   {"m8n8k4", {8, 8, 4}}};
  Product p = {};
  for (const auto &[name, shape] : kShapes)
    if (d.take(name))
      p = {shape[0], shape[1], shape[2], {}, {}, {}};
  if (p.m == 0)
    return d.fail("expected a shape of 'mma' such as '.m16n8k16'");
  if (!d.take("row") || !d.take("col"))
    return d.fail("expected '.row.col'");
  d.takeOne({"kind::f8f6f4"});
  bool isSaturated = d.take("satfinite");
  std::optional<ElementKind> kinds[4];
  for (std::optional<ElementKind> &kind : kinds)
    kind = elementKindOf(d.takeType());
  if (d.hasFailed())
    return true;
  for (const std::optional<ElementKind> &kind : kinds)
    if (!kind)
      return d.fail("expected types of numbers");
  p.a = *kinds[1];
  p.b = *kinds[2];
  p.c = *kinds[3];
  if (!isKnown(p) || kinds[0] != kinds[3] || (isSaturated && p.c != IntElement))
    return d.fail("expected another shape for these types of 'mma'");
  unsigned results = resultRegisters(p);
  unsigned countA = registersOf(p.m, p.k, p.a),
           countB = registersOf(p.n, p.k, p.b);
  unsigned widthC = std::max(4u, bitsOfElement(p.c) / 8),
           widthA = std::max(4u, bitsOfElement(p.a) / 8);
  uint32_t first = d.kernel.operands.size();
  unsigned found[] = {d.vector(widthC, /*isResult=*/true),
                      d.vector(widthA, false), d.vector(widthA, false),
                      d.vector(widthC, false)};
  unsigned expected[] = {results, countA, countB, results};
  for (unsigned operand = 0; operand < 4; ++operand)
    if (!d.hasFailed() && found[operand] != expected[operand])
      return d.fail("expected " + llvm::Twine(expected[operand]) +
                    " registers of operand " + llvm::Twine(operand + 1) +
                    ", got " + llvm::Twine(found[operand]));
  d.out.firstOperand = first;
  d.out.vector = uint8_t(p.m);
  d.out.bytes = uint8_t(p.k);
  d.out.flags = uint32_t(p.a) | uint32_t(p.b) << 4 | uint32_t(p.c) << 8 |
                (isSaturated ? kSaturateProduct : 0);
  return d.done(Unit::Matrix, &multiply);
}

bool decodeMatrix(Decoder &d) {
  if (d.base() == "ldmatrix")
    return decodeMatrixAccess(d, /*isStore=*/false);
  if (d.base() == "stmatrix")
    return decodeMatrixAccess(d, /*isStore=*/true);
  if (d.base() == "mma")
    return decodeProductOfMatrices(d);
  return false;
}

} // namespace mercator::reference::ptx
