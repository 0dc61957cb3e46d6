// Runs saved as bytes at random moments, in the middle of copies, matrix operations and misses, go
// on to the end that they would have had: on every model, and compared by lockstep.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "cosim/faults/replay_machine.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/random/program.hpp"
#include "cosim/rng.hpp"
#include "cosim/session/random_session.hpp"
#include "cosim/verilated/verilated_members.hpp"
#include "isa/state/archive_memory.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t for_ever = 20'000'000;

// A random program and how it is run.
struct Job {
  Job(std::string_view preset, std::uint64_t seed)
      : knobs(random_knobs(seed)),
        image(random_program(*find_preset(preset), seed, knobs)),
        launch(random_launch(image, seed, knobs)) {
    options.detect_uninitialised = false;
    options.machine = random_machine_options(seed);
    options.threads = 1 + seed % 2;
  }

  [[nodiscard]] std::unique_ptr<Runner> runner(std::string_view model) const {
    return make_runner(model, launch, options);
  }

  RandomKnobs knobs;
  Image image;
  Launch launch;
  RunnerOptions options;
};

std::vector<std::uint8_t> saved(Runner& runner) {
  std::vector<std::uint8_t> bytes;
  ArchiveWriter archive(bytes);
  runner.save_to(archive);
  return bytes;
}

void restore(Runner& runner, const std::vector<std::uint8_t>& bytes) {
  ArchiveReader archive(bytes);
  runner.restore_from(archive);
  archive.finish();
}

// Everything that a run shows at its end.
void check_same_end(const Runner& a, const Runner& b) {
  CHECK(a.bundles() == b.bundles());
  CHECK(a.cycles() == b.cycles());
  CHECK(a.trap() == b.trap());
  CHECK(a.pc() == b.pc());
  CHECK(a.events() == b.events());
  CHECK(a.volatile_reads() == b.volatile_reads());
  CHECK(a.counters() == b.counters());
  CHECK_FALSE(a.hbm().first_difference(b.hbm()));
  CHECK(a.explanation() == b.explanation());
}

// The run is saved after `steps` and continues, and so does a restored one.
void check_point(const Job& job, std::string_view model, std::uint64_t steps) {
  INFO("saved after " << steps);
  const auto original = job.runner(model);
  if (original->advance(steps) != Outcome::running) return;
  const std::vector<std::uint8_t> snapshot = saved(*original);
  const auto again = job.runner(model);
  restore(*again, snapshot);
  CHECK(again->bundles() == original->bundles());
  CHECK(again->cycles() == original->cycles());
  const Outcome end = original->advance(for_ever);
  CHECK(again->advance(for_ever) == end);
  check_same_end(*original, *again);
}

void check_random_points(std::string_view model, std::string_view preset, std::uint64_t seed,
                         int points) {
  const Job job(preset, seed);
  const auto whole = job.runner(model);
  whole->advance(for_ever);
  const std::uint64_t length = model == "golden" ? whole->bundles() : whole->cycles();
  INFO(model << " at " << preset << ", seed " << seed << ", " << length << " steps");
  Rng rng(seed);
  for (int i = 0; i < points; ++i) {
    check_point(job, model, 1 + rng.below(static_cast<std::uint32_t>(length)));
  }
}

}  // namespace

TEST_CASE("golden restored from bytes goes on to the identical end") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) check_random_points("golden", "nano", seed, 5);
  check_random_points("golden", "edge", 7, 2);
}

TEST_CASE("golden restored from bytes has every register and mark") {
  const Job job("nano", 3);
  GoldenOptions options;
  options.detect_uninitialised = true;
  GoldenModel whole(job.launch, options);
  whole.run(40);
  std::vector<std::uint8_t> bytes;
  ArchiveWriter writer(bytes);
  whole.save_to(writer);
  GoldenModel again(job.launch, options);
  again.hbm() = whole.hbm();
  ArchiveReader reader(bytes);
  again.restore_from(reader);
  reader.finish();
  whole.run(2000);
  again.run(2000);
  CHECK(again.status() == whole.status());
  CHECK(again.bundles() == whole.bundles());
  CHECK(again.state().scalars == whole.state().scalars);
  CHECK(again.state().vectors == whole.state().vectors);
  CHECK(again.state().masks == whole.state().masks);
  CHECK(again.state().accumulators == whole.state().accumulators);
  CHECK(again.state().weights == whole.state().weights);
  CHECK(again.state().smem == whole.state().smem);
  CHECK(again.state().vmem == whole.state().vmem);
  CHECK(again.finding().has_value() == whole.finding().has_value());
}

