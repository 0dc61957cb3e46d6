#include "cli/debug/dap/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <utility>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "report/json/json_text.hpp"

namespace tandem::debug::dap {
namespace {

constexpr std::string_view length_header = "Content-Length:";
constexpr std::size_t longest_header = 4096;
constexpr std::size_t longest_message = std::size_t{1} << 26U;

[[noreturn]] void refuse(const std::string& why) {
  throw UserError{fmt::format(message::no_dap_message, why)};
}

// A line of the header, without its end; none at the end of the stream.
std::optional<std::string> header_line(std::istream& in) {
  std::string line;
  for (int letter = in.get(); letter != '\n'; letter = in.get()) {
    if (letter == std::istream::traits_type::eof()) {
      if (line.empty()) return std::nullopt;
      refuse("it ends in its header");
    }
    if (line.size() == longest_header) refuse("its header is too long");
    line += static_cast<char>(letter);
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

std::size_t length_in(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' ', length_header.size()), line.size()));
  std::size_t length = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), length);
  if (error != std::errc() || stop != line.data() + line.size())
    refuse("its length is not a number");
  if (length > longest_message) refuse(fmt::format("it has {} bytes", length));
  return length;
}

// The end of the stream does, too.
bool ends_run(const std::optional<nlohmann::json>& message) {
  if (!message) return true;
  const std::string command = text_at(*message, "command");
  return command == "pause" || command == "disconnect";
}

}  // namespace

std::optional<nlohmann::json> read_message(std::istream& in) {
  std::optional<std::size_t> length;
  for (;;) {
    const std::optional<std::string> line = header_line(in);
    if (!line && !length) return std::nullopt;
    if (!line) refuse("it ends after its header");
    if (line->empty()) break;
    if (line->starts_with(length_header)) length = length_in(*line);
  }
  if (!length) refuse("its header has no Content-Length");
  std::string body(*length, '\0');
  in.read(body.data(), static_cast<std::streamsize>(body.size()));
  if (static_cast<std::size_t>(in.gcount()) != body.size()) refuse("it is shorter than it says");
  nlohmann::json message = parse_json(body);
  if (!message.is_object()) refuse("it is no JSON object");
  return message;
}

void write_message(const nlohmann::json& message) {
  const std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  fmt::print("Content-Length: {}\r\n\r\n{}", body.size(), body);
  std::fflush(stdout);
}

std::string text_at(const nlohmann::json& object, const char* key, const std::string& absent) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : absent;
}

std::int64_t number_at(const nlohmann::json& object, const char* key, std::int64_t absent) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : absent;
}

bool flag_at(const nlohmann::json& object, const char* key, bool absent) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() ? found->get<bool>() : absent;
}

nlohmann::json object_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : nlohmann::json::object();
}

nlohmann::json array_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : nlohmann::json::array();
}

Inbox::Inbox(std::istream& in) : reader_([this, &in] { read(in); }) {}

Inbox::~Inbox() { reader_.join(); }

// Ends at the end of the stream or with what ends the dialogue, so that nobody waits for it.
void Inbox::read(std::istream& in) {
  for (bool goes_on = true; goes_on;) {
    std::optional<nlohmann::json> message;
    std::string trouble;
    try {
      message = read_message(in);
    } catch (const UserError& error) {
      trouble = error.message;
    }
    goes_on = message && text_at(*message, "command") != "disconnect";
    const std::lock_guard lock(mutex_);
    if (run_ != nullptr && ends_run(message)) *run_ = true;
    trouble_ = trouble;
    messages_.push_back(std::move(message));
    arrived_.notify_one();
  }
}

void Inbox::begin_run(Interrupt* run) {
  const std::lock_guard lock(mutex_);
  run_ = run;
  if (run_ != nullptr) *run_ = std::any_of(messages_.begin(), messages_.end(), ends_run);
}

std::optional<nlohmann::json> Inbox::next() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return !messages_.empty(); });
  std::optional<nlohmann::json> message = std::move(messages_.front());
  messages_.pop_front();
  if (!message && !trouble_.empty()) throw UserError{trouble_};
  return message;
}

}  // namespace tandem::debug::dap
