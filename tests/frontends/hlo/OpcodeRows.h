// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An instruction of every HLO opcode, with every attribute it may have.

#ifndef MERCATOR_TESTS_FRONTENDS_HLO_OPCODEROWS_H
#define MERCATOR_TESTS_FRONTENDS_HLO_OPCODEROWS_H

#include <string>

namespace mercator::hlo {

/// The context of the rows below: a few computations and operands.
inline const char *const prelude = R"(
max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
gt { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = pred[] compare(a, b), direction=GT }
neg { a = f32[] parameter(0)  ROOT m = f32[] negate(a) }
fused { a = f32[4,8] parameter(0)  ROOT m = f32[4,8] negate(a) }
always { a = f32[4,8] parameter(0)  ROOT m = pred[] constant(true) }
running { a = f32[4] parameter(0)  b = f32[4] parameter(1)  ROOT m = (f32[4], f32[4]) tuple(b, b) }
ENTRY e {
  x = f32[4,8] parameter(0)
  y = f32[4,8] parameter(1)
  s = f32[] parameter(2)
  i = s32[] parameter(3)
  p = pred[4,8] parameter(4)
  n = s32[4,8] parameter(5)
  c = c64[4,8] parameter(6)
  v = f32[8] parameter(7)
  t = (f32[4,8], s32[]) parameter(8)
  tok = token[] parameter(9)
  m = f32[8,5] parameter(10)
  q = pred[] parameter(11)
  img = f32[1,6,6,2] parameter(12)
  ker = f32[3,3,2,4] parameter(13)
  sq = f32[4,4] parameter(14)
  idx = s32[3,2] parameter(15)
  upd = f32[3,8] parameter(16)
  f4 = f32[4] parameter(17)
  st = u64[2] parameter(18)
  cs = ((f32[4,8]), f32[4,8], u32[]) parameter(19)
  i8 = s64[4] parameter(20)
  i1 = s32[1] parameter(21)
)";

/// Right-hand sides. Together they have every opcode with all its attributes.
inline const char *const rows[] = {
    "f32[4,8] abs(x)",
    "f32[4,8] acos(x), result_accuracy={mode=highest}",
    "f32[4,8] acosh(x), result_accuracy={mode=highest}",
    "f32[4,8] add(x, y)",
    "f32[4,8] add-dependency(x, tok)",
    "token[] after-all(tok, tok)",
    "f32[8,8] all-gather(x), dimensions={0}, replica_groups={{0,1}}, "
    "channel_id=1, "
    "constrain_layout=true, use_global_device_ids=true, mode=flattened_id",
    "f32[4,8] all-gather-done(t)",
    "(f32[4,8], f32[8,8]) all-gather-start(x), dimensions={0}, "
    "replica_groups=[2,4]<=[8]T(1,0), channel_id=1, constrain_layout=false, "
    "use_global_device_ids=true, mode=flattened_id",
    "f32[4,8] all-reduce(x), to_apply=max, replica_groups={}, channel_id=1, "
    "constrain_layout=false, use_global_device_ids=true, mode=flattened_id",
    "f32[4,8] all-reduce-done(x)",
    "f32[4,8] all-reduce-start(x), to_apply=max, replica_groups={}, "
    "channel_id=1, "
    "constrain_layout=false, use_global_device_ids=true, mode=flattened_id",
    "f32[4,8] all-to-all(x), dimensions={1}, replica_groups={{0,1}}, "
    "channel_id=1, "
    "constrain_layout=false, use_global_device_ids=true, mode=flattened_id",
    "pred[4,8] and(p, p)",
    "f32[4,8] asin(x), result_accuracy={mode=highest}",
    "f32[4,8] asinh(x), result_accuracy={mode=highest}",
    "f32[4,8] async-done(cs), calls=fused, async_execution_thread=\"a\"",
    "((f32[4,8]), f32[4,8], u32[]) async-start(x), calls=fused, "
    "async_execution_thread=\"a\", output_to_operand_aliasing={{}: (0, {})}",
    "((f32[4,8]), f32[4,8], u32[]) async-update(cs), calls=fused, "
    "async_execution_thread=\"a\"",
    "f32[4,8] atan(x), result_accuracy={mode=highest}",
    "f32[4,8] atan2(x, y)",
    "f32[4,8] atanh(x), result_accuracy={mode=highest}",
    "(f32[4,8], f32[8], f32[8]) batch-norm-grad(x, v, v, v, y), epsilon=0.001, "
    "feature_index=1",
    "f32[4,8] batch-norm-inference(x, v, v, v, v), epsilon=1e-05, "
    "feature_index=1",
    "(f32[4,8], f32[8], f32[8]) batch-norm-training(x, v, v), epsilon=1, "
    "feature_index=1",
    "f32[32] bitcast(x)",
    "u8[4,8,4] bitcast-convert(x)",
    "f32[4,8,3] broadcast(x), dimensions={0,1}",
    "f32[4,8] call(x), to_apply=fused, is_composite=true, "
    "output_to_operand_aliasing={{}: (0, {})}",
    "f32[4,8] cbrt(x), result_accuracy={mode=highest}",
    "f32[4,8] ceil(x)",
    "f32[4,4] cholesky(sq), lower=true",
    "f32[4,8] clamp(s, x, y)",
    "s32[4,8] count-leading-zeros(n)",
    "f32[4,8] collective-broadcast(x, i1), replica_groups={{0,1}}, "
    "channel_id=1, "
    "use_global_device_ids=true, mode=flattened_id, has_dynamic_root=true",
    "f32[4,8] collective-permute(x), source_target_pairs={{0,1},{1,0}}, "
    "channel_id=2, "
    "slice_sizes={{4,8}}, mode=flattened_id",
    "f32[4,8] collective-permute-done(x), channel_id=2",
    "f32[4,8] collective-permute-start(x), source_target_pairs={{0,1}}, "
    "channel_id=2, "
    "slice_sizes={{4,8}}, mode=flattened_id",
    "f32[4,8] collective-reduce(x), to_apply=max, replica_groups={}, "
    "channel_id=1, "
    "use_global_device_ids=true, mode=flattened_id, something_new={1}",
    "pred[4,8] compare(x, y), direction=LT, order=TOTAL, type=TOTALORDER",
    "c64[4,8] complex(x, y)",
    "f32[4,16] concatenate(x, y), dimensions={1}",
    "f32[4,8] conditional(q, x, y), true_computation=fused, "
    "false_computation=fused",
    "f32[4,8] conditional(i, x, y), branch_computations={%fused, %fused}",
    "s32[2] constant({1, 2})",
    "bf16[4,8] convert(x)",
    "f32[1,6,6,4] convolution(img, ker), window={size=3x3 pad=1_1x1_1}, "
    "dim_labels=b01f_01io->b01f, feature_group_count=1, batch_group_count=1, "
    "operand_precision={highest,default}, conv_kind=fprop, "
    "convolution_kind=fprop",
    "f32[4] convolution(t, t), dim_labels=bf_io->bf, "
    "sparsity_config={rhs={sparsity=3x4 dimension=0 stride=1}}",
    "f32[4,8] copy(x)",
    "f32[4,8] copy-done(t)",
    "(f32[4,8], f32[4,8], u32[]) copy-start(x), cross_program_prefetch_index=0",
    "f32[4,8] cosine(x), result_accuracy={mode=highest}",
    "f32[4,8] cosh(x), result_accuracy={mode=highest}",
    "f32[4,8]{1,0} custom-call(x, y), window={size=3x3}, "
    "dim_labels=b01f_01io->b01f, "
    "feature_group_count=1, batch_group_count=1, operand_layout_constraints="
    "{f32[4,8]{1,0}, f32[4,8]{0,1}}, custom_call_has_side_effect=true, "
    "to_apply=max, "
    "called_computations={%max, %gt}, output_to_operand_aliasing={{}: (0, "
    "{})}, "
    "padding_type=PADDING_VALID, literal=s32[2]{0} {1, 2}, "
    "operand_precision={default,high}, schedule=SCHEDULE_LATEST, "
    "api_version=API_VERSION_TYPED_FFI, custom_call_target=\"f\\\"g\"",
    "f32[4,8] divide(x, y)",
    "f32[4,8] domain(x), domain={kind=\"sharding\", entry={maximal device=1}, "
    "exit={}}",
    "f32[4,5] dot(x, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
    "lhs_batch_dims={}, rhs_batch_dims={}, operand_precision={high,high}, "
    "algorithm=dot_bf16_bf16_f32",
    "f32[2,16] dynamic-reshape(x, i, i)",
    "f32[2,8] dynamic-slice(x, i, i), dynamic_slice_sizes={2,8}",
    "f32[4,8] dynamic-update-slice(x, sq, i, i)",
    "f32[4,8] erf(x), result_accuracy={mode=highest}",
    "f32[4,8] exponential(x), result_accuracy={tolerance={rtol=0.5, atol=1.0, "
    "ulps=2}}",
    "f32[4,8] exponential-minus-one(x), result_accuracy={mode=highest}",
    "c64[4,5] fft(x), fft_type=RFFT, fft_length={8}",
    "f32[4,8] floor(x)",
    "f32[4,8] fusion(x), kind=kLoop, calls=fused, "
    "output_to_operand_aliasing={{}: (0, {})}",
    "f32[3,8] gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, "
    "start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,8}, "
    "indices_are_sorted=true, operand_batching_dims={}, "
    "start_indices_batching_dims={}",
    "s32[] get-dimension-size(x), dimensions={1}",
    "s32[] get-tuple-element(t), index=1",
    "f32[4,8] imag(c)",
    "(f32[4], token[]) infeed(tok), infeed_config=\"abc\"",
    "s32[4,8] iota(), iota_dimension=1",
    "pred[4,8] is-finite(x)",
    "f32[4,8] log(x), result_accuracy={mode=highest}",
    "f32[4,8] log-plus-one(x), result_accuracy={mode=highest}",
    "f32[4,8] logistic(x), result_accuracy={mode=highest}",
    "f32[4,8] map(x, y), dimensions={0,1}, to_apply=max",
    "f32[4,8] maximum(x, y)",
    "f32[4,8] minimum(x, y)",
    "s32[4,8] mulhi(n, n)",
    "f32[4,8] multiply(x, y)",
    "f32[4,8] negate(x)",
    "pred[4,8] not(p)",
    "(f32[4,8], s32[]) opt-barrier(t)",
    "pred[4,8] or(p, p)",
    "token[] outfeed(x, tok), outfeed_config=\"abc\", "
    "outfeed_shape=f32[4,8]{1,0}",
    "f32[7,9] pad(x, s), padding=1_2x-1_2",
    "u32[] parameter(22)",
    "u32[] partition-id()",
    "s32[4,8] popcnt(n)",
    "f32[4,8] power(x, y)",
    "f32[4] ragged-all-to-all(f4, f4, i8, i8, i8, i8), replica_groups={{0}}, "
    "channel_id=1, dimensions={0}, mode=flattened_id",
    "f32[4,4,5] ragged-dot(x, m, i8), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}, lhs_batch_dims={}, rhs_batch_dims={}, "
    "lhs_ragged_dims={1}, rhs_group_dims={}, "
    "operand_precision={default,default}",
    "f32[4,8] real(c)",
    "(f32[4], u32[], token[]) recv(tok), channel_id=15, is_host_transfer=true",
    "(f32[4], token[]) recv-done(t), channel_id=15, is_host_transfer=true",
    "f32[4] reduce(x, s), dimensions={1}, to_apply=max",
    "f32[4,8] reduce-precision(x), exponent_bits=5, mantissa_bits=10",
    "f32[2,8] reduce-scatter(x), to_apply=max, dimensions={0}, "
    "replica_groups={{0,1}}, "
    "channel_id=1, constrain_layout=false, use_global_device_ids=true, "
    "mode=flattened_id",
    "f32[3,4] reduce-window(x, s), window={size=2x2 stride=1x2}, to_apply=max",
    "f32[4,8] remainder(x, y)",
    "u32[] replica-id()",
    "f32[2,16] reshape(x), inferred_dimension=0",
    "f32[4,8] reverse(x), dimensions={0}",
    "f32[4,8] rng(s, s), distribution=rng_uniform",
    "(u64[2], u32[4]) rng-bit-generator(st), algorithm=rng_three_fry",
    "u64[1] rng-get-and-update-state(), delta=4096",
    "f32[4,8] round-nearest-afz(x)",
    "f32[4,8] round-nearest-even(x)",
    "f32[4,8] rsqrt(x), result_accuracy={mode=highest}",
    "f32[4,5] scaled-dot(x, m, x, m), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}, lhs_batch_dims={}, rhs_batch_dims={}, "
    "operand_precision={default,default}, algorithm=dot_bf16_bf16_f32",
    "(f32[4,8], f32[4]) scan(x, f4), dimensions={1}, num_carries=1, "
    "to_apply=running, "
    "is_reverse=true, is_associative=false",
    "f32[4,8] scatter(x, idx, upd), update_window_dims={1}, "
    "inserted_window_dims={0}, "
    "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=max, "
    "indices_are_sorted=true, unique_indices=false, input_batching_dims={}, "
    "scatter_indices_batching_dims={}",
    "f32[4,8] select(p, x, y)",
    "f32[4,8] select-and-scatter(x, y, s), window={size=1x1}, select=gt, "
    "scatter=max",
    "(f32[4,8], u32[], token[]) send(x, tok), channel_id=15, "
    "is_host_transfer=true",
    "token[] send-done(t), channel_id=15, is_host_transfer=true",
    "f32[4,<=8] set-dimension-size(x, i), dimensions={1}",
    "s32[4,8] shift-left(n, n)",
    "s32[4,8] shift-right-arithmetic(n, n)",
    "s32[4,8] shift-right-logical(n, n)",
    "f32[4,8] shuffle(x), dimensions={0}, mode=rotate, shifts={3}",
    "f32[4,8] sign(x)",
    "f32[4,8] sine(x), result_accuracy={mode=highest}",
    "f32[4,8] sinh(x), result_accuracy={mode=highest}",
    "f32[2,4] slice(x), slice={[0:4:2], [1:5]}",
    "f32[4,8] sort(x), dimensions={1}, is_stable=true, to_apply=gt",
    "f32[4,8] sqrt(x), result_accuracy={mode=highest}",
    "s8[4,8] stochastic-convert(x, n)",
    "f32[4,8] subtract(x, y)",
    "f32[4,8] tan(x), result_accuracy={mode=highest}",
    "f32[4,8] tanh(x), result_accuracy={mode=highest}",
    "(f32[4,3], s32[4,3]) topk(x), k=3, largest=true, is_stable=true",
    "f32[8,4] transpose(x), dimensions={1,0}",
    "f32[4,8] triangular-solve(sq, x), left_side=true, lower=true, "
    "unit_diagonal=true, "
    "transpose_a=NO_TRANSPOSE",
    "(f32[4,8], s32[4,8]) tuple(x, n)",
    "f32[4,8] while(x), condition=always, body=fused",
    "pred[4,8] xor(p, p)",
};

inline std::string inContext(const std::string &row) {
  return std::string(prelude) + "  ROOT r = " + row + "\n}\n";
}

} // namespace mercator::hlo

#endif // MERCATOR_TESTS_FRONTENDS_HLO_OPCODEROWS_H
