#include "host/standard_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace tandem {
namespace {

// It is opened the wrong way round.
void occupy(int descriptor, int flags) {
  if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) return;
  const int opened = ::open("/dev/null", flags);
  if (opened != descriptor && opened >= 0) {
    dup2(opened, descriptor);
    ::close(opened);
  }
}

}  // namespace

void occupy_standard_files() {
  occupy(STDIN_FILENO, O_WRONLY);
  occupy(STDOUT_FILENO, O_RDONLY);
  occupy(STDERR_FILENO, O_WRONLY);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its writer
}

}  // namespace tandem
