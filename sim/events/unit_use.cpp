#include "sim/events/unit_use.hpp"

#include "isa/analysis/unit_time.hpp"

namespace tandem {

std::optional<UnitUse> unit_use(const Operation& operation) {
  const Effects effects = effects_of(operation);
  const std::uint32_t cycles = unit_cycles(effects, operation);
  switch (effects.latency) {
    case Latency::scalar:
    case Latency::scalar_load:
    case Latency::control:
    case Latency::valu:
    case Latency::copy:
    case Latency::wait: return std::nullopt;
    case Latency::load: return UnitUse{BusyUnit::load, cycles};
    case Latency::store: return UnitUse{BusyUnit::store, cycles};
    case Latency::push: return UnitUse{BusyUnit::push, cycles};
    case Latency::multiply: return UnitUse{BusyUnit::multiply, cycles};
    case Latency::acc_read: return UnitUse{BusyUnit::read, timing::acc_read};
    case Latency::eup: return UnitUse{BusyUnit::eup, cycles};
    case Latency::xlu: return UnitUse{BusyUnit::xlu, cycles};
  }
  __builtin_unreachable();
}

}  // namespace tandem
