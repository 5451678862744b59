list(APPEND weft_sources
  compiler/text/source_text.cpp
  compiler/text/lexer.cpp
  compiler/text/reader.cpp
  compiler/text/round_decimal.cpp
  compiler/text/parse_literal.cpp
  compiler/text/print_literal.cpp
  compiler/text/attribute_value.cpp
  compiler/text/attributes.cpp
  compiler/text/locations.cpp
  compiler/text/body.cpp
  compiler/text/pretty_forms.cpp
  compiler/text/product_forms.cpp
  compiler/text/check_forms.cpp
  compiler/text/control_forms.cpp
  compiler/text/parser.cpp
  compiler/text/printer.cpp
)
