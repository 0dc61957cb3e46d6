// toml++, whose version 3.3 asserts conditions that damaged text violates ("[[&x]]"), and relies on
// them if assertions are off. As exceptions (std::logic_error) they are errors of the file like all
// others.
#pragma once

#include <stdexcept>

#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : throw std::logic_error("no TOML"))
#include <toml++/toml.h>
