// The compiler's buffer for each memory access: the information that a lifetime check needs about a
// program. Compilers write it (`.buffer`, `.touch`); hand-written programs have none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

// A buffer as its index + 1.
using BufferId = std::uint32_t;
inline constexpr BufferId no_buffer = 0;
// The rows of spilled registers.
inline constexpr BufferId spill_buffer = 0xffff'ffff;

enum class BufferKind : std::uint8_t {
  vmem,      // words of VMEM
  hbm,       // words of HBM that only the program writes
  tensor,    // the memory of an argument or result
  constant,  // words that are never written
  scratch,   // words of VMEM given to an assembly kernel: it touches no others
};
inline constexpr std::uint32_t buffer_kinds = 5;

// "vmem", "hbm", "tensor", "constant", "scratch"
std::string_view buffer_kind_name(BufferKind kind);
std::optional<BufferKind> find_buffer_kind(std::string_view name);

struct PlannedBuffer {
  BufferKind kind = BufferKind::vmem;
  std::uint64_t first = 0;  // word of its memory, as planned; of tensors and constants 0
  std::uint64_t words = 0;
  std::string name;  // of a tensor its name; else its origin, "f.py:3 jit(f)/dot_general", or ""
};

// The operation in a slot of a bundle reads one buffer, writes another, or both.
struct BufferTouch {
  std::uint32_t pc = 0;
  std::uint32_t slot = 0;
  BufferId reads = no_buffer;
  BufferId writes = no_buffer;
};

struct BufferTable {
  std::vector<PlannedBuffer> buffers;
  std::vector<BufferTouch> touches;  // by ascending bundle, then slot

  [[nodiscard]] bool empty() const { return buffers.empty(); }
  [[nodiscard]] bool has(BufferId id) const { return id <= buffers.size() || id == spill_buffer; }
  // Appends the table of another object, whose bundle 0 has become `base`.
  void append(const BufferTable& other, std::uint32_t base);
};

}  // namespace tandem
