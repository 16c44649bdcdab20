// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dim: the length of an axis before it is known. A polynomial over size symbols and a few atoms:
//
//   n * m + 2      (n + 1) // 2      n % 4      min(10, n)      max(0, n - 2)      spread(n, m)
//
// in one normal form, so that `m * n` and `n * m` are equal, and max(0, n - min(1, n)) is
// max(0, n - 1). spread(a, b) is what broadcasting
// gives when nothing is known of two lengths: `b` if a is 1, else `a`.
//
// Equality has three answers, because a comparison of symbols must never be taken for false by
// mistake: there is no operator bool, and compare() says Unknown.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/function_ref.h"

namespace lathe::array {

// A size that has a name, or one that belongs to an array which is there: then it is known, but
// programs are made for every value of it. Identity is the object.
struct SizeSymbol {
  std::string name;                    // empty: an axis of an array that is there
  bool is_counted = false;             // of a mask: nobody can bind it
  std::optional<std::int64_t> known;   // of an axis of an array that is there
  std::uint64_t serial = 0;            // in order of creation
  std::shared_ptr<const void> source;  // of one that is counted: a NodeRef to the mask
};
using SymbolRef = std::shared_ptr<const SizeSymbol>;
// Two symbols of one name are one symbol.
SymbolRef size_symbol(const std::string& name);
SymbolRef known_symbol(std::int64_t value);
// The number of elements that a mask lets through. It keeps the mask: arrays may have this length
// and not depend on the mask otherwise.
SymbolRef counted_symbol(std::shared_ptr<const void> source);

enum class Answer { No, Yes, Unknown };

struct DimAtom;
struct DimForm;

class Dim {
 public:
  Dim(std::int64_t constant = 0) : constant_(constant) {}
  explicit Dim(const SymbolRef& symbol);

  bool is_constant() const { return form_ == nullptr; }
  bool is(std::int64_t v) const { return is_constant() && constant_ == v; }
  std::int64_t constant() const { return constant_; }  // the part without symbols
  SymbolRef symbol() const;                            // null unless it is a bare symbol
  const DimForm* form() const { return form_.get(); }  // null: a constant
  std::uint64_t hash() const;

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  friend Dim floor_div(const Dim& a, const Dim& b);
  friend Dim mod(const Dim& a, const Dim& b);
  friend Dim min(const Dim& a, const Dim& b);
  friend Dim max(const Dim& a, const Dim& b);
  friend Dim spread(const Dim& a, const Dim& b);
  // The same normal form. Not the negation of "different", and sums of minima and maxima have more
  // than one form: see compare().
  friend bool operator==(const Dim& a, const Dim& b);

 private:
  friend struct DimMaker;
  std::int64_t constant_ = 0;
  std::shared_ptr<const DimForm> form_;
};

struct DimAtom {
  enum class Kind : std::uint8_t { Symbol, FloorDiv, Mod, Min, Max, Spread };
  Kind kind = Kind::Symbol;
  SymbolRef symbol;        // Symbol
  Dim a, b;                // the others
  bool is_closed = false;  // a minimum or maximum of too many pieces to look into (dim_pieces.h)
  std::uint64_t hash = 0;
  std::uint32_t weight = 1;  // how many atoms it is written with
};
using AtomRef = std::shared_ptr<const DimAtom>;

struct DimTerm {
  std::int64_t coefficient = 1;
  std::vector<AtomRef> factors;  // sorted; never empty
};
struct DimForm {
  std::vector<DimTerm> terms;  // sorted; never empty
  std::uint64_t hash = 0;
};

using Shape = std::vector<Dim>;

Answer compare(const Dim& a, const Dim& b);  // are they equal?
// a / b if the quotient is a polynomial; nothing otherwise.
std::optional<Dim> divide_exactly(const Dim& a, const Dim& b);
Dim product(const Shape& shape);
bool never_negative(const Dim& d);

using SymbolValue = FunctionRef<std::optional<std::int64_t>(const SizeSymbol&)>;
// Nothing when a symbol has no value. Throws UserError when the number does not fit 64 bits.
std::optional<std::int64_t> evaluate(const Dim& d, SymbolValue value);
// What is known without any binding: constants, and lengths of arrays that are there.
std::optional<std::int64_t> known_value(const Dim& d);
// Minima, maxima and spreads replaced by the side that these values choose. What a value is missing
// for stays. The result is a polynomial with divisions.
Dim resolve(const Dim& d, SymbolValue value);
void for_each_symbol(const Dim& d, FunctionRef<void(const SymbolRef&)> f);
// Is `whole` that part, or what broadcasting makes of it and others?
bool is_spread_of(const Dim& whole, const Dim& part);

// `n * m + 2`. Symbols without a name are shown by their length; what lies deep inside by dots.
std::string to_text(const Dim& d);
std::string to_text(const Shape& shape);  // (n, 3)

}  // namespace lathe::array
