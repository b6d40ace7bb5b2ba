// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatches and the executables they call.

#ifndef MERCATOR_DIALECTS_FLOW_DISPATCH
#define MERCATOR_DIALECTS_FLOW_DISPATCH

include "mercator/dialects/flow/FlowBase.td"

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

def Flow_DispatchRegionOp : Flow_Op<"dispatch.region", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlock, Util_ShapeAwareOpInterface]> {
  let summary = "operations that go into one dispatch";
  let description = [{
        %r = flow.dispatch.region[%w] -> (tensor<?x4xf32>{%d}) {
          %0 = linalg.generic ... -> tensor<?x4xf32>
          flow.return %0 : tensor<?x4xf32>
        } count(%a: index) -> (index, index, index) {
          %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %a
          flow.return %x, %y, %z : index, index, index
        }

    The body uses the values around it. The optional second region computes the
    number of workgroups from the workload.
  }];
  let arguments = (ins Variadic<Index>:$result_dims, Variadic<Index>:$workload);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body, AnyRegion:$workgroup_count);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index) { return {}; }
    ::mlir::ValueRange getResultDynamicDims(unsigned index);
  }];
}

def Flow_DispatchWorkgroupsOp : Flow_Op<"dispatch.workgroups", [
    Pure, IsolatedFromAbove, AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"::mercator::flow::ReturnOp">,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedOperandsIndexAndLength"]>,
    Util_ShapeAwareOpInterface]> {
  let summary = "a dispatch with explicit operands";
  let description = [{
        %r = flow.dispatch.workgroups[%w](%a, %d) :
            (tensor<?xf32>{%d}, index) -> tensor<?xf32>{%d} =
            (%in: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %n: index,
             %out: !flow.dispatch.tensor<writeonly:tensor<?xf32>>) {
          ...
          flow.return
        } count(%a: index) -> (index, index, index) { ... }

    The body runs once for each workgroup. It has an argument for each operand,
    then one for each result that is not tied. A result tied to an operand is
    written as that operand, `-> %a`, or `-> %a as T` if the types differ. The
    operand's argument then represents both and is `readwrite`.
  }];
  let arguments = (ins Variadic<Index>:$workload, Variadic<AnyType>:$arguments,
                       Variadic<Index>:$argument_dims, Variadic<Index>:$result_dims,
                       OptionalAttr<Util_TiedOpStorageAttr>:$tied_operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_body, AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    (`[` $workload^ `]`)? `` `(` $arguments `)` `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims,
                               type($results), $result_dims, $tied_operands)
    attr-dict-with-keyword
    `=` `\n` ` ` ` ` ` ` custom<DispatchWorkgroupBody>($workgroup_body)
    `` custom<DispatchWorkgroupsCountRegion>($workgroup_count)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    // The body gets an empty block with the required arguments. The caller fills the block, and the
    // count region if it wants one. `tiedOperands` has, for each result, an index into `arguments`
    // or -1; an empty list ties nothing.
    OpBuilder<(ins "::mlir::ValueRange":$workload, "::mlir::TypeRange":$resultTypes,
                   "::mlir::ValueRange":$resultDims, "::mlir::ValueRange":$arguments,
                   "::mlir::ValueRange":$argumentDims, "::llvm::ArrayRef<int64_t>":$tiedOperands,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
  ];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index);
    ::mlir::ValueRange getResultDynamicDims(unsigned index);

    /// The body's argument for an operand of `arguments`.
    ::mlir::BlockArgument getInputBlockArgument(unsigned index) {
      return getWorkgroupBody().getArgument(index);
    }
    /// The body's argument for a result: its own, or that of its tied operand.
    ::mlir::BlockArgument getOutputBlockArgument(unsigned index);
    ::mlir::Block::BlockArgListType getInputBlockArguments() {
      return getWorkgroupBody().getArguments().take_front(getArguments().size());
    }
    ::llvm::SmallVector<::mlir::BlockArgument> getOutputBlockArguments();
    /// For each result the index in `arguments` that it is tied to, or -1.
    ::llvm::SmallVector<int64_t> getTiedArguments();

    /// Creates an operation before this one without those operands and results,
    /// and moves the regions to it. Requires: the body uses none of the removed
    /// arguments. The caller replaces and erases this operation.
    DispatchWorkgroupsOp cloneReplacementExcludingOperandsAndResults(
        const ::llvm::BitVector &excludedOperands,
        const ::llvm::BitVector &excludedResults, ::mlir::RewriterBase &rewriter);
  }];
}

def Flow_ReturnOp : Flow_Op<"return", [Pure, ReturnLike, Terminator,
    ParentOneOf<["::mercator::flow::DispatchRegionOp", "::mercator::flow::DispatchWorkgroupsOp",
                 "::mercator::flow::ExecutableExportOp"]>]> {
  let summary = "terminates a dispatch or a count region";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), "build($_builder, $_state, ::mlir::ValueRange());">];
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

def Flow_GridDimension : ConfinedAttr<IndexAttr, [IntMinValue<0>, IntMaxValue<2>]>;

class Flow_WorkgroupInfoOp<string which, string summaryText>
    : Flow_Op<"dispatch.workgroup." # which, [Pure,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = summaryText;
  let arguments = (ins Flow_GridDimension:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "`[` $dimension `]` attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "unsigned":$dimension), [{
    build($_builder, $_state, $_builder.getIndexType(), $_builder.getIndexAttr(dimension));
  }]>];
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      setName(getResult(), "workgroup_}] # which # [{_" +
                               ::llvm::utostr(getDimension().getZExtValue()));
    }
  }];
}
def Flow_DispatchWorkgroupIDOp
    : Flow_WorkgroupInfoOp<"id", "the index of this workgroup along a dimension of the grid">;
def Flow_DispatchWorkgroupCountOp
    : Flow_WorkgroupInfoOp<"count", "the number of workgroups along a dimension of the grid">;
def Flow_DispatchWorkgroupSizeOp
    : Flow_WorkgroupInfoOp<"size", "the number of invocations of a workgroup along a dimension">;

class Flow_WorkgroupCountOp<string mnemonic> : Flow_Op<mnemonic, [Pure]> {
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$x, Index:$y, Index:$z);
  let assemblyFormat = "attr-dict $operands";
}
def Flow_DispatchWorkgroupCountFromDagRootOp
    : Flow_WorkgroupCountOp<"dispatch.workgroup_count_from_dag_root"> {
  let summary = "the grid for the loops of the root operation of a dispatch";
  let description = [{
        %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %a, %b

    The operands are the numbers of iterations. The compiler of the dispatch
    chooses the tiles and replaces this operation by the size of the grid.
  }];
}
def Flow_DispatchWorkgroupCountFromSliceOp
    : Flow_WorkgroupCountOp<"dispatch.workgroup_count_from_slice"> {
  let summary = "the grid that follows from the body of a dispatch";
  let description = [{
        %x, %y, %z = flow.dispatch.workgroup_count_from_slice %a, %b

    The operands are the workload. The compiler of the dispatch chooses the tiles
    and computes the size of the grid from the values that the body marks with
    `flow.dispatch.workload.ordinal`.
  }];
}
def Flow_DispatchWorkloadOrdinalOp
    : Flow_Op<"dispatch.workload.ordinal", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "a number in the body of a dispatch that is also in its workload";
  let description = [{
        %n = flow.dispatch.workload.ordinal %arg2, 0 : index

    The result is the operand, which is the workload's number `ordinal`.
  }];
  let arguments = (ins Index:$operand, IndexAttr:$ordinal);
  let results = (outs Index:$result);
  let assemblyFormat = "$operand `,` $ordinal attr-dict `:` type($result)";
}
def Flow_DispatchWorkgroupCountFromSetEncodingOp
    : Flow_WorkgroupCountOp<"dispatch.workgroup_count_from_set_encoding_op"> {
  let summary = "the grid for giving an encoding to a tensor of that shape";
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

def Flow_ExecutableOp : Flow_Op<"executable", [
    IsolatedFromAbove, SingleBlockImplicitTerminator<"::mercator::flow::ExecutableEndOp">,
    SymbolTable, Symbol]> {
  let summary = "functions that are dispatched, in their own module";
  let description = [{
        flow.executable private @ex {
          flow.executable.export public @f workgroups(%w: index) ->
              (index, index, index) { ... }
          builtin.module {
            func.func @f(%a: !flow.dispatch.tensor<readonly:tensor<4xf32>>) { ... }
          }
        }
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword $body
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The module with the functions; null if there is none yet.
    ::mlir::ModuleOp getInnerModule();
  }];
}

def Flow_ExecutableEndOp : Flow_Op<"executable_end", [
    HasParent<"::mercator::flow::ExecutableOp">, Terminator]> {
  let summary = "terminates an executable";
  let assemblyFormat = "attr-dict";
}

def Flow_ExecutableExportOp : Flow_Op<"executable.export", [
    HasParent<"::mercator::flow::ExecutableOp">, Symbol, IsolatedFromAbove]> {
  let summary = "a function that can be dispatched, and its number of workgroups";
  let description = [{
        flow.executable.export public @f
        flow.executable.export public @f as("g") workgroups(%w: index) ->
            (index, index, index) { ... }

    The second export has the name `@g` outside. The region computes the number of
    workgroups from the workload of a dispatch.
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name,
                       FlatSymbolRefAttr:$function_ref);
  let regions = (region AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) custom<SymbolAlias>($sym_name, $function_ref)
    custom<WorkgroupCountRegion>($workgroup_count) attr-dict-with-keyword
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 "::mlir::FlatSymbolRefAttr":$functionRef)>];
  let hasVerifier = 1;
}

def Flow_DispatchOp : Flow_Op<"dispatch", [
    Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedOperandsIndexAndLength"]>,
    Util_ShapeAwareOpInterface]> {
  let summary = "a dispatch of an executable's function";
  let description = [{
        %r = flow.dispatch @ex::@f[%w](%a) : (tensor<?xf32>{%d}) -> tensor<?xf32>{%d}

    Results are tied as in flow.dispatch.workgroups.
  }];
  let arguments = (ins Variadic<Index>:$workload, SymbolRefAttr:$entry_point,
                       Variadic<AnyType>:$arguments, Variadic<Index>:$argument_dims,
                       Variadic<Index>:$result_dims,
                       OptionalAttr<Util_TiedOpStorageAttr>:$tied_operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $entry_point (`[` $workload^ `]`)? `` `(` $arguments `)` attr-dict `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims,
                               type($results), $result_dims, $tied_operands)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "ExecutableExportOp":$entryPoint, "::mlir::ValueRange":$workload,
                   "::mlir::TypeRange":$resultTypes, "::mlir::ValueRange":$resultDims,
                   "::mlir::ValueRange":$arguments, "::mlir::ValueRange":$argumentDims,
                   "::llvm::ArrayRef<int64_t>":$tiedOperands,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>,
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getOperandDynamicDims(unsigned index);
    ::mlir::ValueRange getResultDynamicDims(unsigned index);
    /// The name of the executable.
    ::mlir::StringAttr getExecutable() { return getEntryPoint().getRootReference(); }
    /// For each result the index in `arguments` that it is tied to, or -1.
    ::llvm::SmallVector<int64_t> getTiedArguments();
  }];
}

#endif // MERCATOR_DIALECTS_FLOW_DISPATCH
