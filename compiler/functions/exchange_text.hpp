// The part of a program that sends and receives (stablehlo/collectives/expand.cpp), as linear
// assembly. It is the same for all devices; a device reads its messages in its row of a table.
//
// Rows begin at %arg0 and %out0 in HBM, the table at %arg1, as word addresses; %smem is the first
// of `exchange_smem_words` words of SMEM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::compiler {

struct ExchangeMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t source = 0;  // row
  std::uint32_t target = 0;
};

struct Exchange {
  std::uint32_t chips = 1;
  std::uint32_t row_words = 0;
  std::uint32_t ready_flag = 0;
  std::uint32_t arrived_flag = 0;
  // Each device signals to each, wherever it sends: so none is ahead of any other.
  bool by_all = false;
  std::vector<ExchangeMessage> messages;
};

// SMEM: the descriptors of the copy that brings the row of the table, of a signal, of a message;
// then the row.
inline constexpr std::uint32_t exchange_signal = 16;
inline constexpr std::uint32_t exchange_message = 32;
inline constexpr std::uint32_t exchange_row = 48;

// A row for each device, all of one length; no words where every device does the same
// (uniform_exchange.hpp), and then there is no %arg1.
struct ExchangeTable {
  std::uint32_t row_words = 0;
  std::vector<std::uint32_t> words;
};

ExchangeTable exchange_table(const Exchange& exchange);
std::string exchange_text(const Exchange& exchange, std::uint32_t table_row_words);
std::uint32_t exchange_smem_words(std::uint32_t table_row_words);

// The device's own number, one word at %out0.
std::string chip_text();
inline constexpr std::uint32_t chip_smem_words = 17;

}  // namespace tandem::compiler
