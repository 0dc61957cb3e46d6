// A mismatch report as text and as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cosim/checker/copies.hpp"
#include "cosim/reports/mismatch_report.hpp"
#include "cosim/reports/signature.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

std::string ulp_text(const ElementReport& element) {
  const auto ulp = ulp_distance(element.expected, element.got);
  return ulp ? fmt::format("{}", *ulp) : "NaN";
}

// Numbers of the bits that are set, from the highest on: "31, 7..4, 0".
std::string differing_bits(std::uint32_t bits) {
  std::string text;
  for (int high = 31; high >= 0; --high) {
    if (((bits >> high) & 1U) == 0) continue;
    int low = high;
    while (low > 0 && ((bits >> (low - 1)) & 1U) != 0) --low;
    text += text.empty() ? "" : ", ";
    text += low == high ? fmt::format("{}", high) : fmt::format("{}..{}", high, low);
    high = low;
  }
  return text;
}

// If the two are shown as words.
bool shows_bits(const ElementReport& element) {
  return element.expected != element.got && element.expected_text.starts_with("0x");
}

std::string headline(const MismatchReport& report) {
  const Mismatch& mismatch = report.mismatch;
  const CompareFieldRow& field = compare_field(mismatch.field);
  std::string text = fmt::format("MISMATCH in {} ({})", field.text, field.meaning);
  if (mismatch.sequence) text += fmt::format(", bundle {}", *mismatch.sequence);
  if (mismatch.slot) text += fmt::format(", slot {}", slot_name(*mismatch.slot));
  if (mismatch.space != Space::none && report.elements.empty()) {
    text += ", " + place_text({Slot::sa, mismatch.space, 0, mismatch.index, {}, 0});
  }
  return text + fmt::format(", seen in cycle {}; expected is {}, got is {}\n",
                            report.context.cycles, report.context.expected_model,
                            report.context.got_model);
}

std::string elements_text(const MismatchReport& report) {
  std::string text;
  for (const ElementReport& element : report.elements) {
    text += fmt::format("  {}\n    expected {}\n    got      {}\n", element.place,
                        element.expected_text, element.got_text);
    if (shows_bits(element)) {
      text += fmt::format("    bits     {}\n", differing_bits(element.expected ^ element.got));
    }
    if (element.is_number) text += fmt::format("    ulp      {}\n", ulp_text(element));
  }
  if (report.differing > report.elements.size()) {
    text += fmt::format("  {} of {} words differ\n", report.differing, report.words);
  }
  return text;
}

std::string operands_text(const MismatchReport& report) {
  if (report.operands.empty()) return {};
  std::string text = "operands come from\n";
  for (const OperandReport& operand : report.operands) {
    const std::string name = std::string(2 * std::size_t{operand.depth}, ' ') + operand.operand;
    text += fmt::format("  {:24} {}{}{}\n", name, operand.producer,
                        operand.text.empty() ? "" : "  ", operand.text);
  }
  return text;
}

std::string flight_text(const MismatchReport& report) {
  const Parameters& parameters = *report.context.image->preset;
  std::string text;
  for (const CopyInFlight& copy : report.copies) {
    text += fmt::format(
        "  copy of bundle {} (pc {}): {} to {}, f{} += {}\n", copy.sequence, copy.pc,
        copy_address_text(copy_source_space(copy.copy), copy.copy.source, parameters),
        copy_address_text(copy_destination_space(copy.copy), copy.copy.destination, parameters),
        copy_flag(copy.copy), copy_amount(copy.copy));
  }
  for (const std::string& line : report.in_flight) text += fmt::format("  {}\n", line);
  return text.empty() ? text : "in flight\n" + text;
}

nlohmann::json elements_json(const MismatchReport& report) {
  nlohmann::json list = nlohmann::json::array();
  for (const ElementReport& element : report.elements) {
    nlohmann::json item{{"place", element.place},
                        {"expected", fmt::format("0x{:08x}", element.expected)},
                        {"got", fmt::format("0x{:08x}", element.got)},
                        {"expected_text", element.expected_text},
                        {"got_text", element.got_text}};
    if (!element.is_number) {
      list.push_back(std::move(item));
      continue;
    }
    if (const auto ulp = ulp_distance(element.expected, element.got)) item["ulp"] = *ulp;
    list.push_back(std::move(item));
  }
  return list;
}

nlohmann::json bundle_json(const RetireRecord& record, const Image& image) {
  return {{"sequence", record.sequence},
          {"pc", record.pc},
          {"source", source_location(image, record.pc)},
          {"text", bundle_text(record.bundle)}};
}

