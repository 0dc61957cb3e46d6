// Sizes that no input brings: of outputs that are declared with `?` or a name of their own.
#pragma once

#include <string>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// Each argument is TENSOR=SIZE,SIZE,... (`?` leaves one as it is) or DIMENSION=SIZE, and fixes what
// the declarations of the image leave open. Throws UserError when it names nothing, when the number
// of sizes is another one, or when a size is fixed already and differs.
void bind_sizes(Image& image, const std::vector<std::string>& arguments);

}  // namespace tandem
