#include "tests/cosim/host_scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "assembler/assembler.hpp"
#include "cosim/verilated/rtl_core.hpp"
#include "isa/launch/launch.hpp"
#include "isa/state/memory.hpp"
#include "isa/state/registers.hpp"
#include "isa/state/trap.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t start = 1;
constexpr std::uint32_t stop = 2;
constexpr std::uint32_t running = 1;
constexpr std::uint32_t halted = 2;
constexpr std::uint32_t trapped = 4;
constexpr std::uint32_t machine_check = 8;
constexpr std::uint32_t start_error = 16;
constexpr auto machine_check_cause = static_cast<std::uint32_t>(TrapCause::machine_check);
constexpr std::uint64_t patience = 100'000;  // cycles; none of the programs takes as many
constexpr std::uint64_t hbm_bytes = std::uint64_t{1} << 33U;
constexpr std::uint64_t told_at = 0x800000;
constexpr std::uint64_t far_data = (std::uint64_t{1} << 32U) - 4096;
constexpr std::uint64_t far_arguments = far_data + 8192;  // zeros
constexpr std::uint64_t slice = 500;  // cycles: the cycle model notices a bus error between them

// SMEM words 0..15 become a descriptor of flag 0; HBM is at `high`:`low`.
constexpr const char* macros = R"(
        .macro  put at, value
        { s31 = mov \value }
        { sb: sst [\at], s31 }
        .endm
        .macro  describe word0, source, source_high, target, target_high, bytes
        put     0, \word0
        put     1, 1
        put     2, \source
        put     3, \source_high
        put     4, \target
        put     5, \target_high
        put     6, \bytes
        put     7, 1
        put     10, 1
        put     13, 1
        .endm
)";

// Sets everything that a start clears, and goes on for ever, idle now and then.
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
// has begun to fill, that a copy has, and that nobody has. The upper half of its first descriptor
// is such a row too, so that this one moves nothing. Then it waits for a flag that must be zero.
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

// A long copy to HBM that crosses 4 GiB, and an end while it is in flight.
constexpr const char* long_copy = R"(
        describe 1 << 8, 0, 0, 0xfffff000, 0, 8192
        { dma: copy [0], s0, s0 }
)";
constexpr const char* long_read = R"(
        describe 1 << 10, 0xfffff000, 0, 0, 0, 8192
        { dma: copy [0], s0, s0 }
)";

struct Assembled {
  explicit Assembled(const std::string& text) {
    AssembleOptions options;
    options.preset = "nano";
    const SourceText source{"host.s", macros + text};
    const LinkResult linked = build({&source, 1}, options);
    if (!linked.ok()) throw std::runtime_error(diagnostics_text(linked.diagnostics));
    image = make_image(linked.program);
    launch = make_launch(image, {}, hbm_bytes, 1);
  }
  Assembled(const Assembled&) = delete;
  Assembled& operator=(const Assembled&) = delete;

  Image image;
  Launch launch;
};

// Refuses what touches [refused_from, refused_to).
class HostMemory final : public MemoryPort {
 public:
  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    contents.read(address, {bytes, count});
    return !refuses(address, count);
  }
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    if (refuses(address, count)) return false;
    contents.write(address, {bytes, count});
    return true;
  }
  SparseMemory contents{hbm_bytes};
  std::uint64_t refused_from = 0;
  std::uint64_t refused_to = 0;

 private:
  [[nodiscard]] bool refuses(std::uint64_t address, std::size_t count) const {
    return address < refused_to && address + count > refused_from;
  }
};

struct Difference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect(std::uint64_t got, std::uint64_t expected, const std::string& what) {
  if (got != expected) throw Difference(fmt::format("{}: {:#x}, not {:#x}", what, got, expected));
}

