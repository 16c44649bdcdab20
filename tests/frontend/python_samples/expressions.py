# SPDX-License-Identifier: Apache-2.0
# Every form of expression that Python 3.11 has, for the parser's tests and their mutations.
a = 1, 0x_fF, 0o17, 0b1_0, 1_000, 00, 1., .5, 1e-3, 1.5E+3_0, 2j, 1e3J, 0xffffffffffffffffffff
b = a + b - c * d / e // f % g @ h
b = a | b ^ c & d << e >> f
b = -a ** -b ** +c, ~a, not a, not not a
b = a < b <= c == d != e > f >= g, a is b, a is not b, a in b, a not in b
b = a and b or c and not d
b = a if b else c if d else e
b = (a if b else c) if (d if e else f) else g
c = lambda: 0, lambda a, /, b=1, *c, d, e=2, **f: (a, b), lambda *, a: a, lambda *a, **b: 0
c = a.b.c(d)(e, *f, g=h, **i)[j].k
c = f(a for a in b), f(a, (b for b in c)), f(*a, b, *c, d=1, *e, **f, g=2), f(a := 1, b)
d = a[b], a[b:c], a[b:c:d], a[:], a[::], a[::b], a[b:], a[:b], a[b, c:d, ...], a[*b], a[*b, c], a[b,]
e = (), (a,), (a, b), (a, *b), [a, *b, c], [], {}, {a}, {a, *b}, {a: b}, {a: b, **c, d: e,}, {**a}
f = [a for b in c if d if e for f, *g in h], {a for a in b}, {a: b for a, b in c}, (a for a in b)
f = [[a for a in b] for b in c], [a async for a in b], (yield), (a := b), [a := 1, b := 2], {a := 1}
g = 'a' "b" '''c
d''' """e"f'g""" r'\d' R"\n" u'h', b'i' B'j' br'\k' Rb'l' rb"m"
g = '\a\b\f\n\r\t\v\\\'\"\0\12\377\x41\u1234\U0001f600\d\
joined', 'é', "\ud800", b'\xff\0\'"'
h = f'a{b}c{{d}}{e!r}{f!s:>10}{g:{h}.{i}}{j=}{k = !r:x}{l:%Y-%m}' f"{a['b']}" 'm' rf'\{n}\d' fR"{o}"
h = f'''{
a
:{b}}''', f'{(lambda x: x)}', f'{ {a: b}[c] }', f'{a,}', f'{a, *b}', f'{yield_}', F'\N{DIGIT ONE}{a}\x41'
h = f'{a!=b}', f'{a:=5}', f'{(a:=5)}', f'{a:{{}}}' if a else f'', f'{a:{b!r}}', f'{x:a{y}b{z}c}'
i = ..., None, True, False, __debug__, 1if a else 2, [0x1for b in c], 1 .real, 1..real, 1.0.real
j = await_, _, match, case, type, match(a), match[a], type(a), case.a, print
k = a if(b)else c; l = not(a), -(a), a[-1], a[not b]; m = (yield a), (yield from b), (yield a, *b)
n = (
    a  # a comment
    + b

    # another
    - c)
o = a \
    + b
ä = ñ + 变量 + _ü1
