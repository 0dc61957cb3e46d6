// Folders of files that are made once and used again, as long as their contents are what was made.
#pragma once

#include <functional>
#include <string>

namespace tandem {

// Calls `make` with the name of an empty folder, unless `folder` has been made before and each of
// its files has the checksum noted then; after that `folder` is whole. Processes that make it at
// the same time do not meet: each makes its own beside the place, and moves it there. Throws
// UserError, and what `make` throws.
void make_whole(const std::string& folder, const std::function<void(const std::string&)>& make);

}  // namespace tandem
