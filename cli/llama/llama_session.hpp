// One decoding: a checkpoint bound to the program llama/llama.s, ready to run on any model, and its
// output so far.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/llama/llama_tensors.hpp"
#include "runtime/device/named_launch.hpp"

namespace tandem {

// Not movable: runs refer to it.
class LlamaSession {
 public:
  // On its own device. Throws LlamaError, LaunchError or runtime::Error.
  LlamaSession(const Image& image, const LlamaCheckpoint& checkpoint, const LlamaJob& job,
               const runtime::DeviceOptions& options);
  LlamaSession(const LlamaSession&) = delete;
  LlamaSession& operator=(const LlamaSession&) = delete;

  [[nodiscard]] std::unique_ptr<runtime::Run> start(const runtime::RunReaders& readers) {
    return job_.start(readers);
  }
  [[nodiscard]] const Image& image() const { return job_.image(); }

  // The tokens that the program has reported so far.
  [[nodiscard]] std::vector<std::int32_t> tokens() const;
  // The logits of choice number `row`, as far as LlamaJob::logit_rows kept them.
  [[nodiscard]] std::vector<float> logits(std::int64_t row) const;

 private:
  runtime::NamedLaunch job_;
  std::int32_t vocabulary_;
};

// The meaning of an explicit trap of the program, "" for another code.
std::string llama_trap_meaning(std::uint32_t code);

}  // namespace tandem
