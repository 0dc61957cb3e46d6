// Other programs, as Python starts them.
#pragma once

#include <pybind11/pybind11.h>

namespace tandem::python {

void add_tools(pybind11::module_& module);

}  // namespace tandem::python
