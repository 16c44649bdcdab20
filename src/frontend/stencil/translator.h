// SPDX-License-Identifier: Apache-2.0
#pragma once
// One definition, from syntax tree to Program. The parts, by file:
//
//   translate_definition.cpp   arguments, what is declared before computations, the result
//   translate_arrays.cpp       the arrays: their ranges, which are the caller's
//   translate_computation.cpp  computations, intervals, their order; horizontal regions
//   translate_statement.cpp    assignments, conditionals, loops
//   translate_expression.cpp   expressions and their types
//   translate_access.cpp       fields at offsets, levels and data indices
//   translate_call.cpp         functions spliced in, built-in functions
//   translate_vector.cpp       whole vectors and matrices, element by element
//   translate_remarks.cpp      where GT4Py's result differs
//
// A mistake is thrown as UserError and caught at the statement that it is in, so that one run
// reports many.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/stencil/annotation.h"
#include "frontend/stencil/constant.h"
#include "frontend/stencil/environment.h"
#include "frontend/stencil/stencil.h"
#include "frontend/stencil/steps.h"
#include "ir/program_builder.h"

namespace lathe::stencil {

// Something of which the mistake has been reported already.
struct FollowsMistake {};

[[noreturn]] void fail(Span span, std::string message, std::string help = {});
// `about`: the name.
[[noreturn]] void fail(ErrorKind kind, std::string_view about, Span span, std::string message,
                       std::string help = {});

// n, where arithmetic with it cannot overflow: an error otherwise.
std::int64_t checked_distance(std::int64_t n, std::string_view what, Span span);

// Is it an int that is written down, as 0 or 2 * N?
bool is_int_literal(ir::Expr e);

inline constexpr std::string_view kHelpForImports =
    "copy the definition into this file, or compile the stencil in Python (@lathe.stencil), which "
    "knows what is imported";

class Translator {
 public:
  // `scope`: the names that the definition sees.
  Translator(const Definition& definition, Scope scope, const Options& options,
             std::shared_ptr<SourceMap> sources, Diagnostics& diagnostics);
  std::optional<Stencil> run();

 private:
  using Node = python::Expr;

  struct FieldVar : FieldUse {
    ir::Symbol symbol;
    ir::DType dtype = ir::DType::F64;
    std::vector<std::int64_t> dims;  // of data
    bool table = false, read = false, written = false;
    bool int_literal = false;  // a temporary whose dtype is that of an int which is written down
    bool partly = false;  // some statement writes it at some points only: the others keep theirs
    Span span;
  };
  struct ScalarVar {
    std::string name;
    ir::Symbol symbol;
    ir::DType dtype = ir::DType::F64;
    bool used = false;
  };
  // What a name stands for.
  struct Variable {
    enum class Kind : std::uint8_t { Field, Scalar, Constant } kind = Kind::Constant;
    std::size_t index = 0;
    Value value;
  };
  // The stencil, or a function that is being spliced in.
  struct Frame {
    const python::FunctionDef* function = nullptr;
    const Scope* scope = nullptr;  // the names around it
    std::map<std::string, Variable, std::less<>> names;
    Frame* caller = nullptr;
    Span call;  // where
  };
  enum class Order : std::uint8_t { Parallel, Forward, Backward };
  // Where a statement stands.
  struct Block {
    Order order = Order::Parallel;
    Levels levels;
    ir::Expr guard = nullptr;  // levels that come from data
    std::vector<FieldRead> guard_reads;
    std::optional<Region> region;
    bool inside = false;  // in a branch or a while loop
  };
  // f[di, dj, dk][data]
  struct Place {
    std::size_t field = 0;
    std::array<std::int64_t, 2> offset{0, 0};
    std::optional<std::int64_t> level = 0;  // or, when it is not a number:
    ir::Expr level_expr = nullptr;          // the index itself
    std::optional<std::int64_t> at = {};    // which is this number
    std::vector<ir::Expr> data;
    Span span;
  };

