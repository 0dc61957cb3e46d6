// How devices synchronize without a coordinator: a device that can be written to signals this to
// all of its senders (an empty copy, which increments their flag `ready`); a device sends once all
// of its receivers have signalled; each message increments its receiver's flag `arrived`. Flags
// begin and end at zero: a flag is cleared before this device sends the messages that are needed
// for anyone to add to it again (docs/decisions/0170).
#include "compiler/functions/exchange_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/functions/copy_words.hpp"
#include "compiler/functions/uniform_exchange.hpp"
#include "isa/descriptor.hpp"

namespace tandem::compiler {
namespace {

constexpr std::uint32_t table_copy = 0;
constexpr std::uint32_t signal = exchange_signal;
constexpr std::uint32_t message = exchange_message;
constexpr std::uint32_t table_row = exchange_row;

// A row: the numbers of signals sent and received, of messages sent and received, and of empty
// messages sent; for each signal and each empty message, the first word of its descriptor; for each
// other message the same, and where it begins here and there.
constexpr std::uint32_t row_counts = 5;
constexpr std::uint32_t message_words = 3;

namespace field = descriptor_field;

std::uint32_t to_chip(std::uint32_t flag, std::uint32_t chip) {
  return remote_word(MemorySpace::hbm, MemorySpace::hbm, flag, chip);
}

// For as many as the word of the row states. There is no wait where it is 0: what others add then
// is for a later exchange.
std::string wait_for(std::uint32_t flag, std::string_view name, std::uint32_t count_word) {
  return fmt::format(
      "        %{1} = sld [%smem + {2}]\n"
      "        wait f{0}, %{1}\n"
      "        %any_{1} = ne %{1}, 0\n"
      "        @%any_{1} fset f{0}, 0\n",
      flag, name, table_row + count_word);
}

std::string loop(std::string_view name, std::uint32_t count_word, const std::string& body) {
  return fmt::format(
      "        %{0}_left = sld [%smem + {1}]\n"
      "        %{0}_none = eq %{0}_left, 0\n"
      "        @%{0}_none br {0}_end\n"
      "{0}_next:\n"
      "{2}"
      "        %{0}_left = sub %{0}_left, 1\n"
      "        %{0}_more = ne %{0}_left, 0\n"
      "        @%{0}_more br {0}_next\n"
      "{0}_end:\n",
      name, table_row + count_word, body);
}

}  // namespace

namespace {

// The work of one device.
std::vector<std::uint32_t> row_of(const Exchange& exchange, std::uint32_t chip) {
  std::vector<std::uint32_t> messages;
  std::vector<bool> hears(exchange.chips, false);
  std::vector<bool> tells(exchange.chips, false);
  for (const ExchangeMessage& each : exchange.messages) {
    if (each.to == chip) hears[each.from] = true;
    if (each.from != chip) continue;
    tells[each.to] = true;
    messages.insert(messages.end(),
                    {to_chip(exchange.arrived_flag, each.to), each.source * exchange.row_words,
                     each.target * exchange.row_words});
  }
  const auto is_all = [&](const std::vector<bool>& with) {
    return exchange.by_all ? exchange.chips
                           : static_cast<std::uint32_t>(std::count(with.begin(), with.end(), true));
  };
  std::vector<std::uint32_t> row{is_all(hears), is_all(tells),
                                 static_cast<std::uint32_t>(messages.size() / message_words),
                                 is_all(hears), 0};
  for (std::uint32_t other = 0; other < exchange.chips; ++other) {
    if (exchange.by_all || hears[other]) row.push_back(to_chip(exchange.ready_flag, other));
  }
  // Empty messages, to the devices that receive no data.
  for (std::uint32_t other = 0; exchange.by_all && other < exchange.chips; ++other) {
    if (tells[other]) continue;
    row.push_back(to_chip(exchange.arrived_flag, other));
    ++row[4];
  }
  row.insert(row.end(), messages.begin(), messages.end());
  return row;
}

}  // namespace

ExchangeTable exchange_table(const Exchange& exchange) {
  if (uniform_of(exchange)) return {};
  std::vector<std::vector<std::uint32_t>> rows;
  std::size_t longest = 0;
  for (std::uint32_t chip = 0; chip < exchange.chips; ++chip) {
    rows.push_back(row_of(exchange, chip));
    longest = std::max(longest, rows.back().size());
  }
  ExchangeTable table{static_cast<std::uint32_t>(longest), {}};
  for (std::vector<std::uint32_t>& row : rows) {
    row.resize(longest, 0);
    table.words.insert(table.words.end(), row.begin(), row.end());
  }
  return table;
}

std::string exchange_text(const Exchange& exchange, std::uint32_t table_row_words) {
  if (const auto uniform = uniform_of(exchange)) return uniform_text(exchange, *uniform);
  std::string text = bring_row("arg1", table_row_words, table_copy, table_row);
  text += store(signal + 1, remote_amounts(0));
  text += store(message + 1, remote_amounts(1));
  text += one_run(message, 4 * std::uint64_t{exchange.row_words});
  text += fmt::format("        %signal = add %smem, {}\n        %message = add %smem, {}\n", signal,
                      message);
  text += fmt::format("        %entry = add %smem, {}\n", table_row + row_counts);
  const std::string send_nothing =
      "        %word = sld [%entry]\n"
      "        sst [%signal], %word\n"
      "        copy [%signal], s0, s0\n"
      "        %entry = add %entry, 1\n";
  text += loop("signal", 0, send_nothing);
  text += wait_for(exchange.ready_flag, "receivers", 1);
  if (exchange.by_all) text += loop("nothing", 4, send_nothing);
  text += loop("message", 2,
               "        %first = sld [%entry]\n"
               "        sst [%message], %first\n"
               "        %from = sld [%entry + 1]\n"
               "        %from = add %from, %arg0\n"
               "        %to = sld [%entry + 2]\n"
               "        %to = add %to, %out0\n"
               "        copy [%message], %from, %to\n"
               "        %entry = add %entry, 3\n");
  text += wait_for(own_flag, "read", 2);
  return text + wait_for(exchange.arrived_flag, "senders", 3);
}

std::string chip_text() {
  constexpr std::uint32_t number = chip_smem_words - 1;
  std::string text = fmt::format(
      "        %chip = csr chip\n"
      "        %at = add %smem, {0}\n"
      "        sst [%at], %chip\n"
      "        %at = shl %at, 2\n"
      "        sst [%smem + {1}], %at\n",
      number, field::source.word);
  text += store(field::target.word, 0);
  text += store(0, local_word(MemorySpace::smem, MemorySpace::hbm, own_flag)) + store(1, 1) +
          one_run(0, 4);
  return text + "        copy [%smem], s0, %out0\n" + wait_once(own_flag);
}

std::uint32_t exchange_smem_words(std::uint32_t table_row_words) {
  return table_row + table_row_words;
}

}  // namespace tandem::compiler
