# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DFOLDER=mercator/explorer -DRULES=Rules.def -DOUTPUT=PageText.cpp
#   -P JoinPage.cmake
#
# Joins the files of the explorer into one page, and writes it as C++: functions that
# return the parts before and after the data. Modules are joined in the order of
# `modules.txt`. In one script they need no `import`, and no `export`: each of these is
# one line of a module, and names are unique among all modules. The names and conditions
# of the simplifier's rules come from RULES, the table of the library.

file(STRINGS ${FOLDER}/modules.txt modules REGEX "^[a-z]")
set(script "")
foreach(module ${modules})
  file(READ ${FOLDER}/${module} text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "// ${module}\n${text}\n")
endforeach()
file(STRINGS ${RULES} lines REGEX "^RULE\\(")
set(rules "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^RULE\\(([A-Za-z]+), (.*)\\)$" "[\"\\1\", \\2],\n" rule "${line}")
  string(APPEND rules "${rule}")
endforeach()
string(REPLACE "/*RULES*/" "${rules}" script "${script}")
file(READ ${FOLDER}/style.css style)
file(READ ${FOLDER}/index.html page)
string(REPLACE "/*STYLE*/" "${style}" page "${page}")
string(REPLACE "/*SCRIPT*/" "${script}" page "${page}")
string(FIND "${page}" "/*DATA*/" middle)
if(middle EQUAL -1)
  message(FATAL_ERROR "expected /*DATA*/ in ${FOLDER}/index.html")
endif()
string(SUBSTRING "${page}" 0 ${middle} before)
math(EXPR middle "${middle} + 8")
string(SUBSTRING "${page}" ${middle} -1 after)
file(WRITE ${OUTPUT} "// Made by cmake/JoinPage.cmake.
#include \"mercator/compiler/explore/Page.h\"

llvm::StringRef mercator::pageBeforeData() {
  static constexpr char text[] = R\"-----(${before})-----\";
  return {text, sizeof(text) - 1};
}

llvm::StringRef mercator::pageAfterData() {
  static constexpr char text[] = R\"-----(${after})-----\";
  return {text, sizeof(text) - 1};
}
")