// A core with a memory of its own.
struct Host {
  explicit Host(TpuCoreFactory make, const MemoryTimingParameters& timing = {}) {
    TpuCoreOptions options;
    options.preset = "nano";
    options.memory = timing;
    core = make(options, memory);
  }
  void write(std::string_view name, std::uint32_t value) const {
    core->write_register(find_register(name)->number, value);
  }
  [[nodiscard]] std::uint32_t read(std::string_view name) const {
    return core->read_register(find_register(name)->number);
  }
  void load(const Assembled& program, std::uint32_t argument_words = 0) {
    for (const HbmSegment& segment : program.launch.segments) {
      memory.contents.write(segment.address, segment.bytes);
    }
    write("text_lo", static_cast<std::uint32_t>(program.launch.text_address));
    write("text_hi", static_cast<std::uint32_t>(program.launch.text_address >> 32U));
    write("text_bundles", static_cast<std::uint32_t>(program.image.text.size()));
    write("entry_pc", program.image.entry_pc);
    write("arg_lo", static_cast<std::uint32_t>(far_arguments));
    write("arg_hi", static_cast<std::uint32_t>(far_arguments >> 32U));
    write("arg_words", argument_words);
    write("hbm_lo", static_cast<std::uint32_t>(hbm_bytes));
    write("hbm_hi", static_cast<std::uint32_t>(hbm_bytes >> 32U));
  }
  std::uint64_t advance(std::uint64_t cycles) const {
    std::uint64_t done = 0;
    while (done < cycles && core->active()) {
      const std::uint64_t more = core->advance(std::min(cycles - done, slice));
      if (more == 0) throw Difference("the machine is active and does not advance");
      done += more;
    }
    return done;
  }
  std::uint64_t run_to_end() const {
    const std::uint64_t cycles = advance(patience);
    if (core->active()) throw Difference("the machine does not end");
    return cycles;
  }

  HostMemory memory;
  std::unique_ptr<TpuCore> core;
};

// The RTL and the cycle model with the same host.
struct Pair {
  explicit Pair(const MemoryTimingParameters& timing = {})
      : rtl(make_rtl_core, timing), cycle(make_cycle_core, timing) {}

  void load(const Assembled& program, std::uint32_t argument_words = 0) {
    rtl.load(program, argument_words);
    cycle.load(program, argument_words);
  }
  void write(std::string_view name, std::uint32_t value) const {
    rtl.write(name, value);
    cycle.write(name, value);
  }
  // Every register, and the interrupt.
  void compare(const std::string& when, bool counters = true) const {
    for (const Register& row : registers()) {
      if (!counters && row.number >= find_register("cycles_lo")->number) continue;
      expect(rtl.core->read_register(row.number), cycle.core->read_register(row.number),
             fmt::format("{} {}", row.name, when));
    }
    expect(rtl.core->interrupt() ? 1 : 0, cycle.core->interrupt() ? 1 : 0, "interrupt " + when);
  }
  void advance(std::uint64_t cycles) const {
    expect(rtl.advance(cycles), cycle.advance(cycles), "cycles that passed");
  }
  void run_to_end() const { expect(rtl.run_to_end(), cycle.run_to_end(), "cycles to the end"); }
  // Cycle by cycle.
  void step_to_end(std::uint32_t stride) const {
    for (std::uint64_t n = 0; rtl.core->active() || cycle.core->active(); n += stride) {
      if (n > patience) throw Difference("the machine does not end");
      advance(stride);
      compare(fmt::format("after {} cycles", n + stride));
    }
  }
  void compare_memory() const {
    if (const auto place = rtl.memory.contents.first_difference(cycle.memory.contents)) {
      throw Difference(fmt::format("HBM differs at {:#x}", *place));
    }
  }

  Host rtl;
  Host cycle;
};

void expect_status(const Host& host, std::uint32_t status, const std::string& when) {
  expect(host.read("status"), status, "status " + when);
  if ((status & trapped) != 0) return;
  for (const char* name : {"trap_cause", "trap_pc", "trap_detail"}) {
    expect(host.read(name), 0, fmt::format("{} {}", name, when));
  }
}

