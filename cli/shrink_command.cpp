// tandem shrink: the smallest program that still fails like a given one.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "assembler/disassemble.hpp"
#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/progress/line.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/lockstep_models.hpp"
#include "cli/run/options/knob_options.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cosim/shrink/shrink.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

struct ShrinkCommandOptions {
  LaunchOptions launch;
  ModelOptions model;
  KnobOptions knobs;
  std::string models = "rtl,golden,cycle";
  std::string plant;
  std::string output = "-";
  bool random = false;
  double seconds = 300;
};

struct Case {
  std::vector<TrialProgram> programs;
  TrialOptions trial;
  bool from_files = true;  // launches that a command line can express
};

Case program_case(const ShrinkCommandOptions& options, const PreparedLaunch& prepared) {
  Case result;
  result.trial.hbm_bytes = parse_size(options.launch.hbm);
  result.trial.seed = options.launch.seed;
  result.trial.detect_races = options.launch.race_check;
  result.trial.detect_uninitialised = options.launch.uninitialised_check;
  result.trial.memory = machine_options(options.launch, options.model).memory;
  result.trial.reset_seed = options.model.machine.reset_seed;
  result.trial.silence = options.model.silence;
  result.trial.cycles = step_limit(options.launch.limit, runtime::Model::lockstep);
  const auto launch = [inputs = prepared.inputs, trial = result.trial](const Image& image) {
    return make_launch(image, inputs, trial.hbm_bytes, trial.seed);
  };
  AssembleOptions assemble = options.launch.text;
  assemble.preset = options.launch.preset;
  assemble.include_paths = options.launch.include_paths;
  assemble.schedule = options.launch.schedule;
  result.programs.push_back({load_program(options.launch.inputs, assemble), launch});
  return result;
}

// As launched by `lockstep --random`, or `plain`: as by a command with program files.
Case random_case(const ShrinkCommandOptions& options, const Parameters& preset, bool plain) {
  const std::uint32_t seed = options.launch.seed;
  const RandomSession session = random_session(seed, knob_choices(options.knobs));
  Case result;
  result.trial.hbm_bytes = random_hbm_bytes;
  result.trial.seed = seed;
  result.trial.detect_uninitialised = false;
  result.trial.memory = session.machine.memory;
  result.trial.reset_seed = session.machine.reset_seed;
  result.from_files = plain;
  for (const RandomSession::Member& member : session.programs) {
    RandomKnobs knobs = member.knobs;
    if (plain) knobs.text_place = 0;
    result.programs.push_back(
        {random_object(preset, member.seed, knobs), [member, knobs, plain](const Image& image) {
           if (!plain) return random_launch(image, member.seed, knobs);
           return make_launch(image, {}, random_hbm_bytes, static_cast<std::uint32_t>(member.seed));
         }});
  }
  return result;
}

// Plain launches if they fail in the same way.
Case best_random_case(const ShrinkCommandOptions& options, const Parameters& preset, Trial& trial) {
  Case exact = random_case(options, preset, false);
  const std::string wanted = trial.run(exact.programs, exact.trial).signature;
  Case plain = random_case(options, preset, true);
  return trial.run(plain.programs, plain.trial).signature == wanted ? plain : exact;
}

// "small.s" is the program that fails, "small.1.s" the first that runs before it.
std::string output_name(const std::string& output, std::size_t number, std::size_t count) {
  if (output == "-" || number + 1 == count) return output;
  const std::size_t dot = output.rfind('.');
  const std::string ending =
      fmt::format(".{}{}", number + 1, dot == std::string::npos ? "" : output.substr(dot));
  return output.substr(0, dot) + ending;
}

void write_programs(const ShrinkResult& result, const std::string& output) {
  std::string all;
  for (std::size_t number = 0; number < result.programs.size(); ++number) {
    const std::string text = disassemble(result.programs[number].object, Language::assembly);
    all += text;
    const std::string path = output_name(output, number, result.programs.size());
    if (path == "-") continue;
    write_text(path, text);
  }
  if (output == "-") write_text("-", all);
}

std::string repeat_command(const ShrinkCommandOptions& options, const TrialOptions& trial) {
  std::string text = fmt::format(
      "tandem lockstep {} --models {} --hbm {} --seed {} --latency {} --jitter {} --memory-seed {} "
      "--outstanding {} --write-hold {} --beat {} --row-miss {} --reset-seed {}",
      options.output == "-" ? "FILE" : options.output, options.models, trial.hbm_bytes, trial.seed,
      trial.memory.latency, trial.memory.jitter, trial.memory.seed, trial.memory.outstanding,
      trial.memory.write_hold, trial.memory.beat, trial.memory.row_miss, trial.reset_seed);
  if (!trial.detect_uninitialised) text += " --no-uninitialised-check";
  if (!trial.detect_races) text += " --no-race-check";
  if (!options.plant.empty()) text += fmt::format(" --plant {}", options.plant);
  return text;
}

