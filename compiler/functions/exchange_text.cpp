// How devices agree without any of them being asked: a device that can be written to says so to all
// that will (a copy of nothing, which counts up their flag `ready`); who has heard all of its
// receivers sends; each message counts up its receiver's flag `arrived`. Flags begin and end at
// zero: one is cleared before the messages go without which nobody can add to it again
// (docs/decisions/0170).
#include "compiler/functions/exchange_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "isa/descriptor.hpp"

namespace tandem::compiler {
namespace {

// SMEM: the descriptors of the copy that brings the row of the table, of a signal, of a message;
// then the row.
constexpr std::uint32_t table_copy = 0;
constexpr std::uint32_t signal = 16;
constexpr std::uint32_t message = 32;
constexpr std::uint32_t table_row = 48;

// A row: how many signals go and come, how many messages go and how many come, how many of nothing
// go; for each signal, and each message of nothing, the first word of its descriptor; for each
// other message the same, and where it begins here and there.
constexpr std::uint32_t row_counts = 5;
constexpr std::uint32_t message_words = 3;

constexpr std::uint32_t own_flag = 31;  // of copies that are waited for at once

namespace field = descriptor_field;
constexpr auto smem = static_cast<std::uint32_t>(MemorySpace::smem);

std::uint32_t first_word(std::initializer_list<std::pair<DescriptorField, std::uint32_t>> fields) {
  DescriptorWords words{};
  for (const auto& [each, value] : fields) set_field(words, each, value);
  return words.front();
}

// The first word of a copy from HBM to SMEM, and of one back.
std::uint32_t to_smem(std::uint32_t flag) {
  return first_word({{field::destination_space, smem}, {field::flag, flag}});
}

std::uint32_t from_smem(std::uint32_t flag) {
  return first_word({{field::source_space, smem}, {field::flag, flag}});
}

// Of one from HBM to the HBM of another device, which adds to a flag there.
std::uint32_t remote_word(std::uint32_t flag, std::uint32_t chip) {
  return first_word({{field::version, 1}, {field::flag, flag}, {field::chip, chip}});
}

// The second word of such a copy: it adds 1 there, and so much to a flag here when its source has
// been read.
std::uint32_t remote_amounts(std::uint32_t amount_here) {
  DescriptorWords words{};
  set_field(words, field::amount_there, 1);
  set_field(words, field::flag_here, own_flag);
  set_field(words, field::amount_here, amount_here);
  return words[field::amount_there.word];
}

std::string store(std::uint32_t word, std::uint64_t value) {
  return fmt::format("        ssti [%smem + {}], {}\n", word, value);
}

std::string one_run(std::uint32_t descriptor, std::uint64_t bytes) {
  std::string text = store(descriptor + field::length.word, bytes);
  for (const DescriptorField& count : {field::inner, field::middle, field::outer}) {
    text += store(descriptor + count.word, 1);
  }
  return text;
}

std::string wait_once(std::uint32_t flag) {
  return fmt::format("        wait f{0}, 1\n        fset f{0}, 0\n", flag);
}

// For as many as the word of the row says. Nothing is waited for where it is 0: what others add
// then is for a later exchange.
std::string wait_for(std::uint32_t flag, std::string_view name, std::uint32_t count_word) {
  return fmt::format(
      "        %{1} = sld [%smem + {2}]\n"
      "        wait f{0}, %{1}\n"
      "        %any_{1} = ne %{1}, 0\n"
      "        @%any_{1} fset f{0}, 0\n",
      flag, name, table_row + count_word);
}

std::string bring_row(std::uint32_t words) {
  std::string text = fmt::format(
      "        %chip = csr chip\n"
      "        %row = mul %chip, {}\n"
      "        %row = add %row, %arg1\n"
      "        %at = add %smem, {}\n"
      "        %at = shl %at, 2\n"
      "        sst [%smem + {}], %at\n",
      words, table_row, table_copy + field::target.word);
  // Kernels share the words: what another one has left there goes.
  text += store(table_copy + field::source.word, 0);
  text += store(table_copy, to_smem(own_flag)) + store(table_copy + 1, 1);
  text += one_run(table_copy, 4 * std::uint64_t{words});
  return text + "        copy [%smem], %row, s0\n" + wait_once(own_flag);
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

// What one device does.
std::vector<std::uint32_t> row_of(const Exchange& exchange, std::uint32_t chip) {
  std::vector<std::uint32_t> messages;
  std::vector<bool> hears(exchange.chips, false);
  std::vector<bool> tells(exchange.chips, false);
  for (const ExchangeMessage& each : exchange.messages) {
    if (each.to == chip) hears[each.from] = true;
    if (each.from != chip) continue;
    tells[each.to] = true;
    messages.insert(messages.end(),
                    {remote_word(exchange.arrived_flag, each.to), each.source * exchange.row_words,
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
    if (exchange.by_all || hears[other]) row.push_back(remote_word(exchange.ready_flag, other));
  }
  // Nothing, to those that are sent nothing.
  for (std::uint32_t other = 0; exchange.by_all && other < exchange.chips; ++other) {
    if (tells[other]) continue;
    row.push_back(remote_word(exchange.arrived_flag, other));
    ++row[4];
  }
  row.insert(row.end(), messages.begin(), messages.end());
  return row;
}

}  // namespace

ExchangeTable exchange_table(const Exchange& exchange) {
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
  std::string text = bring_row(table_row_words);
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
  text += store(0, from_smem(own_flag)) + store(1, 1) + one_run(0, 4);
  return text + "        copy [%smem], s0, %out0\n" + wait_once(own_flag);
}

std::uint32_t exchange_smem_words(std::uint32_t table_row_words) {
  return table_row + table_row_words;
}

}  // namespace tandem::compiler
