#include "cosim/campaign/record.hpp"

#include "report/json/json_text.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace tandem {
namespace {

constexpr std::size_t checksum_digits = 8;

std::uint32_t checksum(std::string_view text) {
  return libdeflate_crc32(0, text.data(), text.size());
}

}  // namespace

std::string record_line(const SeedRecord& record) {
  nlohmann::json json{{"key", record.key},       {"build", record.build},
                      {"seed", record.seed},     {"outcome", record.outcome},
                      {"passed", record.passed}, {"bundles", record.bundles},
                      {"cycles", record.cycles}, {"us", record.microseconds}};
  if (!record.signature.empty()) json["signature"] = record.signature;
  if (!record.report.empty()) json["report"] = record.report;
  if (!record.data.empty()) json["data"] = parse_json(record.data);
  const std::string text = json_text(json, -1);
  return fmt::format("{:08x} {}\n", checksum(text), text);
}

std::optional<SeedRecord> parse_record(std::string_view line) {
  if (line.size() < checksum_digits + 1 || line[checksum_digits] != ' ') return std::nullopt;
  std::uint32_t sum = 0;
  const char* const digits_end = line.data() + checksum_digits;
  const auto [stop, error] = std::from_chars(line.data(), digits_end, sum, 16);
  const std::string_view text = line.substr(checksum_digits + 1);
  if (error != std::errc() || stop != digits_end || sum != checksum(text)) return std::nullopt;
  try {
    const nlohmann::json json = parse_json(text);
    return SeedRecord{json.at("key"),
                      json.at("build"),
                      json.at("seed"),
                      json.at("outcome"),
                      json.at("passed"),
                      json.at("bundles"),
                      json.at("cycles"),
                      json.at("us"),
                      json.value("signature", std::string()),
                      json.value("report", std::string()),
                      json.contains("data") ? json_text(json["data"], -1) : std::string()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tandem
