// Any bytes: they are a program, an object, or an error; a result can be used.
#include "assembler/elf.hpp"
#include "assembler/assembler.hpp"
#include "assembler/disassemble.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  const ElfResult read = read_elf({data, size});
  if (!read.ok()) {
    elf_error_text("fuzz.elf", read);
    return 0;
  }
  const SourceText text{"fuzz.s", disassemble(read.object)};
  assemble(text);
  if (read.object.linked) {
    make_image(read.object);
  } else {
    const LinkInput input{"fuzz.o", read.object};
    link({&input, 1});
  }
  write_elf(read.object);
  return 0;
}
