#include "compiler/functions/copy_words.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "isa/descriptor.hpp"

namespace tandem::compiler {
namespace {

namespace field = descriptor_field;

std::uint32_t first_word(std::initializer_list<std::pair<DescriptorField, std::uint32_t>> fields) {
  DescriptorWords words{};
  for (const auto& [each, value] : fields) set_field(words, each, value);
  return words.front();
}

std::uint32_t number_of(MemorySpace space) { return static_cast<std::uint32_t>(space); }

}  // namespace

std::uint32_t local_word(MemorySpace from, MemorySpace to, std::uint32_t flag) {
  return first_word({{field::source_space, number_of(from)},
                     {field::destination_space, number_of(to)},
                     {field::flag, flag}});
}

std::uint32_t remote_word(MemorySpace from, MemorySpace to, std::uint32_t flag,
                          std::uint32_t chip) {
  return first_word({{field::version, 1},
                     {field::source_space, number_of(from)},
                     {field::destination_space, number_of(to)},
                     {field::flag, flag},
                     {field::chip, chip}});
}

std::uint32_t remote_amounts(std::uint32_t amount_here, std::uint32_t flag_here) {
  DescriptorWords words{};
  set_field(words, field::amount_there, 1);
  set_field(words, field::flag_here, flag_here);
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

std::string empty_descriptor(std::uint32_t descriptor, std::uint32_t amounts) {
  std::string text = store(descriptor + 1, amounts);
  for (std::uint32_t word = field::source.word; word < field::length.word; ++word) {
    text += store(descriptor + word, 0);
  }
  return text + one_run(descriptor, 0);
}

std::string wait_once(std::uint32_t flag) {
  return fmt::format("        wait f{0}, 1\n        fset f{0}, 0\n", flag);
}

std::string bring_row(std::string_view table, std::uint32_t words, std::uint32_t copy,
                      std::uint32_t row) {
  std::string text = fmt::format(
      "        %chip = csr chip\n"
      "        %row = mul %chip, {}\n"
      "        %row = add %row, %{}\n"
      "        %at = add %smem, {}\n"
      "        %at = shl %at, 2\n"
      "        sst [%smem + {}], %at\n",
      words, table, row, copy + field::target.word);
  // Kernels share the words, so what another kernel left there is cleared.
  text += store(copy + field::source.word, 0);
  text += store(copy, local_word(MemorySpace::hbm, MemorySpace::smem, own_flag));
  text += store(copy + 1, 1);
  text += one_run(copy, 4 * std::uint64_t{words});
  return text + fmt::format("        copy [%smem + {}], %row, s0\n", copy) + wait_once(own_flag);
}

}  // namespace tandem::compiler
