// Any bytes as a trace or as a page of an earlier run.
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/page.hpp"
#include "sim/trace/trace_diff.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT
  try {
    const trace::Timeline timeline = trace::read_timeline(bytes);
    (void)trace::difference_text(trace::compare(timeline, timeline, trace::GroupBy::line), 5);
  } catch (const trace::ReadError&) {
  }
  (void)page_data(std::string(bytes));
  return 0;
}
