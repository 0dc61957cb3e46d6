// Single files of a folder that others may write into, too. A file counts only if it is the user's
// own (or root's), regular, and writable by nobody else; links are not followed, and what is no
// file (a pipe, a device, a folder) is neither read nor replaced.
#pragma once

#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::pjrt {

// Its content, and the time is noted at it. Nothing where there is no file that counts, or one
// larger than `most` bytes.
std::optional<std::string> use_file(const std::string& path, std::uint64_t most);

struct FileState {
  std::uint64_t bytes = 0;
  std::time_t used = 0;
  std::string beginning;  // up to as many bytes as were asked for
};

std::optional<FileState> look_at_file(const std::string& path, std::size_t beginning);

// The pieces as a file of this name, complete or not at all; only the user may read it.
// `unfinished` is the beginning of the name that it has in its folder until then. False where that
// cannot be: also where something of this name is that does not count.
bool put_file(const std::string& path, const std::string& unfinished,
              std::initializer_list<std::string_view> pieces);

}  // namespace tandem::pjrt
