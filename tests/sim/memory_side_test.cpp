// The memory side alone against the RTL: given the cycles in which the RTL's bundles issue, and
// until when their loads and stores keep VMEM busy, it must find each bundle at issue, complete
// each copy and move each beat in the RTL's cycles.
#include "sim/memory/memory_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "assembler/assembler.hpp"
#include "cosim/random/program.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "isa/launch/launch.hpp"
#include "runtime/models/machine.hpp"
#include "sim/events/timing_recording.hpp"
#include "sim/time/cycle_model.hpp"
#include "sim/time/cycle_time.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t cycle_limit = 300'000;

struct Observation {
  TimingRecording events;
  CounterValues counters;
  std::vector<std::uint64_t> vmem_free;  // by copy: when loads and stores before it are over
};

// By the cycle-exact model, in which each copy issues.
std::vector<std::uint64_t> vmem_free_of_copies(const Launch& launch,
                                               const MemoryTimingParameters& memory) {
  std::vector<std::uint64_t> free;
  GoldenOptions golden;
  golden.detect_races = false;
  golden.detect_uninitialised = false;
  CycleModel model(launch, {golden, memory});
  RetireRecord record;
  while (model.status() == RunStatus::running && model.cycle() < cycle_limit) {
    model.step(&record);
    if (record.has_copy) free.push_back(model.time().vmem.free_from());
  }
  return free;
}

Observation observe(const Launch& launch, const Parameters& preset,
                    const MemoryTimingParameters& memory) {
  Observation seen;
  const auto machine = make_rtl_machine(preset, {memory, 1});
  machine->set_timing(&seen.events);
  power_up_and_start(*machine, launch);
  for (std::uint64_t i = 0; i < cycle_limit && machine->cycle(nullptr); ++i) {
  }
  seen.counters = machine->counters();
  seen.vmem_free = vmem_free_of_copies(launch, memory);
  return seen;
}

// Drives a memory side with the RTL's issued bundles; returns the first difference, or nothing.
class Replay {
 public:
  Replay(const Observation& seen, const Launch& launch, const MemoryTimingParameters& memory)
      : seen_(seen),
        side_(*launch.image->preset, memory, text_base,
              static_cast<std::uint32_t>(launch.image->text.size())),
        entry_(launch.image->entry_pc),
        arguments_{launch.argument_pointer, launch.argument_words},
        start_copies_(launch.start_copies) {
    for (const LostCycles& lost : seen.events.losses) {
      if (lost.cause == StallCause::branch) bubbles_.insert(lost.first);
    }
    side_.attach(&mine_);
  }

  std::string difference() {
    std::string text = replay_bundles();
    if (text.empty()) text = compare_end();
    return text;
  }

 private:
  std::string replay_bundles() {
    side_.start(entry_, arguments_, start_copies_);
    const std::uint64_t found = side_.bundle_at();
    std::uint64_t first = side_.running_from();
    std::uint64_t at = std::max(found, first);  // nothing looks at the bundle before
    for (const IssueTiming& issue : seen_.events.issues) {
      const std::uint64_t fetch = fetch_cycles_before(issue.cycle);
      if (at != first + fetch) {
        return fmt::format("bundle {} at pc {}: at issue in cycle {}, not {}", issue.sequence,
                           issue.pc, at, first + fetch);
      }
      if (const std::string text = give_copy(issue.cycle); !text.empty()) return text;
      if (issue.halted || issue.trap) {
        side_.stop_fetch(issue.cycle);
        return {};
      }
      const bool taken = bubbles_.count(issue.cycle + 1) != 0;
      at = side_.next_bundle(issue.cycle, taken, issue.next_pc);
      first = issue.cycle + (taken ? 2 : 1);
    }
    return "the RTL did not stop";
  }

  // Cycles lost to fetch since the last call.
  std::uint64_t fetch_cycles_before(std::uint64_t cycle) {
    std::uint64_t sum = 0;
    const auto& losses = seen_.events.losses;
    for (; next_lost_ < losses.size() && losses[next_lost_].first < cycle; ++next_lost_) {
      if (losses[next_lost_].cause == StallCause::fetch) sum += losses[next_lost_].count;
    }
    return sum;
  }

  std::string give_copy(std::uint64_t cycle) {
    const auto& copies = seen_.events.copy_starts;
    if (next_copy_ == copies.size() || copies[next_copy_].cycle != cycle) return {};
    const std::uint64_t vmem_free = seen_.vmem_free.at(next_copy_);
    const CopyStart& start = copies[next_copy_++];
    const std::uint64_t room = side_.queue_free(cycle);
    if (room != cycle) return fmt::format("queue is full in cycle {} until {}", cycle, room);
    side_.copy(cycle, vmem_free, start.sequence, start.copy);
    return {};
  }

  std::string compare_end() {
    const std::uint64_t end = *seen_.events.cycles;
    const std::uint64_t idle = side_.idle_from(seen_.events.issues.back().cycle + 1);
    side_.give_all_events(std::max(idle, end));
    const auto& dones = seen_.events.copy_dones;
    for (std::size_t i = 0; i < std::max(dones.size(), mine_.copy_dones.size()); ++i) {
      const CopyDone rtl = i < dones.size() ? dones[i] : CopyDone{};
      const CopyDone mine = i < mine_.copy_dones.size() ? mine_.copy_dones[i] : CopyDone{};
      if (rtl.cycle == mine.cycle && rtl.sequence == mine.sequence) continue;
      return fmt::format("completion {}: copy {} in cycle {}, not copy {} in cycle {}", i,
                         mine.sequence, mine.cycle, rtl.sequence, rtl.cycle);
    }
    if (runs(mine_) != runs(seen_.events)) return "beats differ\n" + first_beats();
    if (idle >= end) return fmt::format("idle in cycle {}, after the end at {}", idle, end);
    return compare_counters(end);
  }

