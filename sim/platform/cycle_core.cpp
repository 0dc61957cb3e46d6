// The cycle-exact model behind the interface that platforms embed.
//
// In its first cycle a start reads the text and latches the launch registers: written while the
// machine runs, they take effect at the next start. A copy reaches memory in the cycle in which it
// issues. A bus error is noticed when advance() stops at the latest; until then the missing data is
// zero.
#include <algorithm>
#include <cstring>
#include <optional>

#include "isa/launch/launch.hpp"
#include "isa/machine.hpp"
#include "sim/counters/counter_registers.hpp"
#include "sim/memory/machine_timing.hpp"
#include "sim/platform/host_registers.hpp"
#include "sim/platform/tpu_core.hpp"
#include "sim/time/cycle_model.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t control_start = 1;
constexpr std::uint32_t control_stop = 2;
constexpr std::uint32_t largest_text = 1U << 24U;  // bundles: 1 GiB

FoundMachine machine_of(const TpuCoreOptions& options) {
  FoundMachine found = find_machine(options.preset);
  if (found.machine == nullptr) throw TpuCoreError(found.complaint);
  return found;
}

// With the timing that the machine's name chooses.
TpuCoreOptions timed(TpuCoreOptions options, const FoundMachine& machine) {
  apply_timing(machine.timing, options.memory);
  return options;
}

// Remembers that the platform has refused an access.
class NotingPort final : public MemoryPort {
 public:
  explicit NotingPort(MemoryPort& memory) : memory_(memory) {}

  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    return note(memory_.read(address, bytes, count));
  }
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    return note(memory_.write(address, bytes, count));
  }
  [[nodiscard]] bool failed() const { return failed_; }
  void refuse() { failed_ = true; }
  void reset() { failed_ = false; }

 private:
  bool note(bool done) {
    failed_ = failed_ || !done;
    return done;
  }

  MemoryPort& memory_;
  bool failed_ = false;
};

// The bundles of a text, or none at all after a bus error.
std::vector<Bundle> read_text(NotingPort& memory, std::uint64_t address, std::uint32_t count) {
  constexpr std::uint32_t piece = burst_limit_bytes / bundle_bytes;
  std::vector<Bundle> text;
  if (address % burst_limit_bytes != 0) memory.refuse();  // its lines would not be legal bursts
  while (text.size() < count && !memory.failed()) {
    const std::size_t first = text.size();
    const std::size_t bundles = std::min<std::size_t>(piece, count - first);
    text.resize(first + bundles);
    memory.read(address + first * bundle_bytes,
                reinterpret_cast<std::uint8_t*>(text.data() + first), bundles * bundle_bytes);
  }
  if (memory.failed()) text.clear();
  return text;
}

class CycleCore final : public TpuCore {
 public:
  CycleCore(const TpuCoreOptions& options, MemoryPort& memory)
      : CycleCore(options, machine_of(options), memory) {}

  std::uint32_t read_register(std::uint32_t number) override {
    if (const auto value = registers_.read(number)) return *value;
    return counter_register(model_ ? model_->counters() : CounterValues{}, number).value_or(0);
  }

  void write_register(std::uint32_t number, std::uint32_t value) override {
    if (number != find_register("control")->number) return registers_.write(number, value);
    const bool runs = registers_.running();
    if ((value & control_start) != 0 && registers_.start()) prepare();
    if ((value & control_stop) != 0 && runs) stop_asked_ = true;
  }

  [[nodiscard]] bool active() const override { return registers_.running() || ending_; }
  [[nodiscard]] bool interrupt() const override { return registers_.interrupt(); }

  std::uint64_t advance(std::uint64_t limit) override {
    if (limit == 0 || !active()) return 0;
    if (ending_) {
      ending_ = false;
      registers_.set_pending();
      return 1;
    }
    if (!model_) load();
    const std::uint64_t from = model_->cycle();
    run_until(from + std::min(limit, longest_advance));
    return model_->cycle() - from;
  }

 private:
  static constexpr std::uint64_t longest_advance = std::uint64_t{1} << 62U;

  void prepare() {
    model_.reset();
    memory_.reset();
    stop_asked_ = false;
    stopping_ = false;
  }

  void load() {
    const std::uint32_t bundles = registers_.text_bundles();
    if (bundles > largest_text) {
      throw TpuCoreError("the cycle model holds texts of up to " + std::to_string(largest_text) +
                         " bundles");
    }
    image_ = Image{};
    image_.preset = &parameters_;
    image_.text = read_text(memory_, registers_.text_address(), bundles);
    image_.entry_pc = registers_.entry_pc();
    if (memory_.failed()) stand_still();
    Launch launch;
    launch.image = &image_;
    launch.text_address = registers_.text_address();
    launch.argument_pointer = registers_.argument_pointer();
    launch.argument_words = registers_.argument_words();
    launch.start_copies = registers_.start_copies();
    registers_.taken();
    launch.hbm_bytes = registers_.hbm_bytes();
    launch.seed = options_.seed;
    CycleOptions options;
    options.golden.detect_races = false;
    options.golden.detect_uninitialised = false;
    options.golden.memory = &memory_;
    options.memory = options_.memory;
    model_.emplace(launch, options);
  }

  // A text for a machine that stops before it issues anything.
  void stand_still() {
    image_.text.assign(1, Bundle{});
    image_.entry_pc = 0;
  }

  void run_until(std::uint64_t cycle) {
    if (stop_asked_ || memory_.failed()) stop();
    const RunStatus status = model_->run_until(cycle);
    if (status == RunStatus::reported) {
      throw TpuCoreError("the result of the program is not defined: " + model_->finding()->message);
    }
    if (status != RunStatus::running) end(status);
  }

  void stop() {
    if (!stopping_) model_->stop();
    stopping_ = true;
  }

  void end(RunStatus status) {
    HostRegisters::End end;
    end.machine_check = memory_.failed();
    if (status == RunStatus::trapped) {
      end.trap = model_->trap();
    } else if (end.machine_check) {
      end.trap.cause = TrapCause::machine_check;
    } else {
      end.halted = model_->golden().status() == RunStatus::halted;
    }
    end.trap_pc = model_->pc();
    registers_.end(end);
    ending_ = true;
  }

  CycleCore(const TpuCoreOptions& options, const FoundMachine& machine, MemoryPort& memory)
      : options_(timed(options, machine)),
        parameters_(*machine.machine),
        memory_(memory),
        registers_(parameters_) {}

  TpuCoreOptions options_;
  const Parameters& parameters_;
  NotingPort memory_;
  HostRegisters registers_;
  Image image_;
  std::optional<CycleModel> model_;  // from the first cycle of a run to the next start
  bool stop_asked_ = false;
  bool stopping_ = false;
  bool ending_ = false;  // the cycle after the end is yet to come
};

}  // namespace

std::unique_ptr<TpuCore> make_cycle_core(const TpuCoreOptions& options, MemoryPort& memory) {
  return std::make_unique<CycleCore>(options, memory);
}

}  // namespace tandem
