// tandem lockstep: RTL, golden model and cycle-exact model together, on a program or on random
// ones.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/files/standard_streams.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/progress/count.hpp"
#include "cli/run/files/event_recording.hpp"
#include "cli/run/files/mismatch_wave_file.hpp"
#include "cli/run/files/program_coverage.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/group_run.hpp"
#include "cli/run/lockstep_models.hpp"
#include "cli/run/options/knob_options.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cli/run/snapshot_options.hpp"
#include "cli/terminal/colour.hpp"
#include "cosim/coverage/steering.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/session/random_session.hpp"
#include "host/interruption.hpp"
#include "isa/machine.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

struct LockstepCommandOptions {
  LaunchOptions launch;
  ModelOptions model;
  std::uint64_t random = 0;
  bool keep_going = false;
  KnobOptions knobs;
  std::string coverage;
  bool steer = false;
  std::string plant;
  SnapshotOptions snapshot;
  std::string wave;
  std::string record;
  std::string models = "rtl,golden,cycle";
  std::uint32_t threads = 0;  // as many as useful
  std::uint32_t chips = 1;
};

int lockstep_group(const LockstepCommandOptions& options) {
  refuse_of_group(!options.coverage.empty(), "--coverage");
  refuse_of_group(!options.wave.empty(), "--wave");
  refuse_of_group(!options.record.empty(), "--record-events");
  check_group(options.launch, options.snapshot);
  runtime::DeviceOptions device =
      device_options(options.launch, options.model, runtime::Model::lockstep);
  device.plant = options.plant;
  device.lockstep = chosen_models(options.models);
  return run_group(options.launch, device, options.chips);
}

// A recorded machine cannot be saved and restored.
void check_recording(const LockstepCommandOptions& options) {
  if (options.record.empty()) return;
  const bool saves = !options.snapshot.file.empty() || !options.snapshot.restore.empty();
  if (saves) throw UserError{fmt::format(message::not_with_recording, "a snapshot")};
  if (!options.wave.empty()) throw UserError{fmt::format(message::not_with_recording, "--wave")};
}

int lockstep_program(const LockstepCommandOptions& options) {
  if (!options.plant.empty()) parse_fault(options.plant);  // a typo, before anything is loaded
  if (options.chips != 1) return lockstep_group(options);
  check_recording(options);
  const PreparedLaunch prepared(options.launch);
  SnapshotFiles snapshots(options.snapshot);
  MismatchWaveFile wave(options.wave);
  EventRecording recording(options.record);
  runtime::DeviceOptions device =
      device_options(options.launch, options.model, runtime::Model::lockstep);
  device.plant = options.plant;
  device.lockstep = chosen_models(options.models);
  device.threads = options.threads;
  wave.ask_for(device);
  recording.ask_for(device);
  RunReaders readers(options.launch.counters);
  ProgramCoverage coverage(options.coverage, prepared.image, readers);
  CommandRun run(
      device, prepared,
      {readers.timing(), coverage.beside(listing_reader(options.launch, prepared.image))});
  const RunResult result =
      snapshots.drive(run, device.model, step_limit(options.launch.limit, device.model));
  nlohmann::json written = nlohmann::json::object();
  snapshots.tell(written);
  coverage.write();
  recording.finish(written);
  wave.finish(run.runner().explanation_json(), written);
  return snapshots.status(
      finish_run(options.launch, prepared.outputs, run, result, readers, written));
}

struct RandomTotals {
  std::uint64_t machines = 0;  // powered up
  std::uint64_t programs = 0;
  std::uint64_t halted = 0;
  std::uint64_t trapped = 0;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;

  void add(const RandomResult& result) {
    ++machines;
    programs += result.programs;
    halted += result.halted;
    trapped += result.trapped;
    bundles += result.bundles;
    cycles += result.cycles;
  }
};

