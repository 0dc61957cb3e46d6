#include "host/machine_file.hpp"

#include "host/host_file.hpp"
#include "host/output_file.hpp"
#include "host/toml.hpp"
#include "host/user_error.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t largest_file = 1U << 16U;

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw UserError{place + ": " + why};
}

std::string place(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line);
}

std::string contents(const std::string& path) {
  note_input(path);
  HostFile file(path);
  std::string text;
  if (!file.ok() || !file.read_rest(largest_file, text)) refuse(path, file.error());
  return text;
}

std::string value_text(const std::string& path, const toml::node& node) {
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto text = node.value_exact<std::string>()) return *text;
  refuse(place(path, node.source()), "a size is a number, or text as \"2MiB\"");
}

// "lanes=32": one item of a machine's name.
std::string item(const std::string& path, std::string_view key, const toml::node& node) {
  const std::string value = value_text(path, node);
  for (const std::string_view text : {key, std::string_view(value)}) {
    if (text.find_first_of(",=") == std::string_view::npos) continue;
    refuse(place(path, node.source()), "a line gives one size: '" + std::string(text) + "'");
  }
  return std::string(key) + "=" + value;
}

std::string text_of(const std::string& path, const toml::table& table) {
  std::string sizes;
  std::string preset;
  for (const auto& [key, node] : table) {
    if (key == "preset") {
      preset = value_text(path, node);
    } else {
      sizes += "," + item(path, key.str(), node);
    }
  }
  if (preset.empty() && sizes.empty()) refuse(path, "names no preset and no size");
  return preset.empty() ? sizes.substr(1) : preset + sizes;
}

bool is_file(const std::string& given) { return given.ends_with(".toml"); }

}  // namespace

std::string machine_text(const std::string& given) {
  if (!is_file(given)) return given;
  const std::string text = contents(given);
  try {
    return text_of(given, toml::parse(text, given));
  } catch (const toml::parse_error& error) {
    refuse(place(given, error.source()), std::string(error.description()));
  } catch (const std::logic_error&) {
    refuse(given, "this is no TOML");
  }
}

std::string machine_complaint(const std::string& given, const std::string& complaint) {
  return is_file(given) && !complaint.empty() ? given + ": " + complaint : complaint;
}

}  // namespace tandem
