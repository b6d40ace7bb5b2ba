// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// custom_call in bytecode: its attributes in the order of their names, as MLIR
// writes those of every operation. StableHLO has got `result_tilings` in 2026; it
// is the last one, and older files end before it.

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using mercator::stablehlo::CustomCallOp;

/// Reads the last attribute, which may be missing. The reader has no question for
/// the end of the bytes: it reports an error there, which is not one here.
static LogicalResult readLast(DialectBytecodeReader &reader, ArrayAttr &attr) {
  std::optional<std::string> problem;
  LogicalResult read = success();
  {
    ScopedDiagnosticHandler quiet(reader.getContext(), [&](Diagnostic &said) {
      problem = said.str();
      return success();
    });
    read = reader.readOptionalAttribute(attr);
  }
  if (succeeded(read))
    return success();
  attr = {};
  if (problem && StringRef(*problem).contains("at the end of the bytecode"))
    return success();
  return reader.emitError(problem ? *problem : "expected an array");
}

LogicalResult CustomCallOp::readProperties(DialectBytecodeReader &reader,
                                           OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.api_version)) ||
      failed(reader.readOptionalAttribute(properties.backend_config)) ||
      failed(reader.readAttribute(properties.call_target_name)) ||
      failed(reader.readOptionalAttribute(properties.called_computations)) ||
      failed(reader.readOptionalAttribute(properties.has_side_effect)) ||
      failed(reader.readOptionalAttribute(properties.operand_layouts)) ||
      failed(reader.readOptionalAttribute(properties.output_operand_aliases)) ||
      failed(reader.readOptionalAttribute(properties.result_layouts)))
    return failure();
  return readLast(reader, properties.result_tilings);
}

void CustomCallOp::writeProperties(DialectBytecodeWriter &writer) {
  const Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.api_version);
  writer.writeOptionalAttribute(properties.backend_config);
  writer.writeAttribute(properties.call_target_name);
  writer.writeOptionalAttribute(properties.called_computations);
  writer.writeOptionalAttribute(properties.has_side_effect);
  writer.writeOptionalAttribute(properties.operand_layouts);
  writer.writeOptionalAttribute(properties.output_operand_aliases);
  writer.writeOptionalAttribute(properties.result_layouts);
  writer.writeOptionalAttribute(properties.result_tilings);
}
