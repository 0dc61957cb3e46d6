#include "assembler/named_machine.hpp"

#include "host/machine_file.hpp"

namespace tandem {

FoundMachine named_machine(const std::string& given) {
  FoundMachine found = find_machine(machine_text(given));
  if (found.machine == nullptr) found.complaint = machine_complaint(given, found.complaint);
  return found;
}

}  // namespace tandem
