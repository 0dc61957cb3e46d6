#include "compiler/functions/ring_neighbours.hpp"

#include <fmt/format.h>

#include "compiler/functions/copy_words.hpp"
#include "isa/descriptor.hpp"

namespace tandem::compiler {
namespace {

std::string by_number(std::uint32_t places) {
  return fmt::format(
      "        %place = csr chip\n"
      "        %right_chip = add %place, 1\n"
      "        %is_last = ge.u32 %right_chip, {0}\n"
      "        @%is_last %right_chip = mov 0\n"
      "        %left_chip = sub %place, 1\n"
      "        %is_first = eq %place, 0\n"
      "        @%is_first %left_chip = mov {1}\n",
      places, places - 1);
}

std::string by_table(std::string_view table, std::uint32_t copy, std::uint32_t row) {
  return bring_row(table, 1, copy, row) + fmt::format(
                                              "        %word = sld [%smem + {}]\n"
                                              "        %place = and %word, 255\n"
                                              "        %right_chip = shr %word, 8\n"
                                              "        %right_chip = and %right_chip, 255\n"
                                              "        %left_chip = shr %word, 16\n",
                                              row);
}

}  // namespace

std::uint32_t ring_word(std::uint32_t place, std::uint32_t right_chip, std::uint32_t left_chip) {
  return place | (right_chip << 8U) | (left_chip << 16U);
}

std::string ring_neighbours(std::uint32_t places, std::string_view table, std::uint32_t copy,
                            std::uint32_t row) {
  return (table.empty() ? by_number(places) : by_table(table, copy, row)) +
         fmt::format(
             "        %right = shl %right_chip, {0}\n"
             "        %left = shl %left_chip, {0}\n",
             descriptor_field::chip.lsb);
}

}  // namespace tandem::compiler
