// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg: the maps of an operation, against executing its loops.

#include "Elements.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace mercator;
using namespace mercator::testing;
using mlir::linalg::LinalgOp;

namespace {

int64_t valueAt(mlir::AffineExpr e, const Index &loops) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(e))
    return constant.getValue();
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(e))
    return loops.at(dim.getPosition());
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(e);
  int64_t a = valueAt(binary.getLHS(), loops);
  int64_t b = valueAt(binary.getRHS(), loops);
  switch (e.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return a * b;
  case mlir::AffineExprKind::FloorDiv:
    return a / b; // nothing here is negative
  case mlir::AffineExprKind::CeilDiv:
    return (a + b - 1) / b;
  case mlir::AffineExprKind::Mod:
    return a % b;
  default:
    ADD_FAILURE() << "a symbol";
    return 0;
  }
}

Index elementAt(mlir::AffineMap map, const Index &loops) {
  Index index;
  for (mlir::AffineExpr e : map.getResults())
    index.push_back(valueAt(e, loops));
  return index;
}

Index shapeOf(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type ? Index(type.getShape()) : Index();
}

/// Checks every operand and result of an operation whose results do not depend
/// on each other. MLIR tells which operands the body uses.
void checkLoops(LinalgOp op, Fidelity fidelity = Fidelity::Exact) {
  Index loops;
  for (int64_t size : op.getStaticLoopRanges())
    loops.push_back(size);
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    mlir::OpOperand *init = op.getDpsInitOperand(result);
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      Relation reads;
      if (op.payloadUsesValueFromOperand(&operand) &&
          (op.isDpsInput(&operand) || &operand == init))
        indexing::testing::forEachIndex(loops, [&](const Index &at) {
          reads.add(elementAt(op.getMatchingIndexingMap(init), at),
                    elementAt(op.getMatchingIndexingMap(&operand), at));
        });
      // An element that no iteration writes keeps its value.
      if (&operand == init)
        indexing::testing::forEachIndex(
            shapeOf(init->get()), [&](const Index &element) {
              bool written = false;
              indexing::testing::forEachIndex(loops, [&](const Index &at) {
                written |=
                    elementAt(op.getMatchingIndexingMap(init), at) == element;
              });
              if (!written)
                reads.add(element, element);
            });
      expectReads(op, operand.getOperandNumber(), result, reads, fidelity);
    }
  }
}

//===--- All named operations ---------------------------------------------===//

/// Letters are dimensions. Lower case letters have the sizes of the table
/// below. X, Y, Z are those of the input, under a window of x by d, y by h, z
/// by w.
struct Row {
  const char *name, *inputs, *output;
  const char *element = "f32";
  const char *attributes = "";
};

