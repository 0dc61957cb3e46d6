#include "cli/llama/llama_session.hpp"

#include "cli/messages/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tandem {

namespace {

// As in the current program; another program may have none.
template <typename Element>
std::vector<Element> elements(const runtime::NamedLaunch& job, const std::string& name) {
  const TensorData data = job.read(name);
  std::vector<Element> values(data.bytes.size() / sizeof(Element));
  std::memcpy(values.data(), data.bytes.data(), values.size() * sizeof(Element));
  return values;
}

std::map<std::string, TensorData> tensors_for(const Image& image, const LlamaCheckpoint& checkpoint,
                                              const LlamaJob& job) {
  for (const char* name : {"progress", "tokens", "logits"}) {
    const bool there = std::any_of(image.tensors.begin(), image.tensors.end(),
                                   [name](const Tensor& tensor) { return tensor.name == name; });
    if (!there) {
      throw LlamaError{fmt::format(message::not_the_llama_program, name)};
    }
  }
  return llama_tensors(checkpoint, job, *image.preset);
}

}  // namespace

LlamaSession::LlamaSession(const Image& image, const LlamaCheckpoint& checkpoint,
                           const LlamaJob& job, const runtime::DeviceOptions& options)
    : job_(options, image, tensors_for(image, checkpoint, job)),
      vocabulary_(checkpoint.config.vocabulary) {}

std::vector<std::int32_t> LlamaSession::tokens() const {
  const std::size_t count = elements<std::uint32_t>(job_, "progress").at(0);
  std::vector<std::int32_t> list = elements<std::int32_t>(job_, "tokens");
  list.resize(std::min(count, list.size()));
  return list;
}

std::vector<float> LlamaSession::logits(std::int64_t row) const {
  const std::vector<float> table = elements<float>(job_, "logits");
  const auto first = table.begin() + row * job_.tensor("logits").dimensions().back();
  return {first, first + vocabulary_};
}

std::string llama_trap_meaning(std::uint32_t code) {
  switch (code) {
    case 1: return "the sizes in the checkpoint do not fit together";
    case 2: return "the model needs more VMEM than this preset has; try a larger --preset";
    case 3: return "the weights are not as many as the sizes in the checkpoint say";
    case 4: return "no logit is a number: the weights are damaged";
    case 5: return "a token is outside the vocabulary";
    default: return {};
  }
}

}  // namespace tandem
