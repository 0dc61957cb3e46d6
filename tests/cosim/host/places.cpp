// Memory that refuses, texts and arguments at any address.
#include <fmt/format.h>

#include <string>

#include "tests/cosim/host/host_bench.hpp"
#include "tests/cosim/host/host_programs.hpp"
#include "tests/cosim/host/scenarios.hpp"

namespace tandem::host {
namespace {

// Where the memory refuses, the program's access, and the machine's report.
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
      if (item.cause == machine_check_cause) {
        expect(host->read("trap_detail"), 0, "trap_detail " + when);
      }
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

// Places in an HBM of almost 2^64 bytes. Two of these, each the other's complement, so that every
// bit of an address, of a number of bundles and of a PC is once 0 and once 1.
struct Layout {
  std::uint64_t text;
  std::uint32_t bundles;
  std::uint32_t entry;   // and the PC of the program's first bundle
  std::uint64_t first;   // the program copies 64 bytes from SMEM to there, back, and
  std::uint64_t second;  // on to there
  std::uint32_t pattern;
};

constexpr std::uint32_t most_of_the_cycle_model = 1U << 24U;  // bundles of a text

std::string copies_through(const Layout& layout) {
  std::string text = fmt::format(
      ".equ base, {:#x}\n{{ s5 = call base + next }}\nnext: put 16, s5\n", layout.entry);
  for (std::uint32_t word = 17; word < 32; ++word) {
    text += fmt::format("put {}, {:#x}\n", word, word % 2 == 0 ? layout.pattern : ~layout.pattern);
  }
  const auto copy = [&text](std::uint32_t spaces, std::uint64_t from, std::uint64_t to) {
    text += fmt::format("describe {}, {:#x}, {:#x}, {:#x}, {:#x}, 64\n", spaces,
                        static_cast<std::uint32_t>(from), from >> 32U,
                        static_cast<std::uint32_t>(to), to >> 32U);
    text += "{ dma: copy [0], s0, s0 }\n{ dma: wait f0, 1 }\n{ dma: fset f0, 0 }\n";
  };
  copy(2U << 8U, 64, layout.first);
  copy(2U << 10U, layout.first, 256);
  copy(0, layout.first, layout.second);
  return text + "halt\n";
}

void run_at(const Layout& layout) {
  const std::string what =
      fmt::format("of a program at {:#x}, bundle {:#x}", layout.text, layout.entry);
  Assembled program(copies_through(layout));
  const std::uint64_t place = layout.text + std::uint64_t{layout.entry} * bundle_bytes;
  for (HbmSegment& segment : program.launch.segments) {
    if (segment.address == program.launch.text_address) segment.address = place;
  }
  program.launch.text_address = layout.text;
  const auto run = [&](Host& host) {
    host.load(program);
    host.write("text_bundles", layout.bundles);
    host.write("entry_pc", layout.entry);
    host.write("hbm_lo", static_cast<std::uint32_t>(all_of_hbm));
    host.write("hbm_hi", static_cast<std::uint32_t>(all_of_hbm >> 32U));
    for (const char* name : {"arg_lo", "arg_hi", "arg_words"}) host.write(name, layout.pattern);
    host.write("control", start);
    host.run_to_end();
    expect_status(host, halted, what);
    expect(host.read("bundles_lo"), program.image.text.size(), "bundles " + what);
    const SparseMemory& hbm = host.memory.contents;
    for (const std::uint64_t copied : {layout.first, layout.second}) {
      expect(hbm.read_word(copied), layout.entry + 1, "the link " + what);
      expect(hbm.read_word(copied + 4), ~layout.pattern, "a word " + what);
      expect(hbm.read_word(copied + 60), ~layout.pattern, "the last word " + what);
    }
  };
  Pair pair;
  run(pair.rtl);
  if (layout.bundles > most_of_the_cycle_model) return;
  run(pair.cycle);
  pair.compare(what);
  pair.compare_memory();
}

}  // namespace

void bus_errors_are_machine_checks() {
  const std::string reads = std::string(long_read) + "{ dma: wait f0, 1 }\nhalt\n";
  const std::string halts = std::string(long_read) + "halt\n";
  const std::string writes = std::string(long_copy) + "{ dma: wait f0, 1 }\nbr 0\n";
  const std::string late = std::string(long_copy) + "halt\n";
  const std::string endless_read = std::string(long_read) + "spin: br spin\n";
  const std::string endless_write = std::string(long_copy) + "spin: br spin\n";
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
      {"one read error of a program without an end", endless_read.c_str(), end - 32, end,
       machine_check_cause},
      {"one write error of a program without an end", endless_write.c_str(), end - 32, end,
       machine_check_cause},
      {"a write error behind a trap", traps.c_str(), end - 32, end, explicit_trap},
  };
  for (const BusError& item : cases) run_bus_error(item);
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

void every_bit_of_an_address_counts() {
  // The cycle model holds texts of 2^24 bundles, the RTL any.
  for (const std::uint32_t mask : {0x00ff'ffffU, 0xffff'ffffU}) {
    run_at({.text = 0x5555'5555'5555'5000,
            .bundles = 0x5555'5555 & mask,
            .entry = 0x5555'5000 & mask,
            .first = 0xaaaa'aaaa'aaaa'aa80,
            .second = 0xffff'ffff'0000'0f60,
            .pattern = 0x5555'5555});
    run_at({.text = 0xaaaa'aaaa'aaaa'a000,
            .bundles = 0xaaaa'aaaa & mask,
            .entry = 0xaaaa'a0f0 & mask,
            .first = 0x5555'5555'5555'5540,
            .second = 0x0000'0000'ffff'f0a0,
            .pattern = 0xaaaa'aaaa});
  }
}

// The words that a start copies into SMEM, for counts up to all of it and beyond.
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
    pair.compare_memory();
  }
}

void an_entry_outside_the_text_traps() {
  const Assembled program("{ s1 = mov 1 }\nhalt\n");
  for (const std::uint32_t entry : {2U, 3U, 77U, 0xffffffffU}) {
    Pair pair;
    pair.load(program);
    pair.write("entry_pc", entry);
    pair.write("control", start);
    pair.run_to_end();
    const std::string when = fmt::format("with entry {:#x}", entry);
    expect_status(pair.rtl, trapped, when);
    expect(pair.rtl.read("trap_cause"), static_cast<std::uint32_t>(TrapCause::jump_range),
           "trap_cause " + when);
    expect(pair.rtl.read("trap_pc"), entry, "trap_pc " + when);
    expect(pair.rtl.read("trap_detail"), entry, "trap_detail " + when);
    pair.compare(when);
  }
}

// While the arguments come the entry is not looked at yet: a stop that comes first ends the run,
// and no trap is reported.
void a_stop_before_a_bad_entry_is_no_trap() {
  const Assembled program("{ s1 = mov 1 }\nhalt\n");
  for (const std::uint32_t when : {1U, 5U, 30U}) {
    Pair pair;
    pair.load(program, 300);
    pair.write("entry_pc", 77);
    pair.write("control", start);
    pair.advance(when);
    pair.write("control", stop);
    pair.run_to_end();
    const std::string name = fmt::format("with a stop in cycle {} before a bad entry", when);
    expect_status(pair.rtl, 0, name);
    pair.compare(name);
  }
}

}  // namespace tandem::host
