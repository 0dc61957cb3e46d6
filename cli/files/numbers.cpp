#include "cli/files/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>

namespace tandem {
namespace {

// "" and the number in plain digits, or what is wrong with it.
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

CLI::Validator validator(const std::function<std::string(std::string&)>& check) {
  return {check, ""};
}

}  // namespace

void check_numbers(CLI::App& application) {
  for (CLI::Option* option : application.get_options(std::function<bool(CLI::Option*)>{})) {
    const std::string type = option->get_type_name();
    if (type.starts_with("UINT")) option->transform(validator(check_unsigned));
    if (type.starts_with("INT")) option->transform(validator(check_signed));
  }
  for (CLI::App* command : application.get_subcommands(std::function<bool(CLI::App*)>{})) {
    check_numbers(*command);
  }
}

CLI::Validator at_least_one() {
  return validator([](std::string& text) {
    return text.find_first_not_of('0') == std::string::npos ? std::string("must be 1 or more")
                                                            : std::string();
  });
}

}  // namespace tandem
