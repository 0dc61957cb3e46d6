// Any text: it is assembled or refused, and an assembled program survives the file and the
// disassembler.
#include <cstdlib>
#include <string>

#include "assembler/assembler.hpp"
#include "assembler/disassemble.hpp"
#include "assembler/elf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  AssembleOptions options;
  options.error_limit = 10;
  const SourceText source{"fuzz.s", {reinterpret_cast<const char*>(data), size}};
  // It must not read files of the fuzzing machine.
  if (source.text.find(".inc") != std::string::npos) return 0;
  const LinkResult result = build({&source, 1}, options);
  diagnostics_text(result.diagnostics);
  if (!result.ok()) return 0;
  const std::vector<std::uint8_t> bytes = write_elf(result.program);
  const ElfResult read = read_elf(bytes);
  if (!read.ok()) std::abort();
  const SourceText again{"again.s", disassemble(read.object)};
  const LinkResult second = build({&again, 1});
  if (!second.ok() || write_elf(second.program) != bytes) std::abort();
  return 0;
}
