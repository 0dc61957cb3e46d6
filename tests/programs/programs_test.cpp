// Each directed program is a test of its own: on the golden model at every preset, and on a machine
// that is not a preset, against the expectations in its header, then in lockstep at each preset
// whose RTL this build contains.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "cosim/verilated/rtl_machine.hpp"
#include "isa/machine.hpp"
#include "tests/programs/lockstep.hpp"

namespace tandem::directed {
namespace {

constexpr std::size_t shown = 12;  // of the differences of one program

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < shown; ++i) text += "  " + lines[i] + "\n";
  if (lines.size() > shown) text += fmt::format("  and {} more\n", lines.size() - shown);
  return text;
}

void check_golden(const std::string& path, const Parameters& preset) {
  std::string text;
  try {
    const Prepared prepared(path, preset);
    text = joined(differences_on_golden(prepared, {}));
  } catch (const std::exception& error) {
    text = error.what();
  }
  INFO(path << " on golden " << preset.name << "\n" << text);
  CHECK(text.empty());
}

void check_lockstep(const std::string& path, const Parameters& preset) {
  std::string text;
  try {
    text = disagreement_in_lockstep(path, preset, {});
  } catch (const std::exception& error) {
    text = error.what();
  }
  INFO(path << " in lockstep on " << preset.name << "\n" << text);
  CHECK(text.empty());
}

class ProgramTest final : public Catch::ITestInvoker {
 public:
  explicit ProgramTest(std::string path) : path_(std::move(path)) {}

  void invoke() const override {
    for (const Parameters& preset : presets) check_golden(path_, preset);
    check_golden(path_, *find_machine("lanes=32,vmem=512KiB,smem=32KiB,icache=4096").machine);
    for (const std::string_view name : rtl_presets()) check_lockstep(path_, *find_preset(name));
    if (rtl_presets().empty()) WARN("not in lockstep: this build has no RTL (TANDEM_PRESETS)");
  }

 private:
  std::string path_;
};

// "directed dma/strides" for tests/programs/dma/strides.s.
std::string test_name(const std::filesystem::path& path) {
  return fmt::format("directed {}/{}", path.parent_path().filename().string(),
                     path.stem().string());
}

// Catch2 takes the test cases that are there before main().
const bool registered = [] {
  if (!std::filesystem::is_directory("tests/programs")) return false;
  for (const std::string& path : program_paths()) {
    const std::string name = test_name(path);
    Catch::AutoReg(new ProgramTest(path), CATCH_INTERNAL_LINEINFO, "",  // NOLINT: Catch2 owns it
                   Catch::NameAndTags{name, "[directed]"});
  }
  return true;
}();

TEST_CASE("there are directed programs, each with a name of its own") {
  REQUIRE(registered);
  CHECK(program_paths().size() > 300);
}

}  // namespace
}  // namespace tandem::directed
