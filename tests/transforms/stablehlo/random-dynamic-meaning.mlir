// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random bits of a shape that is an operand, as in random-meaning.mlir.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @three_fry_4xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[4]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %bits = tensor.cast %0#1 : tensor<?xui32> to tensor<4xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[958768048, 2929078239, 521653552, 3986530002]> : tensor<4xui32>
  return
}
func.func @three_fry_5xi32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[5]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xi32>)
  %bits = tensor.cast %0#1 : tensor<?xi32> to tensor<5xi32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[958768048, -1365889057, 521653552, -308437294, 1726778286]> : tensor<5xi32>
  return
}
func.func @three_fry_3x5xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<3x5xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 7]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[958768048, 2929078239, 521653552, 3986530002, 1726778286], [1073901467, 2785126443, 1994710883, 2695700914, 3619550221], [2390693065, 475679036, 1773263165, 1489483531, 287085560]]> : tensor<3x5xui32>
  return
}
func.func @three_fry_3x2x5xui16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3, 2, 5]> : tensor<3xi32>
  %z = stablehlo.constant dense<0> : tensor<3xi32>
  %n = stablehlo.add %d, %z : tensor<3xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<3xi32>) -> (tensor<2xui64>, tensor<?x?x?xui16>)
  %bits = tensor.cast %0#1 : tensor<?x?x?xui16> to tensor<3x2x5xui16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 13]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[[41904, 52528, 35758, 28571, 57187], [12255, 40658, 61188, 43051, 8626]], [[62477, 5321, 55613, 37880, 10907], [40476, 18748, 46859, 54985, 2584]], [[12975, 59225, 4677, 42800, 8985], [5607, 52648, 32500, 36926, 9124]]]> : tensor<3x2x5xui16>
  return
}
func.func @three_fry_7xui8_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[7]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui8>)
  %bits = tensor.cast %0#1 : tensor<?xui8> to tensor<7xui8>
  check.expect_eq_const %0#0, dense<[72623859790382856, 2]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[176, 223, 48, 210, 174, 4, 155]> : tensor<7xui8>
  return
}
func.func @three_fry_3xui64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui64>)
  %bits = tensor.cast %0#1 : tensor<?xui64> to tensor<3xui64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[12580295244889039792, 17122015983634468144, 11303734916932209582]> : tensor<3xui64>
  return
}
func.func @three_fry_2x3xi64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xi64>)
  %bits = tensor.cast %0#1 : tensor<?x?xi64> to tensor<2x3xi64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[-5866448828820511824, -1324728090075083472, -7143009156777342034], [-6484717084725842021, -6868796806287532189, -6647139203283028979]]> : tensor<2x3xi64>
  return
}
func.func @three_fry_2x0xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<2x0xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<> : tensor<2x0xui32>
  return
}
func.func @three_fry_3xf32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xf32>)
  %bits = tensor.cast %0#1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[0x3925A3B0, 0xAE962FDF, 0x1F17CD30]> : tensor<3xf32>
  return
}
func.func @three_fry_2xf64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[2]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xf64>)
  %bits = tensor.cast %0#1 : tensor<?xf64> to tensor<2xf64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[0xAE962FDF3925A3B0, 0xED9D9ED21F17CD30]> : tensor<2xf64>
  return
}
func.func @three_fry_3x3xbf16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xbf16>)
  %bits = tensor.cast %0#1 : tensor<?x?xbf16> to tensor<3x3xbf16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[0xA3B0, 0xCD30, 0x8BAE], [0x2FDF, 0x9ED2, 0xEF04], [0x6F9B, 0xDF63, 0xF40D]]> : tensor<3x3xbf16>
  return
}
func.func @philox_4xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[4]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %bits = tensor.cast %0#1 : tensor<?xui32> to tensor<4xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[213043336, 425651446, 2022822300, 4189638403]> : tensor<4xui32>
  return
}
func.func @philox_4xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[4]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui32>)
  %bits = tensor.cast %0#1 : tensor<?xui32> to tensor<4xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[1444938731, 2541215254, 2751775268, 2886250805]> : tensor<4xui32>
  return
}
func.func @philox_5xi32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[5]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xi32>)
  %bits = tensor.cast %0#1 : tensor<?xi32> to tensor<5xi32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[213043336, 425651446, 2022822300, -105328893, 1434444217]> : tensor<5xi32>
  return
}
func.func @philox_5xi32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[5]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xi32>)
  %bits = tensor.cast %0#1 : tensor<?xi32> to tensor<5xi32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[1444938731, -1753752042, -1543192028, -1408716491, -934230474]> : tensor<5xi32>
  return
}
func.func @philox_3x5xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<3x5xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 2]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[213043336, 425651446, 2022822300, 4189638403, 1434444217], [1419096484, 1867187079, 3447236775, 871992790, 3243196773], [1099054951, 1125805049, 2969247489, 4071729908, 833725285]]> : tensor<3x5xui32>
  return
}
func.func @philox_3x5xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<3x5xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 2, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[1444938731, 2541215254, 2751775268, 2886250805, 3360736822], [3084165445, 2822739608, 2023347173, 3738709537, 3011701334], [3160900292, 1403997044, 2347757510, 1668702994, 1012534100]]> : tensor<3x5xui32>
  return
}
func.func @philox_3x2x5xui16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3, 2, 5]> : tensor<3xi32>
  %z = stablehlo.constant dense<0> : tensor<3xi32>
  %n = stablehlo.add %d, %z : tensor<3xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<3xi32>) -> (tensor<2xui64>, tensor<?x?x?xui16>)
  %bits = tensor.cast %0#1 : tensor<?x?x?xui16> to tensor<3x2x5xui16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 6]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[[51336, 60662, 53660, 52995, 57785], [45476, 903, 43175, 36310, 16741]], [[16231, 27641, 7937, 43764, 41829], [55180, 51834, 241, 64301, 16309]], [[10797, 61567, 1668, 32040, 35722], [36361, 22185, 55572, 63770, 31511]]]> : tensor<3x2x5xui16>
  return
}
func.func @philox_3x2x5xui16_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3, 2, 5]> : tensor<3xi32>
  %z = stablehlo.constant dense<0> : tensor<3xi32>
  %n = stablehlo.add %d, %z : tensor<3xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<3xi32>) -> (tensor<3xui64>, tensor<?x?x?xui16>)
  %bits = tensor.cast %0#1 : tensor<?x?x?xui16> to tensor<3x2x5xui16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 6, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[[1003, 56854, 49700, 45365, 50742], [41285, 38552, 54245, 11809, 59990]], [[33476, 19316, 61382, 25362, 2900], [12644, 51404, 18097, 59122, 39600]], [[63518, 49934, 24728, 42572, 1072], [5110, 59494, 29982, 28838, 53257]]]> : tensor<3x2x5xui16>
  return
}
func.func @philox_7xui8_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[7]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui8>)
  %bits = tensor.cast %0#1 : tensor<?xui8> to tensor<7xui8>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[136, 246, 156, 3, 185, 164, 135]> : tensor<7xui8>
  return
}
func.func @philox_7xui8_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[7]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui8>)
  %bits = tensor.cast %0#1 : tensor<?xui8> to tensor<7xui8>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[235, 22, 36, 53, 54, 69, 152]> : tensor<7xui8>
  return
}
func.func @philox_3xui64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui64>)
  %bits = tensor.cast %0#1 : tensor<?xui64> to tensor<3xui64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[1828159040278153352, 17994359924973490588, 6094972990083031481]> : tensor<3xui64>
  return
}
func.func @philox_3xui64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui64>)
  %bits = tensor.cast %0#1 : tensor<?xui64> to tensor<3xui64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[10914436409471271915, 12396352818280448548, 13246389725089023542]> : tensor<3xui64>
  return
}
func.func @philox_2x3xi64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xi64>)
  %bits = tensor.cast %0#1 : tensor<?x?xi64> to tensor<2x3xi64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[1828159040278153352, -452384148736061028, 6094972990083031481], [-3640974861648854137, -4517319998309823018, 4835295868225732455]]> : tensor<2x3xi64>
  return
}
func.func @philox_2x3xi64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xi64>)
  %bits = tensor.cast %0#1 : tensor<?x?xi64> to tensor<2x3xi64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[-7532307664238279701, -6050391255429103068, -5200354348620528074], [8690209939311793816, -5511585335121269215, 6030121390821573316]]> : tensor<2x3xi64>
  return
}
func.func @philox_2x0xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<2x0xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<> : tensor<2x0xui32>
  return
}
func.func @philox_2x0xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<2x0xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<> : tensor<2x0xui32>
  return
}
func.func @philox_3xf32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xf32>)
  %bits = tensor.cast %0#1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[0x0CB2C888, 0x195EECF6, 0x7891D19C]> : tensor<3xf32>
  return
}
func.func @philox_3xf32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xf32>)
  %bits = tensor.cast %0#1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[0x562003EB, 0x9777DE16, 0xA404C224]> : tensor<3xf32>
  return
}
func.func @philox_2xf64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[2]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xf64>)
  %bits = tensor.cast %0#1 : tensor<?xf64> to tensor<2xf64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[0x195EECF60CB2C888, 0xF9B8CF037891D19C]> : tensor<2xf64>
  return
}
func.func @philox_2xf64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[2]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xf64>)
  %bits = tensor.cast %0#1 : tensor<?xf64> to tensor<2xf64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[0x9777DE16562003EB, 0xAC08B135A404C224]> : tensor<2xf64>
  return
}
func.func @philox_3x3xbf16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %d = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xbf16>)
  %bits = tensor.cast %0#1 : tensor<?x?xbf16> to tensor<3x3xbf16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[0xC888, 0xECF6, 0xD19C], [0xCF03, 0xE1B9, 0xB1A4], [0x0387, 0xA8A7, 0x8DD6]]> : tensor<3x3xbf16>
  return
}
func.func @philox_3x3xbf16_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xbf16>)
  %bits = tensor.cast %0#1 : tensor<?x?xbf16> to tensor<3x3xbf16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[0x03EB, 0xDE16, 0xC224], [0xB135, 0xC636, 0xA145], [0x9698, 0xD3E5, 0x2E21]]> : tensor<3x3xbf16>
  return
}
func.func @default_4xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[4]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui32>)
  %bits = tensor.cast %0#1 : tensor<?xui32> to tensor<4xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[1444938731, 2541215254, 2751775268, 2886250805]> : tensor<4xui32>
  return
}
func.func @default_5xi32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[5]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xi32>)
  %bits = tensor.cast %0#1 : tensor<?xi32> to tensor<5xi32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[1444938731, -1753752042, -1543192028, -1408716491, -934230474]> : tensor<5xi32>
  return
}
func.func @default_3x5xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<3x5xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 2, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[1444938731, 2541215254, 2751775268, 2886250805, 3360736822], [3084165445, 2822739608, 2023347173, 3738709537, 3011701334], [3160900292, 1403997044, 2347757510, 1668702994, 1012534100]]> : tensor<3x5xui32>
  return
}
func.func @default_7xui8_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[7]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui8>)
  %bits = tensor.cast %0#1 : tensor<?xui8> to tensor<7xui8>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[235, 22, 36, 53, 54, 69, 152]> : tensor<7xui8>
  return
}
func.func @default_3xui64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xui64>)
  %bits = tensor.cast %0#1 : tensor<?xui64> to tensor<3xui64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[10914436409471271915, 12396352818280448548, 13246389725089023542]> : tensor<3xui64>
  return
}
func.func @default_2x3xi64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xi64>)
  %bits = tensor.cast %0#1 : tensor<?x?xi64> to tensor<2x3xi64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[-7532307664238279701, -6050391255429103068, -5200354348620528074], [8690209939311793816, -5511585335121269215, 6030121390821573316]]> : tensor<2x3xi64>
  return
}
func.func @default_2x0xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xui32>)
  %bits = tensor.cast %0#1 : tensor<?x?xui32> to tensor<2x0xui32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<> : tensor<2x0xui32>
  return
}
func.func @default_3xf32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xf32>)
  %bits = tensor.cast %0#1 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[0x562003EB, 0x9777DE16, 0xA404C224]> : tensor<3xf32>
  return
}
func.func @default_2xf64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[2]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.add %d, %z : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<1xi32>) -> (tensor<3xui64>, tensor<?xf64>)
  %bits = tensor.cast %0#1 : tensor<?xf64> to tensor<2xf64>
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[0x9777DE16562003EB, 0xAC08B135A404C224]> : tensor<2xf64>
  return
}
func.func @default_3x3xbf16_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %d = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.add %d, %z : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<3xui64>, tensor<2xi32>) -> (tensor<3xui64>, tensor<?x?xbf16>)
  %bits = tensor.cast %0#1 : tensor<?x?xbf16> to tensor<3x3xbf16>
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[0x03EB, 0xDE16, 0xC224], [0xB135, 0xC636, 0xA145], [0x9698, 0xD3E5, 0x2E21]]> : tensor<3x3xbf16>
  return
}
