// The output of `tandem llama`: the text while it appears, then a summary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/llama/llama_tokenizer.hpp"
#include "cli/run/drive.hpp"

namespace tandem {

// Prints the decoded text, each token once.
class LlamaPrinter {
 public:
  enum class Style : std::uint8_t { text, numbers, quiet };

  LlamaPrinter(const LlamaTokenizer& tokenizer, Style style)
      : tokenizer_(tokenizer), style_(style) {}

  // Takes the tokens so far, from the first one on; prints the new ones.
  void show(const std::vector<std::int32_t>& tokens);
  // Ends the line.
  void finish() const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const LlamaTokenizer& tokenizer_;
  Style style_;
  std::size_t shown_ = 0;
  std::int32_t previous_ = LlamaTokenizer::begin_token;
  std::string text_;
};

// One decoding, at its end.
struct LlamaDecoded {
  RunResult result;
  std::vector<std::int32_t> prompt;
  std::vector<std::int32_t> tokens;  // the program's choices after the prompt
  std::vector<std::int32_t> forced;  // fed instead of them; may be empty
};

std::string llama_report(const LlamaDecoded& decoded, const Runner& runner, const Image& image);
nlohmann::json llama_report_json(const LlamaDecoded& decoded, const Runner& runner,
                                 const Image& image, const std::string& text);

}  // namespace tandem
