# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# chain.py N: N additions, one after the other, and a custom call.

import sys

count = int(sys.argv[1])
print("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {")
value = "%x"
for i in range(count):
    print(f"  %{i} = stablehlo.add {value}, %x : tensor<4xf32>")
    value = f"%{i}"
print(f"  %c = stablehlo.custom_call @f({value}) : (tensor<4xf32>) -> tensor<4xf32>")
print("  return %c : tensor<4xf32>\n}")
