// tandem-compile: a StableHLO program to a Tandem program.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>

#include "compiler/driver.hpp"

namespace {

using tandem::compiler::Level;

constexpr int exit_done = 0;
constexpr int exit_bad_input = 2;

struct Options {
  std::string input;
  std::string output;
  std::string preset = std::string(tandem::default_preset);
  std::string emit = "elf";
  std::string from;
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
  if (options.emit != "elf" || options.input == "-") return "-";
  return std::filesystem::path(options.input).replace_extension(".elf").string();
}

int run(const Options& options) {
  tandem::compiler::Job job;
  job.name = options.input == "-" ? "<stdin>" : options.input;
  job.machine = tandem::find_preset(options.preset);
  if (job.machine == nullptr) return fail("there is no preset '" + options.preset + "'");
  if (options.emit == "memory") job.print = tandem::compiler::Print::memory;
  if (options.emit == "memory.svg") job.print = tandem::compiler::Print::memory_drawn;
  const bool draws = job.print != tandem::compiler::Print::level;
  const auto emit = tandem::compiler::find_level(draws ? "buffers" : options.emit);
  if (!emit) return fail("there is no level '" + options.emit + "'");
  job.emit = *emit;
  if (!options.from.empty()) {
    job.from = tandem::compiler::find_level(options.from);
    if (!job.from) return fail("there is no level '" + options.from + "'");
  }
  if (!read(options.input, job.input)) return fail("cannot read " + options.input);
  const tandem::compiler::Outcome outcome = tandem::compiler::compile(job);
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
      "Levels: stablehlo tensor tiled buffers tpu asm elf; memory and memory.svg tell who lies "
      "where "
      "in VMEM and HBM");
  application.add_option("input", options.input, "Artifact or MLIR text; - is standard input")
      ->required();
  application.add_option("-o,--output", options.output, "File to write; - is standard output");
  application.add_option("--preset", options.preset, "The machine: nano, small, edge, full");
  application.add_option("--emit", options.emit, "Level to stop at and print");
  application.add_option("--from", options.from, "Level of the input, where it does not say");
  CLI11_PARSE(application, argc, argv);
  return run(options);
}
