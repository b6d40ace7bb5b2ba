// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operations of StableHLO, by family.

include "mercator/dialects/stablehlo/StablehloElementwise.td"
include "mercator/dialects/stablehlo/StablehloData.td"
include "mercator/dialects/stablehlo/StablehloReduction.td"
include "mercator/dialects/stablehlo/StablehloControl.td"
