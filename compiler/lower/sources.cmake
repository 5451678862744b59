list(APPEND weft_sources
  compiler/lower/build_body.cpp
  compiler/lower/check_lowerable.cpp
  compiler/lower/sort_keys.cpp
  compiler/lower/lower.cpp
  compiler/lower/simplify_axes.cpp
  compiler/lower/fold_schedule.cpp
  compiler/lower/update_carried_in_place.cpp
  compiler/lower/split_long_kernels.cpp
  compiler/lower/contract_products.cpp
  compiler/lower/cost.cpp
  compiler/lower/plan_memory.cpp
  compiler/lower/print_plan.cpp
)
