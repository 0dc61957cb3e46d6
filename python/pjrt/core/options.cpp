#include "python/pjrt/core/options.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "assembler/named_machine.hpp"
#include "host/user_error.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view wanted) {
  fail(PJRT_Error_Code_INVALID_ARGUMENT,
       fmt::format("option `{}` is `{}`: {} is wanted", name, value, wanted));
}

// A number of bytes or things, with K, M or G for powers of 1024.
std::uint64_t number(std::string_view name, std::string_view text, std::uint64_t low,
                     std::uint64_t high) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  constexpr std::string_view units = "KMG";
  std::uint64_t unit = 1;
  if (rest + 1 == end && units.find(*rest) != std::string_view::npos) {
    unit = std::uint64_t{1} << (10 * (units.find(*rest) + 1));
  } else if (rest != end) {
    unit = 0;
  }
  const bool fits =
      error == std::errc{} && unit != 0 && value <= high / unit && value * unit >= low;
  if (!fits) refuse(name, text, fmt::format("a number from {} to {}", low, high));
  return value * unit;
}

runtime::Model model(std::string_view name, std::string_view text) {
  if (const auto found = runtime::find_model(text)) return *found;
  refuse(name, text, "golden, cycle, rtl or lockstep");
}

bool truth(std::string_view name, std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse(name, text, "true or false");
}

std::string machine(std::string_view name, std::string_view text) {
  try {
    const FoundMachine found = named_machine(std::string(text));
    if (found.machine != nullptr) return found.name();
    fail(PJRT_Error_Code_INVALID_ARGUMENT, fmt::format("option `{}`: {}", name, found.complaint));
  } catch (const UserError& error) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, fmt::format("option `{}`: {}", name, error.message));
  }
}

struct Option {
  const char* name;
  const char* variable;  // of the environment
  void (*set)(ClientOptions& options, std::string_view name, std::string_view text);
};

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;
constexpr std::uint64_t most_debug = std::uint64_t{4} << 30U;
constexpr std::uint64_t most_hbm = std::uint64_t{1} << 34U;  // compiled programs count its words

constexpr std::array table{
    Option{"preset", "TANDEM_PRESET",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.device.preset = machine(name, text);
           }},
    Option{"model", "TANDEM_MODEL",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.device.model = model(name, text);
           }},
    Option{"hbm", "TANDEM_HBM",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.device.hbm_bytes = number(name, text, std::uint64_t{1} << 20U, most_hbm);
           }},
    Option{"devices", "TANDEM_DEVICES",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.devices = number(name, text, 1, 64);
           }},
    Option{"seed", "TANDEM_SEED",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.device.seed = number(name, text, 0, UINT32_MAX);
           }},
    Option{"check_lifetimes", "TANDEM_CHECK_LIFETIMES",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.device.check_lifetimes = truth(name, text);
           }},
    Option{"compiler", "TANDEM_COMPILER",
           [](ClientOptions& o, std::string_view, std::string_view text) { o.compiler = text; }},
    Option{"partitioner", "TANDEM_PARTITIONER",
           [](ClientOptions& o, std::string_view, std::string_view text) { o.partitioner = text; }},
    Option{"partitioner_python", "TANDEM_PARTITIONER_PYTHON",
           [](ClientOptions& o, std::string_view, std::string_view text) {
             o.partitioner_python = text;
           }},
    Option{
        "tuning_cache", "TANDEM_TUNING_CACHE",
        [](ClientOptions& o, std::string_view, std::string_view text) { o.tuning_cache = text; }},
    Option{"cache", "TANDEM_CACHE",
           [](ClientOptions& o, std::string_view, std::string_view text) { o.cache = text; }},
    Option{"cache_bytes", "TANDEM_CACHE_BYTES",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.cache_bytes = number(name, text, 0, most_bytes);
           }},
    Option{"debug_bytes", "TANDEM_DEBUG_BYTES",
           [](ClientOptions& o, std::string_view name, std::string_view text) {
             o.debug_bytes = number(name, text, 64, most_debug);
           }},
    Option{"save", "TANDEM_SAVE",
           [](ClientOptions& o, std::string_view, std::string_view text) { o.save = text; }},
    Option{
        "plant", "TANDEM_PLANT",
        [](ClientOptions& o, std::string_view, std::string_view text) { o.device.plant = text; }},
};

// What JAX passes in addition to the options if jax.distributed has been initialised.
bool is_of_several_processes(std::string_view name) {
  return name == "node_id" || name == "num_nodes" || name == "partition_index";
}

const Option& option_named(std::string_view name) {
  std::string known;
  for (const Option& option : table) {
    if (option.name == name) return option;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", option.name);
  }
  fail(PJRT_Error_Code_INVALID_ARGUMENT,
       fmt::format("there is no option `{}`; there are {}", name, known));
}

// JAX passes a number with its Python type, and everything from the environment as text.
std::string text_of(const PJRT_NamedValue& value, std::string_view name) {
  switch (value.type) {
    case PJRT_NamedValue_kString: return {value.string_value, value.value_size};
    case PJRT_NamedValue_kInt64: return std::to_string(value.int64_value);
    case PJRT_NamedValue_kBool: return value.bool_value ? "true" : "false";
    case PJRT_NamedValue_kFloat: return fmt::format("{}", value.float_value);
    case PJRT_NamedValue_kInt64List: break;
  }
  fail(PJRT_Error_Code_INVALID_ARGUMENT, fmt::format("option `{}` is a list", name));
}

}  // namespace

std::vector<std::string_view> option_variables() {
  std::vector<std::string_view> names;
  names.reserve(table.size());
  for (const Option& option : table) names.emplace_back(option.variable);
  return names;
}

ClientOptions client_options(std::span<const PJRT_NamedValue> given,
                             const Environment& environment) {
  ClientOptions options;
  for (const Option& option : table) {
    const char* const text = environment(option.variable);
    if (text != nullptr && *text != 0) option.set(options, option.variable, text);
  }
  for (const PJRT_NamedValue& value : given) {
    const std::string_view name(value.name, value.name_size);
    if (is_of_several_processes(name)) {
      if (name != "num_nodes" || text_of(value, name) == "1") continue;
      fail(PJRT_Error_Code_UNIMPLEMENTED,
           "unimplemented: devices of several processes (jax.distributed)");
    }
    const Option& option = option_named(name);
    option.set(options, name, text_of(value, name));
  }
  if (!options.device.plant.empty() && options.device.model != runtime::Model::lockstep) {
    refuse("plant", options.device.plant, "model `lockstep`, which would notice,");
  }
  return options;
}

}  // namespace tandem::pjrt
