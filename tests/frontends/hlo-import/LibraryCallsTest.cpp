// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of GPU libraries become fusions, stay custom calls with a reason, or are
// errors with their place. tests/provenance checks what the fusions compute.

#include "ImportText.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mercator/dialects/hlo/Hlo.h"

#include <random>

using namespace mercator;
using namespace mercator::hlo;

namespace {

constexpr char kDot[] =
    R"("dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],)"
    R"("rhs_contracting_dimensions":["0"],"lhs_batch_dimensions":[],)"
    R"("rhs_batch_dimensions":[]})";

std::string product(const std::string &target, const std::string &operands,
                    const std::string &result, const std::string &fields) {
  return "x = f32[4,8] parameter(0)\nw = f32[8,6] parameter(1)\n"
         "b = f32[6] parameter(2)\nc = f32[4,6] parameter(3)\n"
         "s = f32[] parameter(4)\nl = f8e4m3fn[4,8] parameter(5)\n"
         "r = f8e5m2[8,6] parameter(6)\n"
         "ROOT call = (" +
         result + ", s8[4096]{0}) custom-call(" + operands +
         "), custom_call_target=\"" + target +
         "\", backend_config={\"gemm_backend_config\":{" + kDot + "," + fields +
         "}}";
}

std::string convolution(const std::string &target, const std::string &operands,
                        const std::string &result, const std::string &fields) {
  return "x = f32[2,9,9,4] parameter(0)\nw = f32[8,3,3,4] parameter(1)\n"
         "y = f32[2,9,9,8] parameter(2)\nb = f32[8] parameter(3)\n"
         "s = f32[] parameter(4)\n"
         "ROOT call = (" +
         result + ", u8[16]{0}) custom-call(" + operands +
         "), window={size=3x3 pad=1_1x1_1}, "
         "dim_labels=b01f_o01i->b01f, custom_call_target=\"" +
         target + "\", backend_config={\"cudnn_conv_backend_config\":{" +
         fields + "}}";
}

std::string matrix(const std::string &target, const std::string &operands,
                   const std::string &result, const std::string &config) {
  return "a = f32[6,6] parameter(0)\nb = f32[6,2] parameter(1)\n"
         "v = f32[6] parameter(2)\np = s32[6] parameter(3)\n"
         "ROOT call = " +
         result + " custom-call(" + operands + "), custom_call_target=\"" +
         target + "\", " +
         (config.find('"') == std::string::npos
              ? "api_version=API_VERSION_TYPED_FFI, "
              : "") +
         "backend_config=" + config;
}

