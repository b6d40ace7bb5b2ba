// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../hlo/OpcodeRows.h"
#include "ImportText.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(Import, LayoutsAreEncodings) {
  expectImport(
      R"(f {
    p0 = f32[1000, 1000] parameter(0)
    t = f32[1000, 1000]{0, 1} transpose(p0), dimensions={1, 0}
    ROOT a0 = f32[1000, 1000] add(p0, t)
  })",
      {"func.func @f(%arg0: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> "
       "attributes {hlo.entry}",
       "stablehlo.transpose %arg0, dims = [1, 0] : (tensor<1000x1000xf32>) -> "
       "tensor<1000x1000xf32, #hlo.layout<[0, 1]>>",
       "stablehlo.add %arg0, %0 :", "return %1"});
  // The default layout is not written; all other details are kept.
  expectImport(
      "p = f32[4,8]{1,0} parameter(0)\n"
      "b = f32[8,4]{0,1:T(8,128)(2,1)S(1)} bitcast(p)\n"
      "c = f32[8,4]{1,0:S(5)} copy(b)",
      {"@entry(%arg0: tensor<4x8xf32>)",
       "hlo.bitcast %arg0 : (tensor<4x8xf32>) -> "
       "tensor<8x4xf32, #hlo.layout<[0, 1], rest = \"T(8,128)(2,1)S(1)\">>",
       "hlo.copy %0 :", "#hlo.layout<[1, 0], rest = \"S(5)\">"});
}

TEST(Import, ElementTypesAndShapes) {
  expectImport(
      "a = (pred[1], s4[1], u8[1], s1[1], bf16[], f8e4m3b11fnuz[], c128[0], "
      "token[], "
      "f32[<=4,2], f32[?], f32[<=4,2]{0,1}, opaque[]) parameter(0)",
      {"tuple<tensor<1xi1>, tensor<1xi4>, tensor<1xui8>, tensor<1xsi1>, "
       "tensor<bf16>, "
       "tensor<f8E4M3B11FNUZ>, tensor<0xcomplex<f64>>, !stablehlo.token, "
       "tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<?xf32>, "
       "tensor<?x2xf32, #hlo.layout<[0, 1], bounds = [4, ?]>>, !hlo.opaque>"});
}

TEST(Import, Constants) {
  expectImport(
      R"(
    a = f32[] constant(-inf)
    b = pred[2,2] constant({{true, false}, {false, true}})
    c = s4[3] constant({-8, 7, 0})
    d = c64[2] constant({(1, 2), (3, -4)})
    e = f32[100000,100000] constant({...})
    f = f32[1000] constant({...})
    g = f32[0] constant({})
    h = u64[2] constant({18446744073709551615, 0})
    i = bf16[3] constant({2, 2, 2})
    j = f32[2]{0:S(1)} constant({1, 2})
    k = (s32[], (f32[1])) constant((7, ({8})))
  )",
      {"dense<0xFF800000> : tensor<f32>",
       "dense<[[true, false], [false, true]]>",
       "dense<[-8, 7, 0]> : tensor<3xi4>",
       "dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]>",
       "dense_resource<__elided__> : tensor<100000x100000xf32>",
       "dense_resource<__elided__> : tensor<1000xf32>",
       "dense<> : tensor<0xf32>",
       "dense<[18446744073709551615, 0]> : tensor<2xui64>",
       "dense<2.000000e+00> : tensor<3xbf16>",
       "tensor<2xf32, #hlo.layout<[0], rest = \"S(1)\">>",
       "dense<7> : tensor<i32>", "dense<8.000000e+00> : tensor<1xf32>",
       "tuple<tensor<i32>, tuple<tensor<1xf32>>>"});
}

TEST(Import, ElidedConstantsAreRecognized) {
  ImportedText result =
      importText("a = f32[4] constant({...})\nb = f32[4] constant({1,2,3,4})");
  ASSERT_TRUE(result.module);
  std::vector<bool> elided;
  result.module->walk(
      [&](stablehlo::ConstantOp op) { elided.push_back(op.isElided()); });
  EXPECT_EQ(elided, (std::vector<bool>{true, false}));
}

TEST(Import, ElidedConstantsPrintAlikeEveryTime) {
  ImportedText result =
      importText("a = f32[4] constant({...})\nb = f32[5] constant({...})");
  std::string once = result.print();
  for (int i = 0; i < 2; ++i) {
    auto again =
        mlir::parseSourceString<mlir::ModuleOp>(once, result.context.get());
    ASSERT_TRUE(again);
    std::string text;
    llvm::raw_string_ostream os(text);
    again->print(os);
    EXPECT_EQ(text, once);
  }
}

TEST(Import, BitcastsOfNarrowElements) {
  expectImport("a = s4[16] parameter(0)\nb = s8[8] bitcast(a)\np = pred[8] "
               "parameter(1)\n"
               "q = u8[8] bitcast(p)\nt = f32[3,5]{1,0:T(8,128)} parameter(2)\n"
               "u = f32[8,128] bitcast(t)",
               {"hlo.bitcast %arg0", "hlo.bitcast %arg1", "hlo.bitcast %arg2"});
}

