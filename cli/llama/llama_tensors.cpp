#include "cli/llama/llama_tensors.hpp"

#include "cli/messages/messages.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "cli/llama/llama_tokenizer.hpp"
#include "isa/numerics/convert.hpp"

namespace tandem {
namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

template <typename Element>
TensorData tensor(std::vector<std::int64_t> dimensions, const std::vector<Element>& elements) {
  TensorData data{std::move(dimensions), {}};
  data.bytes.resize(elements.size() * sizeof(Element));
  std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

TensorData words(std::vector<std::int64_t> dimensions, std::int32_t value = 0) {
  std::int64_t count = 1;
  for (const std::int64_t size : dimensions) count *= size;
  return tensor(std::move(dimensions),
                std::vector<std::int32_t>(static_cast<std::size_t>(count), value));
}

std::uint32_t bf16_of(float value) {
  return numerics::bf16_from_f32(std::bit_cast<std::uint32_t>(value));
}

// The first (0) or second (1) of two bf16 terms whose sum is a weight, to 16 bits or so.
float bf16_term(float value, int term) {
  const auto first = std::bit_cast<float>(bf16_of(value) << 16U);
  return term == 0 ? first : value - first;
}

// bf16 values, as the words of the residual stream.
std::vector<float> rounded(std::vector<float> values) {
  for (float& value : values) value = bf16_term(value, 0);
  return values;
}

// How the model's numbers are spread over lanes.
struct Layout {
  LlamaConfig config;
  std::int64_t lanes;
  std::int64_t strip_inputs;  // Kp
  std::int64_t pairs;         // of one position's keys
  std::int64_t chunks;        // C

  Layout(const LlamaConfig& model, const Parameters& machine)
      : config(model),
        lanes(machine.lanes),
        strip_inputs(divide_up(model.dim, 16) * 16),
        pairs(model.kv_dim() / 2),
        chunks(divide_up(pairs, lanes)) {}

  [[nodiscard]] std::int64_t strips_for(std::int64_t outputs) const {
    return divide_up(outputs, 2 * lanes);
  }
  // Number of a dimension within all heads: pair `pair` of the key heads, as seen by group member
  // g of `group` query heads; none beyond the last pair.
  [[nodiscard]] std::optional<std::int64_t> dimension(std::int64_t g, std::int64_t group,
                                                      std::int64_t pair, std::int64_t odd) const {
    if (pair >= pairs) return std::nullopt;
    const std::int64_t half_head = config.head_size() / 2;
    const std::int64_t head = pair / half_head * group + g;
    return head * config.head_size() + 2 * (pair % half_head) + odd;
  }
};

// Writes the stream of strips; a strip is requested weight by weight.
class StripWriter {
 public:
  explicit StripWriter(const Layout& layout) : layout_(layout) {}

  // weight(input, half, lane)
  template <typename Weight>
  void strip(const Weight& weight) {
    for (std::int64_t input = 0; input < layout_.strip_inputs; ++input) {
      for (std::int64_t lane = 0; lane < layout_.lanes; ++lane) {
        for (std::int64_t half = 0; half < 2; ++half) {
          elements_.push_back(static_cast<std::uint16_t>(bf16_of(weight(input, half, lane))));
        }
      }
    }
    ++count_;
  }

  // A whole matrix [outputs, inputs] in natural order, an output strip's parts one after the other.
  void matrix(std::span<const float> w, std::int64_t outputs, std::int64_t inputs,
              std::int64_t parts) {
    for (std::int64_t n = 0; n < layout_.strips_for(outputs); ++n) {
      for (std::int64_t part = 0; part < parts; ++part) {
        strip([&](std::int64_t k, std::int64_t half, std::int64_t lane) {
          const std::int64_t output = (2 * n + half) * layout_.lanes + lane;
          const std::int64_t input = part * layout_.strip_inputs + k;
          if (output >= outputs || input >= inputs) return 0.0F;
          return w[static_cast<std::size_t>(output * inputs + input)];
        });
      }
    }
  }

  // Every strip is followed by the strip of its weights' second terms.
  void classifier(std::span<const float> w) {
    const std::int64_t dim = layout_.config.dim;
    for (std::int64_t n = 0; n < layout_.strips_for(layout_.config.vocabulary); ++n) {
      for (const int term : {0, 1}) {
        strip([&](std::int64_t k, std::int64_t half, std::int64_t lane) {
          const std::int64_t output = (2 * n + half) * layout_.lanes + lane;
          if (output >= layout_.config.vocabulary || k >= dim) return 0.0F;
          return bf16_term(w[static_cast<std::size_t>(output * dim + k)], term);
        });
      }
    }
  }

  // Strips of queries, keys or values: low halves even dimensions, high halves odd ones.
  void heads(std::span<const float> w, std::int64_t group) {
    const std::int64_t dim = layout_.config.dim;
    for (std::int64_t n = 0; n < group * layout_.chunks; ++n) {
      strip([&](std::int64_t k, std::int64_t half, std::int64_t lane) {
        const std::int64_t pair = n % layout_.chunks * layout_.lanes + lane;
        const auto output = layout_.dimension(n / layout_.chunks, group, pair, half);
        if (!output || k >= dim) return 0.0F;
        return w[static_cast<std::size_t>(*output * dim + k)];
      });
    }
  }

  // The attention output: its inputs are in the order of the heads' results.
  void attention_output(std::span<const float> w) {
    const std::int64_t dim = layout_.config.dim;
    const std::int64_t group = layout_.config.group();
    const std::int64_t rows = 2 * group * layout_.chunks;
    const std::int64_t parts = divide_up(rows * layout_.lanes, layout_.strip_inputs);
    for (std::int64_t n = 0; n < layout_.strips_for(dim); ++n) {
      for (std::int64_t part = 0; part < parts; ++part) {
        strip([&](std::int64_t k, std::int64_t half, std::int64_t lane) {
          const std::int64_t output = (2 * n + half) * layout_.lanes + lane;
          const std::int64_t place = part * layout_.strip_inputs + k;
          const std::int64_t row = place / layout_.lanes;
          if (output >= dim || row >= rows) return 0.0F;
          const std::int64_t pair =
              row / 2 % layout_.chunks * layout_.lanes + place % layout_.lanes;
          const auto input = layout_.dimension(row / 2 / layout_.chunks, group, pair, row % 2);
          return input ? w[static_cast<std::size_t>(output * dim + *input)] : 0.0F;
        });
      }
    }
  }

  [[nodiscard]] TensorData take() const {
    return tensor({count_, layout_.strip_inputs, 2 * layout_.lanes}, elements_);
  }

 private:
  const Layout& layout_;
  std::vector<std::uint16_t> elements_;
  std::int64_t count_ = 0;
};

std::span<const float> layer_of(const std::vector<float>& all, std::int64_t layer,
                                std::int64_t layers) {
  const std::size_t size = all.size() / static_cast<std::size_t>(layers);
  return {all.data() + static_cast<std::size_t>(layer) * size, size};
}

TensorData weight_stream(const LlamaCheckpoint& model, const Layout& layout) {
  const LlamaConfig& c = model.config;
  const std::int64_t hidden_inputs = layout.strips_for(c.hidden) * 2 * layout.lanes;
  StripWriter writer(layout);
  for (std::int64_t layer = 0; layer < c.layers; ++layer) {
    const auto of = [&](const std::vector<float>& all) { return layer_of(all, layer, c.layers); };
    writer.heads(of(model.wq), c.group());
    writer.heads(of(model.wk), 1);
    writer.heads(of(model.wv), 1);
    writer.attention_output(of(model.wo));
    writer.matrix(of(model.w1), c.hidden, c.dim, 1);
    writer.matrix(of(model.w3), c.hidden, c.dim, 1);
    writer.matrix(of(model.w2), c.dim, c.hidden, divide_up(hidden_inputs, layout.strip_inputs));
  }
  writer.classifier(model.classifier());
  return writer.take();
}

// The weights of the norms in order of use.
TensorData norm_weights(const LlamaCheckpoint& model) {
  const std::int64_t layers = model.config.layers;
  std::vector<float> all;
  const auto append = [&](std::span<const float> row) {
    all.insert(all.end(), row.begin(), row.end());
  };
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    append(layer_of(model.attention_norm, layer, layers));
    append(layer_of(model.ffn_norm, layer, layers));
  }
  append(model.final_norm);
  return tensor({2 * layers + 1, model.config.dim}, all);
}

// Row of a position: cosines of all pairs of a key row, then sines.
TensorData angles(const Layout& layout) {
  const std::int64_t width = layout.chunks * layout.lanes;
  const std::int64_t half_head = layout.config.head_size() / 2;
  std::vector<float> all(static_cast<std::size_t>(layout.config.sequence * 2 * width));
  for (std::int64_t position = 0; position < layout.config.sequence; ++position) {
    for (std::int64_t pair = 0; pair < layout.pairs; ++pair) {
      const double turn = static_cast<double>(pair % half_head) / static_cast<double>(half_head);
      const double angle = static_cast<double>(position) / std::pow(10000.0, turn);
      const auto at = static_cast<std::size_t>(position * 2 * width + pair);
      all[at] = static_cast<float>(std::cos(angle));
      all[at + static_cast<std::size_t>(width)] = static_cast<float>(std::sin(angle));
    }
  }
  return tensor({layout.config.sequence, 2 * width}, all);
}

// The words of the job as llama.s keeps them.
TensorData job_words(const LlamaJob& job) {
  constexpr float log2e = 1.4426950408889634F;
  const float sharpness = job.temperature == 0 ? 0 : log2e / job.temperature;
  return tensor({5},
                std::vector<std::uint32_t>{static_cast<std::uint32_t>(job.limit),
                                           static_cast<std::uint32_t>(job.forced.size()),
                                           static_cast<std::uint32_t>(LlamaTokenizer::begin_token),
                                           std::bit_cast<std::uint32_t>(sharpness), job.seed});
}

void check_job(const LlamaConfig& config, const LlamaJob& job) {
  if (job.limit < 1 || job.limit > config.sequence) {
    throw LlamaError{fmt::format(message::tokens_asked, job.limit, config.sequence)};
  }
  if (job.temperature != 0 && !(job.temperature >= 0.01F && job.temperature <= 100)) {
    throw LlamaError{fmt::format(message::bad_temperature, job.temperature)};
  }
  for (const std::int32_t token : job.forced) {
    if (token < 0 || token >= config.vocabulary) {
      throw LlamaError{fmt::format(message::token_outside, token, config.vocabulary)};
    }
  }
}

}  // namespace

