#include "isa/golden/finding.hpp"

namespace tandem {

std::string_view finding_name(FindingKind kind) {
  switch (kind) {
    case FindingKind::race: return "race";
    case FindingKind::uninitialised: return "never-written data";
    case FindingKind::lifetime: return "ended lifetime";
    case FindingKind::outside: return "foreign memory";
  }
  __builtin_unreachable();
}

}  // namespace tandem
