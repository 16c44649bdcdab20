# SPDX-License-Identifier: Apache-2.0
# Installs Lathe from BUILD into a folder below WORK, moves that folder, builds the projects of
# users against it, runs them and compares what they print.
#   cmake -D BUILD=... -D SOURCE=... -D WORK=... -P check.cmake

function(run_or_fail)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${out}")
  endif()
endfunction()

function(build_outside folder name)
  run_or_fail(${CMAKE_COMMAND} -S ${folder} -B ${WORK}/${name} -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${WORK}/lathe ${ARGN})
  run_or_fail(${CMAKE_COMMAND} --build ${WORK}/${name})
endfunction()

function(expect program wanted)
  execute_process(COMMAND ${program} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0 OR NOT out STREQUAL wanted)
    message(FATAL_ERROR "${program} ended with ${status} and printed\n${out}${err}instead of\n${wanted}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run_or_fail(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first --component development)
file(RENAME ${WORK}/first ${WORK}/lathe)  # an installed tree may be moved

build_outside(${SOURCE}/tests/api/package c)
expect(${WORK}/c/outside "0.5 1 1.5 2\noutput 'v' is missing\n")

build_outside(${SOURCE}/examples/cpp cpp -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Debug
  "-D CMAKE_CXX_FLAGS=-Wall -Wextra -Wconversion -Werror")
expect(${WORK}/cpp/plate "after 1000 steps: 46.577121 in the middle, 2.083135 near a corner\n")
expect(${WORK}/cpp/bright_pixels [=[
bright pixels: (0, 3) (0, 4) (1, 4) (1, 5) (2, 5) (3, 0)
error: input 'pixel' is declared over [0..h, 0..w] = [0..5, 0..6], but the array given covers [0..4, 0..6]
  --> bright.lathe:2:9
   |
 2 |   input pixel: u8[y: h, x: w]
   |         ^^^^^
  help: give an array of that range, or other sizes
]=])