constexpr Row kRows[] = {
    {"copy", "nc", "nc"},
    {"exp", "nc", "nc"},
    {"log", "nc", "nc"},
    {"abs", "nc", "nc"},
    {"ceil", "nc", "nc"},
    {"floor", "nc", "nc"},
    {"negf", "nc", "nc"},
    {"reciprocal", "nc", "nc"},
    {"round", "nc", "nc"},
    {"sqrt", "nc", "nc"},
    {"rsqrt", "nc", "nc"},
    {"square", "nc", "nc"},
    {"tanh", "nc", "nc"},
    {"erf", "nc", "nc"},
    {"add", "nc nc", "nc"},
    {"sub", "nc nc", "nc"},
    {"mul", "nc nc", "nc"},
    {"div", "nc nc", "nc"},
    {"div_unsigned", "nc nc", "nc", "i32"},
    {"max", "nc nc", "nc"},
    {"min", "nc nc", "nc"},
    {"powf", "nc nc", "nc"},
    {"select", "nc:i1 nc nc", "nc"},
    {"fill", ".", "ncf"},
    {"fill_rng_2d", ".:f64 .:f64 .:i32", "nc"},
    {"elementwise", "nc", "nc", "f32", "kind=#linalg.elementwise_kind<exp>"},
    {"matmul", "nc cf", "nf"},
    {"batch_matmul", "mnc mcf", "mnf"},
    {"batch_reduce_matmul", "mnc mcf", "nf"},
    {"quantized_matmul", "nc cf . .", "nf", "i32"},
    {"quantized_batch_matmul", "mnc mcf . .", "mnf", "i32"},
    {"mmt4d", "mcnh fcgh", "mfng"},
    {"batch_mmt4d", "kmcnh kfcgh", "kmfng"},
    {"matvec", "nc c", "n"},
    {"vecmat", "c cn", "n"},
    {"batch_matvec", "mnc mc", "mn"},
    {"batch_vecmat", "mc mcn", "mn"},
    {"dot", "c c", "."},
    {"contract", "nc fc", "nf", "f32",
     "indexing_maps=[affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(j,k)>, "
     "affine_map<(i,j,k)->(i,j)>]"},
    {"conv_1d", "X d", "x"},
    {"conv_2d", "XY dh", "xy"},
    {"conv_3d", "XYZ dhw", "xyz"},
    {"conv_1d_nwc_wcf", "nXc dcf", "nxf", "f32", "1"},
    {"conv_1d_ncw_fcw", "ncX fcd", "nfx", "f32", "1"},
    {"conv_2d_nhwc_hwcf", "nXYc dhcf", "nxyf", "f32", "2"},
    {"conv_2d_nhwc_fhwc", "nXYc fdhc", "nxyf", "f32", "2"},
    {"conv_2d_nchw_fchw", "ncXY fcdh", "nfxy", "f32", "2"},
    {"conv_2d_nhwc_hwcf_q", "nXYc dhcf . .", "nxyf", "i32", "2"},
    {"conv_2d_nhwc_fhwc_q", "nXYc fdhc . .", "nxyf", "i32", "2"},
    {"conv_2d_nchw_fchw_q", "ncXY fcdh . .", "nfxy", "i32", "2"},
    {"conv_2d_ngchw_fgchw", "ngcXY fgcdh", "ngfxy", "f32", "2"},
    {"conv_2d_ngchw_gfchw", "ngcXY gfcdh", "ngfxy", "f32", "2"},
    {"conv_2d_nhwgc_gfhwc", "nXYgc gfdhc", "nxygf", "f32", "2"},
    {"conv_2d_nhwgc_gfhwc_q", "nXYgc gfdhc . .", "nxygf", "i32", "2"},
    {"conv_2d_ngchw_gfchw_q", "ngcXY gfcdh . .", "ngfxy", "i32", "2"},
    {"conv_3d_ndhwc_dhwcf", "nXYZc dhwcf", "nxyzf", "f32", "3"},
    {"conv_3d_ndhwc_dhwcf_q", "nXYZc dhwcf . .", "nxyzf", "i32", "3"},
    {"conv_3d_ncdhw_fcdhw", "ncXYZ fcdhw", "nfxyz", "f32", "3"},
    {"depthwise_conv_1d_nwc_wc", "nXc dc", "nxc", "f32", "1"},
    {"depthwise_conv_1d_ncw_cw", "ncX cd", "ncx", "f32", "1"},
    {"depthwise_conv_1d_nwc_wcm", "nXc dcm", "nxcm", "f32", "1"},
    {"depthwise_conv_2d_nhwc_hwc", "nXYc dhc", "nxyc", "f32", "2"},
    {"depthwise_conv_2d_nchw_chw", "ncXY cdh", "ncxy", "f32", "2"},
    {"depthwise_conv_2d_nhwc_hwc_q", "nXYc dhc . .", "nxyc", "i32", "2"},
    {"depthwise_conv_2d_nhwc_hwcm", "nXYc dhcm", "nxycm", "f32", "2"},
    {"depthwise_conv_2d_nhwc_hwcm_q", "nXYc dhcm . .", "nxycm", "i32", "2"},
    {"depthwise_conv_3d_ndhwc_dhwc", "nXYZc dhwc", "nxyzc", "f32", "3"},
    {"depthwise_conv_3d_ncdhw_cdhw", "ncXYZ cdhw", "ncxyz", "f32", "3"},
    {"depthwise_conv_3d_ndhwc_dhwcm", "nXYZc dhwcm", "nxyzcm", "f32", "3"},
    {"pooling_nhwc_sum", "nXYc dh", "nxyc", "f32", "2"},
    {"pooling_nchw_sum", "ncXY dh", "ncxy", "f32", "2"},
    {"pooling_nhwc_max", "nXYc dh", "nxyc", "f32", "2"},
    {"pooling_nhwc_max_unsigned", "nXYc dh", "nxyc", "i32", "2"},
    {"pooling_nchw_max", "ncXY dh", "ncxy", "f32", "2"},
    {"pooling_nhwc_min", "nXYc dh", "nxyc", "f32", "2"},
    {"pooling_nhwc_min_unsigned", "nXYc dh", "nxyc", "i32", "2"},
    {"pooling_nwc_sum", "nXc d", "nxc", "f32", "1"},
    {"pooling_ncw_sum", "ncX d", "ncx", "f32", "1"},
    {"pooling_nwc_max", "nXc d", "nxc", "f32", "1"},
    {"pooling_nwc_max_unsigned", "nXc d", "nxc", "i32", "1"},
    {"pooling_ncw_max", "ncX d", "ncx", "f32", "1"},
    {"pooling_nwc_min", "nXc d", "nxc", "f32", "1"},
    {"pooling_nwc_min_unsigned", "nXc d", "nxc", "i32", "1"},
    {"pooling_ndhwc_sum", "nXYZc dhw", "nxyzc", "f32", "3"},
    {"pooling_ndhwc_max", "nXYZc dhw", "nxyzc", "f32", "3"},
    {"pooling_ndhwc_min", "nXYZc dhw", "nxyzc", "f32", "3"},
};

