list(APPEND weft_sources
  compiler/transform/batcher.cpp
  compiler/transform/batch.cpp
)
