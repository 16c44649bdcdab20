# SPDX-License-Identifier: Apache-2.0
# Flags that every target shares, and the two functions that folders use: lathe_folder and lathe_test.

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers are found in the cache only if ccache may trust their contents over dates.
  # Paths below the source folder are looked up as relative ones: every worktree shares one cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
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
add_library(lathe_std OBJECT ${CMAKE_BINARY_DIR}/empty.cpp)
target_link_libraries(lathe_std PUBLIC lathe_flags)
set_target_properties(lathe_std PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_precompile_headers(lathe_std PRIVATE
  <algorithm> <array> <cmath> <cstdint> <cstring> <map> <memory> <optional> <span> <string>
  <string_view> <unordered_map> <utility> <variant> <vector>)

# lathe_folder(base): the object library lathe_base from every .cpp of this folder (not below it).
# APART: files, by a regular expression, whose private names others of the folder have too. With
# LATHE_UNITY the rest is compiled six files at a time, which takes half as long; without, each file
# shows that it includes what it needs.
option(LATHE_UNITY "Compile the files of src/ several at a time" OFF)
function(lathe_folder name)
  cmake_parse_arguments(arg "" "APART" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()  # headers alone
  endif()
  add_library(lathe_${name} OBJECT ${sources})
  # Compiled once, for programs and for liblathe.so, which is what Python loads.
  set_target_properties(lathe_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(LATHE_UNITY)
    set_target_properties(lathe_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    if(arg_APART)
      set(apart ${sources})
      list(FILTER apart INCLUDE REGEX "/(${arg_APART})[.]cpp$")
      set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endif()
  target_link_libraries(lathe_${name} PUBLIC lathe_flags)
  target_precompile_headers(lathe_${name} REUSE_FROM lathe_std)
  set_property(GLOBAL APPEND PROPERTY LATHE_FOLDERS lathe_${name})
endfunction()