struct Window {
  int64_t stride, dilation;
};

int64_t sizeOf(char letter, Window w) {
  static const std::map<char, int64_t> sizes = {
      {'n', 2}, {'c', 3}, {'f', 2}, {'g', 2}, {'m', 2}, {'k', 2},
      {'d', 2}, {'h', 3}, {'w', 2}, {'x', 3}, {'y', 2}, {'z', 2}};
  if (letter < 'X' || letter > 'Z')
    return sizes.at(letter);
  int64_t out = sizes.at(letter - 'X' + 'x');
  int64_t window = sizes.at("dhw"[letter - 'X']);
  return (out - 1) * w.stride + (window - 1) * w.dilation + 1;
}

std::string typeOf(llvm::StringRef spec, llvm::StringRef element, Window w) {
  auto [letters, own] = spec.split(':');
  std::string type = own.empty() ? element.str() : own.str();
  if (letters == ".")
    return type;
  std::string dims;
  for (char letter : letters)
    dims += std::to_string(sizeOf(letter, w)) + "x";
  return "tensor<" + dims + type + ">";
}

std::string programOf(const Row &row, Window w) {
  std::string arguments, names, types;
  llvm::SmallVector<llvm::StringRef> inputs;
  llvm::StringRef(row.inputs).split(inputs, ' ');
  for (auto [i, input] : llvm::enumerate(inputs)) {
    std::string name = "%a" + std::to_string(i);
    std::string type = typeOf(input, row.element, w);
    arguments += name + ": " + type + ", ";
    names += (i ? ", " : "") + name;
    types += (i ? ", " : "") + type;
  }
  std::string out = llvm::StringRef(row.output) == "."
                        ? "tensor<" + std::string(row.element) + ">"
                        : typeOf(row.output, row.element, w);
  llvm::StringRef attributes = row.attributes;
  std::string attribute = attributes.str();
  if (int64_t dims = 0; !attributes.getAsInteger(10, dims)) {
    auto dense = [&](int64_t x) {
      return "dense<" + std::to_string(x) + "> : tensor<" +
             std::to_string(dims) + "xi64>";
    };
    attribute = "{strides = " + dense(w.stride) +
                ", dilations = " + dense(w.dilation) + "}";
  }
  return around("%r = linalg." + std::string(row.name) + " " + attribute +
                    " ins(" + names + " : " + types + ") outs(%o : " + out +
                    ") -> " + out,
                arguments + "%o: " + out);
}

TEST(LinalgMaps, NamedOperations) {
  for (const Row &row : kRows)
    for (Window w : {Window{1, 1}, Window{2, 1}, Window{1, 2}, Window{2, 3}}) {
      if (w.stride * w.dilation != 1 && !llvm::isDigit(row.attributes[0]))
        continue;
      std::string text = programOf(row, w);
      SCOPED_TRACE(text);
      Program program(text);
      ASSERT_TRUE(program.module);
      checkLoops(llvm::cast<LinalgOp>(
          program.find("linalg." + std::string(row.name))));
    }
}

// A new version of MLIR may have new operations.
TEST(LinalgMaps, TheTableHasAllNamedOperations) {
  std::set<std::string> names = {// Below, each with its own test.
                                 "generic", "map", "reduce", "transpose",
                                 "broadcast"};
  for (const Row &row : kRows)
    names.insert(row.name);
  Program program("func.func @f(%a: tensor<f32>) { %r = linalg.exp ins(%a : "
                  "tensor<f32>) outs(%a : tensor<f32>) -> tensor<f32>\n"
                  "return }");
  size_t count = 0;
  for (mlir::RegisteredOperationName name :
       program.context.getRegisteredOperations())
    if (name.hasInterface<LinalgOp>()) {
      ++count;
      EXPECT_TRUE(names.count(name.stripDialect().str()))
          << name.getStringRef().str();
      EXPECT_TRUE(name.hasInterface<MapInterface>());
    }
  EXPECT_EQ(count, names.size());
}

