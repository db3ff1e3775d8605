// The names of Gloo that LibTorch's ProcessGroupGloo.hpp mentions, for LibTorch packages that install that header
// without Gloo's own (Debian 12). Hearth only passes pointers to these types from one function of LibTorch to another:
// it makes, reads and derives from none of them. Where Gloo's headers are installed, they are used instead.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace gloo {

class Context;

namespace transport {
class Device;
class UnboundBuffer;
}  // namespace transport

namespace rendezvous {

class Store {
  public:
    static constexpr std::chrono::milliseconds kDefaultTimeout = std::chrono::seconds(30);

    virtual ~Store();
    virtual void set(const std::string &key, const std::vector<char> &data) = 0;
    virtual std::vector<char> get(const std::string &key) = 0;
    virtual void wait(const std::vector<std::string> &keys) = 0;
    virtual void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout) = 0;
};

}  // namespace rendezvous
}  // namespace gloo
