#include "cli/run/options/model_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "isa/machine.hpp"
#include "runtime/models/listing.hpp"
#include "sim/memory/machine_timing.hpp"

namespace tandem {
namespace {

std::string& stored_command_line() {
  static std::string text;
  return text;
}

std::string quoted(const std::string& argument) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void add_model_options(Command command, ModelOptions& options) {
  MemoryTimingParameters& memory = options.machine.memory;
  command.add_option("--latency", memory.latency, "Cycles from a memory request to its first beat")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--beat", memory.beat,
                  "Cycles that a beat of 4 L bytes takes, each way: 2 is half the bandwidth")
      .capture_default_str()
      .within(1U, 1024U)
      .group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--row-miss", memory.row_miss,
                  "Cycles added when the memory's bank has another page open")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
  command.add_option("--jitter", memory.jitter, "Largest number of cycles added at random")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
  command.add_option("--memory-seed", memory.seed, "Seed of the jitter and of held write data")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
  command.add_option("--outstanding", memory.outstanding, "Bursts that the memory takes at once")
      .capture_default_str()
      .within(1U, 64U)
      .group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--write-hold", memory.write_hold,
                  "Most cycles in which the memory takes no write data after a beat")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--reset-seed", options.machine.reset_seed,
                  "Seed of hidden RTL state and of the length of the reset")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--silence", options.silence,
                  "Cycles without any progress after which the RTL is considered hung")
      .capture_default_str()
      .group("Timing (cycle, rtl, lockstep)");
}

runtime::Model model_named(const std::string& name, std::initializer_list<runtime::Model> taken,
                           const std::string& reason) {
  const std::optional<runtime::Model> model = runtime::find_model(name);
  if (model && std::find(taken.begin(), taken.end(), *model) != taken.end()) return *model;
  std::string names;
  for (auto at = taken.begin(); at != taken.end(); ++at) {
    if (at != taken.begin()) names += at + 1 == taken.end() ? " or " : ", ";
    names += model_name(*at);
  }
  throw UserError{fmt::format(message::bad_model, names, name, reason)};
}

MachineOptions machine_options(const LaunchOptions& launch, const ModelOptions& model) {
  MachineOptions options = model.machine;
  apply_timing(find_machine(launch.preset).timing, options.memory);
  return options;
}

runtime::DeviceOptions device_options(const LaunchOptions& launch, const ModelOptions& model,
                                      runtime::Model on) {
  runtime::DeviceOptions options;
  options.model = on;
  options.hbm_bytes = parse_size(launch.hbm);
  options.seed = launch.seed;
  options.detect_races = launch.race_check;
  options.detect_uninitialised = launch.uninitialised_check;
  options.silence = model.silence;
  options.machine = machine_options(launch, model);
  options.command = command_line();
  return options;
}

RecordReader listing_reader(const LaunchOptions& launch, const Image& image) {
  if (!launch.listing) return {};
  return [&image](const RetireRecord& record) {
    std::fputs(listing_text(record, image).c_str(), stdout);
  };
}

void set_command_line(int argc, const char* const* argv) {
  std::string text = "tandem";
  for (int i = 1; i < argc; ++i) text += " " + quoted(argv[i]);
  stored_command_line() = text;
}

const std::string& command_line() { return stored_command_line(); }

}  // namespace tandem
