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

bool ModelReader::isBusy() const {
    return std::ranges::any_of(m_known,
                               [](const auto &each) { return each.second.task && each.second.task->isRunning(); });
}

void ModelReader::read(const QStringList &names, DType dtype) {
    std::erase_if(m_unwanted, [](const auto &task) { return !task->isRunning(); });
    // What is at work cannot be given up, and to wait for it would hold up the window.
    for (auto known = m_known.begin(); known != m_known.end();) {
        if (names.contains(known->first)) {
            ++known;
            continue;
        }
        if (known->second.task && known->second.task->isRunning())
            m_unwanted.push_back(std::move(known->second.task));
        known = m_known.erase(known);
    }
    m_waiting.clear();
    for (const QString &name : names) {
        const auto known = m_known.find(name);
        const bool isUnderWay = known != m_known.end() && (known->second.facts || known->second.task);
        if (isUnderWay && known->second.stamp == stampOf(name) && known->second.dtype == dtype)
            continue;
        if (known != m_known.end() && known->second.task && known->second.task->isRunning())
            m_unwanted.push_back(std::move(known->second.task));
        m_known[name] = {stampOf(name), dtype, nullptr, nullptr};
        m_waiting << name;
    }
    if (!m_waiting.isEmpty() && m_waiting.first() == names.first())
        start(m_waiting.takeFirst());
    goOn();
}

void ModelReader::goOn() {
    if (!m_waiting.isEmpty() && !isBusy())
        start(m_waiting.takeFirst());
}

void ModelReader::start(const QString &name) {
    Known &known = m_known[name];
    known.task = std::make_unique<BackgroundTask>();
    known.task->start<ModelFacts>(
        this, [name, dtype = known.dtype]() -> Result<ModelFacts> { return readModelFacts(name, dtype); },
        [this, name, task = known.task.get()](const ModelFacts &facts) {
            const auto wanted = m_known.find(name);
            if (wanted != m_known.end() && wanted->second.task.get() == task) {
                wanted->second.facts = std::make_unique<ModelFacts>(facts);
                Q_EMIT told(name);
            }
            goOn();
        },
        [](const Error &) {});
}

}  // namespace hearth