void report(const ShrinkCommandOptions& options, const Case& start, const ShrinkResult& result) {
  fmt::print(stderr,
             "{}\n{} of {} bundles and {} operations in {} program(s) still fail so; {} attempts, "
             "{:.1f} s{}\n{}",
             result.signature, result.bundles, result.bundles_before, result.operations,
             result.programs.size(), result.attempts, result.seconds,
             result.complete ? "" : " (time was up)", result.explanation);
  if (result.programs.size() == 1 && start.from_files) {
    fmt::print(stderr, "repeat with\n  {}\n", repeat_command(options, start.trial));
  } else {
    fmt::print(stderr, "the files alone do not repeat it: it needs this machine's launches\n");
  }
}

nlohmann::json shrink_json(const ShrinkResult& result) {
  return {{"signature", result.signature},      {"bundles_before", result.bundles_before},
          {"bundles", result.bundles},          {"operations", result.operations},
          {"programs", result.programs.size()}, {"attempts", result.attempts},
          {"seconds", result.seconds},          {"complete", result.complete}};
}

int run_shrink(const ShrinkCommandOptions& options) {
  if (options.random == !options.launch.inputs.empty()) {
    throw UserError{message::shrink_one};
  }
  if (options.launch.json && options.output == "-") {
    throw UserError{message::json_needs_output};
  }
  std::optional<PreparedLaunch> prepared;
  if (!options.random) prepared.emplace(options.launch);
  claim_output(options.output);
  const std::string& asked = options.launch.preset;
  const Parameters& preset =
      prepared ? *prepared->image.preset
               : preset_named(asked.empty() ? std::string(default_preset) : asked);
  const MachineFactories factories =
      command_factories(chosen_models(options.models), options.plant);
  LockstepParts parts{nullptr, factories.machine(preset, {}), nullptr};
  if (factories.cycle_exact) parts.cycle_exact = factories.cycle_exact(preset, {});
  Trial trial(std::move(parts));
  const Case start =
      prepared ? program_case(options, *prepared) : best_random_case(options, preset, trial);
  ShrinkOptions shrink{start.trial, options.seconds, {}};
  auto progress = std::make_unique<ProgressLine>();
  shrink.progress = [&](std::size_t bundles, std::uint64_t attempts) {
    if (!progress->is_due()) return;
    progress->show(fmt::format("{} bundles left, {} attempts, {:.0f} of at most {:.0f} s", bundles,
                               attempts, progress->seconds(), options.seconds));
  };
  const ShrinkResult result = Shrinker(trial, start.programs, shrink).run();
  progress.reset();
  if (result.signature.empty()) throw UserError{message::nothing_to_shrink};
  write_programs(result, options.output);
  report(options, start, result);
  if (options.launch.json) fmt::print("{}\n", json_text(shrink_json(result)));
  return exit_done;
}

}  // namespace

void add_shrink_command(Command application, int* status) {
  auto options = std::make_shared<ShrinkCommandOptions>();
  const Command command = application.add_subcommand(
      "shrink", "Reduce a program that fails in lockstep to a minimal one with the same failure");
  command.footer(
      "Examples:\n"
      "  tandem shrink kernel.s --in x=x.npy -o small.s\n"
      "  tandem shrink --random --seed 4711 --preset nano -o small.s\n"
      "  tandem shrink --random --seed 1 --preset nano --plant write.data:vsel -o small.s\n"
      "The same failure is: a mismatch in the same field, slot and operation, a deadlock with the "
      "same stall\n"
      "cause, the same race, the same trap.");
  add_launch_options(command, options->launch);
  command.add_flag("--random", options->random,
                   "Instead of a program: what lockstep --random 1 runs with this --seed");
  command
      .add_option("--models", options->models, "What is compared: golden with rtl, cycle or both")
      .capture_default_str();
  command.add_option("--plant", options->plant,
                     "FIELD[:OPERATION[+OPERATION]][@NUMBER]: a fault planted, as in lockstep");
  command.add_option("-o,--output", options->output, "Assembly text to write; - is standard output")
      .capture_default_str();
  command.add_option("--seconds", options->seconds, "Stop after this time with the best so far")
      .capture_default_str();
  add_knob_options(command, options->knobs);
  add_model_options(command, options->model);
  command.callback([options, status] { *status = run_shrink(*options); });
}

}  // namespace tandem
