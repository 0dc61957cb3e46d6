// C++20 (tests/CMakeLists.txt), unlike its neighbours.
#include "assembled.hpp"

#include <stdexcept>

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"

namespace tandem::test {

std::vector<char> assembled(const std::string& text, const std::string& preset) {
  const SourceText source{"benchmarks/tutorial/test.s", text};  // where its includes begin
  AssembleOptions options;
  options.preset = preset;
  const LinkResult linked = build({&source, 1}, options);
  if (!linked.ok()) throw std::runtime_error(linked.diagnostics.front().message);
  const std::vector<std::uint8_t> bytes = write_elf(linked.program);
  return {bytes.begin(), bytes.end()};
}

}  // namespace tandem::test
