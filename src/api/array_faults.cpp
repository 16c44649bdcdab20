// SPDX-License-Identifier: Apache-2.0
#include "api/array_faults.h"

#include <algorithm>

#include "base/quoted.h"
#include "frontend/array/make.h"
#include "ir/op.h"

namespace lathe::api {
namespace {

// What the user called: an inverse is a solve, and derivatives of determinants hold inverses.
std::string called(const array::Node& n) {
  if (n.text == "strict_cholesky") return "cholesky";
  if (n.text != "solve" || n.ints.empty()) return n.text.substr(0, n.text.find('_'));
  if (n.ints[0] == array::kSolvesForDet) return "the second derivative of det";
  return n.ints[0] == array::kSolvesForSlogdet ? "the derivative of slogdet" : "inv";
}

// A matrix that has no result: where the user asked for it.
void tell_of_call(Diagnostic& d, const std::vector<const array::Node*>& order) {
  std::size_t told = 0;
  std::string function;
  for (const array::Node* n : order) {
    const std::string begin = quoted(n->text) + " of ";
    if (n->kind != array::Kind::Call || d.message.compare(0, begin.size(), begin) != 0) continue;
    function = called(*n);
    if (n->place.file && told++ < 3)
      d.note("at " + array::to_text(n->place) + ": " + array::describe(*n->operands[0]));
  }
  d.says_where = told > 0;
  if (!function.empty()) d.message = function + d.message.substr(d.message.find(": "));
}

// Where the user asked for it; the first three.
template <class Pick>
void tell_places(Diagnostic& d, const std::vector<const array::Node*>& order, Pick pick) {
  std::size_t told = 0;
  for (const array::Node* n : order)
    if (pick(*n) && n->place.file && told++ < 3)
      d.note(n->text + " at " + array::to_text(n->place) + ": " + array::describe(*n->operands[0]));
  d.says_where = told > 0;
}

}  // namespace

// What can go wrong while a kernel runs. Statements are none of the user's.
Diagnostic in_the_users_words(const Diagnostic& said,
                              const std::vector<const array::Node*>& order) {
  Diagnostic d = said;
  d.span = {};
  using Op = ir::Op;
  switch (said.kind) {
    case ErrorKind::Matrix: tell_of_call(d, order); return d;
    case ErrorKind::Index: {
      const std::size_t at = std::min(d.message.find(" reads "), d.message.find(" writes "));
      if (at == std::string::npos) return said;
      d.message = "an index is out of range: the array" + d.message.substr(at);
      d.help = "indices of an axis of length n run from -n to n - 1";
      tell_places(d, order, [](const array::Node& n) {
        return n.kind == array::Kind::Gather || n.kind == array::Kind::Scatter;
      });
      return d;
    }
    case ErrorKind::Division:
      d.message = "an integer is divided by zero";
      d.help = "guard it: where(b != 0, a // b, 0); without checking the result is 0";
      tell_places(d, order, [](const array::Node& n) {
        return n.kind == array::Kind::Map && ir::is_int(n.dtype) &&
               (n.op == Op::FloorDiv || n.op == Op::Mod || n.op == Op::TruncDiv ||
                n.op == Op::TruncMod);
      });
      return d;
    case ErrorKind::Power:
      d.message = "an integer is taken to a negative power";
      d.help = "convert to floats with astype first; without checking the result is 0";
      tell_places(d, order, [](const array::Node& n) {
        return n.kind == array::Kind::Map && ir::is_int(n.dtype) && n.op == Op::Pow;
      });
      return d;
    default: return said;
  }
}

}  // namespace lathe::api
