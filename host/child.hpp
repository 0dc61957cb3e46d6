// Other programs, run to their end: the one place where a process of another program is started.
//
// A child belongs to the call that started it. It is the first of a process group of its own, so it
// can be ended with all that it has started; it gets SIGTERM when its parent dies, however that
// happens; it has no descriptor of its parent's, and signals as they are by default. It reads and
// writes files in memory, so nothing is left on a disk when somebody ends it or its parent.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

struct ChildCommand {
  std::vector<std::string> words;  // the first is the path of the executable, with a folder
  std::string_view input = {};     // what is on its standard input
  std::vector<std::string> variables = {};  // NAME=VALUE: of its environment, beside this process's
  bool is_merged = false;                   // what it writes on standard error goes to its output
};

struct Ended {
  std::string trouble;   // why there was no such child; "" when there was one
  bool stopped = false;  // by `stop`
  // False: somebody else has taken its status, as in a process that ignores SIGCHLD. What it wrote
  // is all that is known then.
  bool is_known = true;
  int signal = 0;  // that ended it; 0: it ended by itself,
  int status = 0;  // with this status
  std::string output;
  std::string errors;

  // It was there, and it ended by itself with status 0, as far as that is known.
  [[nodiscard]] bool ok() const {
    return trouble.empty() && !stopped && signal == 0 && status == 0;
  }
};

// `stop` is asked before the child is there, and then ten times a second, whether to give up; the
// child gets SIGTERM then, and two seconds later SIGKILL. What its group still has when it has
// ended is ended, too. Any thread may call this.
Ended run_child(const ChildCommand& command, const std::function<bool()>& stop);

// The path of a program: a name with a folder is one; another name is looked for in the folders of
// PATH, but only in those that do not depend on the current folder. "" when there is none.
std::string find_program(const std::string& name);

// In a process that fork() has made of this one: it ends with `parent`, as whose child it was
// made, and signals are as they are by default.
void begin_as_copy_of(int parent);

// From now on the status of a child is kept until somebody asks for it, also when who started this
// process had it ignore its children. For the main function of an executable.
void keep_statuses_of_children();

}  // namespace tandem
