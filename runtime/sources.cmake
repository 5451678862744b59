list(APPEND weft_sources
  runtime/error.cpp
  runtime/dtype.cpp
  runtime/half.cpp
  runtime/shape.cpp
  runtime/machine.cpp
  runtime/buffer.cpp
  runtime/pool.cpp
  runtime/special.cpp
  runtime/threads.cpp
  runtime/executable.cpp
  runtime/files.cpp
  runtime/npy.cpp
  runtime/npz.cpp
  runtime/npz_write.cpp
)
