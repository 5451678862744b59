// The line of user code that this thread works for: errors that nothing more exact is known of end with it.
#pragma once

#include <weft/error.h>

namespace weft::runtime {

Location& user_line();  // line 0 outside of any public function

}  // namespace weft::runtime