TEST(Import, ScalarOperandsOfSelectAndClampStayScalar) {
  expectImport(
      "x = f32[4] parameter(0)\ns = f32[] parameter(1)\nc = f32[4] clamp(s, x, "
      "s)\np = pred[] parameter(2)\nq = f32[4] select(p, x, c)",
      {"stablehlo.clamp %arg1, %arg0, %arg1 : (tensor<f32>, tensor<4xf32>, "
       "tensor<f32>) -> tensor<4xf32>",
       "stablehlo.select %arg2, %arg0, %0 : tensor<i1>, tensor<4xf32>"});
}

TEST(Import, OtherScalarOperandsAreBroadcast) {
  expectImport(
      "x = f32[2,3]{0,1} parameter(0)\ns = f32[] parameter(1)\n"
      "p = pred[2,3] compare(s, x), direction=LT\n"
      "q = f32[2,3] select(p, s, x)\nr = f32[2,3] add(q, s)\n"
      "t = f32[] add(s, s)",
      {"%0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> "
       "tensor<2x3xf32>",
       "stablehlo.compare  LT, %0, %arg0 :", "stablehlo.select %1, %2, %arg0 :",
       "stablehlo.add %3, %4 : tensor<2x3xf32>",
       "stablehlo.add %arg1, %arg1 : tensor<f32>"});
}

TEST(Import, WindowsAndProducts) {
  expectImport(
      R"(
    x = f32[4,128,256] parameter(0)
    y = f32[4,256,64] parameter(1)
    s = f32[] constant(0)
    d = f32[4,128,64] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}, operand_precision={highest,default}
    p = f32[6,125,64] pad(d, s), padding=1_1x-1_-2x0_0
    l = f32[3,125,5] slice(p), slice={[0:6:2], [0:125], [2:7]}
    w = f32[3,123,3] reduce-window(l, s), window={size=1x3x3}, to_apply=add
  )",
      {"stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], "
       "contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] :",
       "low = [1, -1, 0], high = [1, -2, 0], interior = [0, 0, 0]",
       "stablehlo.slice %1 [0:6:2, 0:125, 2:7]",
       "\"stablehlo.reduce_window\"(%2, %cst) <{window_dimensions = array<i64: "
       "1, 3, 3>}>",
       "stablehlo.add %arg2, %arg3 : tensor<f32>", "hlo.to_apply = \"add\""});
  expectImport(
      "i = f32[2,8,3] parameter(0)\nk = f32[3,3,4] parameter(1)\n"
      "c = f32[2,3,4] convolution(i, k), window={size=3 stride=2 pad=1_0 "
      "rhs_dilate=2 "
      "rhs_reversal=1}, dim_labels=b0f_0io->b0f",
      {"dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], "
       "pad = [[1, 0]], rhs_dilate = [2], reverse = [true]} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"});
}

//===----------------------------------------------------------------------===//
// Several results
//===----------------------------------------------------------------------===//

TEST(Import, VariadicReduceHasSeveralResults) {
  expectImport(R"(
    p0 = f32[256,10] parameter(0)
    p0_init = f32[] constant(-inf)
    p1 = s32[256,10] parameter(1)
    p1_init = s32[] constant(0)
    reduce = (f32[10], s32[10]) reduce(p0, p1, p0_init, p1_init), dimensions={0}, to_apply=max
    g = s32[10] get-tuple-element(reduce), index=1
  )",
               {"%0:2 = stablehlo.reduce(%arg0 init: %cst), (%arg1 init: %c)",
                "stablehlo.maximum %arg2, %arg4 : tensor<f32>",
                "stablehlo.maximum %arg3, %arg5 : tensor<i32>",
                "%1 = hlo.element %0#1[1] : (tensor<10xi32>) -> tensor<10xi32>",
                "return %1"});
}

TEST(Import, SplitTuplesAreAssembledAtTheirUses) {
  expectImport(
      R"(
    x = f32[4,8] parameter(0)
    v = f32[8] parameter(1)
    b = (f32[4,8], f32[8], f32[8]) batch-norm-training(x, v, v), epsilon=0.5, feature_index=1
    o = (f32[4,8], f32[8], f32[8]) custom-call(b), custom_call_target="f"
    g = f32[8] get-tuple-element(o), index=2
  )",
      {"%output, %batch_mean, %batch_var = \"stablehlo.batch_norm_training\"",
       "stablehlo.tuple %output, %batch_mean, %batch_var",
       "%1:3 = stablehlo.custom_call @f(%0)", "hlo.element %1#2[2]"});
}

TEST(Import, ACustomCallHasTheMembersOfItsTupleAsResults) {
  expectImport(
      R"(
    x = f32[4,8] parameter(0)
    c = (f32[4,8], (u8[16], s32[])) custom-call(x), custom_call_target="f"
    n = () custom-call(x), custom_call_target="g"
    o = (f32[4]) custom-call(x), custom_call_target="h"
    g = (u8[16], s32[]) get-tuple-element(c), index=1
    e = f32[4] get-tuple-element(o), index=0
    ROOT t = ((u8[16], s32[]), (), (f32[4]), f32[4]) tuple(g, n, o, e)
  )",
      {"%0:2 = stablehlo.custom_call @f(%arg0)"});
}