//===--- Operations with a body -------------------------------------------===//

void checkText(llvm::StringRef operation, llvm::StringRef arguments,
               llvm::StringRef name, Fidelity fidelity = Fidelity::Exact) {
  SCOPED_TRACE(operation.str());
  Program program(around(operation, arguments));
  ASSERT_TRUE(program.module);
  checkLoops(llvm::cast<LinalgOp>(program.find(name)), fidelity);
}

TEST(LinalgMaps, BroadcastTransposeReduceMap) {
  checkText("%r = linalg.broadcast ins(%a : tensor<3xf32>) outs(%o : "
            "tensor<2x3x4xf32>) dimensions = [0, 2]",
            "%a: tensor<3xf32>, %o: tensor<2x3x4xf32>", "linalg.broadcast");
  checkText("%r = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%o : "
            "tensor<4x2x3xf32>) permutation = [2, 0, 1]",
            "%a: tensor<2x3x4xf32>, %o: tensor<4x2x3xf32>", "linalg.transpose");
  checkText("%r = linalg.reduce { arith.addf } ins(%a : tensor<2x3x4xf32>) "
            "outs(%o : tensor<2x4xf32>) dimensions = [1]",
            "%a: tensor<2x3x4xf32>, %o: tensor<2x4xf32>", "linalg.reduce");
  checkText("%r = linalg.map { arith.addf } ins(%a, %b : tensor<2x3xf32>, "
            "tensor<2x3xf32>) outs(%o : tensor<2x3xf32>)",
            "%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>",
            "linalg.map");
}

std::string generic(llvm::StringRef maps, llvm::StringRef iterators,
                    llvm::StringRef operands, llvm::StringRef body,
                    llvm::StringRef results) {
  return ("%r:RESULTS = linalg.generic {indexing_maps = [" + maps +
          "], iterator_types = [" + iterators + "]} " + operands + " {\n" +
          body + "\n} -> " + results)
      .str();
}
std::string withResults(std::string text, int n) {
  size_t at = text.find("RESULTS");
  return text.replace(at, 7, std::to_string(n));
}

TEST(LinalgMaps, IgnoredOperandsAreNotRead) {
  // The first result is the first input. The second is the sum of the second
  // input and the old value.
  Program program(around(
      withResults(
          generic("affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j, i)>, "
                  "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>",
                  R"("parallel", "parallel")",
                  "ins(%a, %b : tensor<2xf32>, tensor<3x2xf32>) outs(%o, %p : "
                  "tensor<2x3xf32>, tensor<2x3xf32>)",
                  "^bb0(%x: f32, %y: f32, %u: f32, %v: f32):\n"
                  "%i = linalg.index 0 : index\n"
                  "%s = arith.addf %y, %v : f32\n"
                  "linalg.yield %x, %s : f32, f32",
                  "(tensor<2x3xf32>, tensor<2x3xf32>)"),
          2),
      "%a: tensor<2xf32>, %b: tensor<3x2xf32>, %o: tensor<2x3xf32>, "
      "%p: tensor<2x3xf32>"));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = program.find("linalg.generic");
  Relation row, transposed, same;
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j) {
      row.add({i, j}, {i});
      transposed.add({i, j}, {j, i});
      same.add({i, j}, {i, j});
    }
  const Relation expected[2][4] = {{row, {}, {}, {}},
                                   {{}, transposed, {}, same}};
  for (unsigned result : {0, 1})
    for (unsigned operand : {0, 1, 2, 3})
      expectReads(op, operand, result, expected[result][operand]);
}

TEST(LinalgMaps, ComplexNumbersAreReadInTwoParts) {
  Program program(around(
      withResults(
          generic("affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, "
                  "affine_map<(i, j) -> (i, j)>",
                  R"("parallel", "parallel")",
                  "ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%o : "
                  "tensor<2x3xcomplex<f32>>)",
                  "^bb0(%x: f32, %y: f32, %u: complex<f32>):\n"
                  "%z = complex.create %x, %y : complex<f32>\n"
                  "%s = complex.mul %z, %z : complex<f32>\n"
                  "linalg.yield %s : complex<f32>",
                  "tensor<2x3xcomplex<f32>>"),
          1),
      "%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %o: tensor<2x3xcomplex<f32>>"));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = program.find("linalg.generic");
  Relation same, transposed;
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j) {
      same.add({i, j}, {i, j});
      transposed.add({i, j}, {j, i});
    }
  expectReads(op, 0, 0, same);
  expectReads(op, 1, 0, transposed);
  expectReads(op, 2, 0, {});
}

