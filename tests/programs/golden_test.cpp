// Every directed program on the golden model, at every preset, against the expectations in its
// header.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/programs/directed.hpp"

namespace tandem::directed {
namespace {

constexpr std::size_t shown = 12;  // of the differences of one program

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < shown; ++i) text += "  " + lines[i] + "\n";
  if (lines.size() > shown) text += fmt::format("  and {} more\n", lines.size() - shown);
  return text;
}

void check_all(std::string_view preset) {
  const std::vector<std::string> paths = program_paths();
  REQUIRE(paths.size() > 300);
  for (const std::string& path : paths) {
    std::string text;
    try {
      const Prepared prepared(path, *find_preset(preset));
      text = joined(differences_on_golden(prepared, {}));
    } catch (const std::exception& error) {
      text = error.what();
    }
    INFO(path << " on " << preset << "\n" << text);
    CHECK(text.empty());
  }
}

TEST_CASE("directed programs meet their expectations on golden nano") { check_all("nano"); }
TEST_CASE("directed programs meet their expectations on golden small") { check_all("small"); }
TEST_CASE("directed programs meet their expectations on golden edge") { check_all("edge"); }
TEST_CASE("directed programs meet their expectations on golden full") { check_all("full"); }

}  // namespace
}  // namespace tandem::directed
