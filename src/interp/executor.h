// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs items. What must be prepared (row programs, masks) is made at the first run of an item and
// kept, because sweeps and repetitions run it many times.

#include <memory>
#include <unordered_map>
#include <vector>

#include "interp/nest.h"
#include "interp/reduction.h"
#include "interp/space.h"

namespace lathe::interp {

// A prepared statement.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual void run() = 0;
};

// `domain` is the statement's, with the ranges of its group and the masks around it.
std::unique_ptr<Runner> make_plain(Space& space, const ir::Statement& s, ir::Domain domain);
std::unique_ptr<Runner> make_accumulation(Space& space, const ir::Statement& s, ir::Domain domain);
std::unique_ptr<Runner> make_scan(Space& space, const ir::Scan& s, ir::Domain domain);

std::unique_ptr<Combination> make_combination(Space& space, const ir::Accumulation& how);
// The indices of a target; of a local, those of the group's point.
std::vector<Expr> target_indices(const Space& space, const ir::Target& target);
// Does the statement read an array that it writes? `elsewhere`: other than each point its own
// element.
bool reads_own_target(const ir::Statement& s, const ir::Domain& domain, bool elsewhere);

// Writes that wait until everything is evaluated.
class PendingWrites {
 public:
  PendingWrites(Space& space, Id array) : space_(space), array_(array) {}
  void add(const Places& places, const void* values, const std::uint8_t* active, std::size_t n);
  void flush(bool set);

 private:
  Space& space_;
  Id array_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::byte> values_;
};

class Executor {
 public:
  Executor(const ir::Program& program, State& state, const Options& options);
  ~Executor();
  void run(const ir::Item& item);
  void finish();  // allocates outputs that nothing touched
  Space space;

 private:
  // Points that take part, of a Branch or While around: statements run where all masks hold.
  struct Mask {
    Id array;
    std::vector<Expr> indices;
  };
  struct Masks;  // of one Branch or While

  void run_body(const ir::Body& body);
  void run_node(const ir::Statement& s);
  void run_node(const ir::Group& g);
  void run_lines(const ir::Group& g, const ir::Domain& points);
  void run_lines_where_asked(const ir::Group& g);
  void run_node(const ir::Branch& b);
  void run_node(const ir::While& w);
  void run_node(const ir::Sweep& s);
  void run_node(const ir::Scan& s);
  void run_node(const ir::When& w);
  void run_node(const ir::Repeat& r);
  void run_node(const ir::Call& c);

  // Runs something for an item; a fault inside becomes an error with the item's name.
  template <class F>
  void guarded(Symbol label, Span span, F&& run) {
    space.begin_run(label, span);
    try {
      run();
    } catch (const Fault& fault) {
      space.fail(fault);
    }
  }
  void run_statement(const ir::Statement& s, const ir::Domain& domain);
  ir::Domain masked(ir::Domain domain) const;
  Expr both(Expr a, Expr b) const;  // null: true
  void run_side(const ir::Body& body, Id mask, const std::vector<Expr>& indices);
  // A While or its loop has had all its rounds, and the element is on.
  [[noreturn]] void fail_still_on(Symbol label, Span span, Id mask, std::int64_t offset,
                                  const std::vector<Symbol>& variables, std::int64_t rounds);
  void check_disjoint(const UndoLog& first, const UndoLog& second, const ir::Branch& branch);

  std::vector<Mask> masks_;
  std::unordered_map<const void*, std::unique_ptr<Runner>> runners_;
  std::unordered_map<const void*, std::unique_ptr<Masks>> branch_masks_;
  std::unordered_map<const void*, std::unordered_map<Symbol, Space::Local>> group_locals_;
};

// The operations of ir/calls.h.
void run_call(Space& space, const ir::Call& call);

}  // namespace lathe::interp
