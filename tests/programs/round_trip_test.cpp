// Text to bytes to text to the same bytes, for every program there is.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>

#include "assembler/assembler.hpp"
#include "assembler/disassemble.hpp"
#include "assembler/elf.hpp"
#include "tests/programs/directed.hpp"

namespace tandem::directed {
namespace {

// Those of the repository, without untracked ones. Without git, all.
std::vector<std::string> benchmark_paths() {
  std::vector<std::string> paths;
  if (std::FILE* list = popen("git ls-files 'benchmarks/*.s' 2>/dev/null", "r")) {
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), list) != nullptr) {
      paths.emplace_back(line.data());
      while (!paths.back().empty() && paths.back().back() == '\n') paths.back().pop_back();
    }
    pclose(list);
  }
  if (!paths.empty()) return paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("benchmarks")) {
    if (entry.path().extension() == ".s") paths.push_back(entry.path().string());
  }
  return paths;
}

// The bytes of the program, or the assembler's errors.
std::vector<std::uint8_t> bytes_of(const SourceText& source, const std::string& preset,
                                   std::string& complaint) {
  AssembleOptions options;
  options.preset = preset;
  const LinkResult result = build(std::span(&source, 1), options);
  complaint = diagnostics_text(result.diagnostics);
  return result.ok() ? write_elf(result.program) : std::vector<std::uint8_t>{};
}

void check_round_trip(const std::string& path, const std::string& preset) {
  const auto source = read_source(path);
  REQUIRE(source);
  std::string complaint;
  const std::vector<std::uint8_t> bytes = bytes_of(*source, preset, complaint);
  INFO(path << " for " << preset << "\n" << complaint);
  REQUIRE(!bytes.empty());
  const ElfResult read = read_elf(bytes);
  REQUIRE(read.error.empty());
  const std::string text = disassemble(read.object);
  const std::vector<std::uint8_t> again = bytes_of({"<stdin>", text}, "", complaint);
  INFO("disassembled\n" << complaint);
  CHECK((again == bytes));
}

TEST_CASE("every directed program survives disassembly and assembly") {
  for (const std::string& path : program_paths()) {
    check_round_trip(path, "nano");
    check_round_trip(path, "small");
  }
}

TEST_CASE("every benchmark program survives disassembly and assembly") {
  const std::vector<std::string> paths = benchmark_paths();
  REQUIRE(!paths.empty());
  for (const std::string& path : paths) check_round_trip(path, "small");
}

}  // namespace
}  // namespace tandem::directed
