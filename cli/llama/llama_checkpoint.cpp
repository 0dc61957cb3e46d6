#include "cli/llama/llama_checkpoint.hpp"

#include "cli/messages/messages.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace tandem {
namespace {

constexpr std::size_t header_bytes = 28;
constexpr std::int64_t size_limit = std::int64_t{1} << 24U;  // for any single size in the header

std::int32_t word_at(std::span<const std::uint8_t> file, std::size_t offset) {
  std::int32_t value = 0;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::int32_t size_at(std::span<const std::uint8_t> file, std::size_t index, const char* name) {
  const std::int32_t value = word_at(file, 4 * index);
  if (value <= 0 || value > size_limit) {
    throw LlamaError{fmt::format(message::header_no_size, 4 * index, name, value)};
  }
  return value;
}

void check_divides(std::int32_t whole, std::int32_t part, const char* whole_name,
                   const char* part_name) {
  if (whole % part != 0) {
    throw LlamaError{fmt::format(message::header_not_multiple, whole_name, whole, part_name, part)};
  }
}

LlamaConfig parse_header(std::span<const std::uint8_t> file) {
  if (file.size() < header_bytes) {
    throw LlamaError{fmt::format(message::checkpoint_short, file.size(), header_bytes)};
  }
  LlamaConfig config;
  config.dim = size_at(file, 0, "dim");
  config.hidden = size_at(file, 1, "hidden_dim");
  config.layers = size_at(file, 2, "n_layers");
  config.heads = size_at(file, 3, "n_heads");
  config.kv_heads = size_at(file, 4, "n_kv_heads");
  const std::int32_t vocabulary = word_at(file, 20);
  if (vocabulary == 0 || std::abs(std::int64_t{vocabulary}) > size_limit) {
    throw LlamaError{fmt::format(message::vocabulary_no_size, vocabulary)};
  }
  config.vocabulary = std::abs(vocabulary);
  config.shared_classifier = vocabulary > 0;
  config.sequence = size_at(file, 6, "seq_len");
  check_divides(config.dim, config.heads, "dim", "n_heads");
  check_divides(config.heads, config.kv_heads, "n_heads", "n_kv_heads");
  check_divides(config.head_size(), 2, "head size", "a pair,");
  return config;
}

// Takes tensors from a file, one after the other.
class WeightReader {
 public:
  explicit WeightReader(std::span<const std::uint8_t> file) : file_(file) {}

  void skip(std::int64_t count) { offset_ += count * 4; }

  // Sizes are at most 2^24 each and there are at most three, so the product in long double is near
  // enough to refuse; below the limit it is exact.
  std::vector<float> take(const char* name, std::int64_t a, std::int64_t b = 1,
                          std::int64_t c = 1) {
    const long double exact = static_cast<long double>(a) * b * c * 4;
    const auto left = static_cast<std::int64_t>(file_.size()) - offset_;
    if (exact > static_cast<long double>(left)) {
      throw LlamaError{fmt::format(message::checkpoint_truncated, offset_, name,
                                   static_cast<double>(exact), left)};
    }
    std::vector<float> values(static_cast<std::size_t>(a * b * c));
    std::memcpy(values.data(), file_.data() + offset_, values.size() * sizeof(float));
    check_finite(name, values);
    offset_ += static_cast<std::int64_t>(values.size() * sizeof(float));
    return values;
  }

  void finish() const {
    if (offset_ != static_cast<std::int64_t>(file_.size())) {
      throw LlamaError{fmt::format(message::checkpoint_size_differs, offset_, file_.size())};
    }
  }

 private:
  void check_finite(const char* name, const std::vector<float>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        throw LlamaError{fmt::format(message::checkpoint_not_finite,
                                     offset_ + static_cast<std::int64_t>(4 * i), name)};
      }
    }
  }

  std::span<const std::uint8_t> file_;
  std::int64_t offset_ = header_bytes;
};

}  // namespace

LlamaCheckpoint parse_checkpoint(std::span<const std::uint8_t> file) {
  LlamaCheckpoint model;
  model.config = parse_header(file);
  const LlamaConfig& c = model.config;
  WeightReader reader(file);
  model.embedding = reader.take("token_embedding", c.vocabulary, c.dim);
  model.attention_norm = reader.take("rms_att", c.layers, c.dim);
  model.wq = reader.take("wq", c.layers, c.dim, c.dim);
  model.wk = reader.take("wk", c.layers, c.kv_dim(), c.dim);
  model.wv = reader.take("wv", c.layers, c.kv_dim(), c.dim);
  model.wo = reader.take("wo", c.layers, c.dim, c.dim);
  model.ffn_norm = reader.take("rms_ffn", c.layers, c.dim);
  model.w1 = reader.take("w1", c.layers, c.hidden, c.dim);
  model.w2 = reader.take("w2", c.layers, c.dim, c.hidden);
  model.w3 = reader.take("w3", c.layers, c.hidden, c.dim);
  model.final_norm = reader.take("rms_final", c.dim);
  reader.skip(std::int64_t{c.sequence} * c.head_size());  // two tables of sequence * head_size / 2
  if (!c.shared_classifier) {
    model.own_classifier = reader.take("classifier", c.vocabulary, c.dim);
  }
  reader.finish();
  return model;
}

}  // namespace tandem
