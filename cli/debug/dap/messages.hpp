// The Debug Adapter Protocol's messages: JSON after a header that tells its bytes
// (https://microsoft.github.io/debug-adapter-protocol).
#pragma once

#include <condition_variable>
#include <deque>
#include <istream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "cli/debug/monitor.hpp"

namespace tandem::debug::dap {

// The next message; none at the end of the stream. Throws UserError for what is no message.
std::optional<nlohmann::json> read_message(std::istream& in);
// To standard output.
void write_message(const nlohmann::json& message);

// What a key of an object holds, or `absent` where it holds something else.
std::string text_at(const nlohmann::json& object, const char* key, const std::string& absent = "");
std::int64_t number_at(const nlohmann::json& object, const char* key, std::int64_t absent);
bool flag_at(const nlohmann::json& object, const char* key, bool absent);
nlohmann::json object_at(const nlohmann::json& object, const char* key);  // {} where there is none
nlohmann::json array_at(const nlohmann::json& object, const char* key);   // [] likewise

// Messages that a thread reads ahead, so that `pause` and `disconnect` end a run under way.
class Inbox {
 public:
  explicit Inbox(std::istream& in);
  ~Inbox();
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // Waits for it. None at the end. Throws UserError for what is no message.
  std::optional<nlohmann::json> next();
  // Before a run: what ends it, from now on or because a message that waits does. nullptr: no run.
  void begin_run(Interrupt* run);

 private:
  void read(std::istream& in);

  std::mutex mutex_;  // of what follows
  std::condition_variable arrived_;
  std::deque<std::optional<nlohmann::json>> messages_;
  std::string trouble_;
  Interrupt* run_ = nullptr;
  std::thread reader_;
};

}  // namespace tandem::debug::dap
