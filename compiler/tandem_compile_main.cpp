// tandem-compile: a StableHLO program to a Tandem program.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "assembler/named_machine.hpp"
#include "compiler/contract/versions.hpp"
#include "compiler/driver/isolate.hpp"
#include "compiler/measure/statistics.hpp"
#include "compiler/reader/pretty.hpp"
#include "compiler/tune/tuner.hpp"
#include "host/child.hpp"
#include "host/help_formatter.hpp"
#include "host/host_file.hpp"
#include "host/interruption.hpp"
#include "host/output_file.hpp"
#include "host/printable.hpp"
#include "host/process.hpp"
#include "host/standard_files.hpp"
#include "host/user_error.hpp"

namespace {

constexpr int exit_done = 0;
constexpr int exit_bad_input = 2;

struct Options {
  std::string input;
  std::string output;
  std::string preset = std::string(tandem::default_preset);
  bool preset_given = false;
  std::uint64_t hbm = tandem::compiler::compiled_reach;
  std::uint64_t debug_bytes = tandem::compiler::default_log_bytes;
  bool links = false;
  bool no_start_copies = false;
  std::string emit = "elf";
  std::string from;
  std::string record_decisions;
  bool stats = false;
  bool check_levels = false;
  bool bisect_passes = false;
  bool json = false;
  double turns = 1;
  std::vector<std::string> inputs;
  bool tune = false;
  std::string tuning_cache;
  unsigned tune_runs = 100;
  std::uint64_t memory_limit = tandem::compiler::Limits{}.memory >> 20U;  // MiB
  unsigned time_limit = tandem::compiler::Limits{}.seconds;
};

// More than any artifact has: a device that never ends, a sparse file.
constexpr std::uint64_t largest_input = std::uint64_t{1} << 32U;

std::string read(const std::string& path) {
  tandem::HostFile file(path);
  std::string bytes;
  if (!file.read_rest(largest_input, bytes)) throw tandem::UserError{path + ": " + file.error()};
  tandem::note_input(path);
  return bytes;
}

int fail(const std::string& message) {
  std::cerr << "tandem-compile: " << tandem::printable(message) << "\n";
  return exit_bad_input;
}

bool makes_program(const Options& options) {
  const bool tells = options.stats || options.check_levels || options.bisect_passes;
  return options.emit == "elf" && !tells;
}

// The output path without -o: programs beside the input, text to the terminal.
std::string default_output(const Options& options) {
  if (!makes_program(options) || options.input == "-") return "-";
  return std::filesystem::path(options.input).replace_extension(".elf").string();
}

// NAME=FILE each; nothing if malformed.
std::optional<tandem::compiler::InputFiles> input_files(const std::vector<std::string>& given) {
  tandem::compiler::InputFiles files;
  for (const std::string& pair : given) {
    const std::size_t middle = pair.find('=');
    if (middle == std::string::npos || middle == 0) return std::nullopt;
    files[pair.substr(0, middle)] = pair.substr(middle + 1);
  }
  return files;
}

tandem::compiler::Outcome compiled(const Options& options, tandem::compiler::Job& job,
                                   const tandem::compiler::InputFiles& inputs) {
  using tandem::compiler::Form;
  if (options.stats) {
    job.turns = options.turns;
    return tandem::compiler::statistics(job, inputs, options.json ? Form::json : Form::text);
  }
  return tandem::compiler::compile(job);
}

tandem::compiler::Level level(const std::string& name) {
  const auto found = tandem::compiler::find_level(name);
  if (!found) throw tandem::UserError{"there is no level '" + name + "'"};
  return *found;
}

// The outputs of --emit.
void set_output(tandem::compiler::Job& job, const std::string& emit) {
  using tandem::compiler::Print;
  if (emit == "memory" || emit == "memory.svg") {
    job.print = emit == "memory" ? Print::memory : Print::memory_drawn;
    job.emit = tandem::compiler::Level::buffers;
  } else if (emit == "decisions") {
    job.print = Print::decisions;
    job.choices.emplace();
    job.emit = tandem::compiler::Level::tpu;
  } else {
    job.emit = level(emit);
  }
}

// The reader accepts artifacts and the generic form; for the pretty form StableHLO's own parser
// makes an artifact, where Python has it.
std::string program_of(const Options& options) {
  std::string bytes = read(options.input);
  if (!options.from.empty() || !tandem::compiler::needs_python(bytes)) return bytes;
  const auto converted = tandem::compiler::convert_pretty(options.input, bytes, options.time_limit);
  if (!converted.errors.empty()) throw tandem::UserError{converted.errors, true};
  return converted.artifact.empty() ? bytes : converted.artifact;
}

tandem::compiler::Job job_of(const Options& options) {
  tandem::compiler::Job job;
  job.name = options.input == "-" ? "<stdin>" : options.input;
  const tandem::FoundMachine found = tandem::named_machine(options.preset);
  if (found.machine == nullptr) throw tandem::UserError{found.complaint};
  job.machine = found.machine;
  if (!found.timing.empty()) job.timed_machine = found.name();
  set_output(job, options.emit);
  if (options.check_levels) job.print = tandem::compiler::Print::check;
  if (options.bisect_passes) job.print = tandem::compiler::Print::check_passes;
  if (options.check_levels || options.bisect_passes) job.emit = tandem::compiler::Level::elf;
  if (!options.from.empty()) job.from = level(options.from);
  job.machine_asked = options.preset_given;
  job.links = options.links;
  job.start_copies = !options.no_start_copies;
  job.room = std::min(options.hbm, tandem::compiler::compiled_reach);
  job.log_bytes = std::min(options.debug_bytes, job.room);
  job.limits = {options.memory_limit << 20U, options.time_limit};
  return job;
}

// False: the reason has been reported.
bool tuned(const Options& options, tandem::compiler::Job& job,
           const tandem::compiler::InputFiles& inputs) {
  if (options.tuning_cache.empty()) {
    if (options.tune) {
      throw tandem::UserError{"--tune wants --tuning-cache FILE, or TANDEM_TUNING_CACHE"};
    }
    return true;
  }
  std::string messages;
  const bool done = tandem::compiler::tune(
      job, {options.tuning_cache, options.tune, options.tune_runs, inputs}, messages);
  std::cerr << tandem::printable(messages);
  return done;
}

int run(const Options& options) {
  tandem::compiler::Job job = job_of(options);
  const auto inputs = input_files(options.inputs);
  if (!inputs) return fail("--in wants NAME=FILE.npy");
  for (const auto& [name, path] : *inputs) tandem::note_input(path);
  if (!options.tuning_cache.empty()) tandem::note_input(options.tuning_cache);
  job.input = program_of(options);
  tandem::note_interruptions();  // from here on there are processes and folders to clean up
  const std::string output = options.output.empty() ? default_output(options) : options.output;
  makes_program(options) ? tandem::claim_program(output) : tandem::claim_output(output);
  if (!options.record_decisions.empty()) tandem::claim_output(options.record_decisions);
  if (!tuned(options, job, *inputs)) return exit_bad_input;
  const tandem::compiler::Outcome outcome = compiled(options, job, *inputs);
  if (tandem::interruption() != 0) throw tandem::Interrupted{};
  tandem::forget_interruptions();
  std::cerr << tandem::printable(outcome.messages);
  if (!outcome.ok) return exit_bad_input;
  tandem::write_text(output, outcome.output);
  if (!options.record_decisions.empty()) {
    tandem::write_text(options.record_decisions, outcome.taken + "\n");
  }
  return exit_done;
}

void add_levels(CLI::App& application, Options& options) {
  application.footer(
      "Examples:\n"
      "  tandem-compile model.mlirbc -o model.elf --preset full\n"
      "  tandem-compile model.mlir --emit=tiled\n"
      "  tandem-compile model.mlirbc --emit=memory.svg -o memory.svg\n"
      "  tandem-compile model.mlirbc --emit=vliw | less\n"
      "  tandem-compile model.mlirbc --stats --in arg0=x.npy\n"
      "  tandem-compile model.mlirbc --tune --tuning-cache tuning.txt\n"
      "Levels: stablehlo tensor tiled buffers tpu asm vliw elf; memory and memory.svg show what is "
      "where in VMEM and HBM; decisions, what --tune may choose");
  application.add_option("input", options.input, "Artifact or MLIR text; - is standard input")
      ->required();
  application.add_option("-o,--output", options.output, "File to write; - is standard output");
  application.add_option("--preset,--machine", options.preset,
                         "The machine: " + tandem::machine_forms() + ", or FILE.toml");
  application
      .add_option("--hbm", options.hbm,
                  "Bytes of HBM there: arguments and results beyond it are an error at once")
      ->capture_default_str();
  application
      .add_option("--debug-bytes", options.debug_bytes,
                  "Bytes of HBM at most for what the program tells its host (jax.debug.print)")
      ->capture_default_str();
  application.add_option("--emit", options.emit, "Level to stop at and print");
  application.add_option("--from", options.from, "Level of the input, where it does not say");
  application.add_flag(
      "--links", options.links,
      "The machines that run it have links between them: collectives are compiled, "
      "for as many machines as the program has partitions");
  application.add_flag("--no-start-copies", options.no_start_copies,
                       "The program starts its first copies itself: for cores whose hosts do not");
}

void add_checks(CLI::App& application, Options& options) {
  application.add_flag("--check-levels", options.check_levels,
                       "Run the program on this processor at each level, with numbers of ours, and "
                       "compare; a pass that changes results is named");
  application.add_flag("--bisect-passes", options.bisect_passes,
                       "The same after each pass of each level");
  application.add_option("--record-decisions", options.record_decisions,
                         "File for what the compiler decided by thresholds and models: JSON with "
                         "each one's value and how often each way was gone");
}

void add_measurement(CLI::App& application, Options& options) {
  application.add_flag("--stats", options.stats,
                       "Tell of each fused region its operations, bytes, bound, and its cycles: "
                       "predicted, and measured on the cycle-exact model");
  application.add_flag("--json", options.json, "What --stats tells as JSON");
  application
      .add_option("--turns", options.turns,
                  "Turns that predictions assume of loops whose number is not known")
      ->check([](const std::string& text) {
        double turns = 0;
        const bool good = CLI::detail::lexical_cast(text, turns) && turns >= 0 && turns <= 1e12;
        return good ? std::string() : text + " is not a number of iterations";
      });
  application.add_flag("--tune", options.tune,
                       "Try what the cost models decide on the cycle-exact model, and keep what is "
                       "best in the tuning cache, unless the program is there already");
  application
      .add_option("--tuning-cache", options.tuning_cache,
                  "File with the choices that --tune has found, used for programs that it has")
      ->envname("TANDEM_TUNING_CACHE");
  application.add_option("--tune-runs", options.tune_runs, "Most runs of a search")
      ->capture_default_str();
  application
      .add_option("--in", options.inputs,
                  "NAME=FILE.npy: what an input holds in measured runs; random where not given")
      ->allow_extra_args(false);
}

void add_limits(CLI::App& application, Options& options) {
  application
      .add_option("--memory-limit", options.memory_limit,
                  "MiB that compiling may take; more is an error")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str();
  application
      .add_option("--time-limit", options.time_limit,
                  "Seconds of processor time that compiling may take; more is an error")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str();
  application.set_version_flag("--version", tandem::compiler::versions());
}

void add_options(CLI::App& application, Options& options) {
  add_levels(application, options);
  add_checks(application, options);
  add_measurement(application, options);
  add_limits(application, options);
}

}  // namespace

int main(int argc, char** argv) {
  tandem::keep_statuses_of_children();
  tandem::occupy_standard_files();
  Options options;
  CLI::App application("Compiles StableHLO to a Tandem program", "tandem-compile");
  application.formatter(std::make_shared<tandem::HelpFormatter>());
  add_options(application, options);
  try {
    application.parse(argc, argv);
    options.preset_given = application.count("--preset") != 0;
    return run(options);
  } catch (const tandem::Interrupted&) {
    return tandem::interrupted_status(exit_bad_input);
  } catch (const CLI::ParseError& error) {
    return application.exit(error) == 0 ? exit_done : exit_bad_input;
  } catch (const tandem::UserError& error) {
    if (!error.diagnostics) return fail(error.message);
    std::cerr << tandem::printable(error.message);
    return exit_bad_input;
  }
}
