// SPDX-License-Identifier: Apache-2.0
// Patterns as ast.dump prints them.

#include "frontend/python/dump_writer.h"

namespace lathe::python {

void DumpWriter::write(const Pattern* p) {
  const Span span = p->span;
  switch (p->kind) {
    case PatternKind::Value:
      Node(*this, "MatchValue", span).field("value", p->as<MatchValue>().value);
      return;
    case PatternKind::Singleton:
      Node(*this, "MatchSingleton", span).field("value", p->as<MatchSingleton>().value);
      return;
    case PatternKind::Sequence:
      Node(*this, "MatchSequence", span).field("patterns", p->as<MatchSequence>().patterns);
      return;
    case PatternKind::Mapping: {
      const auto& m = p->as<MatchMapping>();
      Node(*this, "MatchMapping", span)
          .field("keys", m.keys)
          .field("patterns", m.patterns)
          .optional("rest", m.rest);
      return;
    }
    case PatternKind::Class: {
      const auto& c = p->as<MatchClass>();
      Node(*this, "MatchClass", span)
          .field("cls", c.type)
          .field("patterns", c.patterns)
          .field("kwd_attrs", c.names)
          .field("kwd_patterns", c.named_patterns);
      return;
    }
    case PatternKind::Star:
      Node(*this, "MatchStar", span).optional("name", p->as<MatchStar>().name);
      return;
    case PatternKind::As: {
      const auto& a = p->as<MatchAs>();
      Node(*this, "MatchAs", span).optional("pattern", a.pattern).optional("name", a.name);
      return;
    }
    case PatternKind::Or:
      Node(*this, "MatchOr", span).field("patterns", p->as<MatchOr>().patterns);
      return;
  }
}

}  // namespace lathe::python
