#include "cosim/foreign/event_rules.hpp"

#include <fmt/format.h>

#include "isa/text/text.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t last_space = static_cast<std::uint32_t>(Space::flag_set);

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw BadEvent{fmt::format(text, std::forward<Args>(args)...)};
}

void check_slot(Slot slot, const char* what) {
  const auto number = static_cast<std::uint32_t>(slot);
  if (number >= slot_count) refuse("{} {} is none: they are 0 to {}", what, number, slot_count - 1);
}

}  // namespace

void check_issue(const IssueEvent& event) {
  if ((event.enabled >> slot_count) != 0) {
    refuse("bundle {}: enabled is {:#x}, but there are {} slots", event.sequence, event.enabled,
           slot_count);
  }
  if (event.trap.cause > TrapCause::machine_check) {
    refuse("bundle {}: {} is no cause of a trap", event.sequence,
           static_cast<std::uint32_t>(event.trap.cause));
  }
  check_slot(event.trap.slot, "slot of a trap");
}

void check_write(const WriteEvent& event, std::size_t count, const Parameters& parameters) {
  check_slot(event.slot, "slot of a write");
  const auto space = static_cast<std::uint32_t>(event.space);
  if (space == 0 || space > last_space) {
    refuse("a write of bundle {}: {} is no space: they are 1 to {}", event.sequence, space,
           last_space);
  }
  const std::uint64_t size = space_size(event.space, parameters);
  if (event.index >= size) {
    refuse("a write of bundle {}: index {} of space {}, which has {}", event.sequence, event.index,
           space, size);
  }
  if (event.row >= sublanes) {
    refuse("a write of bundle {}: row {} of {}", event.sequence, event.row, sublanes);
  }
  const std::uint32_t words = data_words(event.space, parameters);
  if (count != words) {
    refuse("a write of bundle {}: {} words for space {}, which has {}", event.sequence, count,
           space, words);
  }
}

}  // namespace tandem
