#include "isa/golden/snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace tandem::golden {
namespace {

// References to the arrays of a core that are worth sharing, always in the same order.
auto large_arrays(Core& core) {
  State& state = core.state;
  return std::tuple_cat(std::tie(state.smem, state.vmem, state.vectors, state.accumulators,
                                 state.weights[0], state.weights[1]),
                        core.marks.large_arrays(), core.races.large_arrays());
}

// Takes the large arrays out of a core during its lifetime, so that the rest can be copied.
class Parked {
 public:
  explicit Parked(Core& core)
      : arrays_(large_arrays(core)),
        parked_(std::apply([](auto&... array) { return std::tuple(std::exchange(array, {})...); },
                           arrays_)) {}
  ~Parked() { arrays_ = std::move(parked_); }
  Parked(const Parked&) = delete;
  Parked& operator=(const Parked&) = delete;

 private:
  using References = decltype(large_arrays(std::declval<Core&>()));
  template <typename... Arrays>
  static std::tuple<Arrays...> values(std::tuple<Arrays&...>);

  References arrays_;
  decltype(values(std::declval<References>())) parked_;
};

Core without_arrays(Core& core) {
  const Parked parked(core);
  return core;
}

// Calls visit(bytes of an array, its number) for every large array.
template <typename Visit>
void for_each_array(Core& core, Visit visit) {
  std::size_t number = 0;
  std::apply(
      [&](auto&... array) { (visit(std::as_writable_bytes(std::span(array)), number++), ...); },
      large_arrays(core));
}

}  // namespace

FrozenArray::FrozenArray(std::span<const std::byte> live, const FrozenArray* earlier) {
  chunks_.reserve((live.size() + chunk_bytes - 1) / chunk_bytes);
  while (!live.empty()) {
    const auto now = live.first(std::min(chunk_bytes, live.size()));
    const auto* const before = earlier == nullptr ? nullptr : &earlier->chunks_[chunks_.size()];
    if (before != nullptr && std::memcmp((*before)->data(), now.data(), now.size()) == 0) {
      chunks_.push_back(*before);
    } else {
      chunks_.push_back(std::make_shared<const Chunk>(now.begin(), now.end()));
    }
    live = live.subspan(now.size());
  }
}

void FrozenArray::thaw(std::span<std::byte> live) const {
  std::size_t at = 0;
  for (const auto& chunk : chunks_) {
    std::memcpy(live.data() + at, chunk->data(), chunk->size());
    at += chunk->size();
  }
}

std::uint64_t FrozenArray::bytes_beyond(const FrozenArray& other) const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i] != other.chunks_[i]) bytes += chunks_[i]->size();
  }
  return bytes;
}

Snapshot::Snapshot(Core& core, RunStatus status, const Snapshot* earlier)
    : rest_(without_arrays(core)), status_(status) {
  for_each_array(core, [this, earlier](std::span<std::byte> bytes, std::size_t number) {
    arrays_.emplace_back(bytes, earlier == nullptr ? nullptr : &earlier->arrays_[number]);
  });
}

RunStatus Snapshot::restore(Core& core) const {
  {
    const Parked parked(core);
    core = rest_;
  }
  for_each_array(core, [this](std::span<std::byte> bytes, std::size_t number) {
    arrays_[number].thaw(bytes);
  });
  return status_;
}

std::uint64_t Snapshot::bytes_beyond(const Snapshot& other) const {
  // Never shared: registers, scratch, lists of copies.
  std::uint64_t bytes = sizeof(Core) + rest_.hbm.bytes_beyond(other.rest_.hbm);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    bytes += arrays_[i].bytes_beyond(other.arrays_[i]);
  }
  return bytes;
}

}  // namespace tandem::golden
