#include "cli/llama/llama_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tandem {

LlamaSession::LlamaSession(Image image, const LlamaCheckpoint& checkpoint, const LlamaJob& job,
                           std::uint64_t hbm_bytes, std::uint32_t seed)
    : image_(std::move(image)), vocabulary_(checkpoint.config.vocabulary) {
  launch_ = make_launch(image_, llama_tensors(checkpoint, job, *image_.preset), hbm_bytes, seed);
}

const PlacedTensor& LlamaSession::placed(const std::string& name) const {
  const auto found =
      std::find_if(launch_.tensors.begin(), launch_.tensors.end(),
                   [&](const PlacedTensor& candidate) { return candidate.tensor.name == name; });
  if (found == launch_.tensors.end()) {
    throw LlamaError{fmt::format("the program has no tensor `{}`: is it llama.s?", name)};
  }
  return *found;
}

std::vector<std::int32_t> LlamaSession::tokens(const SparseMemory& hbm) const {
  const std::uint32_t count = hbm.read_word(placed("progress").address);
  const PlacedTensor& list = placed("tokens");
  std::vector<std::uint32_t> words(std::min<std::uint64_t>(count, list.bytes / 4));
  hbm.read_words(list.address, words);
  return {words.begin(), words.end()};
}

std::vector<float> LlamaSession::logits(const SparseMemory& hbm, std::int64_t row) const {
  const PlacedTensor& table = placed("logits");
  std::vector<std::uint32_t> words(static_cast<std::size_t>(vocabulary_));
  hbm.read_words(table.address + static_cast<std::uint64_t>(row) * table.pitch, words);
  std::vector<float> values(words.size());
  std::transform(words.begin(), words.end(), values.begin(),
                 [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
  return values;
}

std::string llama_trap_meaning(std::uint32_t code) {
  switch (code) {
    case 1: return "the sizes in the checkpoint do not fit together";
    case 2: return "the model needs more VMEM than this preset has; try a larger --preset";
    case 3: return "the weights are not as many as the sizes in the checkpoint say";
    case 4: return "no logit is a number: the weights are damaged";
    case 5: return "a token lies outside the vocabulary";
    default: return {};
  }
}

}  // namespace tandem
