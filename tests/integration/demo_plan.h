// The devices that a plan of a demo uses, and a plan that uses all three of them.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QString>

/// Ids of the devices that the plan of such an event gives layers.
inline QSet<QString> usedBy(const QJsonObject &event) {
    QSet<QString> used;
    for (const QJsonValue &stage : event[QLatin1String("plan")].toObject()[QLatin1String("stages")].toArray()) {
        for (const QString &device : stage.toObject()[QLatin1String("shares")].toObject().keys())
            used << device;
    }
    return used;
}

/// For the demo's own network and three devices, each with a stage of its own.
inline QJsonObject chainOfThree() {
    QJsonArray stages;
    const int cuts[] = {0, 1, 3, 5};
    for (int stage = 0; stage < 3; ++stage) {
        stages << QJsonObject{{QStringLiteral("layers"), QJsonArray{cuts[stage], cuts[stage + 1]}},
                              {QStringLiteral("in_flight"), 3 - stage},
                              {QStringLiteral("recompute"), false},
                              {QStringLiteral("codec"), QStringLiteral("none")},
                              {QStringLiteral("shares"), QJsonObject{{QStringLiteral("local-%1").arg(stage + 1), 32}}}};
    }
    return {{QStringLiteral("format"), QStringLiteral("hearth-plan/1")},
            {QStringLiteral("model"), QJsonObject{{QStringLiteral("name"), QStringLiteral("fashion-cnn")},
                                                  {QStringLiteral("sha256"), QString()},
                                                  {QStringLiteral("layers"), 5}}},
            {QStringLiteral("planner"), QStringLiteral("test")},
            {QStringLiteral("batch"), 128},
            {QStringLiteral("micro_batch"), 32},
            {QStringLiteral("schedule"), QStringLiteral("1f1b")},
            {QStringLiteral("stages"), stages}};
}
