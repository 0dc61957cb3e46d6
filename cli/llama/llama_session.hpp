// One decoding: a checkpoint bound to the program benchmarks/llama/llama.s, ready to run on any
// model, and what it has produced so far.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/llama/llama_tensors.hpp"
#include "isa/launch.hpp"
#include "isa/memory.hpp"

namespace tandem {

// Not movable: the launch points at the image.
class LlamaSession {
 public:
  // Throws LlamaError or LaunchError.
  LlamaSession(Image image, const LlamaCheckpoint& checkpoint, const LlamaJob& job,
               std::uint64_t hbm_bytes, std::uint32_t seed);
  LlamaSession(const LlamaSession&) = delete;
  LlamaSession& operator=(const LlamaSession&) = delete;

  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const Image& image() const { return image_; }

  // The tokens that the program has reported in this memory.
  [[nodiscard]] std::vector<std::int32_t> tokens(const SparseMemory& hbm) const;
  // The logits of choice number `row`, as far as LlamaJob::logit_rows kept them.
  [[nodiscard]] std::vector<float> logits(const SparseMemory& hbm, std::int64_t row) const;

 private:
  [[nodiscard]] const PlacedTensor& placed(const std::string& name) const;

  Image image_;
  Launch launch_;
  std::int32_t vocabulary_;
};

// What an explicit trap of the program means, "" for another code.
std::string llama_trap_meaning(std::uint32_t code);

}  // namespace tandem
