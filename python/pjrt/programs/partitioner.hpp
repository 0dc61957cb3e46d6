// From a program over several devices to the program of one: partitioned now, by a process of its
// own, or found in the cache.
#pragma once

#include <string>
#include <string_view>

#include "python/pjrt/core/interrupts.hpp"
#include "python/pjrt/core/options.hpp"
#include "python/pjrt/core/recent.hpp"
#include "python/pjrt/programs/compile_cache.hpp"
#include "python/pjrt/programs/compile_options.hpp"
#include "python/pjrt/programs/partitioned.hpp"

namespace tandem::pjrt {

// Any thread may ask at any time.
class Partitioner {
 public:
  explicit Partitioner(const ClientOptions& options);

  // Blocks while the partitioner runs. Throws Failure.
  SharedPartitioned partition(std::string_view artifact, const CompileOptions& options,
                              const Interrupt& interrupt);

 private:
  [[nodiscard]] SharedPartitioned kept(std::string_view key) const;
  [[nodiscard]] std::string run(std::string_view artifact, const CompileOptions& options,
                                const Interrupt& interrupt) const;

  const std::string python_;
  const std::string script_;
  const CompileCache cache_;
  Recent<Partitioned> known_;
};

}  // namespace tandem::pjrt