// `written`: files, by kind.
int report_random(const RandomTotals& totals, std::uint64_t seed, const RandomResult* failure,
                  bool json, const nlohmann::json& written) {
  if (json) {
    nlohmann::json result{{"machines", totals.machines},
                          {"programs", totals.programs},
                          {"halted", totals.halted},
                          {"trapped", totals.trapped},
                          {"bundles", totals.bundles},
                          {"cycles", totals.cycles},
                          {"passed", totals.programs == totals.halted + totals.trapped}};
    result.update(written);
    if (failure != nullptr) {
      result["seed"] = seed;
      result["outcome"] = outcome_name(failure->outcome);
      result["signature"] = failure->signature;
      if (!failure->explanation_json.empty()) {
        result["report"] = parse_json(failure->explanation_json);
      }
    }
    fmt::print("{}\n", json_text(result));
  } else if (failure != nullptr) {
    fmt::print(stderr, "random program {}: {}\n", seed, outcome_name(failure->outcome));
    print_mismatch(failure->explanation);
  }
  if (!json) {
    fmt::print(stderr, "{} programs ({} halted, {} trapped, {} failed), {} bundles, {} cycles\n",
               totals.programs, totals.halted, totals.trapped,
               totals.programs - totals.halted - totals.trapped, totals.bundles, totals.cycles);
  }
  return failure == nullptr ? exit_done : exit_failed;
}

std::string headline(const RandomResult& result) {
  return fmt::format("{}: {}", outcome_name(result.outcome),
                     result.explanation.substr(0, result.explanation.find('\n')));
}

RandomLockstep random_lockstep(const LockstepCommandOptions& options) {
  const std::string preset =
      options.launch.preset.empty() ? std::string(default_preset) : options.launch.preset;
  if (!find_machine(preset).timing.empty()) throw UserError{message::random_draws_timing};
  const runtime::LockstepModels models = chosen_models(options.models);
  const MachineFactories factories = command_factories(models, options.plant);
  return {preset_named(preset), factories.machine, factories.cycle_exact,
          knob_choices(options.knobs), random_command(models, options.plant)};
}

// Failures of one cause are counted, not repeated.
class FailureCounts {
 public:
  void add(std::uint64_t seed, const RandomResult& result) {
    const auto [at, is_new] = counts_.try_emplace(result.signature, Entry{seed, 0});
    ++at->second.count;
    if (is_new) fmt::print(stderr, "seed {}: {}\n", seed, headline(result));
  }
  [[nodiscard]] bool empty() const { return counts_.empty(); }
  [[nodiscard]] std::uint64_t total() const {
    return std::accumulate(
        counts_.begin(), counts_.end(), std::uint64_t{0},
        [](std::uint64_t sum, const auto& each) { return sum + each.second.count; });
  }
  void print() const {
    for (const auto& [signature, entry] : counts_) {
      fmt::print(stderr, "{:6} times, first with seed {}: {}\n", entry.count, entry.first_seed,
                 signature);
    }
  }

 private:
  struct Entry {
    std::uint64_t first_seed;
    std::uint64_t count;
  };
  std::map<std::string, Entry> counts_;
};

// The hit bins go to a file, and may steer the next runs.
class CoverageRun {
 public:
  CoverageRun(const LockstepCommandOptions& options, RandomLockstep& lockstep)
      : fixed_(knob_choices(options.knobs)), path_(options.coverage), steers_(options.steer) {
    if (path_.empty() && !steers_) return;
    if (!path_.empty()) claim_output(path_);
    lockstep.set_coverage(&coverage_);
  }
  RandomResult run(RandomLockstep& lockstep, std::uint64_t seed) {
    if (!steers_) return lockstep.run(seed);
    const KnobChoices choices = steering_.next(fixed_);
    const std::size_t before = coverage_.covered();
    const RandomResult result = lockstep.run(seed, choices);
    steering_.reward(choices, coverage_.covered() - before);
    return result;
  }
  void write() const {
    if (!path_.empty()) write_coverage(path_, coverage_);
  }

 private:
  KnobChoices fixed_;
  std::string path_;
  bool steers_;
  Coverage coverage_;
  KnobSteering steering_{1};
};

int lockstep_random(const LockstepCommandOptions& options) {
  RandomLockstep lockstep = random_lockstep(options);
  RandomTotals totals;
  FailureCounts failures;
  CoverageRun coverage(options, lockstep);
  MismatchWaveFile wave(options.wave);
  wave.ask_for(lockstep, chosen_models(options.models));
  nlohmann::json written = nlohmann::json::object();
  note_interruptions();
  auto progress = std::make_unique<ProgressCount>(options.random, "machines");
  for (std::uint64_t seed = options.launch.seed;
       totals.machines < options.random && interruption() == 0; ++seed) {
    const RandomResult result = coverage.run(lockstep, seed);
    totals.add(result);
    if (!result.passed()) {
      if (failures.empty()) wave.finish(result.explanation_json, written);
      lockstep.set_wave({});  // it is of the first failure
      if (!options.keep_going) {
        return report_random(totals, seed, &result, options.launch.json, written);
      }
      failures.add(seed, result);
    }
    progress->show(totals.machines, failures.total());
  }
  progress.reset();
  failures.print();
  coverage.write();
  report_random(totals, 0, nullptr, options.launch.json, written);
  return interrupted_status(failures.empty() ? exit_done : exit_failed);
}

