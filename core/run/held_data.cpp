#include "core/run/held_data.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/told_preparation.h"
#include "core/home/device_choice.h"
#include "core/run/data_service.h"

namespace hearth {
namespace {

constexpr QLatin1String heldDataFormat("hearth-held-data/1");

QByteArray textOf(const QJsonObject &object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

tl::unexpected<Error> noSuchDevice(const Job &job, const DataSource &source, const Error &reason) {
    return fail(QStringLiteral("run.data-device"),
                sentence("The data \"%1\" of the job are on no device that is known here.").arg(source.name.left(80)),
                reason.what, Sentence::joined({reason.advice, sentence("The job names %1.").arg(job.dataText())}));
}

}  // namespace

Result<std::vector<DataSource>> resolvedSources(const Job &job, const std::vector<DeviceInfo> &home) {
    std::vector<DataSource> sources = job.dataSources();
    for (DataSource &source : sources) {
        if (source.isHere())
            continue;
        const auto device = deviceNamed(home, source.device);
        if (!device)
            return noSuchDevice(job, source, device.error());
        source.device = device->self ? QString() : device->id;
    }
    for (auto source = sources.begin(); source != sources.end(); ++source) {
        if (std::find(sources.begin(), source, *source) != source) {
            return fail(QStringLiteral("job.data"), sentence("A data set of the job is named twice."),
                        sentence("\"data\" is %1.").arg(job.dataText()), sentence("Name each once."));
        }
    }
    return sources;
}

HeldData::HeldData(const RunRequest &request, AgentLink &agent, const Connectors &connectors, HolderDeadlines deadlines,
                   QObject *parent)
    : QObject(parent), m_request(request), m_agent(agent) {
    // Paths of this device and names of other data are nobody else's concern; each is told the name of its own.
    Job told = request.job;
    told.data = Job().data;
    m_order = {textOf(told.toJson()), textOf(request.model.toJson()), {}};
    makeLinks(connectors, deadlines);
}

HeldData::~HeldData() = default;

void HeldData::makeLinks(const Connectors &connectors, HolderDeadlines deadlines) {
    std::map<int, DataFacts> known = readKnown();
    std::vector<std::pair<QString, std::vector<HeldSet>>> held;  // by device, in the order of the job
    for (std::size_t i = 0; i < m_request.sources.size(); ++i) {
        const DataSource &source = m_request.sources[i];
        if (source.isHere())
            continue;
        const auto found = std::ranges::find(held, source.device, &std::pair<QString, std::vector<HeldSet>>::first);
        auto &sets =
            found != held.end() ? found->second : held.emplace_back(source.device, std::vector<HeldSet>()).second;
        sets.push_back({static_cast<int>(i), source.name, {}});
        if (const auto facts = known.find(static_cast<int>(i)); facts != known.end())
            sets.back().known = facts->second;
    }
    for (auto &[id, sets] : held) {
        const auto device = std::ranges::find(m_request.holders, id, &DeviceInfo::id);
        Q_ASSERT(device != m_request.holders.end());
        m_links.push_back(std::make_unique<HolderLink>(*device, std::move(sets), m_agent, connectors(), deadlines));
        HolderLink *link = m_links.back().get();
        connect(link, &HolderLink::opened, this, [this, link] { linkOpened(link); });
        connect(link, &HolderLink::failed, this, &HeldData::giveUp);
    }
}

HolderLink *HeldData::firstLink() const {
    const auto holdsFirst = [](const auto &link) { return link->sets().front().place == 0; };
    const auto found = std::ranges::find_if(m_links, holdsFirst);
    return found != m_links.end() ? found->get() : nullptr;
}

void HeldData::open() {
    HolderLink *first = firstLink();
    if (first == nullptr)
        return readOwnFirst();
    // A run that has only lost its coordinator asks as it did before: holders have the data open by these words.
    if (m_request.resume || m_request.kind == RunKind::Evaluate) {
        const auto table = keptTable(m_request.keptIn());
        if (!table)
            return giveUp(table.error());
        if (!table->isEmpty())
            m_order.preparation = textOf(*table);
    }
    first->open(m_order);
}

void HeldData::readOwnFirst() {
    m_reading.start<JobData>(
        this,
        [request = m_request] {
            return KeptData::load(request.keptIn()).and_then([&request](const KeptData &kept) {
                return dataOf(request.job, request.model, DataPlace{request.sources.front().name, 0, kept.table});
            });
        },
        [this](const JobData &data) {
            m_first = data;
            const auto told = preparationToTell(*data.data);
            told ? openOthers(*told) : giveUp(told.error());
        },
        [this](const Error &error) { giveUp(error); });
}

void HeldData::openOthers(const QJsonObject &preparation) {
    if (!preparation.isEmpty())
        m_order.preparation = textOf(preparation);
    for (const auto &link : m_links) {
        if (link.get() != firstLink())
            link->open(m_order);
    }
}

void HeldData::linkOpened(HolderLink *link) {
    if (m_isOver)
        return;
    ++m_opened;
    if (link == firstLink() && link != nullptr)
        openOthers(link->sets().front().known->preparation);
    if (m_opened < m_links.size())
        return;
    if (auto saved = saveKnown(); !saved)
        return giveUp(saved.error());
    Q_EMIT opened();
}

void HeldData::giveUp(const Error &error) {
    if (!std::exchange(m_isOver, true))
        Q_EMIT failed(error);
}

ReadyData HeldData::ready() const {
    ReadyData ready;
    if (m_first)
        ready[0] = *m_first;
    for (const auto &link : m_links)
        ready.merge(link->data());
    return ready;
}

std::map<int, DataFacts> HeldData::readKnown() const {
    std::map<int, DataFacts> known;
    const QString path = m_request.directory + QLatin1Char('/') + fileName();
    if (!m_request.again || !QFileInfo::exists(path))
        return known;
    const auto object = readJsonFile(path, 2 * DataFacts::Limits::textBytes * DataProtocol::mostSets);
    if (!object)
        return known;  // the holders will tell it again
    for (const QJsonValue set : object->value(QLatin1String("sets")).toArray()) {
        const QJsonObject entry = set.toObject();
        auto facts = DataFacts::fromJson(entry.value(QLatin1String("facts")).toObject(), path);
        if (facts)
            known[entry.value(QLatin1String("place")).toInt(-1)] = std::move(*facts);
    }
    return known;
}

Result<void> HeldData::saveKnown() const {
    QJsonArray sets;
    for (const auto &link : m_links) {
        for (const HeldSet &set : link->sets())
            sets.append(
                QJsonObject{{QStringLiteral("place"), set.place}, {QStringLiteral("facts"), set.known->toJson()}});
    }
    const QJsonObject object{{QStringLiteral("format"), heldDataFormat}, {QStringLiteral("sets"), sets}};
    return saveFile(m_request.directory + QLatin1Char('/') + fileName(), textOf(object));
}

}  // namespace hearth
