// Any bytes as a command line, an argument a line. Nothing outside of a folder of its own is
// touched: arguments with a slash are left out, so are commands that may run long.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/options/launch_options.hpp"
#include "cli/run/options/trace_options.hpp"

namespace {

using namespace tandem;

constexpr std::size_t most_arguments = 12;

std::string& folder() {
  static std::string path = "/tmp/tandem-fuzz-XXXXXX";
  return path;
}

// Once: a folder with two programs, and discarded output.
bool prepare() {
  if (mkdtemp(folder().data()) == nullptr || chdir(folder().c_str()) != 0) std::abort();
  std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all(folder(), ignored);
  });
  std::ofstream("k.s") << "        .target nano\n        .tensor x, f32, [n], in\n        halt\n";
  std::ofstream("h.s") << "        .target nano\n        halt\n";
  const bool silent = std::freopen("/dev/null", "w", stdout) != nullptr;
  return silent;
}

std::vector<std::string> arguments_of(const std::string& text) {
  std::vector<std::string> arguments{"tandem"};
  std::size_t at = 0;
  while (at < text.size() && arguments.size() < most_arguments) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string argument = text.substr(at, end - at);
    at = end + 1;
    const bool safe = argument.find('/') == std::string::npos &&
                      argument.find('\0') == std::string::npos && argument != "-" &&
                      argument.size() < 100;
    if (safe) arguments.push_back(std::move(argument));
  }
  return arguments;
}

// Only commands that end soon: no random programs, no stories, no dialogue, and no arrays of a
// gigabyte.
bool ends_soon(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return true;
  for (const std::string& argument : arguments) {
    if (argument.find("random") != std::string::npos || argument.find("shape") == 2) return false;
  }
  const std::string& command = arguments[1];
  return command == "asm" || command == "dis" || command == "run" || command == "diff" ||
         command == "npy" || command[0] == '-';
}

template <typename Parse>
void refuse_or_parse(Parse parse) {
  try {
    parse();
  } catch (const UserError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool ready = prepare();
  (void)ready;
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT
  refuse_or_parse([&] { (void)parse_window(text); });
  refuse_or_parse([&] { (void)parse_size(text); });
  const std::vector<std::string> arguments = arguments_of(text);
  if (!ends_soon(arguments)) return 0;
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  const int status = run_application(static_cast<int>(pointers.size()), pointers.data());
  if (status < 0 || status > 2) std::abort();
  return 0;
}
