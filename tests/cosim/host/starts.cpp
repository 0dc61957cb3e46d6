// Registers, starts, stops and interrupts.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tests/cosim/host/host_bench.hpp"
#include "tests/cosim/host/host_programs.hpp"
#include "tests/cosim/host/scenarios.hpp"

namespace tandem::host {
namespace {

// Sets everything that a start clears, and runs forever, idle now and then.
constexpr const char* dirty = R"(
        put     4095, 77
        put     0, 78
        { dma: fset f1, 7 }
        { p1 = eq s0, s0 ; va: m1 = veq.s32 v0, v0 ; vb: m7 = veq.s32 v0, v0 }
        { p7 = eq s0, s0 ; va: m3 = veq.s32 v0, v0 ; vb: m4 = veq.s32 v0, v0 }
        .rept   32, i
        { s\i = mov 0x5a5a0000 + \i }
        .endr
again:  { idle 300 }
        { v1 = vadd.s32 v1, 1 ; s31 = add s31, 1 }
        br      again
)";

// Tells HBM at 8 MiB what a start left in scalars, predicates, masks and SMEM: in rows that a store
// has begun to fill, that a copy has, and that are untouched. The upper half of its first
// descriptor is such a row too, so that this one moves nothing. Then it waits for a flag that must
// be zero.
constexpr const char* tell = R"(
        .rept   32, i
        { sb: sst [64 + \i], s\i }
        .endr
        { s1 = mov 1 }
        { sb: @p1 sst [100], s1 }
        { sb: @p4 sst [101], s1 }
        { sb: @p7 sst [102], s1 }
        { va: s2 = mpop m1 ; vb: s3 = mpop m7 }
        { va: s4 = mpop m3 ; vb: s5 = mpop m4 }
        { sb: sst [103], s2 }
        { sb: sst [104], s3 }
        { sb: sst [105], s4 }
        { sb: sst [106], s5 }
        { sb: s6 = sld [4095] }
        { sb: s7 = sld [0] }
        { sb: sst [107], s6 }
        { sb: sst [108], s7 }
        put     256, 2 << 8
        put     257, 1
        put     260, 0x900000
        put     262, 64
        put     263, 1
        { dma: copy [256], s0, s0 }
        describe 2 << 10, 0x900000, 0, 121 * 4, 0, 4
        { dma: copy [0], s0, s0 }
        { dma: wait f0, 2 }
        describe 2 << 8, 64 * 4, 0, 0x800000, 0, 256
        { dma: copy [0], s0, s0 }
        { dma: wait f0, 3 }
        { dma: wait f1, 1 }
        halt
)";

// Unused register numbers read zero, also once there is something to count.
void expect_no_others(const Host& host) {
  for (std::uint32_t number = 0; number < 1024; ++number) {
    const bool exists = std::any_of(registers().begin(), registers().end(),
                                    [&](const Register& row) { return row.number == number; });
    if (exists) continue;
    expect(host.core->read_register(number), 0, fmt::format("register {}, not one", number));
  }
}

}  // namespace

// A bit that keeps a random value is zero under half of the seeds.
void registers_are_zero_out_of_reset() {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Host host(make_rtl_core, {}, seed);
    const std::string when = fmt::format("out of reset {}", seed);
    for (const Register& row : registers()) {
      if (row.host != HostAccess::rw) continue;
      expect(host.core->read_register(row.number), 0, fmt::format("{} {}", row.name, when));
    }
    expect(host.read("interrupt_pending"), 0, "interrupt_pending " + when);
    expect(host.read("cycles_lo"), 0, "cycles_lo " + when);
    expect(host.core->interrupt() ? 1 : 0, 0, "interrupt " + when);
    expect_status(host, 0, when);
  }
}

void registers_keep_what_is_written() {
  const Host host(make_rtl_core);
  const auto value = [](const Register& row) { return 0x9e3779b9U * (row.number + 1); };
  for (const Register& row : registers()) {
    if (row.host == HostAccess::rw) host.core->write_register(row.number, value(row));
  }
  const std::uint32_t two_bits = find_register("interrupt_enable")->number;
  for (const Register& row : registers()) {
    if (row.host != HostAccess::rw) continue;
    const std::uint32_t kept = row.number == two_bits ? value(row) & 3U : value(row);
    expect(host.core->read_register(row.number), kept, row.name);
  }
  expect(host.read("id"), 0x444e4154, "id");
  expect(host.read("vmem_rows"), 2048, "vmem_rows");
  expect(host.read("smem_words"), 4096, "smem_words");
  expect(host.read("icache_bundles"), 256, "icache_bundles");
  expect(host.read("status"), 0, "status");
  expect_no_others(host);
}

void a_stopped_machine_starts_clean() {
  const Assembled first(dirty);
  const Assembled second(tell);
  for (std::uint32_t when = 60; when < 700; when += 37) {
    Pair pair;
    for (Host* host : {&pair.rtl, &pair.cycle}) {
      for (std::uint32_t word = 0; word < 4096; ++word) {
        host->memory.contents.write_word(far_arguments + std::uint64_t{4} * word, 1000 + word);
      }
    }
    pair.load(first, 4096);  // all of SMEM
    pair.write("control", start);
    pair.advance(2500 + when);
    pair.write("control", stop);
    pair.run_to_end();
    expect_status(pair.rtl, 0, "after a stop");
    pair.compare("after a stop");
    pair.load(second);
    pair.write("control", start);
    expect_status(pair.rtl, running, "in the second run");
    pair.run_to_end();
    expect_status(pair.rtl, trapped, "after the second run");
    expect(pair.rtl.read("trap_cause"), static_cast<std::uint32_t>(TrapCause::deadlock) | 8U << 8U,
           "trap_cause of a wait for a flag that is zero");
    for (std::uint32_t word = 0; word < 64; ++word) {
      expect(pair.rtl.memory.contents.read_word(told_at + 4 * word), 0,
             fmt::format("word {} of what a start left", word));
    }
    pair.compare("after the second run");
    pair.compare_memory();
  }
}

