// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types inferred from operands and attributes alone, of stablehlo and
// chlo.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/chlo/Chlo.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mlir;
using stablehlo::Extents;
using stablehlo::extentsOf;

namespace {

/// An operation without its results: `name(operands) rest`, where `rest` is the
/// part of the generic form before the types.
struct Row {
  const char *name;
  const char *operands; ///< types
  const char *results;  ///< types, as inferred
  const char *rest = "";
};

#define REDUCER                                                                \
  "({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):"                                 \
  "   %z = stablehlo.add %x, %y : tensor<f32>"                                 \
  "   stablehlo.return %z : tensor<f32> })"
// The same, into a wider type.
#define WIDENER                                                                \
  "({ ^bb0(%x: tensor<f64>, %y: tensor<f64>):"                                 \
  "   %z = stablehlo.add %x, %y : tensor<f64>"                                 \
  "   stablehlo.return %z : tensor<f64> })"

constexpr Row kRows[] = {
    // Elementwise: the combined knowledge of all operands.
    {"stablehlo.abs", "tensor<4xf32>", "tensor<4xf32>"},
    {"stablehlo.abs", "tensor<?xcomplex<f64>>", "tensor<?xf64>"},
    {"stablehlo.real", "tensor<4xcomplex<f32>>", "tensor<4xf32>"},
    {"stablehlo.imag", "tensor<4xf32>", "tensor<4xf32>"},
    {"stablehlo.is_finite", "tensor<4x?xf32>", "tensor<4x?xi1>"},
    {"stablehlo.cbrt", "tensor<?xf32, #stablehlo.bounds<9>>",
     "tensor<?xf32, #stablehlo.bounds<9>>"},
    {"stablehlo.uniform_dequantize", "tensor<4x!quant.uniform<i8:f32, 0.5:3>>",
     "tensor<4xf32>"},
    {"stablehlo.reduce_precision", "tensor<4xf32>", "tensor<4xf32>",
     "<{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}>"},
    {"stablehlo.add", "tensor<3x?xf32>, tensor<?x4xf32>", "tensor<3x4xf32>"},
    {"stablehlo.add", "tensor<?xi8>, tensor<?xi8>", "tensor<?xi8>"},
    {"stablehlo.add", "tensor<i8>, tensor<i8>", "tensor<i8>"},
    {"stablehlo.subtract",
     "tensor<?xf32, #stablehlo.bounds<9>>, tensor<?xf32, #stablehlo.bounds<7>>",
     "tensor<?xf32, #stablehlo.bounds<7>>"},
    {"stablehlo.multiply", "tensor<?xf32, #stablehlo.bounds<9>>, tensor<9xf32>",
     "tensor<9xf32>"},
    {"stablehlo.maximum", "tensor<?xf32, #stablehlo.bounds<9>>, tensor<?xf32>",
     "tensor<?xf32, #stablehlo.bounds<9>>"},
    {"stablehlo.complex", "tensor<?xf64>, tensor<3xf64>",
     "tensor<3xcomplex<f64>>"},
    {"stablehlo.compare", "tensor<3xf64>, tensor<?xf64>", "tensor<3xi1>",
     "<{comparison_direction = #stablehlo<comparison_direction LT>}>"},
    {"stablehlo.select", "tensor<i1>, tensor<?x2x3xf32>, tensor<1x?x3xf32>",
     "tensor<1x2x3xf32>"},
    {"stablehlo.clamp", "tensor<f32>, tensor<?x2xf32>, tensor<f32>",
     "tensor<?x2xf32>"},

    // Data movement.
    {"stablehlo.broadcast", "tensor<3xi32>", "tensor<1x2x3xi32>",
     "<{broadcast_sizes = array<i64: 1, 2>}>"},
    {"stablehlo.transpose", "tensor<2x?x?xf32, #stablehlo.bounds<?, 9, ?>>",
     "tensor<?x2x?xf32, #stablehlo.bounds<9, ?, ?>>",
     "<{permutation = array<i64: 1, 0, 2>}>"},
    {"stablehlo.transpose", "tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 2.0}>>",
     "tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 2.0}>>",
     "<{permutation = array<i64: 1, 0>}>"},
    {"stablehlo.reverse", "tensor<2x?xf32>", "tensor<2x?xf32>",
     "<{dimensions = array<i64: 1>}>"},
    {"stablehlo.slice", "tensor<9x?xf32>", "tensor<3x2xf32>",
     "<{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 8, 2>, "
     "strides = array<i64: 3, 1>}>"},
    {"stablehlo.dynamic_slice", "tensor<9x?xf32>, tensor<i32>, tensor<i32>",
     "tensor<3x2xf32>", "<{slice_sizes = array<i64: 3, 2>}>"},
    {"stablehlo.dynamic_update_slice",
     "tensor<9x?xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>",
     "tensor<9x?xf32>"},
    {"stablehlo.pad",
     "tensor<4x?x?xf32, #stablehlo.bounds<?, 5, ?>>, "
     "tensor<f32>",
     "tensor<12x?x?xf32, #stablehlo.bounds<?, 4, ?>>",
     "<{edge_padding_low = array<i64: 1, -1, 0>, edge_padding_high = "
     "array<i64: 1, 0, 0>, interior_padding = array<i64: 2, 0, 0>}>"},
    {"stablehlo.concatenate", "tensor<2x?xf32>, tensor<3x4xf32>",
     "tensor<5x4xf32>", "<{dimension = 0 : i64}>"},
    {"stablehlo.concatenate",
     "tensor<2x4xf32>, tensor<?x4xf32, #stablehlo.bounds<3, ?>>",
     "tensor<?x4xf32, #stablehlo.bounds<5, ?>>", "<{dimension = 0 : i64}>"},
    {"stablehlo.concatenate", "tensor<2x4xf32>, tensor<?x4xf32>",
     "tensor<?x4xf32>", "<{dimension = 0 : i64}>"},
    {"stablehlo.gather", "tensor<3x4x2xf32>, tensor<?x2xi64>",
     "tensor<?x1x2xf32>",
     "<{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], "
     "collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = "
     "1>, slice_sizes = array<i64: 1, 1, 2>}>"},
    {"stablehlo.dynamic_gather",
     "tensor<3x4x2xf32>, tensor<5x2xi64>, tensor<3xi64>", "tensor<5x?x?xf32>",
     "<{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], "
     "collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = "
     "1>}>"},
    {"stablehlo.scatter", "tensor<8x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>",
     "tensor<8x4xf32>",
     "<{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
     "[1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 1>}> " REDUCER},
    {"stablehlo.get_dimension_size", "tensor<?x4xf32>", "tensor<i32>",
     "<{dimension = 0 : i64}>"},
    {"stablehlo.set_dimension_size", "tensor<9x4xf32>, tensor<i32>",
     "tensor<?x4xf32, #stablehlo.bounds<9, ?>>", "<{dimension = 0 : i64}>"},

    // Reductions, windows, sorting: element types are those that the body
    // returns.
    {"stablehlo.reduce", "tensor<4x?x8xf32>, tensor<f32>", "tensor<4x8xf32>",
     "<{dimensions = array<i64: 1>}> " REDUCER},
    {"stablehlo.reduce",
     "tensor<?x?xf32, #stablehlo.bounds<3, 7>>, tensor<f32>",
     "tensor<?xf64, #stablehlo.bounds<7>>",
     "<{dimensions = array<i64: 0>}> " WIDENER},
    {"stablehlo.reduce_window", "tensor<4x?x9xf32>, tensor<f32>",
     "tensor<3x?x4xf32>",
     "<{window_dimensions = array<i64: 2, 2, 3>, window_strides = array<i64: "
     "1, 1, 2>}> " REDUCER},
    {"stablehlo.reduce_window",
     "tensor<?xf32, #stablehlo.bounds<9>>, tensor<f32>",
     "tensor<?xf32, #stablehlo.bounds<5>>",
     "<{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, "
     "padding = dense<1> : tensor<1x2xi64>}> " REDUCER},
    {"stablehlo.map", "tensor<?xf32>, tensor<4xf32>", "tensor<4xf32>",
     "<{dimensions = array<i64: 0>}> " REDUCER},
    {"stablehlo.sort", "tensor<4x?xf32>, tensor<?x5xf32>",
     "tensor<4x5xf32>, tensor<4x5xf32>",
     "<{dimension = 0 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>, %u: tensor<f32>, %v: tensor<f32>): %z = stablehlo.compare "
     "LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return "
     "%z : tensor<i1> })"},

    // Matrices, transforms, normalization.
    {"stablehlo.cholesky", "tensor<?x4x4xf32>", "tensor<?x4x4xf32>",
     "<{lower = true}>"},
    {"stablehlo.triangular_solve", "tensor<4x4xf32>, tensor<4x?xf32>",
     "tensor<4x?xf32>",
     "<{left_side = true, lower = true, unit_diagonal = false, transpose_a = "
     "#stablehlo<transpose NO_TRANSPOSE>}>"},
    {"stablehlo.fft", "tensor<3x9xcomplex<f32>>", "tensor<3x9xcomplex<f32>>",
     "<{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 9>}>"},
    {"stablehlo.fft", "tensor<?x9xf32>", "tensor<?x5xcomplex<f32>>",
     "<{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>}>"},
    {"stablehlo.fft", "tensor<3x5xcomplex<f32>>", "tensor<3x9xf32>",
     "<{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 9>}>"},
    {"stablehlo.batch_norm_training",
     "tensor<2x?x4xf32>, tensor<4xf32>, tensor<4xf32>",
     "tensor<2x?x4xf32>, tensor<4xf32>, tensor<4xf32>",
     "<{epsilon = 0.001 : f32, feature_index = 2 : i64}>"},
    {"stablehlo.batch_norm_training",
     "tensor<2x?xf32, #stablehlo.bounds<?, 9>>, "
     "tensor<?xf32, #stablehlo.bounds<9>>, "
     "tensor<?xf32, #stablehlo.bounds<9>>",
     "tensor<2x?xf32, #stablehlo.bounds<?, 9>>, "
     "tensor<?xf32, #stablehlo.bounds<9>>, "
     "tensor<?xf32, #stablehlo.bounds<9>>",
     "<{epsilon = 0.001 : f32, feature_index = 1 : i64}>"},

    // Control.
    {"stablehlo.if", "tensor<i1>", "tensor<?xf32, #stablehlo.bounds<5>>",
     "({ %x = stablehlo.constant dense<1.0> : tensor<5xf32> stablehlo.return "
     "%x : tensor<5xf32> }, { %x = stablehlo.constant dense<1.0> : "
     "tensor<5xf32> %n = stablehlo.constant dense<2> : tensor<i32> %y = "
     "stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5xf32>, "
     "tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>> stablehlo.return %y "
     ": tensor<?xf32, #stablehlo.bounds<5>> })"},
    {"stablehlo.case", "tensor<i32>", "tensor<5xf32>",
     "({ %x = stablehlo.constant dense<1.0> : tensor<5xf32> stablehlo.return "
     "%x : tensor<5xf32> })"},
    {"stablehlo.while", "tensor<i1>, tensor<?xf32>",
     "tensor<i1>, tensor<?xf32>",
     "({ ^bb0(%x: tensor<i1>, %y: tensor<?xf32>): stablehlo.return %x : "
     "tensor<i1> }, { ^bb0(%x: tensor<i1>, %y: tensor<?xf32>): "
     "stablehlo.return %x, %y : tensor<i1>, tensor<?xf32> })"},
    {"stablehlo.optimization_barrier", "tensor<4xf32>, tensor<?xi1>",
     "tensor<4xf32>, tensor<?xi1>"},
    {"stablehlo.rng", "tensor<f32>, tensor<f32>, tensor<2xi64>",
     "tensor<?x?xf32>",
     "<{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>"},
    {"stablehlo.all_reduce", "tensor<4x?xf32>", "tensor<4x?xf32>",
     "<{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> " REDUCER},
    {"stablehlo.all_to_all", "tensor<8x3xf32>", "tensor<4x6xf32>",
     "<{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 "
     ": i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>"},
    {"stablehlo.collective_permute", "tensor<4x?xf32>", "tensor<4x?xf32>",
     "<{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>"},

    // chlo.
    {"chlo.erf", "tensor<4x?xf32>", "tensor<4x?xf32>"},
    {"chlo.is_inf", "tensor<?xf32, #stablehlo.bounds<9>>",
     "tensor<?xi1, #stablehlo.bounds<9>>"},
    {"chlo.next_after", "tensor<4x?xf32>, tensor<?x5xf32>", "tensor<4x5xf32>"},
    {"chlo.constant_like", "tensor<1x?xi64>", "tensor<1x?xf32>",
     "<{value = 3.2 : f32}>"},
    {"chlo.constant", "", "tensor<3xi8>",
     "<{value = dense<1> : tensor<3xi8>}>"},
    {"chlo.top_k", "tensor<5x?xbf16>", "tensor<5x3xbf16>, tensor<5x3xi32>",
     "<{k = 3 : i64}>"},
    {"chlo.broadcast_add", "tensor<1xi32>, tensor<1x2xi32>", "tensor<1x2xi32>",
     "<{broadcast_dimensions = array<i64: 1>}>"},
    {"chlo.broadcast_add", "tensor<4xi32>, tensor<4x2xi32>", "tensor<4x2xi32>",
     "<{broadcast_dimensions = array<i64: 0>}>"},
    {"chlo.broadcast_add", "tensor<?xf32>, tensor<?x3xf32>", "tensor<?x3xf32>"},
    {"chlo.broadcast_add", "tensor<0xf32>, tensor<?x1xf32>", "tensor<?x0xf32>"},
    {"chlo.broadcast_and", "tensor<4xi1>, tensor<i1>", "tensor<4xi1>"},
    // `at most 10` is 1, or the other extent.
    {"chlo.broadcast_add", "tensor<?xf32, #stablehlo.bounds<10>>, tensor<f32>",
     "tensor<?xf32, #stablehlo.bounds<10>>"},
    {"chlo.broadcast_add",
     "tensor<?xf32, #stablehlo.bounds<10>>, tensor<?xf32>", "tensor<?xf32>"},
    {"chlo.broadcast_add", "tensor<?xf32, #stablehlo.bounds<4>>, tensor<5xf32>",
     "tensor<5xf32>"},
    {"chlo.broadcast_add",
     "tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<7>>",
     "tensor<?xf32, #stablehlo.bounds<7>>"},
    {"chlo.broadcast_complex", "tensor<?xf32>, tensor<?x?xf32>",
     "tensor<?x?xcomplex<f32>>"},
    {"chlo.broadcast_compare", "tensor<?xf32>, tensor<2x1xf32>",
     "tensor<2x?xi1>",
     "<{comparison_direction = #chlo<comparison_direction EQ>}>"},
    {"chlo.broadcast_select", "tensor<2x1xi1>, tensor<3xf32>, tensor<f32>",
     "tensor<2x3xf32>"},
};

/// Operands and attributes from which no type can be inferred.
constexpr Row kNothingFollows[] = {
    {"stablehlo.add", "tensor<4xf32>, tensor<5xf32>", "tensor<4xf32>"},
    {"stablehlo.add", "tensor<f32>, tensor<5xf32>", "tensor<5xf32>"},
    {"stablehlo.select", "tensor<i1>, tensor<f32>, tensor<5xf32>",
     "tensor<5xf32>"},
    {"stablehlo.clamp", "tensor<f32>, tensor<f32>, tensor<5xf32>",
     "tensor<5xf32>"},
    {"stablehlo.add", "tensor<5xf32>, tensor<?xf32, #stablehlo.bounds<4>>",
     "tensor<5xf32>"},
    {"stablehlo.broadcast", "tensor<3xi32>", "tensor<3xi32>",
     "<{broadcast_sizes = array<i64: -2>}>"},
    {"stablehlo.transpose", "tensor<3x2xi32>", "tensor<3x2xi32>",
     "<{permutation = array<i64: 0, 2>}>"},
    {"stablehlo.slice", "tensor<9xf32>", "tensor<3xf32>",
     "<{start_indices = array<i64: 3>, limit_indices = array<i64: 1>, strides "
     "= array<i64: 1>}>"},
    {"stablehlo.slice", "tensor<9xf32>", "tensor<3xf32>",
     "<{start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides "
     "= array<i64: 0>}>"},
    {"stablehlo.pad", "tensor<4xf32>, tensor<f32>", "tensor<4xf32>",
     "<{edge_padding_low = array<i64: -5>, edge_padding_high = array<i64: 0>, "
     "interior_padding = array<i64: 0>}>"},
    {"stablehlo.pad", "tensor<9223372036854775807xf32>, tensor<f32>",
     "tensor<4xf32>",
     "<{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, "
     "interior_padding = array<i64: 9223372036854775807>}>"},
    {"stablehlo.concatenate", "tensor<2x3xf32>, tensor<3x4xf32>",
     "tensor<5x4xf32>", "<{dimension = 0 : i64}>"},
    {"stablehlo.concatenate",
     "tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>",
     "tensor<5xf32>", "<{dimension = 0 : i64}>"},
    {"stablehlo.all_to_all", "tensor<8x9223372036854775807xf32>",
     "tensor<4x6xf32>",
     "<{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 "
     ": i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>"},
    {"stablehlo.get_tuple_element", "tuple<tensor<f32>>", "tensor<f32>",
     "<{index = 1 : i32}>"},
    {"stablehlo.set_dimension_size", "tensor<9xf32>, tensor<i32>",
     "tensor<9xf32>", "<{dimension = 1 : i64}>"},
    {"chlo.broadcast_add", "tensor<4xf32>, tensor<5xf32>", "tensor<5xf32>"},
    {"chlo.broadcast_add", "tensor<4xi32>, tensor<4x2xi32>", "tensor<4x2xi32>",
     "<{broadcast_dimensions = array<i64: 2>}>"},
    {"chlo.broadcast_add", "tensor<4xi32>, tensor<4x2xi32>", "tensor<4x2xi32>",
     "<{broadcast_dimensions = array<i64: 0, 1>}>"},
    {"chlo.broadcast_complex", "tensor<2xf64>, tensor<2xf32>",
     "tensor<2xcomplex<f32>>"},
    {"chlo.broadcast_select", "tensor<2xi1>, tensor<2xi32>, tensor<2xf32>",
     "tensor<2xi32>"},
    {"chlo.top_k", "tensor<4xf32>", "tensor<8xf32>, tensor<8xi32>",
     "<{k = 8 : i64}>"},
    {"chlo.top_k", "tensor<f32>", "tensor<f32>, tensor<i32>",
     "<{k = 0 : i64}>"},
};

class InferTest : public ::testing::Test {
protected:
  InferTest() {
    DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// "T, U" as types.
  SmallVector<Type> types(StringRef list) {
    std::string text = ("(" + list + ") -> ()").str();
    auto type = dyn_cast_or_null<FunctionType>(parseType(text, &context));
    EXPECT_TRUE(type) << text;
    return type ? SmallVector<Type>(type.getInputs()) : SmallVector<Type>();
  }

  /// The operation with these results, parsed without verification.
  Operation *read(const Row &row, TypeRange results) {
    std::string text, arguments, operands;
    for (auto [i, type] : llvm::enumerate(types(row.operands))) {
      std::string number = (i ? ", %a" : "%a") + std::to_string(i);
      operands += number;
      llvm::raw_string_ostream(arguments) << number << ": " << type;
    }
    llvm::raw_string_ostream os(text);
    os << "func.func @f(" << arguments << ") { ";
    if (!results.empty())
      os << "%r:" << results.size() << " = ";
    os << '"' << row.name << "\"(" << operands << ") " << row.rest << " : ("
       << row.operands << ") -> (";
    llvm::interleaveComma(results, os);
    os << ") return }";
    module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    EXPECT_TRUE(module) << text;
    if (!module)
      return nullptr;
    auto function = *module->getOps<func::FuncOp>().begin();
    return &function.getBody().front().front();
  }

  /// The types inferred from the operation's operands and attributes.
  LogicalResult infer(Operation *op, SmallVectorImpl<Type> &inferred) {
    auto interface = dyn_cast<InferTypeOpInterface>(op);
    EXPECT_TRUE(interface) << op->getName().getStringRef().str();
    if (!interface)
      return failure();
    return interface.inferReturnTypes(&context, op->getLoc(), op->getOperands(),
                                      op->getDiscardableAttrDictionary(),
                                      op->getPropertiesStorage(),
                                      op->getRegions(), inferred);
  }

  /// The diagnostics of verification, in one string; empty if it succeeds.
  std::string complaint(Operation *op) {
    std::string said;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        said += diagnostic.str() + "\n";
      return success();
    });
    LogicalResult verified = mlir::verify(op);
    EXPECT_EQ(succeeded(verified), said.empty()) << said;
    return said;
  }

