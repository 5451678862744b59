// The program that a command works on: its text, its graph, and messages that show a line of it.
#pragma once

#include <string>

#include <weft/error.h>

#include "compiler/ir/ir.h"

namespace weft::tool {

struct Program {
  std::string name;  // of the file, or <stdin>
  std::string text;
  ir::Graph graph;
};

// `path` is a file, or - for standard input. Throws ParseError, or UserError when it cannot be read.
Program read_program(const std::string& path);

// Makes the function of that name the entry of the graph. Throws UserError when there is none.
void select_entry(ir::Graph& graph, const std::string& name);

// "file:line:column: error: message", then the line and a caret when the line is one of the program's text.
std::string message_at(const Program& program, const ir::SourceLine& at, const std::string& message);

// What f gives. A CompileError that knows its line becomes a ParseError that shows it.
template <class F>
auto showing_lines(const Program& program, const F& f) {
  try {
    return f();
  } catch (const CompileError& error) {
    if (error.line() == 0) throw;
    const auto line = static_cast<std::uint32_t>(error.line()),
               column = static_cast<std::uint32_t>(error.column());
    throw ParseError(message_at(program, {error.file(), line, column}, error.reason()), error.line(),
                     error.column());
  }
}

// Splits "a,b" at commas; empty names are left out.
std::vector<std::string> split_names(const std::string& list);

}  // namespace weft::tool
