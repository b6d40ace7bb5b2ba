// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bits of the StableHLO evaluator, with a counter that wraps around.
// RUN: mercator conformance %s --through=linalg

func.func @three_fry_ui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<958768048> : tensor<ui32>
  return
}

func.func @three_fry_ui64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<12580295244889039792> : tensor<ui64>
  return
}

func.func @three_fry_4xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[958768048, 2929078239, 521653552, 3986530002]> : tensor<4xui32>
  return
}

func.func @three_fry_5xi32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[958768048, -1365889057, 521653552, -308437294, 1726778286]> : tensor<5xi32>
  return
}

func.func @three_fry_3x5xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 7]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[958768048, 2929078239, 521653552, 3986530002, 1726778286], [1073901467, 2785126443, 1994710883, 2695700914, 3619550221], [2390693065, 475679036, 1773263165, 1489483531, 287085560]]> : tensor<3x5xui32>
  return
}

func.func @three_fry_3x2x5xui16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2x5xui16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 13]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[[41904, 52528, 35758, 28571, 57187], [12255, 40658, 61188, 43051, 8626]], [[62477, 5321, 55613, 37880, 10907], [40476, 18748, 46859, 54985, 2584]], [[12975, 59225, 4677, 42800, 8985], [5607, 52648, 32500, 36926, 9124]]]> : tensor<3x2x5xui16>
  return
}

func.func @three_fry_7xui8_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui8>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 2]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[176, 223, 48, 210, 174, 4, 155]> : tensor<7xui8>
  return
}

func.func @three_fry_3xui64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[12580295244889039792, 17122015983634468144, 11303734916932209582]> : tensor<3xui64>
  return
}

func.func @three_fry_2x3xi64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xi64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 4]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[-5866448828820511824, -1324728090075083472, -7143009156777342034], [-6484717084725842021, -6868796806287532189, -6647139203283028979]]> : tensor<2x3xi64>
  return
}

func.func @three_fry_2x0xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x0xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<> : tensor<2x0xui32>
  return
}

func.func @three_fry_3xf32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0x3925A3B0, 0xAE962FDF, 0x1F17CD30]> : tensor<3xf32>
  return
}

func.func @three_fry_2xf64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xf64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0xAE962FDF3925A3B0, 0xED9D9ED21F17CD30]> : tensor<2xf64>
  return
}

func.func @three_fry_3x3xbf16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xbf16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 4]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[0xA3B0, 0xCD30, 0x8BAE], [0x2FDF, 0x9ED2, 0xEF04], [0x6F9B, 0xDF63, 0xF40D]]> : tensor<3x3xbf16>
  return
}

func.func @philox_ui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<213043336> : tensor<ui32>
  return
}

func.func @philox_ui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<1444938731> : tensor<ui32>
  return
}

func.func @philox_ui64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<1828159040278153352> : tensor<ui64>
  return
}

func.func @philox_ui64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<ui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<10914436409471271915> : tensor<ui64>
  return
}

func.func @philox_4xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[213043336, 425651446, 2022822300, 4189638403]> : tensor<4xui32>
  return
}

func.func @philox_4xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[1444938731, 2541215254, 2751775268, 2886250805]> : tensor<4xui32>
  return
}

func.func @philox_5xi32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[213043336, 425651446, 2022822300, -105328893, 1434444217]> : tensor<5xi32>
  return
}

func.func @philox_5xi32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xi32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[1444938731, -1753752042, -1543192028, -1408716491, -934230474]> : tensor<5xi32>
  return
}

func.func @philox_3x5xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 2]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[213043336, 425651446, 2022822300, 4189638403, 1434444217], [1419096484, 1867187079, 3447236775, 871992790, 3243196773], [1099054951, 1125805049, 2969247489, 4071729908, 833725285]]> : tensor<3x5xui32>
  return
}

func.func @philox_3x5xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 2, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[1444938731, 2541215254, 2751775268, 2886250805, 3360736822], [3084165445, 2822739608, 2023347173, 3738709537, 3011701334], [3160900292, 1403997044, 2347757510, 1668702994, 1012534100]]> : tensor<3x5xui32>
  return
}