  static std::string shown(TypeRange types) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(types, os);
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// The type with one more in its first known extent, or with one more
/// dimension.
Type enlarged(RankedTensorType type, bool moreDims) {
  Extents extents = extentsOf(type);
  if (moreDims)
    extents.push_back(stablehlo::Extent::of(1));
  for (stablehlo::Extent &extent : extents)
    if (!moreDims && extent.isKnown()) {
      extent.size += 1;
      break;
    }
  return stablehlo::tensorOf(extents, type.getElementType());
}

} // namespace

TEST_F(InferTest, TypesFollow) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(std::string(row.name) + " of " + row.operands);
    SmallVector<Type> expected = types(row.results), inferred;
    Operation *op = read(row, expected);
    ASSERT_TRUE(op);
    ASSERT_TRUE(succeeded(infer(op, inferred)));
    EXPECT_EQ(shown(inferred), shown(expected));
    EXPECT_EQ(complaint(op), "");
  }
}

// The types that verifiers accept besides the inferred one: less precise ones.
TEST_F(InferTest, LessMayBeSaid) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(std::string(row.name) + " of " + row.operands);
    SmallVector<Type> vague;
    for (Type type : types(row.results)) {
      auto tensor = cast<RankedTensorType>(type);
      // The number of scales along a dimension is its extent; a constant has
      // its own type.
      bool fixed =
          isa<quant::UniformQuantizedPerAxisType>(tensor.getElementType()) ||
          StringRef(row.name) == "chlo.constant";
      vague.push_back(fixed ? type
                            : stablehlo::tensorOf(Extents(tensor.getRank()),
                                                  tensor.getElementType()));
    }
    Operation *op = read(row, vague);
    ASSERT_TRUE(op);
    EXPECT_EQ(complaint(op), "");
  }
}

