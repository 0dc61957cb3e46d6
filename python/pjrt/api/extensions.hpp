// The plugin's functions beyond the interface's table: functions of its extensions, as handlers.hpp
// has those of the table.
#pragma once

#include "python/pjrt/core/pjrt_header.hpp"
#include "xla/pjrt/c/pjrt_c_api_shardings_extension.h"

namespace tandem::pjrt {

// shardings_handlers.cpp
void handle(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args);
void handle(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args);

}  // namespace tandem::pjrt
