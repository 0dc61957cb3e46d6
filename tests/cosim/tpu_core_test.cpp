// The two machines that a platform can embed, side by side: the same registers at the same time.
#include <algorithm>
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "cosim/verilated/rtl_core.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/memory.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t start = 1;
constexpr std::uint32_t stop = 2;

class PlainMemory final : public MemoryPort {
 public:
  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    contents.read(address, {bytes, count});
    return true;
  }
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    contents.write(address, {bytes, count});
    return true;
  }
  SparseMemory contents{std::uint64_t{1} << 32U};
};

// A core with a memory of its own and a program loaded.
struct Embedded {
  Embedded(TpuCoreFactory make, const Launch& launch, const MemoryTimingParameters& timing = {}) {
    TpuCoreOptions options;
    options.memory = timing;
    options.preset = launch.image->preset->name;
    core = make(options, memory);
    for (const HbmSegment& segment : launch.segments) {
      memory.contents.write(segment.address, segment.bytes);
    }
    write("text_lo", static_cast<std::uint32_t>(launch.text_address));
    write("text_bundles", static_cast<std::uint32_t>(launch.image->text.size()));
    write("entry_pc", launch.image->entry_pc);
    write("arg_lo", static_cast<std::uint32_t>(launch.argument_pointer));
    write("arg_words", launch.argument_words);
    write("hbm_lo", static_cast<std::uint32_t>(launch.hbm_bytes));
    write("hbm_hi", static_cast<std::uint32_t>(launch.hbm_bytes >> 32U));
  }
  void write(std::string_view name, std::uint32_t value) const {
    core->write_register(find_register(name)->number, value);
  }
  std::uint64_t advance(std::uint64_t cycles) const {
    std::uint64_t done = 0;
    while (done < cycles && core->active()) done += core->advance(cycles - done);
    return done;
  }

  PlainMemory memory;
  std::unique_ptr<TpuCore> core;
};

// The first register in which the two differ, by name; "" when there is none.
std::string difference(const Embedded& rtl, const Embedded& cycle) {
  for (const Register& row : registers()) {
    const std::uint32_t left = rtl.core->read_register(row.number);
    const std::uint32_t right = cycle.core->read_register(row.number);
    if (left != right) {
      return row.name + ": rtl " + std::to_string(left) + ", cycle " + std::to_string(right);
    }
  }
  return rtl.core->interrupt() == cycle.core->interrupt() ? "" : "interrupt";
}

struct Loaded {
  explicit Loaded(const std::string& path) {
    const std::optional<SourceText> source = read_source(path);
    REQUIRE(source.has_value());
    AssembleOptions options;
    options.preset = "nano";
    const LinkResult linked = build({&*source, 1}, options);
    REQUIRE(linked.ok());
    image = make_image(linked.program);
    launch = make_launch(image, {}, std::uint64_t{1} << 32U, 1);
  }
  Image image;
  Launch launch;
};

bool has_nano() {
  const auto presets = rtl_presets();
  return std::find(presets.begin(), presets.end(), "nano") != presets.end();
}

const std::vector<std::string>& programs() {
  static const std::vector<std::string> paths{
      "tests/programs/dma/queue.s", "tests/programs/dma/large.s", "tests/programs/control/far.s",
      "tests/programs/control/trap.s", "tests/programs/dma/vmem_to_hbm.s"};
  return paths;
}

void compare_while_running(const Launch& launch, const MemoryTimingParameters& timing) {
  const Embedded rtl(make_rtl_core, launch, timing);
  const Embedded cycle(make_cycle_core, launch, timing);
  for (const Embedded* each : {&rtl, &cycle}) {
    each->write("interrupt_enable", 3);
    each->write("control", start);
  }
  for (std::uint64_t step = 1; rtl.core->active() || cycle.core->active(); step = step % 37 + 1) {
    REQUIRE(rtl.advance(step) == cycle.advance(step));
    REQUIRE(difference(rtl, cycle) == "");
  }
  CHECK(rtl.core->interrupt());
  CHECK(rtl.memory.contents.first_difference(cycle.memory.contents) == std::nullopt);
}

TEST_CASE("embedded RTL and cycle model read alike at any time and end together") {
  if (!has_nano()) return;
  for (const std::string& path : programs()) {
    const Loaded program(path);
    for (std::uint32_t seed = 0; seed <= 8; ++seed) {
      MemoryTimingParameters timing;
      timing.jitter = 5 * seed;
      timing.seed = seed;
      INFO(path << " jitter seed " << seed);
      compare_while_running(program.launch, timing);
    }
  }
}

TEST_CASE("a stop in any cycle ends embedded RTL and cycle model alike") {
  if (!has_nano()) return;
  for (const std::string& path : programs()) {
    const Loaded program(path);
    const Embedded rtl(make_rtl_core, program.launch);
    const Embedded cycle(make_cycle_core, program.launch);
    for (std::uint64_t when = 1; when < 2500; when += 1 + when % 13) {
      INFO(path << " stopped in cycle " << when);
      for (const Embedded* each : {&rtl, &cycle}) {
        each->write("control", start);
        each->advance(when);
        each->write("control", stop);
      }
      REQUIRE(rtl.advance(100'000) == cycle.advance(100'000));
      REQUIRE(difference(rtl, cycle) == "");
    }
  }
}

}  // namespace
}  // namespace tandem