TEST_F(InferTest, WrongTypesAreRefused) {
  unsigned refused = 0;
  for (const Row &row : kRows)
    for (bool moreDims : {false, true}) {
      SCOPED_TRACE(std::string(row.name) + " of " + row.operands);
      SmallVector<Type> right = types(row.results);
      for (auto [i, type] : llvm::enumerate(right)) {
        SmallVector<Type> wrong = right;
        wrong[i] = enlarged(cast<RankedTensorType>(type), moreDims);
        if (wrong[i] == type)
          continue;
        Operation *op = read(row, wrong);
        ASSERT_TRUE(op);
        std::string said = complaint(op);
        EXPECT_NE(said, "") << shown(wrong);
        EXPECT_TRUE(StringRef(said).contains("got") ||
                    StringRef(said).contains("must be"))
            << said;
        ++refused;
      }
    }
  EXPECT_GT(refused, std::size(kRows));
}

TEST_F(InferTest, NoTypeIsInferred) {
  for (const Row &row : kNothingFollows) {
    SCOPED_TRACE(std::string(row.name) + " of " + row.operands + row.rest);
    Operation *op = read(row, types(row.results));
    ASSERT_TRUE(op);
    EXPECT_NE(complaint(op), "");
    std::string said;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said = diagnostic.str();
      return success();
    });
    SmallVector<Type> inferred;
    EXPECT_TRUE(failed(infer(op, inferred))) << shown(inferred);
    EXPECT_EQ(said, "expected operands from which the results of '" +
                        std::string(row.name) + "' follow");
  }
}

