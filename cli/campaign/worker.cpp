#include "cli/campaign/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "host/interruption.hpp"
#include "host/process.hpp"
#include "isa/launch/launch.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

class WorkerProcess {
 public:
  WorkerProcess(const Plan& plan, const Store& store, const std::string& folder, std::string build,
                int commands, int messages)
      : plan_(plan),
        store_(store),
        writer_(folder),
        build_(std::move(build)),
        commands_(commands),
        messages_(messages) {}

  void run() {
    std::uint64_t unit = 0;
    while (interruption() == 0 && ::read(commands_, &unit, sizeof unit) == sizeof unit) {
      if (!run_unit(plan_.units.at(unit))) return;
      writer_.sync();
      say(unit_done);
    }
  }

 private:
  bool run_unit(const Unit& unit) {
    if (!run_ || unit.configuration != configured_) {
      run_ = plan_.begin(unit.configuration);
      configured_ = unit.configuration;
    }
    for (std::uint64_t seed = unit.first; seed < unit.first + unit.count; ++seed) {
      if (interruption() != 0) return false;
      if (store_.has(plan_.key(unit), seed)) continue;
      SeedRecord record = run_(seed);
      record.build = build_;
      writer_.append(record);
      say(record.passed ? seed_passed : seed_failed);
    }
    return true;
  }

  // The pool is gone, so there is no reason to continue.
  void say(char message) const {
    if (::write(messages_, &message, 1) != 1) _exit(exit_failed);
  }

  const Plan& plan_;
  const Store& store_;
  StoreWriter writer_;
  std::string build_;
  SeedRun run_;  // of this configuration:
  std::size_t configured_ = 0;
  int commands_;
  int messages_;
};

// In the new process: it ends with its parent, and its parent handles Ctrl-C on the terminal.
void detach_from_terminal(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(exit_failed);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  note_interruptions();
}

int run_process(WorkerProcess&& process) {
  std::string why;
  try {
    process.run();
    return exit_done;
  } catch (const runtime::Error& error) {
    why = error.message;
  } catch (const LaunchError& error) {
    why = error.message;
  } catch (const UserError& error) {
    why = error.message;
  } catch (const Interrupted&) {  // the pool knows
    return exit_failed;
  } catch (const std::exception& error) {
    why = error.what();
  }
  fmt::print(stderr, "tandem: worker: {}\n", why);
  return exit_failed;
}

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw UserError{fmt::format(message::no_pipe, std::strerror(errno))};
  }
}

}  // namespace

Worker start_worker(const Plan& plan, const Store& store, const std::string& folder,
                    const std::string& build, const std::vector<Worker>& others) {
  int commands[2];
  int messages[2];
  make_pipe(commands);
  make_pipe(messages);
  const pid_t parent = getpid();
  Worker worker;
  worker.process = fork();
  if (worker.process < 0) {
    throw UserError{fmt::format(message::no_worker, std::strerror(errno))};
  }
  if (worker.process == 0) {
    for (const Worker& other : others) {
      ::close(other.commands);
      ::close(other.messages);
    }
    ::close(commands[1]);
    ::close(messages[0]);
    detach_from_terminal(parent);
    _exit(run_process({plan, store, folder, build, commands[0], messages[1]}));
  }
  ::close(commands[0]);
  ::close(messages[1]);
  worker.commands = commands[1];
  worker.messages = messages[0];
  worker.heard = std::chrono::steady_clock::now();
  return worker;
}

void command_worker(Worker& worker, std::optional<std::size_t> unit) {
  worker.unit = unit;
  worker.heard = std::chrono::steady_clock::now();
  if (!unit) {
    ::close(worker.commands);
    worker.commands = -1;
    return;
  }
  const std::uint64_t number = *unit;
  // A worker that has just died does not read this; its end is seen on the other pipe.
  if (::write(worker.commands, &number, sizeof number) != sizeof number) return;
}

}  // namespace tandem
