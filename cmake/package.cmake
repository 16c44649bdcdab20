# SPDX-License-Identifier: Apache-2.0
# The library that others use: liblathe, headers, and a package for find_package(lathe).
# Static by default; -DBUILD_SHARED_LIBS=ON installs liblathe.so, which shows the C ABI alone. Each
# build makes a liblathe.so in any case: for tests that load it from Python.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# All folders but the command's own.
get_property(folders GLOBAL PROPERTY LATHE_FOLDERS)
list(REMOVE_ITEM folders lathe_cli lathe_io)
list(TRANSFORM folders REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(liblathe ${folders})
set_target_properties(liblathe PROPERTIES
  LINKER_LANGUAGE CXX OUTPUT_NAME lathe EXPORT_NAME lathe PREFIX lib
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(liblathe INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(liblathe INTERFACE cxx_std_20)  # lathe.h; c.h is plain C
# Named one by one: what is linked here is what an installed static library asks for. A program in
# C alone does not know the library of C++.
find_package(Threads REQUIRED)
target_link_libraries(liblathe PRIVATE $<BUILD_INTERFACE:lathe_flags>
  isl gmp Threads::Threads ${CMAKE_DL_LIBS} stdc++ m)
function(lathe_show_c_abi_alone target)
  target_link_options(${target} PRIVATE
    -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/liblathe.map)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/liblathe.map)
endfunction()
if(BUILD_SHARED_LIBS)
  lathe_show_c_abi_alone(liblathe)
  add_library(liblathe_loadable ALIAS liblathe)
else()
  add_library(liblathe_loadable SHARED ${folders})
  set_target_properties(liblathe_loadable PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME lathe PREFIX lib)
  target_link_libraries(liblathe_loadable PRIVATE lathe_flags
    isl gmp Threads::Threads ${CMAKE_DL_LIBS} stdc++ m)
  lathe_show_c_abi_alone(liblathe_loadable)
endif()
add_library(lathe::lathe ALIAS liblathe)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lathe)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/lathe-config.cmake.in
  ${CMAKE_BINARY_DIR}/lathe-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lathe-config-version.cmake
  COMPATIBILITY SameMinorVersion)

install(TARGETS lathe RUNTIME COMPONENT command)
install(TARGETS liblathe EXPORT lathe
  LIBRARY COMPONENT development ARCHIVE COMPONENT development)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/lathe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development)
install(EXPORT lathe NAMESPACE lathe:: FILE lathe-targets.cmake DESTINATION ${package_dir}
  COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/lathe-config.cmake ${CMAKE_BINARY_DIR}/lathe-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)
