"""docs/gates.md: the area of the modules of nano, that of every preset by the model, and the model's error."""
from area import model, synthesis

INTRODUCTION = """# Gates of each unit

Written by `scripts/gates`: Yosys' generic one-bit cells, all instances of a module together, without the modules
inside it; no sharing, no technology, so good for comparing units and machines with each other. Memories, and the EUP's coefficient tables,
stay what they are. Logic depth: cells on the longest way through a module from its inputs or flip-flops to its outputs or
flip-flops, of one instance, of generic cells; adders are Yosys' own; `-`: not measured.

## At preset nano

"""

PRESETS = """
## Of every preset

By the model below, which `tandem sweep` ([sweep.md](sweep.md)) takes for any machine.

"""

MODEL = """
## The model

A module's gates, flip-flops and bits of memory are a sum of terms of the machine's lanes L, rows of VMEM R, words of SMEM S and cached
bundles (`report/area/area_terms.def`); which terms a module has is known from its RTL (`scripts/area/model.py`), and the factors are fitted to
machines that are synthesised (`report/area/area_model.def`, generated). The matrix unit's array needs more memory in Yosys than a process
of ours gets beyond ten lanes: it is fitted to arrays of {array_fitted} lanes alone and checked on one of {array_checked}; sums of larger machines
here are without it. *Fitted* are {fitted}; machines of more than 16 lanes lie beyond them.

The error on machines to which the model was not fitted is at most 5%, or `scripts/gates` fails:

| machine | gates measured | by the model | error | flip-flops | memory bits | largest error of a module with 1% of the gates |
|---|---:|---:|---:|---:|---:|---|
"""


def number(value):
    return f"{round(value):,}"


def percent(found, measured):
    return f"{100 * (found - measured) / measured:+.1f}%" if measured else "0"


def name(machine):
    lanes, rows, words, bundles = machine
    return f"lanes={lanes},vmem={rows * lanes * 4 // 1024}KiB,smem={words * 4 // 1024}KiB,icache={bundles}"


def nano_table(modules):
    lines = ["| module | instances | gates | flip-flops | memory bits | logic depth |", "|---|---:|---:|---:|---:|---:|"]
    for module, row in sorted(modules.items(), key=lambda item: -item[1]["gates"]):
        lines.append(f"| `{module}` | " + " | ".join(
            number(row[key]) for key in ("instances", "gates", "flip_flops", "memory_bits")) + f" | {row['depth'] or '-'} |")
    sums = [sum(row[quantity] for row in modules.values()) for quantity in model.QUANTITIES]
    lines.append("| all | | " + " | ".join(number(value) for value in sums) + " | |")
    return "\n".join(lines) + "\n"


def total(fitted, machine, modules, quantity):
    return sum(model.predicted(fitted, machine, module, quantity) for module in modules)


def preset_table(fitted, presets):
    lines = ["| preset | lanes | gates | flip-flops | memory bits | largest modules |", "|---|---:|---:|---:|---:|---|"]
    for preset, machine in presets.items():
        sums = [total(fitted, machine, fitted, quantity) for quantity in model.QUANTITIES]
        largest = sorted(fitted, key=lambda module: -model.predicted(fitted, machine, module, "gates"))[:3]
        shares = ", ".join(f"`{module}` {100 * model.predicted(fitted, machine, module, 'gates') / sums[0]:.0f}%" for module in largest)
        lines.append(f"| {preset} | {machine.lanes} | " + " | ".join(number(value) for value in sums) + f" | {shares} |")
    return "\n".join(lines) + "\n"


def errors(fitted, machine, modules):
    """The errors of each quantity's sum, and the larger module with the largest error: (module, error of its gates)."""
    sums = {quantity: sum(row[quantity] for row in modules.values()) for quantity in model.QUANTITIES}
    of_sums = {quantity: total(fitted, machine, modules, quantity) / measured - 1 if measured else 0.0
               for quantity, measured in sums.items()}
    large = [module for module, row in modules.items() if row["gates"] >= 0.01 * sums["gates"]]
    of_modules = {module: model.predicted(fitted, machine, module, "gates") / modules[module]["gates"] - 1 for module in large}
    return of_sums, max(of_modules.items(), key=lambda item: abs(item[1]))


def check_table(fitted, checked):
    lines = []
    for machine, modules in checked.items():
        gates = sum(row["gates"] for row in modules.values())
        of_sums, (module, error) = errors(fitted, machine, modules)
        title = f"the array, {machine.lanes} lanes" if list(modules) == [synthesis.ARRAY] else f"`{name(machine)}`"
        lines.append(f"| {title} | {number(gates)} | {number(total(fitted, machine, modules, 'gates'))} | "
                     + " | ".join(f"{100 * of_sums[quantity]:+.1f}%" for quantity in model.QUANTITIES)
                     + f" | `{module}` {100 * error:+.1f}% |")
    return "\n".join(lines) + "\n"


def page(fitted, nano, presets, measured, checked, arrays):
    text = INTRODUCTION + nano_table(nano) + PRESETS + preset_table(fitted, presets)
    text += MODEL.format(fitted=", ".join(f"`{name(machine)}`" for machine in measured if len(measured[machine]) > 1),
                         array_fitted=" and ".join(str(lanes) for lanes in arrays[0]), array_checked=arrays[1])
    return text + check_table(fitted, checked)