TEST(Import, BuffersKeepTheirAliases) {
  expectImport(
      R"(
    p = b(f32[4,16]) parameter(0)
    q = f32[4] parameter(1)
    c = b(f32[4,16]) custom-call(p), custom_call_target="one", output_to_operand_aliasing={{}: (0, {})}
    d = (f32[4], b(f32[4,16])) custom-call(q, c), custom_call_target="two", output_to_operand_aliasing={{1}: (1, {})}
    e = f32[4] custom-call(q), custom_call_target="three", output_to_operand_aliasing={{}: (0, {})}
  )",
      {"@one", "output_tuple_indices = [], operand_index = 0", "@two",
       "output_tuple_indices = [1], operand_index = 1", "@three",
       "hlo.output_to_operand_aliasing = \"{{}: (0, {})}\""});
}

TEST(Import, OperationsThatAsyncStartCannotHoldAreComputedAtOnce) {
  expectImport(R"(
f { p = f32[4] parameter(0)
    n = f32[4] negate(p)
    ROOT r = f32[4] reverse(n), dimensions={0} }
ENTRY e {
  x = f32[4] parameter(0)
  s = ((f32[4]), f32[4], u32[]) async-start(x), calls=f
  u = ((f32[4]), f32[4], u32[]) async-update(s)
  d = f32[4] async-done(u)
  cs = (f32[4], f32[4], u32[]) copy-start(d), cross_program_prefetch_index=0
  cd = f32[4] copy-done(cs)
  ks = ((f32[4]), f32[4], u32[]) custom-call-start(cd), custom_call_target="k"
  kd = f32[4] custom-call-done(ks)
  ROOT r = f32[4] negate(kd)
})",
               {"%0 = call @f(%arg0)", "%1 = hlo.copy %0", "%2 = hlo.copy %1",
                "%3 = hlo.copy %2", "%4 = hlo.copy %3",
                "%5 = stablehlo.custom_call @k(%4)", "%6 = hlo.copy %5",
                "stablehlo.negate %6"});
}

TEST(Import, EmptyTuplesAreTransferredAsNoValues) {
  expectImport(R"(
  t = token[] parameter(0)
  i = ((), token[]) infeed(t)
  d = () get-tuple-element(i), index=0
  k = token[] get-tuple-element(i), index=1
  o = token[] outfeed(d, k)
  s = ((), u32[], token[]) send(d, o), channel_id=1, is_host_transfer=true
  sd = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = ((), u32[], token[]) recv(sd), channel_id=2, is_host_transfer=true
  ROOT rd = ((), token[]) recv-done(r), channel_id=2, is_host_transfer=true
)",
               {"stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send",
                "stablehlo.recv"});
}

TEST(Import, OmittedAndMixedForms) {
  expectImport(R"(
m { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[2,3] parameter(0)
  a = f32[2,3] map(x, x), to_apply=m
  b = f32[2,3] map(a, x), dimensions={}, to_apply=m
  s = u64[4] parameter(1)
  r = (u64[4], u32[5]) rng-bit-generator(s), algorithm=rng_three_fry
  q = u64[4] get-tuple-element(r), index=0
  i = f32[1,28,1] parameter(2)
  k = pred[28,1,1] parameter(3)
  c = f32[1,28,1] convolution(i, k), window={size=28 pad=14_13}, dim_labels=b0f_0io->b0f
  ROOT t = (f32[2,3], u64[4], f32[1,28,1]) tuple(b, q, c)
})",
               {"dimensions = array<i64: 0, 1>",
                "dimensions = array<i64: 0, 1>",
                "%2:2 = hlo.opaque \"rng-bit-generator\"(%arg1)",
                "%3 = hlo.element %2#0[0]",
                "%4 = stablehlo.convert %arg3 : (tensor<28x1x1xi1>) -> "
                "tensor<28x1x1xf32>",
                "stablehlo.convolution"});
}

TEST(Import, GroupsAlongAxesOfAMesh) {
  expectImport(R"(
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[4] all-reduce(x), channel_id=1, replica_groups=mesh['x'=2,'y'=2] {'x'}, use_global_device_ids=true, to_apply=add
  b = f32[4] all-reduce(a), replica_groups=mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) {'x'}, to_apply=add
  c = (f32[4], f32[4]) all-to-all(a, b), channel_id=2, replica_groups=mesh['x'=2] {'x'}
  ROOT d = f32[4] get-tuple-element(c), index=1
})",
               {"replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>",
                "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>",
                "%2:2 = hlo.opaque \"all-to-all\"(%0, %1)",
                "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>",
                "hlo.element %2#1[1]"});
}

