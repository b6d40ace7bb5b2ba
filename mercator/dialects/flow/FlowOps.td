// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `flow` dialect: the partition of a program into dispatches.

include "mercator/dialects/flow/FlowDispatch.td"
include "mercator/dialects/flow/FlowAccess.td"
include "mercator/dialects/flow/FlowTensor.td"