std::string bundles_text(const MismatchReport& report) {
  std::string text = "last bundles\n";
  for (const RetireRecord& record : report.last_bundles) {
    const bool concerned = report.record && record.sequence == report.record->sequence;
    text += fmt::format("{} {:8}  {}\n", concerned ? ">" : " ", record.sequence,
                        bundle_title(record.pc, record.bundle, *report.context.image));
  }
  return text;
}

}  // namespace

std::string repeat_text(const ReportContext& context) {
  const std::string conditions =
      fmt::format("preset {}, seed {}, memory seed {}, jitter {}, reset seed {}\n",
                  context.image->preset->name, context.seed, context.machine.memory.seed,
                  context.machine.memory.jitter, context.machine.reset_seed);
  // The user of an embedded device knows how to repeat a run.
  if (context.command.empty()) return conditions;
  return conditions + fmt::format("repeat with\n  {}\n", context.command);
}

nlohmann::json repeat_json(const ReportContext& context) {
  return {{"expected_model", context.expected_model},
          {"got_model", context.got_model},
          {"preset", context.image->preset->name},
          {"seed", context.seed},
          {"memory_seed", context.machine.memory.seed},
          {"jitter", context.machine.memory.jitter},
          {"command", context.command}};
}

std::string bundle_title(std::uint32_t pc, const Bundle& bundle, const Image& image) {
  const auto label_of = [&image](std::uint32_t target) { return label_at(image, target); };
  const std::string location = source_location(image, pc);
  return fmt::format("pc {}{}{}  {}", pc, location.empty() ? "" : "  ", location,
                     bundle_text(bundle, label_of));
}

std::string report_text(const MismatchReport& report) {
  const Image& image = *report.context.image;
  std::string text = headline(report) + elements_text(report);
  if (report.record) {
    text += fmt::format("bundle {}: {}\n", report.record->sequence,
                        bundle_title(report.record->pc, report.record->bundle, image));
  }
  return text + operands_text(report) + flight_text(report) + bundles_text(report) +
         repeat_text(report.context);
}

nlohmann::json report_json(const MismatchReport& report) {
  const Image& image = *report.context.image;
  const Mismatch& mismatch = report.mismatch;
  nlohmann::json json = repeat_json(report.context);
  json["field"] = compare_field(mismatch.field).text;
  json["meaning"] = compare_field(mismatch.field).meaning;
  json["cycle"] = report.context.cycles;
  json["elements"] = elements_json(report);
  json["differing_words"] = report.differing;
  json["signature"] = mismatch_signature(report);
  if (mismatch.sequence) json["sequence"] = *mismatch.sequence;
  if (mismatch.slot) json["slot"] = slot_name(*mismatch.slot);
  if (report.record) json["bundle"] = bundle_json(*report.record, image);
  for (const OperandReport& operand : report.operands) {
    json["operands"].push_back({{"operand", operand.operand},
                                {"producer", operand.producer},
                                {"depth", operand.depth},
                                {"text", operand.text}});
  }
  for (const RetireRecord& record : report.last_bundles) {
    json["last_bundles"].push_back(bundle_json(record, image));
  }
  for (const CopyInFlight& copy : report.copies) {
    json["copies_in_flight"].push_back({{"sequence", copy.sequence},
                                        {"pc", copy.pc},
                                        {"source", copy.copy.source},
                                        {"destination", copy.copy.destination},
                                        {"flag", copy_flag(copy.copy)},
                                        {"amount", copy_amount(copy.copy)}});
  }
  for (const std::string& line : report.in_flight) json["in_flight"].push_back(line);
  return json;
}

std::string silence_report_text(const Checker& checker, const ReportContext& context,
                                StallCause cause) {
  const MismatchReport report = make_report(checker, {}, context);
  const std::uint32_t pc = checker.golden().pc();
  const std::string location = source_location(*context.image, pc);
  return fmt::format(
             "NO RETIREMENT: nothing has happened for long, now cycle {}; {} bundles are done, the "
             "next is pc {}{}{}\nstall cause of the last cycle: {}\n",
             context.cycles, checker.bundles(), pc, location.empty() ? "" : "  ", location,
             stall_causes()[static_cast<std::size_t>(cause)].name) +
         flight_text(report) + bundles_text(report) + repeat_text(context);
}

nlohmann::json silence_report_json(const Checker& checker, const ReportContext& context,
                                   StallCause cause) {
  nlohmann::json json = report_json(make_report(checker, {}, context));
  json["field"] = "no_retirement";
  json["signature"] =
      fmt::format("no_retirement {}", stall_causes()[static_cast<std::size_t>(cause)].name);
  json["meaning"] = "the machine stopped retiring bundles";
  json["stall_cause"] = stall_causes()[static_cast<std::size_t>(cause)].name;
  json["next_pc"] = checker.golden().pc();
  return json;
}

}  // namespace tandem
