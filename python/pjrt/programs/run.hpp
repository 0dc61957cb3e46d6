// A run of a program on one device from the call that requested it to its end: the part done by the
// thread of the device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "python/pjrt/programs/executable.hpp"
#include "python/pjrt/programs/group.hpp"
#include "python/pjrt/programs/host_calls.hpp"

namespace tandem::pjrt {

struct RunArgument {
  SharedStorage storage;
  bool is_result = false;  // a result takes its memory
  // The caller keeps its contents, so the result gets a copy.
  bool is_kept = false;
};

struct Run {
  std::shared_ptr<LoadedProgram> program;
  std::vector<RunArgument> arguments;
  std::vector<SharedStorage> results;
  std::shared_ptr<Worker> worker;
  std::shared_ptr<Group> group;      // of the runs that are one to the caller; null: a single run
  std::size_t partition = 0;         // its number in the group
  std::shared_ptr<HostCalls> calls;  // if the program calls the host
  std::string save;                  // folder for runs that fail; "": they are not saved
};

// In a task of the worker. Throws Failure with the report when the program does not halt, or when
// another run of the group did not.
void perform(const Run& run, runtime::Device& device);

}  // namespace tandem::pjrt
