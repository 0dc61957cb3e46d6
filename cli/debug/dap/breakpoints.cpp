#include "cli/debug/dap/breakpoints.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/debug/dap/messages.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug::dap {
namespace {

// As the program's line table has the file; "" when the program is not made of it.
std::string known_file(const Session& session, const std::string& path) {
  for (const std::string& file : session.source().image().source.files) {
    std::error_code missing;
    if (file == path || std::filesystem::equivalent(file, path, missing)) return file;
  }
  return "";
}

// Where it stops first: the line asked for, or the next one that has bundles.
std::int64_t line_of(const Session& session, const nlohmann::json& made, const std::string& file,
                     std::int64_t wanted) {
  const auto pcs = made.find("pcs");
  if (pcs == made.end() || pcs->empty()) return wanted;
  const auto pc = (*pcs)[0].get<std::uint32_t>();
  const std::vector<std::string>& files = session.source().image().source.files;
  for (const SourceLine& line : {session.source().outermost(pc), session.source().line(pc)}) {
    if (line && files[line.file] == file && line.line >= wanted) return line.line;
  }
  return wanted;
}

nlohmann::json add(Shell& shell, const std::string& file, const nlohmann::json& wanted,
                   std::int64_t first_line, std::vector<int>& numbers) {
  const std::int64_t line = number_at(wanted, "line", 0) + 1 - first_line;
  const std::string condition = text_at(wanted, "condition");
  try {
    const Reply reply = shell.execute(
        fmt::format("break {}:{}{}", file, line, condition.empty() ? "" : " if " + condition));
    const int number = (*reply.data)["breakpoint"].get<int>();
    numbers.push_back(number);
    const std::int64_t at = line_of(shell.session(), *reply.data, file, line);
    return {{"id", number}, {"verified", true}, {"line", at - 1 + first_line}};
  } catch (const UserError& error) {
    return {{"verified", false}, {"message", error.message}};
  }
}

}  // namespace

nlohmann::json SourceBreakpoints::set(Shell& shell, const std::string& path,
                                      const nlohmann::json& wanted, std::int64_t first_line) {
  std::vector<int>& numbers = numbers_[path];
  for (const int number : numbers) shell.session().breakpoints().remove(number);
  numbers.clear();
  const std::string file = known_file(shell.session(), path);
  nlohmann::json list = nlohmann::json::array();
  for (const nlohmann::json& one : wanted) {
    if (file.empty()) {
      list.push_back(
          {{"verified", false}, {"message", fmt::format(message::dap_other_file, path)}});
    } else {
      list.push_back(add(shell, file, one, first_line, numbers));
    }
  }
  return list;
}

}  // namespace tandem::debug::dap