  // --- definition
  void declare_arguments();
  void declare_argument(const python::Parameter& p, bool keyword_only);
  Value default_of(const python::Parameter& p) const;
  void declare_before(const python::AnnAssign& a);
  void import_externals(const python::ImportFrom& from, Frame& frame);
  void settle_outputs(const std::vector<FieldUse>& uses);
  void settle_arguments(ir::Program& program, const Needed& needed,
                        const std::vector<std::vector<ir::Axis>>& axes);
  std::string program_name(std::string_view user_name);
  std::size_t new_field(std::string_view name, const FieldType& type, bool api, Span span);
  void declare_array(const FieldVar& f);
  std::vector<ir::Axis> axes_of(const FieldVar& f, const std::array<Extent, 3>* needed) const;
  void open_levels(const FieldVar& f, Extent& needed, std::vector<ir::Axis>& axes);
  std::int64_t least_of(std::string_view size) const;

  // --- computations
  void top_statement(const python::Stmt& s);
  void computation(const python::With& with);
  struct IntervalBlock {
    Block block;
    python::StmtList body;
    Span span;
    std::vector<Region> regions;  // none: everywhere
  };
  Order order_of(const python::Call& call);
  IntervalBlock interval_block(const python::Call& call, Order order, python::StmtList body);
  Edge level_bound(const Node& e, bool upper, Span span, ir::Expr& runtime);
  void check_intervals(std::vector<IntervalBlock>& blocks, Order order);
  void run_intervals(const std::vector<IntervalBlock>& blocks);
  void check_parallel_reads(const std::vector<Step>& steps);
  std::vector<Region> regions_of(const python::Call& call);
  Region region_of(const Node& e);
  void region_axis(const Node& e, std::size_t axis, Region& region);

  // --- statements
  void statements(python::StmtList body);
  void statement(const python::Stmt& s);
  void assign(const Node& target, const Node& value, Span span);
  void assign_tuple(python::ExprList targets, const Node& value, Span span);
  void augmented(const python::AugAssign& a);
  void annotated(const python::AnnAssign& a);
  void store(const Node& target, ir::Expr value, std::vector<FieldRead> reads, Span span);
  void store(const Place& target, ir::Expr value, std::vector<FieldRead> reads, Span span);
  Place target_place(const Node& target, ir::Expr value, Span span);
  void check_narrowing(const FieldVar& f, ir::Expr value, Span span) const;
  void conditional(const python::If& s);
  void while_loop(const python::While& s);
  void horizontal(const python::With& s);
  void compile_assert(const python::Call& call);
  ir::Over over() const;
  ir::Expr region_guard() const;
  Step step(Step::Kind kind, Span span, std::vector<FieldRead> reads) const;

  // --- expressions
  ir::Expr expr(const Node& e);
  ir::Expr condition(const Node& e, std::string_view of);
  ir::Expr test_of(const Node& e, std::string_view of);
  ir::Expr literal(const Value& v, Span span);
  ir::Expr name_value(std::string_view name, Span span);
  ir::Expr axis_value(const Value& axis, Span span);
  ir::Expr binary(const python::BinOp& b);
  ir::Expr binary(python::BinaryOperator op, ir::Expr a, ir::Expr b, Span span);
  ir::Expr power(ir::Expr a, ir::Expr b, Span span);
  ir::Expr unary(const python::UnaryOp& u);
  ir::Expr comparison(const python::Compare& c);
  ir::Expr logical(const python::BoolOp& b);
  ir::Expr attribute(const python::Attribute& a);
  ir::Expr subscripted(const python::Subscript& s);
  ir::Expr ternary(const python::IfExp& i);
  ir::Expr op(ir::Op op, std::initializer_list<ir::Expr> args, Span span);
  ir::Expr cast(ir::DType t, ir::Expr e) const {  // constants at once
    if (ir::is_const(e)) return builder_.graph().constant(e->scalar().cast(t));
    return builder_.build().cast(t, e);
  }
  ir::DType literal_type(bool real) const;
  Value constant(const Node& e) const;  // Unknown when it is not one
  std::int64_t integer_constant(const Node& e, std::string_view what);

