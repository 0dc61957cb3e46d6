// Other programs, run to their end, and what they are run with.
#pragma once

#include <string>

#include "host/child.hpp"

namespace tandem {

// Thrown where somebody has asked this process to end while it waited for another one.
struct Interrupted {};

// Throws Interrupted.
Ended run_process(const ChildCommand& command);

// The executable `tandem`: the environment's TANDEM_EXECUTABLE, else beside this one; "" when it
// is at neither place.
std::string find_tandem();

// An executable beside this one, or below its folder; "" when there is none of this name.
std::string beside_this_executable(const std::string& name);

// A folder that goes when this does.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }  // "" when there is none
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// False when it cannot be written.
bool write_file(const std::string& path, const std::string& bytes);

}  // namespace tandem
