// Other programs, run to completion: the only place where processes of other programs are started.
//
// A child belongs to the call that started it. It is the first of a process group of its own, so it
// can be ended with everything that it has started. It gets SIGTERM when its parent dies, however
// that happens. It inherits no descriptor, and its signals have their default actions. It reads and
// writes files in memory, so nothing is left on disk when it or its parent is killed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

struct ChildCommand {
  std::vector<std::string> words;  // the first is the path of the executable, with a folder
  std::string_view input = {};     // the contents of its standard input
  std::vector<std::string> variables = {};  // NAME=VALUE: added to the environment of this process
  bool is_merged = false;                   // standard error goes to its output
};

struct Ended {
  std::string trouble;   // why the child could not be started; "" if it was
  bool stopped = false;  // by `stop`
  // False: its status was lost, as in a process that ignores SIGCHLD. Then only its output is
  // known.
  bool is_known = true;
  int signal = 0;  // that ended it; 0: it ended by itself,
  int status = 0;  // with this status
  std::string output;
  std::string errors;

  // It was started, and it ended by itself with status 0, as far as that is known.
  [[nodiscard]] bool ok() const {
    return trouble.empty() && !stopped && signal == 0 && status == 0;
  }
};

// `stop` is asked whether to give up before the child starts, and then ten times a second; to give
// up, the child gets SIGTERM, and two seconds later SIGKILL. Processes left in its group when it
// has ended are ended, too. Any thread may call this.
Ended run_child(const ChildCommand& command, const std::function<bool()>& stop);

// The path of a program: a name with a folder is already a path; others are searched for in the
// folders of PATH, but only in those that do not depend on the current folder. "" if not found.
std::string find_program(const std::string& name);

// For a process that fork() has created from this one: it ends with `parent`, whose child it is,
// and signals get their default actions.
void begin_as_copy_of(int parent);

// From now on the status of a child is kept until it is collected, even if this process was started
// with SIGCHLD ignored. For the main function of an executable.
void keep_statuses_of_children();

}  // namespace tandem
