// tandem llama: decodes text from a llama2.c checkpoint, in one launch of benchmarks/llama/llama.s,
// and prints it while it appears.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/drive.hpp"
#include "cli/files.hpp"
#include "cli/launch_options.hpp"
#include "cli/llama_session.hpp"
#include "cli/model_options.hpp"
#include "cli/program.hpp"
#include "cli/user_error.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t slice = 10'000;  // steps between looks at the tokens

struct LlamaOptions {
  std::string checkpoint;
  std::string tokenizer;
  std::string program = "benchmarks/llama/llama.s";
  std::string on = "golden";
  std::string preset;
  std::string hbm = "4G";
  std::string force;
  std::int32_t tokens = 0;  // 0: as many as the checkpoint has positions
  std::uint32_t seed = 1;
  std::uint64_t limit = 0;  // 0: the default of the model
  ModelOptions model;
  bool json = false;
  bool print_tokens = false;
};

// White space between decimal numbers.
std::vector<std::int32_t> read_token_list(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  const std::string text(bytes.begin(), bytes.end());
  std::vector<std::int32_t> tokens;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const long value = std::strtol(at, &end, 10);
    if (end == at) {
      const std::string rest(at);
      if (rest.find_first_not_of(" \t\r\n") == std::string::npos) break;
      throw UserError{
          fmt::format("{}, offset {}: expected a token number", path, at - text.c_str())};
    }
    tokens.push_back(static_cast<std::int32_t>(value));
    at = end;
  }
  return tokens;
}

// Prints what has been decoded, each token once.
class TextPrinter {
 public:
  TextPrinter(const LlamaTokenizer& tokenizer, const LlamaOptions& options)
      : tokenizer_(tokenizer), quiet_(options.json), numbers_(options.print_tokens) {}

  void show(const std::vector<std::int32_t>& tokens) {
    for (; shown_ < tokens.size(); ++shown_) {
      const std::int32_t token = tokens[shown_];
      const std::string piece = tokenizer_.text(previous_, token);
      text_ += piece;
      previous_ = token;
      if (quiet_) continue;
      fmt::print("{}", numbers_ ? fmt::format("{}\n", token) : piece);
      std::fflush(stdout);
    }
  }
  void finish() const {
    if (!quiet_ && !numbers_ && !text_.empty()) fmt::print("\n");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const LlamaTokenizer& tokenizer_;
  bool quiet_;
  bool numbers_;
  std::size_t shown_ = 0;
  std::int32_t previous_ = LlamaTokenizer::begin_token;
  std::string text_;
};

// How many of the program's own choices are the forced ones.
std::size_t agreement(const std::vector<std::int32_t>& tokens,
                      const std::vector<std::int32_t>& forced) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(tokens.size(), forced.size()); ++i) {
    same += tokens[i] == forced[i] ? 1 : 0;
  }
  return same;
}

struct Decoded {
  DriveResult result;
  std::vector<std::int32_t> tokens;
};

Decoded decode_all(const LlamaSession& session, Runner& runner, TextPrinter& printer,
                   std::uint64_t limit) {
  const auto start = std::chrono::steady_clock::now();
  Decoded decoded;
  decoded.result.limit = limit;
  for (std::uint64_t done = 0; done < limit && decoded.result.outcome == Outcome::running;
       done += slice) {
    decoded.result.outcome = runner.advance(slice);
    decoded.tokens = session.tokens(runner.hbm());
    printer.show(decoded.tokens);
  }
  const auto end = std::chrono::steady_clock::now();
  decoded.result.seconds = std::chrono::duration<double>(end - start).count();
  return decoded;
}