/// A text for each target, and a piece of the body that it becomes.
const std::vector<std::pair<std::string, const char *>> &examples() {
  static const std::vector<std::pair<std::string, const char *>> all = {
      {product("__cublas$gemm", "x, w", "f32[4,6]",
               R"("alpha_real":1,"beta":0)"),
       "stablehlo.dot_general"},
      {product("__cublas$lt$matmul", "x, w, c, b", "f32[4,6]",
               R"("alpha_real":0.5,"beta":"2","epilogue":"BIAS_RELU")"),
       "stablehlo.maximum"},
      {product("__cublas$lt$matmul", "x, w, b", "f32[4,6], f32[4,6]",
               R"("alpha_real":1,"epilogue":"BIAS_GELU_AUX")"),
       "stablehlo.tanh"},
      {product("__cublas$lt$matmul$f8", "l, r, s, s, s", "f8e4m3fn[4,6], f32[]",
               R"("alpha_real":1,"beta":0,"damax_output":true)"),
       "stablehlo.abs"},
      {convolution("__cudnn$convForward", "x, w", "f32[2,9,9,8]",
                   R"("conv_result_scale":1)"),
       "stablehlo.convolution"},
      {convolution("__cudnn$convBackwardInput", "y, w", "f32[2,9,9,4]",
                   R"("conv_result_scale":2)"),
       "reverse = [true, true]"},
      {convolution("__cudnn$convBackwardFilter", "x, y", "f32[8,3,3,4]",
                   R"("conv_result_scale":1)"),
       "[f, 0, 1, b]x[i, 0, 1, o]->[f, 0, 1, b]"},
      {convolution("__cudnn$convBiasActivationForward", "x, w, b, y",
                   "f32[2,9,9,8]",
                   R"("conv_result_scale":1,"side_input_scale":0.5,)"
                   R"("activation_mode":"kLeakyRelu","leakyrelu_alpha":0.1)"),
       "stablehlo.select"},
      {convolution("__cudnn$convForwardGraph", "x, w, s, y",
                   "f32[2,9,9,8], f32[]",
                   R"("conv_result_scale":1,"serialized_graph":)"
                   R"("4:[f32]conv();6:[f32]scale(4);7:[f32]add(6);)"
                   R"(8:[f32]relu(7);9:[f32]amax(8);")"),
       "stablehlo.reduce"},
      {matrix("__cublas$triangularSolve", "a, b", "(f32[6,2], s8[0]{0})",
              R"({"left_side":true,"lower":false,"transpose_a":"TRANSPOSE",)"
              R"("unit_diagonal":false})"),
       "stablehlo.triangular_solve"},
      {matrix("cusolver_potrf_ffi", "a", "(f32[6,6], s32[])", "{lower = true}"),
       "stablehlo.cholesky"},
      {matrix("cusolver_getrf_ffi", "a", "(f32[6,6], s32[6], s32[])", "{}"),
       "@lapack_sgetrf_ffi"},
      {matrix("cusolver_geqrf_ffi", "a", "(f32[6,6], f32[6])", "{}"),
       "@lapack_sgeqrf_ffi"},
      {matrix("cusolver_orgqr_ffi", "a, v", "f32[6,6]", "{}"),
       "@lapack_sorgqr_ffi"},
      {matrix("cusolver_syevd_ffi", "a", "(f32[6,6], f32[6], s32[])",
              "{algorithm = 0 : ui8, lower = true}"),
       "@lapack_ssyevd_ffi"},
      {matrix("cusolver_gesvdj_ffi", "a",
              "(f32[6,6], f32[6], f32[6,6], f32[6,6], s32[])",
              "{compute_uv = true, full_matrices = true}"),
       "@lapack_sgesdd_ffi"},
      {matrix("cusparse_gtsv2_ffi", "v, v, v, b", "f32[6,2]", "{}"),
       "@lapack_sgtsv_ffi"},
      {matrix("cu_lu_pivots_to_permutation", "p", "s32[6]", "{}"),
       "stablehlo.while"},
      {matrix("xla.gpu.ext.cub_sort_pairs", "a, a",
              "(f32[6,6], f32[6,6], u8[77]{0})",
              "{batch_size = 6 : i64, descending = true}"),
       "stablehlo.sort"},
      {matrix("__cub$DeviceRadixSort", "v", "(f32[6], u8[77]{0})",
              R"({"descending":false})"),
       "TOTALORDER"},
      {matrix("xla.gpu.ext.cub_sort_keys", "v", "(f32[6], u8[77]{0})",
              R"({"custom_call_backend_config":{"attributes":)"
              R"("{descending = false}"}})"),
       "TOTALORDER"},
      {matrix("__gpu$TopK", "a", "(f32[6,2], s32[6,2])", "{}"), "chlo.top_k"},
  };
  return all;
}

TEST(LibraryCalls, BecomeFusions) {
  for (const auto &[text, piece] : examples()) {
    SCOPED_TRACE(text);
    ImportedText imported = importText(text);
    EXPECT_EQ(imported.said, "");
    ASSERT_TRUE(imported.module);
    std::string printed = imported.print();
    EXPECT_TRUE(inOrder(printed, {"\"hlo.fusion\"", "kind = \"library\"", piece,
                                  "hlo.return"}));
    EXPECT_EQ(printed.find("hlo.unread"), std::string::npos);
  }
}

TEST(LibraryCalls, WorkspacesAreConstants) {
  ImportedText imported = importText(examples()[0].first);
  ASSERT_TRUE(imported.module);
  unsigned fusions = 0;
  imported.module->walk([&](FusionOp fusion) {
    ++fusions;
    EXPECT_EQ(fusion->getNumResults(), 1u);
    EXPECT_EQ(fusion.getLibraryTarget(), "__cublas$gemm");
    EXPECT_TRUE(fusion->hasAttr("mhlo.backend_config"));
  });
  EXPECT_EQ(fusions, 1u);
  EXPECT_TRUE(inOrder(imported.print(),
                      {"stablehlo.constant dense<0> : tensor<4096xi8>"}));
}

/// A matrix of columns: the bias has an element for each of its rows.
TEST(LibraryCalls, TheBiasLiesAlongTheFastestDimension) {
  std::string text = product("__cublas$lt$matmul", "x, w, b", "f32[4,6]{0,1}",
                             R"("alpha_real":1,"epilogue":"BIAS")");
  EXPECT_TRUE(
      inOrder(importText(text).print(), {"the bias does not fit the result"}));
  size_t at = text.find("b = f32[6]");
  text.replace(at, 10, "b = f32[4]");
  EXPECT_TRUE(inOrder(importText(text).print(),
                      {"stablehlo.broadcast_in_dim %arg9, dims = [0]"}));
}