  using Runs = std::vector<std::array<std::uint64_t, 3>>;
  static Runs runs(const TimingRecording& events) {
    Runs runs;
    for (const MemoryBeats& run : events.beat_runs) {
      runs.push_back({static_cast<std::uint64_t>(run.path), run.first, run.count});
    }
    std::sort(runs.begin(), runs.end());
    return runs;
  }

  std::string first_beats() const {
    const Runs rtl = runs(seen_.events);
    const Runs mine = runs(mine_);
    const auto [a, b] = std::mismatch(rtl.begin(), rtl.end(), mine.begin(), mine.end());
    std::string text;
    if (a != rtl.end())
      text += fmt::format("RTL path {} from {}, {} beats\n", (*a)[0], (*a)[1], (*a)[2]);
    if (b != mine.end())
      text += fmt::format("here path {} from {}, {} beats", (*b)[0], (*b)[1], (*b)[2]);
    return text;
  }

  std::string compare_counters(std::uint64_t end) {
    const MemoryCounts mine = side_.counts(end);
    const auto differs = [this](CountedEvent event, std::uint64_t value) {
      return seen_.counters.events[static_cast<std::size_t>(event)] != value;
    };
    if (differs(CountedEvent::icache_misses, mine.icache_misses)) {
      return fmt::format("{} I-cache misses", mine.icache_misses);
    }
    if (differs(CountedEvent::fetch_bytes, mine.fetch_bytes)) return "fetch_bytes";
    if (differs(CountedEvent::hbm_read_bytes, mine.hbm_read_bytes)) return "hbm_read_bytes";
    if (differs(CountedEvent::hbm_write_bytes, mine.hbm_write_bytes)) return "hbm_write_bytes";
    if (differs(CountedEvent::copies, mine.copies)) return "copies";
    return {};
  }

  const Observation& seen_;
  MemorySide side_;
  std::uint32_t entry_;
  MemorySide::Arguments arguments_;
  std::vector<DescriptorWords> start_copies_;
  TimingRecording mine_;
  std::set<std::uint64_t> bubbles_;
  std::size_t next_lost_ = 0;
  std::size_t next_copy_ = 0;
};

std::string difference(const Launch& launch, const MemoryTimingParameters& memory) {
  const Parameters& preset = *launch.image->preset;
  const Observation seen = observe(launch, preset, memory);
  return Replay(seen, launch, memory).difference();
}

Image assemble(const std::string& path, std::string_view preset) {
  const std::optional<SourceText> source = read_source(path);
  AssembleOptions options;
  options.preset = preset;
  const LinkResult result = build(std::span(&*source, 1), options);
  REQUIRE(result.ok());
  return make_image(result.program);
}

std::vector<std::string> copy_programs() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("tests/programs/dma")) {
    if (entry.path().extension() == ".s") paths.push_back(entry.path().string());
  }
  return paths;
}

void check_copies(const MemoryTimingParameters& memory) {
  for (const std::string_view preset : rtl_presets()) {
    for (const std::string& path : copy_programs()) {
      const Image image = assemble(path, preset);
      const Launch launch = make_launch(image, {}, std::uint64_t{1} << 32U, 1);
      INFO(path << " on " << preset << ", seed " << memory.seed << ", jitter " << memory.jitter
                << ", " << memory.outstanding << " outstanding");
      CHECK(difference(launch, memory) == "");
    }
  }
}

}  // namespace

TEST_CASE("every copy and beat of the directed copies comes in the RTL's cycle") {
  check_copies({});
}

TEST_CASE("so it does under memory jitter, whatever the seed") {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    MemoryTimingParameters memory;
    memory.jitter = 37;
    memory.seed = seed;
    check_copies(memory);
  }
}

TEST_CASE("so it does with fast, slow and narrow memories") {
  check_copies({0, 0, 0, 64, 1});
  check_copies({300, 50, 100, 64, 5});
  check_copies({40, 12, 3, 1, 1});
  check_copies({40, 12, 60, 3, 2});
}

TEST_CASE("so it does when write data are held back") {
  check_copies({40, 12, 0, 64, 1, 1});
  check_copies({40, 12, 0, 64, 2, 50});
  check_copies({300, 12, 60, 2, 3, 7});
}

TEST_CASE("bundles of random programs are at issue in the RTL's cycle") {
  for (const std::string_view preset : rtl_presets()) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Image image = random_program(*find_preset(preset), seed, random_knobs(seed));
      const Launch launch = make_launch(image, {}, 1U << 24U, 1);
      MemoryTimingParameters memory;
      memory.seed = static_cast<std::uint32_t>(seed);
      memory.jitter = seed % 3 == 0 ? 0 : 40;
      memory.write_hold = seed % 4 == 0 ? 20 : 0;
      INFO("seed " << seed << " on " << preset);
      CHECK(difference(launch, memory) == "");
    }
  }
}
