// tandem llama: decodes text from a llama2.c checkpoint, in one launch of llama/llama.s.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/files/numbers.hpp"
#include "cli/llama/llama_output.hpp"
#include "cli/llama/llama_session.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/options/machine.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/files/run_report.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/options/launch_options.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cli/run/program/program.hpp"
#include "cli/run/run_readers.hpp"
#include "host/installed.hpp"
#include "host/interruption.hpp"
#include "report/counters.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t slice = 10'000;  // steps between checks of the tokens

struct LlamaOptions {
  std::string checkpoint = installed_file("llama/model/stories.bin");
  std::string tokenizer = installed_file("llama/model/stories_tokenizer.bin");
  std::string prompt;
  std::string program = installed_file("llama/llama.s");
  std::string on = "golden";
  std::string preset;
  std::string hbm = "4G";
  std::string force;
  std::int32_t tokens = 0;  // after the prompt; 0: as many as positions are left
  float temperature = 0;
  std::uint32_t seed = 1;
  std::uint32_t state_seed = 1;
  std::uint64_t limit = 0;  // 0: the default of the model
  ModelOptions model;
  bool counters = false;
  std::string report;   // page to write
  std::string earlier;  // page to compare with
  bool json = false;
  bool print_tokens = false;
};

// White space between decimal numbers.
std::vector<std::int32_t> read_token_list(const std::string& path) {
  const std::string text = read_text(path);
  std::vector<std::int32_t> tokens;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const long value = std::strtol(at, &end, 10);
    if (end == at) {
      const std::string rest(at);
      if (rest.find_first_not_of(" \t\r\n") == std::string::npos) break;
      throw UserError{fmt::format(message::no_token, path, at - text.c_str())};
    }
    tokens.push_back(static_cast<std::int32_t>(value));
    at = end;
  }
  return tokens;
}

LlamaPrinter::Style style_of(const LlamaOptions& options) {
  if (options.json) return LlamaPrinter::Style::quiet;
  return options.print_tokens ? LlamaPrinter::Style::numbers : LlamaPrinter::Style::text;
}

// The tokens of the prompt; positions must be left for at least one more.
std::vector<std::int32_t> prompt_tokens(const LlamaOptions& options,
                                        const LlamaTokenizer& tokenizer,
                                        const LlamaConfig& config) {
  const auto positions = static_cast<std::size_t>(config.sequence);
  return tokenizer.tokens(options.prompt, positions - 1);
}

// Choices are made at all positions; those at the prompt are not used.
std::int32_t choices(const LlamaOptions& options, const LlamaConfig& config,
                     std::int32_t prompt_length) {
  const std::int32_t left = config.sequence - prompt_length;
  if (options.tokens == 0) return config.sequence;
  if (options.tokens < 0 || options.tokens > left) {
    throw LlamaError{fmt::format(message::tokens_option, options.tokens, left,
                                 prompt_length == 0 ? "" : " after this prompt")};
  }
  return prompt_length + options.tokens;
}

// Runs to the end and shows the tokens, those of the prompt immediately.
void decode(const LlamaSession& session, runtime::Run& run, LlamaPrinter& printer,
            LlamaDecoded& decoded) {
  printer.show(decoded.prompt);
  const auto start = std::chrono::steady_clock::now();
  note_interruptions();
  for (std::uint64_t done = 0;
       done < decoded.result.limit && decoded.result.outcome == Outcome::running; done += slice) {
    decoded.result.interrupted = interruption() != 0;
    if (decoded.result.interrupted) break;
    decoded.result.outcome = run.advance(std::min(slice, decoded.result.limit - done));
    std::vector<std::int32_t> all = session.tokens();
    const std::size_t given = std::min(all.size(), decoded.prompt.size());
    decoded.tokens.assign(all.begin() + static_cast<std::ptrdiff_t>(given), all.end());
    std::copy_n(decoded.prompt.begin(), given, all.begin());
    printer.show(all);
  }
  const auto end = std::chrono::steady_clock::now();
  decoded.result.seconds = std::chrono::duration<double>(end - start).count();
}

runtime::Model chosen_model(const LlamaOptions& options) {
  using runtime::Model;
  const Model on =
      model_named(options.on, {Model::golden, Model::cycle, Model::rtl, Model::lockstep});
  if (on != Model::golden || (options.report.empty() && !options.counters)) return on;
  throw UserError{message::report_needs_time};
}

runtime::DeviceOptions llama_device(const LlamaOptions& options, runtime::Model on) {
  LaunchOptions launch;
  launch.preset = options.preset;
  launch.hbm = options.hbm;
  launch.seed = options.state_seed;
  return device_options(launch, options.model, on);
}

Image llama_program(const LlamaOptions& options) {
  AssembleOptions assemble;
  assemble.preset = options.preset;
  return make_image(load_program({options.program}, assemble));
}

