// For tests of the executable: a folder of its own for each test case, and `tandem` run in it.
#pragma once

#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cosim/verilated/rtl_machine.hpp"
#include "isa/launch/npy.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// A program that counts from 5 to 1.
inline constexpr const char* count_down = R"(
        .target nano
        { s1 = mov 5 }
loop:   { s1 = sub s1, 1 ; p1 = ne s1, 1 }
        { @p1 br loop }
        { halt }
)";

struct Output {
  int status = -1;
  std::string text;  // of both streams unless the command redirects
};

// A folder of its own for each test case.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem-cli-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write_floats(const std::string& name, std::vector<std::int64_t> shape) const {
    std::size_t count = 1;
    for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
    NpyArray array{"f4", std::move(shape), std::vector<std::uint8_t>(count * 4)};
    for (std::size_t i = 0; i < count; ++i) array.bytes[4 * i + 3] = 0x40;  // 2.0
    const std::vector<std::uint8_t> file = format_npy(array);
    write(name, {file.begin(), file.end()});
  }

  // Runs a command in this folder.
  void shell(const std::string& command) const {
    std::system(("cd " + path_.string() + " && " + command).c_str());  // NOLINT: a test's own words
  }
  // Runs `tandem <arguments>` in this folder; `before` may be a pipe into it.
  [[nodiscard]] Output run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd " + path_.string() + " && " + before + " timeout 60 " +
                                TANDEM_EXECUTABLE + " " + arguments + " 2>&1";
    Output output;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
      output.text.append(buffer.data(), got);
    }
    const int status = pclose(pipe);
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
  }

 private:
  std::filesystem::path path_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline void check_refused(const Output& output, int status, const std::string& part) {
  INFO(output.text);
  CHECK(output.status == status);
  CHECK(contains(output.text, part));
}

// Whether the RTL of nano is in this build; if not, the test says so.
inline bool has_nano() {
  for (const std::string_view name : rtl_presets()) {
    if (name == "nano") return true;
  }
  WARN("SKIPPED: this build has no RTL of preset nano (TANDEM_PRESETS)");
  return false;
}

}  // namespace tandem
