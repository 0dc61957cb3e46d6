#include "cli/commands.hpp"
#include "cli/files/standard_streams.hpp"
#include "host/child.hpp"

int main(int argc, char** argv) {
  tandem::keep_statuses_of_children();
  tandem::guard_standard_streams();
  return tandem::finish_standard_streams(tandem::run_application(argc, argv));
}