// A random program has no tensors, draws its memory's timing from its seed and runs to completion.
void refuse_options_of_a_program(Command command) {
  for (const char* name :
       {"--in",           "--out",        "--hbm",           "--limit",
        "--listing",      "--counters",   "--no-race-check", "--no-uninitialised-check",
        "--latency",      "--jitter",     "--memory-seed",   "--outstanding",
        "--write-hold",   "--reset-seed", "--silence",       "--threads",
        "--chips",        "--snapshot",   "--snapshot-at",   "--restore",
        "--record-events"}) {
    if (command.count(name) != 0) {
      throw UserError{fmt::format(message::not_for_random, name)};
    }
  }
}

int run_lockstep(const LockstepCommandOptions& options, Command command) {
  const bool has_program = !options.launch.inputs.empty();
  if (has_program == (options.random != 0)) {
    throw UserError{message::program_or_random};
  }
  if (!has_program) refuse_options_of_a_program(command);
  for (const char* name : {"--knob", "--knobs", "--steer"}) {
    if (has_program && command.count(name) != 0) {
      throw UserError{fmt::format(message::needs_random, name)};
    }
  }
  return has_program ? lockstep_program(options) : lockstep_random(options);
}

// Wrappers of the compared machine, and files about its run.
void add_machine_options(Command command, LockstepCommandOptions& options) {
  command.add_option(
      "--plant", options.plant,
      "FIELD[:OPERATION[+OPERATION]][@NUMBER]: corrupt this on the RTL's side (the cycle "
      "model's without RTL)");
  add_model_options(command, options.model);
  add_snapshot_options(command, options.snapshot);
  command.add_option("--record-events", options.record,
                     "File for the events of the RTL (without RTL: of the cycle model), for tandem "
                     "check");
  command.add_option("--wave", options.wave,
                     "At a mismatch: write a waveform of the cycles before it, with a view for "
                     "GTKWave next to it");
}

}  // namespace

void add_lockstep_command(Command application, int* status) {
  auto options = std::make_shared<LockstepCommandOptions>();
  const Command command = application.add_subcommand(
      "lockstep", "Run a program on RTL, golden and cycle-exact model, every bundle compared");
  command.footer(
      "Examples:\n"
      "  tandem lockstep kernel.s --in A=a.npy --in B=b.npy --out C=c.npy\n"
      "  tandem lockstep --random 200 --seed 1 --preset nano\n"
      "  tandem lockstep kernel.s --preset full --models golden,cycle    (needs no RTL)\n"
      "  tandem lockstep kernel.s --plant write.data@100    (shows that the check works)\n"
      "  tandem lockstep --chips 4 ring.s --in x=x{chip}.npy --out y=y{chip}.npy\n"
      "  tandem lockstep kernel.s --wave x.fst    (written when there is a mismatch)\n"
      "Exit status: 0 halted without a difference, 1 differed, trapped, raced or met the limit,\n"
      "2 bad usage or input.");
  add_launch_options(command, options->launch);
  command
      .add_option("--models", options->models,
                  "What is compared: at least two of rtl, golden and cycle")
      .capture_default_str();
  command
      .add_option("--threads", options->threads,
                  "1, or 2 to run golden and the cycle model in parallel with the RTL; the result "
                  "is the same (default: 2 where there are two processors)")
      .within(1, 2);
  command
      .add_option("--chips", options->chips,
                  "Run on a group of this many chips; {chip} in names of tensor files is the "
                  "number of a chip")
      .within(1, 64);
  command.add_option(
      "--random", options->random,
      "Instead of a program: random programs on this many machines, with seeds from --seed up");
  add_knob_options(command, options->knobs);
  command.add_option("--coverage", options->coverage,
                     "Write what was hit to this file (tandem coverage)");
  command.add_flag("--steer", options->steer, "Favour knobs that hit what was not hit before")
      .group("Random programs");
  command.add_flag("--keep-going", options->keep_going,
                   "With --random: one line for each kind of failure, and how often it occurred");
  add_machine_options(command, *options);
  command.callback([options, command, status] { *status = run_lockstep(*options, command); });
}

}  // namespace tandem
