// Shared by the tests of the Llama: the program, invented checkpoints, a run to the end.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/llama/llama_session.hpp"
#include "runtime/models/runner.hpp"

namespace tandem::test {

inline constexpr const char* llama_program = "llama/llama.s";
inline constexpr const char* linear_llama_program = "llama/linear/llama.s";
// Both forms, bundled by hand and scheduled: they take the same tensors.
inline constexpr std::array<const char*, 2> llama_programs{llama_program, linear_llama_program};

// Throws std::runtime_error with the diagnostics.
Image llama_image(std::string_view preset, const char* program = llama_program);

// A checkpoint file of these sizes with random weights of a size that keeps the numbers sane.
// header: dim, hidden, layers, heads, key heads, vocabulary (negative: own classifier), positions
std::vector<std::uint8_t> invented_file(const std::vector<std::int32_t>& header);

// A decoding that has run to its end; throws std::runtime_error with the explanation unless that
// was a halt.
struct DecodedLlama {
  DecodedLlama(std::string_view preset, const LlamaCheckpoint& checkpoint, const LlamaJob& job,
               std::string_view model = "golden", const char* program = llama_program);

  LlamaSession session;
  std::unique_ptr<runtime::Run> run;
};

// The tokens of a job.
std::vector<std::int32_t> llama_tokens(const LlamaCheckpoint& checkpoint, const LlamaJob& job,
                                       std::string_view preset, std::string_view model = "golden",
                                       const char* program = llama_program);

}  // namespace tandem::test
