// A small HTTP server for a page on this machine: GET alone, on 127.0.0.1 alone, for pages that
// were opened by this address (so that no page from elsewhere can read it).
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string>

namespace tandem {

struct Answer {
  int status = 200;
  std::string type;
  std::string body;
};

class PageServer {
 public:
  // `answer` is called with the path that was asked for, "/" or "/data". Port 0: any that is free.
  // Throws UserError when the port is taken.
  PageServer(std::uint16_t port, std::function<Answer(const std::string& path)> answer);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // Answers what is asked within so many milliseconds, or until a signal comes.
  void serve(int milliseconds);

 private:
  struct Peer {
    int socket = -1;
    std::string heard;
    std::string to_send;
    bool is_done = false;
  };

  void accept_peers();
  void hear(Peer& peer);
  void send(Peer& peer) const;
  [[nodiscard]] std::string response(const std::string& request) const;
  [[nodiscard]] bool is_own(const std::string& host) const;

  std::function<Answer(const std::string& path)> answer_;
  int socket_ = -1;
  std::uint16_t port_ = 0;
  std::list<Peer> peers_;
};

}  // namespace tandem
