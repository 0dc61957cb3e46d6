#include "isa/machine.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "isa/preset_names.hpp"

namespace tandem {
namespace {

using Unit = MachineSize::Unit;

constexpr MachineSize sizes[] = {
#define MACHINE_SIZE(name, member, least, most, unit, meaning) \
  {#name, &Parameters::member, least, most, Unit::unit, meaning},
#include "isa/machine_sizes.def"
#undef MACHINE_SIZE
};

constexpr MachineTiming timings[] = {
#define MACHINE_TIMING(name, member, least, most, meaning) {#name, least, most, meaning},
#include "isa/machine_timing.def"
#undef MACHINE_TIMING
};

struct RowLimits {
  std::uint32_t least;
  std::uint32_t most;
};

#define MACHINE_SIZE(name, member, least, most, unit, meaning)
#define MACHINE_ROWS(least, most) constexpr RowLimits row_limits{least, most};
#include "isa/machine_sizes.def"
#undef MACHINE_ROWS
#undef MACHINE_SIZE

struct Suffix {
  std::string_view text;
  std::uint32_t shift;
};

constexpr std::array<Suffix, 2> suffixes{{{"KiB", 10}, {"MiB", 20}}};

std::optional<std::uint32_t> read_number(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || read != end) return {};
  return value;
}

// 2097152, or 2MiB for bytes.
std::optional<std::uint64_t> read_size(const MachineSize& row, std::string_view text) {
  std::uint32_t shift = 0;
  for (const Suffix& suffix : suffixes) {
    if (row.unit != Unit::bytes || !text.ends_with(suffix.text)) continue;
    text.remove_suffix(suffix.text.size());
    shift = suffix.shift;
  }
  const std::optional<std::uint32_t> value = read_number(text);
  if (!value) return {};
  return std::uint64_t{*value} << shift;
}

// All sizes, in table order: the name of such a machine.
std::string sizes_text(const Parameters& machine) {
  std::string text;
  for (const MachineSize& row : sizes) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", row.name,
                        size_text(row, machine.*row.member));
  }
  return text;
}

bool same_sizes(const Parameters& a, const Parameters& b) {
  for (const MachineSize& row : sizes) {
    if (a.*row.member != b.*row.member) return false;
  }
  return true;
}

struct Named {
  std::string name;
  Parameters machine;
};

// A machine is never moved, and neither is its name.
const Parameters& kept(Parameters machine) {
  for (const Parameters& preset : presets) {
    if (same_sizes(preset, machine)) return preset;
  }
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Named>, std::less<>> known;
  const std::lock_guard lock(mutex);
  std::string name = sizes_text(machine);
  std::unique_ptr<Named>& entry = known[name];
  if (entry == nullptr) {
    entry = std::make_unique<Named>(Named{std::move(name), machine});
    entry->machine.name = entry->name;
  }
  return entry->machine;
}

// Items in the order read, from left to right.
class MachineReader {
 public:
  FoundMachine read(std::string_view text) {
    for (bool first = true; !text.empty() || first; first = false) {
      const std::size_t comma = text.find(',');
      const std::string_view item = text.substr(0, comma);
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
      const Parameters* const preset = first ? find_preset(item) : nullptr;
      if (preset != nullptr) machine_ = *preset;
      if (preset == nullptr && !read_item(item)) return refused();
      if (comma != std::string_view::npos && text.empty()) {
        complaint_ = unknown(text);
        return refused();
      }
    }
    if (!rows_fit()) return refused();
    FoundMachine found{&kept(machine_)};
    for (std::size_t row = 0; row < std::size(timings); ++row) {
      if (timing_[row]) found.timing.push_back({row, *timing_[row]});
    }
    return found;
  }

 private:
  static std::string unknown(std::string_view item) {
    return fmt::format("there is no machine '{}'; machines are {}", item, machine_forms());
  }

  FoundMachine refused() { return {nullptr, {}, std::move(complaint_)}; }

