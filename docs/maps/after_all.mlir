func.func @after_all(%a: !stablehlo.token, %b: !stablehlo.token) -> !stablehlo.token {
  %both = stablehlo.after_all %a, %b : !stablehlo.token
  return %both : !stablehlo.token
}
