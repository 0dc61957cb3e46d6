// OpenXLA's C interface between a framework and a plugin. scripts/python-environment fetches it;
// see docs/decisions/0015-pjrt-plugin.md.
#pragma once

#include "xla/pjrt/c/pjrt_c_api.h"
