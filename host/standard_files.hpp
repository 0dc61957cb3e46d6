// Standard input, output and error of a program that may be started without them.
#pragma once

namespace tandem {

// Once, before anything is opened: a closed one does not become the descriptor of the next file, to
// which messages would then be written. Using it stays an error. So is a file that may not grow
// (RLIMIT_FSIZE), instead of a signal.
void occupy_standard_files();

}  // namespace tandem
