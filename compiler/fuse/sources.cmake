list(APPEND weft_sources
  compiler/fuse/view.cpp
  compiler/fuse/parts.cpp
  compiler/fuse/order.cpp
  compiler/fuse/in_place.cpp
  compiler/fuse/fuse.cpp
  compiler/fuse/attach_epilogues.cpp
)
