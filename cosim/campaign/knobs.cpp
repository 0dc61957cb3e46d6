#include "cosim/campaign/knobs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "runtime/error.hpp"

namespace tandem {
namespace {

struct Number {
  const char* name;
  std::uint32_t RandomKnobs::*member;
  std::uint32_t least;
  std::uint32_t most;
};
constexpr Number numbers[] = {
    {"bundles", &RandomKnobs::bundles, 1, 20'000},
    {"density", &RandomKnobs::density, 0, 100},
    {"predicated", &RandomKnobs::predicated, 0, 100},
    {"near", &RandomKnobs::near, 0, 100},
    {"vector_pool", &RandomKnobs::vector_pool, 8, 63},
    {"vmem_span", &RandomKnobs::vmem_span, 1, 1024},
    {"channels", &RandomKnobs::channels, 0, 4},
};

struct Switch {
  const char* name;
  bool RandomKnobs::*member;
};
constexpr Switch switches[] = {
    {"volatile_csrs", &RandomKnobs::volatile_csrs},
    {"illegal", &RandomKnobs::illegal},
};

[[noreturn]] void refuse(const std::string& message) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, message};
}

std::uint32_t number_value(const Number& knob, const std::string& text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < knob.least || value > knob.most) {
    refuse(fmt::format("knob {} takes {} to {}, not '{}'", knob.name, knob.least, knob.most, text));
  }
  return value;
}

bool switch_value(const Switch& knob, const std::string& text) {
  if (text != "true" && text != "false") {
    refuse(fmt::format("knob {} takes true or false, not '{}'", knob.name, text));
  }
  return text == "true";
}

void set_knob(RandomKnobs& knobs, const std::string& name, const std::string& value) {
  std::string names;
  for (const Number& knob : numbers) {
    if (name == knob.name) {
      knobs.*knob.member = number_value(knob, value);
      return;
    }
    names += fmt::format("{}, ", knob.name);
  }
  for (const Switch& knob : switches) {
    if (name == knob.name) {
      knobs.*knob.member = switch_value(knob, value);
      return;
    }
    names += fmt::format("{}, ", knob.name);
  }
  refuse(
      fmt::format("there is no knob '{}'; there are {}", name, names.substr(0, names.size() - 2)));
}

}  // namespace

RandomKnobs knobs_for(std::uint64_t seed, const KnobValues& values) {
  RandomKnobs knobs = random_knobs(seed);
  for (const auto& [name, value] : values) set_knob(knobs, name, value);
  return knobs;
}

}  // namespace tandem
