#include "cli/model_options.hpp"

#include <cstdio>

#include "cosim/lockstep/runners.hpp"
#include "runtime/models/listing.hpp"

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

void add_model_options(CLI::App& command, ModelOptions& options) {
  MemoryTimingParameters& memory = options.machine.memory;
  command.add_option("--latency", memory.latency, "Cycles from a memory request to its first beat")
      ->capture_default_str()
      ->group("Timing (cycle, rtl, lockstep)");
  command.add_option("--jitter", memory.jitter, "Largest number of cycles added at random")
      ->capture_default_str()
      ->group("Timing (cycle, rtl, lockstep)");
  command.add_option("--memory-seed", memory.seed, "Seed of the jitter")
      ->capture_default_str()
      ->group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--reset-seed", options.machine.reset_seed,
                  "Seed of hidden RTL state (builds with TANDEM_RANDOM_RESET)")
      ->capture_default_str()
      ->group("Timing (cycle, rtl, lockstep)");
  command
      .add_option("--silence", options.silence,
                  "Cycles without any progress after which the RTL counts as dead")
      ->capture_default_str()
      ->group("Timing (cycle, rtl, lockstep)");
}

RunnerOptions runner_options(const LaunchOptions& launch, const ModelOptions& model,
                             const Image& image) {
  RunnerOptions options;
  options.detect_races = launch.race_check;
  options.detect_uninitialised = launch.uninitialised_check;
  options.silence = model.silence;
  options.machine = model.machine;
  options.command = command_line();
  if (launch.listing) {
    options.reader = [&image](const RetireRecord& record) {
      std::fputs(listing_text(record, image).c_str(), stdout);
    };
  }
  return options;
}

void set_command_line(int argc, const char* const* argv) {
  std::string text = "tandem";
  for (int i = 1; i < argc; ++i) text += " " + quoted(argv[i]);
  stored_command_line() = text;
}

const std::string& command_line() { return stored_command_line(); }

}  // namespace tandem
