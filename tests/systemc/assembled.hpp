// Programs out of text, for tests; C++17, since the assembler is not.
#pragma once

#include <string>
#include <vector>

namespace tandem::test {

// The bytes of a linked ELF file. Throws std::runtime_error with the first diagnostic.
std::vector<char> assembled(const std::string& text, const std::string& preset);

}  // namespace tandem::test
