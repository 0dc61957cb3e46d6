#include "tests/cli/waveform.hpp"

#include <gtkwave/fstapi.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

namespace tandem {

void Waveform::Close::operator()(void* file) const { fstReaderClose(file); }

Waveform::Waveform(const std::string& path) : file_(fstReaderOpen(path.c_str())) {
  REQUIRE(file_ != nullptr);
  REQUIRE(fstReaderGetTimescale(file_.get()) == -12);
  read_names();
}

std::uint64_t Waveform::first() const { return fstReaderGetStartTime(file_.get()); }
std::uint64_t Waveform::last() const { return fstReaderGetEndTime(file_.get()); }

std::optional<std::string> Waveform::value(const std::string& name, std::uint64_t tick) const {
  const Signal& signal = signals_.at(name);
  std::vector<char> bits(signal.bits + 1);
  const char* found =
      fstReaderGetValueFromHandleAtTime(file_.get(), tick, signal.handle, bits.data());
  return found == nullptr ? std::nullopt : std::optional<std::string>(found);
}

void Waveform::read_names() {
  fstReaderIterateHierRewind(file_.get());
  fstReaderResetScope(file_.get());
  while (const fstHier* entry = fstReaderIterateHier(file_.get())) {
    if (entry->htyp == FST_HT_SCOPE) {
      fstReaderPushScope(file_.get(), entry->u.scope.name, nullptr);
    } else if (entry->htyp == FST_HT_UPSCOPE) {
      fstReaderPopScope(file_.get());
    } else if (entry->htyp == FST_HT_VAR) {
      std::string name = fstReaderGetCurrentFlatScope(file_.get());
      name += std::string(".") + entry->u.var.name;
      name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
      signals_[name] = {entry->u.var.handle, entry->u.var.length};
    }
  }
}

}  // namespace tandem