TEST_F(InferTest, BuildersNeedNoTypes) {
  context.loadAllAvailableDialects();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> given =
      types("tensor<3x?xf32>, tensor<?x4xf32>, tensor<?x1x3xf32>");
  auto function = func::FuncOp::create(builder, loc, "f",
                                       builder.getFunctionType(given, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value a = function.getArgument(0), b = function.getArgument(1),
        c = function.getArgument(2);

  Value sum = stablehlo::AddOp::create(builder, loc, a, b);
  EXPECT_EQ(shown(sum.getType()), "tensor<3x4xf32>");
  Value turned = stablehlo::TransposeOp::create(builder, loc, sum,
                                                ArrayRef<int64_t>{1, 0});
  EXPECT_EQ(shown(turned.getType()), "tensor<4x3xf32>");
  Value part = stablehlo::SliceOp::create(
      builder, loc, turned, ArrayRef<int64_t>{1, 0}, ArrayRef<int64_t>{4, 3},
      ArrayRef<int64_t>{2, 1});
  EXPECT_EQ(shown(part.getType()), "tensor<2x3xf32>");
  Value less = stablehlo::CompareOp::create(builder, loc, part, part,
                                            stablehlo::ComparisonDirection::LT,
                                            stablehlo::ComparisonTypeAttr());
  EXPECT_EQ(shown(less.getType()), "tensor<2x3xi1>");
  Value chosen = stablehlo::SelectOp::create(builder, loc, less, part, part);
  EXPECT_EQ(shown(chosen.getType()), "tensor<2x3xf32>");
  Value joined = stablehlo::ConcatenateOp::create(
      builder, loc, ValueRange{chosen, part}, uint64_t(0));
  EXPECT_EQ(shown(joined.getType()), "tensor<4x3xf32>");
  Value erf = chlo::ErfOp::create(builder, loc, joined);
  EXPECT_EQ(shown(erf.getType()), "tensor<4x3xf32>");
  Value broadcast =
      chlo::BroadcastAddOp::create(builder, loc, erf, c, DenseI64ArrayAttr());
  EXPECT_EQ(shown(broadcast.getType()), "tensor<?x4x3xf32>");
  Value device = stablehlo::PartitionIdOp::create(builder, loc);
  EXPECT_EQ(shown(device.getType()), "tensor<ui32>");
  Value tuple =
      stablehlo::TupleOp::create(builder, loc, ValueRange{erf, device});
  EXPECT_EQ(shown(tuple.getType()), "tuple<tensor<4x3xf32>, tensor<ui32>>");
  Value second = stablehlo::GetTupleElementOp::create(builder, loc, tuple, 1);
  EXPECT_EQ(shown(second.getType()), "tensor<ui32>");
  func::ReturnOp::create(builder, loc);
  EXPECT_EQ(complaint(*module), "");
}
