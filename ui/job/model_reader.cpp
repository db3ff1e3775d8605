#include "ui/job/model_reader.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "core/base/background_task.h"
#include "core/model/catalogue.h"
#include "core/model/model_name.h"

namespace hearth {

ModelReader::ModelReader(QObject *parent) : QObject(parent) {}

ModelReader::~ModelReader() = default;

ModelReader::Stamp ModelReader::stampOf(const QString &name) {
    if (isBuiltinModel(name))
        return {};
    const QFileInfo file(ModelName::split(name).base);
    QFileInfoList files{file};
    if (file.isDir()) {
        files << QDir(file.filePath())
                     .entryInfoList({QStringLiteral("config.json"), QStringLiteral("*.safetensors"),
                                     QStringLiteral("*.safetensors.index.json")},
                                    QDir::Files, QDir::Name);
    }
    Stamp stamp;
    for (const QFileInfo &each : files) {
        stamp << QStringLiteral("%1 %2 %3")
                     .arg(each.fileName())
                     .arg(each.size())
                     .arg(each.lastModified().toMSecsSinceEpoch());
    }
    return stamp;
}

const ModelFacts *ModelReader::facts(const QString &name) const {
    const auto known = m_known.find(name);
    return known != m_known.end() ? known->second.facts.get() : nullptr;
}

bool ModelReader::isAtWork(const Known &known) {
    return known.task && known.task->isRunning();
}

bool ModelReader::isBusy() const {
    return std::ranges::any_of(m_known, [](const auto &each) { return isAtWork(each.second); });
}

void ModelReader::read(const QStringList &names, DType dtype) {
    std::erase_if(m_unwanted, [](const auto &task) { return !task->isRunning(); });
    m_names = names;
    // A built-in one does not wait for a disk that is slow to answer.
    std::stable_partition(m_names.begin() + 1, m_names.end(), &isBuiltinModel);
    // What is at work cannot be given up, and to wait for it would hold up the window.
    for (auto known = m_known.begin(); known != m_known.end();) {
        if (names.contains(known->first) && known->second.dtype == dtype) {
            ++known;
            continue;
        }
        if (isAtWork(known->second))
            m_unwanted.push_back(std::move(known->second.task));
        known = m_known.erase(known);
    }
    for (const QString &name : names)
        m_known[name].dtype = dtype;
    goOn();
}

void ModelReader::lookAgain() {
    for (auto &[name, known] : m_known) {
        if (known.facts && !isBuiltinModel(name))
            known.isDue = true;
    }
    goOn();
}

void ModelReader::goOn() {
    for (const QString &name : m_names) {
        Known &known = m_known[name];
        if (known.isDue && !isAtWork(known) && (name == m_names.front() || !isBusy()))
            start(name, known);
    }
}

void ModelReader::start(const QString &name, Known &known) {
    known.isDue = false;
    known.task = std::make_unique<BackgroundTask>();
    // What was wrong may lie where no stamp tells of it: in other files of a network, or in permissions.
    const bool holds = known.facts && !known.facts->error;
    const std::optional<Stamp> before = holds ? std::optional(known.stamp) : std::nullopt;
    known.task->start<Read>(
        this,
        [name, dtype = known.dtype, before]() -> Result<Read> {
            Read read{stampOf(name), {}};
            if (!before || *before != read.stamp)
                read.facts = readModelFacts(name, dtype);
            return read;
        },
        [this, name, task = known.task.get()](const Read &read) {
            const auto wanted = m_known.find(name);
            if (wanted != m_known.end() && wanted->second.task.get() == task && read.facts) {
                wanted->second.stamp = read.stamp;
                wanted->second.facts = std::make_unique<ModelFacts>(*read.facts);
                Q_EMIT told(name);
            }
            goOn();
        },
        [](const Error &) {});
}

}  // namespace hearth
