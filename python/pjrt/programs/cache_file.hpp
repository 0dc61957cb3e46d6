// Single files of a folder that others may write into, too. A file is valid only if it is the
// user's own (or root's), regular, and not writable by other users; links are not followed, and
// other kinds (a pipe, a device, a folder) are neither read nor replaced.
#pragma once

#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::pjrt {

// Its content; its time of use is updated. Nothing if there is no valid file, or one larger than
// `most` bytes.
std::optional<std::string> use_file(const std::string& path, std::uint64_t most);

struct FileState {
  std::uint64_t bytes = 0;
  std::time_t used = 0;
  std::string beginning;  // up to as many bytes as were asked for
};

std::optional<FileState> look_at_file(const std::string& path, std::size_t beginning);

// Writes the pieces as a file of this name, completely or not at all; only the user may read it.
// `unfinished` is the prefix of its temporary name in the folder. False if that is impossible, also
// if the name belongs to something that is not valid.
bool put_file(const std::string& path, const std::string& unfinished,
              std::initializer_list<std::string_view> pieces);

}  // namespace tandem::pjrt
