// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM's allocators poison what they have not handed out. Ours do so, those
// inside the packaged libMLIR.so, built without the sanitizer, never undo it,
// and both work on the same memory: without this every attribute is a false
// alarm.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
