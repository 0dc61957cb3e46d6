// Shared by the tests of the assembler.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "assembler/assembler.hpp"
#include "assembler/disassemble.hpp"
#include "assembler/elf.hpp"
#include "isa/encoding.hpp"

namespace tandem::test {

// Assembles a text that must be right.
inline Object assembled(const std::string& text, const AssembleOptions& options = {}) {
  AssembleResult result = assemble({"test.s", text}, options);
  INFO(text.substr(0, 2000));
  REQUIRE(diagnostics_text(result.diagnostics) == "");
  return std::move(result.object);
}

// Assembles and links a text that must be right.
// The line table in words: "1.va k.s:3 (called at k.s:9)" for slot va of bundle 1.
inline std::vector<std::string> places_of(const Object& object) {
  std::vector<std::string> places;
  for (const SourceLocation& line : object.source.lines) {
    const bool whole = line.slot == whole_bundle;
    const std::string slot = whole ? "" : fmt::format(".{}", slot_layouts[line.slot].name);
    places.push_back(
        fmt::format("{}{} {}", line.pc, slot, object.source.text(object.source.frame(line.frame))));
  }
  return places;
}

inline Object built(const std::string& text, const AssembleOptions& options = {}) {
  const SourceText source{"test.s", text};
  LinkResult result = build({&source, 1}, options);
  INFO(text.substr(0, 2000));
  REQUIRE(diagnostics_text(result.diagnostics) == "");
  return std::move(result.program);
}

// The assembler's diagnostics about a text.
inline std::string errors_of(const std::string& text, const AssembleOptions& options = {}) {
  return diagnostics_text(assemble({"test.s", text}, options).diagnostics);
}

// Requires that disassembling and assembling again gives the same bytes.
inline void require_round_trip(const Object& object) {
  const std::vector<std::uint8_t> bytes = write_elf(object);
  const ElfResult read = read_elf(bytes);
  INFO(read.error);
  REQUIRE(read.ok());
  const std::string text = disassemble(read.object);
  INFO(text.substr(0, 2000));
  const Object again = object.linked ? built(text) : assembled(text);
  REQUIRE(write_elf(again) == bytes);
}

}  // namespace tandem::test
