// tandem-compile: a StableHLO program to a Tandem program.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>

#include "compiler/driver.hpp"
#include "compiler/stats/statistics.hpp"
#include "compiler/tune/tuner.hpp"

namespace {

constexpr int exit_done = 0;
constexpr int exit_bad_input = 2;

struct Options {
  std::string input;
  std::string output;
  std::string preset = std::string(tandem::default_preset);
  std::string emit = "elf";
  std::string from;
  bool stats = false;
  bool json = false;
  double turns = 1;
  std::vector<std::string> inputs;
  bool tune = false;
  std::string tuning_cache;
  unsigned tune_runs = 100;
};

bool read(const std::string& path, std::string& bytes) {
  if (path == "-") {
    bytes.assign(std::istreambuf_iterator<char>(std::cin), {});
    return true;
  }
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return file.is_open() && !file.bad();
}

bool write(const std::string& path, const std::string& bytes) {
  if (path == "-") return static_cast<bool>(std::cout.write(bytes.data(), bytes.size()).flush());
  std::ofstream file(path, std::ios::binary);
  return static_cast<bool>(file.write(bytes.data(), bytes.size()).flush());
}

int fail(const std::string& message) {
  std::cerr << "tandem-compile: " << message << "\n";
  return exit_bad_input;
}

// Where the result goes when -o does not say: programs beside the input, text to the terminal.
std::string default_output(const Options& options) {
  if (options.emit != "elf" || options.stats || options.input == "-") return "-";
  return std::filesystem::path(options.input).replace_extension(".elf").string();
}

// NAME=FILE each; nothing for something else.
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

int run(const Options& options) {
  tandem::compiler::Job job;
  job.name = options.input == "-" ? "<stdin>" : options.input;
  job.machine = tandem::find_preset(options.preset);
  if (job.machine == nullptr) return fail("there is no preset '" + options.preset + "'");
  if (options.emit == "memory") job.print = tandem::compiler::Print::memory;
  if (options.emit == "memory.svg") job.print = tandem::compiler::Print::memory_drawn;
  const bool draws = job.print != tandem::compiler::Print::level;
  if (options.emit == "decisions") {
    job.print = tandem::compiler::Print::decisions;
    job.choices.emplace();
  }
  const bool decides = options.emit == "decisions";
  const auto emit = tandem::compiler::find_level(draws     ? "buffers"
                                                 : decides ? "tpu"
                                                           : options.emit);
  if (!emit) return fail("there is no level '" + options.emit + "'");
  job.emit = *emit;
  if (!options.from.empty()) {
    job.from = tandem::compiler::find_level(options.from);
    if (!job.from) return fail("there is no level '" + options.from + "'");
  }
  if (!read(options.input, job.input)) return fail("cannot read " + options.input);
  const auto inputs = input_files(options.inputs);
  if (!inputs) return fail("--in wants NAME=FILE.npy");
  if (options.tune && options.tuning_cache.empty()) {
    return fail("--tune wants --tuning-cache FILE, or TANDEM_TUNING_CACHE");
  }
  if (!options.tuning_cache.empty()) {
    std::string messages;
    const bool done = tandem::compiler::tune(
        job, {options.tuning_cache, options.tune, options.tune_runs, *inputs}, messages);
    std::cerr << messages;
    if (!done) return exit_bad_input;
  }
  const tandem::compiler::Outcome outcome = compiled(options, job, *inputs);
  std::cerr << outcome.messages;
  if (!outcome.ok) return exit_bad_input;
  const std::string output = options.output.empty() ? default_output(options) : options.output;
  return write(output, outcome.output) ? exit_done : fail("cannot write " + output);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App application("Compiles StableHLO to a Tandem program", "tandem-compile");
  application.footer(
      "Examples:\n"
      "  tandem-compile model.mlirbc -o model.elf --preset full\n"
      "  tandem-compile model.mlir --emit=tiled\n"
      "  tandem-compile model.mlirbc --emit=memory.svg -o memory.svg\n"
      "  tandem-compile model.mlirbc --stats --in arg0=x.npy\n"
      "  tandem-compile model.mlirbc --tune --tuning-cache tuning.txt\n"
      "Levels: stablehlo tensor tiled buffers tpu asm elf; memory and memory.svg tell who lies "
      "where "
      "in VMEM and HBM; decisions, what --tune may choose");
  application.add_option("input", options.input, "Artifact or MLIR text; - is standard input")
      ->required();
  application.add_option("-o,--output", options.output, "File to write; - is standard output");
  application.add_option("--preset", options.preset, "The machine: nano, small, edge, full");
  application.add_option("--emit", options.emit, "Level to stop at and print");
  application.add_option("--from", options.from, "Level of the input, where it does not say");
  application.add_flag("--stats", options.stats,
                       "Tell of each fused region its operations, bytes, bound, and its cycles: "
                       "predicted, and measured on the cycle-exact model");
  application.add_flag("--json", options.json, "What --stats tells as JSON");
  application.add_option("--turns", options.turns,
                         "Turns that predictions assume of loops whose number is not known");
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
  CLI11_PARSE(application, argc, argv);
  return run(options);
}