func.func @philox_3x2x5xui16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2x5xui16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 6]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[[51336, 60662, 53660, 52995, 57785], [45476, 903, 43175, 36310, 16741]], [[16231, 27641, 7937, 43764, 41829], [55180, 51834, 241, 64301, 16309]], [[10797, 61567, 1668, 32040, 35722], [36361, 22185, 55572, 63770, 31511]]]> : tensor<3x2x5xui16>
  return
}

func.func @philox_3x2x5xui16_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x2x5xui16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 6, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[[1003, 56854, 49700, 45365, 50742], [41285, 38552, 54245, 11809, 59990]], [[33476, 19316, 61382, 25362, 2900], [12644, 51404, 18097, 59122, 39600]], [[63518, 49934, 24728, 42572, 1072], [5110, 59494, 29982, 28838, 53257]]]> : tensor<3x2x5xui16>
  return
}

func.func @philox_7xui8_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui8>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[136, 246, 156, 3, 185, 164, 135]> : tensor<7xui8>
  return
}

func.func @philox_7xui8_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<7xui8>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[235, 22, 36, 53, 54, 69, 152]> : tensor<7xui8>
  return
}

func.func @philox_3xui64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[1828159040278153352, 17994359924973490588, 6094972990083031481]> : tensor<3xui64>
  return
}

func.func @philox_3xui64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[10914436409471271915, 12396352818280448548, 13246389725089023542]> : tensor<3xui64>
  return
}

func.func @philox_2x3xi64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xi64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[1828159040278153352, -452384148736061028, 6094972990083031481], [-3640974861648854137, -4517319998309823018, 4835295868225732455]]> : tensor<2x3xi64>
  return
}

func.func @philox_2x3xi64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3xi64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[-7532307664238279701, -6050391255429103068, -5200354348620528074], [8690209939311793816, -5511585335121269215, 6030121390821573316]]> : tensor<2x3xi64>
  return
}

func.func @philox_2x0xui32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x0xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<> : tensor<2x0xui32>
  return
}

func.func @philox_2x0xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x0xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<> : tensor<2x0xui32>
  return
}

func.func @philox_3xf32_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0x0CB2C888, 0x195EECF6, 0x7891D19C]> : tensor<3xf32>
  return
}

func.func @philox_3xf32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xf32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[0x562003EB, 0x9777DE16, 0xA404C224]> : tensor<3xf32>
  return
}

func.func @philox_2xf64_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xf64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0x195EECF60CB2C888, 0xF9B8CF037891D19C]> : tensor<2xf64>
  return
}

func.func @philox_2xf64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2xf64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[0x9777DE16562003EB, 0xAC08B135A404C224]> : tensor<2xf64>
  return
}

func.func @philox_3x3xbf16_2() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xbf16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[[0xC888, 0xECF6, 0xD19C], [0xCF03, 0xE1B9, 0xB1A4], [0x0387, 0xA8A7, 0x8DD6]]> : tensor<3x3xbf16>
  return
}

func.func @philox_3x3xbf16_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x3xbf16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[0x03EB, 0xDE16, 0xC224], [0xB135, 0xC636, 0xA145], [0x9698, 0xD3E5, 0x2E21]]> : tensor<3x3xbf16>
  return
}

func.func @default_ui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<1444938731> : tensor<ui32>
  return
}

func.func @default_ui64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<ui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<10914436409471271915> : tensor<ui64>
  return
}

func.func @default_4xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[1444938731, 2541215254, 2751775268, 2886250805]> : tensor<4xui32>
  return
}

func.func @default_5xi32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xi32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[1444938731, -1753752042, -1543192028, -1408716491, -934230474]> : tensor<5xi32>
  return
}

func.func @default_3x5xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 2, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[1444938731, 2541215254, 2751775268, 2886250805, 3360736822], [3084165445, 2822739608, 2023347173, 3738709537, 3011701334], [3160900292, 1403997044, 2347757510, 1668702994, 1012534100]]> : tensor<3x5xui32>
  return
}

func.func @default_7xui8_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<7xui8>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[235, 22, 36, 53, 54, 69, 152]> : tensor<7xui8>
  return
}

func.func @default_3xui64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 0, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[10914436409471271915, 12396352818280448548, 13246389725089023542]> : tensor<3xui64>
  return
}

func.func @default_2x3xi64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3xi64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[-7532307664238279701, -6050391255429103068, -5200354348620528074], [8690209939311793816, -5511585335121269215, 6030121390821573316]]> : tensor<2x3xi64>
  return
}