TEST(Import, SortByAComparator) {
  expectImport(R"(
lt { a = f32[] parameter(0)  b = f32[] parameter(1)  c = s32[] parameter(2)  d = s32[] parameter(3)
     ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e {
  x = f32[9] parameter(0)
  i = s32[9] iota(), iota_dimension=0
  ROOT s = (f32[9], s32[9]) sort(x, i), dimensions={0}, is_stable=true, to_apply=lt
})",
               {"func.func @e",
                "%1:2 = \"stablehlo.sort\"(%arg0, %0) <{dimension = 0 : i64, "
                "is_stable = true}>",
                "stablehlo.compare  LT, %arg1, %arg2", "hlo.to_apply = \"lt\"",
                "stablehlo.tuple %1#0, %1#1"});
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

static const char *const fusions = R"(
inner { p = f32[8] parameter(0)  ROOT n = f32[8] negate(p) }
f {
  a = f32[8] parameter(0)
  b = f32[8] fusion(a), kind=kLoop, calls=inner
  ROOT t = (f32[8], f32[8]) tuple(b, a)
}
ENTRY e {
  x = f32[8] parameter(0)
  one = (f32[8], f32[8]) fusion(x), kind=kInput, calls=f
  y = f32[8] get-tuple-element(one), index=0
  ROOT two = (f32[8], f32[8]) fusion(y), kind=kLoop, calls=f
})";

TEST(Import, FusionsHoldTheirComputation) {
  expectImport(
      fusions,
      {"%0:2 = \"hlo.fusion\"(%arg0) <{calls = \"f\", kind = \"kInput\"}>",
       "\"hlo.fusion\"(%arg1) <{calls = \"inner\", kind = \"kLoop\"}>",
       "hlo.return", "hlo.return %4, %arg1 : tensor<8xf32>, tensor<8xf32>",
       "%1 = hlo.element %0#0[0]",
       "%2:2 = \"hlo.fusion\"(%1) <{calls = \"f\", kind = \"kLoop\"}>",
       "\"hlo.fusion\"", "stablehlo.tuple %2#0, %2#1"});
  EXPECT_EQ(importText(fusions).print().find("func.func @f"),
            std::string::npos);
}

TEST(Import, ControlCallsFunctions) {
  expectImport(
      R"(HloModule m, num_partitions=8, replica_count=2, is_scheduled=true
less { p = (s32[], f32[8]) parameter(0)
       i = s32[] get-tuple-element(p), index=0
       n = s32[] constant(5)
       ROOT c = pred[] compare(i, n), direction=LT }
step { p = (s32[], f32[8]) parameter(0)
       i = s32[] get-tuple-element(p), index=0
       x = f32[8] get-tuple-element(p), index=1
       ROOT t = (s32[], f32[8]) tuple(i, x) }
twice { x = f32[8] parameter(0)  ROOT y = f32[8] add(x, x) }
unused { x = f32[8]{0} parameter(0)  ROOT y = f32[8] negate(x) }
ENTRY e {
  i = s32[] parameter(0)
  x = f32[8] parameter(1)
  t = (s32[], f32[8]) tuple(i, x)
  w = (s32[], f32[8]) while(t), condition=less, body=step
  y = f32[8] get-tuple-element(w), index=1
  c = f32[8] call(y), to_apply=twice
  k = f32[8] conditional(i, c, y, x), branch_computations={twice, unused, twice}
  p = pred[] constant(true)
  ROOT r = f32[8] conditional(p, k, x), true_computation=twice, false_computation=unused
})",
      {"module @m attributes {mhlo.is_scheduled = \"true\", "
       "mhlo.num_partitions = 8 : i32, "
       "mhlo.num_replicas = 2 : i32}",
       "func.func private @less", "func.func private @step",
       "func.func private @twice", "func.func private @unused", "func.func @e(",
       // Control flow carries the members of a tuple separately.
       "stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, "
       "tensor<8xf32>",
       "stablehlo.tuple %iterArg, %iterArg_0", "func.call @less(%6)",
       "stablehlo.tuple %iterArg, %iterArg_0", "%7 = func.call @step(%6)",
       "stablehlo.get_tuple_element %7[0]", "stablehlo.get_tuple_element %7[1]",
       "stablehlo.return %8, %9", "hlo.element %1#1[1]", "call @twice(%2)",
       "\"stablehlo.case\"(%arg0)", "@twice(%3)", "@unused(%2)",
       "@twice(%arg1)", "\"stablehlo.if\"(%c)", "@twice(%4)",
       "@unused(%arg1)"});
}

