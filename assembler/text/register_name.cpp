#include "assembler/text/register_name.hpp"

#include "isa/parameters.hpp"

namespace tandem::assembly {

std::uint32_t register_count(char file) {
  switch (file) {
    case 's': return scalar_registers;
    case 'p': return predicate_registers;
    case 'v': return vector_registers;
    case 'm': return mask_registers;
    case 'a': return accumulators;
    case 'f': return sync_flags;
    default: return 0;
  }
}

bool NamedRegister::in_range() const { return is_virtual || index < register_count(file); }

bool read_register(std::string_view text, NamedRegister& result) {
  if (text.size() < 2 || register_count(text[0]) == 0) return false;
  std::size_t at = 1;
  std::uint32_t index = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    index = index < 100'000 ? index * 10 + static_cast<std::uint32_t>(text[at] - '0') : index;
  }
  if (at == 1 || (at < text.size() && text[at] != '.')) return false;
  result = {text[0], index, at < text.size() ? text.substr(at + 1) : std::string_view()};
  return true;
}

}  // namespace tandem::assembly
