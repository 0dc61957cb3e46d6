#include "cli/run/options/launch_options.hpp"

#include <fmt/format.h>

#include "cli/files/files.hpp"
#include "cli/files/numbers.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/options/machine.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cli/run/program/sizes.hpp"

namespace tandem {
AssembleOptions assemble_options(const LaunchOptions& options) {
  AssembleOptions result;
  result.preset = options.preset;
  result.include_paths = options.include_paths;
  result.defines = options.text.defines;
  result.on_report = options.text.on_report;
  result.schedule = options.schedule;
  return result;
}

namespace {

constexpr std::uint64_t largest_hbm = std::uint64_t{1} << 48U;

// `--in x=x.npy y=y.npy` leaves y=y.npy among the programs.
void refuse_tensors(const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    if (program.find('=') == std::string::npos || !program.ends_with(".npy")) continue;
    throw UserError{fmt::format(message::input_without_option, program, program)};
  }
}

}  // namespace

std::uint64_t parse_size(const std::string& text) {
  std::uint64_t value = 0;
  std::size_t at = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    value = value * 10 + static_cast<std::uint64_t>(text[at++] - '0');
    if (value > largest_hbm) break;
  }
  const std::string unit = text.substr(at);
  const std::string units = "KMGT";
  const std::size_t power = unit.empty() ? 0 : units.find(unit[0]) + 1;
  if (at == 0 || at > 19 || unit.size() > 1 || (unit.size() == 1 && power == 0)) {
    throw UserError{fmt::format(message::bad_bytes, text)};
  }
  const std::uint64_t scale = std::uint64_t{1} << (10 * power);
  if (value > largest_hbm / scale) throw UserError{fmt::format(message::too_many_bytes, text)};
  return value * scale;
}

Option add_launch_options(Command command, LaunchOptions& options) {
  const Option program =
      command.add_option("program", options.inputs, "Program (.elf), objects or sources (.s)");
  command
      .add_option("--in", options.tensors_in,
                  "NAME=FILE.npy: contents of an input tensor; one pair, may be repeated")
      .allow_extra_args(false);
  command
      .add_option("--out", options.tensors_out,
                  "NAME=FILE.npy: where an output tensor goes; one pair, may be repeated")
      .allow_extra_args(false);
  add_machine_option(command, options.preset,
                     "; text is assembled for it, a binary must have been");
  command.add_option("-I,--include", options.include_paths, "Folder to search for .include")
      .allow_extra_args(false);
  add_define_option(command, options.text);
  command
      .add_option("--size", options.sizes,
                  "TENSOR=SIZE,... or DIMENSION=SIZE: sizes of outputs that no input determines")
      .allow_extra_args(false);
  add_schedule_option(command, options.schedule);
  command.add_option("--hbm", options.hbm, "Size of HBM: bytes or 512M, 4G").capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the contents of never-written state")
      .capture_default_str();
  command
      .add_option("--limit", options.limit,
                  fmt::format("Give up after this many bundles (golden, default {} M) or cycles "
                              "(rtl and lockstep, default {} M)",
                              default_limit(runtime::Model::golden) / 1'000'000,
                              default_limit(runtime::Model::rtl) / 1'000'000))
      .check(at_least_one);
  command.add_flag("--json", options.json, "Result as JSON on standard output");
  command.add_flag("--listing", options.listing,
                   "Print every executed bundle with its writes on standard output");
  command.add_flag("--counters", options.counters,
                   "Print where the cycles went, by region too (not on golden)");
  command.add_flag_callback(
      "--no-race-check", [&options] { options.race_check = false; },
      "Do not look for races of copies");
  command.add_flag_callback(
      "--no-uninitialised-check", [&options] { options.uninitialised_check = false; },
      "Do not look for uses of never-written data");
  return program;
}

void add_draw_option(Command command, LaunchOptions& options) {
  command.add_flag("--draw-inputs", options.draw_inputs,
                   "Inputs without a file hold drawn numbers, the same in every run");
}

PreparedLaunch::PreparedLaunch(const LaunchOptions& options)
    : outputs(parse_tensor_files(options.tensors_out)) {
  if (options.json && options.listing) {
    throw UserError{message::two_on_standard_output};
  }
  refuse_tensors(options.inputs);
  const std::vector<TensorFile> files = parse_tensor_files(options.tensors_in);
  const std::uint64_t hbm_bytes = parse_size(options.hbm);  // before anything that takes time
  image = make_image(load_program(options.inputs, assemble_options(options)));
  bind_sizes(image, options.sizes);
  inputs = read_tensors(image, files, 2 * hbm_bytes);
  if (options.draw_inputs) draw_inputs(image, inputs, 2 * hbm_bytes);
  check_outputs(image, outputs);
  if (options.json || options.listing || options.counters) claim_output("-");
  for (const TensorFile& file : outputs) claim_output(file.path);
}

}  // namespace tandem
