# In program order: the ledger, what passes share, then the passes as in passes.def.
list(APPEND weft_sources
  compiler/rewrite/ledger.cpp
  compiler/rewrite/rebuild.cpp
  compiler/rewrite/known_values.cpp
  compiler/rewrite/known_signs.cpp
  compiler/rewrite/rewrite.cpp
  compiler/rewrite/inline_calls.cpp
  compiler/rewrite/lift_captured_values.cpp
  compiler/rewrite/canonicalize.cpp
  compiler/rewrite/canonicalize_movement.cpp
  compiler/rewrite/canonicalize_arithmetic.cpp
  compiler/rewrite/canonicalize_choice.cpp
  compiler/rewrite/fold_constants.cpp
  compiler/rewrite/merge_equal_nodes.cpp
  compiler/rewrite/reuse_selected_value.cpp
  compiler/rewrite/reuse_selected_extreme.cpp
  compiler/rewrite/push_reshapes.cpp
  compiler/rewrite/remove_dead_nodes.cpp
  compiler/rewrite/expand_scatter.cpp
  compiler/rewrite/expand_convolution.cpp
  compiler/rewrite/expand_dot_general.cpp
)
