// Keeps the current public call of each thread.
#include "frontend/call.h"

namespace weft::frontend {
namespace {

struct Current {
  const char* function = nullptr;
  Location where;
};
thread_local Current current;

std::string with_function(const std::string& text) {
  return current.function ? std::string(current.function) + ": " + text : text;
}

}  // namespace

Call::Call(const char* function, const Location& where) : is_outermost_(current.function == nullptr) {
  if (is_outermost_) current = {function, where};
}
Call::~Call() {
  if (is_outermost_) current = {};
}
const char* Call::function() { return current.function ? current.function : "weft"; }
const Location& Call::where() { return current.where; }

UserCode::UserCode() : function_(current.function), where_(current.where) { current = {}; }
UserCode::~UserCode() { current = {function_, where_}; }

void fail_type(const std::string& text) { throw TypeError(with_function(text), current.where); }
void fail_shape(const std::string& text) { throw ShapeError(with_function(text), current.where); }
void fail_index(const std::string& text) { throw IndexError(with_function(text), current.where); }

}  // namespace weft::frontend
