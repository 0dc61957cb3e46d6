// Tokenizers of llama2.c: a file of pieces of text, the number of each its token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/llama/llama_error.hpp"

namespace tandem {

class LlamaTokenizer {
 public:
  static constexpr std::int32_t begin_token = 1;  // begins a text, and as an output ends it

  // Throws LlamaError when the file does not hold exactly `vocabulary` pieces. Precondition:
  // vocabulary > 0.
  LlamaTokenizer(std::span<const std::uint8_t> file, std::int32_t vocabulary);

  // The text as tokens, after an implied begin_token: characters, merged two by two, the pair with
  // the best score first. A character without a piece of its own is encoded byte by byte if the
  // tokenizer has pieces for bytes. Throws LlamaError if it has not, and when there are more than
  // `most` tokens.
  [[nodiscard]] std::vector<std::int32_t> tokens(std::string_view text, std::size_t most) const;

  // The text that `token` adds after `previous`. Precondition: 0 <= token < vocabulary.
  [[nodiscard]] std::string text(std::int32_t previous, std::int32_t token) const;
  // Of a whole text, from its beginning.
  [[nodiscard]] std::string text(std::span<const std::int32_t> tokens) const;

 private:
  [[nodiscard]] std::optional<std::int32_t> token_of(std::string_view piece) const;
  [[nodiscard]] std::int32_t token_of_byte(std::string_view text, std::size_t offset) const;
  [[nodiscard]] std::vector<std::int32_t> characters(std::string_view text) const;
  [[nodiscard]] bool merge_best(std::vector<std::int32_t>& tokens) const;

  std::vector<std::string> pieces_;
  std::vector<float> scores_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // of pieces; the first one of equals
  std::size_t longest_ = 0;                                // bytes of a piece
};

}  // namespace tandem
