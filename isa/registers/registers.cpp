#include "isa/registers/registers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tandem {
namespace {

constexpr auto cause_rows = std::to_array<CounterRow>({
#define CAUSE(name, number, meaning) {#name, number, meaning},
#define EVENT(name, number, meaning)
#include "isa/registers/counters.def"
#undef CAUSE
#undef EVENT
});

constexpr auto event_rows = std::to_array<CounterRow>({
#define CAUSE(name, number, meaning)
#define EVENT(name, number, meaning) {#name, number, meaning},
#include "isa/registers/counters.def"
#undef CAUSE
#undef EVENT
});

constexpr bool yes = true;
constexpr bool no = false;
constexpr bool volatile_value = true;
constexpr bool stable_value = false;

void add_pairs(std::vector<Register>& table, std::span<const CounterRow> rows,
               std::string_view prefix, std::uint32_t base) {
  for (const CounterRow& row : rows) {
    const std::string name = std::string(prefix) + std::string(row.name);
    const std::string meaning(row.meaning);
    const std::uint32_t number = base + 2 * row.number;
    table.push_back({name + "_lo", number, HostAccess::ro, yes, yes, meaning + " Low word."});
    table.push_back({name + "_hi", number + 1, HostAccess::ro, yes, yes, meaning + " High word."});
  }
}

std::vector<Register> make_registers() {
  std::vector<Register> table{
#define REGISTER(name, number, host, readable, kind, meaning) \
  {#name, number, HostAccess::host, readable, kind, meaning},
#include "isa/registers/registers.def"
#undef REGISTER
  };
  add_pairs(table, cause_rows, "cause_", cause_base);
  add_pairs(table, event_rows, "event_", event_base);
  return table;
}

}  // namespace

std::span<const CounterRow> stall_causes() { return cause_rows; }
std::span<const CounterRow> counted_events() { return event_rows; }

std::span<const Register> registers() {
  static const std::vector<Register> table = make_registers();
  return table;
}

const Register* find_register(std::string_view name) {
  const auto table = registers();
  const auto row = std::find_if(table.begin(), table.end(),
                                [name](const Register& item) { return item.name == name; });
  return row == table.end() ? nullptr : &*row;
}

const Register* find_register(std::uint32_t number) {
  const auto table = registers();
  const auto row = std::lower_bound(
      table.begin(), table.end(), number,
      [](const Register& item, std::uint32_t wanted) { return item.number < wanted; });
  return row == table.end() || row->number != number ? nullptr : &*row;
}

}  // namespace tandem