// The maximum and its index: the second result depends on the first.
TEST(LinalgMaps, ResultsThatDependOnEachOther) {
  Program program(around(
      withResults(
          generic("affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, "
                  "affine_map<(i, j) -> (i)>",
                  R"("parallel", "reduction")",
                  "ins(%a : tensor<2x3xf32>) outs(%o, %p : tensor<2xf32>, "
                  "tensor<2xindex>)",
                  "^bb0(%x: f32, %m: f32, %at: index):\n"
                  "%j = linalg.index 1 : index\n"
                  "%more = arith.cmpf ogt, %x, %m : f32\n"
                  "%n = arith.select %more, %x, %m : f32\n"
                  "%k = arith.select %more, %j, %at : index\n"
                  "linalg.yield %n, %k : f32, index",
                  "(tensor<2xf32>, tensor<2xindex>)"),
          2),
      "%a: tensor<2x3xf32>, %o: tensor<2xf32>, %p: tensor<2xindex>"));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = program.find("linalg.generic");
  const char *row = "(d0)[s0] -> (d0, s0), domain: d0 in [0, 1], s0 in [0, 2]";
  const char *same = "(d0) -> (d0), domain: d0 in [0, 1]";
  Arena arena;
  for (unsigned result : {0, 1})
    expectMaps(arena, mapsOf(op, arena, kOut, 0, result), {row});
  expectMaps(arena, mapsOf(op, arena, kOut, 1, 0), {same});
  expectMaps(arena, mapsOf(op, arena, kOut, 1, 1), {same});
  EXPECT_TRUE(mapsOf(op, arena, kOut, 2, 0).front().map.isKnownEmpty());
  expectMaps(arena, mapsOf(op, arena, kOut, 2, 1), {same});
}

TEST(LinalgMaps, GivesReasonsForOverApproximations) {
  auto reason = [](const std::string &text, const char *arguments,
                   unsigned operand) {
    Program program(around(text, arguments));
    Arena arena;
    MapSet maps =
        mapsOf(program.find("linalg.generic"), arena, kOut, operand, 0);
    return maps.size() == 1 ? maps.front().reason : "not one map";
  };
  EXPECT_EQ(
      reason(
          withResults(generic("affine_map<(i, j) -> (i, j)>, "
                              "affine_map<(i, j) -> (i)>",
                              R"("parallel", "reduction")",
                              "ins(%a : tensor<2x3xf32>) outs(%o : "
                              "tensor<2xf32>)",
                              "^bb0(%x: f32, %m: f32):\nlinalg.yield %x : f32",
                              "tensor<2xf32>"),
                      1),
          "%a: tensor<2x3xf32>, %o: tensor<2xf32>", 0),
      "linalg: several iterations write an element, and the last one is kept");
  EXPECT_EQ(
      reason(withResults(generic("affine_map<(i) -> (i)>, "
                                 "affine_map<(i) -> (i * 2)>, "
                                 "affine_map<(i) -> (i)>",
                                 R"("parallel")",
                                 "ins(%a, %b : tensor<?xf32>, tensor<?xf32>) "
                                 "outs(%o : tensor<?xf32>)",
                                 "^bb0(%x: f32, %y: f32, %m: f32):\n"
                                 "linalg.yield %y : f32",
                                 "tensor<?xf32>"),
                         1),
             "%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>", 1),
      "a size is known only when the program runs");
}

TEST(LinalgMaps, DynamicSizesOfPlainIndicesAreExact) {
  Program program(around(
      "%r = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x?xf32>) "
      "outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>",
      "%a: tensor<?x8xf32>, %b: tensor<8x?xf32>, %o: tensor<?x?xf32>"));
  Arena arena;
  MapSet maps = mapsOf(program.find("linalg.matmul"), arena, kOut, 0, 0);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_TRUE(maps.isExact());
  EXPECT_EQ(maps[0].map.domain.ranges[0].bounds, (indexing::Interval{0, 7}));
}

//===--- Random operations ------------------------------------------------===//

