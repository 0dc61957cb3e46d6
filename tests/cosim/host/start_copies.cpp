// Start copies, word by word: those that are queued, refused and forgotten.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "isa/start_copy.hpp"
#include "tests/cosim/host/host_bench.hpp"
#include "tests/cosim/host/scenarios.hpp"

namespace tandem::host {
namespace {

constexpr std::uint64_t source = 0x700000;
constexpr std::uint32_t row_bytes = 32;

// Waits for f0 to count `copies`, then tells HBM at 8 MiB the first 8 rows of VMEM.
std::string told_after(std::uint32_t copies) {
  return fmt::format(R"(
        {{ dma: wait f0, {} }}
        describe 1 << 8, 0, 0, 0x800000, 0, 256
        {{ dma: copy [0], s0, s0 }}
        {{ dma: wait f0, {} }}
        halt
)",
                     copies, copies + 1);
}

// To row `number` of VMEM.
CopyDescriptor copy_of_row(std::uint32_t number) {
  CopyDescriptor copy;
  copy.source = source + std::uint64_t{row_bytes} * number;
  copy.destination = std::uint64_t{row_bytes} * number;
  copy.length = row_bytes;
  return copy;
}

struct Bench {
  explicit Bench(const std::string& text) : program(text) {
    for (Host* host : {&pair.rtl, &pair.cycle}) {
      for (std::uint32_t word = 0; word < 64; ++word) {
        host->memory.contents.write_word(source + std::uint64_t{4} * word, 1000 + word);
      }
    }
    pair.load(program);
  }

  void queue(const CopyDescriptor& copy, std::size_t words = descriptor_words) const {
    const DescriptorWords all = copy.words();
    for (std::size_t i = 0; i < words; ++i) pair.write("start_copy", all[i]);
    // The verdict is there in the cycle after the last word.
    pair.write("interrupt_pending", 0);
    pair.compare("after a start copy");
  }
  [[nodiscard]] std::uint32_t told(std::uint32_t word) const {
    return pair.rtl.memory.contents.read_word(told_at + std::uint64_t{4} * word);
  }
  void run(std::uint32_t status, const std::string& when) const {
    pair.write("control", start);
    pair.step_to_end(3);
    expect_status(pair.rtl, status, when);
    pair.compare(when);
    pair.compare_memory();
  }

  Assembled program;
  Pair pair;
};

}  // namespace

// With the argument block before them, and without.
void start_copies_come_before_the_program() {
  for (std::uint32_t words = 0; words <= 64; words += 32) {
    const Bench bench(told_after(most_start_copies));
    bench.pair.write("arg_words", words);
    for (std::uint32_t number = 0; number < most_start_copies; ++number) {
      bench.queue(copy_of_row(number));
    }
    const std::string when = fmt::format("with {} words of arguments", words);
    bench.run(halted, when);
    for (std::uint32_t word = 0; word < 8 * most_start_copies; ++word) {
      expect(bench.told(word), 1000 + word, fmt::format("word {} {}", word, when));
    }
    expect(bench.pair.rtl.read("event_copies_lo"), 1, "copies of the program");
  }
}

// A wait for a copy that is not queued ends in a trap: nothing will satisfy it.
void start_copies_are_for_one_start() {
  const Bench bench(told_after(1));
  bench.queue(copy_of_row(0), descriptor_words - 1);
  bench.run(trapped, "without the last word");
  bench.queue(copy_of_row(1));
  bench.run(halted, "after words that were forgotten");
  expect(bench.told(8), 1008, "row 1");
  bench.run(trapped, "with the copies of the start before");
}

void a_start_copy_that_would_trap_is_refused() {
  std::vector<CopyDescriptor> bad(9, copy_of_row(0));
  bad[0].source_space = MemorySpace::vmem;
  bad[1].destination_space = MemorySpace::hbm;
  bad[2].destination_space = MemorySpace::smem;
  bad[3].source = hbm_bytes - row_bytes + 4;
  bad[4].destination = 2048 * row_bytes - row_bytes + 4;
  bad[5].amount = 0;
  bad[6].flag = 32;
  bad[7].length = 6;
  bad[8].remote = CopyDescriptor::Remote{};
  const Bench bench(told_after(1));
  for (const CopyDescriptor& copy : bad) {
    bench.queue(copy);
    expect_status(bench.pair.rtl, start_error, "after a bad start copy");
    bench.pair.write("status", start_error);
    expect_status(bench.pair.rtl, 0, "after clearing the error");
  }
  bench.queue(copy_of_row(0));
  expect_status(bench.pair.rtl, 0, "after a good one");
  bench.run(halted, "with the good one");
}

void the_queue_keeps_a_place_and_a_running_machine_takes_none() {
  const Bench bench(told_after(most_start_copies));
  for (std::uint32_t number = 0; number < most_start_copies; ++number) {
    bench.queue(copy_of_row(number));
    expect_status(bench.pair.rtl, 0, "with room");
  }
  bench.queue(copy_of_row(7));
  expect_status(bench.pair.rtl, start_error, "without room");
  bench.pair.write("status", start_error);
  bench.pair.write("control", start);
  bench.pair.write("start_copy", 1);
  expect_status(bench.pair.rtl, running | start_error, "while it runs");
  bench.pair.run_to_end();
  expect_status(bench.pair.rtl, halted | start_error, "at the end");
  bench.pair.compare_memory();
}

}  // namespace tandem::host
