// clean_up: small local arrays of a function become registers.
#pragma once

namespace llvm {
class Function;
}

namespace weft::codegen {

//   before  store double %x, ptr %local   …   %y = load double, ptr %local     after  %y is %x
// LLVM's passes for local memory and common values; worth their time in loops alone. Keeps every bit.
void clean_up(llvm::Function& function);

}  // namespace weft::codegen
