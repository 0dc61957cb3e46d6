// tandem_emit <directory>: writes every generated file below the directory, under its path in the
// repository.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "isa/emit/emit.hpp"

namespace {

struct GeneratedFile {
  std::string_view path;
  std::string (*text)();
};

constexpr std::array<GeneratedFile, 10> generated_files{{
    {"rtl/packages/tpu_pkg.sv", tandem::emit::verilog_package},
    {"rtl/packages/tpu_eup_tables_pkg.sv", tandem::emit::verilog_eup_package},
    {"rtl/presets.cmake", tandem::emit::cmake_presets},
    {"docs/isa.md", tandem::emit::manual},
    {"docs/registers.md", tandem::emit::register_map},
    {"docs/counters.md", tandem::emit::counter_manual},
    {"benchmarks/common/machine.inc", tandem::emit::machine_include},
    {"kernels/machine.inc", tandem::emit::machine_include},
    {"python/tandem/assembly/instructions.py", tandem::emit::python_instructions},
    {"python/tandem/assembly/machine.py", tandem::emit::python_machine},
}};

bool write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || *argv[1] == '-') {
    fmt::print(stderr, "usage: tandem_emit <directory>   (for example the repository root)\n");
    return 2;
  }
  for (const GeneratedFile& file : generated_files) {
    const std::filesystem::path path = std::filesystem::path(argv[1]) / file.path;
    if (!write_file(path, file.text())) {
      fmt::print(stderr, "tandem_emit: cannot write {}\n", path.string());
      return 2;
    }
  }
  return 0;
}
