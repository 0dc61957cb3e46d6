// Exchanges in which every device does the same, only so many devices further: then a device's
// number is all that it has to know, and no table tells it its messages.
#pragma once

#include <optional>

#include "compiler/functions/exchange_text.hpp"

namespace tandem::compiler {

struct UniformExchange {
  std::vector<std::uint32_t> ahead;  // of the sender the receivers, in the order of sending
  bool by_receiver = false;          // the row that is sent has the receiver's number; else it is 0
  bool by_sender = false;            // the row that it goes to has the sender's
};

std::optional<UniformExchange> uniform_of(const Exchange& exchange);
std::string uniform_text(const Exchange& exchange, const UniformExchange& uniform);

}  // namespace tandem::compiler
