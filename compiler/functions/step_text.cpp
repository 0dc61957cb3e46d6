#include "compiler/functions/step_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "compiler/functions/copy_words.hpp"
#include "compiler/functions/ring_neighbours.hpp"
#include "isa/descriptor.hpp"

namespace tandem::compiler {
namespace {

namespace field = descriptor_field;

// SMEM: descriptors of a message, of a signal, and of the copy of the table's word; that word. The
// signal is where exchange_text.cpp has it.
constexpr std::uint32_t message = 0 * descriptor_words;
constexpr std::uint32_t signal = 1 * descriptor_words;
constexpr std::uint32_t table_copy = 2 * descriptor_words;
constexpr std::uint32_t table_word = 3 * descriptor_words;

std::string_view way(bool to_left) { return to_left ? "left" : "right"; }

// The first word of a descriptor := that of a copy to the device on this side.
std::string address(std::uint32_t descriptor, std::uint32_t flag, bool to_left,
                    std::string_view name) {
  return fmt::format(
      "        %{0} = mov {1}\n"
      "        %{0} = add %{0}, %{2}\n"
      "        sst [%smem + {3}], %{0}\n",
      name, remote_word(MemorySpace::hbm, MemorySpace::hbm, flag, 0), way(to_left), descriptor);
}

std::string say_ready(const RingStep& step) {
  std::string text = empty_descriptor(signal, remote_amounts(0));
  for (const bool to_left : {false, true}) {
    text += address(signal, step.ready_flag, to_left, fmt::format("signal_{}", way(to_left)));
    text += fmt::format("        copy [%smem + {}], s0, s0\n", signal);
  }
  return text;
}

std::string wait_ready(const RingStep& step) {
  return fmt::format("        wait f{0}, 2\n        fset f{0}, 0\n", step.ready_flag);
}

// The word of a buffer, in `name`.
std::string place_of(const StepBuffer& buffer, std::string_view name) {
  return fmt::format("        %{} = add %{}{}, {}\n", name, buffer.is_landing ? "out" : "arg",
                     buffer.number, buffer.word);
}

std::string send(const RingStep& step, const StepMessage& each, std::size_t number) {
  const std::string from = fmt::format("from{}", number);
  const std::string to = fmt::format("to{}", number);
  return address(message, each.to_left ? step.left_flag : step.right_flag, each.to_left,
                 fmt::format("word{}", number)) +
         store(message + field::length.word, 4 * std::uint64_t{each.words}) +
         place_of(each.from, from) + place_of(each.to, to) +
         fmt::format("        copy [%smem + {}], %{}, %{}\n", message, from, to);
}

std::string wait_for(std::uint32_t flag, std::uint32_t count) {
  return fmt::format("        wait f{}, {}\n", flag, count);
}
std::string wait_for_both(const RingStep& step, std::uint32_t count) {
  if (count == 0) return "";
  return wait_for(step.right_flag, count) + wait_for(step.left_flag, count);
}

}  // namespace

std::string step_text(const RingStep& step) {
  std::string text = wait_for_both(step, step.came);
  const std::string table = step.has_table ? fmt::format("arg{}", step.sources) : "";
  if (step.is_first || !step.messages.empty()) {
    text += ring_neighbours(step.places, table, table_copy, table_word);
  }
  if (step.is_first) text += say_ready(step);
  if (!step.messages.empty()) text += empty_descriptor(message, remote_amounts(1, step.sent_flag));
  if (step.is_first) text += wait_ready(step);
  for (std::size_t i = 0; i < step.messages.size(); ++i) text += send(step, step.messages[i], i);
  text += wait_for_both(step, step.come);
  if (step.sent == 0) return text;
  text += wait_for(step.sent_flag, step.sent);
  for (const std::uint32_t flag : {step.right_flag, step.left_flag, step.sent_flag}) {
    text += fmt::format("        fset f{}, 0\n", flag);
  }
  return text;
}

std::uint32_t step_smem_words() { return table_word + 1; }

}  // namespace tandem::compiler
