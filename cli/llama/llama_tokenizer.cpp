#include "cli/llama/llama_tokenizer.hpp"

#include "cli/messages/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace tandem {
namespace {

// The byte denoted by a piece of the form <0x0A>.
std::optional<char> byte_of(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>') return std::nullopt;
  unsigned byte = 0;
  const char* const end = piece.data() + 5;
  if (std::from_chars(piece.data() + 3, end, byte, 16).ptr != end) return std::nullopt;
  return static_cast<char>(byte);
}

// Takes numbers and bytes from a file; missing data is an error with its offset.
class PieceReader {
 public:
  explicit PieceReader(std::span<const std::uint8_t> file) : file_(file) {}

  template <typename Number>
  Number number(std::string_view what) {
    Number value{};
    need(sizeof value, what);
    std::memcpy(&value, file_.data() + offset_, sizeof value);
    offset_ += sizeof value;
    return value;
  }
  std::string bytes(std::size_t count, std::string_view what) {
    need(count, what);
    const auto* start = reinterpret_cast<const char*>(file_.data()) + offset_;
    offset_ += count;
    return {start, count};
  }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] std::size_t left() const { return file_.size() - offset_; }

 private:
  void need(std::size_t count, std::string_view what) const {
    if (left() >= count) return;
    throw LlamaError{fmt::format(message::tokenizer_truncated, offset_, what, count, left())};
  }

  std::span<const std::uint8_t> file_;
  std::size_t offset_ = 0;
};

// Bytes of the UTF-8 character at the beginning of the text; 1 if there is none.
std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t count = first < 0xc0U ? 1 : first < 0xe0U ? 2 : first < 0xf0U ? 3 : 4;
  if (count > text.size()) return 1;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(count), continues)
             ? count
             : 1;
}

}  // namespace

LlamaTokenizer::LlamaTokenizer(std::span<const std::uint8_t> file, std::int32_t vocabulary) {
  PieceReader reader(file);
  const auto longest = reader.number<std::int32_t>("the length of the longest piece");
  for (std::int32_t token = 0; token < vocabulary; ++token) {
    const std::string name = fmt::format("token {} of the checkpoint's {}", token, vocabulary);
    const std::size_t start = reader.offset();
    scores_.push_back(reader.number<float>(name));
    const auto length = reader.number<std::int32_t>(name);
    if (!std::isfinite(scores_.back())) {
      throw LlamaError{fmt::format(message::score_not_finite, start, token)};
    }
    if (length <= 0 || length > longest) {
      throw LlamaError{fmt::format(message::token_length, start + 4, token, length, longest)};
    }
    pieces_.push_back(reader.bytes(static_cast<std::size_t>(length), name));
    numbers_.emplace(pieces_.back(), token);
    longest_ = std::max(longest_, pieces_.back().size());
  }
  if (reader.left() != 0) {
    throw LlamaError{
        fmt::format(message::tokenizer_too_long, reader.offset(), reader.left(), vocabulary)};
  }
}

std::optional<std::int32_t> LlamaTokenizer::token_of(std::string_view piece) const {
  const auto found = numbers_.find(std::string(piece));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::int32_t LlamaTokenizer::token_of_byte(std::string_view text, std::size_t offset) const {
  const auto byte = static_cast<unsigned char>(text[offset]);
  const auto token = token_of(fmt::format("<0x{:02X}>", byte));
  if (token) return *token;
  throw LlamaError{fmt::format(message::no_piece, offset,
                               byte > 0x20 && byte < 0x7f ? fmt::format("`{}`", text[offset])
                                                          : fmt::format("byte 0x{:02x}", byte))};
}

std::vector<std::int32_t> LlamaTokenizer::characters(std::string_view text) const {
  std::vector<std::int32_t> tokens;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t count = character_bytes(text.substr(offset));
    if (const auto token = token_of(text.substr(offset, count))) {
      tokens.push_back(*token);
    } else {
      for (std::size_t i = 0; i < count; ++i) tokens.push_back(token_of_byte(text, offset + i));
    }
    offset += count;
  }
  return tokens;
}

bool LlamaTokenizer::merge_best(std::vector<std::int32_t>& tokens) const {
  std::optional<std::size_t> best;
  std::int32_t merged = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto piece = [&](std::size_t at) -> const std::string& {
      return pieces_[static_cast<std::size_t>(tokens[at])];
    };
    const auto token = token_of(piece(i) + piece(i + 1));
    if (!token) continue;
    const auto score = [&](std::int32_t of) { return scores_[static_cast<std::size_t>(of)]; };
    if (best && score(*token) <= score(merged)) continue;
    best = i;
    merged = *token;
  }
  if (!best) return false;
  tokens[*best] = merged;
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(*best) + 1);
  return true;
}

std::vector<std::int32_t> LlamaTokenizer::tokens(std::string_view text, std::size_t most) const {
  if (text.empty()) return {};
  const auto refuse_above = [&](std::size_t count, const char* at_least) {
    if (count <= most) return;
    throw LlamaError{fmt::format(message::prompt_too_long, at_least, count, most)};
  };
  // Merging takes quadratic time, so a text that cannot fit is refused first.
  refuse_above(text.size() / longest_, "at least ");
  // llama2.c begins a text with a blank, as every word does.
  std::vector<std::int32_t> tokens =
      token_of(" ") ? std::vector{*token_of(" ")} : std::vector<std::int32_t>{};
  const std::vector<std::int32_t> all = characters(text);
  tokens.insert(tokens.end(), all.begin(), all.end());
  while (merge_best(tokens)) {
  }
  refuse_above(tokens.size(), "");
  return tokens;
}

std::string LlamaTokenizer::text(std::int32_t previous, std::int32_t token) const {
  if (token == begin_token) return {};
  std::string_view piece = pieces_[static_cast<std::size_t>(token)];
  // A text is printed without the blank that begins its first word.
  if (previous == begin_token && piece.starts_with(' ')) piece.remove_prefix(1);
  if (const auto byte = byte_of(piece)) {
    std::string one_byte(1, *byte);  // no braces: they would make two elements of it
    return one_byte;
  }
  return std::string(piece);
}

std::string LlamaTokenizer::text(std::span<const std::int32_t> tokens) const {
  std::string all;
  std::int32_t previous = begin_token;
  for (const std::int32_t token : tokens) {
    all += text(previous, token);
    previous = token;
  }
  return all;
}

}  // namespace tandem
