// Other programs, run to their end.
#pragma once

#include <string>
#include <vector>

namespace tandem::compiler {

struct Ended {
  int status = 0;      // of exit; -1: it could not be started, or a signal ended it
  std::string output;  // what it wrote on standard output
  std::string errors;  // and on standard error
};

// With nothing on standard input. `folder` is for what it writes. A program without a folder in its
// name is looked for as a shell would.
Ended run_process(const std::vector<std::string>& command, const std::string& folder);

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

// False when it cannot be read, or written.
bool read_file(const std::string& path, std::string& bytes);
bool write_file(const std::string& path, const std::string& bytes);

}  // namespace tandem::compiler
