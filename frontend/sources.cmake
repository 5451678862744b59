list(APPEND weft_sources
  frontend/array.cpp
  frontend/element.cpp
  frontend/promotion.cpp
)