  // --- access
  std::optional<Place> place(const Node& e);  // nothing when it is not a field
  void offsets(const Node& index, Place& p);
  void data_indices(const Node& index, Place& p);
  void check_data(Place& p);
  bool axis_form(const Node& e, char& axis, const Node*& rest, bool& minus) const;
  ir::Expr read(const Place& p);
  ir::Expr array_element(const Place& p) const;
  Place absolute(const python::Call& call, const python::Attribute& at);

  // --- calls
  ir::Expr call(const python::Call& c);
  std::vector<ir::Expr> splice(const python::Call& c, const Value& function);
  ir::Expr builtin(std::string_view name, const python::Call& c);
  void bind_parameter(Frame& inner, const python::Parameter& p, const Node* argument,
                      bool assigned);
  void bind_default(Frame& inner, const python::Parameter& p, const Value& value);
  std::optional<Value> function_of(const python::Call& c) const;

  // --- remarks
  void remark(Span span, std::string message);
  void remark_order(python::ExprList targets, const std::vector<ir::Expr>& values, Span span);
  void remark_division(ir::Expr a, ir::Expr b, ir::DType t, Span span);
  void remark_remainder(ir::Expr a, ir::Expr b, Span span);
  void remark_type(std::string_view name, const Node& value, ir::DType type, Span span);
  std::optional<ir::DType> type_before_casts(const Node& e) const;

  // --- vectors
  std::vector<std::int64_t> shape(const Node& e);
  bool assign_vector(const Node& target, const Node& value, Span span);
  void check_elements(const std::vector<std::int64_t>& dims, Span span) const;
  ir::Expr component(const Node& e, std::vector<std::int64_t> index);
  ir::Expr matrix_product(const python::BinOp& b);

  const Variable* find(std::string_view name) const;
  const Value* external(std::string_view name) const;  // null: no value was given
  FieldType type_of(const Node& annotation, std::string_view of);
  const Scope& scope() const { return *frame_->scope; }
  void note_broken(const python::Stmt& s);
  [[noreturn]] void fail_unknown(std::string_view name, Span span) const;
  std::string help_for(std::string_view unknown_name) const;

  const Definition& definition_;
  Options options_;
  std::shared_ptr<SourceMap> sources_;
  Diagnostics& diagnostics_;
  Scope scope_;
  ir::ProgramBuilder builder_;
  ir::Val ni_, nj_, nk_, i_, j_, k_;
  std::set<std::string> names_;                // of the program
  std::set<std::string, std::less<>> broken_;  // names whose declaration is a mistake
  std::vector<FieldVar> fields_;
  std::vector<ScalarVar> scalars_;
  Info info_;
  mutable std::set<std::string, std::less<>> used_externals_;
  Frame top_;
  Frame* frame_ = &top_;
  Block block_;
  std::vector<Step> all_steps_;
  std::vector<Step>* steps_ = &all_steps_;
  std::vector<FieldRead>* reads_ = nullptr;  // of the expression that is being made
  const std::vector<std::int64_t>* component_ = nullptr;
  // What is unrolled or spliced in grows by products: these are far above what anybody writes.
  static constexpr std::int64_t kMostElements = 4096, kMostComponents = 100'000,
                                kMostCalls = 65'536;
  std::int64_t components_ = 0;  // of the whole assignment that is being made
  std::int64_t calls_ = 0;
  bool lazy_ = false;  // in a part of an expression that is not always evaluated
  std::set<std::string> remarked_;
  std::set<std::uint32_t> without_result_;  // functions that return no single value, by their place
  std::string_view no_calls_;               // the statement whose test cannot call functions
  std::int64_t min_levels_ = 0;
  bool any_computation_ = false;
};

}  // namespace lathe::stencil
