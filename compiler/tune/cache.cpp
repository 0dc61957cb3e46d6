#include "compiler/tune/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "host/host_file.hpp"
#include "host/interruption.hpp"
#include "host/output_file.hpp"
#include "host/user_error.hpp"
#include "isa/machine.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace tandem::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "tandem tuning cache 1";

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

template <typename Number>
bool read_number(const std::string& word, Number& number) {
  const char* end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && at == end && !word.empty();
}

bool is_digest(const std::string& word) {
  constexpr std::size_t digits = 64;
  return word.size() == digits && llvm::all_of(word, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Reads line by line; an entry that is open at the end is missing its `end`.
class Parser {
 public:
  explicit Parser(const std::string& text) : stream_(text) {}

  std::optional<TuningEntries> run(std::string& error) {
    std::string line;
    if (!next(line) || line != first_line) {
      error = fmt::format(
          "line 1: this is no tuning cache, or one of another version: it does not "
          "begin with '{}'",
          first_line);
      return std::nullopt;
    }
    while (next(line)) {
      const std::string wrong = take(words_of(line));
      if (wrong.empty()) continue;
      error = fmt::format("line {}: {}", number_, wrong);
      return std::nullopt;
    }
    if (key_) {
      error = fmt::format("line {}: the file ends within an entry", number_);
      return std::nullopt;
    }
    return std::move(entries_);
  }

 private:
  bool next(std::string& line) {
    ++number_;
    return static_cast<bool>(std::getline(stream_, line));
  }

  std::string take(const Words& words) {
    if (words.empty()) return "an empty line";
    if (words[0] == "program") return begin(words);
    if (!key_) return "'" + words[0] + "' outside of an entry";
    if (words[0] == "cycles") return cycles(words);
    if (words[0] == "choice") return choice(words);
    if (words[0] == "end" && words.size() == 1) return end();
    return "'" + words[0] + "' is nothing that an entry has";
  }

  std::string begin(const Words& words) {
    if (key_) return "an entry begins within another";
    if (words.size() != 4 || !is_digest(words[1]) || !is_digest(words[3])) {
      return "wants 'program DIGEST PRESET DIGEST'";
    }
    if (const FoundMachine found = find_machine(words[2]); found.machine == nullptr) {
      return found.complaint;
    }
    key_ = TuningKey{words[1], words[2], words[3]};
    entry_ = {};
    return "";
  }

  std::string cycles(const Words& words) {
    const bool fits = words.size() == 3 && read_number(words[1], entry_.by_default) &&
                      read_number(words[2], entry_.tuned);
    return fits ? "" : "wants 'cycles NUMBER NUMBER'";
  }

  std::string choice(const Words& words) {
    std::int64_t value = 0;
    if (words.size() != 3 || !read_number(words[2], value)) return "wants 'choice NAME NUMBER'";
    if (!entry_.choices.emplace(words[1], value).second) return words[1] + " is chosen twice";
    return "";
  }

  std::string end() {
    if (entry_.tuned == 0 || entry_.tuned > entry_.by_default) {
      return "the entry's cycles are missing, or the choices are slower than the default";
    }
    if (!entries_.emplace(*key_, std::move(entry_)).second) return "a second entry for its program";
    key_.reset();
    return "";
  }

  std::istringstream stream_;
  std::size_t number_ = 0;
  TuningEntries entries_;
  std::optional<TuningKey> key_;
  TuningEntry entry_;
};

// A lock held by one process at a time, for as long as it takes to write a file. A process that
// holds it for longer is stopped, or does something else.
class Lock {
 public:
  explicit Lock(const std::string& path)
      : file_(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {
    constexpr auto most = std::chrono::seconds(10);
    const auto until = std::chrono::steady_clock::now() + most;
    while (file_ >= 0 && !is_held_ && interruption() == 0) {
      is_held_ = flock(file_, LOCK_EX | LOCK_NB) == 0;
      if (is_held_ || errno != EWOULDBLOCK || std::chrono::steady_clock::now() > until) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  [[nodiscard]] bool is_held() const { return is_held_; }

 private:
  int file_;
  bool is_held_ = false;
};

}  // namespace

std::string digest_of(const std::string& bytes) {
  const auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes));
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(digest), /*LowerCase=*/true);
}

std::string compiler_digest() {
  std::string bytes;
  return read_file("/proc/self/exe", bytes) ? digest_of(bytes) : "";
}

std::string cache_text(const TuningEntries& entries) {
  std::string text = std::string(first_line) + "\n";
  for (const auto& [key, entry] : entries) {
    text += fmt::format("program {} {} {}\ncycles {} {}\n", key.program, key.preset, key.compiler,
                        entry.by_default, entry.tuned);
    for (const auto& [name, value] : entry.choices) {
      text += fmt::format("choice {} {}\n", name, value);
    }
    text += "end\n";
  }
  return text;
}

std::optional<TuningEntries> parse_cache(const std::string& text, std::string& error) {
  return Parser(text).run(error);
}

std::optional<TuningEntries> read_cache(const std::string& path, std::string& error) {
  std::error_code code;
  if (!fs::exists(path, code) && !code) return TuningEntries();
  std::string text;
  if (fs::is_directory(path, code) || !read_file(path, text)) {
    error = path + ": error: the tuning cache cannot be read";
    return std::nullopt;
  }
  auto entries = parse_cache(text, error);
  if (!entries) error = path + ": error: damaged tuning cache: " + error;
  return entries;
}

bool keep_in_cache(const std::string& path, const TuningKey& key, const TuningEntry& entry,
                   std::string& error) {
  const Lock lock(path + ".lock");
  if (!lock.is_held()) {
    error = path + ": error: the tuning cache cannot be locked (" + path + ".lock)";
    return false;
  }
  auto entries = read_cache(path, error);
  if (!entries) return false;
  (*entries)[key] = entry;
  try {
    write_text(path, cache_text(*entries));
    return true;
  } catch (const UserError&) {
    error = path + ": error: the tuning cache cannot be written";
    return false;
  }
}

}  // namespace tandem::compiler
