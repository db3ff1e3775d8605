// Gloo as LibTorch builds it in (c10d): one ring over plain TCP sockets.
#include "core/train/fabric_backend.h"

#if HEARTH_HAS_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "core/train/tensors.h"
#endif

namespace hearth {

#if HEARTH_HAS_GLOO
namespace {

Error glooError(const char *what) {
    // The first line says it; what follows is where in the library.
    return {QStringLiteral("fabric.failed"), sentence("The trusted fabric failed."),
            QString::fromUtf8(what).section(QLatin1Char('\n'), 0, 0).left(300), fabricAdvice()};
}

template <class Body>
Result<void> caught(const Body &body) {
    try {
        body();
        return {};
    } catch (const c10::Error &error) {
        return tl::unexpected(glooError(error.what_without_backtrace()));
    } catch (const std::exception &error) {
        return tl::unexpected(glooError(error.what()));
    } catch (...) {
        return tl::unexpected(glooError("An unknown exception."));
    }
}

/// The members' addresses, as c10d wants to read them. Gloo sets, waits and gets; nothing else is needed.
class RendezvousStore : public c10d::Store {
  public:
    RendezvousStore(std::shared_ptr<Rendezvous> rendezvous, std::chrono::milliseconds timeout)
        : c10d::Store(timeout), m_rendezvous(std::move(rendezvous)) {}

    void set(const std::string &key, const std::vector<std::uint8_t> &value) override {
        m_rendezvous->publish({QByteArray::fromStdString(key), QByteArray(reinterpret_cast<const char *>(value.data()),
                                                                          static_cast<qsizetype>(value.size()))});
    }
    std::vector<std::uint8_t> get(const std::string &key) override {
        const auto value = m_rendezvous->get(QByteArray::fromStdString(key), timeout_);
        if (!value)
            throw std::runtime_error(value.error().toString().toStdString());
        return {value->begin(), value->end()};
    }
    bool check(const std::vector<std::string> &keys) override {
        return std::all_of(keys.begin(), keys.end(), [this](const std::string &key) {
            return m_rendezvous->has(QByteArray::fromStdString(key));
        });
    }
    std::int64_t getNumKeys() override { return m_rendezvous->size(); }
    void wait(const std::vector<std::string> &keys) override { wait(keys, timeout_); }
    void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout) override {
        for (const std::string &key : keys) {
            const auto value = m_rendezvous->get(QByteArray::fromStdString(key), std::min(timeout, timeout_));
            if (!value)
                throw std::runtime_error(value.error().toString().toStdString());
        }
    }
    std::int64_t add(const std::string &, std::int64_t) override { throw std::runtime_error("No counters here."); }
    bool deleteKey(const std::string &) override { return false; }

  private:
    std::shared_ptr<Rendezvous> m_rendezvous;
};

class GlooBackend : public FabricBackend {
  public:
    Result<void> connect(const FabricPlace &place, const std::shared_ptr<Rendezvous> &rendezvous) override {
        return caught([&] {
            // Gloo knows one timeout; the shorter one of connecting is the caller's to keep.
            auto options = c10d::ProcessGroupGloo::Options::create(std::max(place.connectDeadline, place.sumDeadline));
            options->threads = 1;
            options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(place.address.toStdString()));
            m_group = c10::make_intrusive<c10d::ProcessGroupGloo>(
                c10::make_intrusive<RendezvousStore>(rendezvous, place.connectDeadline), place.self, place.members,
                options);
        });
    }

    Result<void> allReduce(std::byte *values, qint64 elements, DType dtype) override {
        return caught([&] {
            std::vector<at::Tensor> tensors{
                at::from_blob(values, {elements}, at::TensorOptions().dtype(scalarType(dtype)))};
            m_group->allreduce(tensors)->wait();
        });
    }

  private:
    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
};

}  // namespace
#endif

Result<std::unique_ptr<FabricBackend>> makeFabricBackend(const QString &name) {
#if HEARTH_HAS_GLOO
    if (name == QLatin1String("gloo"))
        return std::make_unique<GlooBackend>();
#endif
    return fail(QStringLiteral("fabric.unavailable"),
                sentence("This worker's LibTorch has no \"%1\".").arg(name.left(40)),
                sentence("Hearth was built without it on this device."),
                sentence("Build Hearth there with a LibTorch that has Gloo, or train without --trusted-fabric."));
}

}  // namespace hearth
