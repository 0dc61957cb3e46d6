// Any bytes: they are a checkpoint, or a tokenizer and a prompt, or an error.
#include <algorithm>
#include <string_view>

#include "cli/llama/llama_checkpoint.hpp"
#include "cli/llama/llama_tensors.hpp"
#include "cli/llama/llama_tokenizer.hpp"

namespace {

using namespace tandem;

void read_as_checkpoint(std::span<const std::uint8_t> bytes) try {
  const LlamaCheckpoint checkpoint = parse_checkpoint(bytes);
  llama_tensors(checkpoint, {.limit = 1}, *find_preset("nano"));
} catch (const LlamaError&) {
}

// The first byte is the vocabulary less one, the second one the length of the prompt that follows.
void read_as_tokenizer(std::span<const std::uint8_t> bytes) try {
  if (bytes.size() < 2) return;
  const std::int32_t vocabulary = 1 + bytes[0];
  const auto rest = bytes.subspan(2);
  const auto prompt = rest.first(std::min<std::size_t>(bytes[1], rest.size()));
  const LlamaTokenizer tokenizer(rest.subspan(prompt.size()), vocabulary);
  const std::string_view text(reinterpret_cast<const char*>(prompt.data()), prompt.size());
  (void)tokenizer.text(tokenizer.tokens(text, 64));
} catch (const LlamaError&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_as_checkpoint({data, size});
  read_as_tokenizer({data, size});
  return 0;
}
