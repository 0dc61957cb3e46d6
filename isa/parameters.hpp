// The machine description: the sizes that distinguish one preset from another.
//
// Every model takes these at run time; the RTL takes them as module parameters, and every binary
// names the preset it was built for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tandem {

inline constexpr std::uint32_t sublanes = 8;             // rows of a vector register
inline constexpr std::uint32_t scalar_registers = 32;    // s0 reads zero
inline constexpr std::uint32_t predicate_registers = 8;  // p0 reads true
inline constexpr std::uint32_t vector_registers = 64;
inline constexpr std::uint32_t mask_registers = 8;  // m0 reads all ones
inline constexpr std::uint32_t accumulators = 64;   // each sublanes x lanes words
inline constexpr std::uint32_t sync_flags = 32;
inline constexpr std::uint32_t vmem_banks = 8;  // bank of a row is row mod 8
inline constexpr std::uint32_t bundle_bytes = 64;
inline constexpr std::uint32_t bundle_words = 16;
inline constexpr std::uint32_t descriptor_words = 16;
inline constexpr std::uint32_t max_chips = 64;            // of a group
inline constexpr std::uint64_t burst_limit_bytes = 4096;  // a burst never crosses this boundary

struct Parameters {
  std::string_view name;
  std::uint32_t lanes;           // L: words of a vector row, rows and columns of the MXU
  std::uint32_t vmem_bytes;      // vector scratchpad
  std::uint32_t smem_bytes;      // scalar scratchpad
  std::uint32_t icache_bundles;  // bundles cached on chip

  [[nodiscard]] constexpr std::uint32_t row_bytes() const { return lanes * 4; }
  [[nodiscard]] constexpr std::uint32_t beat_bytes() const { return lanes * 4; }
  [[nodiscard]] constexpr std::uint32_t vmem_rows() const { return vmem_bytes / row_bytes(); }
  [[nodiscard]] constexpr std::uint32_t vmem_words() const { return vmem_bytes / 4; }
  [[nodiscard]] constexpr std::uint32_t smem_words() const { return smem_bytes / 4; }
  [[nodiscard]] constexpr std::uint32_t vector_words() const { return sublanes * lanes; }
  constexpr bool operator==(const Parameters&) const = default;
};

inline constexpr std::array<Parameters, 4> presets{{
    {"nano", 8, 64U << 10U, 16U << 10U, 256},
    {"small", 16, 1U << 20U, 64U << 10U, 1024},
    {"edge", 64, 8U << 20U, 64U << 10U, 2048},
    {"full", 128, 16U << 20U, 64U << 10U, 4096},
}};

inline constexpr std::string_view default_preset = "small";

// Returns the preset of that name, or nullptr when there is none.
constexpr const Parameters* find_preset(std::string_view name) {
  for (const Parameters& preset : presets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace tandem
