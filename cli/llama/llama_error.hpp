// An error in a checkpoint, a tokenizer or a request to them.
#pragma once

#include <string>

namespace tandem {

// For the user; names the byte offset if there is one.
struct LlamaError {
  std::string message;
};

}  // namespace tandem