  bool complain(std::string complaint) {
    complaint_ = std::move(complaint);
    return false;
  }

  bool read_item(std::string_view item) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return complain(unknown(item));
    const std::string_view name = item.substr(0, equals);
    for (const MachineSize& row : sizes) {
      if (row.name == name) return read_row(row, item.substr(equals + 1));
    }
    for (const MachineTiming& row : timings) {
      if (row.name == name) return read_timing(row, item.substr(equals + 1));
    }
    return complain(fmt::format("a machine has no '{}'; sizes are {}, timings {}", name,
                                names_of(sizes), names_of(timings)));
  }

  template <typename Rows>
  static std::string names_of(const Rows& rows) {
    std::string names;
    for (const auto& row : rows) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
    return names;
  }

  bool read_timing(const MachineTiming& row, std::string_view text) {
    std::optional<std::uint32_t>& value = timing_[static_cast<std::size_t>(&row - timings)];
    if (value) return complain(fmt::format("{} is given twice", row.name));
    value = read_number(text);
    if (value && *value >= row.least && *value <= row.most) return true;
    return complain(
        fmt::format("{} is a number from {} to {}, not '{}'", row.name, row.least, row.most, text));
  }

  bool rows_fit() {
    const std::uint32_t rows = machine_.vmem_rows();
    if (rows >= row_limits.least && rows <= row_limits.most) return true;
    return complain(fmt::format("{} has {} rows of VMEM; a machine has {} to {}",
                                sizes_text(machine_), rows, row_limits.least, row_limits.most));
  }

  bool read_row(const MachineSize& row, std::string_view text) {
    if (given_[static_cast<std::size_t>(&row - std::begin(sizes))]) {
      return complain(fmt::format("{} is given twice", row.name));
    }
    given_[static_cast<std::size_t>(&row - std::begin(sizes))] = true;
    const std::optional<std::uint64_t> value = read_size(row, text);
    if (!value || !std::has_single_bit(*value) || *value < row.least || *value > row.most) {
      return complain(fmt::format("{} is a power of two from {} to {}, not '{}'", row.name,
                                  size_text(row, row.least), size_text(row, row.most), text));
    }
    machine_.*row.member = static_cast<std::uint32_t>(*value);
    return true;
  }

  Parameters machine_ = *find_preset(default_preset);
  std::array<bool, std::size(sizes)> given_{};
  std::array<std::optional<std::uint32_t>, std::size(timings)> timing_{};
  std::string complaint_;
};

}  // namespace

std::span<const MachineSize> machine_sizes() { return sizes; }
std::span<const MachineTiming> machine_timings() { return timings; }

std::string size_text(const MachineSize& size, std::uint32_t value) {
  std::string text = fmt::format("{}", value);
  for (const Suffix& suffix : suffixes) {
    const std::uint32_t one = 1U << suffix.shift;
    if (size.unit == Unit::bytes && value % one == 0) {
      text = fmt::format("{}{}", value / one, suffix.text);
    }
  }
  return text;
}

std::string FoundMachine::name() const {
  std::string text(machine->name);
  for (const TimingChoice& choice : timing) {
    text += fmt::format(",{}={}", timings[choice.row].name, choice.value);
  }
  return text;
}

FoundMachine find_machine(std::string_view text) {
  if (const Parameters* preset = find_preset(text)) return {preset};
  return MachineReader().read(text);
}

FoundMachine find_sizes(std::string_view text) {
  FoundMachine found = find_machine(text);
  if (found.machine == nullptr || found.timing.empty()) return found;
  return {nullptr,
          {},
          fmt::format("{} is no size: timing belongs to a run, not to a program",
                      timings[found.timing.front().row].name)};
}

std::string target_operand(std::string_view name) {
  return find_preset(name) != nullptr ? std::string(name) : fmt::format("\"{}\"", name);
}

std::string machine_forms() { return preset_names() + ", or sizes as lanes=32,vmem=2MiB"; }

}  // namespace tandem