TEST_CASE("the cycle-exact model restored from bytes goes on to the identical cycle") {
  for (std::uint64_t seed = 11; seed <= 16; ++seed) check_random_points("cycle", "nano", seed, 5);
  check_random_points("cycle", "full", 17, 2);
}

TEST_CASE("RTL restored from bytes goes on to the identical cycle") {
  if (!needs_rtl("nano")) return;
  for (std::uint64_t seed = 21; seed <= 26; ++seed) check_random_points("rtl", "nano", seed, 4);
}

TEST_CASE("lockstep restored from bytes goes on comparing to the identical end") {
  if (!needs_rtl("nano")) return;
  for (std::uint64_t seed = 31; seed <= 38; ++seed) {
    check_random_points("lockstep", "nano", seed, 4);
  }
  if (is_built("small")) check_random_points("lockstep", "small", 39, 2);
}

// Everything that is in flight in some cycle of this program is caught in the middle by some
// snapshot.
TEST_CASE("lockstep can be saved in every cycle of a stretch") {
  if (!needs_rtl("nano")) return;
  const Job job("nano", 42);
  for (std::uint64_t cycle = 1; cycle <= 60; ++cycle) check_point(job, "lockstep", 150 + 7 * cycle);
}

TEST_CASE("a planted fault strikes after a restore as it would have without") {
  if (!needs_rtl("nano")) return;
  Job job("nano", 5);
  job.options.fault = Fault{CompareField::write_data, 300, std::nullopt, std::nullopt};
  const auto whole = job.runner("lockstep");
  REQUIRE(whole->advance(for_ever) == Outcome::mismatch);
  check_point(job, "lockstep", 200);
}

TEST_CASE("what is no state of the machine is refused, not restored") {
  const Job job("nano", 2);
  for (const std::string_view model : {"golden", "cycle"}) {
    INFO(model);
    const auto original = job.runner(model);
    original->advance(100);
    std::vector<std::uint8_t> bytes = saved(*original);
    const auto shorter = std::vector<std::uint8_t>(bytes.begin(), bytes.end() - 1);
    CHECK_THROWS_AS(restore(*job.runner(model), shorter), SnapshotError);
    bytes.push_back(0);
    CHECK_THROWS_AS(restore(*job.runner(model), bytes), SnapshotError);
    const Job larger("small", 2);
    bytes.pop_back();
    CHECK_THROWS_AS(restore(*larger.runner(model), bytes), SnapshotError);
  }
}

TEST_CASE("a machine that cannot be saved says so") {
  const Job job("nano", 2);
  LockstepOptions options;
  options.detect_uninitialised = false;
  const auto runner =
      make_lockstep_runner(job.launch, make_replay_machine(*job.image.preset, 1), options);
  CHECK_THROWS_WITH(saved(*runner), "a machine of kind 'stand-in' cannot be saved");
}

TEST_CASE("registers of two machines are compared by name") {
  std::uint32_t a = 1;
  std::uint32_t b = 2;
  const auto archived = [](std::vector<VerilatedMember> members) {
    std::vector<std::uint8_t> bytes;
    ArchiveWriter archive(bytes);
    save_members(archive, members);
    return bytes;
  };
  const auto first = archived({{"only_here_q", &a, 4}, {"x_q", &a, 4}, {"y_q", &a, 4}});
  const auto second = archived({{"x_q", &a, 4}, {"y_q", &b, 4}});
  CHECK(first_difference(ArchiveReader(first), ArchiveReader(first)).empty());
  CHECK(first_difference(ArchiveReader(first), ArchiveReader(second)) == "y_q");

  ArchiveReader wanted(second);
  std::uint32_t restored = 0;
  restore_members(wanted, {{"y_q", &restored, 4}, {"new_q", &a, 4}});
  CHECK(restored == 2);
  std::uint16_t narrow = 0;
  ArchiveReader again(second);
  CHECK_THROWS_WITH(restore_members(again, {{"y_q", &narrow, 2}}),
                    "the snapshot has no signal y_q of 2 bytes");
}
