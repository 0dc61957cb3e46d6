#include "compiler/functions/uniform_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/functions/copy_words.hpp"
#include "isa/descriptor.hpp"

namespace tandem::compiler {
namespace {

namespace field = descriptor_field;

constexpr std::size_t most_messages = 8;  // the text contains each of them

// The first word of the descriptor := that for the device this many places further, which is %`to`.
std::string address(std::uint32_t ahead, std::uint32_t chips, std::string_view flag,
                    std::uint32_t descriptor, std::string_view to) {
  return fmt::format(
      "        %{0} = add %chip, {1}\n"
      "        %{0}_wraps = ge.u32 %{0}, {2}\n"
      "        @%{0}_wraps %{0} = sub %{0}, {2}\n"
      "        %{0}_word = shl %{0}, {3}\n"
      "        %{0}_word = add %{0}_word, %{4}\n"
      "        sst [%smem + {5}], %{0}_word\n",
      to, ahead, chips, field::chip.lsb, flag, descriptor);
}

}  // namespace

std::optional<UniformExchange> uniform_of(const Exchange& exchange) {
  const std::uint32_t chips = exchange.chips;
  const auto& messages = exchange.messages;
  const std::size_t each = messages.size() / chips;
  if (exchange.by_all || each == 0 || each > most_messages || messages.size() != each * chips) {
    return {};
  }
  UniformExchange uniform;
  const auto of = [&](std::uint32_t chip, std::size_t number) {
    return messages[chip * each + number];
  };
  for (std::size_t i = 0; i < each; ++i) uniform.ahead.push_back(of(0, i).to);
  uniform.by_receiver = std::any_of(messages.begin(), messages.end(),
                                    [](const ExchangeMessage& one) { return one.source != 0; });
  uniform.by_sender = std::any_of(messages.begin(), messages.end(),
                                  [](const ExchangeMessage& one) { return one.target != 0; });
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    for (std::size_t i = 0; i < each; ++i) {
      const ExchangeMessage& one = of(chip, i);
      if (one.from != chip || one.to != (chip + uniform.ahead[i]) % chips ||
          one.source != (uniform.by_receiver ? one.to : 0) ||
          one.target != (uniform.by_sender ? one.from : 0)) {
        return {};
      }
    }
  }
  return uniform;
}

std::string uniform_text(const Exchange& exchange, const UniformExchange& uniform) {
  const std::uint32_t row = exchange.row_words;
  const std::uint32_t signal = exchange_signal;
  const std::uint32_t message = exchange_message;
  const auto others = std::count_if(uniform.ahead.begin(), uniform.ahead.end(),
                                    [](std::uint32_t ahead) { return ahead != 0; });
  std::string text = "        %chip = csr chip\n";
  text += store(signal + 1, remote_amounts(0));
  text += fmt::format("        %ready = mov {}\n",
                      remote_word(MemorySpace::hbm, MemorySpace::hbm, exchange.ready_flag, 0));
  for (std::size_t i = 0; i < uniform.ahead.size(); ++i) {  // to the devices that send here
    if (uniform.ahead[i] == 0) continue;
    text += address(exchange.chips - uniform.ahead[i], exchange.chips, "ready", signal,
                    fmt::format("sender{}", i));
    text += fmt::format("        copy [%smem + {}], s0, s0\n", signal);
  }
  text += store(message + 1, remote_amounts(1)) + one_run(message, 4 * std::uint64_t{row});
  text += fmt::format("        %arrives = mov {}\n",
                      remote_word(MemorySpace::hbm, MemorySpace::hbm, exchange.arrived_flag, 0));
  text += fmt::format("        %there = mul %chip, {}\n", uniform.by_sender ? row : 0);
  text += "        %there = add %there, %out0\n";
  if (others != 0) {
    text +=
        fmt::format("        wait f{0}, {1}\n        fset f{0}, 0\n", exchange.ready_flag, others);
  }
  for (std::size_t i = 0; i < uniform.ahead.size(); ++i) {
    const std::string to = fmt::format("to{}", i);
    text += address(uniform.ahead[i], exchange.chips, "arrives", message, to);
    text += fmt::format(
        "        %from{0} = mul %{1}, {2}\n"
        "        %from{0} = add %from{0}, %arg0\n"
        "        copy [%smem + {3}], %from{0}, %there\n",
        i, to, uniform.by_receiver ? row : 0, message);
  }
  for (const std::uint32_t flag : {own_flag, exchange.arrived_flag}) {
    text +=
        fmt::format("        wait f{0}, {1}\n        fset f{0}, 0\n", flag, uniform.ahead.size());
  }
  return text;
}

}  // namespace tandem::compiler
