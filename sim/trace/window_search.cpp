#include "sim/trace/window_search.hpp"

namespace tandem {

void WindowSearch::issued(const IssueTiming& event) {
  if (complete_) return;
  switch (request_.kind) {
    case WindowRequest::Kind::cycles: return;
    case WindowRequest::Kind::label: look_for_labels(event); return;
    case WindowRequest::Kind::marker: look_for_marker(event); return;
  }
}

void WindowSearch::look_for_labels(const IssueTiming& event) {
  if (!window_) {
    if (event.pc != from_pc_) return;
    window_ = CycleWindow{event.cycle, CycleWindow::never};
    complete_ = request_.to.empty();
    return;
  }
  if (event.pc != to_pc_) return;
  window_->end = event.cycle;
  complete_ = true;
}

void WindowSearch::look_for_marker(const IssueTiming& event) {
  const trace::BundleView& view = program_.view(event.pc);
  if ((view.marks & event.enabled) == 0 || view.code != request_.code) return;
  const std::uint64_t before = std::min(event.cycle, request_.margin);
  window_ = CycleWindow{event.cycle - before, event.cycle + 1};
  window_->end += std::min(request_.margin, CycleWindow::never - window_->end);
  complete_ = true;
}

}  // namespace tandem
