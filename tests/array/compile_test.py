# SPDX-License-Identifier: Apache-2.0
"""What a compiler says about mistakes with arrays: few lines, and the mistake in one of them.

  compile_test.py COMPILER SOURCE
"""

import subprocess
import sys
import tempfile

CASES = [
    ('auto f(const lathe::Array& a) { return a + std::string("x"); }',
     "arrays can be combined with arrays, sizes and numbers"),
    ('auto f(const lathe::Array& a) { return "x" * a; }',
     "arrays can be combined with arrays, sizes and numbers"),
    ('auto f(const lathe::Array& a) { return sin(std::string("x")) + a; }', None),
    ("int f(const lathe::Array& a) { if (a > 1) return 1; return 0; }",
     "a lazy array has no truth value"),
    # Assignments that nobody would see.
    ("void f(const lathe::Array& c) { c(0) = 1; }", None),
    ("void f(const lathe::Array& c) { c(0) += 1; }", None),
    ("void f(const lathe::Array& c) { c(0)(1) = c; }", None),
    ("void f(lathe::Array a) { (a + 1) = a; }", None),
    ("void f(lathe::Array a) { (a + 1)(0) = 2; }", None),
    ("void f(lathe::Array a) { a(0)(lathe::range(1, 3)) = a; a(1) = a(0)(2); a(0) %= 2; a |= a; }", ""),
    ("auto f(const lathe::Array& a) { return sum(a * 2 + sin(a) / 3, {0, 1}, true); }", ""),
]


def main():
    compiler, source = sys.argv[1:]
    failed = 0
    for code, message in CASES:
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as f:
            f.write("#include <lathe/array.h>\n#include <string>\n" + code + "\n")
            f.flush()
            done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", source + "/include",
                                   f.name], capture_output=True, text=True, timeout=60)
        lines = done.stderr.splitlines()
        if message == "":
            wrong = done.returncode != 0
        elif message is None:
            wrong = done.returncode == 0
        else:
            wrong = done.returncode == 0 or message not in done.stderr or len(lines) >= 15
        if wrong:
            failed += 1
            print(f"{code}\n{len(lines)} lines:\n{done.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