class RandomGeneric {
public:
  explicit RandomGeneric(uint64_t seed) : engine(seed) {
    for (int64_t n = in(1, 3); n > 0; --n)
      loops.push_back(in(1, 4));
    int64_t inputs = in(1, 3);
    std::string maps, names, types, block, arguments, sum = "%m";
    for (int64_t i = 0; i < inputs; ++i) {
      // The first input has all loops, so their sizes are known.
      std::string n = std::to_string(i);
      auto [map, type] = i == 0 ? permutation(loops.size()) : index();
      maps += map + ", ";
      names += (i ? ", %a" : "%a") + n;
      types += (i ? ", " : "") + type;
      arguments += "%a" + n + ": " + type + ", ";
      block += "%x" + n + ": f32, ";
    }
    auto [map, type] = permutation(in(0, loops.size()));
    bool once = keptOnce;
    std::string body;
    for (int64_t i = 0; i < inputs; ++i)
      if (in(0, 3) != 0) {
        std::string n = std::to_string(i);
        body += "%s" + n + " = arith.addf " + sum + ", %x" + n + " : f32\n";
        sum = "%s" + n;
      }
    // If iterations write an element twice, they use the old value.
    if (once && in(0, 1) && body.find("%m,") != std::string::npos) {
      size_t at = body.find("%m,");
      body.replace(at, 2, body.substr(body.find("%x", at), 3));
    }
    std::string iterators;
    for (size_t i = 0; i < loops.size(); ++i)
      iterators += i ? R"(, "parallel")" : R"("parallel")";
    text = around(withResults(generic(maps + map, iterators,
                                      "ins(" + names + " : " + types +
                                          ") outs(%o : " + type + ")",
                                      "^bb0(" + block + "%m: f32):\n" + body +
                                          "linalg.yield " + sum + " : f32",
                                      type),
                              1),
                  arguments + "%o: " + type);
  }
  std::string text;

private:
  int64_t in(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }
  std::string loop(int64_t i) { return "d" + std::to_string(i); }
  std::string head() {
    std::string names;
    for (size_t i = 0; i < loops.size(); ++i)
      names += (i ? ", " : "") + loop(i);
    return "affine_map<(" + names + ") -> (";
  }
  std::pair<std::string, std::string> finish(const std::string &results,
                                             const Index &sizes) {
    std::string dims;
    for (int64_t size : sizes)
      dims += std::to_string(size) + "x";
    return {head() + results + ")>", "tensor<" + dims + "f32>"};
  }
  /// `n` of the loops in any order.
  std::pair<std::string, std::string> permutation(size_t n) {
    std::vector<int64_t> order(loops.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine);
    keptOnce = true;
    for (size_t i = n; i < loops.size(); ++i)
      keptOnce &= loops[order[i]] == 1;
    order.resize(n);
    std::string results;
    Index sizes;
    for (int64_t i : order) {
      results += (results.empty() ? "" : ", ") + loop(i);
      sizes.push_back(loops[i]);
    }
    return finish(results, sizes);
  }
  /// Indices from any loops: strided, summed, constant.
  std::pair<std::string, std::string> index() {
    std::string results;
    Index sizes;
    for (int64_t n = in(0, 3); n > 0; --n) {
      int64_t a = in(0, loops.size() - 1), b = in(0, loops.size() - 1);
      int64_t stride = in(1, 3), dilation = in(1, 2), start = in(0, 2);
      std::string e;
      int64_t last = 0;
      switch (in(0, 3)) {
      case 0:
        e = loop(a);
        last = loops[a] - 1;
        break;
      case 1:
        e = loop(a) + " * " + std::to_string(stride) + " + " +
            std::to_string(start);
        last = (loops[a] - 1) * stride + start;
        break;
      case 2:
        e = loop(a) + " * " + std::to_string(stride) + " + " + loop(b) + " * " +
            std::to_string(dilation);
        last = (loops[a] - 1) * stride + (loops[b] - 1) * dilation;
        break;
      default:
        e = "0";
      }
      results += (results.empty() ? "" : ", ") + e;
      sizes.push_back(last + 1);
    }
    return finish(results, sizes);
  }

  std::mt19937_64 engine;
  Index loops;
  bool keptOnce = true;
};

TEST(LinalgMaps, RandomGenerics) {
  uint64_t first = testSeed();
  for (uint64_t seed = first; seed < first + cases(2'000); ++seed) {
    RandomGeneric random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + random.text);
    Program program(random.text);
    ASSERT_TRUE(program.module);
    checkLoops(llvm::cast<LinalgOp>(program.find("linalg.generic")));
    if (HasFailure())
      return;
  }
}

} // namespace
