// The view for GTKWave next to a waveform.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tandem {

// Claims the waveform and its view; a waveform with the same name as its view is a UserError.
void claim_wave_and_view(const std::string& wave);
// The view of a waveform that begins at `first_cycle`, marked at `marked_cycle`: {"file", "view"}.
nlohmann::json write_wave_view(const std::string& wave, std::uint64_t first_cycle,
                               std::uint64_t marked_cycle);

}  // namespace tandem
