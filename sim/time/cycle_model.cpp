#include "sim/time/cycle_model.hpp"

#include <utility>

#include "isa/golden/engine_loop.hpp"
#include "sim/time/cycle_time.hpp"

namespace tandem {
namespace {

// The part of time in golden's loop.
template <bool watched>
struct Hook {
  [[gnu::always_inline]] bool arrive(const golden::Core& core, const golden::BundlePlan& decoded,
                                     const golden::EnabledSlots& enabled) {
    if constexpr (watched) {
      if (decoded.volatile_csr && time.hold_reads && reads(enabled)) return false;
    }
    plan = &time.plans.find(core.pc, decoded, enabled);
    return time.arrive<watched>(core, *plan);
  }
  [[gnu::always_inline]] void begin(const golden::Core& core, bool executes) const {
    executes ? time.issue(core, *plan) : time.trap(core);
  }
  [[gnu::always_inline]] void end(const golden::Core& core) const {
    time.retire<watched>(core, *plan);
  }

  // With a volatile CSR in its slot.
  static bool reads(const golden::EnabledSlots& enabled) {
    return ((enabled.slots >> static_cast<unsigned>(Slot::sb)) & 1U) != 0;
  }

  CycleModel::Time& time;
  IssuePlan* plan = nullptr;
};

}  // namespace

struct CycleModel::Machine {
  Machine(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
          CycleOptions options)
      : golden(parameters, hbm_bytes, seed, golden_options(std::move(options.golden))),
        timing(options.memory),
        unstarted{.preset = &parameters},
        time(Launch{.image = &unstarted}, timing) {
    time.attach(options.sink);
    time.ended = true;
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() = default;

  GoldenOptions golden_options(GoldenOptions options) {
    options.volatile_csr = [this](std::uint32_t number) { return time.csr(number); };
    return options;
  }

  void start(const Launch& launch) {
    TimingSink* const sink = time.sink;
    golden.start(launch);
    time = Time(launch, timing);
    time.attach(sink);
    links.reset();
  }

  void tie(const LinkPorts<LinkBeat>& ports) {
    links = std::make_unique<ChipLinks>(BeatShape(golden.parameters().lanes), ports);
    time.memory.tie(links.get());
    time.engine = &golden.engine();
  }

  [[nodiscard]] golden::Core& core() { return golden.engine().core; }

  RunStatus step(RetireRecord* record) {
    if (time.stop_asked && record != nullptr) record->clear();
    hooked([&](auto hook) { golden.engine().step(record, hook); });
    return finish();
  }
  RunStatus run(std::uint64_t bundles) {
    hooked([&](auto hook) { golden.engine().run(bundles, hook); });
    return finish();
  }
  RunStatus run_to(std::uint64_t bundles, std::span<const std::uint8_t> stops) {
    hooked([&](auto hook) { golden.engine().run_to(bundles, stops, hook); });
    return finish();
  }
  // Golden's loop is compiled with and without a sink: most runs have none. It does not run once
  // the host has requested a stop.
  template <typename Run>
  void hooked(const Run& run) {
    if (time.stop_asked) return;
    if (time.sink == nullptr) return run(Hook<false>{time});
    run(Hook<true>{time});
    time.give_words(core().bundles, core().pc);
  }

  // How it ends; golden knows nothing of a host that stops it.
  [[nodiscard]] RunStatus verdict() const {
    return time.stop_asked ? RunStatus::halted : golden.status();
  }

  // The rest after golden has ended: runs until everything in flight is complete.
  RunStatus finish() {
    const RunStatus verdict = this->verdict();
    if (verdict == RunStatus::running || time.ended) return verdict;
    if (verdict == RunStatus::reported) {
      time.ended = true;
    } else if (time.stop_asked) {
      if (!time.stopping && !time.stop_issue(core())) return RunStatus::running;
      time.drain();
    } else {
      if (!time.started && !time.trap_at_entry(core())) return RunStatus::running;
      if (!time.stopping) time.end_issue();
      time.drain();
    }
    if (!time.ended) return RunStatus::running;
    if (time.sink != nullptr) time.give_end();
    return verdict;
  }

  GoldenModel golden;
  MemoryTimingParameters timing;
  Image unstarted;  // until the first start: no text
  Time time;
  std::unique_ptr<ChipLinks> links;  // in a group
};

CycleModel::CycleModel(const Launch& launch, CycleOptions options)
    : CycleModel(*launch.image->preset, launch.hbm_bytes, launch.seed, std::move(options)) {
  start(launch);
}
CycleModel::CycleModel(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
                       CycleOptions options)
    : machine_(std::make_unique<Machine>(parameters, hbm_bytes, seed, std::move(options))) {}
void CycleModel::start(const Launch& launch) { machine_->start(launch); }
CycleModel::CycleModel(CycleModel&&) noexcept = default;
CycleModel& CycleModel::operator=(CycleModel&&) noexcept = default;
CycleModel::~CycleModel() = default;

RunStatus CycleModel::step(RetireRecord* record) { return machine_->step(record); }
RunStatus CycleModel::step_before(std::uint64_t cycle, RetireRecord* record) {
  machine_->time.limit = cycle;
  const RunStatus status = machine_->step(record);
  machine_->time.limit = MemorySide::never;
  return status;
}
RunStatus CycleModel::run(std::uint64_t limit) { return machine_->run(limit); }
RunStatus CycleModel::run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) {
  return machine_->run_to(limit, stops);
}
RunStatus CycleModel::run_until(std::uint64_t cycle) {
  machine_->time.limit = cycle;
  const RunStatus status = machine_->run(MemorySide::never);
  machine_->time.limit = MemorySide::never;
  return status;
}

void CycleModel::tie(const LinkPorts<LinkBeat>& ports) { machine_->tie(ports); }
RunStatus CycleModel::run_window(std::uint64_t cycle) {
  const RunStatus status = run_until(cycle);
  end_window(cycle);
  return status;
}
void CycleModel::end_window(std::uint64_t cycle) {
  machine_->time.bring_memory_to(cycle, machine_->golden.pc());
}
bool CycleModel::still() const {
  Time& time = machine_->time;
  return (time.waiting || time.ended) && time.memory.still(0);
}

RunStatus CycleModel::run_until_read(std::uint64_t cycle) {
  machine_->time.hold_reads = true;
  const RunStatus status = run_until(cycle);
  machine_->time.hold_reads = false;
  return status;
}

void CycleModel::stop() {
  // Golden detects an entry outside the text immediately, the machine once its arguments have
  // arrived.
  const bool runs = machine_->golden.status() == RunStatus::running;
  if (runs || !machine_->time.started) machine_->time.stop_asked = true;
}

std::uint64_t CycleModel::cycle() const { return machine_->time.cursor; }
std::uint64_t CycleModel::issue_cycle() const { return machine_->time.decided; }
CounterValues CycleModel::counters() const {
  return machine_->time.counters(machine_->golden.pc());
}

RunStatus CycleModel::status() const {
  return machine_->time.ended ? machine_->verdict() : RunStatus::running;
}
const Trap& CycleModel::trap() const { return machine_->golden.trap(); }
std::uint32_t CycleModel::pc() const { return machine_->golden.pc(); }
const std::optional<Finding>& CycleModel::finding() const { return machine_->golden.finding(); }
std::uint64_t CycleModel::bundles() const { return machine_->golden.bundles(); }

void CycleModel::set_sink(TimingSink* sink) { machine_->time.attach(sink); }

const GoldenModel& CycleModel::golden() const { return machine_->golden; }
GoldenModel& CycleModel::golden() { return machine_->golden; }

const CycleModel::Time& CycleModel::time() const { return machine_->time; }
void CycleModel::set_time(const Time& time) {
  TimingSink* const sink = machine_->time.sink;
  machine_->time = time;
  machine_->time.attach(sink);
}

void CycleModel::save_to(ArchiveWriter& archive) {
  machine_->golden.save_to(archive);
  archive(machine_->time);
}
void CycleModel::restore_from(ArchiveReader& archive) {
  machine_->golden.restore_from(archive);
  archive(machine_->time);
}

}  // namespace tandem
