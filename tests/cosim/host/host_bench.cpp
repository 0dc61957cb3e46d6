#include "tests/cosim/host/host_bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/assembler.hpp"

namespace tandem::host {
namespace {

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

}  // namespace

Assembled::Assembled(const std::string& text) {
  AssembleOptions options;
  options.preset = "nano";
  const SourceText source{"host.s", macros + text};
  const LinkResult linked = build({&source, 1}, options);
  if (!linked.ok()) throw std::runtime_error(diagnostics_text(linked.diagnostics));
  image = make_image(linked.program);
  launch = make_launch(image, {}, hbm_bytes, 1);
}

bool HostMemory::read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) {
  contents.read(address, {bytes, count});
  return !refuses(address, count);
}

bool HostMemory::write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) {
  if (refuses(address, count)) return false;
  contents.write(address, {bytes, count});
  return true;
}

void expect(std::uint64_t got, std::uint64_t expected, const std::string& what) {
  if (got != expected) throw Difference(fmt::format("{}: {:#x}, not {:#x}", what, got, expected));
}

Host::Host(TpuCoreFactory make, const MemoryTimingParameters& timing, std::uint32_t seed) {
  TpuCoreOptions options;
  options.seed = seed;
  options.preset = "nano";
  options.memory = timing;
  core = make(options, memory);
}

void Host::load(const Assembled& program, std::uint32_t argument_words) {
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

std::uint64_t Host::advance(std::uint64_t cycles) const {
  std::uint64_t done = 0;
  while (done < cycles && core->active()) {
    const std::uint64_t more = core->advance(std::min(cycles - done, slice));
    if (more == 0) throw Difference("the machine is active and does not advance");
    done += more;
  }
  return done;
}

std::uint64_t Host::run_to_end() const {
  const std::uint64_t cycles = advance(patience);
  if (core->active()) throw Difference("the machine does not end");
  return cycles;
}

void Pair::compare(const std::string& when, bool counters) const {
  for (const Register& row : registers()) {
    if (!counters && row.number >= find_register("cycles_lo")->number) continue;
    expect(rtl.core->read_register(row.number), cycle.core->read_register(row.number),
           fmt::format("{} {}", row.name, when));
  }
  expect(rtl.core->interrupt() ? 1 : 0, cycle.core->interrupt() ? 1 : 0, "interrupt " + when);
}

void Pair::step_to_end(std::uint32_t stride) const {
  for (std::uint64_t n = 0; rtl.core->active() || cycle.core->active(); n += stride) {
    if (n > patience) throw Difference("the machine does not end");
    advance(stride);
    compare(fmt::format("after {} cycles", n + stride));
  }
}

void Pair::compare_memory() const {
  if (const auto place = rtl.memory.contents.first_difference(cycle.memory.contents)) {
    throw Difference(fmt::format("HBM differs at {:#x}", *place));
  }
}

void expect_status(const Host& host, std::uint32_t status, const std::string& when) {
  expect(host.read("status"), status, "status " + when);
  if ((status & trapped) != 0) return;
  for (const char* name : {"trap_cause", "trap_pc", "trap_detail"}) {
    expect(host.read(name), 0, fmt::format("{} {}", name, when));
  }
}

}  // namespace tandem::host
