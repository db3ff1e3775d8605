// A device that holds data, without processes or sockets: the service in a thread of its own, behind in-process
// channels.
#pragma once

#include <QJsonDocument>
#include <QPointer>
#include <QSemaphore>
#include <QThread>
#include <atomic>
#include <cstring>
#include <future>
#include <memory>

#include "core/base/post_to.h"
#include "core/model/catalogue.h"
#include "core/run/data_service.h"
#include "core/run/holder_line.h"
#include "core/run/links.h"
#include "core/wire/loopback_channel.h"

namespace hearth::fake {

inline QString words(const char *text) {
    return QString::fromUtf8(text);
}

/// Byte b of sample i is i + b + the epoch + the mark; its label is i modulo 3.
class HeldSamples : public Dataset {
  public:
    explicit HeldSamples(qint64 samples = 20, qint64 bytes = 8, int mark = 0) : m_samples(samples), m_mark(mark) {
        m_name = words("photos");
        m_kind = words("arrays");
        m_parts = {{words("x"), {DType::UInt8, {bytes}, false}, {}}};
        m_label = {DType::Int64, {}, false};
        m_labelNames = {words("a"), words("b"), words("c")};
        m_classes = 3;
    }
    qint64 count(Split split) const override { return split == Split::Train ? m_samples : 3; }
    Result<void> readSamples(Split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return readEpoch(0, part, indices, out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        QThread::msleep(static_cast<unsigned long>(slowness.load()));
        if (isHeld) {
            held.release();
            let.acquire();
        }
        if (isBroken)
            return fail(words("data.broken-picture"), words("The picture x cannot be used."));
        const auto each = static_cast<std::size_t>(sample().bytes());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            for (std::size_t b = 0; b < each; b += 1 + each / 1024)
                out[i * each + b] = byteOf(indices[i], b, epoch);
        }
        return {};
    }
    Result<void> readLabels(Split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const qint64 label = indices[i] % 3;
            std::memcpy(out.data() + i * sizeof label, &label, sizeof label);
        }
        return {};
    }
    /// So many files; before it is served.
    void lose(qint64 files) { m_gone.count = files; }
    std::byte byteOf(qint64 index, std::size_t byte, qint64 epoch) const {
        return static_cast<std::byte>((static_cast<std::size_t>(index + epoch + m_mark) + byte) & 255);
    }

    std::atomic<int> slowness = 0;     // milliseconds of each reading
    std::atomic<bool> isHeld = false;  // one that is under way waits for `let`, and `held` counts it
    mutable QSemaphore held, let;
    std::atomic<bool> isBroken = false;

  private:
    qint64 m_samples;
    int m_mark;
};

/// Its data process, which may be away.
class Holder {
  public:
    explicit Holder(DataService::Load load) : m_service(new DataService(std::move(load))) {
        m_service->moveToThread(&m_thread);
        QObject::connect(&m_thread, &QThread::finished, m_service, &QObject::deleteLater);
        m_thread.start();
    }
    ~Holder() {
        thaw();
        m_thread.quit();
        m_thread.wait();
    }
    /// In any thread, for who will have the other end in that thread.
    std::unique_ptr<Channel> connectTo() {
        auto [mine, theirs] = makeLoopbackPair();
        theirs->moveToThread(&m_thread);
        auto shared = std::make_shared<std::unique_ptr<Channel>>(std::move(theirs));
        postTo(m_service, [this, shared] {
            m_channel = shared->get();
            m_service->adopt(std::move(*shared));
        });
        return std::move(mine);
    }
    /// Its connection breaks.
    void cut() {
        runIn(m_service, [this] {
            if (m_channel)
                m_channel->close({words("wire.closed"), words("The cable was cut."), {}, {}});
        });
    }
    /// It says nothing until thaw().
    void freeze() {
        postTo(m_service, [this] { m_thaw.acquire(); });
    }
    void thaw() { m_thaw.release(); }

  private:
    DataService *m_service;
    QPointer<Channel> m_channel;
    QSemaphore m_thaw;
    QThread m_thread;
};

/// Reaches a holder unless it is away.
class HolderConnector : public WorkerConnector {
  public:
    HolderConnector(Holder &holder, std::atomic<bool> &isAway) : m_holder(holder), m_isAway(isAway) {}
    void connectTo(const WorkerAddress &, std::chrono::milliseconds, QObject *context, ConnectedFn done) override {
        if (m_isAway) {
            QMetaObject::invokeMethod(
                context, [done] { done(hearth::fail(words("wire.unreachable"), words("Nobody was there."))); },
                Qt::QueuedConnection);
            return;
        }
        auto shared = std::make_shared<std::unique_ptr<Channel>>(m_holder.connectTo());
        QMetaObject::invokeMethod(
            context, [shared, done] { done(std::move(*shared)); }, Qt::QueuedConnection);
    }
    Fingerprint fingerprint() const override { return {}; }

  private:
    Holder &m_holder;
    std::atomic<bool> &m_isAway;
};

/// Starts nothing, and says so where it should.
class HolderAgent : public AgentLink {
  public:
    void startWorker(const QString &, std::chrono::milliseconds, QObject *, StartedFn) override {}
    void stopWorker(const QString &) override {}
    void startHolder(const QString &device, std::chrono::milliseconds, QObject *context, StartedFn done) override {
        started << device;
        const bool works = !fails;
        QMetaObject::invokeMethod(
            context,
            [works, done] {
                if (works)
                    done(WorkerAddress{{}, words("127.0.0.1"), 1, 0});
                else
                    done(hearth::fail(words("device.lost"), words("The device desk cannot be reached.")));
            },
            Qt::QueuedConnection);
    }
    void stopHolder(const QString &device) override { stopped << device; }
    void eventWritten(quint64) override {}
    void failed(const Error &) override {}

    QStringList started, stopped;
    bool fails = false;
};

/// What a thread reads while the test's own goes on; empty and an error where it cannot.
struct ReadBytes {
    std::vector<std::byte> bytes;
    std::optional<Error> error;
};
inline std::future<ReadBytes> readBeside(const std::shared_ptr<const Dataset> &data, const std::vector<qint64> &indices,
                                         qint64 epoch = 0) {
    return std::async(std::launch::async, [data, indices, epoch] {
        ReadBytes read{std::vector<std::byte>(indices.size() * static_cast<std::size_t>(data->sample().bytes())), {}};
        if (auto done = data->readEpoch(epoch, 0, indices, read.bytes); !done)
            read.error = done.error();
        return read;
    });
}
inline bool isThere(const std::future<ReadBytes> &read) {
    return read.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

inline constexpr HolderDeadlines quickDeadlines{.silence = std::chrono::milliseconds(2500),
                                                .firstPause = std::chrono::milliseconds(20),
                                                .longestPause = std::chrono::milliseconds(50)};

inline DeviceInfo deviceCalled(const char *name, char digit) {
    DeviceInfo device;
    device.id = QString(64, QLatin1Char(digit));
    device.name = words(name);
    device.state = DeviceState::Ready;
    return device;
}

/// "fashion-mnist" is built in, so that any holder has it by name; what is loaded is the test's.
inline HolderOrder order() {
    const auto text = [](const QJsonObject &object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); };
    return {text(Job().toJson()), text(loadModel(words("fashion-cnn"))->toJson())};
}

inline DataService::Load loads(const std::shared_ptr<const Dataset> &data) {
    return [data](const Job &, const Model &, const DataPlace &) { return JobData{{}, data}; };
}

}  // namespace hearth::fake