func.func @default_2x0xui32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x0xui32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<> : tensor<2x0xui32>
  return
}

func.func @default_3xf32_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xf32>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[0x562003EB, 0x9777DE16, 0xA404C224]> : tensor<3xf32>
  return
}

func.func @default_2xf64_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2xf64>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 18446744073709551615, 7]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[0x9777DE16562003EB, 0xAC08B135A404C224]> : tensor<2xf64>
  return
}

func.func @default_3x3xbf16_3() {
  %s = stablehlo.constant dense<[72623859790382856, 18446744073709551614, 7]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x3xbf16>)
  check.expect_eq_const %0#0, dense<[72623859790382856, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %0#1, dense<[[0x03EB, 0xDE16, 0xC224], [0xB135, 0xC636, 0xA145], [0x9698, 0xD3E5, 0x2E21]]> : tensor<3x3xbf16>
  return
}

func.func @rng_uniform_f32() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[-0.30452853, 2.0861862, -0.017244205], [2.8081229, 0.5858719, 2.0441377]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @rng_normal_f32() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[-4.437766, -5.676974, -0.6755258], [0.1323258, -4.1552143, -4.3001366]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @rng_uniform_f64() {
  %a = stablehlo.constant dense<0.0> : tensor<f64>
  %b = stablehlo.constant dense<1.0> : tensor<f64>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf64>
  check.expect_close_const %0, dense<[[0.17386786595968284, 0.771546556331567, 0.24568894884013137], [0.9520306913678265, 0.39646797562881353, 0.7610344216276269]]> : tensor<2x3xf64>, max_ulp_difference = 1
  return
}

func.func @rng_normal_f64() {
  %a = stablehlo.constant dense<0.0> : tensor<f64>
  %b = stablehlo.constant dense<1.0> : tensor<f64>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf64>
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf64>
  check.expect_close_const %0, dense<[[-1.1459220136058275, -1.558991217105635, 0.10815806473571521], [0.377441935140085, -1.0517380557789915, -1.1000455276699506]]> : tensor<2x3xf64>, max_ulp_difference = 1
  return
}

func.func @rng_uniform_bf16() {
  %a = stablehlo.constant dense<1.0> : tensor<bf16>
  %b = stablehlo.constant dense<2.0> : tensor<bf16>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<2x3xbf16>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<2x3xbf16>
  check.expect_close_const %0, dense<[[1.17, 1.77, 1.24], [1.95, 1.4, 1.76]]> : tensor<2x3xbf16>, max_ulp_difference = 1
  return
}

func.func @rng_normal_bf16() {
  %a = stablehlo.constant dense<1.0> : tensor<bf16>
  %b = stablehlo.constant dense<2.0> : tensor<bf16>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<2x3xbf16>
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<2x3xbf16>
  check.expect_close_const %0, dense<[[-1.29, -2.12, 1.22], [1.76, -1.1, -1.2]]> : tensor<2x3xbf16>, max_ulp_difference = 1
  return
}

func.func @rng_uniform_i32() {
  %a = stablehlo.constant dense<-5> : tensor<i32>
  %b = stablehlo.constant dense<9> : tensor<i32>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[-4, -3, -4], [7, 0, -1]]> : tensor<2x3xi32>
  return
}

func.func @rng_uniform_ui8() {
  %a = stablehlo.constant dense<3> : tensor<ui8>
  %b = stablehlo.constant dense<250> : tensor<ui8>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<2xi64>) -> tensor<2x3xui8>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<2xi64>) -> tensor<2x3xui8>
  check.expect_eq_const %0, dense<[[104, 102, 53], [29, 113, 34]]> : tensor<2x3xui8>
  return
}

func.func @rng_uniform_i64() {
  %a = stablehlo.constant dense<4> : tensor<i64>
  %b = stablehlo.constant dense<4> : tensor<i64>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<2xi64>) -> tensor<2x3xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<2xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %0, dense<[[4, 4, 4], [4, 4, 4]]> : tensor<2x3xi64>
  return
}

func.func @rng_uniform_i1() {
  %a = stablehlo.constant dense<false> : tensor<i1>
  %b = stablehlo.constant dense<true> : tensor<i1>
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %first = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<2xi64>) -> tensor<2x3xi1>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<2xi64>) -> tensor<2x3xi1>
  check.expect_eq_const %0, dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}
