// The host registers of a machine without RTL, as rtl/host/tpu_host.sv and tpu_control.sv have
// them; the counters are kept elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/descriptor.hpp"
#include "isa/parameters.hpp"
#include "isa/state/trap.hpp"

namespace tandem {

class HostRegisters {
 public:
  explicit HostRegisters(const Parameters& parameters) : parameters_(&parameters) {}

  // nullopt when the register is a counter or does not exist.
  [[nodiscard]] std::optional<std::uint32_t> read(std::uint32_t number) const;
  // Host writes, except to `control`.
  void write(std::uint32_t number, std::uint32_t value);

  // As the last writes left them.
  [[nodiscard]] std::uint64_t text_address() const;
  [[nodiscard]] std::uint32_t text_bundles() const;
  [[nodiscard]] std::uint32_t entry_pc() const;
  [[nodiscard]] std::uint64_t argument_pointer() const;
  [[nodiscard]] std::uint32_t argument_words() const;
  [[nodiscard]] std::uint64_t hbm_bytes() const;
  [[nodiscard]] bool interrupt() const { return (pending_ & enabled()) != 0; }

  // Those queued since the last start.
  [[nodiscard]] const std::vector<DescriptorWords>& start_copies() const { return start_copies_; }

  // A start was written; returns whether it starts the machine. Otherwise the machine is running,
  // and the error bit is set.
  bool start();
  // The machine stopped, for one of these reasons or, with neither, because it was stopped.
  struct End {
    bool halted = false;
    bool machine_check = false;  // in addition to the trap, which may be another
    Trap trap{};
    std::uint32_t trap_pc = 0;
  };
  void end(const End& end);
  // The end sets its interrupt one cycle later.
  void set_pending();
  [[nodiscard]] bool running() const { return running_; }
  // The machine has taken what a start uses.
  void taken();

 private:
  static constexpr std::size_t stored_registers = 32;

  void take_word_of_start_copy(std::uint32_t value);
  [[nodiscard]] std::uint32_t enabled() const;
  [[nodiscard]] std::uint64_t pair(std::uint32_t low) const;
  [[nodiscard]] std::uint32_t status() const;
  [[nodiscard]] std::uint32_t trap_cause() const;

  const Parameters* parameters_;
  std::array<std::uint32_t, stored_registers> words_{};  // of those that can be read and written
  DescriptorWords start_copy_{};                         // its first words
  std::size_t start_copy_words_ = 0;
  std::vector<DescriptorWords> start_copies_;
  std::uint32_t pending_ = 0;
  bool running_ = false;
  bool error_ = false;
  End end_;
};

}  // namespace tandem
