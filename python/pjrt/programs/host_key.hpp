// Which functions of the host a program calls, if any. The Python package gives each program that
// it lowers a key, as an attribute of the module, and keeps the functions by that key.
#pragma once

#include <string>
#include <string_view>

namespace tandem::pjrt {

// Whether the program calls the host.
bool calls_host(std::string_view artifact);
// "" if the program has none.
std::string host_key(std::string_view artifact);
// The program without its key: this is compiled, and found again in another process.
std::string without_host_key(std::string_view artifact);

}  // namespace tandem::pjrt
