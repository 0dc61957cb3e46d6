#include "compiler/stablehlo/collectives/messages.hpp"

namespace tandem::compiler {
namespace {

// The distances from a member to its receivers: the next to the right and to the left, those after
// them, and so on, so that both directions are in use; itself last.
Numbers in_turn(std::int64_t size) {
  Numbers ahead;
  for (std::int64_t step = 1; 2 * step <= size; ++step) {
    ahead.push_back(step);
    if (2 * step != size) ahead.push_back(size - step);
  }
  ahead.push_back(size);
  return ahead;
}

// Calls `make` with each member and its place, and each place that it sends to.
template <typename Make>
Messages each_to_each(const Groups& groups, Make make) {
  Messages messages;
  const Numbers ahead = in_turn(groups.size);
  for (std::int64_t number = 0; number < groups.count(); ++number) {
    const llvm::ArrayRef<std::int64_t> group = groups.group(number);
    for (std::int64_t place = 0; place < groups.size; ++place) {
      for (const std::int64_t step : ahead) {
        const std::int64_t to = (place + step) % groups.size;
        messages.push_back(make(group, place, to));
      }
    }
  }
  return messages;
}

}  // namespace

Messages gather(const Groups& groups) {
  return each_to_each(groups, [](auto group, std::int64_t place, std::int64_t to) {
    return Message{group[place], group[to], 0, place};
  });
}

Messages exchange(const Groups& groups) {
  return each_to_each(groups, [](auto group, std::int64_t place, std::int64_t to) {
    return Message{group[place], group[to], to, place};
  });
}

Messages broadcast(const Groups& groups) {
  Messages messages;
  for (std::int64_t number = 0; number < groups.count(); ++number) {
    const llvm::ArrayRef<std::int64_t> group = groups.group(number);
    for (std::int64_t step = 1; step <= groups.size; ++step) {
      messages.push_back({group[0], group[step % groups.size], 0, 0});
    }
  }
  return messages;
}

Messages permute(const Pairs& pairs) {
  Messages messages;
  for (const auto& [from, to] : pairs.pairs) messages.push_back({from, to, 0, 0});
  return messages;
}

}  // namespace tandem::compiler
