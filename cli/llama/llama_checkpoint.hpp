// Checkpoints of llama2.c ("version 0"), as published by its author.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cli/llama/llama_error.hpp"

namespace tandem {

// Sizes of a model, all positive; head_size is even.
struct LlamaConfig {
  std::int32_t dim = 0;
  std::int32_t hidden = 0;
  std::int32_t layers = 0;
  std::int32_t heads = 0;
  std::int32_t kv_heads = 0;
  std::int32_t vocabulary = 0;
  std::int32_t sequence = 0;
  bool shared_classifier = true;

  [[nodiscard]] std::int32_t head_size() const { return dim / heads; }
  [[nodiscard]] std::int32_t kv_dim() const { return head_size() * kv_heads; }
  [[nodiscard]] std::int32_t group() const { return heads / kv_heads; }
};

// Weights are fp32, matrices row-major [output, input], layers one after the other.
struct LlamaCheckpoint {
  LlamaConfig config;
  std::vector<float> embedding;       // [vocabulary, dim]
  std::vector<float> attention_norm;  // [layers, dim]
  std::vector<float> wq;              // [layers, dim, dim]
  std::vector<float> wk, wv;          // [layers, kv_dim, dim]
  std::vector<float> wo;              // [layers, dim, dim]
  std::vector<float> ffn_norm;        // [layers, dim]
  std::vector<float> w1;              // [layers, hidden, dim]
  std::vector<float> w2;              // [layers, dim, hidden]
  std::vector<float> w3;              // [layers, hidden, dim]
  std::vector<float> final_norm;      // [dim]
  std::vector<float> own_classifier;  // [vocabulary, dim]; empty when shared with the embedding

  [[nodiscard]] std::span<const float> classifier() const {
    return config.shared_classifier ? embedding : own_classifier;
  }
};

// Throws LlamaError if the header is invalid, the size does not match the header exactly, or a
// weight is not finite.
LlamaCheckpoint parse_checkpoint(std::span<const std::uint8_t> file);

}  // namespace tandem
