// The results of a check in the C interface.
#include <fmt/format.h>

#include "cosim/c_interface/session.hpp"
#include "cosim/foreign/check_text.hpp"

namespace tandem {

tandem_verdict verdict_of(const CoreCheck& check) {
  switch (check.outcome()) {
    case Outcome::halted: return TANDEM_VERDICT_HALTED;
    case Outcome::trapped: return TANDEM_VERDICT_TRAPPED;
    case Outcome::race: return TANDEM_VERDICT_RACE;
    case Outcome::uninitialised: return TANDEM_VERDICT_NEVER_WRITTEN;
    case Outcome::mismatch: return TANDEM_VERDICT_MISMATCH;
    case Outcome::running:
      return check.finished() || check.over() ? TANDEM_VERDICT_UNDECIDED : TANDEM_VERDICT_NONE;
    case Outcome::lifetime:
    case Outcome::no_retirement:
    case Outcome::machine_check:
    case Outcome::deadlock: break;  // not for a foreign core
  }
  return TANDEM_VERDICT_UNDECIDED;
}

std::string report_of(const CoreCheck& check) {
  if (!check.over() && !check.finished()) return "not finished\n";
  return check_text(check);
}

}  // namespace tandem
