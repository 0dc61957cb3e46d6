#include "cli/files/python_path.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "host/child.hpp"
#include "host/installed.hpp"

namespace tandem {

std::string python_path(const std::string& wanted) {
  namespace fs = std::filesystem;
  const std::string beside = executable_beside("venv/bin/python");
  std::string name = wanted;
  if (name.empty()) name = fs::exists(beside) ? beside : "python3";
  const std::string found = find_program(name);
  if (found.empty()) throw UserError{fmt::format(message::no_python, name)};
  return fs::absolute(found).string();
}

}  // namespace tandem
