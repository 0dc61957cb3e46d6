// The one file of the target that owns the precompiled header of all tests.
#include "tests/precompiled.hpp"
