// tandem asm: text to objects and programs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "assembler/elf.hpp"
#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/diagnostics_json.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/options/machine.hpp"
#include "cli/run/program/program.hpp"
#include "cli/run/program/schedule_json.hpp"
#include "cli/terminal/colour.hpp"
#include "host/printable.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

struct AsmOptions {
  std::vector<std::string> inputs;
  std::string output;
  bool compile_only = false;
  bool loops = false;
  std::string report;
  bool json = false;
  std::string diagnostics_as;  // "text", "json", "sarif"; "": depends on --json
  WarningSwitches warnings;
  AssembleOptions assemble;
};

// The output without -o: next to the source, or to standard output.
std::string default_output(const std::string& input, bool compile_only) {
  if (input == "-") {
    if (stdout_is_terminal()) throw UserError{message::output_is_terminal};
    return "-";
  }
  return std::filesystem::path(input).replace_extension(compile_only ? ".o" : ".elf").string();
}

// `--loops` and `--report`, collected during the run; the report is written at the end.
class ScheduleReader {
 public:
  explicit ScheduleReader(AsmOptions& options) : options_(options) {
    if (!options.report.empty()) claim_output(options.report);
    if (!options.loops && options.report.empty()) return;
    options.assemble.on_report = [this](const BlockReport& report) { read(report); };
  }
  void write() const {
    if (options_.report.empty()) return;
    write_text(options_.report, options_.json ? json_text(json_) + "\n" : text_);
  }

 private:
  void read(const BlockReport& report) {
    for (const PlacedLoop& loop : report.loops) {
      if (!options_.loops) break;
      fmt::print(stderr, "{}:{}: {}\n", loop.branch.file, loop.branch.line, loop_text(loop));
    }
    text_ += block_text(report);
    json_.push_back(schedule_json(report));
  }

  const AsmOptions& options_;
  std::string text_;
  nlohmann::json json_ = nlohmann::json::array();
};

// Warnings and errors; as text to standard error immediately, or in a form for programs, all at the
// end, to standard output.
class DiagnosticsWriter {
 public:
  explicit DiagnosticsWriter(AsmOptions& options) : options_(options), form_(form(options)) {
    if (form_ != "text" && options.output == "-") throw UserError{message::output_is_taken};
    // Other texts may use the definitions of one of several.
    const bool alone = options.inputs.size() == 1 && !options.compile_only;
    if (!alone) options.warnings.on.set(Warning::unused_tensor, false);
    options.assemble.warnings = options.warnings.on;
    options.assemble.on_warning = [this](const Diagnostic& warning) { take(warning); };
  }

  // Runs `work`; returns the exit status.
  template <typename Work>
  int around(const Work& work) {
    try {
      work();
      if (options_.warnings.are_errors && warnings_ != 0) {
        throw UserError{
            fmt::format(message::warnings_are_errors, warnings_, warnings_ == 1 ? "" : "s")};
      }
    } catch (const DiagnosticsError& error) {
      if (form_ == "text") throw;
      list_.insert(list_.end(), error.list.begin(), error.list.end());
      write();
      return exit_usage;
    } catch (const UserError&) {
      write();
      throw;
    }
    write();
    return exit_done;
  }

 private:
  static std::string form(const AsmOptions& options) {
    if (!options.diagnostics_as.empty()) return options.diagnostics_as;
    return options.json && options.report.empty() ? "json" : "text";
  }
  void take(const Diagnostic& warning) {
    ++warnings_;
    if (form_ == "text") {
      print_diagnostics(printable(diagnostic_text(warning)));
    } else {
      list_.push_back(warning);
    }
  }
  void write() const {
    if (form_ == "json") fmt::print("{}\n", json_text(diagnostics_json(list_)));
    if (form_ == "sarif") fmt::print("{}\n", json_text(diagnostics_sarif(list_)));
  }

  const AsmOptions& options_;
  std::string form_;
  std::vector<Diagnostic> list_;
  std::size_t warnings_ = 0;
};

