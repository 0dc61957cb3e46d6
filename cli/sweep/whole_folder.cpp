#include "cli/sweep/whole_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "runtime/device/digest.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

constexpr const char* sums_name = "sums.txt";

std::string sum_of(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  runtime::Digest digest;
  digest.add(bytes.data(), bytes.size());
  return digest.text();
}

// A line for each file but the one of the sums, "sum name", in order.
std::string sums_of(const std::string& folder) {
  std::vector<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_directory() || name == sums_name) continue;
    lines.push_back(fmt::format("{} {}\n", sum_of(entry.path().string()), name));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

bool is_whole(const std::string& folder) {
  try {
    return fs::exists(folder) &&
           read_text(fmt::format("{}/{}", folder, sums_name)) == sums_of(folder);
  } catch (const UserError&) {  // no sums, or something else than a file
    return false;
  } catch (const fs::filesystem_error&) {
    return false;
  }
}

void make_with_sums(const std::string& folder,
                    const std::function<void(const std::string&)>& make) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  make(folder);
  std::ofstream sums(fmt::format("{}/{}", folder, sums_name), std::ios::binary);
  sums << sums_of(folder) << std::flush;
  if (!sums) throw UserError{fmt::format(message::file_error, folder, "cannot write")};
}

}  // namespace

void make_whole(const std::string& folder, const std::function<void(const std::string&)>& make) {
  if (is_whole(folder)) return;
  const std::string begun = fmt::format("{}.{}", folder, getpid());
  const std::string damaged = begun + ".damaged";
  std::error_code error;
  try {
    make_with_sums(begun, make);
    if (!is_whole(folder)) fs::rename(folder, damaged, error);  // where there is one
    fs::rename(begun, folder, error);
  } catch (...) {
    fs::remove_all(begun);
    throw;
  }
  fs::remove_all(damaged);
  if (!error) return;
  fs::remove_all(begun);
  if (!is_whole(folder)) throw UserError{fmt::format(message::file_error, folder, error.message())};
}

}  // namespace tandem
