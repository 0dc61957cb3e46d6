#include "python/core/tools.hpp"

#include <pybind11/stl.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/child.hpp"
#include "host/host_file.hpp"
#include "host/output_file.hpp"
#include "host/user_error.hpp"

namespace py = pybind11;

namespace tandem::python {
namespace {

// Its status, or minus the number of the signal that ended it; output; errors. Ctrl-C ends it.
py::tuple run_program(const std::vector<std::string>& words, const py::bytes& input,
                      const std::vector<std::string>& variables) {
  const ChildCommand command{words, std::string_view(input), variables};
  bool signalled = false;
  const auto stop = [&] {
    const py::gil_scoped_acquire acquire;
    signalled = PyErr_CheckSignals() != 0;
    return signalled;
  };
  Ended ended;
  {
    const py::gil_scoped_release release;
    ended = run_child(command, stop);
  }
  if (signalled) throw py::error_already_set();
  if (!ended.trouble.empty()) {
    PyErr_SetString(PyExc_OSError, ended.trouble.c_str());
    throw py::error_already_set();
  }
  // If its status was reaped elsewhere, a program without output has failed.
  const bool failed = !ended.is_known && ended.output.empty();
  const int status = ended.signal != 0 ? -ended.signal : failed ? 1 : ended.status;
  return py::make_tuple(status, py::bytes(ended.output), py::bytes(ended.errors));
}

void raise_os_error(const UserError& error) {
  PyErr_SetString(PyExc_OSError, error.message.c_str());
  throw py::error_already_set();
}

// Opens and closes the file: whether reading it would end.
void check_input(const std::string& path) {
  const HostFile file(path);
  if (!file.ok()) raise_os_error(UserError{path + ": " + file.error()});
}

// Whether a command with these input files may write a program there.
void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  forget_files();
  try {
    for (const std::string& input : inputs) note_input(input);
    claim_program(path);
  } catch (const UserError& error) {
    raise_os_error(error);
  }
}

void write_output(const std::string& path, const py::bytes& bytes) {
  const std::string_view view = bytes;
  try {
    write_bytes(path, {reinterpret_cast<const std::uint8_t*>(view.data()), view.size()});
  } catch (const UserError& error) {
    raise_os_error(error);
  }
}

}  // namespace

void add_tools(py::module_& module) {
  module.def("run_program", &run_program);
  module.def("find_program", &find_program);
  module.def("check_input", &check_input);
  module.def("check_output", &check_output);
  module.def("write_output", &write_output);
}

}  // namespace tandem::python
