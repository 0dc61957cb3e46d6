// Documents written by hand state the sizes of isa/parameters.hpp.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "isa/launch/argument.hpp"
#include "isa/machine.hpp"
#include "isa/object/elf_constants.hpp"
#include "isa/parameters.hpp"

namespace tandem {
namespace {

std::string document(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_says(const std::string& path, const std::string& part) {
  INFO(path << " does not say " << part);
  CHECK(document(path).find(part) != std::string::npos);
}

std::string range(char letter, std::uint32_t count) {
  return fmt::format("`{0}0`..`{0}{1}`", letter, count - 1);
}

}  // namespace

TEST_CASE("documents tell how many registers and flags there are") {
  for (const char* path : {"docs/reference.md", "docs/assembly.md"}) {
    check_says(path, range('s', scalar_registers));
    check_says(path, range('p', predicate_registers));
    check_says(path, range('v', vector_registers));
    check_says(path, range('m', mask_registers));
    check_says(path, range('f', sync_flags));
  }
}

TEST_CASE("documents tell the numbers of the file format and the argument block") {
  check_says("docs/assembly.md", fmt::format("`e_machine` {:#x}", elf::machine));
  check_says("docs/reference.md", fmt::format("{} bytes", 4 * argument_words));
}

TEST_CASE("the page of machines tells the limits of the table") {
  for (const MachineTiming& row : machine_timings()) {
    check_says("docs/machines.md",
               fmt::format("| `{}` | {} | {} | {} (", row.name, row.least, row.most, row.meaning));
  }
  for (const MachineSize& size : machine_sizes()) {
    check_says("docs/machines.md",
               fmt::format("| `{}` | {} | {} |", size.name, size_text(size, size.least),
                           size_text(size, size.most)));
  }
}

}  // namespace tandem
