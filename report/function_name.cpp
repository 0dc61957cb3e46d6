#include "report/function_name.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "isa/text/source_place.hpp"

namespace tandem {

std::string function_name(const Profile& profile, const Image& image) {
  std::map<std::string_view, std::uint64_t> cycles;
  for (const BundleProfile& bundle : profile.bundles()) {
    const SourceFrame* const frame = find_source(image, bundle.pc);
    if (frame == nullptr) continue;
    const std::string_view operation = image.source.operation_of(*frame);
    const std::size_t end = operation.find('/');
    if (end == std::string_view::npos || end == 0) continue;
    cycles[operation.substr(0, end)] += bundle.total();
  }
  const auto most = std::max_element(
      cycles.begin(), cycles.end(),
      [](const auto& left, const auto& right) { return left.second < right.second; });
  return most == cycles.end() ? std::string() : std::string(most->first);
}

}  // namespace tandem
