#include "cosim/campaign/record.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>

namespace tandem {
namespace {

constexpr std::size_t checksum_digits = 8;

std::uint32_t checksum(std::string_view text) {
  return libdeflate_crc32(0, text.data(), text.size());
}

std::string without_numbers(const std::string& text) {
  std::string result;
  bool in_number = false;
  for (const char c : text) {
    const bool digit = std::isxdigit(static_cast<unsigned char>(c)) != 0 &&
                       (in_number || std::isdigit(static_cast<unsigned char>(c)) != 0);
    const bool of_number = digit || (in_number && c == 'x');
    if (!of_number) result += c;
    if (of_number && !in_number) result += '#';
    in_number = of_number;
  }
  return result;
}

// "vadd.f32" of "{ sa: s1 = add s1, 1 ; va: @p1 v3 = vadd.f32 v1, v2 }" and slot va.
std::string operation_in(const std::string& bundle, const std::string& slot) {
  std::size_t at = bundle.find(slot + ": ");
  if (at == std::string::npos) return {};
  at += slot.size() + 2;
  std::string operation = bundle.substr(at, bundle.find_first_of(";}", at) - at);
  if (operation.rfind('@', 0) == 0) operation.erase(0, operation.find(' ') + 1);
  const std::size_t equals = operation.find(" = ");
  if (equals != std::string::npos) operation.erase(0, equals + 3);
  return operation.substr(0, operation.find(' '));
}

std::string first_place(const nlohmann::json& report) {
  const auto elements = report.find("elements");
  if (elements == report.end() || !elements->is_array() || elements->empty()) return {};
  const nlohmann::json& first = elements->front();
  return first.is_object() ? first.value("place", std::string()) : std::string();
}

}  // namespace

std::string record_line(const SeedRecord& record) {
  nlohmann::json json{{"key", record.key},       {"build", record.build},
                      {"seed", record.seed},     {"outcome", record.outcome},
                      {"passed", record.passed}, {"bundles", record.bundles},
                      {"cycles", record.cycles}, {"us", record.microseconds}};
  if (!record.signature.empty()) json["signature"] = record.signature;
  if (!record.report.empty()) json["report"] = record.report;
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
    const nlohmann::json json = nlohmann::json::parse(text);
    return SeedRecord{json.at("key"),
                      json.at("build"),
                      json.at("seed"),
                      json.at("outcome"),
                      json.at("passed"),
                      json.at("bundles"),
                      json.at("cycles"),
                      json.at("us"),
                      json.value("signature", std::string()),
                      json.value("report", std::string())};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::string failure_signature(std::string_view outcome, const std::string& report_json) {
  std::string signature(outcome);
  const nlohmann::json report = nlohmann::json::parse(report_json, nullptr, false);
  if (!report.is_object()) return signature;
  const std::string slot = report.value("slot", std::string());
  std::string bundle;
  if (report.contains("bundle") && report["bundle"].is_object()) {
    bundle = report["bundle"].value("text", std::string());
  }
  std::string parts[] = {report.value("field", std::string()),
                         slot,
                         operation_in(bundle, slot),
                         without_numbers(first_place(report)),
                         report.value("stall_cause", std::string()),
                         without_numbers(report.value("place", std::string()))};
  for (const std::string& part : parts) {
    if (!part.empty()) signature += ' ' + part;
  }
  return signature;
}

}  // namespace tandem
