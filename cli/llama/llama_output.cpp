#include "cli/llama/llama_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/llama/llama_session.hpp"

namespace tandem {
namespace {

// How many of the program's own choices equal the forced ones.
std::size_t agreement(const LlamaDecoded& decoded) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(decoded.tokens.size(), decoded.forced.size()); ++i) {
    same += decoded.tokens[i] == decoded.forced[i] ? 1 : 0;
  }
  return same;
}

// Computed positions, including those of the prompt.
std::size_t positions(const LlamaDecoded& decoded) {
  return decoded.prompt.size() + decoded.tokens.size();
}

double tokens_per_second(const LlamaDecoded& decoded) {
  const double seconds = decoded.result.seconds;
  return seconds > 0 ? static_cast<double>(positions(decoded)) / seconds : 0;
}

// Only lockstep checks bundles; it counts events.
std::uint64_t checked_bundles(const Runner& runner) {
  return runner.events() != 0 ? runner.bundles() : 0;
}

}  // namespace

void LlamaPrinter::show(const std::vector<std::int32_t>& tokens) {
  for (; shown_ < tokens.size(); ++shown_) {
    const std::int32_t token = tokens[shown_];
    const std::string piece = tokenizer_.text(previous_, token);
    text_ += piece;
    previous_ = token;
    switch (style_) {
      case Style::text: fmt::print("{}", piece); break;
      case Style::numbers: fmt::print("{}\n", token); break;
      case Style::quiet: break;
    }
    std::fflush(stdout);
  }
}

void LlamaPrinter::finish() const {
  if (style_ == Style::text && !text_.empty()) fmt::print("\n");
  std::fflush(stdout);  // the rest goes to standard error
}

std::string llama_report(const LlamaDecoded& decoded, const Runner& runner, const Image& image) {
  std::string text = result_text(runner, decoded.result, image);
  if (!decoded.prompt.empty()) text += fmt::format("{} prompt tokens, ", decoded.prompt.size());
  text += fmt::format("{} tokens, {} bundles", decoded.tokens.size(), runner.bundles());
  if (runner.cycles() != 0) {
    text += fmt::format(", {} cycles", runner.cycles());
    if (positions(decoded) != 0) {
      text += fmt::format(" ({} a token)", runner.cycles() / positions(decoded));
    }
  }
  if (checked_bundles(runner) != 0) {
    text += fmt::format(", {} bundles checked", checked_bundles(runner));
  }
  text += fmt::format(", {:.3g} tokens/s", tokens_per_second(decoded));
  if (!decoded.forced.empty()) {
    text += fmt::format(", {} of {} choices as forced", agreement(decoded),
                        std::min(decoded.tokens.size(), decoded.forced.size()));
  }
  text += '\n';
  const Trap trap = runner.trap();
  if (trap.cause == TrapCause::explicit_trap) text += llama_trap_meaning(trap.detail) + '\n';
  return text;
}

nlohmann::json llama_report_json(const LlamaDecoded& decoded, const Runner& runner,
                                 const Image& image, const std::string& text) {
  nlohmann::json json = result_json(runner, decoded.result, image);
  if (!decoded.prompt.empty()) json["prompt_tokens"] = decoded.prompt;
  json["tokens"] = decoded.tokens;
  json["text"] = text;
  json["bundles_checked"] = checked_bundles(runner);
  json["tokens_per_second"] = tokens_per_second(decoded);
  if (!decoded.forced.empty()) json["agreement"] = agreement(decoded);
  return json;
}

}  // namespace tandem
