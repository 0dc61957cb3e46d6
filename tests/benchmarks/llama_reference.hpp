// A Llama in double precision, written from the description of the model, not from the program.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "cli/llama/llama_checkpoint.hpp"

namespace tandem::test {

class LlamaReference {
 public:
  explicit LlamaReference(const LlamaCheckpoint& model)
      : model_(model),
        keys_(static_cast<std::size_t>(model.config.layers)),
        values_(static_cast<std::size_t>(model.config.layers)) {}

  // The logits after one more token.
  std::vector<double> next(std::int32_t token) {
    const LlamaConfig& c = model_.config;
    const auto row = [&](const std::vector<float>& all, std::int32_t index) {
      const auto dim = static_cast<std::size_t>(c.dim);
      return std::span(all).subspan(static_cast<std::size_t>(index) * dim, dim);
    };
    const auto embedded = row(model_.embedding, token);
    std::vector<double> x(embedded.begin(), embedded.end());
    for (std::int32_t layer = 0; layer < c.layers; ++layer) {
      add(x, attention(norm(x, row(model_.attention_norm, layer)), layer));
      add(x, feed_forward(norm(x, row(model_.ffn_norm, layer)), layer));
    }
    ++position_;
    return multiply(model_.classifier(), norm(x, model_.final_norm));
  }

 private:
  using Vector = std::vector<double>;

  static Vector multiply(std::span<const float> w, const Vector& x) {
    Vector y(w.size() / x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += double{w[i * x.size() + j]} * x[j];
    }
    return y;
  }

  static void add(Vector& x, const Vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  }

  static Vector norm(const Vector& x, std::span<const float> weight) {
    double squares = 0;
    for (const double value : x) squares += value * value;
    const double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + 1e-5);
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * scale * double{weight[i]};
    return y;
  }

  [[nodiscard]] std::span<const float> of_layer(const std::vector<float>& all,
                                                std::int32_t layer) const {
    const std::size_t size = all.size() / static_cast<std::size_t>(model_.config.layers);
    return std::span(all).subspan(static_cast<std::size_t>(layer) * size, size);
  }

  // Turns pair i of every head by position / 10000^(2i / head size).
  void rotate(Vector& x) const {
    const auto size = static_cast<std::size_t>(model_.config.head_size());
    for (std::size_t i = 0; i < x.size(); i += 2) {
      const double turn = static_cast<double>(i % size) / static_cast<double>(size);
      const double angle = static_cast<double>(position_) / std::pow(10000.0, turn);
      const double even = x[i];
      const double odd = x[i + 1];
      x[i] = even * std::cos(angle) - odd * std::sin(angle);
      x[i + 1] = even * std::sin(angle) + odd * std::cos(angle);
    }
  }

  Vector attention(const Vector& x, std::int32_t layer) {
    const LlamaConfig& c = model_.config;
    const auto size = static_cast<std::size_t>(c.head_size());
    Vector q = multiply(of_layer(model_.wq, layer), x);
    Vector k = multiply(of_layer(model_.wk, layer), x);
    rotate(q);
    rotate(k);
    std::vector<Vector>& keys = keys_[static_cast<std::size_t>(layer)];
    std::vector<Vector>& values = values_[static_cast<std::size_t>(layer)];
    keys.push_back(k);
    values.push_back(multiply(of_layer(model_.wv, layer), x));
    Vector mixed(x.size());
    for (std::size_t head = 0; head < static_cast<std::size_t>(c.heads); ++head) {
      const std::size_t from = head / static_cast<std::size_t>(c.group()) * size;
      Vector weights(keys.size());
      double sum = 0;
      for (std::size_t t = 0; t < keys.size(); ++t) {
        double dot = 0;
        for (std::size_t i = 0; i < size; ++i) dot += q[head * size + i] * keys[t][from + i];
        weights[t] = std::exp(dot / std::sqrt(static_cast<double>(size)));
        sum += weights[t];
      }
      for (std::size_t t = 0; t < keys.size(); ++t) {
        for (std::size_t i = 0; i < size; ++i) {
          mixed[head * size + i] += weights[t] / sum * values[t][from + i];
        }
      }
    }
    return multiply(of_layer(model_.wo, layer), mixed);
  }

  [[nodiscard]] Vector feed_forward(const Vector& x, std::int32_t layer) const {
    Vector gate = multiply(of_layer(model_.w1, layer), x);
    const Vector up = multiply(of_layer(model_.w3, layer), x);
    for (std::size_t i = 0; i < gate.size(); ++i) gate[i] *= up[i] / (1 + std::exp(-gate[i]));
    return multiply(of_layer(model_.w2, layer), gate);
  }

  const LlamaCheckpoint& model_;
  std::vector<std::vector<Vector>> keys_;
  std::vector<std::vector<Vector>> values_;
  std::int32_t position_ = 0;
};

}  // namespace tandem::test
