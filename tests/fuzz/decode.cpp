// Any 64 bytes are a bundle: if it decodes it encodes to the same bits, and what is legal as a
// whole survives its own text.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "assembler/assembler.hpp"
#include "isa/encoding.hpp"
#include "isa/text/text.hpp"

namespace {

using namespace tandem;

// Whether every slot decodes. A slot that does must encode to the same bits.
bool slots_survive(const Bundle& bundle) {
  bool all = true;
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const auto operation = decode(slot, slot_bits(bundle, slot));
    if (operation && encode(*operation) != slot_bits(bundle, slot)) std::abort();
    all = all && operation.has_value();
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bundle bundle{};
  std::memcpy(bundle.data(), data, std::min(size, sizeof(bundle)));
  const bool legal = slots_survive(bundle);
  const std::string text = bundle_text(bundle);
  if (!legal) return 0;
  const SourceText source{"fuzz.s", text + "\n"};
  const AssembleResult result = assemble(source);
  // Text refuses two writes of one register, which bits can ask for.
  if (result.ok() && (result.object.text.size() != 1 || result.object.text[0] != bundle)) {
    std::abort();
  }
  return 0;
}
