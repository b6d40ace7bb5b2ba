# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Compile flags shared by every target, and the two helpers the rooms use.

add_compile_options(-fno-exceptions -fno-rtti -Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Lets ccache reuse objects built with a precompiled header.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  add_link_options(-fuse-ld=lld)
endif()
if(MERCATOR_SANITIZE)
  add_compile_options(-fsanitize=${MERCATOR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # The vptr check needs RTTI, which this project builds without. A null pointer ends
  # the program anyway; both checks of it cost a tenth of the compile time.
  if(MERCATOR_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=vptr,null,object-size)
  endif()
  add_link_options(-fsanitize=${MERCATOR_SANITIZE})
  if(MERCATOR_SANITIZE MATCHES "address")
    add_library(mercator_sanitizer_defaults OBJECT ${CMAKE_CURRENT_LIST_DIR}/SanitizerDefaults.cpp)
    link_libraries($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:mercator_sanitizer_defaults>>)
  endif()
endif()
if(MERCATOR_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Checkouts share what they compile alike: ccache sees paths below the root as relative
# ones, and cmake/compile keeps precompiled headers out, which hold absolute paths. ccache
# learns what a unit includes from the compiler (DEPEND), and does not preprocess it first.
find_program(MERCATOR_CCACHE ccache)
if(MERCATOR_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${PROJECT_SOURCE_DIR}/cmake/compile)
endif()

# mercator_unity(TARGET): compiles the files of each folder in batches of up to sixteen,
# since each unit compiles anew what its files share. A file-local name must then be unique
# in its folder; a file with the property SKIP_UNITY_BUILD_INCLUSION is compiled apart.
# After an edit a batch takes longer than one file: MERCATOR_UNITY=OFF. CMake's own batches
# name their files by absolute paths, which ccache cannot share between checkouts.
function(mercator_unity target)
  if(MERCATOR_UNITY)
    # At the end of the room's CMakeLists.txt, where the properties are known.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL mercator_make_batches ${target})")
  endif()
endfunction()

function(mercator_make_batches target)
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source ${sources})
    get_source_file_property(is_apart ${source} SKIP_UNITY_BUILD_INCLUSION)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    if(is_apart OR name MATCHES "^\\.\\.|^build" OR NOT name MATCHES "[.]cpp$")
      continue()
    endif()
    get_filename_component(folder ${name} DIRECTORY)
    string(MAKE_C_IDENTIFIER ${folder} folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${name})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(LENGTH files_${folder} count)
    if(count EQUAL 1)
      continue()
    endif()
    math(EXPR batches "(${count} + 15) / 16")
    math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
    set(first 0)
    set(index 0)
    while(first LESS count)
      list(SUBLIST files_${folder} ${first} ${size} names)
      list(TRANSFORM names PREPEND "#include \"" OUTPUT_VARIABLE lines)
      list(TRANSFORM lines APPEND "\"\n")
      string(JOIN "" lines ${lines})
      set(batch ${CMAKE_CURRENT_BINARY_DIR}/batches/${folder}_${index}.cpp)
      file(CONFIGURE OUTPUT ${batch} CONTENT "${lines}")
      target_sources(${target} PRIVATE ${batch})
      list(TRANSFORM names PREPEND ${PROJECT_SOURCE_DIR}/)
      set_source_files_properties(${names} PROPERTIES HEADER_FILE_ONLY ON)
      math(EXPR first "${first} + ${size}")
      math(EXPR index "${index} + 1")
    endwhile()
  endforeach()
endfunction()

# mercator_room(NAME LINKS...): the library mercator_NAME from every .cpp of the
# folder (and the folders below it), linked publicly to LINKS.
function(mercator_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(mercator_${name} STATIC ${sources})
    target_link_libraries(mercator_${name} PUBLIC ${ARGN})
    mercator_unity(mercator_${name})
  else()
    add_library(mercator_${name} INTERFACE)
    target_link_libraries(mercator_${name} INTERFACE ${ARGN})
  endif()
endfunction()

# mercator_link_archives(TARGET ROOM...): links TARGET to the rooms, and to the archives of
# LLVM and MLIR in place of the shared libraries that the rooms name. TARGET then contains
# what it uses of them. A command starts in 6 ms instead of 26: to relocate two libraries of
# 107 and 150 MB takes the rest.
function(mercator_link_archives target)
  set_property(GLOBAL PROPERTY MERCATOR_ROOMS "")
  set_property(GLOBAL PROPERTY MERCATOR_OTHERS "")
  foreach(room ${ARGN})
    mercator_collect_links(${room})
  endforeach()
  get_property(rooms GLOBAL PROPERTY MERCATOR_ROOMS)
  get_property(others GLOBAL PROPERTY MERCATOR_OTHERS)
  list(REMOVE_DUPLICATES others)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  add_dependencies(${target} ${rooms})
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  target_link_libraries(${target} PRIVATE ${rooms} ${others} ${archives} zstd)
  target_link_options(${target} PRIVATE -Wl,--gc-sections -Wl,-z,pack-relative-relocs)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${rooms})
endfunction()

# Appends `room` and the rooms that it links to MERCATOR_ROOMS, other libraries to
# MERCATOR_OTHERS, and leaves out the shared libraries of LLVM and MLIR.
function(mercator_collect_links room)
  get_property(rooms GLOBAL PROPERTY MERCATOR_ROOMS)
  if(room IN_LIST rooms)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY MERCATOR_ROOMS ${room})
  get_target_property(links ${room} INTERFACE_LINK_LIBRARIES)
  foreach(link ${links})
    if(link MATCHES "^(MLIR|LLVM)$")
      continue()
    elseif(NOT TARGET ${link} OR link MATCHES "::")
      set_property(GLOBAL APPEND PROPERTY MERCATOR_OTHERS ${link})
    else()
      mercator_collect_links(${link})
    endif()
  endforeach()
endfunction()

# mercator_command(NAME ROOM...): the program bin/NAME from main.cpp. Only the sanitizers
# need the shared libraries of LLVM, whose inline functions are then their own.
function(mercator_command name)
  add_executable(${name} main.cpp)
  if(MERCATOR_SANITIZE)
    target_link_libraries(${name} PRIVATE ${ARGN})
  else()
    target_include_directories(${name} PRIVATE ${PROJECT_BINARY_DIR})
    mercator_link_archives(${name} ${ARGN})
  endif()
endfunction()

# mercator_gtest(NAME LINKS... [OPTIMIZED] [SHARDS N] [FOLDERS FOLDER...]): one GoogleTest
# program, bin/NAME, from every *Test.cpp of the folder, or of the given folders in
# it, and below. ctest runs it whole, or in N parts at the same time. OPTIMIZED is for
# tests that enumerate in their own code. Each run leaves its own count of cases in
# reports/TEST-NAME.xml for scripts/test.
function(mercator_gtest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMIZED" "SHARDS" "FOLDERS")
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*Test.cpp)
  if(arg_FOLDERS)
    list(TRANSFORM arg_FOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*Test.cpp" OUTPUT_VARIABLE patterns)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  mercator_unity(${name})
  # A test runs once for each time that it is compiled, and most of what it runs is
  # in the libraries.
  set(headers test-headers-optimized)
  if(NOT arg_OPTIMIZED)
    set(headers test-headers)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  target_link_libraries(${name} PRIVATE ${arg_UNPARSED_ARGUMENTS} test-folders GTest::gtest GTest::gtest_main)
  if(arg_UNPARSED_ARGUMENTS MATCHES "dialects|frontends|analysis|reference|provenance|meaning|transforms|targets|compiler|driver")
    target_precompile_headers(${name} REUSE_FROM ${headers})
  endif()
  set(run ${name} --gtest_brief=1 --gtest_output=xml:${PROJECT_BINARY_DIR}/reports)
  if(NOT arg_SHARDS)
    add_test(NAME ${name} COMMAND ${run}/${name}.xml)
    return()
  endif()
  foreach(shard RANGE 1 ${arg_SHARDS})
    math(EXPR index "${shard} - 1")
    set(test ${name}-${shard}-of-${arg_SHARDS})
    add_test(NAME ${test} COMMAND ${run}/${test}.xml)
    # COST: long ones begin first.
    set_tests_properties(${test} PROPERTIES COST 10
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# mercator_fuzzer(NAME SOURCE CORPUS LINKS...): a fuzz target, the program
# bin/NAME from SOURCE, which defines LLVMFuzzerTestOneInput, and a test that
# runs the inputs in the folder CORPUS once. With MERCATOR_FUZZERS it is a
# libFuzzer program, which `make fuzz` starts from CORPUS (and from CORPUS.dict, a
# dictionary, if there is one).
function(mercator_fuzzer name source corpus)
  get_filename_component(corpus ${corpus} ABSOLUTE)
  if(MERCATOR_FUZZERS)
    add_executable(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${name} COMMAND ${name} -runs=0 ${corpus})
    file(APPEND ${PROJECT_BINARY_DIR}/fuzzers.txt "${name} ${corpus}\n")
  else()
    add_executable(${name} ${source} ${PROJECT_SOURCE_DIR}/tests/CorpusMain.cpp)
    target_link_libraries(${name} PRIVATE mercator_support)
    add_test(NAME ${name} COMMAND ${name} ${corpus})
  endif()
  target_link_libraries(${name} PRIVATE ${ARGN})
endfunction()
file(WRITE ${PROJECT_BINARY_DIR}/fuzzers.txt "")

# Headers made by TableGen; `make lint` builds them before it reads the sources.
# A room adds its own: add_dependencies(generated-headers ITS-TARGET).
add_custom_target(generated-headers)
