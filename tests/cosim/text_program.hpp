// Programs that tests have as text.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "assembler/assembler.hpp"

namespace tandem {

// Built for nano; diagnostics call the text `name`, its first line is line 2.
inline Image nano_image(const std::string& name, const std::string& text) {
  const LinkResult built = build(std::vector{SourceText{name, "        .target nano\n" + text}});
  INFO(diagnostics_text(built.diagnostics));
  REQUIRE(built.ok());
  return make_image(built.program);
}

}  // namespace tandem
