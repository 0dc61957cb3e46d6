// State that a reset meets is drawn evenly elsewhere, where a register of many bits never has a
// value that matters. Here it is that of a run: lines asked for, copies under way, operations in
// units.
#include <fmt/format.h>

#include <vector>

#include "cosim/verilated/rtl_machine.hpp"
#include "tests/cosim/host/host_bench.hpp"
#include "tests/cosim/host/saved_state.hpp"
#include "tests/cosim/host/scenarios.hpp"

namespace tandem::host {
namespace {

// Cycles to the end of a run that was just started.
std::uint64_t run(Machine& machine) {
  run_to_end(machine);
  return counted_cycles(machine);
}

void set_reset(Machine& machine, bool low) {
  change_state(machine, [low](std::vector<std::uint8_t>& saved) {
    *register_in(saved, "rst_ni", 1) = low ? 0 : 1;
  });
}

}  // namespace

void a_reset_in_any_cycle_gives_a_new_machine() {
  const Assembled program(R"(
        describe 0x400, 0x400000, 0, 64, 0, 512
        { dma: copy [0], s0, s0 }
        { s1 = mov 3 }
loop:   { s1 = sub s1, 1 ; xu: v1 = rcp v2 ; mx: mxmul.bf16 a0, v3.f32, swap ; ld: v4 = vld [0] }
        { p1 = ne s1, 0 ; mx: mxpush 0, v3.f32 ; st: vst [64], v1 }
        { xu: v5 = tanh v1 ; mx: v6 = mxread a0 }
        { sa: @p1 br loop }
        br      far
        .rept   40
        { }
        .endr
far:    { dma: wait f0, 1 }
        { sb: s2 = csr cycles_lo }
        halt
)");
  const auto machine = make_rtl_machine(*find_preset("nano"), {});
  power_up_and_start(*machine, program.launch);
  const std::uint64_t expected = run(*machine);
  const std::uint32_t read = machine->state().scalars[2];
  for (std::uint64_t cycles = 1; cycles < expected; cycles += 3) {
    machine->start(program.launch);
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) machine->cycle(nullptr);
    set_reset(*machine, true);
    machine->cycle(nullptr);
    set_reset(*machine, false);
    const std::string when = fmt::format("behind a reset in cycle {}", cycles);
    expect(machine->read_register(find_register("status")->number), 0, "status " + when);
    machine->start(program.launch);
    expect(run(*machine), expected, "cycles " + when);
    expect(machine->state().scalars[2], read, "the time that a program reads " + when);
  }
}

}  // namespace tandem::host