// ---- scenarios ------------------------------------------------------------------------------

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
  expect(host.core->read_register(1000), 0, "a register that does not exist");
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
    pair.write("control", stop);  // of a machine that stands: nothing
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
  for (std::uint64_t when = 1; when + 4 < cycles; when += 1 + when % 7) {
    Pair pair;
    pair.load(program, 40);
    pair.write("control", start);
    pair.advance(when);
    pair.write("control", start);
    expect_status(pair.rtl, running | start_error, "after a second start");
    pair.write("status", 0xffffffefU);  // every bit but the error's
    expect_status(pair.rtl, running | start_error, "after clearing other bits");
    expect(when + pair.rtl.run_to_end(), cycles, "cycles of a run that was started twice");
    pair.cycle.run_to_end();
    expect_status(pair.rtl, halted | start_error, "at the end");
    pair.compare("at the end");
    pair.write("status", start_error);
    expect_status(pair.rtl, halted, "with the error cleared");
    pair.compare_memory();
    pair.write("control", start | stop);  // a stop of what does not run yet is no stop
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

// Where the memory refuses, what the program does, and what the machine then says.
struct BusError {
  const char* name;
  const char* text;
  std::uint64_t from;
  std::uint64_t to;
  std::uint32_t cause;  // register trap_cause
};

void run_bus_error(const BusError& item) {
  const Assembled program(item.text);
  const Assembled after(std::string(long_copy) + "{ dma: wait f0, 1 }\nhalt\n");
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    MemoryTimingParameters timing;
    timing.jitter = 20 * seed;
    timing.seed = seed;
    Pair pair(timing);
    pair.write("interrupt_enable", 2);
    for (Host* host : {&pair.rtl, &pair.cycle}) {
      host->memory.refused_from = item.from;
      host->memory.refused_to = item.to;
      host->load(program);
      host->write("control", start);
      host->run_to_end();
      const std::string when = fmt::format("after {}", item.name);
      expect_status(*host, trapped | machine_check, when);
      expect(host->read("trap_cause"), item.cause, "trap_cause " + when);
      expect(host->read("interrupt_pending"), 2, "interrupt_pending " + when);
      expect(host->core->interrupt() ? 1 : 0, 1, "interrupt " + when);
      host->memory.refused_to = 0;
      host->write("interrupt_pending", 2);
      host->load(after);
      host->write("control", start);
    }
    pair.run_to_end();
    expect_status(pair.rtl, halted, fmt::format("of the run after {}", item.name));
    pair.compare(fmt::format("of the run after {}", item.name));
  }
}

void bus_errors_are_machine_checks() {
  const std::string reads = std::string(long_read) + "{ dma: wait f0, 1 }\nhalt\n";
  const std::string halts = std::string(long_read) + "halt\n";
  const std::string writes = std::string(long_copy) + "{ dma: wait f0, 1 }\nbr 0\n";
  const std::string late = std::string(long_copy) + "halt\n";
  const std::string traps = std::string(long_copy) + "trap 9\n";
  const std::uint64_t end = far_data + 8192;
  const auto explicit_trap = static_cast<std::uint32_t>(TrapCause::explicit_trap);
  const BusError cases[] = {
      {"a text that cannot be read", "halt\n", text_base, text_base + 64, machine_check_cause},
      {"a read error", reads.c_str(), far_data, end, machine_check_cause},
      {"an error of the last beat", reads.c_str(), end - 32, end, machine_check_cause},
      {"a read error while draining", halts.c_str(), end - 64, end, machine_check_cause},
      {"a write error", writes.c_str(), far_data, end, machine_check_cause},
      {"a write error while draining", late.c_str(), end - 32, end, machine_check_cause},
      {"a write error behind a trap", traps.c_str(), end - 32, end, explicit_trap},
  };
  for (const BusError& item : cases) run_bus_error(item);
}

// Copies at both ends of the text, into it, and to places on the chip that have its addresses.
struct Place {
  std::int64_t from_text;  // bytes, of the target, from the text's begin or (`behind`) its end
  bool behind;
  bool hits;
};

std::string copy_to(std::uint64_t target, std::uint32_t space) {
  return fmt::format(
      "        describe {}, 0, 0, {:#x}, {:#x}, 64\n        {{ dma: copy [0], s0, s0 }}\n"
      "        {{ dma: wait f0, 1 }}\n        halt\n",
      (1U << 8U) | (space << 10U), static_cast<std::uint32_t>(target), target >> 32U);
}

