// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes nodes as ast.dump does (private to src/frontend/python):
//   dump.cpp          nodes, fields, statements
//   dump_expr.cpp     expressions
//   dump_pattern.cpp  patterns
//   dump_values.cpp   strings and numbers as repr() prints them

#include <string>
#include <string_view>
#include <type_traits>

#include "frontend/python/dump.h"

namespace lathe::python {

// repr() of a str or bytes value, with everything beyond ASCII escaped.
void append_repr(std::string& out, std::string_view value, bool bytes);
// repr() of a number of any size.
void append_number(std::string& out, const Constant& constant);

class DumpWriter {
 public:
  DumpWriter(const SourceMap& sources, Positions positions)
      : sources_(sources), positions_(positions) {}

  void write(const Module& module);
  void write(const Expr* e);  // null is None
  void write(const Stmt* s);
  void write(const Pattern* p);
  std::string take() { return std::move(out_); }

 private:
  // One node: its name, its fields, its place, a parenthesis.
  class Node {
   public:
    Node(DumpWriter& writer, std::string_view name, Span span = {}) : w_(writer), span_(span) {
      w_.out_ += name;
      w_.out_ += '(';
    }
    ~Node() {
      if (span_.known()) w_.place(*this, span_);
      w_.out_ += ')';
    }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    template <class T>
    Node& field(std::string_view name, const T& value) {
      begin(name);
      w_.write(value);
      return *this;
    }
    // Leaves out what is null, empty or false.
    template <class T>
    Node& optional(std::string_view name, const T& value) {
      if constexpr (std::is_pointer_v<T>) {
        return value ? field(name, value) : *this;
      } else {
        return value.empty() ? *this : field(name, value);
      }
    }
    void begin(std::string_view name) {
      if (!first_) w_.out_ += ", ";
      first_ = false;
      w_.out_ += name;
      w_.out_ += '=';
    }

   private:
    DumpWriter& w_;
    Span span_;
    bool first_ = true;
  };

  void write(std::string_view identifier) { append_repr(out_, identifier, false); }
  void write(int number) { out_ += std::to_string(number); }
  void write(Context context);
  void write(BinaryOperator op);
  void write(CompareOperator op);
  void write(ConstantKind singleton);
  void write(const Parameter& p);
  void write(const Parameters* parameters);
  void write(const Keyword& k);
  void write(const ForClause& clause);
  void write(const TypeParameter& p);
  void write(const WithItem& item);
  void write(const MatchCase& c);
  void write(const ExceptHandler& h);
  void write(const Alias& a);
  template <class T>
  void write(std::span<T> items) {
    out_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ", ";
      first = false;
      write(item);
    }
    out_ += ']';
  }
  void function(const FunctionDef& f);
  void imported(const Stmt* s);
  void constant(const Constant& c);
  void comprehension(const Comprehension& c);
  void operators(const Expr* e);
  void place(Node& node, Span span);

  const SourceMap& sources_;
  Positions positions_;
  std::string out_;
};

}  // namespace lathe::python
