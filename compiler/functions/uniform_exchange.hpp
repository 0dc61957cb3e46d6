// Exchanges in which every device does the same, only shifted by its number: a device needs to know
// only its number, and no table lists its messages.
#pragma once

#include <optional>

#include "compiler/functions/exchange_text.hpp"

namespace tandem::compiler {

struct UniformExchange {
  std::vector<std::uint32_t> ahead;  // the receivers of the sender, in the order of sending
  bool by_receiver = false;          // the row to send is the receiver's number; else it is 0
  bool by_sender = false;            // the row to write is the sender's number
};

std::optional<UniformExchange> uniform_of(const Exchange& exchange);
std::string uniform_text(const Exchange& exchange, const UniformExchange& uniform);

}  // namespace tandem::compiler
