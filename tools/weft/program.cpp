// Reads programs from files and standard input.
#include "tools/weft/program.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/text/text.h"

namespace weft::tool {
namespace {

std::string read_all(std::istream& stream, const std::string& name) {
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw UserError("cannot read " + name);
  return text;
}

std::string read_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw UserError("there is no file " + path);
  if (std::filesystem::is_directory(status)) throw UserError(path + " is a directory, not a program");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UserError("cannot open " + path);
  return read_all(stream, path);
}

std::string names_of_functions(const ir::Graph& graph) {
  std::string names;
  for (const ir::Function& function : graph.functions) names += (names.empty() ? "@" : ", @") + function.name;
  return names;
}

void rename_function(ir::Graph& graph, const std::string& from, const std::string& to) {
  for (ir::Function& function : graph.functions)
    if (function.name == from) function.name = to;
  for (ir::NodeId id = 0; id < graph.node_count(); ++id) {
    if (graph.node(id).op != ir::Op::call) continue;
    std::string& callee = std::get<ir::CallAttributes>(graph.node(id).attributes).callee;
    if (callee == from) callee = to;
  }
}

// The line of a text by its number, from 1; nothing when the text has fewer.
std::string line_of(const std::string& text, std::uint32_t number) {
  std::size_t start = 0;
  for (; number > 1; --number) {
    start = text.find('\n', start);
    if (start == std::string::npos) return {};
    ++start;
  }
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

Program read_program(const std::string& path) {
  Program program;
  program.name = path == "-" ? "<stdin>" : path;
  program.text = path == "-" ? read_all(std::cin, program.name) : read_file(path);
  program.graph = text::parse(program.text, program.name);
  return program;
}

void select_entry(ir::Graph& graph, const std::string& name) {
  if (!graph.find_function(name))
    throw UserError(
        fmt::format("there is no function @{}; the program has {}", name, names_of_functions(graph)));
  for (ir::Function& function : graph.functions) function.is_public = function.name == name;
  // @main is the entry wherever it is, unless it is called something else.
  if (name == "main" || !graph.find_function("main")) return;
  std::string other = "main_";
  while (graph.find_function(other)) other += '_';
  rename_function(graph, "main", other);
}

std::string message_at(const Program& program, const ir::SourceLine& at, const std::string& message) {
  if (at.file.empty()) return fmt::format("{}: error: {}", program.name, message);
  std::string text = fmt::format("{}:{}:{}: error: {}", at.file, at.line, at.column, message);
  if (at.file != program.name) return text;
  const std::string line = line_of(program.text, at.line);
  std::string blanks(line, 0, std::min<std::size_t>(line.size(), at.column > 0 ? at.column - 1 : 0));
  std::replace_if(
      blanks.begin(), blanks.end(), [](char c) { return c != '\t'; }, ' ');
  return text + "\n" + line + "\n" + blanks + "^";
}

std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    if (comma > start) names.push_back(list.substr(start, comma - start));
    start = comma + 1;
  }
  return names;
}

}  // namespace weft::tool
