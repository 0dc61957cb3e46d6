// Any bytes as a study of `tandem sweep`: taken, or refused with a reason.
#include <cstdint>
#include <string>

#include "cli/sweep/study.hpp"
#include "runtime/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT
  try {
    (void)tandem::parse_study(text, "f.toml");
  } catch (const tandem::runtime::Error&) {
  }
  return 0;
}
