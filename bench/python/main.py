# SPDX-License-Identifier: Apache-2.0
"""The same programs in Lathe, GT4Py, JAX, numba, torch and NumPy, from Python: the first call with everything that is
compiled in it, and the calls after it. tools/bench --python [--quick] [--only PROGRAM] [--who LIBRARY] [--table]

Every library and program has a process of its own with empty caches. Results of earlier runs stay in
build/bench/python.json until they are measured again; --table only prints them.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WHO = ["lathe", "gt4py gt:cpu_ifirst", "gt4py numpy", "jax", "numba", "torch", "numpy"]
PROGRAMS = {"hdiff": 128, "vadv": 128, "tridiagonal": 128, "chain": 4_000_000, "softmax": 4_000_000}
QUICK = {"hdiff": 64, "vadv": 64, "tridiagonal": 64, "chain": 400_000, "softmax": 400_000}
ABSENT = {("torch", "vadv"): "would unroll its loop", ("torch", "tridiagonal"): "would unroll its loop"}


def measure(who, program, size, threads, rounds, seconds):
    with tempfile.TemporaryDirectory(prefix="lathe-bench-") as folder:
        environment = dict(os.environ, LATHE_CACHE_DIR=f"{folder}/lathe", LATHE_BENCH_CACHE=folder,
                           GT_CACHE_ROOT=folder, TORCHINDUCTOR_CACHE_DIR=f"{folder}/torch", NUMBA_CACHE_DIR=f"{folder}/numba",
                           GT4PY_EXTRA_COMPILE_OPT_FLAGS="-march=native", JAX_PLATFORMS="cpu")
        for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "LATHE_THREADS"):
            environment[name] = str(threads)
        command = [sys.executable, f"{HERE}/worker.py", who, program, str(size), str(threads), str(rounds)]
        try:
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return {"missing": f"longer than {seconds} s"}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    return {"missing": (done.stderr.strip().splitlines() or ["nothing was said"])[-1][:120]}


def milliseconds(seconds):
    value = 1000 * seconds
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(records, programs):
    whos = [w for w in WHO if any(r["who"] == w for r in records.values())]
    for title, key in (("first call, ms", "first"), ("calls after it, ms", "steady")):
        print(f"\n| {title} | " + " | ".join(whos) + " |\n|" + "---|" * (len(whos) + 1))
        for program in programs:
            cells = []
            for who in whos:
                record = records.get(f"{who}/{program}", {})
                cells.append(milliseconds(record[key]) if key in record else "-")
            print(f"| {program} | " + " | ".join(cells) + " |")
    print()
    for name, record in records.items():
        if "missing" in record and record["missing"]:
            print(f"{name}: {record['missing']}")


def disagree(a, b):
    return any(not math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12) for x, y in zip(a, b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds")
    parser.add_argument("--only", action="append", choices=PROGRAMS, help="this program; may be repeated")
    parser.add_argument("--who", action="append", help="libraries whose name begins so; may be repeated")
    parser.add_argument("--table", action="store_true", help="print what was measured before")
    parser.add_argument("--out", default="build/bench", help="the folder of the results")
    options = parser.parse_args()
    path = os.path.join(options.out, "python-quick.json" if options.quick else "python.json")
    records = {}
    if os.path.exists(path):
        with open(path) as file:
            records = json.load(file)
    threads = len(os.sched_getaffinity(0))
    wrong = []
    for program in [] if options.table else options.only or PROGRAMS:
        for who in WHO:
            if options.who and not any(who.startswith(w) for w in options.who):
                continue
            key = f"{who}/{program}"
            if who.startswith("gt4py") and program in ("chain", "softmax"):
                continue
            if (who, program) in ABSENT:
                records[key] = {"who": who, "missing": ABSENT[who, program]}
                continue
            size = (QUICK if options.quick else PROGRAMS)[program]
            record = measure(who, program, size, threads, 7 if options.quick else 31, 120 if options.quick else 600)
            records[key] = {"who": who, **record}
            told = record.get("missing") or f"first {milliseconds(record['first'])} ms, then {milliseconds(record['steady'])} ms"
            print(f"{key}: {told}", file=sys.stderr, flush=True)
            os.makedirs(options.out, exist_ok=True)
            with open(path, "w") as file:
                json.dump(records, file, indent=1)
    for program in PROGRAMS:
        known = records.get(f"numpy/{program}", {}).get("sample")
        for who in WHO:
            sample = records.get(f"{who}/{program}", {}).get("sample")
            if known and sample and disagree(known, sample):
                wrong.append(f"{who} and NumPy differ in {program}")
    table(records, PROGRAMS)
    print("\n".join(wrong) or "all results agree")
    return 1 if wrong else 0


sys.exit(main())
