// SPDX-License-Identifier: Apache-2.0
// Places and layouts of schedule_parser.h:
//
//   t -> window(j, 2)    t -> tile [k, i]    t -> in place u    copy A -> tile [n/64, k, n%64]
//
// Which axes an array has, and whether a place fits its statement, is looked up when the schedule
// meets its program: edits by the C++ interface are checked there, too.

#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "schedule/schedule_parser.h"

namespace lathe::schedule {
namespace {

struct PlaceWord {
  std::string_view word;
  PlaceKind kind;
};
constexpr std::array<PlaceWord, 7> kPlaceWords = {{{"nowhere", PlaceKind::Nowhere},
                                                   {"register", PlaceKind::Register},
                                                   {"window", PlaceKind::Window},
                                                   {"tile", PlaceKind::Tile},
                                                   {"whole", PlaceKind::Whole},
                                                   {"stream", PlaceKind::Stream},
                                                   {"in", PlaceKind::InPlace}}};

}  // namespace

void ScheduleParser::place(Node& n) {
  constexpr const char* kPlaces =
      "the places are nowhere, register, window(loop, depth), tile, whole, stream and in place";
  const Token& token = peek();
  const auto* found = std::find_if(kPlaceWords.begin(), kPlaceWords.end(),
                                   [&](const PlaceWord& w) { return at(w.word); });
  if (token.kind != TokenKind::Name)
    fail(span(token), "expected a place after '->', not " + shown(token), kPlaces);
  if (found == kPlaceWords.end()) {
    NearestName near(token.text);
    for (const PlaceWord& w : kPlaceWords) near.consider(w.word);
    fail(span(token), "'" + std::string(token.text) + "' is no place", near.help(kPlaces));
  }
  next();
  n.place.kind = found->kind;
  if (found->kind == PlaceKind::Window) window(n);
  if (found->kind == PlaceKind::InPlace) in_place(n);
  if (at("[")) layout(n);
}

void ScheduleParser::window(Node& n) {
  if (!at("("))
    fail(span(peek()), "expected '(' after 'window', not " + shown(peek()),
         "write window(j, 2): the loop it rolls along, and how many values are kept");
  next();
  const Token& loop = name("the loop that the window rolls along");
  check_loop_around(loop, n.name);
  n.place.window = program_.graph->symbol(loop.text);
  expect(",", "and the window's depth");
  n.place.depth = number({"the depth of a window", 1, 1024});
  expect(")", "after the window's depth");
}

void ScheduleParser::in_place(Node& n) {
  if (!accept("place"))
    fail(span(peek()), "expected 'place' after 'in', not " + shown(peek()),
         "write in place t: the temporary whose storage is taken over");
  const Token& token = name("the temporary whose storage is taken over");
  array(token);
  n.place.over = program_.graph->symbol(token.text);
}

void ScheduleParser::layout(Node& n) {
  if (!has_layout(n.place.kind))
    fail(span(peek()), kNoLayout,
         "'copy A -> tile [n/64, k, n%64]' lays out what is read of an array");
  next();
  do {
    n.place.layout.push_back(program_.graph->symbol(name("an axis").text));
  } while (accept(","));
  expect("]", "after the layout");
}

void ScheduleParser::copy(std::vector<Node>& out) {
  next();
  const Token& token = name("an array");
  const ir::Array* copied = array(token);
  Node n;
  n.kind = NodeKind::Copy;
  n.name = program_.graph->symbol(token.text);
  n.span = span(token);
  expect("->", "after the copied array");
  const Token& place = peek();
  if (!accept("tile")) fail(span(place), "a copy lives in a 'tile', not in " + shown(place));
  if (accept("[")) {
    do {
      n.layout.push_back(pack_axis(copied));
    } while (accept(","));
    expect("]", "after the layout");
  }
  out.push_back(std::move(n));
}

PackAxis ScheduleParser::pack_axis(const ir::Array* array) {
  PackAxis a;
  const Token& token = peek();
  if (token.kind == TokenKind::Integer) {
    a.axis = static_cast<std::size_t>(number({"the number of an axis", 0, 31}));
    if (array != nullptr && a.axis >= array->axes.size())
      name_error(span(token), "'" + std::string(array->name.text()) + "' has no axis " +
                                  std::string(token.text));
  } else {
    name("an axis");
    a.name = program_.graph->symbol(token.text);
    NearestName near(token.text);
    bool known = array == nullptr;
    for (std::size_t x = 0; array != nullptr && x < array->axes.size(); ++x) {
      near.consider(array->axes[x].name.text());
      if (!(array->axes[x].name == a.name)) continue;
      known = true;
      a.axis = x;
    }
    if (!known)
      name_error(span(token), "'" + std::string(array->name.text()) + "' has no axis '" +
                                  std::string(token.text) + "'")
          .help = near.help();
  }
  constexpr Number kPack{"the tile of a layout", 1, std::int64_t{1} << 20};
  if (accept("/")) {
    a.part = PackAxis::Part::Quotient;
    a.tile = number(kPack);
  } else if (accept("%")) {
    a.part = PackAxis::Part::Remainder;
    a.tile = number(kPack);
  }
  return a;
}

}  // namespace lathe::schedule
