// Reads FST files with the reader of the format's authors (Verilator ships it).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tandem {

class Waveform {
 public:
  // Fails the test case when the file is not an FST file.
  explicit Waveform(const std::string& path);

  // Of the first and the last values, in ticks of 1 ps.
  [[nodiscard]] std::uint64_t first() const;
  [[nodiscard]] std::uint64_t last() const;
  // Names as GTKWave writes them: "TOP.tpu_core.ret_issue_pc_o[31:0]".
  [[nodiscard]] bool has(const std::string& name) const { return signals_.count(name) != 0; }
  // The bits of a signal, the highest first; nothing outside of the file's time.
  [[nodiscard]] std::optional<std::string> value(const std::string& name, std::uint64_t tick) const;

 private:
  struct Signal {
    std::uint32_t handle = 0;
    std::uint32_t bits = 0;
  };
  struct Close {
    void operator()(void* file) const;
  };

  void read_names();

  std::unique_ptr<void, Close> file_;
  std::map<std::string, Signal> signals_;
};

}  // namespace tandem