TEST(LibraryCalls, UnknownFieldsLeaveTheCall) {
  auto expectReason = [](const std::string &text, const char *reason) {
    ImportedText imported = importText(text);
    EXPECT_EQ(imported.said, "");
    EXPECT_TRUE(inOrder(imported.print(),
                        {"stablehlo.custom_call", "hlo.unread = \"", reason}))
        << text;
  };
  expectReason(product("__cublas$lt$matmul", "x, w", "f32[4,6]",
                       R"("alpha_real":1,"epilogue":"WILD")"),
               "the epilogue WILD is not known");
  expectReason(product("__cublas$gemm", "x, w, c", "f32[4,6]",
                       R"("alpha_real":1,"beta":0)"),
               "its fields name 2 operands, and it has 3");
  expectReason(product("__cublas$gemm", "x, w", "f32[4,5]",
                       R"("alpha_real":1,"beta":0)"),
               "its fields do not fit its shapes: ");
  expectReason(convolution("__cudnn$convForward", "x, w", "f32[2,9,8,9]",
                           R"("conv_result_scale":1)"),
               "its fields do not fit its shapes: ");
  expectReason(convolution("__cudnn$convForwardGraph", "x, w", "f32[2,9,9,8]",
                           R"("conv_result_scale":1,"serialized_graph":)"
                           R"("4:[f32]conv();5:[f32]wild(4);")"),
               "its graph ");
  std::string bare = examples()[0].first;
  bare.resize(bare.find(", backend_config"));
  expectReason(bare, "it has no backend_config");
}

TEST(LibraryCalls, ErrorsHaveAPlace) {
  auto expectError = [](std::string text, const char *from, const char *to,
                        const char *message, const char *help = "") {
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
    ImportedText imported = importText(text);
    EXPECT_FALSE(imported.module);
    EXPECT_TRUE(inOrder(imported.said, {message, help})) << text;
  };
  std::string gemm = examples()[0].first, solve = examples()[9].first;
  expectError(gemm, "\"alpha_real\":1", "\"alpha_real\":\"x\"",
              "t.hlo:8:279: error: expected a number as 'alpha_real', got "
              "\"x\" (backend_config of '__cublas$gemm')",
              "help: \"alpha_real\":1");
  expectError(gemm, "\"alpha_real\":1,", "",
              "t.hlo:8:108: error: expected the field 'alpha_real' in "
              "'gemm_backend_config'");
  expectError(gemm, "[\"1\"]", "[1.5]",
              "error: expected a list of integers as "
              "'dot_dimension_numbers.lhs_contracting_dimensions', got [1.5]");
  expectError(gemm, "\"dot_dimension_numbers\":{", "\"dots\":{",
              "error: expected the field "
              "'dot_dimension_numbers.lhs_contracting_dimensions'");
  expectError(gemm, "{\"gemm_backend_config\":{",
              "{\"gemm_backend_config\":1,\"x\":{",
              "error: expected an object as 'gemm_backend_config'");
  expectError(gemm, "\"beta\":0}}", "\"beta\":0},}", "error: expected JSON: ");
  expectError(solve, "\"lower\":false", "\"lower\":\"no\"",
              "error: expected true or false as 'lower', got \"no\"");
  expectError(examples()[10].first, "{lower = true}", "{upper = true}",
              "error: expected the field 'lower'");
}

/// Whatever the text says: a fusion, a reason, or an error with a place.
TEST(LibraryCalls, MutatedTextsNeverCrash) {
  std::mt19937_64 engine(testSeed());
  auto number = [&](size_t most) { return size_t(engine() % (most + 1)); };
  static const char *const tokens[] = {
      "-1",   "99",      "\"\"",       "[",       "]",
      "{",    "}",       ",",          ":",       "1e999",
      "null", "true",    "\"kRelu6\"", "\\",      "0",
      "2",    "[\"0\"]", "1x1",        "\"NaN\"", "4294967296000"};
  size_t fusions = 0, kept = 0, refused = 0;
  for (int i = 0; i < cases(2000); ++i) {
    std::string text = examples()[number(examples().size() - 1)].first;
    size_t begin = text.find(number(3) ? "backend_config=" : "ROOT call");
    for (size_t edits = 1 + number(2); edits > 0; --edits) {
      size_t at = begin + number(text.size() - begin - 1);
      switch (number(4)) {
      case 0:
        text.erase(at, 1 + number(8));
        break;
      case 1:
        text.insert(at, tokens[number(std::size(tokens) - 1)]);
        break;
      case 2:
        text[at] = char(32 + number(94));
        break;
      case 3: { // another number or word
        size_t end = at;
        while (end < text.size() && std::isalnum(text[end]))
          ++end;
        text.replace(at, end - at, tokens[number(std::size(tokens) - 1)]);
        break;
      }
      default:
        if (number(7) == 0)
          text.resize(at);
      }
      if (text.size() <= begin + 1)
        break;
    }
    SCOPED_TRACE(text);
    ImportedText imported = importText(text);
    if (!imported.module) {
      ++refused;
      EXPECT_EQ(imported.said.rfind("t.hlo:", 0), 0u) << imported.said;
    } else {
      bool isFusion = false;
      imported.module->walk([&](FusionOp) { isFusion = true; });
      ++(isFusion ? fusions : kept);
    }
  }
  EXPECT_GT(fusions, 0u);
  EXPECT_GT(kept, 0u);
  EXPECT_GT(refused, 0u);
}

} // namespace
