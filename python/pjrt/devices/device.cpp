#include "python/pjrt/devices/device.hpp"

#include <fmt/format.h>

#include "python/pjrt/core/handles.hpp"

namespace tandem::pjrt {

DeviceDescription::DeviceDescription(int id, const runtime::DeviceOptions& options,
                                     const Parameters& parameters)
    : id_(id),
      kind_(fmt::format("Tandem {}", options.preset)),
      text_(fmt::format("TandemDevice(id={}, preset={}, model={})", id, options.preset,
                        model_name(options.model))),
      debug_text_(fmt::format("tandem:{} preset={} model={} hbm={}", id, options.preset,
                              model_name(options.model), options.hbm_bytes)) {
  attributes_.add("preset", options.preset);
  attributes_.add("model", model_name(options.model));
  attributes_.add("lanes", static_cast<std::int64_t>(parameters.lanes));
  attributes_.add("hbm_bytes", static_cast<std::int64_t>(options.hbm_bytes));
  attributes_.add("coords", std::vector<std::int64_t>{id, 0, 0});
  attributes_.add("core_on_chip", std::int64_t{0});
}

Device::Device(int id, const runtime::DeviceOptions& options)
    : worker_(std::make_shared<Worker>(options)),
      description_(id, options, worker_->parameters()),
      memory_(*this),
      memory_handle_(&memory_) {}

}  // namespace tandem::pjrt
