// Chips of a group on the cycle-exact model: times do not depend on the step sizes, ends and values
// are golden's.
#include "sim/time/cycle_group.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <random>
#include <set>

#include "tests/runtime/group_support.hpp"

namespace tandem::test {
namespace {

using namespace runtime;

struct Ended {
  GroupStatus status = GroupStatus::running;
  std::vector<std::uint64_t> cycles;
  std::vector<std::vector<std::uint32_t>> vmem;
  std::vector<std::array<std::uint32_t, sync_flags>> flags;

  void note(const GoldenModel& chip) {
    vmem.push_back(chip.state().vmem);
    flags.emplace_back();
    std::copy_n(chip.state().flags.begin(), sync_flags, flags.back().begin());
  }
  bool operator==(const Ended&) const = default;
};

// On a group of links like these, in windows of so many cycles.
Ended run_timed(const std::string& text, const MemoryTimingParameters& timing, std::uint32_t window,
                std::uint32_t chips = group_chips) {
  DeviceOptions options = nano_chip(Model::cycle);
  options.machine.memory = timing;
  Chips group(text, options, chips);
  std::vector<std::unique_ptr<Run>> runs;
  std::vector<CycleModel*> models;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    runs.push_back(group.devices[chip]->start(group.programs[chip], {}, {}, {chip, chips}));
    models.push_back(group.devices[chip]->cycle_model());
  }
  CycleGroup timed(models, timing, window);
  Ended ended;
  for (int turns = 0; turns < 100 && ended.status == GroupStatus::running; ++turns) {
    ended.status = timed.run(1000);
  }
  for (const CycleModel* model : models) {
    ended.cycles.push_back(model->cycle());
    ended.note(model->golden());
  }
  return ended;
}

Ended run_golden(const std::string& text) {
  Chips group(text);
  const GroupResult result = group.launch();
  Ended ended;
  if (result.outcome == Outcome::halted) ended.status = GroupStatus::halted;
  for (const auto& device : group.devices) ended.note(*device->golden_model());
  return ended;
}

MemoryTimingParameters links(std::uint32_t latency, std::uint32_t rate) {
  MemoryTimingParameters timing;
  timing.link_latency = latency;
  timing.link_rate = rate;
  return timing;
}

std::uint64_t ring_cycles(std::uint32_t latency, std::uint32_t rate) {
  const Ended ended = run_timed(row_ring(3, 3, false), links(latency, rate), 0);
  CHECK(ended.status == GroupStatus::halted);
  CHECK(std::set(ended.cycles.begin(), ended.cycles.end()).size() == 1);
  return ended.cycles[0];
}

}  // namespace

TEST_CASE("cycles of a group do not depend on how far a chip goes at once") {
  std::mt19937 random(11);
  int halted = 0;
  for (int program = 0; program < 60; ++program) {
    const std::string text = random_messages(random);
    const std::uint32_t latency = 2 + random() % 90;
    const MemoryTimingParameters timing = links(latency, 1 + random() % 9);
    const Ended whole = run_timed(text, timing, 0);
    INFO("program " << program << "\n" << text);
    if (whole.status != GroupStatus::halted) continue;
    ++halted;
    REQUIRE(run_timed(text, timing, 1) == whole);
    REQUIRE(run_timed(text, timing, 1 + latency / 2) == whole);
    const Ended golden = run_golden(text);
    REQUIRE(golden.status == GroupStatus::halted);
    CHECK(golden.vmem == whole.vmem);
    CHECK(golden.flags == whole.flags);
  }
  CHECK(halted > 10);
}

TEST_CASE("a step of a ring takes a link's latency and a packet's beats") {
  const std::uint64_t base = ring_cycles(50, 1);
  CHECK(ring_cycles(150, 1) == base + 3 * 100);
  // A header and a beat: the second may go `rate` cycles after the first.
  CHECK(ring_cycles(50, 9) == base + 3 * 8);
}

TEST_CASE("a flood of messages round a ring of one-packet credits ends") {
  // Every chip sends 40 rows to the second one to its right without looking up: each link has
  // those of two chips. Opposite chips of a ring of four would send half of them to the left.
  constexpr std::uint32_t chips = 5;
  std::string text = group_prologue() + R"(
        vst [0], v1, rows=1
        s5 = add s1, 2
        p1 = ge.u32 s5, 5
        @p1 s5 = sub s5, 5
)";
  for (int row = 0; row < 40; ++row) {
    text += fmt::format("        remote s5, 0, {}, 1, 2\n", 8 + row);
  }
  text += R"(
        { dma: wait f1, 40 }
        { dma: wait f2, 40 }
        halt
)";
  const Ended slow = run_timed(text, links(300, 40), 0, chips);
  CHECK(slow.status == GroupStatus::halted);
  const Ended fast = run_timed(text, links(2, 1), 0, chips);
  CHECK(fast.status == GroupStatus::halted);
  CHECK(slow.vmem == fast.vmem);
  CHECK(slow.cycles[0] > 10 * fast.cycles[0]);
}

TEST_CASE("a deadlock, and a trap beside a wait that is not met, as golden has them") {
  CHECK(Chips(lost_signal(), Model::cycle).launch().report == Chips(lost_signal()).launch().report);
  for (const Model model : {Model::golden, Model::cycle}) {
    const GroupResult result = Chips(trap_beside_wait(), model).launch();
    CHECK(result.outcome == Outcome::trapped);
    CHECK(result.chip == 2);
    CHECK(result.chips[2].trap.slot == Slot::ld);
  }
}

}  // namespace tandem::test
