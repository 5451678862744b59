list(APPEND backend_sources
  compiler/link/link.cpp
  compiler/link/guard.cpp
  compiler/link/machine.cpp
  compiler/link/session.cpp
  compiler/link/symbols.cpp
  compiler/link/backend.cpp
)
