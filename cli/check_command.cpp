// tandem check: a stream of a core's events, checked against golden.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/options/launch_options.hpp"
#include "cli/run/options/model_options.hpp"
#include "cosim/foreign/check_text.hpp"
#include "cosim/stream/stream_reader.hpp"
#include "host/host_file.hpp"
#include "host/interruption.hpp"
#include "isa/machine.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

struct CheckCommandOptions {
  LaunchOptions launch;
  std::string from;
  std::string level;  // "": as in the stream
};

// A stream and its reader.
class EventFile {
 public:
  explicit EventFile(const std::string& path) : path_(path), file_(path) {
    note_input(path);
    complaining(
        [this] { reader_.emplace([this](std::span<std::uint8_t> bytes) { return read(bytes); }); });
  }

  [[nodiscard]] const StreamHeader& header() const { return reader_->header(); }
  [[nodiscard]] bool stopped() const { return reader_->stopped(); }
  // Passes everything to the check, unless interrupted: then false.
  bool give(CoreCheck& check) {
    bool more = true;
    complaining([&] {
      while (more && interruption() == 0) more = reader_->give_next(check);
    });
    return !more;
  }

 private:
  template <typename F>
  void complaining(F f) const {
    try {
      f();
    } catch (const StreamError& error) {
      throw UserError{fmt::format(message::file_error, path_, error.message)};
    }
  }
  // Fewer than requested only at the end.
  std::size_t read(std::span<std::uint8_t> bytes) {
    std::size_t done = 0;
    while (done < bytes.size() && fill()) {
      const std::size_t count = std::min(bytes.size() - done, buffer_.size() - taken_);
      std::memcpy(bytes.data() + done, buffer_.data() + taken_, count);
      done += count;
      taken_ += count;
    }
    return done;
  }
  // Whether there is more.
  bool fill() {
    if (taken_ != buffer_.size()) return true;
    buffer_.clear();
    taken_ = 0;
    if (!file_.read(read_at_once, buffer_)) {
      throw UserError{fmt::format(message::file_error, path_, file_.error())};
    }
    return !buffer_.empty();
  }

  static constexpr std::uint64_t read_at_once = 64 * 1024;

  std::string path_;
  HostFile file_;
  std::string buffer_;
  std::size_t taken_ = 0;  // of it
  std::optional<StreamReader> reader_;
};

// The stream states the machine, and how its run was started.
void refuse_options_of_the_core(Command command) {
  for (const char* name : {"--out", "--listing", "--counters", "--hbm", "--seed"}) {
    if (command.count(name) != 0) throw UserError{fmt::format(message::not_for_check, name)};
  }
}

CheckLevel chosen_level(const CheckCommandOptions& options, CheckLevel told) {
  if (options.level.empty()) return told;
  const CheckLevel level = *find_level(options.level);
  if (level < told) {
    throw UserError{fmt::format(message::level_not_told, options.level, level_name(told))};
  }
  return level;
}

CoreCheckOptions check_options(const CheckCommandOptions& options, const StreamHeader& header,
                               const Parameters& machine) {
  const std::string mismatch = target_mismatch(machine, preset_named(header.machine));
  if (!mismatch.empty() || machine.lanes != header.lanes) {
    throw UserError{fmt::format(message::stream_of_another, options.from, header.machine,
                                header.lanes, machine.name)};
  }
  CoreCheckOptions check;
  if (header.hbm_bytes != 0) check.hbm_bytes = header.hbm_bytes;
  if (header.seed != 0) check.seed = header.seed;
  if (options.launch.limit != 0) check.limit = options.launch.limit;
  check.level = chosen_level(options, header.level);
  check.times = header.times;
  check.detect_races = options.launch.race_check;
  check.detect_uninitialised = options.launch.uninitialised_check;
  check.machine.memory = header.memory;
  check.command = command_line();
  return check;
}

nlohmann::json check_json(const CoreCheck& check, const RunResult& result) {
  nlohmann::json json = result_json(check.runner(), result, check.image());
  if (result.outcome == Outcome::running && !result.interrupted) json["outcome"] = "undecided";
  json["level"] = level_name(check.terms().level);
  json["not_compared"] = not_compared(check.terms());
  if (!check.terms().undecided.empty()) json["undecided"] = check.terms().undecided;
  return json;
}

std::string text_of(const CoreCheck& check, bool whole) {
  if (whole || check.outcome() != Outcome::running) return check_text(check);
  return fmt::format(
      "undecided: no difference in {} events, but the stream ends before the core stopped\n",
      check.runner().events());
}

int run_check(const CheckCommandOptions& options, Command command) {
  refuse_options_of_the_core(command);
  if (options.launch.inputs.empty()) throw UserError{message::check_needs_program};
  EventFile events(options.from);
  const PreparedLaunch prepared(options.launch);
  CoreCheck check(prepared.image, prepared.inputs,
                  check_options(options, events.header(), *prepared.image.preset));
  note_interruptions();
  RunResult result;
  result.interrupted = !events.give(check);
  result.outcome = check.outcome();
  result.seconds = check.seconds();
  if (options.launch.json) {
    fmt::print("{}\n", json_text(check_json(check, result)));
  } else if (result.interrupted) {
    fmt::print(stderr, "interrupted\n");
  } else {
    fmt::print(stderr, "{}", text_of(check, events.stopped()));
  }
  return exit_status(result);
}

}  // namespace

void add_check_command(Command application, int* status) {
  auto options = std::make_shared<CheckCommandOptions>();
  const Command command = application.add_subcommand(
      "check",
      "Check a stream of events, of a recorded run or another core, against the golden model");
  command.footer(
      "Examples:\n"
      "  tandem lockstep kernel.s --in x=x.npy --record-events run.events\n"
      "  tandem check kernel.s --in x=x.npy --from run.events\n"
      "  my_core kernel.elf | tandem check kernel.elf --in x=x.npy --from -\n"
      "  tandem check kernel.s --in x=x.npy --from run.events --level final\n"
      "Exit status: 0 halted without a difference, 1 differed, trapped, raced or could not be\n"
      "decided, 2 bad usage or input.");
  add_launch_options(command, options->launch);
  command.add_option("--from", options->from, "The stream; - is standard input").required();
  command
      .add_option("--level", options->level,
                  "Compare less than the stream records: all, copies (and the final state), final "
                  "(the final state alone)")
      .one_of({"all", "copies", "final"});
  command.callback([options, command, status] { *status = run_check(*options, command); });
}

}  // namespace tandem
