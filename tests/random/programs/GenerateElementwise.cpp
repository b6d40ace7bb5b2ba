// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

namespace mercator::testing {

namespace {
/// An elementwise function: its operand types and its result type.
struct Function {
  std::vector<std::string> operands;
  std::string result, attributes;
};

const std::map<std::string, Function> &functions() {
  static const auto all = [] {
    std::map<std::string, Function> list;
    auto add = [&](const char *dialect, std::vector<const char *> names,
                   const Function &function) {
      for (const char *name : names)
        list[std::string(dialect) + "." + name] = function;
    };
    const std::string f = "f32", i = "i32", p = "i1", c = "complex<f32>";
    add("stablehlo",
        {"abs", "cbrt", "ceil", "cosine", "exponential",
         "exponential_minus_one", "floor", "log", "log_plus_one", "logistic",
         "negate", "round_nearest_afz", "round_nearest_even", "rsqrt", "sign",
         "sine", "sqrt", "tan", "tanh"},
        {{f}, f, ""});
    add("stablehlo", {"convert"}, {{f}, i, ""});
    add("stablehlo", {"count_leading_zeros", "not", "popcnt"}, {{i}, i, ""});
    add("stablehlo", {"real", "imag"}, {{c}, f, ""});
    add("stablehlo", {"is_finite"}, {{f}, p, ""});
    add("stablehlo", {"uniform_quantize"},
        {{f}, "!quant.uniform<i8:f32, 5.0e-1>", ""});
    add("stablehlo", {"uniform_dequantize"},
        {{"!quant.uniform<i8:f32, 5.0e-1>"}, f, ""});
    add("stablehlo", {"reduce_precision"},
        {{f}, f, "exponent_bits = 5 : i32, mantissa_bits = 10 : i32"});
    add("stablehlo",
        {"add", "atan2", "divide", "maximum", "minimum", "multiply", "power",
         "remainder", "subtract"},
        {{f, f}, f, ""});
    add("stablehlo",
        {"and", "or", "xor", "shift_left", "shift_right_arithmetic",
         "shift_right_logical"},
        {{i, i}, i, ""});
    add("stablehlo", {"complex"}, {{f, f}, c, ""});
    add("stablehlo", {"compare"},
        {{f, f},
         p,
         "comparison_direction = #stablehlo<comparison_direction LT>"});
    add("stablehlo", {"select"}, {{p, f, f}, f, ""});
    add("stablehlo", {"clamp"}, {{f, f, f}, f, ""});
    add("chlo",
        {"acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e",
         "conj", "cosh", "digamma", "erf", "erf_inv", "erfc", "lgamma", "sinh",
         "square", "tan"},
        {{f}, f, ""});
    list["chlo.conj"] = {{c}, c, ""};
    add("chlo", {"is_inf", "is_neg_inf", "is_pos_inf"}, {{f}, p, ""});
    add("chlo", {"_asin_acos_kernel"}, {{c}, c, ""});
    add("chlo", {"next_after", "polygamma", "zeta"}, {{f, f}, f, ""});
    add("chlo", {"mulhi"}, {{i, i}, i, ""});
    add("chlo",
        {"broadcast_add", "broadcast_atan2", "broadcast_divide",
         "broadcast_maximum", "broadcast_minimum", "broadcast_multiply",
         "broadcast_next_after", "broadcast_polygamma", "broadcast_power",
         "broadcast_remainder", "broadcast_subtract", "broadcast_zeta"},
        {{f, f}, f, ""});
    add("chlo",
        {"broadcast_and", "broadcast_or", "broadcast_xor",
         "broadcast_shift_left", "broadcast_shift_right_arithmetic",
         "broadcast_shift_right_logical"},
        {{i, i}, i, ""});
    add("chlo", {"broadcast_complex"}, {{f, f}, c, ""});
    add("chlo", {"broadcast_compare"},
        {{f, f}, p, "comparison_direction = #chlo<comparison_direction LT>"});
    add("chlo", {"broadcast_select"}, {{p, f, f}, f, ""});
    return list;
  }();
  return all;
}

/// Operands of several ranks, whose extents of 1 are broadcast.
bool broadcasting(Generator &g, const std::string &name,
                  const Function &function) {
  Numbers shape = g.shape();
  std::string attributes = function.attributes;
  std::vector<int> operands;
  Numbers dims;
  size_t lower = g.in(0, 2); // the operand that may have fewer dimensions
  Numbers result(shape.size(), 1);
  for (size_t k = 0; k < function.operands.size(); ++k) {
    Numbers own;
    bool isLower = k == lower && function.operands.size() == 2;
    if (isLower)
      dims = g.subset(int64_t(shape.size()), g.in(0, int64_t(shape.size())));
    for (size_t d = 0; d < shape.size(); ++d) {
      bool isKept = !isLower;
      for (int64_t dim : dims)
        isKept |= isLower && dim == int64_t(d);
      if (!isKept)
        continue;
      int64_t extent = g.once(4) ? 1 : shape[d];
      own.push_back(extent);
      if (extent != 1)
        result[d] = extent;
    }
    operands.push_back(g.value({own, function.operands[k]}));
  }
  if (lower < 2 && function.operands.size() == 2)
    attributes += (attributes.empty() ? "" : ", ") +
                  ("broadcast_dimensions = " + array(dims));
  g.emit(name, operands, attributes, {{result, function.result}});
  return true;
}
} // namespace

bool elementwise(Generator &g, const std::string &name) {
  const Function &function = functions().at(name);
  if (name.find(".broadcast_") != std::string::npos)
    return broadcasting(g, name, function);
  int first = g.any(function.operands.back());
  Numbers shape = g.shapeOf(first);
  bool isClamp = name == "stablehlo.clamp";
  std::vector<int> operands;
  size_t main = isClamp ? 1 : function.operands.size() - 1;
  for (size_t k = 0; k < function.operands.size(); ++k) {
    // Every element reads a scalar operand.
    bool mayBeScalar = isClamp || (name == "stablehlo.select" && k == 0);
    bool isScalar = mayBeScalar && g.once(2);
    operands.push_back(k == main ? first
                                 : g.value({isScalar ? Numbers() : shape,
                                            function.operands[k]}));
  }
  g.emit(name, operands, function.attributes, {{shape, function.result}});
  return true;
}

const std::vector<std::string> &elementwiseNames() {
  static const auto all = [] {
    std::vector<std::string> names;
    for (const auto &[name, function] : functions())
      names.push_back(name);
    return names;
  }();
  return all;
}

} // namespace mercator::testing
