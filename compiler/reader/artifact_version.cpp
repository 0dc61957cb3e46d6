#include "compiler/reader/artifact_version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tandem::compiler {
namespace {

using Version = std::array<unsigned, 3>;

constexpr Version oldest{0, 9, 0};
constexpr Version newest{1, 17, 0};
constexpr std::string_view magic = "ML\xefR";
constexpr std::string_view producer = "StableHLO_v";

std::string text_of(const Version& version) {
  return fmt::format("{}.{}.{}", version[0], version[1], version[2]);
}

std::optional<Version> parsed(std::string_view text) {
  Version version{};
  for (unsigned& part : version) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const bool last = &part == &version.back();
    if (last != text.empty() || (!last && text[0] != '.')) return std::nullopt;
    if (!last) text.remove_prefix(1);
  }
  return version;
}

// After the magic letters and the version of the bytecode, up to a zero byte.
std::string_view producer_of(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 1) return {};
  bytes.remove_prefix(magic.size() + 1);
  return bytes.substr(0, std::min(bytes.find('\0'), bytes.size()));
}

}  // namespace

std::string version_refusal(std::string_view bytes) {
  std::string_view text = producer_of(bytes);
  if (!text.starts_with(producer)) return {};
  text.remove_prefix(producer.size());
  const std::optional<Version> version = parsed(text);
  if (!version) return "the version of StableHLO in this artifact is damaged";
  if (*version >= oldest && *version <= newest) return {};
  return fmt::format(
      "unimplemented: this artifact is of StableHLO {}, read are {} to {}; in Python: "
      "`stablehlo.serialize_portable_artifact(module, \"{}\")`",
      text_of(*version), text_of(oldest), text_of(newest), text_of(newest));
}

}  // namespace tandem::compiler
