// Host registers and CSRs: one table, from registers.def and counters.def.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tandem {

enum class HostAccess : std::uint8_t { ro, rw, wo, w1c };

struct Register {
  std::string name;
  std::uint32_t number;  // CSR number; the host's byte address is four times this
  HostAccess host;
  bool program_readable;  // by the csr instruction
  bool is_volatile;       // depends on time: models without time take it from one with time
  std::string meaning;
};

struct RegisterBit {
  std::string_view register_name;
  std::string_view name;
  std::uint32_t bit;
  std::string_view meaning;
};
inline constexpr RegisterBit register_bit_table[] = {
#define REGISTER_BIT(register_name, name, bit, meaning) {#register_name, #name, bit, meaning},
#include "isa/registers/register_bits.def"
#undef REGISTER_BIT
};

enum class StallCause : std::uint8_t {
#define CAUSE(name, number, meaning) name = (number),
#define EVENT(name, number, meaning)
#include "isa/registers/counters.def"
#undef CAUSE
#undef EVENT
};

struct CounterRow {
  std::string_view name;
  std::uint32_t number;
  std::string_view meaning;
};

inline constexpr std::uint32_t cause_base = 64;   // register pair of cause c: cause_base + 2 c
inline constexpr std::uint32_t event_base = 128;  // register pair of event e: event_base + 2 e

std::span<const CounterRow> stall_causes();
std::span<const CounterRow> counted_events();
// Every register in ascending number.
std::span<const Register> registers();
// nullptr when there is none.
const Register* find_register(std::string_view name);
const Register* find_register(std::uint32_t number);

}  // namespace tandem
