# SPDX-License-Identifier: Apache-2.0
"""The checkers find what is wrong, with the message a reader sees, and nothing else."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_layers  # noqa: E402
import check_style  # noqa: E402

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Layers(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/layers.txt", "base:  # nothing\nir: base\ncli: *\n")
        self.write("src/CMakeLists.txt", "foreach(folder base ir cli\n  frontend/array)\nendforeach()\n")
        self.write("src/base/a.h", "#include <vector>\n")
        self.write("src/ir/b.h", '#include "base/a.h"\n#include "ir/c.h"\n')
        self.write("src/ir/c.h", "")
        self.write("src/cli/main.cpp", '#include "ir/b.h"\n#include "pipeline.h"\n')
        self.write("src/pipeline.h", '#include "cli/x.h"\n')
        self.write("src/cli/x.h", "")

    def test_a_clean_tree(self):
        self.assertEqual(check_layers.check(self.root), [])

    def test_a_wrong_include_is_found(self):
        self.write("src/base/bad.cpp", '\n  #  include "ir/b.h"\n')
        self.assertEqual(check_layers.check(self.root), [
            "src/base/bad.cpp:2: base/ must not include ir/b.h; it may include nothing",
            "a cycle of includes: base -> ir -> base"])

    def test_a_file_of_src_itself_is_above_all_folders(self):
        self.write("src/ir/bad.cpp", '#include "pipeline.h"\n')
        self.assertEqual(check_layers.check(self.root), [
            "src/ir/bad.cpp:1: ir/ must not include pipeline.h; it may include base"])

    def test_paths_begin_at_src(self):
        self.write("src/ir/bad.cpp", '#include "c.h"\n')
        self.assertEqual(check_layers.check(self.root),
                         ["src/ir/bad.cpp:1: no file src/c.h; paths begin at src/"])

    def test_an_unlisted_folder(self):
        self.write("src/stray/a.h", "")
        self.assertEqual(check_layers.check(self.root),
                         ["layers.txt: folder 'stray' is not listed"])

    def test_an_unlisted_folder_beside_a_listed_one(self):
        self.write("src/layers.txt", "base:\nir: base\ncli: *\nemit/c: ir\n")
        self.write("src/emit/c/a.h", "")
        self.write("src/emit/other/a.h", "")
        self.assertEqual(check_layers.check(self.root),
                         ["layers.txt: folder 'emit/other' is not listed"])

    def test_a_folder_that_nothing_compiles(self):
        self.write("src/layers.txt", "base:\nir: base\ncli: *\nemit/c: ir\n")
        self.write("src/emit/c/a.cpp", "")
        self.assertEqual(check_layers.check(self.root), [
            "src/CMakeLists.txt: folder 'emit/c' has sources, but is not in the list: nothing compiles them"])
        self.write("src/CMakeLists.txt", "add_subdirectory(base)\n")
        self.assertEqual(check_layers.check(self.root), [
            "src/CMakeLists.txt: there is no 'foreach(folder ...)' with the list of folders"])

    def test_inner_folders_may_have_their_own_line(self):
        self.write("src/layers.txt",
                   "base:\nir: base\ncli: *\nfrontend: ir\nfrontend/array: ir\n")
        self.write("src/frontend/array/a.cpp", '#include "frontend/stencil/s.h"\n')
        self.write("src/frontend/stencil/s.h", '#include "ir/b.h"\n')
        self.assertEqual(check_layers.check(self.root), [
            "src/frontend/array/a.cpp:1: frontend/array/ must not include "
            "frontend/stencil/s.h; it may include ir"])

    def test_mistakes_in_the_list(self):
        self.write("src/layers.txt", "base: ir\nir: base\ncli: *\nbase:\nwhat\nx: y\n")
        self.assertEqual(check_layers.check(self.root), [
            "layers.txt:4: 'base' is listed twice",
            "layers.txt:5: expected 'folder: folders', found 'what'",
            "layers.txt: 'x' may include 'y', which is not listed"])
        self.write("src/layers.txt", "base: ir\nir: base\ncli: *\n")
        self.assertEqual(check_layers.check(self.root),
                         ["layers.txt: a cycle: base -> ir -> base"])


class Style(Tree):
    def complaints(self, name, text):
        self.write(name, text)
        return check_style.check(self.root, [name])

    def test_licence_line(self):
        self.assertEqual(self.complaints("src/a.cpp", SPDX), [])
        self.assertEqual(self.complaints("src/b.cpp", "int x;\n"), [
            "src/b.cpp: the first three lines hold no 'SPDX-License-Identifier: Apache-2.0'"])
        self.assertEqual(self.complaints("tools/run", "#!/bin/sh\n"), [
            "tools/run: the first three lines hold no 'SPDX-License-Identifier: Apache-2.0'"])
        self.assertEqual(self.complaints("LICENSE", "free\n"), [])

    def test_long_files_need_a_reason(self):
        text = SPDX + "\n" * 600
        self.assertEqual(self.complaints("src/a.cpp", text), [
            "src/a.cpp: 601 lines; split it, or give a reason in tools/long_files.txt "
            "(limit 600)"])
        self.write("tools/long_files.txt", "# list\nsrc/a.cpp: one table\n")
        self.assertEqual(self.complaints("src/a.cpp", text), [])
        self.write("tools/long_files.txt", "src/a.cpp:\nsrc/gone.cpp: x\n")
        self.assertEqual(self.complaints("src/a.cpp", text), [
            "tools/long_files.txt: no reason is given for src/a.cpp",
            "tools/long_files.txt: there is no file src/gone.cpp"])

    def test_heavy_headers(self):
        self.assertEqual(self.complaints("src/a.h", SPDX + "#include <iostream>\n"), [
            "src/a.h:2: <iostream> is slow to compile; include it in .cpp files only"])
        self.assertEqual(self.complaints("src/a.cpp", SPDX + "#include <iostream>\n"), [])


if __name__ == "__main__":
    unittest.main()
