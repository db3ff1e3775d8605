// SHA-256 by OpenSSL, which uses the processor's own instructions: several times faster than QCryptographicHash.
#pragma once

#include <QByteArray>
#include <cstddef>
#include <memory>
#include <span>

namespace hearth {

/// Of bytes that come piece by piece. One thread at a time.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    void add(std::span<const std::byte> bytes);
    /// 64 lowercase hex digits, once; empty where OpenSSL computes none.
    QByteArray hex();

    static QByteArray of(std::span<const std::byte> bytes);

  private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

}  // namespace hearth
