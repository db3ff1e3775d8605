#include "core/run/data_service.h"

#include <QtEndian>
#include <algorithm>

#include "core/base/cbor.h"
#include "core/base/json_reader.h"
#include "core/data/data_registry.h"

namespace hearth {
namespace {

const QString placeKey = QStringLiteral("place"), nameKey = QStringLiteral("name"),
              preparationKey = QStringLiteral("preparation");

Error badRequest(const Sentence &cause) {
    return {QStringLiteral("data.bad-request"), sentence("Samples were asked for that there are not."), cause,
            sentence("Run the same version of Hearth on all devices.")};
}

/// A path from another device would reach any file of this one.
Result<void> mustBeRegistered(const QString &name) {
    if (builtinDatasets().contains(name) || registeredDatasets().contains(name))
        return {};
    return fail(QStringLiteral("data.unknown"), sentence("The data set \"%1\" is unknown.").arg(name.left(200)),
                sentence("It is neither built in nor registered on the device that should hold it."),
                sentence("Add it there: hearth data add NAME PATH"));
}

Result<std::vector<qint64>> readIndices(const QByteArray &bytes, qint64 count) {
    const qsizetype each = sizeof(qint64);
    const qsizetype samples = bytes.size() / each;
    if (bytes.size() % each != 0 || samples < 1 || samples > DataProtocol::mostIndices)
        return tl::unexpected(badRequest(sentence("It names %1 {1|sample|samples}.").arg(samples)));
    std::vector<qint64> indices(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = qFromLittleEndian<qint64>(bytes.constData() + i * sizeof(qint64));
        if (indices[i] < 0 || indices[i] >= count)
            return tl::unexpected(
                badRequest(sentence("There {1|is|are} %1 {1|sample|samples}, and %2 is none.").arg(count, indices[i])));
    }
    return indices;
}

Result<ReadOrder> readOrder(const QCborMap &args, const Dataset &data, bool areLabels) {
    ReadOrder order;
    order.request = static_cast<quint64>(std::max<qint64>(0, integerOf(args[QStringLiteral("request")])));
    const qint64 split = integerOf(args[QStringLiteral("split")], -1);
    if (order.request == 0 || split < 0 || split >= static_cast<qint64>(allSplits.size()))
        return tl::unexpected(badRequest(sentence("It has no number, or no split.")));
    order.split = allSplits[static_cast<std::size_t>(split)];
    if (!areLabels) {
        const qint64 part = integerOf(args[QStringLiteral("part")], -1);
        if (part < 0 || part >= static_cast<qint64>(data.parts().size()))
            return tl::unexpected(badRequest(sentence("Its samples have no such part.")));
        order.part = static_cast<std::size_t>(part);
        if (const QCborValue epoch = args[QStringLiteral("epoch")]; epoch.isInteger())
            order.epoch = epoch.toInteger();
        if (order.epoch && (*order.epoch < 0 || order.split != Split::Train))
            return tl::unexpected(badRequest(sentence("There is no such epoch.")));
    }
    return readIndices(args[QStringLiteral("indices")].toByteArray(), data.count(order.split))
        .map([&order](std::vector<qint64> indices) {
            order.indices = std::move(indices);
            return order;
        });
}

}  // namespace

DataService::DataService(Load load, std::chrono::milliseconds alone, QObject *parent)
    : QObject(parent),
      m_load(
          load ? std::move(load)
               : [](const Job &job, const Model &model, const DataPlace &place) { return dataOf(job, model, place); }),
      m_beat(this),
      m_alone(this) {
    connect(&m_beat, &QTimer::timeout, this, &DataService::beat);
    connect(&m_alone, &QTimer::timeout, this, &DataService::abandoned);
    m_alone.setSingleShot(true);
    m_alone.start(alone);
}

DataService::~DataService() {
    m_rpc.reset();  // none of its calls is under way, and nothing that is put off runs after the end of its thread
    letGo();
}

void DataService::adopt(std::unique_ptr<Channel> channel) {
    letGo();
    m_channel = std::move(channel);
    m_rpc = std::make_unique<Rpc>(m_channel.get());
    connect(m_channel.get(), &Channel::closed, this, [this] {
        Channel *closed = m_channel.release();
        letGo();
        closed->deleteLater();  // we are in one of its signals
    });
    connect(m_channel.get(), &Channel::windowOpened, this, &DataService::send);
    m_rpc->handle(QStringLiteral("open"), [this](const QCborMap &args, const Reply &reply) { open(args, reply); });
    m_rpc->handle(QStringLiteral("read"),
                  [this](const QCborMap &args, const Reply &reply) { read(args, reply, false); });
    m_rpc->handle(QStringLiteral("labels"),
                  [this](const QCborMap &args, const Reply &reply) { read(args, reply, true); });
    m_beat.start(DataProtocol::beatInterval);
    m_alone.stop();
}

void DataService::letGo() {
    m_beat.stop();
    m_alone.start();
    m_readers.clear();
    m_unsent.clear();
    if (m_rpc)
        m_rpc.release()->deleteLater();  // perhaps in the middle of one of its calls
    m_requests.clear();
    for (auto &[place, set] : m_sets)
        set.waiting.clear();
    m_channel.reset();
}

void DataService::open(const QCborMap &args, const Reply &reply) {
    const qint64 number = integerOf(args[placeKey], -1);
    if (number < 0 || number >= DataProtocol::mostSets)
        return reply.fail(badRequest(sentence("A run has no such data set.")));
    if (auto registered = mustBeRegistered(args[nameKey].toString()); !registered)
        return reply.fail(registered.error());
    const int place = static_cast<int>(number);
    const auto known = m_sets.find(place);
    if (known != m_sets.end() && known->second.wanted != args)
        return reply.fail(badRequest(sentence("The run has opened another data set in its place.")));
    Set &set = m_sets[place];
    if (set.data)
        return reply.ok(set.opened());
    set.waiting.push_back(reply);
    if (!set.loading)
        load(place, args);
}

QCborMap DataService::Set::opened() const {
    return {{QStringLiteral("facts"), facts}, {QStringLiteral("gone"), data->gone().count}};
}

Result<DataService::Loaded> DataService::loaded(const Load &load, const QCborMap &args, int place) {
    const QString source = QStringLiteral("the order of the run");
    const auto object = [&](const QString &key) { return parseJsonObject(args[key].toByteArray(), source); };
    auto job =
        object(QStringLiteral("job")).and_then([&](const auto &json) { return Job::validFromJson(json, source); });
    if (!job)
        return tl::unexpected(job.error());
    const auto model =
        object(QStringLiteral("model")).and_then([&](const auto &json) { return Model::fromJson(json, source); });
    if (!model)
        return tl::unexpected(model.error());
    DataPlace wanted{args[nameKey].toString(), place, {}};
    if (args.contains(preparationKey)) {
        const auto preparation = object(preparationKey);
        if (!preparation)
            return tl::unexpected(preparation.error());
        wanted.preparation = *preparation;
    }
    job->data = {wanted.name};
    const auto data = load(*job, *model, wanted);
    if (!data)
        return tl::unexpected(data.error());
    return DataFacts::of(*data->data, data->input).map([&](const DataFacts &facts) {
        return Loaded{data->data, facts.toText()};
    });
}

void DataService::load(int place, const QCborMap &args) {
    Set &set = m_sets[place];
    set.wanted = args;
    set.loading = std::make_unique<BackgroundTask>();
    set.loading->start<Loaded>(
        this, [load = m_load, args, place] { return loaded(load, args, place); },
        [this, place](const Loaded &done) { loadingEnded(place, done); },
        [this, place](const Error &error) { loadingEnded(place, tl::unexpected(error)); });
}

void DataService::loadingEnded(int place, const Result<Loaded> &result) {
    Set &set = m_sets[place];
    const std::vector<Reply> waiting = std::exchange(set.waiting, {});
    if (result) {
        set.data = result->data;
        set.facts = result->facts;
        set.loading.reset();
        for (const Reply &reply : waiting)
            reply.ok(set.opened());
        return;
    }
    m_sets.erase(place);  // another try may find what this one did not
    for (const Reply &reply : waiting)
        reply.fail(result.error());
}

DataReaders *DataService::readersOf(int place) {
    const auto set = m_sets.find(place);
    if (set == m_sets.end() || !set->second.data)
        return nullptr;
    std::unique_ptr<DataReaders> &readers = m_readers[place];
    if (!readers) {
        DataReaders::Calls calls;
        calls.piece = [this, place](quint64 request, const Payload &piece) {
            for (qint64 at = 0; at < piece.size; at += DataProtocol::mostPieceBytes) {
                const qint64 bytes = std::min<qint64>(DataProtocol::mostPieceBytes, piece.size - at);
                m_unsent.push_back({place, request, {piece.data + at, bytes, piece.owner}});
            }
            send();
        };
        calls.ended = [this](quint64 request, const Result<void> &end) {
            const auto reply = m_requests.extract(request);
            if (reply.empty())
                return;
            end ? reply.mapped().ok() : reply.mapped().fail(end.error());
        };
        readers = std::make_unique<DataReaders>(set->second.data, this, std::move(calls));
    }
    return readers.get();
}

void DataService::read(const QCborMap &args, const Reply &reply, bool areLabels) {
    DataReaders *readers = readersOf(static_cast<int>(std::clamp<qint64>(integerOf(args[placeKey], -1), -1, 1 << 20)));
    if (!readers)
        return reply.fail(badRequest(sentence("The data were not opened.")));
    if (m_requests.size() >= static_cast<std::size_t>(DataProtocol::mostRequests))
        return reply.fail(badRequest(sentence("Too many requests are waiting for an answer.")));
    auto order = readOrder(args, readers->data(), areLabels);
    if (!order)
        return reply.fail(order.error());
    if (!m_requests.emplace(order->request, reply).second)
        return reply.fail(badRequest(sentence("There is a request of this number already.")));
    readers->add(std::move(*order));
}

void DataService::send() {
    while (!m_unsent.empty() && m_channel && m_channel->isOpen() && m_channel->queuedBytes() < Channel::highMark) {
        Unsent next = std::move(m_unsent.front());
        m_unsent.pop_front();
        const qint64 bytes = next.bytes.size;
        TensorHeader header;
        header.kind = TensorKind::Input;
        header.dtype = DType::UInt8;
        header.dims = {static_cast<quint32>(bytes)};
        header.version = next.request;
        m_channel->sendTensor(header, std::move(next.bytes));
        if (const auto readers = m_readers.find(next.place); readers != m_readers.end())
            readers->second->taken(bytes);
    }
}

void DataService::beat() {
    if (m_channel && m_channel->queuedBytes() < Channel::highMark)
        m_rpc->notify(QStringLiteral("beat"));
}

}  // namespace hearth
