// A checkpoint as the tensors that llama/llama.s declares; their layout is described
// there.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "cli/llama/llama_checkpoint.hpp"
#include "isa/launch/launch.hpp"
#include "isa/parameters.hpp"

namespace tandem {

struct LlamaJob {
  std::int32_t limit = 0;                // maximum number of tokens, 1 .. config.sequence
  std::span<const std::int32_t> forced;  // fed instead of the model's own first choices
  std::int32_t logit_rows = 1;           // the last row keeps being overwritten
  float temperature = 0;                 // 0: the likeliest token, else 0.01 .. 100
  std::uint32_t seed = 1;                // of the draws at a temperature above 0
};

// Throws LlamaError if the checkpoint cannot do the job.
std::map<std::string, TensorData> llama_tensors(const LlamaCheckpoint& checkpoint,
                                                const LlamaJob& job, const Parameters& machine);

}  // namespace tandem
