// The files themselves: an independent reader agrees, and damage is always noticed politely.
#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "assembler/elf/format.hpp"
#include "isa/version.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

const std::string sample =
    ".target small\n.tensor x, f32, [4, 8], in\n.tensor y, f32, [rows], out\n.extern far\n"
    ".global start, table\n.entry start\n{}\nstart: { s1 = mov lo(table) ; v1 = vld [buffer] }\n"
    "s2 = mov y.entry\n.data\ntable: .f32 1, 2, 3\n.u64 table + 1\n.bss\n.space 9\n"
    ".vmem\n.space 8\nbuffer: .space 8\n.arguments\n.smem\n.align 16\nwords: .u32 7, 8\n.space "
    "14\n";

Bytes object_file() { return write_elf(assembled(sample)); }
Bytes program_file() {
  std::string text = sample;
  text.replace(text.find(".extern far\n"), 12, "");
  return write_elf(built(text));
}

std::string error_of(const Bytes& bytes) {
  const ElfResult result = read_elf(bytes);
  return result.ok() ? "" : elf_error_text("x.elf", result);
}

// For any bytes, everything that can be done with them must end well.
void use(const Bytes& bytes) {
  const ElfResult result = read_elf(bytes);
  if (!result.ok()) {
    REQUIRE(result.offset <= bytes.size() + sizeof(Elf64_Ehdr));
    return;
  }
  const std::string text = disassemble(result.object);
  if (result.object.linked) {
    make_image(result.object);
  } else {
    const LinkInput inputs[] = {{"x.o", result.object}};
    link(inputs);
  }
  write_elf(result.object);
  AssembleOptions options;
  options.error_limit = 5;
  assemble({"dis.s", text}, options);
}

}  // namespace

TEST_CASE("libelf reads the program as meant") {
  Bytes bytes = program_file();
  REQUIRE(elf_version(EV_CURRENT) != EV_NONE);
  Elf* elf = elf_memory(reinterpret_cast<char*>(bytes.data()), bytes.size());
  REQUIRE(elf != nullptr);
  GElf_Ehdr head;
  REQUIRE(gelf_getehdr(elf, &head) != nullptr);
  CHECK(head.e_machine == 0x7a5e);
  CHECK(head.e_type == ET_EXEC);
  CHECK(head.e_entry == text_base + 64);
  GElf_Phdr segment;
  REQUIRE(gelf_getphdr(elf, 1, &segment) != nullptr);
  CHECK(segment.p_vaddr == 0x11000);
  CHECK(segment.p_memsz == 0x1000 + 9);
  std::vector<std::string> names;
  std::size_t strings = 0;
  REQUIRE(elf_getshdrstrndx(elf, &strings) == 0);
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    REQUIRE(gelf_getshdr(section, &header) != nullptr);
    names.emplace_back(elf_strptr(elf, strings, header.sh_name));
    if (header.sh_type != SHT_SYMTAB) continue;
    GElf_Sym symbol;
    const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
    REQUIRE(gelf_getsym(elf_getdata(section, nullptr), count - 1, &symbol) != nullptr);
    CHECK(std::string(elf_strptr(elf, header.sh_link, symbol.st_name)) == "y");
    REQUIRE(gelf_getsym(elf_getdata(section, nullptr), count - 2, &symbol) != nullptr);
    CHECK(std::string(elf_strptr(elf, header.sh_link, symbol.st_name)) == "x");
    CHECK(symbol.st_size == 128);
    CHECK(GELF_ST_TYPE(symbol.st_info) == STT_OBJECT);
  }
  CHECK(names.size() == assembly::section_count - 1);
  CHECK(names[0] == ".text");
  elf_end(elf);
}

TEST_CASE("what is written is read back") {
  for (const Bytes& bytes : {object_file(), program_file()}) {
    const ElfResult result = read_elf(bytes);
    REQUIRE(result.error == "");
    CHECK(write_elf(result.object) == bytes);
  }
  const ElfResult result = read_elf(program_file());
  CHECK(result.object.entry_pc == 1U);
  CHECK(result.object.vmem_rows == 16);
  CHECK(result.object.source.lines.size() == 3);
}

TEST_CASE("the same text gives the same file") { CHECK(program_file() == program_file()); }

