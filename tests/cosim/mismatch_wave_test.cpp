// The waveform that lockstep leaves at a mismatch: of the cycles before it, from a state kept while
// the run went on.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cosim/faults/replay_machine.hpp"
#include "cosim/lockstep/recent_states.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/random/program.hpp"
#include "cosim/session/random_session.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t for_ever = 20'000'000;

bool writes_nano() {
  const std::vector<std::string_view> presets = wave_presets();
  if (std::find(presets.begin(), presets.end(), "nano") != presets.end()) return true;
  WARN("SKIPPED: this build has no RTL of preset nano that writes waveforms");
  return false;
}

// A random program that runs for tens of thousands of cycles.
struct Job {
  Job()
      : knobs(random_knobs(4)),
        image(random_program(*find_preset("nano"), 4, long_run(knobs))),
        launch(random_launch(image, 4, knobs)) {}

  static const RandomKnobs& long_run(RandomKnobs& knobs) {
    knobs.bundles = 2400;
    knobs.turns = 9;
    knobs.illegal = false;
    return knobs;
  }

  RandomKnobs knobs;
  Image image;
  Launch launch;
};

struct TemporaryFile {
  TemporaryFile()
      : path((std::filesystem::temp_directory_path() /
              ("tandem-wave-" + std::to_string(::getpid()) + ".fst"))
                 .string()) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
  std::string path;
};

// In lockstep, with a waveform on a mismatch.
std::unique_ptr<Runner> runner_with_wave(const Job& job, const TemporaryFile& file,
                                         const std::optional<Fault>& fault) {
  RunnerOptions options;
  options.detect_uninitialised = false;
  options.mismatch_wave = file.path;
  options.fault = fault;
  return make_runner("lockstep", job.launch, options);
}

}  // namespace

TEST_CASE("a mismatch far into a run leaves a waveform of the cycles before it") {
  if (!needs_rtl("nano") || !writes_nano()) return;
  const Job job;
  const TemporaryFile file;
  const auto runner = runner_with_wave(job, file, parse_fault("write.data@2700"));
  REQUIRE(runner->advance(for_ever) == Outcome::mismatch);
  const auto report = nlohmann::json::parse(runner->explanation_json());
  INFO(report["wave"].dump());
  REQUIRE_FALSE(report["wave"].contains("refusal"));
  const std::uint64_t mismatch = report["wave"]["mismatch_cycle"];
  CHECK(mismatch > RecentStates::spacing);
  CHECK(report["wave"]["first_cycle"] == mismatch - wave_cycles_before);
  CHECK(runner->explanation().find("waveform of cycles ") != std::string::npos);
  CHECK(std::filesystem::file_size(file.path) > 1000);
}

TEST_CASE("without a mismatch no waveform is begun") {
  if (!needs_rtl("nano") || !writes_nano()) return;
  const Job job;
  const TemporaryFile file;
  const auto runner = runner_with_wave(job, file, std::nullopt);
  CHECK(runner->advance(for_ever) == Outcome::halted);
  CHECK_FALSE(std::filesystem::exists(file.path));
}

TEST_CASE("a machine that cannot go through a state again gives a reason and no waveform") {
  const Job job;
  LockstepOptions options;
  options.detect_uninitialised = false;
  options.wave = {"nowhere.fst", [](const Parameters& parameters, const MachineOptions&) {
                    return make_replay_machine(parameters, 1);
                  }};
  auto machine = make_faulty_machine(make_cycle_machine(*job.image.preset, {}),
                                     parse_fault("write.data@300"), nullptr);
  const auto runner = make_lockstep_runner(job.launch, std::move(machine), options);
  REQUIRE(runner->advance(for_ever) == Outcome::mismatch);
  CHECK(runner->explanation().find("no waveform: a machine of kind 'stand-in' cannot be saved\n") !=
        std::string::npos);
  const auto report = nlohmann::json::parse(runner->explanation_json());
  CHECK(report["wave"]["refusal"] == "a machine of kind 'stand-in' cannot be saved");
}

TEST_CASE("of the states kept, one is always old enough and none older than needed") {
  const Job job;
  const auto machine = make_cycle_machine(*job.image.preset, {});
  power_up_and_start(*machine, job.launch);
  RecentStates states;
  states.note(*machine);
  CHECK(states.before(5).cycle == 0);
  bool running = true;
  while (running && machine->cycles() < 5 * RecentStates::spacing) {
    running = machine->cycle(nullptr);
    states.note(*machine);
    const std::uint64_t now = machine->cycles();
    const std::uint64_t wanted = now - std::min<std::uint64_t>(now, 4000);
    CHECK(states.before(wanted).cycle <= wanted);
    CHECK(now - states.before(wanted).cycle <= 3 * RecentStates::spacing);
  }
  REQUIRE(machine->cycles() > 2 * RecentStates::spacing);
}
