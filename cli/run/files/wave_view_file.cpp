#include "cli/run/files/wave_view_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cosim/verilated/wave_view.hpp"
#include "host/output_file.hpp"

namespace tandem {

void claim_wave_and_view(const std::string& wave) {
  const std::string view = wave_view_path(wave);
  if (view == wave) throw UserError{fmt::format(message::wave_is_signal_list, wave)};
  claim_output(wave);
  claim_output(view);
}

nlohmann::json write_wave_view(const std::string& wave, std::uint64_t first_cycle,
                               std::uint64_t marked_cycle) {
  const std::string view = wave_view_path(wave);
  write_text(view, wave_view(wave, first_cycle, marked_cycle));
  return {{"file", wave}, {"view", view}};
}

}  // namespace tandem
