// Replaces the compiler in tests of the plugin: the program is assembly text.
//
//   asm_compiler - -o - --preset NAME
#include <cstdio>
#include <iostream>
#include <iterator>
#include <span>
#include <string>

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"

int main(int argc, char** argv) {
  constexpr int exit_bad_input = 2;
  constexpr int preset_argument = 5;
  const tandem::SourceText source{"<stdin>", {std::istreambuf_iterator<char>(std::cin), {}}};
  tandem::AssembleOptions options;
  if (argc > preset_argument) options.preset = argv[preset_argument];
  const tandem::LinkResult result = tandem::build(std::span(&source, 1), options);
  if (!result.ok()) {
    std::cerr << tandem::diagnostics_text(result.diagnostics);
    return exit_bad_input;
  }
  const std::vector<std::uint8_t> elf = tandem::write_elf(result.program);
  const bool whole = std::fwrite(elf.data(), 1, elf.size(), stdout) == elf.size();
  return whole && std::fflush(stdout) == 0 ? 0 : exit_bad_input;
}
