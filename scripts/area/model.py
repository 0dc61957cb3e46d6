"""The area of a module as a sum of terms of the machine's sizes: fitted to some machines, checked on others.

Terms are rows of report/area/area_terms.def. TERMS lists what a module may depend on, from the RTL: a module that is
not listed has the same area in every machine.
"""
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUANTITIES = ("gates", "flip_flops", "memory_bits")
LINEAR = ("one", "lanes")
SHUFFLED = ("lanes", "lanes_log_lanes")  # lanes that reach lanes over a logarithmic network
TERMS = {
    "tpu_valu_slice": {"gates": ("lanes",), "flip_flops": ("lanes",)},
    "tpu_valu": {"gates": SHUFFLED, "flip_flops": LINEAR},
    "tpu_mxu_array": {"gates": ("lanes", "lanes_squared"), "flip_flops": ("lanes", "lanes_squared")},
    "tpu_mxu_acc": {"gates": LINEAR, "flip_flops": LINEAR, "memory_bits": ("lanes",)},
    "tpu_mxu": {"flip_flops": LINEAR},
    "tpu_eup": {"gates": LINEAR, "flip_flops": LINEAR},
    "tpu_xlu": {"gates": SHUFFLED, "flip_flops": LINEAR},
    "tpu_vmem": {"gates": ("one", "lanes", "log_rows"), "memory_bits": ("rows_lanes",)},
    "tpu_vregs": {"gates": LINEAR, "memory_bits": ("lanes",)},
    "tpu_mregs": {"gates": LINEAR, "flip_flops": ("lanes",)},
    "tpu_vector": {"gates": ("one", "lanes", "log_rows")},
    "tpu_load": {"gates": ("one", "lanes", "log_rows"), "flip_flops": ("one", "lanes", "log_rows")},
    "tpu_store": {"gates": ("one", "log_rows"), "flip_flops": ("one", "lanes", "log_rows")},
    "tpu_bankpick": {"gates": ("one", "log_rows")},
    "tpu_address": {"gates": ("one", "log_lanes", "log_rows")},
    "tpu_smem": {"gates": ("one", "lanes", "beats"), "flip_flops": ("one", "beats"), "memory_bits": ("words",)},
    "tpu_scalar": {"gates": ("one", "log_words")},
    "tpu_issue": {"gates": ("one", "lanes")},
    "tpu_descriptor": {"gates": ("one", "log_lanes", "log_rows"), "flip_flops": ("one", "log_rows")},
    "tpu_copymove": {"gates": ("one", "lanes", "log_rows"), "flip_flops": ("one", "lanes", "log_rows")},
    "tpu_copyread": {"gates": ("one", "log_lanes"), "flip_flops": ("one", "log_lanes")},
    "tpu_copywrite": {"gates": ("one", "log_lanes"), "flip_flops": ("one", "log_lanes")},
    "tpu_dma": {"gates": ("one", "log_rows", "log_words"), "flip_flops": ("one", "log_rows", "log_words")},
    "tpu_fifo": {"gates": ("one", "lanes"), "memory_bits": ("one", "lanes", "log_rows", "log_words")},
    "tpu_fetch": {"gates": ("one", "log_lanes"), "flip_flops": ("one", "log_lanes")},
    "tpu_icache": {"gates": ("one", "lines", "log_lanes"), "flip_flops": ("one", "lines"),
                   "memory_bits": ("bundles",)},
    "tpu_readport": {"gates": ("one", "log_lanes")},
    "tpu_trap": {"gates": ("one", "log_words", "log_rows")},
}


def terms():
    """name -> function of (lanes, rows, words, bundles)."""
    text = (ROOT / "report/area/area_terms.def").read_text()
    made = {}
    for name, value in re.findall(r"^AREA_TERM\((\w+), (.*)\)$", text, re.M):
        code = compile(value, name, "eval")
        made[name] = lambda machine, code=code: float(eval(code, {"log2": math.log2}, dict(  # noqa: S307: our own table
            zip(("lanes", "rows", "words", "bundles"), machine))))
    return made


TERM = terms()


def values(names, machine):
    return [TERM[name](machine) for name in names]


def least_squares(rows, target):
    """x with the least sum of squares of rows * x - target, or None if the rows do not determine it."""
    size = len(rows[0])
    scale = [max(abs(row[i]) for row in rows) or 1.0 for i in range(size)]
    rows = [[value / scale[i] for i, value in enumerate(row)] for row in rows]
    normal = [[sum(row[i] * row[j] for row in rows) for j in range(size)]
              + [sum(row[i] * value for row, value in zip(rows, target))] for i in range(size)]
    known = []
    for column in range(size):
        free = [i for i in range(size) if i not in known]
        pivot = max(free, key=lambda i: abs(normal[i][column]))
        if abs(normal[pivot][column]) < 1e-9:
            return None
        known.append(pivot)
        for i in range(size):
            if i != pivot:
                factor = normal[i][column] / normal[pivot][column]
                normal[i] = [a - factor * b for a, b in zip(normal[i], normal[pivot])]
    return [normal[known[i]][size] / normal[known[i]][i] / scale[i] for i in range(size)]


def fitted(module, quantity, measured):
    """{term: coefficient} of {machine: value}, each error in proportion to its value."""
    if not any(measured.values()):
        return {}
    names = TERMS.get(module, {}).get(quantity, ("one",))
    weights = [1 / max(value, 1) for value in measured.values()]
    rows = [[weight * value for value in values(names, machine)] for weight, machine in zip(weights, measured)]
    found = least_squares(rows, [weight * value for weight, value in zip(weights, measured.values())])
    if found is None:
        raise ValueError(f"these machines do not tell the terms of {module} ({quantity}) apart: {', '.join(names)}")
    return {name: value for name, value in zip(names, found) if value}


def fit(measured):
    """{module: {quantity: {term: coefficient}}} of {machine: {module: {quantity: value}}}."""
    model = {}
    for module in sorted({module for modules in measured.values() for module in modules}):
        model[module] = {
            quantity: fitted(module, quantity, {machine: modules[module][quantity]
                                                for machine, modules in measured.items() if module in modules})
            for quantity in QUANTITIES}
    return model


def predicted(model, machine, module, quantity):
    return sum(value * TERM[name](machine) for name, value in model[module][quantity].items())


def definitions(model):
    """The rows of report/area/area_model.def."""
    lines = ["// Generated by scripts/gates: what the modules of a machine come to, AREA(module, quantity, term,",
             "// coefficient), fitted to machines synthesised with Yosys; docs/gates.md says how well.", ""]
    for module, quantities in model.items():
        for quantity in QUANTITIES:
            for term, value in quantities[quantity].items():
                lines.append(f"AREA({module}, {quantity}, {term}, {value:.10g})")
    return "\n".join(lines) + "\n"
