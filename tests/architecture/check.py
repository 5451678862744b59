#!/usr/bin/env python3
"""Refuses what the layers do not allow: see layers.txt. Usage: check.py [root]; prints each offence, exits 1 if any."""
import os
import re
import sys

MAX_LINES = 500
CODE = (".cpp", ".h", ".def")
COUNTED = CODE + (".py", ".cmake")
TOP_FOLDERS = ("runtime", "compiler", "frontend", "tools", "examples", "benchmarks", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
PASS_ROW = re.compile(r"^\s*PASS\(\s*(\w+)")
OS_HEADERS = re.compile(r"^(sys/|linux/|dlfcn\.h|unistd\.h|fcntl\.h|sched\.h|pthread\.h)")
PUBLIC = ("runtime/include", "frontend/include")


def read_layers(path):
    """The layers (folder -> contract, allowed folders) and the libraries (name -> folders, prefixes)."""
    layers, libraries = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if not line:
                continue
            name, second, third = (column.split() for column in line.split("|"))
            if name[0] == "library":
                libraries[name[1]] = (second, tuple(third))
            else:
                layers[name[0]] = (second, third)
    return layers, libraries


def layer_of(path, layers):
    """The deepest layer whose folder holds the file, or None."""
    folder = os.path.dirname(path)
    while folder and folder not in layers:
        folder = os.path.dirname(folder)
    return folder or None


def source_files(root, endings):
    for top in TOP_FOLDERS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if not f.startswith(("build", ".", "__")))
            for name in sorted(names):
                if name.endswith(endings) or name == "CMakeLists.txt":
                    yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def included_file(root, path, quote, name):
    """Where an include leads inside the project, or None when it is not one of its files."""
    candidates = [name] + [f"{public}/{name}" for public in PUBLIC]
    if quote == '"':
        candidates.append(os.path.normpath(os.path.join(os.path.dirname(path), name)))
    for candidate in candidates:
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def is_contract(target, layer, layers):
    contract = layers[layer][0]
    return contract == ["*"] or os.path.relpath(target, layer).replace(os.sep, "/") in contract


def check_layer(path, target, layers):
    """Why the file `path` may not include the project's file `target`, or None."""
    source, below = layer_of(path, layers), layer_of(target, layers)
    if below is None or source == below or target.startswith(os.path.dirname(path) + "/"):
        return None
    if path.startswith("tests/"):
        tested = layers[source][1] if source else []
        if below.startswith("tests/"):
            return f"{below} is another area of tests"
        if below in tested or is_contract(target, below, layers):
            return None
        return f"private header of {below}, which this area does not test"
    if source is None:
        return f"its folder is not in layers.txt but includes {below}"
    if below not in layers[source][1]:
        return f"{source} may not include {below}: upward or sideways"
    if not is_contract(target, below, layers):
        return f"private header of {below}"
    return None


def check_library(path, name, libraries):
    for library, (folders, prefixes) in libraries.items():
        if name.startswith(prefixes) and not any(path.startswith(folder + "/") for folder in folders):
            return f"{library} outside {' and '.join(folders)}"
    return None


def is_in_contract(path, layers):
    layer = layer_of(path, layers)
    return (path.endswith(".h") and layer is not None and not path.startswith("tests/")
            and is_contract(path, layer, layers))


def check_contract(path, name, layers, libraries):
    """A contract hides LLVM, BLAS, TBB and the operating system (codegen's and link's own may name LLVM)."""
    if not is_in_contract(path, layers):
        return None
    if OS_HEADERS.match(name):
        return "operating system header in a contract"
    for library, (_, prefixes) in libraries.items():
        if name.startswith(prefixes) and not path.startswith(("compiler/codegen/", "compiler/link/")):
            return f"{library} header in a contract"
    return None


def check_file(root, path, layers, libraries):
    offences = []
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().splitlines()
    if len(lines) > MAX_LINES:
        offences.append(f"{path}: {len(lines)} lines, more than {MAX_LINES}")
    if not path.endswith(CODE):
        return offences
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        target = included_file(root, path, quote, name)
        reasons = [check_library(path, name, libraries), check_contract(path, name, layers, libraries)]
        if target:
            reasons.append(check_layer(path, target, layers))
        offences += [f"{path}:{number}: includes {name}: {reason}" for reason in reasons if reason]
    return offences


def check_passes(root, layers):
    """Each row of a passes.def is a file that says before and after, and a golden of the same name."""
    offences = []
    for layer in layers:
        table = f"{layer}/passes.def"
        if not os.path.isfile(os.path.join(root, table)):
            continue
        with open(os.path.join(root, table), encoding="utf-8") as file:
            names = [match.group(1) for match in map(PASS_ROW.match, file) if match]
        for name in names:
            source, golden = f"{layer}/{name}.cpp", f"tests/{os.path.basename(layer)}/{name}.mlir"
            if not os.path.isfile(os.path.join(root, golden)):
                offences.append(f"{table}: pass {name} has no golden {golden}")
            if not os.path.isfile(os.path.join(root, source)):
                offences.append(f"{table}: pass {name} has no file {source}")
                continue
            with open(os.path.join(root, source), encoding="utf-8") as file:
                opening = "".join(line for line in file if line.startswith("//"))
            if "before" not in opening or "after" not in opening:
                offences.append(f"{source}: no comment that shows before and after")
    return offences


def check(root):
    layers, libraries = read_layers(os.path.join(root, "tests/architecture/layers.txt"))
    offences = []
    for path in source_files(root, COUNTED):
        offences += check_file(root, path, layers, libraries)
    return offences + check_passes(root, layers)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "..")
    offences = check(os.path.abspath(root))
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