TEST(Import, TuplesOfBranchesAreSplit) {
  expectImport(
      R"(
h { p = (f32[8], f32[]) parameter(0)  ROOT t = (f32[8], f32[]) copy(p) }
f { p = (s32[], (f32[8], f32[])) parameter(0)
    ROOT m = (f32[8], f32[]) get-tuple-element(p), index=1 }
g { p = () parameter(0)
    x = f32[8] constant({...})
    y = f32[] constant(0)
    ROOT m = (f32[8], f32[]) tuple(x, y) }
ENTRY e {
  q = pred[] parameter(0)
  p = (s32[], (f32[8], f32[])) parameter(1)
  n = () tuple()
  c = (f32[8], f32[]) conditional(q, p, n), true_computation=f, false_computation=g
  b = (f32[8], f32[]) opt-barrier(c)
  l = (f32[8], f32[]) call(b), to_apply=h
  ROOT r = f32[] get-tuple-element(b), index=1
}
)",
      {"func.func @e", "%0 = stablehlo.tuple  : tuple<>",
       "%1 = stablehlo.get_tuple_element %arg1[0]",
       "%2 = stablehlo.get_tuple_element %arg1[1]",
       "%3:2 = \"stablehlo.if\"(%arg0)", "stablehlo.tuple %1, %2",
       "func.call @f", "stablehlo.return %", "func.call @g(%0)",
       "%4:2 = stablehlo.optimization_barrier %3#0, %3#1",
       "stablehlo.tuple %4#0, %4#1", "call @h", "hlo.element %4#1[1]"});
}

TEST(Import, TransfersAreOneOperation) {
  expectImport(
      R"(
ENTRY e {
  x = f32[4] parameter(0)
  t = token[] parameter(1)
  s = (f32[4], u32[], token[]) send(x, t), channel_id=7, frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}
  sd = token[] send-done(s), channel_id=7
  r = ((f32[4], s32[]), u32[], token[]) recv(sd), channel_id=8, is_host_transfer=true
  rd = ((f32[4], s32[]), token[]) recv-done(r), channel_id=8, is_host_transfer=true
  d = (f32[4], s32[]) get-tuple-element(rd), index=0
  rt = token[] get-tuple-element(rd), index=1
  i = ((f32[2], s32[3]), token[]) infeed(rt), infeed_config="in"
  it = token[] get-tuple-element(i), index=1
  ix = (f32[2], s32[3]) get-tuple-element(i), index=0
  o = token[] outfeed(ix, it), outfeed_shape=(f32[2], s32[3]), outfeed_config="out"
  twice = (f32[4], u32[], token[]) send(x, o), channel_id=9
  one = token[] send-done(twice), channel_id=9
  ROOT two = token[] get-tuple-element(twice), index=2
})",
      {"%0 = \"stablehlo.send\"(%arg0, %arg1) <{channel_handle = "
       "#stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = "
       "false, source_target_pairs = dense<[[0, 1], [1, 0]]>",
       "%1 = stablehlo.after_all %0", "%2 = stablehlo.after_all %1",
       "%3:3 = \"stablehlo.recv\"(%2) <{channel_handle = "
       "#stablehlo.channel_handle<handle = 8, type = 3>, is_host_transfer = "
       "true}>",
       "%4 = stablehlo.tuple %3#0, %3#1", "hlo.element %4[0]",
       "hlo.element %3#2[1]",
       "%7:3 = \"stablehlo.infeed\"(%6) <{infeed_config = \"in\"}>",
       "%8 = stablehlo.tuple %7#0, %7#1", "%9 = hlo.element %7#2[1]",
       "%10 = hlo.element %8[0]", "stablehlo.get_tuple_element %10[0]",
       "stablehlo.get_tuple_element %10[1]",
       "\"stablehlo.outfeed\"(%11, %12, %9)",
       // A user that reads the state of a transfer needs the state unchanged.
       "hlo.opaque \"send\"", "hlo.opaque \"send-done\""});
}

TEST(Import, StartAndDoneBecomeAFuture) {
  expectImport(
      R"(
add { a = f32[] parameter(0)  c = f32[] parameter(1)  ROOT s = f32[] add(a, c) }
part { a = f32[8] parameter(0)  ROOT s = f32[2] slice(a), slice={[0:4:2]} }
two { a = f32[8] parameter(0)  n = f32[8] negate(a)  ROOT s = f32[2] slice(n), slice={[0:4:2]} }
ENTRY e {
  x = f32[8] parameter(0)
  g = (f32[8], f32[16]) all-gather-start(x), dimensions={0}, replica_groups={{0,1}}, channel_id=3
  gd = f32[16] all-gather-done(g)
  r = f32[8] all-reduce-start(x), to_apply=add, replica_groups={}
  rd = f32[8] all-reduce-done(r)
  p = (f32[8], f32[8], u32[], u32[]) collective-permute-start(rd), source_target_pairs={{0,1}}
  pd = f32[8] collective-permute-done(p)
  s = ((f32[8]), f32[2], u32[]) async-start(pd), calls=part
  u = ((f32[8]), f32[2], u32[]) async-update(s)
  sd = f32[2] async-done(u)
  t = ((f32[8]), f32[2], u32[]) slice-start(x), slice={[0:4:2]}
  td = f32[2] slice-done(t)
  o = ((f32[8]), f32[2], u32[]) async-start(x), calls=two
  od = f32[2] async-done(o)
  k = (f32[8], f32[16]) all-gather-start(x), dimensions={0}, replica_groups={{0,1}}
  kx = f32[8] get-tuple-element(k), index=0
  ROOT kd = f32[16] all-gather-done(k)
})",
      {"func.func private @two",
       "func.func @e",
       "%0 = \"stablehlo.async_start\"(%arg0) ({",
       "stablehlo.all_gather",
       "stablehlo.return",
       "!stablehlo.future<tensor<16xf32>>",
       "%1 = \"stablehlo.async_done\"(%0)",
       "stablehlo.async_start\"(%arg0)",
       "stablehlo.all_reduce",
       "stablehlo.add",
       "stablehlo.async_done",
       "stablehlo.async_start\"(%3)",
       "stablehlo.collective_permute",
       "stablehlo.async_start\"(%5)",
       "stablehlo.slice",
       "hlo.copy %6",
       "stablehlo.async_done\"(%7)",
       "stablehlo.async_start\"(%arg0)",
       "stablehlo.slice %arg1 [0:4:2]",
       "stablehlo.async_done",
       "%11 = call @two(%arg0)",
       "%12 = hlo.copy %11",
       "hlo.opaque \"all-gather-start\"",
       "hlo.opaque \"all-gather-done\""});
}

