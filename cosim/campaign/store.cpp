#include "cosim/campaign/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <tuple>

#include "host/host_file.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

constexpr const char* extension = ".results";
constexpr std::int64_t sync_seconds = 5;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, path + ": " + why};
}

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Unique to each process of each machine that ever writes here.
std::string own_file_name() {
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "host");
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{}-{}-{:x}{}", host, getpid(), now, extension);
}

std::vector<std::string> result_files(const std::string& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) files.push_back(entry.path().string());
  }
  if (error) fail(folder, error.message());
  return files;
}

// The contents of a file of results from `at` on.
std::string contents(const std::string& path, std::uint64_t at) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32U;
  HostFile file(path, HostFile::Pipes::refuse);
  std::string bytes;
  if (!file.ok() || (at != 0 && !file.seek(at)) || !file.read_rest(most, bytes)) {
    fail(path, file.error());
  }
  return bytes;
}

// Calls `take` with each complete line. Returns whether the last one is complete.
template <class Take>
bool each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;  // no newline yet, or never
    take(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

StoreWriter::StoreWriter(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) fail(folder_, error.message());
}

StoreWriter::~StoreWriter() {
  if (file_ >= 0) {
    fdatasync(file_);
    ::close(file_);
  }
}

void StoreWriter::open() {
  path_ = (std::filesystem::path(folder_) / own_file_name()).string();
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path_, std::strerror(errno));
  synced_ = seconds_now();
}

void StoreWriter::append(const SeedRecord& record) {
  if (file_ < 0) open();
  const std::string line = record_line(record);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t written = ::write(file_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, fmt::format("cannot write: {}", std::strerror(errno)));
    done += static_cast<std::size_t>(written);
  }
  if (seconds_now() - synced_ >= sync_seconds) sync();
}

void StoreWriter::sync() {
  if (file_ >= 0) fdatasync(file_);
  synced_ = seconds_now();
}

Store::Store(std::string folder, std::string build)
    : folder_(std::move(folder)), build_(std::move(build)) {}

void Store::refresh() {
  for (const std::string& path : result_files(folder_)) read_file(path);
}

void Store::read_file(const std::string& path) {
  std::uint64_t& at = read_to_[path];
  torn_.erase(path);
  const bool whole = each_line(contents(path, at), [&](std::string_view line) {
    at += line.size() + 1;
    if (auto record = parse_record(line)) {
      take(std::move(*record));
    } else {
      ++damaged_;
    }
  });
  if (!whole) torn_.insert(path);
}

void Store::take(SeedRecord record) {
  if (record.build != build_) {
    ++of_other_builds_;
    return;
  }
  ++records_;
  const std::string key = record.key;
  const std::uint64_t seed = record.seed;
  const auto verdict = [](const SeedRecord& r) { return std::tie(r.outcome, r.bundles, r.cycles); };
  const auto [place, is_new] = results_[key].try_emplace(seed, record);
  if (is_new) return;
  ++duplicates_;
  if (verdict(place->second) != verdict(record)) contradictions_.emplace_back(key, seed);
  if (place->second.passed && !record.passed) place->second = std::move(record);
}

bool Store::has(const std::string& key, std::uint64_t seed) const {
  const auto found = results_.find(key);
  return found != results_.end() && found->second.count(seed) != 0;
}

std::uint64_t merge_stores(const std::string& into, const std::vector<std::string>& from) {
  const auto identity = [](const SeedRecord& record) {
    return fmt::format("{}|{}|{}|{}|{}|{}", record.build, record.key, record.seed, record.outcome,
                       record.bundles, record.cycles);
  };
  std::set<std::string> known;
  const auto each = [](const std::string& folder, const auto& action) {
    for (const std::string& path : result_files(folder)) {
      each_line(contents(path, 0), [&](std::string_view line) {
        if (const auto record = parse_record(line)) action(*record);
      });
    }
  };
  each(into, [&](const SeedRecord& record) { known.insert(identity(record)); });
  StoreWriter writer(into);
  std::uint64_t copied = 0;
  for (const std::string& folder : from) {
    if (!std::filesystem::is_directory(folder)) fail(folder, "is no folder of results");
    each(folder, [&](const SeedRecord& record) {
      if (!known.insert(identity(record)).second) return;
      writer.append(record);
      ++copied;
    });
  }
  return copied;
}

}  // namespace tandem