void report(const LlamaOptions& options, const LlamaSession& session, const Runner& runner,
            const Decoded& decoded, const std::vector<std::int32_t>& forced,
            const std::string& text) {
  if (options.json) {
    nlohmann::json json = result_json(runner, decoded.result, session.image());
    json["tokens"] = decoded.tokens;
    json["text"] = text;
    if (!forced.empty()) json["agreement"] = agreement(decoded.tokens, forced);
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  fmt::print(stderr, "{}{} tokens", result_text(runner, decoded.result, session.image()),
             decoded.tokens.size());
  if (!decoded.tokens.empty() && runner.cycles() != 0) {
    fmt::print(stderr, ", {} cycles a token", runner.cycles() / decoded.tokens.size());
  }
  if (!forced.empty()) {
    fmt::print(stderr, ", {} of {} choices as forced", agreement(decoded.tokens, forced),
               std::min(decoded.tokens.size(), forced.size()));
  }
  fmt::print(stderr, "\n");
  const Trap trap = runner.trap();
  if (trap.cause == TrapCause::explicit_trap) {
    fmt::print(stderr, "{}\n", llama_trap_meaning(trap.detail));
  }
}

int run_llama(const LlamaOptions& options) try {
  const LlamaCheckpoint checkpoint = parse_checkpoint(read_bytes(options.checkpoint));
  const LlamaTokenizer tokenizer(read_bytes(options.tokenizer), checkpoint.config.vocabulary);
  const std::vector<std::int32_t> forced =
      options.force.empty() ? std::vector<std::int32_t>{} : read_token_list(options.force);
  AssembleOptions assemble;
  assemble.preset = options.preset;
  const LlamaJob job{options.tokens != 0 ? options.tokens : checkpoint.config.sequence, forced, 1};
  const LlamaSession session(make_image(load_program({options.program}, assemble)), checkpoint, job,
                             parse_size(options.hbm), options.seed);
  RunnerOptions settings;
  settings.machine = options.model.machine;
  settings.silence = options.model.silence;
  settings.command = command_line();
  const auto runner = make_runner(options.on, session.launch(), settings);
  TextPrinter printer(tokenizer, options);
  const Decoded decoded = decode_all(
      session, *runner, printer, options.limit != 0 ? options.limit : default_limit(options.on));
  printer.finish();
  report(options, session, *runner, decoded, forced, printer.text());
  return exit_status(decoded.result);
} catch (const LlamaError& error) {
  throw UserError{error.message};
}

}  // namespace

void add_llama_command(CLI::App& application, int* status) {
  auto options = std::make_shared<LlamaOptions>();
  CLI::App* command =
      application.add_subcommand("llama", "Decode text from a llama2.c checkpoint in one launch");
  command->footer(
      "Example:\n"
      "  tandem llama --checkpoint stories260K.bin --tokenizer tok512.bin --on lockstep --tokens "
      "16\n"
      "Exit status: 0 decoded, 1 trapped, raced, differed or met the limit, 2 bad usage or input.");
  command->add_option("--checkpoint", options->checkpoint, "Weights: a llama2.c version 0 file")
      ->required();
  command->add_option("--tokenizer", options->tokenizer, "The checkpoint's tokenizer")->required();
  command->add_option("--tokens", options->tokens, "Tokens to decode at most");
  command->add_option("--force", options->force,
                      "File of token numbers to feed instead of the program's choices");
  command->add_option("--on", options->on, "Model: golden, rtl or lockstep")->capture_default_str();
  command->add_option("--preset", options->preset, "Machine: nano, small, edge, full");
  command->add_option("--program", options->program, "The program, text or binary")
      ->capture_default_str();
  command->add_option("--hbm", options->hbm, "Size of HBM: bytes or 512M, 4G")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the contents of never-written state")
      ->capture_default_str();
  command->add_option("--limit", options->limit, "Give up after this many bundles or cycles");
  add_model_options(*command, options->model);
  command->add_flag("--print-tokens", options->print_tokens, "Print token numbers, one a line");
  command->add_flag("--json", options->json, "Result as JSON on standard output");
  command->callback([options, status] { *status = run_llama(*options); });
}

}  // namespace tandem
