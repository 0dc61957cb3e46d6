#include "cosim/checker/event_batch.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "isa/parameters.hpp"

namespace tandem {
namespace {

// Records its inputs.
class Diary final : public EventSink {
 public:
  void copy_done(const CopyDoneEvent& event) override { add("done", event.sequence); }
  void issue(const IssueEvent& event) override { add("issue", event.sequence); }
  void copy_issue(const CopyIssueEvent& event) override { add("copy", event.sequence); }
  void write(const WriteEvent& event) override { add("write", event.data[0]); }

  std::string text;

 private:
  void add(const char* what, std::uint32_t number) {
    text += std::string(what) + " " + std::to_string(number) + "\n";
  }
};

WriteEvent scalar_write(const std::uint32_t& value) {
  WriteEvent event;
  event.space = Space::sreg;
  event.data = &value;
  return event;
}

void fill(EventBatch& batch) {
  std::uint32_t value = 7;
  batch.set_cycle(3);
  batch.issue({.sequence = 1});
  batch.write(scalar_write(value));
  value = 8;
  batch.set_cycle(4);
  batch.copy_done({.sequence = 0});
  batch.write(scalar_write(value));
  batch.copy_issue({.sequence = 1});
}

}  // namespace

TEST_CASE("a batch gives its events in order, with the values they had") {
  EventBatch batch(*find_preset("nano"));
  fill(batch);
  Diary diary;
  CHECK(batch.give(diary, [] { return false; }) == 4);
  CHECK(diary.text == "issue 1\nwrite 7\ndone 0\nwrite 8\ncopy 1\n");
}

TEST_CASE("a batch stops when its reader has seen enough, and says in which cycle") {
  EventBatch batch(*find_preset("nano"));
  fill(batch);
  Diary diary;
  CHECK(batch.give(diary, [&diary] { return diary.text.find("write") != std::string::npos; }) == 3);
  CHECK(diary.text == "issue 1\nwrite 7\n");
}

TEST_CASE("a batch keeps the lanes of a row of VMEM and who reads the time") {
  class Last final : public EventSink {
   public:
    void copy_done(const CopyDoneEvent&) override {}
    void issue(const IssueEvent&) override {}
    void copy_issue(const CopyIssueEvent&) override {}
    void write(const WriteEvent& event) override {
      events.push_back(event);
      words.push_back(event.data[0]);
    }
    std::vector<WriteEvent> events;
    std::vector<std::uint32_t> words;
  };
  const Parameters& nano = *find_preset("nano");
  EventBatch batch(nano);
  const std::vector<std::uint32_t> row(nano.lanes, 5);
  WriteEvent store;
  store.sequence = 9;
  store.slot = Slot::st;
  store.space = Space::vmem;
  store.row = 3;
  store.index = 77;
  store.lanes = {1, 2, 3, 4};
  store.data = row.data();
  batch.write(store);
  const std::uint32_t time = 6;
  WriteEvent read = scalar_write(time);
  read.volatile_csr = true;
  batch.write(read);
  Last last;
  batch.give(last, [] { return false; });
  REQUIRE(last.events.size() == 2);
  CHECK(last.words == std::vector<std::uint32_t>{5, 6});
  CHECK(last.events[0].lanes == store.lanes);
  CHECK(last.events[0].sequence == 9);
  CHECK(last.events[0].slot == Slot::st);
  CHECK(last.events[0].row == 3);
  CHECK(last.events[0].index == 77);
  CHECK_FALSE(last.events[0].volatile_csr);
  CHECK(last.events[1].volatile_csr);
}

TEST_CASE("a batch that has been given is empty") {
  EventBatch batch(*find_preset("nano"));
  fill(batch);
  Diary diary;
  batch.give(diary, [] { return true; });
  CHECK(batch.events() == 0);
  CHECK(batch.data_words() == 0);
  batch.give(diary, [] { return false; });
  CHECK(diary.text.empty());
}

}  // namespace tandem
