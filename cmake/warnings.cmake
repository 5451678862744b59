# Flags that every target of the project shares: warnings, sanitizers.
add_library(weft_warnings INTERFACE)
target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wswitch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC bug 105651: a false alarm about concatenation of strings.
  target_compile_options(weft_warnings INTERFACE -Wno-restrict)
  if(WEFT_SANITIZE)
    # With sanitizers GCC takes parts of <functional> and <regex> for uninitialised.
    target_compile_options(weft_warnings INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(WEFT_WERROR)
  target_compile_options(weft_warnings INTERFACE -Werror)
endif()
if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()
# Floating-point results must be those that the source says.
add_compile_options(-ffp-contract=off)
