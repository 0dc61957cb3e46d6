// The messages of a run to the host: records of its log (isa/launch/log.hpp), given to the
// functions of the Python package in the order in which the program made them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "python/pjrt/core/completion.hpp"
#include "python/pjrt/core/host_lane.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

// The calls of one run, from the call that asks for it to its end.
class HostCalls {
 public:
  // Throws Failure when the functions of the key are unknown in this process.
  HostCalls(const std::string& key, std::shared_ptr<HostLane> lane);
  // The functions are notified of the end of a run even if the run never reached it.
  ~HostCalls();
  HostCalls(const HostCalls&) = delete;
  HostCalls& operator=(const HostCalls&) = delete;

  // Passes on the new records of the log. In tasks of the worker, between slices of the run or
  // after it.
  void tell(const runtime::Device& device, const runtime::DeviceTensor& log);
  // Whether a function has failed, so that the run need not continue.
  [[nodiscard]] bool has_failed() const { return told_->failed; }
  // The run has ended with this status: `done` finishes when all calls have been made, with the
  // first failure of a function, else with this status.
  void end(const Status& status, SharedCompletion done);

 private:
  struct Told {
    std::int64_t run = 0;
    std::atomic<bool> failed{false};
    Status status;  // of the functions; in the lane only
  };
  using Words = std::vector<std::uint32_t>;
  void deliver(Words records, bool last);

  std::shared_ptr<HostLane> lane_;
  std::shared_ptr<Told> told_;
  std::uint64_t used_;  // words of the log that were passed on
  std::uint32_t lost_ = 0;
  bool ended_ = false;
};

}  // namespace tandem::pjrt

// Functions that the Python package gives the plugin, by name.
extern "C" {
struct TandemHostFunctions {
  // The number of a run of the program with this key; -1: its functions are unknown.
  std::int64_t (*begin)(const char* key);
  // Records of a run, one after the other, and how many were lost; whether these are the last ones.
  // 0: all functions have returned; 1: one has raised, 2: one has returned what the program should
  // have waited for; `message` then has why, at most so many bytes with the zero at its end.
  int (*deliver)(std::int64_t run, const std::uint32_t* records, std::int64_t words,
                 std::int64_t lost, int last, char* message, std::int64_t room);
};
__attribute__((visibility("default"))) void tandem_install_host_functions(
    const TandemHostFunctions* functions);
// Blocks until the requested functions have returned.
__attribute__((visibility("default"))) void tandem_wait_for_host_functions();
}
