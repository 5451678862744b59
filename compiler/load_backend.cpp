// dlopen by the folder of this library first, then by the loader's own search.
#include "compiler/load_backend.h"

#include <dlfcn.h>

#include <string>

#include <weft/error.h>

namespace weft::compiler {
namespace {

std::string folder_of_this_library() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&load_backend), &info) == 0 || !info.dli_fname) return {};
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

lower::Backend find_backend() {
  const std::string beside = folder_of_this_library() + lower::kBackendLibrary;
  void* library = dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(lower::kBackendLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw CompileError(std::string("compile: cannot load ") + beside + ": " + dlerror());
  void* symbol = dlsym(library, lower::kBackendSymbol);
  if (!symbol) throw CompileError("compile: " + beside + " is not a backend of this version of Weft");
  return reinterpret_cast<lower::Backend (*)()>(symbol)();
}

}  // namespace

lower::Backend load_backend() {
  static const lower::Backend backend = find_backend();
  return backend;
}

}  // namespace weft::compiler
