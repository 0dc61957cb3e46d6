#include "host/process.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "host/installed.hpp"
#include "host/interruption.hpp"

namespace tandem {

namespace fs = std::filesystem;

Ended run_process(const ChildCommand& command) {
  Ended ended = run_child(command, [] { return interruption() != 0; });
  if (ended.stopped) throw Interrupted{};
  return ended;
}

std::string find_tandem() {
  if (const char* asked = std::getenv("TANDEM_EXECUTABLE"); asked != nullptr && *asked != 0) {
    return find_program(asked);
  }
  return beside_this_executable("tandem");
}

std::string beside_this_executable(const std::string& name) {
  std::string beside = executable_beside(name);
  return access(beside.c_str(), X_OK) == 0 ? beside : "";
}

WorkFolder::WorkFolder() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "tandem-compile-XXXXXX").string();
  if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

bool write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  return static_cast<bool>(
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush());
}

}  // namespace tandem
