#include "core/wire/sha256.h"

#include <array>

#include "core/wire/openssl_ptr.h"

namespace hearth {

struct Sha256::Context {
    DigestPtr md{EVP_MD_CTX_new()};
    bool ok = md && EVP_DigestInit_ex(md.get(), EVP_sha256(), nullptr) == 1;
};

Sha256::Sha256() : m_context(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
    m_context->ok = m_context->ok && EVP_DigestUpdate(m_context->md.get(), bytes.data(), bytes.size()) == 1;
}

QByteArray Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned length = 0;
    if (!m_context->ok || EVP_DigestFinal_ex(m_context->md.get(), sum.data(), &length) != 1)
        return {};
    m_context->ok = false;
    return QByteArray(reinterpret_cast<const char *>(sum.data()), static_cast<qsizetype>(length)).toHex();
}

QByteArray Sha256::of(std::span<const std::byte> bytes) {
    Sha256 sum;
    sum.add(bytes);
    return sum.hex();
}

}  // namespace hearth
