// Sets of elements of the state, and which of them bundles write: the basis of watchpoints.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cli/debug/language/selection.hpp"
#include "isa/image.hpp"
#include "isa/state/retire.hpp"

namespace tandem::debug {

// Elements [begin, end) of an area; bytes in HBM.
struct Span {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class Places {
 public:
  // Throws UserError for areas not in records (weights) and for selections in too many pieces.
  explicit Places(const Selection& selection);

  [[nodiscard]] Area area() const { return area_; }
  [[nodiscard]] bool overlaps(const Span& span) const;
  // The intersection, in pieces.
  [[nodiscard]] std::vector<Span> common(const Span& span) const;

 private:
  [[nodiscard]] std::vector<Span>::const_iterator first_common(const Span& span) const;

  Area area_;
  std::vector<Span> spans_;  // sorted, disjoint
};

// Calls visit(area, span) for everything that a bundle wrote; a copy counts as written when it
// starts.
void for_each_write(const RetireRecord& record, const Parameters& machine,
                    const std::function<void(Area, const Span&)>& visit);

// Whether a bundle can write some of the places, whatever the state. Never false when it does.
bool may_write(const Bundle& bundle, const Places& places, const Parameters& machine);
// The same for all of an area.
bool may_write(const Bundle& bundle, Area area);

}  // namespace tandem::debug
