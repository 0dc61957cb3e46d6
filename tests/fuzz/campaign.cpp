// Any bytes as a campaign file, as a file of knobs, as a fault to plant and as a line of results:
// each is taken or refused with a reason.
#include <string>
#include <string_view>

#include "cosim/campaign/campaign.hpp"
#include "cosim/campaign/record.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/session/model_list.hpp"
#include "runtime/error.hpp"

namespace {

using namespace tandem;  // NOLINT

template <typename Parse>
void refuse_or_parse(Parse parse) {
  try {
    parse();
  } catch (const runtime::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT
  refuse_or_parse([&] { (void)parse_campaign(text, "f.toml"); });
  refuse_or_parse([&] {
    KnobChoices choices;
    choose_knobs(choices, text, "f.knobs");
    (void)random_knobs(1, choices);
  });
  refuse_or_parse([&] { (void)parse_fault(text.substr(0, text.find('\n'))); });
  (void)find_models(text);
  (void)parse_record(text);
  return 0;
}