void write_object(const Object& object, const std::string& path) {
  claim_program(path);
  write_bytes(path, write_elf(object));
}

void run_asm(AsmOptions& options) {
  if (!options.assemble.preset.empty()) preset_named(options.assemble.preset);
  if (!options.compile_only) {
    const Object program = load_program(options.inputs, options.assemble);
    write_object(program, options.output.empty() ? default_output(options.inputs.front(), false)
                                                 : options.output);
    return;
  }
  if (!options.output.empty() && options.inputs.size() > 1) {
    throw UserError{message::one_input_with_output};
  }
  for (const std::string& input : options.inputs) {
    const Object object = load_object(input, options.assemble);
    write_object(object, options.output.empty() ? default_output(input, true) : options.output);
  }
}

void add_warning_option(Command command, WarningSwitches& switches) {
  std::string names;
  for (const WarningRow& row : warning_rows()) names += fmt::format(", {}", row.name);
  command
      .add_values_callback(
          "-W",
          [&switches](const std::vector<std::string>& given) {
            for (const std::string& one : given) {
              if (const std::string wrong = switches.take(one); !wrong.empty()) {
                throw UserError{wrong};
              }
            }
          },
          fmt::format("A warning to look for, or no-NAME: all (they are), none{}; error makes "
                      "errors of them",
                      names))
      .allow_extra_args(false);
}

}  // namespace

void add_asm_command(Command application, int* status) {
  auto options = std::make_shared<AsmOptions>();
  const Command command = application.add_subcommand("asm", "Assemble and link");
  command.footer(
      "Examples:\n"
      "  tandem asm kernel.s -o kernel.elf\n"
      "  tandem asm -c main.s library.s && tandem asm main.o library.o -o program.elf\n"
      "  tandem asm kernel.s -Wno-unused-label -Werror\n"
      "  tandem asm kernel.s --diagnostics sarif > kernel.sarif\n"
      "  tandem asm kernel.s --report - --json -o kernel.elf\n"
      "  tandem dis kernel.elf | tandem asm - | cmp - kernel.elf");
  command.add_option("input", options->inputs, "Sources or objects; - is standard input")
      .required();
  command.add_option("-o,--output", options->output, "File to write; - is standard output");
  command.add_flag("-c,--compile", options->compile_only, "Stop at relocatable objects");
  add_machine_option(command, options->assemble.preset, "; whatever the text names");
  add_schedule_option(command, options->assemble.schedule);
  command.add_flag("--loops", options->loops,
                   "Report each loop of linear blocks: its interval, and what bounds it");
  command.add_option("--report", options->report,
                     "Write a report on linear blocks and their loops; - is standard output");
  command.add_flag("--json", options->json,
                   "The report as JSON; without --report, --diagnostics json");
  command
      .add_option("--diagnostics", options->diagnostics_as,
                  "How errors and warnings are told: text for people, or JSON or SARIF 2.1.0 on "
                  "standard output")
      .one_of({"text", "json", "sarif"})
      .words({"text", "json", "sarif"});
  add_warning_option(command, options->warnings);
  command.add_flag("--prove", options->assemble.prove,
                   "Check the bundles of linear blocks against their operations");
  command.add_flag("--check-disjoint", options->assemble.check_disjoint,
                   "Write checks of `.disjoint` into linear blocks: a broken promise traps");
  command
      .add_option("-I,--include", options->assemble.include_paths,
                  "Folder to search for .include and .incbin")
      .allow_extra_args(false);
  add_define_option(command, options->assemble);
  command.add_flag_callback(
      "--no-lines", [options] { options->assemble.line_table = false; },
      "Leave out the line table");
  command.callback([options, status] {
    DiagnosticsWriter diagnostics(*options);
    const ScheduleReader reader(*options);
    *status = diagnostics.around([&] {
      run_asm(*options);
      reader.write();
    });
  });
}

}  // namespace tandem