std::map<std::string, TensorData> llama_tensors(const LlamaCheckpoint& checkpoint,
                                                const LlamaJob& job, const Parameters& machine) {
  const LlamaConfig& c = checkpoint.config;
  check_job(c, job);
  const Layout layout(c, machine);
  const std::int64_t padded_sequence = divide_up(c.sequence, layout.lanes) * layout.lanes;
  std::vector<std::int32_t> forced(job.forced.begin(), job.forced.end());
  if (forced.empty()) forced.push_back(0);  // never read

  std::map<std::string, TensorData> tensors;
  tensors["config"] =
      tensor({7}, std::vector<std::int32_t>{c.dim, c.hidden, c.layers, c.heads, c.kv_heads,
                                            c.shared_classifier ? c.vocabulary : -c.vocabulary,
                                            c.sequence});
  tensors["job"] = job_words(job);
  tensors["forced"] = tensor({static_cast<std::int64_t>(forced.size())}, forced);
  tensors["weights"] = weight_stream(checkpoint, layout);
  tensors["embedding"] = tensor({c.vocabulary, c.dim}, rounded(checkpoint.embedding));
  tensors["norms"] = norm_weights(checkpoint);
  tensors["rope"] = angles(layout);
  tensors["cache"] = words({c.layers, 2 * layout.chunks, padded_sequence * layout.lanes});
  tensors["tokens"] = words({job.limit}, -1);
  tensors["progress"] = words({1});
  tensors["logits"] = words({job.logit_rows, layout.strips_for(c.vocabulary) * 2 * layout.lanes});
  return tensors;
}

}  // namespace tandem
