#include "python/core/tools.hpp"

#include <pybind11/stl.h>

#include <string>
#include <string_view>
#include <vector>

#include "host/child.hpp"

namespace py = pybind11;

namespace tandem::python {
namespace {

// Its status, minus a signal's number where one ended it; output; errors. Ctrl-C ends it.
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
  const int status = ended.signal != 0 ? -ended.signal : ended.status;
  return py::make_tuple(status, py::bytes(ended.output), py::bytes(ended.errors));
}

}  // namespace

void add_tools(py::module_& module) {
  module.def("run_program", &run_program);
  module.def("find_program", &find_program);
}

}  // namespace tandem::python
