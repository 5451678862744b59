// loc(…): which source line an operation came from; names of locations may be defined after their use.
#pragma once

#include <variant>

#include "compiler/text/reader.h"

namespace weft::text {

// What a loc(…) says, the best first: lines of files and names of locations defined elsewhere.
using LocationChoice = std::vector<std::variant<ir::SourceLine, std::string>>;

bool at_location(Reader& reader);
LocationChoice read_location(Reader& reader);  // at "loc"
void skip_location(Reader& reader);            // if there is one

class Locations {
 public:
  void define(std::string name, LocationChoice choice) { defined_[std::move(name)] = std::move(choice); }
  void note(ir::NodeId node, LocationChoice choice) { noted_.push_back({node, std::move(choice)}); }
  // Gives the noted nodes their locations; 0 where the text names no line of a file.
  void apply(ir::Graph& graph);

 private:
  struct Noted {
    ir::NodeId node;
    LocationChoice choice;
  };
  std::optional<ir::SourceLine> line_of(const LocationChoice& choice, int depth);

  std::unordered_map<std::string, LocationChoice> defined_;
  std::unordered_map<std::string, std::optional<ir::SourceLine>> known_;
  std::vector<Noted> noted_;
};

}  // namespace weft::text