void run_beside_text(std::uint64_t text, std::uint64_t target, std::uint32_t space, bool hits) {
  Assembled program(copy_to(target, space));
  for (HbmSegment& segment : program.launch.segments) {
    if (segment.address == program.launch.text_address) segment.address = text;
  }
  program.launch.text_address = text;
  Pair pair;
  pair.load(program);
  pair.write("control", start);
  pair.run_to_end();
  const std::string what = fmt::format("a copy to {:#x} beside a text at {:#x}", target, text);
  expect_status(pair.rtl, hits ? trapped : halted, what);
  if (hits) expect(pair.rtl.read("trap_detail"), 5, "trap_detail of " + what);
  pair.compare("after " + what);
  pair.compare_memory();
}

void texts_lie_anywhere_and_keep_copies_out() {
  const std::uint64_t bytes = Assembled(copy_to(0, 0)).image.text.size() * bundle_bytes;
  const std::uint64_t gib = std::uint64_t{1} << 30U;
  const Place places[] = {{-64, false, false}, {-60, false, true}, {0, false, true},
                          {-4, true, true},    {0, true, false},   {64, true, false}};
  for (const std::uint64_t text : {std::uint64_t{0}, text_base, 4 * gib - 4096, 5 * gib}) {
    for (const Place& place : places) {
      if (text == 0 && place.from_text < 0 && !place.behind) continue;
      const std::uint64_t from = text + (place.behind ? bytes : 0);
      run_beside_text(text, from + static_cast<std::uint64_t>(place.from_text), 0, place.hits);
    }
  }
  run_beside_text(0, 256, 1, false);
  run_beside_text(0, 256, 2, false);
}

// What a start brings into SMEM, for numbers of words up to all of it and beyond.
void arguments_fill_smem_or_do_not_come() {
  const std::string last_words = R"(
        { sb: s4 = sld [4095] }
        { sb: s5 = sld [4094] }
        { sb: s6 = sld [0] }
        put     16, 0
        { sb: sst [100], s4 }
        { sb: sst [101], s5 }
        { sb: sst [102], s6 }
        describe 2 << 8, 400, 0, 0x800000, 0, 12
        put     8, 0
        put     9, 0
        put     11, 0
        put     12, 0
        put     14, 0
        put     15, 0
        { dma: copy [0], s0, s0 }
        { dma: wait f0, 1 }
        halt
)";
  const Assembled program(last_words);
  for (const std::uint32_t words : {0U, 1U, 4095U, 4096U, 4097U, 0x40000000U}) {
    Pair pair;
    for (Host* host : {&pair.rtl, &pair.cycle}) {
      for (std::uint32_t word = 0; word < 4100; ++word) {
        host->memory.contents.write_word(far_arguments + std::uint64_t{4} * word, 1000 + word);
      }
    }
    pair.load(program, words);
    pair.write("control", start);
    pair.run_to_end();
    const std::string when = fmt::format("with {} words of arguments", words);
    expect_status(pair.rtl, halted, when);
    pair.compare(when);
    const auto brought = [words](std::uint32_t word) {
      return words <= 4096 && word < words ? 1000 + word : 0;
    };
    const auto got = [&pair](std::uint32_t n) {
      return pair.rtl.memory.contents.read_word(told_at + std::uint64_t{4} * n);
    };
    expect(got(0), brought(4095), "SMEM word 4095 " + when);
    expect(got(1), brought(4094), "SMEM word 4094 " + when);
    expect(got(2), brought(0), "SMEM word 0 " + when);
  }
}

template <void (*scenario)()>
std::string told() {
  try {
    scenario();
    return {};
  } catch (const std::exception& difference) {
    return difference.what();
  }
}

}  // namespace

const std::vector<HostScenario>& host_scenarios() {
  static const std::vector<HostScenario> all{
      {"registers keep what is written", told<registers_keep_what_is_written>},
      {"a stopped machine starts clean", told<a_stopped_machine_starts_clean>},
      {"a stop comes in any cycle", told<a_stop_comes_in_any_cycle>},
      {"a start while running is refused", told<a_start_while_running_is_refused>},
      {"ends raise their interrupts", told<ends_raise_their_interrupts>},
      {"bus errors are machine checks", told<bus_errors_are_machine_checks>},
      {"texts lie anywhere and keep copies out", told<texts_lie_anywhere_and_keep_copies_out>},
      {"arguments fill SMEM or do not come", told<arguments_fill_smem_or_do_not_come>},
  };
  return all;
}

}  // namespace tandem
