#include "isa/state/trap.hpp"

namespace tandem {

std::string_view trap_name(TrapCause cause) {
  switch (cause) {
    case TrapCause::none: return "none";
    case TrapCause::illegal_encoding: return "illegal_encoding";
    case TrapCause::write_conflict: return "write_conflict";
    case TrapCause::address_range: return "address_range";
    case TrapCause::jump_range: return "jump_range";
    case TrapCause::bad_descriptor: return "bad_descriptor";
    case TrapCause::deadlock: return "deadlock";
    case TrapCause::explicit_trap: return "explicit_trap";
    case TrapCause::machine_check: return "machine_check";
  }
  return "unknown";
}

}  // namespace tandem
