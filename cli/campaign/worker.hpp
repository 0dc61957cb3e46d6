// One worker process: its work, and the two pipes between it and its pool.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cosim/campaign/plan.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

// Messages of a worker, one byte each.
inline constexpr char seed_passed = 'p';
inline constexpr char seed_failed = 'f';
inline constexpr char unit_done = 'u';

struct Worker {
  pid_t process = -1;
  int commands = -1;  // numbers of units, to it
  int messages = -1;  // from it
  std::optional<std::size_t> unit;
  bool hung = false;
  std::chrono::steady_clock::time_point heard;
};

// Forks. `others` are the existing workers, whose pipes this one must not keep. Throws UserError.
Worker start_worker(const Plan& plan, const Store& store, const std::string& folder,
                    const std::string& build, const std::vector<Worker>& others);
// Sends it a unit, or without one the request to end.
void command_worker(Worker& worker, std::optional<std::size_t> unit);

}  // namespace tandem
