// Trace: a function while it is recorded. Each owns a Graph; values of outer traces become extra arguments.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "compiler/ir/build.h"
#include "frontend/array_state.h"
#include "frontend/call.h"

namespace weft::frontend {

struct TracedProgram;

class Trace : public std::enable_shared_from_this<Trace> {
 public:
  Trace();

  static Trace* current();  // the innermost open one of this thread, or null

  Array argument(const ShapeDtype& type, bool is_weak);
  Array value(ir::ValueId id, bool is_weak);
  // The value of an array in this trace: its own; a constant when it is concrete and small; else an extra
  // argument.
  ir::ValueId lift(const Array& x);
  // Appends to the body; operations get the line of the current call.
  ir::Builder& builder();

  // Arrays from outside that became extra arguments, in the order of those arguments.
  const std::vector<Array>& captured() const { return captured_; }
  // Private functions of the graph and the programs that they are copies of.
  using Callees = std::vector<std::pair<std::string, std::shared_ptr<TracedProgram>>>;
  const Callees& callees() const { return callees_; }
  // The name of the private function for `program`, copied into the graph when it is not there yet.
  const std::string& import(const std::shared_ptr<TracedProgram>& program);

  // Ends the recording with these results; the graph moves out and remaining values have leaked.
  ir::Graph finish(std::span<const Array> results);
  bool is_open_on_this_thread() const;

 private:
  friend class OpenTrace;
  ir::ValueId lift_from_outside(const Array& x);
  void close();
  ir::LocationId location_id(const Location& where);

  ir::Graph graph_;
  ir::RegionId body_;
  ir::Builder builder_;
  Trace* parent_ = nullptr;
  int depth_ = 0;  // of open traces around it
  bool is_open_ = false;
  std::vector<Array> captured_, kept_;
  std::unordered_map<const ArrayState*, ir::ValueId> from_outside_;
  std::map<std::tuple<const char*, std::uint32_t, std::uint32_t>, ir::LocationId> locations_;
  Callees callees_;
};

// Makes a trace the current one for as long as this object lives; then it is empty.
class OpenTrace {
 public:
  explicit OpenTrace(Trace& trace);
  ~OpenTrace();
  OpenTrace(const OpenTrace&) = delete;
  OpenTrace& operator=(const OpenTrace&) = delete;

 private:
  Trace& trace_;
  UserCode user_code_;
};

// Throws TraceError when `x` belongs to a trace that has ended, or to one of another thread.
void check_not_leaked(const Array& x);

// Inlines the entry of `graph` at the end of the current body, its private functions copied; gives the
// results.
std::vector<ir::ValueId> inline_entry(ir::Builder& into, const ir::Graph& graph,
                                      std::span<const ir::ValueId> arguments);

}  // namespace weft::frontend