int run_llama(const LlamaOptions& options) try {
  const runtime::Model on = chosen_model(options);
  const LlamaCheckpoint checkpoint = parse_checkpoint(read_bytes(options.checkpoint));
  const LlamaTokenizer tokenizer(read_bytes(options.tokenizer), checkpoint.config.vocabulary);
  LlamaDecoded decoded;
  decoded.prompt = prompt_tokens(options, tokenizer, checkpoint.config);
  if (!options.force.empty()) decoded.forced = read_token_list(options.force);
  decoded.result.limit = step_limit(options.limit, on);
  const LlamaJob job{
      choices(options, checkpoint.config, static_cast<std::int32_t>(decoded.prompt.size())),
      options.force.empty() ? decoded.prompt : decoded.forced, 1, options.temperature,
      options.seed};
  const runtime::DeviceOptions device = llama_device(options, on);
  LlamaSession session(llama_program(options), checkpoint, job, device);
  RunReaders readers(options.counters);
  std::optional<RunReport> report_page;
  if (!options.report.empty()) {
    report_page.emplace(session.image(), ReportFiles{options.report, "", options.earlier});
    readers.add(report_page->timing());
  }
  const auto run = session.start({readers.timing(), {}});
  const Runner& runner = run->runner();
  LlamaPrinter printer(tokenizer, style_of(options));
  decode(session, *run, printer, decoded);
  printer.finish();
  if (report_page) {
    report_page->write({"llama", options.on, device.machine.memory}, runner, decoded.result);
  }
  const std::vector<CounterRegion> regions = readers.regions(runner);
  if (options.json) {
    auto json = llama_report_json(decoded, runner, session.image(), printer.text());
    if (!regions.empty()) json["regions"] = regions_json(regions, session.image());
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print(stderr, "{}", llama_report(decoded, runner, session.image()));
    if (options.counters) print_counters(runner, regions, session.image());
  }
  return exit_status(decoded.result);
} catch (const LlamaError& error) {
  throw UserError{error.message};
}

// The output.
void add_story_options(Command command, const std::shared_ptr<LlamaOptions>& options) {
  // The project's own files come in pairs; files of different pairs do not fit together.
  const Option checkpoint =
      command.add_option("--checkpoint", options->checkpoint, "Weights: a llama2.c version 0 file")
          .capture_default_str();
  const Option tokenizer =
      command.add_option("--tokenizer", options->tokenizer, "The checkpoint's tokenizer")
          .needs(checkpoint)
          .capture_default_str();
  checkpoint.needs(tokenizer);
  const Option prompt =
      command.add_option("--prompt", options->prompt, "The beginning of the text");
  command.add_option("--tokens", options->tokens,
                     "Most tokens to decode (default: until the text or the context ends)");
  command
      .add_option(
          "--temperature", options->temperature,
          "0: always the likeliest token; above 0: drawn, at 1 with the model's probabilities")
      .capture_default_str();
  command.add_option("--seed", options->seed, "Seed for drawing tokens").capture_default_str();
  command
      .add_option("--force", options->force,
                  "File of token numbers to feed instead of the program's choices")
      .excludes(prompt);
}

// The machine and model.
void add_machine_options(Command command, const std::shared_ptr<LlamaOptions>& options) {
  command.add_option("--on", options->on, "Model")
      .words({"golden", "cycle", "rtl", "lockstep"})
      .capture_default_str();
  add_machine_option(command, options->preset);
  command.add_option("--program", options->program, "The program, text or binary")
      .capture_default_str();
  command.add_option("--hbm", options->hbm, "Size of HBM: bytes or 512M, 4G").capture_default_str();
  command
      .add_option("--state-seed", options->state_seed,
                  "Seed of the contents of never-written state")
      .capture_default_str();
  command.add_option("--limit", options->limit, "Give up after this many bundles or cycles")
      .check(at_least_one);
  add_model_options(command, options->model);
}

}  // namespace

void add_llama_command(Command application, int* status) {
  auto options = std::make_shared<LlamaOptions>();
  const Command command =
      application.add_subcommand("llama", "Tell a story with a Llama, in one launch");
  command.footer(
      "Without files it is the project's own model, which comes with the executable.\n"
      "Examples:\n"
      "  tandem llama --on lockstep --tokens 24\n"
      "  tandem llama --prompt 'There once was a clever girl.' --temperature 0.8 --seed 3\n"
      "Exit status: 0 decoded, 1 trapped, raced, differed or met the limit, 2 bad usage or input.");
  add_story_options(command, options);
  add_machine_options(command, options);
  command.add_flag("--counters", options->counters,
                   "Print where the cycles went, by part of a token too");
  command.add_option("--report", options->report, "Write a page about where time went");
  command.add_option("--compare", options->earlier,
                     "With --report: an earlier page to compare with");
  command.add_flag("--print-tokens", options->print_tokens, "Print token numbers, one a line");
  command.add_flag("--json", options->json, "Result as JSON on standard output");
  command.callback([options, status] { *status = run_llama(*options); });
}

}  // namespace tandem