// PyTorch/XLA passes a scalar beside the tensors, to order the collectives.
TEST(Import, ScalarsBesideTheTensorsOfACollectiveAreReturned) {
  expectImport(
      R"(
add { a = f32[] parameter(0)  c = f32[] parameter(1)  ROOT s = f32[] add(a, c) }
ENTRY e {
  x = f32[8,4] parameter(0)
  t = f32[] parameter(1)
  g = (f32[16,4], f32[], f32[16,4]) all-gather(x, t, x), dimensions={0}, replica_groups={{0,1}}
  t1 = f32[] get-tuple-element(g), index=1
  s = (f32[4,4], f32[]) reduce-scatter(x, t1), dimensions={0}, replica_groups={{0,1}}, to_apply=add
  t2 = f32[] get-tuple-element(s), index=1
  a = ((f32[8,4], f32[]), (f32[8,8], f32[])) all-gather-start(x, t2), dimensions={1}, replica_groups={{0,1}}
  ad = (f32[8,8], f32[]) all-gather-done(a)
  ROOT r = f32[] get-tuple-element(ad), index=1
})",
      {"%0:2 = \"stablehlo.all_gather\"(%arg0, %arg0)",
       "%1:3 = stablehlo.optimization_barrier %0#0, %arg1, %0#1",
       "%2 = hlo.element %1#1[1]", "%3 = \"stablehlo.reduce_scatter\"(%arg0)",
       "%4:2 = stablehlo.optimization_barrier %3, %2",
       "= \"stablehlo.all_gather\"(%arg0)",
       ":2 = stablehlo.optimization_barrier %", "stablehlo.tuple %"});
}

TEST(Import, TheOrderOfAComparison) {
  expectImport(R"(
ENTRY e {
  x = f32[4] parameter(0)
  i = s32[4] parameter(1)
  a = pred[4] compare(x, x), direction=LT, order=TOTAL
  b = pred[4] compare(x, x), direction=LT, order=PARTIAL
  c = pred[4] compare(x, x), direction=LT, type=TOTALORDER
  ROOT d = pred[4] compare(i, i), direction=LT, order=TOTAL
})",
               {"stablehlo.compare  LT, %arg0, %arg0,  TOTALORDER",
                "stablehlo.compare  LT, %arg0, %arg0,  FLOAT",
                "stablehlo.compare  LT, %arg0, %arg0,  TOTALORDER",
                "stablehlo.compare  LT, %arg1, %arg1 :"});
}

TEST(Import, FunctionsThatStablehloLacksAreChlo) {
  expectImport(
      R"(
add { a = f32[4] parameter(0)  c = f32[4] parameter(1)
      s = f32[4] add(a, c)  ROOT t = (f32[4], f32[4]) tuple(s, s) }
ENTRY e {
  x = f32[4,8] parameter(0)
  z = f32[4] parameter(1)
  n = s32[] parameter(2)
  a = f32[4,8] erf(x)
  k = (f32[4,3], s32[4,3]) topk(a), k=3, largest=true
  l = (f32[4,3], s32[4,3]) topk(a), k=3, largest=false
  s = (f32[4,8], f32[4]) scan(a, z), dimensions={1}, num_carries=1, to_apply=add, is_reverse=true
  ROOT d = f32[<=8,4] dynamic-reshape(x, n, n)
})",
      {"chlo.erf %arg0", "chlo.top_k(%0, k = 3)", "hlo.opaque \"topk\"(%0)",
       "chlo.scan", "stablehlo.reshape %arg2", "stablehlo.reshape %arg2",
       "stablehlo.concatenate", "stablehlo.dynamic_reshape %arg0, "});
}

