# SPDX-License-Identifier: Apache-2.0
# What Python 3.12 added.
type A = int
type A[T] = list[T]
type A[T: int, *Ts, **P] = B[T, *Ts, P]
type type = type
def f[T](a: T) -> T: pass
async def f[T: (int, str), *Ts, **P,](a): pass
class A[T](B[T], c=d): pass
class A[T]: pass
a = f'{a['b']}' f"{"c"}" f'{f'{f'{1}'}'}' f"{'\n'.join(a)}" f'{a + # comment
b}' f'{
a
}' f'{a:{b:{c}}}' f"{a!r:{b!s}}" f'{x:{'a' 'b'}}' f'{1 # what
  = }'
