#include "cosim/coverage/coverage_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "isa/text/markup.hpp"
#include "isa/version.hpp"

namespace tandem {
namespace {

// "operand/vadd.f32 x form lo": its parts.
struct BinName {
  std::string_view group;
  std::string_view point;  // "vadd.f32"
  std::string_view rest;   // "form lo"
};

BinName parts_of(std::string_view name) {
  constexpr std::string_view cross = " x ";
  const std::string_view group = group_of(name);
  std::string_view rest = name.substr(std::min(name.size(), group.size() + 1));
  const std::size_t at = rest.find(cross);
  if (at == std::string_view::npos) return {group, group, rest};
  return {group, rest.substr(0, at), rest.substr(at + cross.size())};
}

std::uint64_t count_of(const BinCounts& counts, std::string_view name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

std::string xml(std::string_view text) { return escaped_markup(text); }

constexpr std::string_view source_place = R"(file="1" line="1" inlineCount="1")";

std::string head(const std::vector<std::string>& tests, const std::string& time) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<UCIS ucisVersion=\"1.0\" writtenBy=\"tandem {}\" writtenTime=\"{}\">\n"
      "<sourceFiles fileName=\"isa/instructions.def\" id=\"1\"/>\n",
      version, time);
  for (std::size_t number = 0; number < tests.size(); ++number) {
    text += fmt::format(
        "<historyNodes historyNodeId=\"{0}\" logicalName=\"{1}\" physicalName=\"{1}\" "
        "kind=\"test\" testStatus=\"true\" date=\"{2}\" toolCategory=\"UCIS:Simulator\" "
        "ucisVersion=\"1.0\" vendorId=\"tandem\" vendorTool=\"tandem\" "
        "vendorToolVersion=\"{3}\"/>\n",
        number, xml(tests[number]), time, version);
  }
  return text + fmt::format(
                    "<instanceCoverages name=\"tpu\" key=\"0\" instanceId=\"1\" "
                    "moduleName=\"tpu\">\n<id {}/>\n",
                    source_place);
}

std::string group_begin(std::string_view group) {
  return fmt::format(
      "<covergroupCoverage>\n<cgInstance name=\"{0}\" key=\"0\">\n<options/>\n"
      "<cgId cgName=\"{0}\" moduleName=\"tpu\"><cginstSourceId {1}/><cgSourceId {1}/></cgId>\n",
      xml(group), source_place);
}

// The bins of a coverpoint are numbered from 0.
std::string bin_text(const BinName& name, std::uint64_t number, std::uint64_t count,
                     bool is_reachable) {
  return fmt::format(
      "<coverpointBin name=\"{}\" key=\"0\" type=\"{}\"><range from=\"{}\" to=\"{}\">"
      "<contents coverageCount=\"{}\"/></range></coverpointBin>\n",
      xml(name.rest), is_reachable ? "bins" : "ignore", number, number, count);
}

}  // namespace

std::string ucis_xml(const BinCounts& counts, const std::vector<std::string>& tests,
                     const std::string& time) {
  constexpr std::string_view point_end = "</coverpoint>\n";
  constexpr std::string_view group_end = "</cgInstance>\n</covergroupCoverage>\n";
  std::string text = head(tests, time);
  BinName before;
  std::uint64_t number = 0;
  for (std::size_t bin = 0; bin < bin_table().size(); ++bin) {
    const std::string& name = bin_table().name(bin);
    const BinName parts = parts_of(name);
    const bool is_new_group = parts.group != before.group;
    if (is_new_group || parts.point != before.point) {
      if (bin != 0) text += point_end;
      if (is_new_group && bin != 0) text += group_end;
      if (is_new_group) text += group_begin(parts.group);
      text += fmt::format("<coverpoint name=\"{}\" key=\"0\">\n<options/>\n", xml(parts.point));
      number = 0;
    }
    text += bin_text(parts, number++, count_of(counts, name), bin_table().unreachable(bin).empty());
    before = parts;
  }
  text += std::string(point_end) + std::string(group_end);
  return text + "</instanceCoverages>\n</UCIS>\n";
}

LcovFiles lcov_files(const BinCounts& counts, const std::string& folder) {
  LcovFiles files;
  for (const GroupCoverage& group : summarise(counts)) {
    std::string& list = files.lists[group.group];
    files.tracefile += fmt::format("TN:\nSF:{}/{}\n", folder, group.group);
    std::size_t line = 0;
    for (std::size_t bin = 0; bin < bin_table().size(); ++bin) {
      const std::string& name = bin_table().name(bin);
      if (group_of(name) != group.group || !bin_table().unreachable(bin).empty()) continue;
      list += name + "\n";
      files.tracefile += fmt::format("DA:{},{}\n", ++line, count_of(counts, name));
    }
    files.tracefile += fmt::format("LF:{}\nLH:{}\nend_of_record\n", group.bins, group.covered);
  }
  return files;
}

}  // namespace tandem
