list(APPEND weft_sources
  compiler/text/print_literal.cpp
  compiler/text/printer.cpp
)
