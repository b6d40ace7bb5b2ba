"func.func"() <{function_type = () -> (), sym_name = ""}> ({
  "func.return"() : () -> ()
}) : () -> ()
