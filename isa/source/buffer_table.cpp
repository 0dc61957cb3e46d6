#include "isa/source/buffer_table.hpp"

#include <array>

namespace tandem {
namespace {

constexpr std::array<std::string_view, buffer_kinds> names{"vmem", "hbm", "tensor", "constant",
                                                           "scratch"};

}  // namespace

std::string_view buffer_kind_name(BufferKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::optional<BufferKind> find_buffer_kind(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<BufferKind>(i);
  }
  return std::nullopt;
}

void BufferTable::append(const BufferTable& other, std::uint32_t base) {
  const auto before = static_cast<BufferId>(buffers.size());
  const auto moved = [before](BufferId id) {
    return id == no_buffer || id == spill_buffer ? id : id + before;
  };
  buffers.insert(buffers.end(), other.buffers.begin(), other.buffers.end());
  for (const BufferTouch& touch : other.touches) {
    touches.push_back({touch.pc + base, touch.slot, moved(touch.reads), moved(touch.writes)});
  }
}

}  // namespace tandem
