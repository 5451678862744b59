// Keeps the current public call of each thread.
#include "frontend/call.h"

#include <weft/detail/callable.h>

#include "runtime/user_line.h"

namespace weft::frontend {
namespace {

thread_local const char* current_function = nullptr;

void set_current(const char* function, const Location& where) {
  current_function = function;
  runtime::user_line() = where;
}

std::string with_function(const std::string& text) {
  return current_function ? std::string(current_function) + ": " + text : text;
}

}  // namespace

Call::Call(const char* function, const Location& where) : is_outermost_(current_function == nullptr) {
  if (is_outermost_) set_current(function, where);
}
Call::~Call() {
  if (is_outermost_) set_current(nullptr, Location());
}
const char* Call::function() { return current_function ? current_function : "weft"; }
const Location& Call::where() { return runtime::user_line(); }

UserCode::UserCode() : function_(current_function), where_(Call::where()) {
  set_current(nullptr, Location());
}
UserCode::~UserCode() { set_current(function_, where_); }

void fail_type(const std::string& text) { throw TypeError(with_function(text), Call::where()); }
void fail_shape(const std::string& text) { throw ShapeError(with_function(text), Call::where()); }
void fail_index(const std::string& text) { throw IndexError(with_function(text), Call::where()); }

}  // namespace weft::frontend

namespace weft::detail {

void fail_empty_function(const char* transform, const Location& where) {
  throw TypeError(std::string(transform) + ": there is no function: the pointer or std::function is empty",
                  where);
}

}  // namespace weft::detail
