// Other programs, run to completion, and the files that they need.
#pragma once

#include <string>

#include "host/child.hpp"

namespace tandem {

// Thrown if this process was asked to end while it waited for another one.
struct Interrupted {};

// Throws Interrupted.
Ended run_process(const ChildCommand& command);

// The executable `tandem`: the environment's TANDEM_EXECUTABLE, else in the folder of this one; ""
// if it is in neither place.
std::string find_tandem();

// An executable in the folder of this one or below it; "" if there is none of this name.
std::string beside_this_executable(const std::string& name);

// A folder that is removed with this object.
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