TEST_CASE("files that are something else are refused by name") {
  CHECK(error_of({}) == "x.elf: offset 0x0: file: too short for an ELF header");
  CHECK(error_of(Bytes(100, 'a')) == "x.elf: offset 0x0: file: this is no ELF file");
  Bytes bytes = program_file();
  bytes[18] = 0x3e;
  bytes[19] = 0;
  CHECK(error_of(bytes) == "x.elf: offset 0x12: file: built for machine 0x3e, this is 0x7a5e");
  bytes = program_file();
  bytes[4] = 1;
  CHECK(error_of(bytes) == "x.elf: offset 0x4: file: not a 64-bit ELF file");
  CHECK(elf_error_text("none.elf", read_elf_file("/nonexistent/none.elf")) ==
        "none.elf: offset 0x0: cannot open: No such file or directory");
}

TEST_CASE("a file for other parameters is refused with both values") {
  Bytes bytes = program_file();
  const auto replace = [&bytes](std::string_view old_text, std::string_view new_text) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t at = all.find(old_text);
    REQUIRE(at != std::string_view::npos);
    std::memcpy(bytes.data() + at, new_text.data(), new_text.size());
    return at;
  };
  const std::size_t at = replace("lanes=16", "lanes=32");
  CHECK(error_of(bytes) == fmt::format("x.elf: offset {:#x}: .tandem.target: built for a `small` "
                                       "with lanes 32, here `small` has 16",
                                       at));
  bytes = program_file();
  replace("preset=small", "preset=giant");
  CHECK(error_of(bytes).find("built for machine `giant`: there is no machine 'giant'") !=
        std::string::npos);
  CHECK(target_mismatch(*find_preset("small"), *find_preset("nano")) ==
        "built for preset `small` (lanes 16), this machine is `nano` (lanes 8)");
  Parameters changed = *find_preset("small");
  changed.vmem_bytes *= 2;
  CHECK(target_mismatch(changed, *find_preset("small")) ==
        "preset `small` differs from that of this machine: vmem_bytes 2097152 against 1048576");
  CHECK(target_mismatch(changed, changed) == "");
}

TEST_CASE("a file for another instruction set is refused with both values") {
  Bytes bytes = program_file();
  const std::string here = fmt::format("isa={:08x}", encoding_digest());
  const auto place =
      std::search(bytes.begin(), bytes.end(), here.begin(), here.end()) - bytes.begin();
  bytes[static_cast<std::size_t>(place) + 4] ^= 1U;
  const std::string said = error_of(bytes);
  CHECK(said.find("made for instruction set ") != std::string::npos);
  CHECK(said.find("here it is " + here.substr(4)) != std::string::npos);
  bytes[static_cast<std::size_t>(place)] = 'x';
  CHECK_FALSE(read_elf(bytes).ok());
}

TEST_CASE("a file keeps what made it") {
  const Object object = assembled(".target small\n.producer \"a compiler 1.0\"\nhalt\n");
  const ElfResult result = read_elf(write_elf(object));
  REQUIRE(result.ok());
  CHECK(result.object.producer == "a compiler 1.0");
  CHECK(disassemble(result.object).find(".producer \"a compiler 1.0\"") != std::string::npos);
}

TEST_CASE("every truncation is refused with an offset") {
  for (const Bytes& whole : {object_file(), program_file()}) {
    for (std::size_t size = 0; size<whole.size(); size += whole.size()> 4096 ? 7 : 1) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const ElfResult result = read_elf(cut);
      CHECK(!result.ok());
      CHECK(result.offset <= whole.size());
    }
  }
}

TEST_CASE("damaged bytes give an error or a program but never a crash") {
  std::mt19937_64 random(7);
  for (const Bytes& whole : {object_file(), program_file()}) {
    for (int i = 0; i < 1500; ++i) {
      Bytes bytes = whole;
      const auto flips = random() % 4 + 1;
      for (std::uint64_t j = 0; j < flips; ++j) {
        // The headers at both ends matter most.
        const std::size_t span = random() % 3 == 0 ? 64 : bytes.size();
        const std::size_t at =
            random() % 2 == 0 ? random() % span : bytes.size() - 1 - random() % 900;
        bytes[at] = random() % 3 == 0 ? static_cast<std::uint8_t>(random())
                                      : static_cast<std::uint8_t>(bytes[at] ^ (1U << random() % 8));
      }
      use(bytes);
    }
  }
}

TEST_CASE("damaged 64 bit fields give an error or a program but never a crash") {
  std::mt19937_64 random(8);
  const std::uint64_t nasty[] = {0, 1, ~0ULL, 1ULL << 63, 1ULL << 32, 0x7fffffffffffffffULL, 4096};
  const Bytes whole = object_file();
  for (std::size_t at = 0; at + 8 <= whole.size(); at += 4) {
    Bytes bytes = whole;
    std::memcpy(bytes.data() + at, &nasty[random() % std::size(nasty)], 8);
    use(bytes);
  }
}

}  // namespace tandem::test
