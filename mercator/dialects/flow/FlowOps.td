// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `flow` dialect: which parts of a program are dispatched.

include "mercator/dialects/flow/FlowDispatch.td"
include "mercator/dialects/flow/FlowAccess.td"
include "mercator/dialects/flow/FlowTensor.td"
