#!/usr/bin/env python3
"""Tests check.py: each kind of offence is refused, in a small tree made for it, and what is allowed is not."""
import os
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import check  # noqa: E402


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        os.makedirs(os.path.join(self.root, "tests/architecture"))
        shutil.copy(os.path.join(HERE, "layers.txt"), os.path.join(self.root, "tests/architecture"))
        self.write("compiler/ir/ir.h", "")
        self.write("compiler/fuse/fuse.h", "")
        self.write("compiler/codegen/body.h", "")

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def refused(self, path, text, why):
        self.write(path, text)
        offences = check.check(self.root)
        self.assertEqual(len(offences), 1, offences)
        self.assertIn(path.rsplit("/", 1)[0], offences[0])
        self.assertIn(why, offences[0])

    def test_allowed_includes_pass(self):
        self.write("compiler/lower/lower.cpp", '#include "compiler/fuse/fuse.h"\n#include "compiler/ir/ir.h"\n')
        self.write("compiler/codegen/body.cpp", '#include "compiler/codegen/body.h"\n#include <llvm/IR/Module.h>\n')
        self.write("tests/codegen/body_test.cpp", '#include "compiler/codegen/body.h"\n')
        self.assertEqual(check.check(self.root), [])

    def test_upward(self):
        self.refused("compiler/ir/ir.cpp", '#include "compiler/fuse/fuse.h"\n', "upward or sideways")

    def test_sideways(self):
        self.write("compiler/text/text.h", "")
        self.refused("compiler/interpreter/interpreter.cpp", '#include "compiler/text/text.h"\n', "sideways")

    def test_runtime_knows_nothing_of_graphs(self):
        self.refused("runtime/pool.cpp", '#include "compiler/ir/ir.h"\n', "upward")

    def test_private_header(self):
        self.refused("compiler/link/link.cpp", '#include "compiler/codegen/body.h"\n', "private header")

    def test_private_header_in_tests_of_another_area(self):
        self.refused("tests/ir/ir_test.cpp", '#include "compiler/codegen/body.h"\n', "private header")

    def test_llvm_outside_codegen(self):
        self.refused("compiler/lower/lower.cpp", "#include <llvm/IR/Module.h>\n", "LLVM outside")

    def test_blas_outside_runtime(self):
        self.refused("compiler/lower/lower.cpp", "#include <cblas.h>\n", "BLAS outside")

    def test_library_in_a_contract(self):
        self.refused("runtime/threads.h", "#include <oneapi/tbb/task_group.h>\n", "in a contract")

    def test_system_header_in_a_contract(self):
        self.refused("runtime/include/weft/array.h", "#include <sys/mman.h>\n", "in a contract")

    def test_long_file(self):
        self.refused("compiler/ir/ir.cpp", "\n" * 501, "501 lines")

    def test_pass_without_golden(self):
        self.write("compiler/rewrite/merge.cpp", "// before a\n// after b\n")
        self.refused("compiler/rewrite/passes.def", 'PASS(merge, "x")\n', "no golden")

    def test_pass_that_does_not_say_before_and_after(self):
        self.write("compiler/rewrite/passes.def", 'PASS(merge, "x")\n')
        self.write("tests/rewrite/merge.mlir", "")
        self.refused("compiler/rewrite/merge.cpp", "// merges\n", "before and after")


if __name__ == "__main__":
    unittest.main()
