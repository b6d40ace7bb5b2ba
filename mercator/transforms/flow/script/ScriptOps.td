// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of transform scripts that form dispatches, with IREE's names.

#ifndef MERCATOR_TRANSFORMS_FLOW_SCRIPTOPS
#define MERCATOR_TRANSFORMS_FLOW_SCRIPTOPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

class Script_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "iree." # mnemonic,
         traits # [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                   TransformOpInterface]> {
  let cppNamespace = "::mercator::flow::script";
}

// Replaces each operation by another one.
class Script_EachOp<string mnemonic, string target>
    : Script_Op<mnemonic, [TransformEachOpTrait]> {
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter, }] # target # [{ target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def WrapInDispatchRegionOp
    : Script_EachOp<"wrap_in_dispatch_region", "::mlir::Operation *"> {
  let summary = "puts each operation into its own flow.dispatch.region";
  let description = [{
        %r = transform.iree.wrap_in_dispatch_region %op {generateWorkload = false}
            : (!transform.any_op) -> !transform.any_op

    With `generateWorkload`, the default, the region gets the operation's workload
    and a count region.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<BoolAttr, "true">:$generateWorkload);
}

def RegionToWorkgroupsOp
    : Script_EachOp<"region_to_workgroups", "::mercator::flow::DispatchRegionOp"> {
  let summary = "converts each flow.dispatch.region to flow.dispatch.workgroups";
}

def ForallToFlowOp : Script_EachOp<"forall_to_flow", "::mlir::scf::ForallOp"> {
  let summary = "converts each scf.forall on tensors to flow.dispatch.workgroups";
  let description = [{
    There is one workgroup for each iteration. The tensors whose slices the loop
    writes are tied to its results. Fails silenceably if the loops do not count
    from 0 by 1, if there are more than three, or if such a tensor is read by
    anything but tensor.extract_slice.
  }];
}

// Moves or clones operations into a region.
class Script_IntoRegionOp<string mnemonic> : Script_Op<mnemonic> {
  let arguments = (ins TransformHandleTypeInterface:$target,
                       TransformHandleTypeInterface:$dispatch_region);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat = [{
    $target `into` $dispatch_region attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure
    apply(::mlir::transform::TransformRewriter &rewriter,
          ::mlir::transform::TransformResults &results,
          ::mlir::transform::TransformState &state);
  }];
}

def ClonePrecedingOpIntoDispatchRegionOp
    : Script_IntoRegionOp<"clone_preceding_op_into_dispatch_region"> {
  let summary = "clones operations before a region into it, for the uses there";
  let description = [{
        %copies = transform.iree.clone_preceding_op_into_dispatch_region %ops into %region
            : (!transform.any_op, !transform.any_op) -> !transform.any_op
  }];
}
def MovePrecedingOpIntoDispatchRegionOp
    : Script_IntoRegionOp<"move_preceding_op_into_dispatch_region"> {
  let summary = "moves operations before a region into it; the region returns their results";
  let description = "The result is the region, which is another one then.";
}
def CloneSucceedingOpIntoDispatchRegionOp
    : Script_IntoRegionOp<"clone_succeeding_op_into_dispatch_region"> {
  let summary = "clones operations after a region to its end";
  let description = [{
    The clones use the values that the region yields in place of its results.
    Their results are used by later clones.
  }];
}
def MoveSucceedingOpIntoDispatchRegionOp
    : Script_IntoRegionOp<"move_succeeding_op_into_dispatch_region"> {
  let summary = "moves operations after a region to its end; the region returns their results";
  let description = "The result is the region, which is another one then.";
}

#endif // MERCATOR_TRANSFORMS_FLOW_SCRIPTOPS
