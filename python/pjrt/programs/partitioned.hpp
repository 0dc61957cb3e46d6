// A program over several devices as the program of one of them, and how the arrays of all devices
// make up those of the whole. python/tandem/partition makes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::pjrt {

// xla.OpSharding of each argument or result, and lists of them as the interface wants them, which
// point into it.
class Shardings {
 public:
  explicit Shardings(std::vector<std::string> each);
  Shardings(const Shardings&) = delete;
  Shardings& operator=(const Shardings&) = delete;

  [[nodiscard]] std::size_t size() const { return each_.size(); }
  [[nodiscard]] const char* const* data() const { return data_.data(); }
  [[nodiscard]] const std::size_t* sizes() const { return sizes_.data(); }

 private:
  const std::vector<std::string> each_;
  std::vector<const char*> data_;
  std::vector<std::size_t> sizes_;
};

struct Partitioned {
  std::string bytes;     // the whole program, as given
  std::string artifact;  // the program of one device
  std::string shown;     // the same for frameworks, which know nothing of the number
  bool takes_number;     // after its arguments it takes the number of its partition, a uint32
  Shardings arguments;
  Shardings results;
};
using SharedPartitioned = std::shared_ptr<const Partitioned>;

// Throws Failure for invalid bytes.
SharedPartitioned read_partitioned(std::string bytes);

}  // namespace tandem::pjrt
