#include "cli/files/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "host/host_file.hpp"

namespace tandem {

std::string read_text(const std::string& path, std::uint64_t most) {
  HostFile file(path);
  std::string bytes;
  if (!file.read_rest(most, bytes))
    throw UserError{fmt::format(message::file_error, path, file.error())};
  note_input(path);
  return bytes;
}

std::vector<std::uint8_t> read_bytes(const std::string& path, std::uint64_t most) {
  const std::string bytes = read_text(path, most);
  return {bytes.begin(), bytes.end()};
}

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace tandem
