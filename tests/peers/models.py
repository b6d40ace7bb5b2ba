# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Runs ONNX models. This module stands alone, because it runs in separate
processes: a kernel that traps ends its process."""

import numpy as np
import onnx
import onnxruntime
from elements import name_of
from onnx.reference import ReferenceEvaluator

# Types that onnxruntime cannot take from numpy, or does not support.
NOT_FED = {"bf16", "complex<f32>", "complex<f64>"}


def run_by_onnx(model, named):
    with np.errstate(all="ignore"):
        try:
            return ReferenceEvaluator(model).run(None, named), "onnx"
        except Exception as error:  # of any kind
            raise RuntimeError(f"ONNX's evaluator: {type(error).__name__}: {error}") from None


def run_model(path, inputs):
    """The results, and the name of the program that computed them."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    named = {value.name: array for value, array in zip(model.graph.input, inputs)}
    if any(name_of(array) in NOT_FED for array in inputs):
        return run_by_onnx(model, named)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(path, options)
    except Exception as error:
        if any(said in str(error) for said in ("NOT_IMPLEMENTED", "not currently registered")):
            return run_by_onnx(model, named)
        raise RuntimeError(str(error)) from None
    if any("bfloat16" in value.type for value in session.get_outputs()):
        return run_by_onnx(model, named)
    try:
        return session.run(None, named), "onnxruntime"
    except Exception as error:
        # ScatterND of f16 fails only when it runs.
        if "data type is not supported" in str(error):
            return run_by_onnx(model, named)
        raise RuntimeError(str(error)) from None


def inputs_of(path):
    """The numpy type and the shape of each input."""
    types = [value.type.tensor_type for value in onnx.load(path).graph.input]
    return [(onnx.helper.tensor_dtype_to_np_dtype(t.elem_type), [d.dim_value for d in t.shape.dim]) for t in types]
