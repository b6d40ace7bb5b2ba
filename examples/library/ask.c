// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Asks a question of the command line about a program.

#include "mercator/c/mercator.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  const char *text = "HloModule m\n"
                     "ENTRY e {\n"
                     "  x = f32[4,8] parameter(0)\n"
                     "  ROOT t = f32[8,4] transpose(x), dimensions={1,0}\n"
                     "}\n";
  mercator_compilation *program = NULL;
  mercator_text *messages = NULL, *answer = NULL;
  if (mercator_load("t.hlo", text, strlen(text), &program, &messages) !=
      MERCATOR_DONE) {
    fputs(mercator_text_data(messages), stderr);
    mercator_free_text(messages);
    return 1;
  }
  const char *words[] = {"map", "--instruction=t"};
  if (mercator_ask(program, words, 2, &answer, NULL) == MERCATOR_DONE)
    fputs(mercator_text_data(answer), stdout);
  mercator_free_text(answer);
  mercator_free_compilation(program);
  return 0;
}

// prints
//   e: from each result to the operands
//     t = transpose  t.hlo:4  d0 in 0..7, d1 in 0..3
//       x  exact  (d0, d1) -> (d1, d0)
