#include "cli/explore/page_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem {
namespace {

constexpr std::size_t most_peers = 64;
constexpr std::size_t longest_request = 16384;

std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    default: return "Bad Request";
  }
}

std::string packed(const Answer& answer) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{}",
      answer.status, reason(answer.status), answer.type, answer.body.size(), answer.body);
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text);
}

// The value of a field of the request, "" if there is none.
std::string field(std::string_view request, std::string_view name) {
  for (std::size_t at = request.find('\n'); at != std::string_view::npos;
       at = request.find('\n', at + 1)) {
    std::string_view line = request.substr(at + 1);
    line = line.substr(0, line.find('\n'));
    const std::size_t colon = line.find(':');
    if (colon != name.size()) continue;
    const bool is_it = std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) {
      return a == std::tolower(static_cast<unsigned char>(b));
    });
    if (is_it) return trimmed(line.substr(colon + 1));
  }
  return {};
}

int listening_socket(std::uint16_t port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);  // NOLINT: sockets
  if (made >= 0 && bind(made, generic, sizeof address) == 0 && listen(made, 16) == 0) return made;
  const std::string why = std::strerror(errno);
  if (made >= 0) close(made);
  throw UserError{fmt::format(message::no_port, port, why)};
}

}  // namespace

PageServer::PageServer(std::uint16_t port, std::function<Answer(const std::string& path)> answer)
    : answer_(std::move(answer)), socket_(listening_socket(port)) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);  // NOLINT: sockets
  port_ = ntohs(address.sin_port);
}

PageServer::~PageServer() {
  for (const Peer& peer : peers_) close(peer.socket);
  close(socket_);
}

bool PageServer::is_own(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

std::string PageServer::response(const std::string& request) const {
  const std::string line = request.substr(0, request.find('\r'));
  const std::size_t end = line.find(' ', 4);
  if (!line.starts_with("GET /") || end == std::string::npos) {
    return packed({400, "text/plain", "GET is all that is answered here.\n"});
  }
  if (!is_own(field(request, "host"))) {
    return packed({403, "text/plain", "This server answers to its own address only.\n"});
  }
  const std::string path = line.substr(4, end - 4);
  return packed(answer_(path.substr(0, path.find('?'))));
}

// One that says nothing keeps no other one out.
void PageServer::accept_peers() {
  for (;;) {
    const int peer = accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) return;
    if (peers_.size() == most_peers) {
      close(peers_.front().socket);
      peers_.pop_front();
    }
    peers_.push_back({peer, "", "", false});
  }
}

void PageServer::hear(Peer& peer) {
  std::array<char, 4096> bytes{};
  const ssize_t count = recv(peer.socket, bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    peer.is_done = true;
    return;
  }
  peer.heard.append(bytes.data(), static_cast<std::size_t>(count));
  if (peer.heard.find("\r\n\r\n") != std::string::npos) {
    peer.to_send = response(peer.heard);
  } else {
    peer.is_done = peer.heard.size() > longest_request;
  }
}

void PageServer::send(Peer& peer) const {
  const ssize_t count = ::send(peer.socket, peer.to_send.data(), peer.to_send.size(), MSG_NOSIGNAL);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count > 0) peer.to_send.erase(0, static_cast<std::size_t>(count));
  peer.is_done = count <= 0 || peer.to_send.empty();
}

void PageServer::serve(int milliseconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    std::vector<pollfd> waiting{{socket_, POLLIN, 0}};
    for (const Peer& peer : peers_) {
      const auto events = static_cast<short>(peer.to_send.empty() ? POLLIN : POLLOUT);
      waiting.push_back({peer.socket, events, 0});
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return;
    if (poll(waiting.data(), waiting.size(), static_cast<int>(left)) <= 0) return;
    std::size_t place = 1;
    for (Peer& peer : peers_) {
      if (waiting[place++].revents == 0) continue;
      if (peer.to_send.empty()) {
        hear(peer);
      } else {
        send(peer);
      }
    }
    for (const Peer& peer : peers_) {
      if (peer.is_done) close(peer.socket);
    }
    std::erase_if(peers_, [](const Peer& peer) { return peer.is_done; });
    if (waiting[0].revents != 0) accept_peers();
  }
}

}  // namespace tandem
