"""What <weft/weft.h> costs a user: cost.py COMPILER SOURCE_DIR. The headers and lines are judged, the time is told."""
import os
import re
import subprocess
import sys
import tempfile
import time

# About 1.2 times the lines that weft.h brings today, those of the standard library included.
LINE_LIMIT = 38000
LIBRARIES = r"/llvm/|/llvm-c/|/mlir/|cblas|openblas|lapack|/fmt/|/tbb/|/oneapi/"
# Standard headers that would each cost about as much as all of Weft's own.
STANDARD = {"functional", "memory", "iostream", "regex", "filesystem", "thread", "chrono", "algorithm", "sstream",
            "random", "format", "future", "ranges"}


def main(compiler, source_dir):
    command = [compiler, "-std=c++20", "-O0", f"-I{source_dir}/runtime/include", f"-I{source_dir}/frontend/include"]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "header.cpp")
        with open(header, "w") as out:
            out.write("#include <weft/weft.h>\n")

        def run(*arguments):
            return subprocess.run(command + list(arguments), check=True, capture_output=True, text=True).stdout

        # From the line markers: -M also lists files that were only asked for with __has_include.
        included = sorted(set(re.findall(r'^# \d+ "(/[^"]*)" 1', run("-E", header), re.MULTILINE)))
        if not any(path.endswith("weft/weft.h") for path in included):
            faults.append("the list of included headers lacks weft/weft.h")
        for path in included:
            own = path.startswith(source_dir)
            name = path[len(source_dir):] if own else path
            if re.search(LIBRARIES, name) or (not own and os.path.basename(path) in STANDARD):
                faults.append(f"weft.h includes {path}")

        lines = sum(1 for line in run("-E", "-P", header).splitlines() if line.strip())
        if lines > LINE_LIMIT:
            faults.append(f"weft.h is {lines} lines after the preprocessor: more than {LINE_LIMIT}")
        start = time.perf_counter()
        run("-c", os.path.join(source_dir, "tests/header/user.cpp"), "-o", os.path.join(folder, "user.o"))
        seconds = time.perf_counter() - start
    print(f"{len(included)} headers, {lines} lines; tests/header/user.cpp compiles in {seconds:.2f} s")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main(sys.argv[1], os.path.abspath(sys.argv[2])))
