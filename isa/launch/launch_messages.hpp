// The wordings of isa/launch/launch_messages.def.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "isa/launch/launch.hpp"

namespace tandem {

enum class LaunchMessage : std::uint8_t {
#define LAUNCH_MESSAGE(name, wording) name,
#include "isa/launch/launch_messages.def"
#undef LAUNCH_MESSAGE
};

inline constexpr std::string_view launch_wordings[] = {
#define LAUNCH_MESSAGE(name, wording) wording,
#include "isa/launch/launch_messages.def"
#undef LAUNCH_MESSAGE
};

template <typename... Args>
LaunchError launch_error(LaunchMessage message, const Args&... args) {
  return {fmt::format(fmt::runtime(launch_wordings[static_cast<std::size_t>(message)]), args...)};
}

}  // namespace tandem
