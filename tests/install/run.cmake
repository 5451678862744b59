# The steps of the install test; stops at the first that fails.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

file(GLOB_RECURSE headers ${prefix}/include/*)
foreach(header ${headers})
  file(STRINGS ${header} forbidden REGEX "#include *[<\"](llvm|cblas|lapack)")
  if(forbidden)
    message(FATAL_ERROR "${header} includes ${forbidden}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
# The command finds the libraries, and they find each other, where they are now.
run(${prefix}/bin/weft run ${CONSUMER}/../../tools/programs/functions.mlir --entry outer)

# The .pc file names the prefix of configure time; what was installed elsewhere is told by define-prefix.
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
execute_process(COMMAND pkg-config --define-variable=prefix=${prefix} --cflags --libs weft
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "pkg-config does not find weft")
endif()
separate_arguments(flags)
run(${CXX} -std=c++20 ${CONSUMER}/main.cpp ${flags} -Wl,-rpath,${prefix}/${LIBDIR} -o ${WORK}/by_pkg_config)
run(${WORK}/by_pkg_config)
