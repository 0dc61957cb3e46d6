#include "python/pjrt/programs/host_key.hpp"

#include <algorithm>

namespace tandem::pjrt {
namespace {

// The value of the attribute: bytecode keeps strings in one piece. After the mark there is a fixed
// number of digits, written by python/tandem/host_calls.py.
constexpr std::string_view mark = "tandem.host.key:";
constexpr std::size_t digits = 48;

// The position of the digits; npos if there are none.
std::size_t find_digits(std::string_view artifact) {
  for (std::size_t at = artifact.find(mark); at != std::string_view::npos;
       at = artifact.find(mark, at + 1)) {
    const std::string_view found = artifact.substr(at + mark.size(), digits);
    const bool is_key = found.size() == digits &&
                        found.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (is_key) return at + mark.size();
  }
  return std::string_view::npos;
}

}  // namespace

bool calls_host(std::string_view artifact) {
  return artifact.find("tandem_debug") != std::string_view::npos;
}

std::string host_key(std::string_view artifact) {
  const std::size_t at = find_digits(artifact);
  return at == std::string_view::npos ? "" : std::string(artifact.substr(at, digits));
}

std::string without_host_key(std::string_view artifact) {
  std::string result(artifact);
  const std::size_t at = find_digits(artifact);
  if (at != std::string_view::npos)
    std::fill_n(result.begin() + static_cast<long>(at), digits, '0');
  return result;
}

}  // namespace tandem::pjrt