TEST(Import, CallsUseTheLayoutOfTheCallee) {
  expectImport(R"(
f { x = f32[4,8]{0,1} parameter(0)  ROOT y = f32[4,8]{0,1} negate(x) }
ENTRY e { x = f32[4,8] parameter(0)  ROOT c = f32[4,8] call(x), to_apply=f })",
               {"%0 = hlo.copy %arg0 : (tensor<4x8xf32>) -> tensor<4x8xf32, "
                "#hlo.layout<[0, 1]>>",
                "%1 = call @f(%0)",
                "%2 = hlo.copy %1 : (tensor<4x8xf32, #hlo.layout<[0, 1]>>) -> "
                "tensor<4x8xf32>",
                "return %2"});
}

TEST(Import, ScatterAndCollectives) {
  expectImport(
      R"(
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[4,8] parameter(0)
  i = s32[3,1] parameter(1)
  u = f32[3,8] parameter(2)
  s = f32[4,8] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
  a = f32[4,8] all-reduce(s), replica_groups={{0,1},{2}}, channel_id=3, to_apply=add
  b = f32[16,8] all-gather(a), replica_groups=[2,4]<=[4,2]T(1,0), dimensions={0}, use_global_device_ids=true
  c = f32[16,8] collective-permute(b), source_target_pairs={{0,1},{1,0}}
  d = f32[16,8] all-to-all(c), replica_groups=[1,4]<=[4], dimensions={0}
  ROOT r = f32[16,8] all-reduce(d), replica_groups=mesh["x"], to_apply=add
})",
      {"\"stablehlo.scatter\"(%arg0, %arg1, %arg2)",
       "scatter_dims_to_operand_dims = [0]",
       "\"stablehlo.all_reduce\"(%0) <{channel_handle = "
       "#stablehlo.channel_handle<handle "
       "= 3, type = 1>, replica_groups = dense<[[0, 1], [2, -1]]> : "
       "tensor<2x2xi64>}>",
       "replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : "
       "tensor<2x4xi64>, "
       "use_global_device_ids",
       "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>",
       "concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : "
       "tensor<1x4xi64>, split_count = 4 : i64",
       // An unknown notation leaves the instruction opaque, without loss.
       "hlo.opaque \"all-reduce\"(%4) calls [@add] with {replica_groups = "
       "\"mesh[\\22x\\22]\", to_apply = \"add\"}"});
}

//===----------------------------------------------------------------------===//
// Names, places, and what is kept as text
//===----------------------------------------------------------------------===//

TEST(Import, NamesAndPlacesSurvive) {
  expectImport(
      "%p.0 = f32[4] parameter(0)\n"
      "n-1.a = f32[4] negate(%p.0), metadata={op_type=\"neg\" "
      "op_name=\"jit(f)/neg\" "
      "source_file=\"m.py\" source_line=7}\n",
      {"%arg0: tensor<4xf32> \"p.0\"(t.hlo:1:1)",
       "stablehlo.negate %arg0 : tensor<4xf32> "
       "\"n-1.a\"(<{op_type = \"neg\"}>[t.hlo:2:1, \"jit(f)/neg\"(m.py:7:0)])"},
      /*locations=*/true);
}

TEST(Import, StackFramesBecomePlaces) {
  expectImport(R"(HloModule m

FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=3 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e {
  p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p), metadata={stack_frame_id=1}
})",
               {"\"n\"([t.hlo:17:8, a.py:12:3])"}, /*locations=*/true);
}

TEST(Import, EveryNameIsThere) {
  ImportedText result = importText(fusions);
  ASSERT_TRUE(result.module);
  std::vector<std::string> names;
  auto add = [&](mlir::Location location) {
    if (auto name = llvm::dyn_cast<mlir::NameLoc>(location))
      names.push_back(name.getName().str());
  };
  result.module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    add(op->getLoc());
    for (mlir::Region &region : op->getRegions())
      for (mlir::BlockArgument argument : region.getArguments())
        add(argument.getLoc());
  });
  EXPECT_EQ(names,
            (std::vector<std::string>{"x", "one", "a", "b", "p", "n", "t", "y",
                                      "two", "a", "b", "p", "n", "t"}));
}

TEST(Import, SeveralBoundsAreInALayout) {
  expectImport(
      "a = f32[<=5,<=6] parameter(0)\n"
      "b = f32[<=5,1,<=6] reshape(a)",
      {"%arg0: tensor<?x?xf32, #hlo.layout<[1, 0], bounds = [5, 6]>>",
       "stablehlo.reshape %arg0 : (tensor<?x?xf32, #hlo.layout<[1, 0], "
       "bounds = [5, 6]>>) -> tensor<?x1x?xf32, #hlo.layout<[2, 1, 0], "
       "bounds = [5, ?, 6]>>"});
}

