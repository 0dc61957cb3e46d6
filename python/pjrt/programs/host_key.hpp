// Which functions of the host a program calls, where it calls any. The Python package gives each
// program that it lowers a key, as an attribute of the module; what the functions are it keeps by
// that key.
#pragma once

#include <string>
#include <string_view>

namespace tandem::pjrt {

// Whether the program tells the host anything.
bool calls_host(std::string_view artifact);
// "" where the program has none.
std::string host_key(std::string_view artifact);
// The same program whatever the key: what is compiled, and found again in another process.
std::string without_host_key(std::string_view artifact);

}  // namespace tandem::pjrt
