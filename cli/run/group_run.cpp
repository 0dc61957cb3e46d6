#include "cli/run/group_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/options/step_limit.hpp"
#include "host/interruption.hpp"
#include "host/output_file.hpp"
#include "report/json/json_text.hpp"
#include "runtime/group/named_group.hpp"

namespace tandem {
namespace {

constexpr std::string_view chip_name = "{chip}";

std::vector<TensorFile> files_of(std::vector<TensorFile> files, std::uint32_t chip) {
  for (TensorFile& file : files) {
    const std::string number = fmt::format("{}", chip);
    for (std::size_t at = 0; (at = file.path.find(chip_name, at)) != std::string::npos;) {
      file.path.replace(at, chip_name.size(), number);
      at += number.size();
    }
  }
  return files;
}

// The program alone; the files are those of chips.
LaunchOptions without_tensors(LaunchOptions options) {
  options.tensors_in.clear();
  options.tensors_out.clear();
  return options;
}

struct Prepared {
  Prepared(const LaunchOptions& options, std::uint32_t chips) : program(without_tensors(options)) {
    const std::vector<TensorFile> in = parse_tensor_files(options.tensors_in);
    const std::vector<TensorFile> out = parse_tensor_files(options.tensors_out);
    check_outputs(program.image, out);
    for (const TensorFile& file : out) {
      if (file.path.find(chip_name) == std::string::npos) {
        throw UserError{fmt::format(message::output_of_which_chip, file.path)};
      }
    }
    for (std::uint32_t chip = 0; chip < chips; ++chip) {
      inputs.push_back(
          read_tensors(program.image, files_of(in, chip), 2 * parse_size(options.hbm)));
      outputs.push_back(files_of(out, chip));
      for (const TensorFile& file : outputs.back()) claim_output(file.path);
    }
  }

  PreparedLaunch program;
  std::vector<std::map<std::string, TensorData>> inputs;  // by chip
  std::vector<std::vector<TensorFile>> outputs;
};

nlohmann::json group_json(const runtime::GroupResult& result, bool interrupted) {
  nlohmann::json json;
  json["outcome"] = result.outcome != Outcome::running ? std::string(outcome_name(result.outcome))
                    : interrupted                      ? "interrupted"
                                                       : "limit";
  if (result.chip) json["chip"] = *result.chip;
  for (const runtime::LaunchResult& chip : result.chips) {
    nlohmann::json one = {{"bundles", chip.bundles}, {"pc", chip.pc}};
    if (chip.cycles != 0) one["cycles"] = chip.cycles;
    json["chips"].push_back(std::move(one));
  }
  json["seconds"] = result.chips.front().seconds;
  if (!result.report.empty()) json["report"] = result.report;
  return json;
}

std::string result_line(const runtime::GroupResult& result) {
  if (result.outcome != Outcome::halted) return result.report;
  std::uint64_t bundles = 0;
  std::vector<std::uint64_t> cycles;
  for (const runtime::LaunchResult& chip : result.chips) {
    bundles += chip.bundles;
    if (chip.cycles != 0) cycles.push_back(chip.cycles);
  }
  const std::string when =
      cycles.empty() ? "" : fmt::format(", chip by chip {} cycles", fmt::join(cycles, ", "));
  return fmt::format("{}halted: {} chips, {} bundles in all{}, {:.3g} s\n", result.report,
                     result.chips.size(), bundles, when, result.chips.front().seconds);
}

// Whether all files are written.
bool write_outputs(const runtime::NamedGroup& group, const runtime::GroupResult& result,
                   const std::vector<std::vector<TensorFile>>& outputs) {
  bool all = true;
  for (std::size_t chip = 0; chip < outputs.size(); ++chip) {
    const auto complete = complete_outputs(outputs[chip], result.chips[chip].unwritten);
    all = all && complete.size() == outputs[chip].size();
    write_tensors(group.chip(chip), complete);
  }
  return all;
}

}  // namespace

void refuse_of_group(bool is_given, std::string_view name) {
  if (is_given) throw UserError{fmt::format(message::not_of_groups, name)};
}

void check_group(const LaunchOptions& launch, const SnapshotOptions& snapshot) {
  refuse_of_group(launch.listing, "--listing");
  refuse_of_group(launch.counters, "--counters");
  refuse_of_group(!snapshot.file.empty() || !snapshot.restore.empty(), "a snapshot");
}

int run_group(const LaunchOptions& options, const runtime::DeviceOptions& device,
              std::uint32_t chips) {
  const Prepared prepared(options, chips);
  runtime::NamedGroup group(device, prepared.program.image, prepared.inputs);
  note_interruptions();
  runtime::LaunchOptions launch;
  launch.limit = step_limit(options.limit, device.model);
  launch.between = [] { return interruption() == 0; };
  const runtime::GroupResult result = group.launch(launch);
  bool all = true;
  if (result.outcome == Outcome::halted) all = write_outputs(group, result, prepared.outputs);
  RunResult run{result.outcome, launch.limit, 0};
  run.interrupted = interruption() != 0;
  if (options.json) {
    fmt::print("{}\n", json_text(group_json(result, run.interrupted)));
  } else {
    fmt::print(stderr, "{}", result_line(result));
  }
  return all ? exit_status(run) : exit_failed;
}

}  // namespace tandem
