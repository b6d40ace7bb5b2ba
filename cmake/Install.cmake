# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What `cmake --install` writes, in three components:
#
#   tools  the commands, man pages, completion, the C interface, devices
#   dev    the headers of C++, a library for each room, MercatorConfig.cmake
#   mpi    what carries data between processes, if MPI was found
#
# `make package` makes a Debian package of the first. docs/library.md shows how another
# project uses the second: the room `indexing` is Mercator::indexing there.

include(CMakePackageConfigHelpers)
set(package lib/cmake/Mercator)

# The rooms, and the messages of the formats that `targets` needs.
set(rooms support indexing runtime runtime_calls dialects frontends analysis reference transforms targets compiler)
list(TRANSFORM rooms PREPEND mercator_ OUTPUT_VARIABLE libraries)
list(APPEND libraries ascend_schemas)
foreach(library ${libraries})
  string(REPLACE mercator_ "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:include>)
  # Headers of the rooms and of MLIR are C++20, and have no exceptions and no RTTI.
  target_compile_features(${library} INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
  target_compile_options(${library} INTERFACE $<INSTALL_INTERFACE:-fno-rtti>)
endforeach()
install(TARGETS ${libraries} EXPORT Mercator ARCHIVE DESTINATION lib COMPONENT dev)
set_target_properties(mercator_shared PROPERTIES EXPORT_NAME c INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS mercator_shared EXPORT Mercator LIBRARY DESTINATION lib COMPONENT tools INCLUDES DESTINATION include)
install(EXPORT Mercator NAMESPACE Mercator:: DESTINATION ${package} COMPONENT dev)
foreach(folder ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  install(DIRECTORY ${folder}/mercator DESTINATION include COMPONENT dev
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
    PATTERN CMakeFiles EXCLUDE PATTERN batches EXCLUDE PATTERN cmake_pch.hxx EXCLUDE)
endforeach()
configure_package_config_file(cmake/MercatorConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/MercatorConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/MercatorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/MercatorConfig.cmake ${PROJECT_BINARY_DIR}/cmake/MercatorConfigVersion.cmake
  DESTINATION ${package} COMPONENT dev)

set(commands mercator mercator-opt)
if(TARGET mercator-lsp-server)
  list(APPEND commands mercator-lsp-server)
endif()
install(TARGETS ${commands} RUNTIME DESTINATION bin COMPONENT tools)
# Not in the package, which would depend on MPI.
if(TARGET mercator_mpi)
  install(TARGETS mercator_mpi LIBRARY DESTINATION lib COMPONENT mpi)
endif()
# Compiled programs are linked with it.
install(TARGETS mercator_runtime_calls ARCHIVE DESTINATION lib COMPONENT tools)
install(FILES mercator/c/mercator.h DESTINATION include/mercator/c COMPONENT tools)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/mercator COMPONENT tools)
# The man pages and the completion are what the command itself prints.
install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/man-pages ${PROJECT_BINARY_DIR}/bin/mercator
  \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share COMMAND_ERROR_IS_FATAL ANY)" COMPONENT tools)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mercator)
set(CPACK_PACKAGE_CONTACT "The Mercator authors <mercator@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "which input elements each output element of a tensor program reads")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/dist)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tools)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME mercator)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TOOLS_FILE_NAME mercator_${PROJECT_VERSION}_amd64.deb)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# `compile` to a shared library runs the linker.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS lld)
set(CPACK_STRIP_FILES ON)
include(CPack)
