// The tables of wordings hold exactly the messages that are used.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace tandem::test {
namespace {

std::string text_below(const std::string& folder) {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

}  // namespace

TEST_CASE("every wording of the tables is used, and errors are worded there") {
  const std::vector<std::string> rows{
#define MESSAGE(name, wording) #name,
#include "cli/messages/messages.def"
#undef MESSAGE
  };
  const std::string text = text_below("cli");
  for (const std::string& name : rows) {
    INFO(name);
    CHECK(std::regex_search(text, std::regex("message::" + name + "\\b")));
  }
  CHECK_FALSE(
      std::regex_search(text, std::regex("(User|Llama)Error\\{\\s*(fmt::format\\(\\s*)?\"")));
}

TEST_CASE("every wording of a device's table is used") {
  const std::vector<std::string> rows{
#define MESSAGE(name, wording) #name,
#include "runtime/device/messages.def"
#undef MESSAGE
  };
  const std::string text = text_below("runtime/device") + text_below("runtime/group");
  for (const std::string& name : rows) {
    INFO(name);
    CHECK(std::regex_search(text, std::regex("message::" + name + "\\b")));
  }
  CHECK_FALSE(std::regex_search(text, std::regex("ErrorCode::\\w+,\\s*(fmt::format\\(\\s*)?\"")));
}

}  // namespace tandem::test
