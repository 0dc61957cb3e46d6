// Two points side by side: their machines, their cycles by cause, their area by module.

function beside(study) {
  if (study.done.length < 2) return {element: null, select: () => {}};
  const place = node("div");
  const chosen = [study.done[0], study.done.find((point) => point.program === study.done[0].program && point !== study.done[0]) || study.done[1]];
  const choosers = chosen.map((_, side) => node("select", {"aria-label": side === 0 ? "Left point" : "Right point",
    onchange: (event) => { chosen[side] = study.done[event.target.value]; show(); }},
  study.done.map((point, index) => node("option", {value: index}, `${point.program}: ${point.label}`))));
  const show = () => {
    choosers.forEach((chooser, side) => { chooser.value = study.done.indexOf(chosen[side]); });
    place.replaceChildren(...compared(study, ...chosen));
  };
  let next = 1;
  const select = (point) => {
    chosen[next] = point;
    next = 1 - next;
    show();
  };
  show();
  const element = section("beside", "Two machines side by side", "Choose two points here, or by a click on each in a chart above.",
      node("div", {class: "tools"}, choosers), place);
  return {element, select};
}

function compared(study, left, right) {
  const names = [...study.sizes, ...study.timings];
  const change = (a, b) => (a === b ? "the same" : a === 0 ? "new" : "× " + (b / a).toFixed(2));
  const columns = (first, form, value) => [
    {title: first, cell: (name) => name},
    {title: "Left", kind: "n", cell: (name) => form(value(left, name), name)},
    {title: "Right", kind: "n", cell: (name) => form(value(right, name), name)},
    {title: "Right over left", kind: "n", cell: (name) => change(value(left, name), value(right, name))},
  ];
  const parameter = (point, name) => point.parameters[name];
  const total = (point, name) => (name === "cycles" ? point.cycles : point.area[name]);
  const cause = (point, name) => point.counters.causes[name];
  const module = (point, name) => study.machines[point.sizes].modules[name].gates;
  const causes = Object.keys(study.meanings.causes).filter((name) => cause(left, name) + cause(right, name) > 0)
      .sort((a, b) => Math.abs(cause(right, b) - cause(left, b)) - Math.abs(cause(right, a) - cause(left, a)));
  const modules = Object.keys(study.machines[left.sizes].modules).sort((a, b) => module(right, b) - module(right, a)).slice(0, 16);
  const causeColumns = columns("Cause", whole, cause);
  causeColumns[0].cell = (name) => [swatch(causeColours[name]), name];
  return [
    table("The machines", columns("Parameter", (value, name) => parameterText(name, value), parameter), names),
    table("Cycles and area", columns("", short, total), ["cycles", "gates", "flip_flops", "memory_bits"]),
    table("Cycles by cause, greatest change first", [...causeColumns,
      {title: "Meaning", kind: "meaning", cell: (name) => prose(study.meanings.causes[name])}], causes),
    table("Gates by module, the largest", columns("Module", short, module), modules),
  ];
}
