#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/report.py: pictures that are well-formed XML, a table with the right numbers."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

REPORT = pathlib.Path(__file__).parents[2] / "bench" / "report.py"


def record(bench, size, who, seconds, limit=None, speed=None):
    return {"bench": bench, "dtype": "f64", "size": size, "who": who, "seconds": seconds,
            "limit_seconds": limit, "of_limit": limit / seconds if limit else None,
            "predicted_seconds": None, "lathe_speed": speed, "busy": False, "note": ""}


class ReportTest(unittest.TestCase):
    def run_report(self, records, *words):
        with tempfile.TemporaryDirectory() as folder:
            if records is not None:
                (pathlib.Path(folder) / "results.json").write_text(json.dumps(records))
            ran = subprocess.run([sys.executable, str(REPORT), folder, *words], capture_output=True,
                                 text=True, check=False)
            pictures = {path.name: xml.etree.ElementTree.parse(path).getroot()
                        for path in pathlib.Path(folder).glob("*.svg")}
            return ran, pictures, folder

    def test_table(self):
        ran, _, _ = self.run_report([
            record("chain", "1e7", "limit", 0.010, 0.010, 0.8),
            record("chain", "1e7", "lathe", 0.0125, 0.010, 1.0),
            record("chain", "1e7", "numpy", 0.05, 0.010, 4.0)], "--markdown")
        self.assertEqual(ran.stdout.splitlines()[-1],
                         "| a*b + c*d, f64, 1e7 | 10 ms | 12.5 ms | 0.80 | 4.00x |")
        self.assertEqual(ran.returncode, 0)

    def test_table_without_limit(self):
        ran, _, _ = self.run_report([record("chain", "1e7", "lathe", 0.0125)], "--markdown")
        self.assertEqual(ran.stdout.splitlines()[-1],
                         "| a*b + c*d, f64, 1e7 |  | 12.5 ms |  |")
        self.assertEqual(ran.returncode, 0)

    def test_pictures(self):
        ran, pictures, _ = self.run_report([
            record("chain", "1e7", "limit", 0.010, 0.010),
            record("chain", "1e7", "lathe", 0.0125, 0.010),
            record("compile_statements", "1", "lathe", 0.01),
            record("compile_statements", "1", "lathe and cc", 0.05),
            record("compile_statements", "10", "lathe", 0.02),
            record("compile_statements", "10", "lathe and cc", 0.2)])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(sorted(pictures), ["bars.svg", "compile_time.svg"])
        words = [element.text for element in pictures["bars.svg"].iter() if element.text]
        self.assertIn("a*b + c*d, f64, 1e7", words)
        self.assertIn("0.80   12.5 ms", words)

    def test_nothing_measured(self):
        ran, _, folder = self.run_report(None)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stderr, f"{folder}/results.json does not exist: run make bench first\n")


if __name__ == "__main__":
    unittest.main()
