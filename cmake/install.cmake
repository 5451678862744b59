# Installation: libraries, public headers, find_package(weft CONFIG) and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The library of LLVM is found beside libweft, wherever both are.
set_target_properties(weft PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(TARGET weft_llvm)
  set_target_properties(weft_llvm PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS weft_llvm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS weft EXPORT weft_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET weft_tool)
  file(RELATIVE_PATH weft_libraries_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(weft_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${weft_libraries_from_bin}")
  install(TARGETS weft_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY runtime/include/ frontend/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT weft_targets NAMESPACE weft:: FILE weft-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

configure_package_config_file(cmake/weft-config.cmake.in ${CMAKE_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/weft-config.cmake ${CMAKE_BINARY_DIR}/weft-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

configure_file(cmake/weft.pc.in ${CMAKE_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