TEST(Import, UnknownAttributesAreKeptAsWritten) {
  expectImport(
      R"(
    p = f32[4] parameter(0), sharding={devices=[2]<=[2]}
    q = f32[4] negate(p), control-predecessors={p}, backend_config={"a":[1]}, frontend_attributes={k="v"}
    r = f32[4] exponential(q), result_accuracy={mode=highest}
    c = f32[4] custom-call(r), custom_call_target="my$call", api_version=API_VERSION_TYPED_FFI, custom_call_has_side_effect=true, backend_config="cfg", schedule=SCHEDULE_LATEST
    d = f32[4] custom-call(r), custom_call_target="typed", api_version=API_VERSION_TYPED_FFI, backend_config={n = 1 : i64}
    k = (f32[3], s32[3]) topk(c), k=3, largest=false
  )",
      {"%arg0: tensor<4xf32> {mhlo.sharding = \"{devices=[2]<=[2]}\"}",
       "stablehlo.negate %arg0 {mhlo.backend_config = \"{\\22a\\22:[1]}\", "
       "mhlo.control_predecessors = [\"p\"], mhlo.frontend_attributes = {k = "
       "\"v\"}}",
       "stablehlo.exponential %0 {hlo.result_accuracy = \"{mode=highest}\"}",
       "stablehlo.custom_call @my$call(%1) {api_version = 4 : i32, "
       "has_side_effect = true, hlo.schedule = \"SCHEDULE_LATEST\", "
       "mhlo.backend_config = \"cfg\"}",
       "stablehlo.custom_call @typed(%1) {api_version = 4 : i32, "
       "backend_config = {n = 1 : i64}}",
       "hlo.opaque \"topk\"(%2) with {k = \"3\", largest = \"false\"} :"});
}

TEST(Import, EveryOpcodeBecomesSomething) {
  std::vector<std::string> opaque;
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  for (const char *row : rows) {
    ImportedText result = importText(inContext(row));
    EXPECT_EQ(result.said, "") << row;
    ASSERT_TRUE(result.module) << row;
    // The printed module reads back as the same, in either form.
    for (bool generic : {false, true}) {
      auto print = [&](mlir::ModuleOp module) {
        std::string text;
        llvm::raw_string_ostream os(text);
        mlir::OpPrintingFlags flags;
        flags.enableDebugInfo().useLocalScope().printGenericOpForm(generic);
        module.print(os, flags);
        return text;
      };
      std::string once = print(*result.module);
      mlir::MLIRContext context(registry,
                                mlir::MLIRContext::Threading::DISABLED);
      auto again = mlir::parseSourceString<mlir::ModuleOp>(once, &context);
      ASSERT_TRUE(again) << once;
      EXPECT_EQ(print(*again), once) << row;
    }
    result.module->walk(
        [&](OpaqueOp op) { opaque.push_back(op.getOpcode().str()); });
    // The name of an attribute in the text is never lost.
    for (llvm::StringRef name :
         {"mode", "schedule", "shifts", "something_new", "algorithm",
          "constrain_layout", "conv_kind", "is_composite"})
      if (llvm::StringRef(row).contains((", " + name + "=").str()))
        EXPECT_NE(result.print().find(name.str()), std::string::npos) << row;
  }
  // All others have their own form.
  EXPECT_EQ(opaque, (std::vector<std::string>{"add-dependency",
                                              "all-gather-done",
                                              "all-gather-start",
                                              "all-reduce-done",
                                              "all-reduce-start",
                                              "async-done",
                                              "async-start",
                                              "async-update",
                                              "collective-permute-done",
                                              "collective-permute-start",
                                              "convolution",
                                              "copy-done",
                                              "copy-start",
                                              "domain",
                                              "ragged-all-to-all",
                                              "recv",
                                              "recv-done",
                                              "rng-get-and-update-state",
                                              "scaled-dot",
                                              "send",
                                              "send-done",
                                              "shuffle",
                                              "stochastic-convert"}));
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(ImportRefuses, ErrorsOfTheVerifier) {
  expectRefusal(
      "p = pred[4] parameter(0)\nf = pred[4] is-finite(p)\n",
      "t.hlo:2:1: error: operand #0 must be ranked tensor of "
      "4/6/8/16/32/64-bit float or per-tensor quantized element values, but "
      "got 'tensor<4xi1>'");
}

/// f0 negates; each f of the next level fuses the one before `uses` times.
static std::string nest(unsigned levels, unsigned uses) {
  std::string text =
      "f0 { p = f32[2] parameter(0)  ROOT r = f32[2] negate(p) }\n";
  for (unsigned i = 1; i <= levels; ++i) {
    text += "f" + std::to_string(i) + " { p = f32[2] parameter(0)\n";
    for (unsigned u = 0; u < uses; ++u)
      text += "  v" + std::to_string(u) + " = f32[2] fusion(" +
              (u ? "v" + std::to_string(u - 1) : std::string("p")) +
              "), kind=kLoop, calls=f" + std::to_string(i - 1) + "\n";
    text += "}\n";
  }
  return text;
}

TEST(ImportRefuses, NestingBeyondTheLimit) {
  EXPECT_TRUE(importText(nest(63, 1)).module);
  expectRefusal(
      nest(64, 1),
      "t.hlo:3:3: error: expected computations nested less than 64 deep");
}

TEST(ImportRefuses, UnboundedCopies) {
  ImportedText result = importText(nest(40, 2));
  EXPECT_FALSE(result.module);
  EXPECT_NE(result.said.find(
                "error: expected at most 262632 operations after copying"),
            std::string::npos)
      << result.said;
}