void a_stop_comes_in_any_cycle() {
  const Assembled program(std::string(long_copy) + "{ idle 40 }\n br 0\n");
  const Assembled after(std::string(long_read) + "{ dma: wait f0, 1 }\n halt\n");
  for (std::uint32_t when = 0; when < 420; when += 1 + when % 5) {
    Pair pair;
    pair.load(program, 300);
    pair.write("control", start);
    pair.advance(when);
    pair.write("control", stop);
    pair.run_to_end();
    expect_status(pair.rtl, 0, "after a stop");
    pair.compare(fmt::format("after a stop in cycle {}", when));
    pair.write("control", stop);  // of a stopped machine: nothing
    pair.load(after);
    pair.write("control", start);
    pair.run_to_end();
    expect_status(pair.rtl, halted, "of the run behind a stop");
    pair.compare("after the run behind a stop");
    pair.compare_memory();
  }
}

void a_start_while_running_is_refused() {
  const Assembled program(std::string(long_copy) + "{ s1 = mov 1 }\n{ dma: wait f0, 1 }\nhalt\n");
  Host undisturbed(make_rtl_core);
  undisturbed.load(program, 40);
  undisturbed.write("control", start);
  const std::uint64_t cycles = undisturbed.run_to_end();
  expect_no_others(undisturbed);
  for (std::uint64_t when = 1; when + 4 < cycles; when += 1 + when % 7) {
    Pair pair;
    pair.load(program, 40);
    pair.write("control", start);
    pair.advance(when);
    pair.write("control", start);
    expect_status(pair.rtl, running | start_error, "after a second start");
    pair.write("status", 0xffffffefU);  // every bit but the error's
    expect_status(pair.rtl, running | start_error, "after clearing other bits");
    pair.write("interrupt_enable", start_error);
    expect_status(pair.rtl, running | start_error, "after clearing it in another register");
    expect(when + pair.rtl.run_to_end(), cycles, "cycles of a run that was started twice");
    pair.cycle.run_to_end();
    expect_status(pair.rtl, halted | start_error, "at the end");
    pair.compare("at the end");
    pair.write("status", start_error);
    expect_status(pair.rtl, halted, "with the error cleared");
    pair.compare_memory();
    pair.write("control", start | stop);  // a stop before the start is no stop
    pair.run_to_end();
    expect_status(pair.rtl, halted, "after start and stop at once");
    pair.compare("after start and stop at once");
  }
}

void ends_raise_their_interrupts() {
  struct Case {
    const char* ending;
    std::uint32_t pending;
  };
  for (const Case& item : {Case{"halt\n", 1}, Case{"trap 5\n", 2}}) {
    const Assembled program(std::string(long_copy) + item.ending);
    for (std::uint32_t enable = 0; enable < 4; ++enable) {
      Pair pair;
      pair.write("interrupt_enable", enable);
      pair.load(program);
      pair.write("control", start);
      pair.step_to_end(1);
      const auto level = [&pair] { return pair.rtl.core->interrupt() ? 1U : 0U; };
      const std::uint32_t expected = (enable & item.pending) != 0 ? 1 : 0;
      expect(level(), expected, "the interrupt");
      expect(pair.rtl.read("interrupt_pending"), item.pending, "interrupt_pending");
      pair.write("interrupt_pending", 3 - item.pending);
      expect(pair.rtl.read("interrupt_pending"), item.pending, "interrupt_pending, not cleared");
      pair.write("control", start);  // a start does not clear it
      expect(level(), expected, "the interrupt of the run before");
      pair.advance(20);
      expect_status(pair.rtl, running, "in a second run");
      pair.compare("in a second run");
      pair.run_to_end();
      pair.compare("after a second run");
      pair.write("interrupt_pending", item.pending);
      expect(level(), 0, "the interrupt, cleared");
      pair.compare("with the interrupt cleared");
      pair.write("control", start);
      pair.advance(20);
      pair.write("control", stop);
      pair.run_to_end();
      expect_status(pair.rtl, 0, "of a run that was stopped behind others that ended");
      expect(level(), 0, "the interrupt behind a stop");
    }
  }
}

// With the fastest memory the first bundles issue a few cycles after the start: state that a
// previous run left in a unit delays nothing.
void units_are_free_at_a_start() {
  const Assembled program(R"(
        { mx: mxpush 0, v1.lo ; xu: v3 = exp2 v1 }
        { mx: mxmul.bf16 a0, v1.lo, rows=1, swap }
        { mx: v2 = mxread a0 }
        halt
)");
  MemoryTimingParameters timing;
  timing.latency = 0;
  timing.row_miss = 0;
  Pair pair(timing);
  pair.load(program);
  for (int run = 0; run < 3; ++run) {
    pair.write("control", start);
    pair.step_to_end(1);
    expect_status(pair.rtl, halted, fmt::format("of run {}", run));
  }
}

}  // namespace tandem::host
