#include "compiler/moves/lanes.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tandem::compiler {
namespace {

bool follows(const Lanes& lanes, std::int64_t count,
             llvm::function_ref<std::int64_t(std::int64_t)> way) {
  return llvm::all_of(lanes, [&](const auto& pair) {
    return ((way(pair.first) % count) + count) % count == pair.second;
  });
}

}  // namespace

Way way_of(const Lanes& lanes, std::int64_t count) {
  const std::int64_t to = lanes.front().first;
  const std::int64_t from = lanes.front().second;
  if (follows(lanes, count, [&](std::int64_t j) { return j + from - to; })) {
    const std::int64_t by = ((to - from) % count + count) % count;
    return {by == 0 ? Way::Kind::stay : Way::Kind::rotate, 0, by};
  }
  if (follows(lanes, count, [&](std::int64_t j) { return from + to - j; })) {
    return {Way::Kind::reverse, 0, from + to};
  }
  for (std::int64_t factor = 1; factor < count; ++factor) {
    const std::int64_t bits = (to / factor) ^ (from / factor);
    if (follows(lanes, count,
                [&](std::int64_t j) { return (j / factor ^ bits) * factor + j % factor; })) {
      return {Way::Kind::swap, factor, bits};
    }
  }
  for (std::int64_t factor = 2; factor <= count; ++factor) {
    const std::int64_t scaled = from - to * factor;
    if (follows(lanes, count, [&](std::int64_t j) { return j * factor + scaled; })) {
      return {Way::Kind::scale, factor, scaled};
    }
    const std::int64_t divided = from - to / factor;
    if (follows(lanes, count, [&](std::int64_t j) { return j / factor + divided; })) {
      return {Way::Kind::divide, factor, divided};
    }
    const std::int64_t repeated = from - to % factor;
    if (follows(lanes, count, [&](std::int64_t j) { return j % factor + repeated; })) {
      return {Way::Kind::repeat, factor, repeated};
    }
  }
  return {};
}

Range range_of(const Lanes& lanes) {
  std::vector<std::int64_t> places;
  for (const auto& [to, from] : lanes) places.push_back(to);
  llvm::sort(places);
  const std::int64_t step = places.size() == 1 ? 1 : places[1] - places[0];
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] - places[i - 1] != step) return {0, 0, 0};
  }
  return {places.front(), places.back() + 1, step};
}

}  // namespace tandem::compiler
