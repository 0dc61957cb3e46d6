#include "cosim/verilated/verilated_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <unordered_map>

#include "isa/archive/messages.hpp"

namespace tandem {
namespace {

struct SavedMember {
  std::string name;
  std::span<const std::uint8_t> value;
};

std::vector<SavedMember> saved_members(ArchiveReader& archive) {
  std::vector<SavedMember> members(archive.count(1));
  for (SavedMember& member : members) {
    archive(member.name);
    member.value = archive.take(archive.count(1));
  }
  return members;
}

}  // namespace

void save_members(ArchiveWriter& archive, const std::vector<VerilatedMember>& members) {
  archive(static_cast<std::uint64_t>(members.size()));
  for (const VerilatedMember& member : members) {
    archive(std::string(member.name), static_cast<std::uint64_t>(member.bytes));
    archive.bytes(member.place, member.bytes);
  }
}

void restore_members(ArchiveReader& archive, const std::vector<VerilatedMember>& members) {
  std::unordered_map<std::string_view, const VerilatedMember*> known;
  for (const VerilatedMember& member : members) known.emplace(member.name, &member);
  for (const SavedMember& saved : saved_members(archive)) {
    const auto member = known.find(saved.name);
    if (member == known.end()) continue;
    if (member->second->bytes != saved.value.size()) {
      throw SnapshotError(
          fmt::format(archiving::message::no_signal, saved.name, member->second->bytes));
    }
    std::memcpy(member->second->place, saved.value.data(), saved.value.size());
  }
}

std::vector<VerilatedMember> registers_of(std::vector<VerilatedMember> members) {
  std::erase_if(members,
                [](const VerilatedMember& member) { return !member.name.ends_with("_q"); });
  return members;
}

std::string first_difference(ArchiveReader a, ArchiveReader b) {
  std::unordered_map<std::string, std::span<const std::uint8_t>> others;
  for (SavedMember& member : saved_members(b)) others.emplace(member.name, member.value);
  for (const SavedMember& member : saved_members(a)) {
    const auto other = others.find(member.name);
    if (other != others.end() && !std::ranges::equal(other->second, member.value)) {
      return member.name;
    }
  }
  return {};
}

}  // namespace tandem
