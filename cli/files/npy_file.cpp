#include "cli/files/npy_file.hpp"

#include <fmt/format.h>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "host/host_file.hpp"
#include "host/output_file.hpp"

namespace tandem {
namespace {

// NumPy itself writes headers of 64 KiB at most.
constexpr std::uint64_t longest_head = 70'000;

std::span<const std::uint8_t> view(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};  // NOLINT
}

}  // namespace

NpyArray read_npy(const std::string& path, std::uint64_t most) try {
  HostFile file(path);
  std::string bytes;
  const auto unreadable = [&] {
    return UserError{fmt::format(message::file_error, path, file.error())};
  };
  if (!file.read(longest_head, bytes)) throw unreadable();
  note_input(path);
  if (file.size() && *file.size() > bytes.size()) (void)npy_bytes(view(bytes), *file.size());
  const std::uint64_t limit = most > bytes.size() ? most - bytes.size() : 0;
  if (!file.read_rest(limit, bytes)) throw unreadable();
  return parse_npy(view(bytes));
} catch (const NpyError& error) {
  throw UserError{fmt::format(message::file_error, path, error.message)};
}

}  // namespace tandem
