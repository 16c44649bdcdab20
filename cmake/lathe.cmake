# SPDX-License-Identifier: Apache-2.0
# Flags that every target shares, and the two functions that folders use: lathe_folder and lathe_test.

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers are cached only where ccache need not look for macros in them. It keeps to the dates of headers
  # (no include_file_mtime): one that is edited while a compiler reads it must not be remembered with its new contents.
  # Paths below the source folder are looked up as relative ones: every worktree shares one cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

find_program(LLD ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld)
endif()

# Plans of calls are kept for later processes of the same build; this is how it knows itself.
add_link_options(-Wl,--build-id=sha1)

# g++ spends a tenth of its time on collecting its garbage; a gigabyte each is there.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=1000000")
endif()

add_library(lathe_flags INTERFACE)
# No contraction: `a*b+c` rounds twice unless the program says fma. This is meaning, not tuning.
target_compile_options(lathe_flags INTERFACE
  -Wall -Wextra -Wconversion -Werror -ffp-contract=off -fno-fast-math)
# From -O2 on, g++ 12 sees overruns in concatenations of std::string that are not there (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(lathe_flags INTERFACE
    -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
target_include_directories(lathe_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(LATHE_SANITIZE)
  target_compile_options(lathe_flags INTERFACE
    -fsanitize=${LATHE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lathe_flags INTERFACE -fsanitize=${LATHE_SANITIZE})
endif()
if(LATHE_FUZZ)
  target_compile_options(lathe_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Precompiled headers are made once and shared: every target with the same flags reuses them.
file(CONFIGURE OUTPUT empty.cpp CONTENT "// Holds nothing: a precompiled header needs an owner.\n")
foreach(owner lathe_std lathe_std_light)
  add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/empty.cpp)
  target_link_libraries(${owner} PUBLIC lathe_flags)
  set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(${owner} PRIVATE
    <algorithm> <array> <cmath> <cstdint> <cstring> <map> <memory> <optional> <span> <string>
    <string_view> <unordered_map> <utility> <variant> <vector>)
endforeach()
# What compiles a program runs once for each: quick to build matters more. (g++'s -O0 takes longer.)
set(LATHE_LIGHT_OPTIONS $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:RelWithDebInfo>>:-Og>)
target_compile_options(lathe_std_light PRIVATE ${LATHE_LIGHT_OPTIONS})

# With LATHE_UNITY several files are compiled at a time, which takes half as long; without, each file
# shows that it includes what it needs.
option(LATHE_UNITY "Compile several files of a folder at a time" OFF)

# lathe_unity(TARGET FILES [APART regex] [TOGETHER regex...] [BATCH n]), for LATHE_UNITY. Files are
# named by regular expressions.
# APART: on their own, because others of the folder have their private names, too.
# TOGETHER: each a batch, for files that share a slow header or a `using namespace`.
# BATCH: of the others, so many files at a time, at most. Fewer and larger units take less time together
# (g++ makes each template once: 34 s for schedule in three, 27 s in one) and longer after a change.
function(lathe_unity target files)
  cmake_parse_arguments(arg "" "APART;BATCH" "TOGETHER" ${ARGN})
  if(NOT LATHE_UNITY)
    return()
  endif()
  if(NOT arg_BATCH)
    set(arg_BATCH 64)
  endif()
  if(arg_APART)
    list(FILTER files EXCLUDE REGEX "/(${arg_APART})[.]cpp$")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(group 0)
  foreach(regex IN LISTS arg_TOGETHER)
    set(these ${files})
    list(FILTER these INCLUDE REGEX "/(${regex})[.]cpp$")
    list(REMOVE_ITEM files ${these})
    set_source_files_properties(${these} PROPERTIES UNITY_GROUP together_${group})
    math(EXPR group "${group} + 1")
  endforeach()
  list(LENGTH files count)
  math(EXPR batches "(${count} + ${arg_BATCH} - 1) / ${arg_BATCH}")
  set(at 0)
  foreach(file IN LISTS files)
    math(EXPR group "${at} * ${batches} / ${count}")  # batches of about the same size
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP batch_${group})
    math(EXPR at "${at} + 1")
  endforeach()
endfunction()

# lathe_folder(base [LIGHT] [MATCH regex] ...): the object library lathe_base from every .cpp of this
# folder (not below it), or those whose names match; with LIGHT optimised lightly; what else is given
# goes to lathe_unity.
function(lathe_folder name)
  cmake_parse_arguments(arg "LIGHT" "MATCH" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(arg_MATCH)
    list(FILTER sources INCLUDE REGEX "/(${arg_MATCH})[.]cpp$")
  endif()
  if(NOT sources)
    return()  # headers alone
  endif()
  add_library(lathe_${name} OBJECT ${sources})
  lathe_unity(lathe_${name} "${sources}" ${arg_UNPARSED_ARGUMENTS})
  # Compiled once, for programs and for liblathe.so, which is what Python loads.
  set_target_properties(lathe_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(lathe_${name} PUBLIC lathe_flags)
  if(arg_LIGHT)
    target_compile_options(lathe_${name} PRIVATE ${LATHE_LIGHT_OPTIONS})
    target_precompile_headers(lathe_${name} REUSE_FROM lathe_std_light)
  else()
    target_precompile_headers(lathe_${name} REUSE_FROM lathe_std)
  endif()
  set_property(GLOBAL APPEND PROPERTY LATHE_FOLDERS lathe_${name})
endfunction()
