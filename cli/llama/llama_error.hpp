// What is wrong with a checkpoint, a tokenizer or what is asked of them.
#pragma once

#include <string>

namespace tandem {

// For the user; names the byte offset where there is one.
struct LlamaError {
  std::string message;
};

}  // namespace tandem
