// Sizes not given by inputs: of outputs that are declared with `?` or their own name.
#pragma once

#include <string>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// Each argument is TENSOR=SIZE,SIZE,... (`?` leaves one as it is) or DIMENSION=SIZE, and fixes
// sizes that the declarations of the image leave open. Throws UserError if the name is unknown, if
// the number of sizes differs, or if a size is already fixed and differs.
void bind_sizes(Image& image, const std::vector<std::string>& arguments);

}  // namespace tandem
