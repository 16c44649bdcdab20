# SPDX-License-Identifier: Apache-2.0
# Every statement that Python 3.11 has, for the parser's tests and their mutations.
"""A module."""
from __future__ import annotations
import a, b.c, d as e, f.g as h
from a import b, c as d
from . import a
from .. import (b, c as d,)
from ...a.b import *
from ....a import (b)
pass; pass
a = b = c, d = e
a, *b, (c, [d, *e]), f.g, h[i] = j
(a) = [b] = c
[] = () = a
a: int; a.b: int = 1; (a): str = yield_; a[b]: c
a += 1; a -= b; a *= c; a /= d; a //= e; a %= f; a **= g; a @= h; a |= i; a &= j; a ^= k; a <<= l; a >>= m
(a) += yield_; a.b += c, d
del a, b.c, d[e], (f, [g]); del (a); del a,; del ()
assert a; assert a, b
raise_ = 0
global a, b
if a: b
elif c: d
else: e
if (a := b) > c:
    pass
elif d:
    if e:
        pass
    else:
        pass
else:
    f
while a: break
else: pass
while a := b:
    continue
for a in b: pass
for a, *b in c, *d:
    pass
else:
    pass
for (a, b), [c] in d: pass
for a.b in c: pass
for a[b] in c: pass
with a: pass
with a as b, c as d.e, f as (g, h): pass
with (a as b, c as d,): pass
with (a, b): pass
with (a): pass
with (a) as b: pass
with (a, b) as c: pass
with (a), (b): pass
with (yield_): pass
with (a for a in b): pass
with (a := b): pass
with (a, *b): pass
with (): pass
with (a).b as c: pass
with (a as b): pass
try: a
except: b
try:
    a
except A: b
except (B, C) as d: e
else: f
finally: g
try: a
finally: b
try: a
except* A: b
except *B as c: d
def f(): pass
def f(a, b=1, /, c=2, *d: int, e, f: str = 'x', **g: list) -> h: return
def f(a, /): return a, *b
def f(a, /, *, b): yield
def f(*, a=1, b): yield a; return (yield)
def f(*a: *b): raise
def f(a, b, c=1,): raise A
def f(*a, b=1,): raise A from b
def f(**a,): x = yield; y = yield from z; x += yield
@a
@b.c(d)
@(e := f)
@g[h]
async def f(a: int) -> None:
    await a
    async for b in c: pass
    else: pass
    async with a as b, c: pass
    async with (a as b): pass
    return [await a async for a in b if await c]
    nonlocal d
    await a ** b
    -await a
@a
class A: pass
class A(): x: int = 1
class A(B, *C, metaclass=D, **E):
    """Docs."""
    def f(self): return self

    # A comment.
    class B(C.D): pass
	# a tab in a comment
    @property
    def g(self):
        if self:
	        return 1
        return 2
match a:
    case 1 | -2 | 3.5 | -4j | 5 + 6j | -7 - 8j: pass
    case 'a' 'b' | b'c' | None | True | False: pass
    case _: pass
    case b: pass
    case b.c | b.c.d: pass
    case (b): pass
    case (b, c) | [b, c] | [] | () | (b,) | [b,]: pass
    case [b, *_, c] | (*d, e): pass
    case b, c: pass
    case *b, c: pass
    case b,: pass
    case {}: pass
    case {'a': b, 1: c, -1: c, d.e: f, None: g, **h}: pass
    case {**h}: pass
    case A() | B.C(a) | D(a, b=c, d=_) | E(a=b,): pass
    case (b | c) as d if e := f: pass
    case [A(x=0) as a, {'k': [*_]}] if x: pass
match a, b:
    case _: pass
match *a, b:
    case _: pass
match (a):
    case _:
        match -b:
            case _: pass
match[a]
match(a)
match = case = 1
match: int
match.a; match, b
match * a
match -a
type = 1
type(a)
type.b
print
