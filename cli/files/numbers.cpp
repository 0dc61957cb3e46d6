#include "cli/files/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>

#include "cli/options/command.hpp"

namespace tandem {
namespace {

// "" and the number in plain digits, or the error.
std::string check_magnitude(std::string& text, std::uint64_t most) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::size_t first = hexadecimal ? 2 : 0;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data() + first, end, value, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range || (error == std::errc() && value > most)) {
    return fmt::format("{} is too large: at most {}", text, most);
  }
  if (error != std::errc() || stop != end) return fmt::format("'{}' is not a whole number", text);
  text = std::to_string(value);
  return {};
}

std::string check_unsigned(std::string& text) {
  if (text.starts_with("-")) return fmt::format("{} is negative", text);
  return check_magnitude(text, std::numeric_limits<std::uint64_t>::max());
}

std::string check_signed(std::string& text) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!text.starts_with("-")) return check_magnitude(text, most);
  std::string magnitude = text.substr(1);
  std::string trouble = check_magnitude(magnitude, most);
  text = "-" + magnitude;
  return trouble;
}

}  // namespace

void check_numbers(Command application) {
  for (const Option option : application.options()) {
    const std::string type = option.type_name();
    if (type.starts_with("UINT")) option.transform(check_unsigned);
    if (type.starts_with("INT")) option.transform(check_signed);
  }
  for (const Command command : application.subcommands()) check_numbers(command);
}

std::string at_least_one(const std::string& argument) {
  return argument.find_first_not_of('0') == std::string::npos ? "must be 1 or more" : "";
}

}  // namespace tandem
