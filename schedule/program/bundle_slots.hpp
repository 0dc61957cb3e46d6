// The nine slots of one bundle while they are being assigned.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/instructions.hpp"

namespace tandem::schedule {

class BundleSlots {
 public:
  void clear() { owner_.fill(nobody); }

  // Takes a slot for an operation, moving another to its second choice where that makes room.
  bool take(std::uint32_t operation, Group group) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (!slot_accepts(static_cast<Slot>(slot), group)) continue;
      if (owner_[slot] != nobody && !move_away(slot)) continue;
      owner_[slot] = operation;
      groups_[slot] = group;
      return true;
    }
    return false;
  }
  [[nodiscard]] std::optional<std::uint32_t> owner(Slot slot) const {
    const std::uint32_t owner = owner_[static_cast<std::size_t>(slot)];
    return owner == nobody ? std::nullopt : std::optional(owner);
  }

 private:
  static constexpr std::uint32_t nobody = ~0U;

  bool move_away(std::size_t from) {
    for (std::size_t to = 0; to < slot_count; ++to) {
      if (owner_[to] != nobody || !slot_accepts(static_cast<Slot>(to), groups_[from])) continue;
      owner_[to] = owner_[from];
      groups_[to] = groups_[from];
      return true;
    }
    return false;
  }

  std::array<std::uint32_t, slot_count> owner_ = filled();
  std::array<Group, slot_count> groups_{};

  static constexpr std::array<std::uint32_t, slot_count> filled() {
    std::array<std::uint32_t, slot_count> all{};
    all.fill(nobody);
    return all;
  }
};

}  // namespace tandem::schedule
