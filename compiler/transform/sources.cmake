list(APPEND weft_sources
  compiler/transform/batch.cpp
)
