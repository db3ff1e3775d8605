// What an agent tells before there is a coordinator.
#include <QSignalSpy>
#include <QTest>

#include "core/run/kept_notes.h"
#include "fake_holder.h"

using namespace hearth;
using namespace hearth::fake;

class TestKeptNotes : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyNoteIsToldOnceMore_data() {
        QTest::addColumn<QByteArray>("note");
        for (const char *note : {"workerExited", "deviceChanged", "placesSeen", "deviceRemoved", "command"})
            QTest::newRow(note) << QByteArray(note);
    }
    void everyNoteIsToldOnceMore() {
        QFETCH(QByteArray, note);
        HolderAgent agent;
        KeptNotes notes(agent);
        const QString id(64, QLatin1Char('2'));
        if (note == "workerExited")
            Q_EMIT agent.workerExited(id, {words("device.lost"), words("It is gone."), {}, {}});
        else if (note == "deviceChanged")
            Q_EMIT agent.deviceChanged(deviceCalled("desk", '2'));
        else if (note == "placesSeen")
            Q_EMIT agent.placesSeen(id, {{QString(64, QLatin1Char('3')), words("192.168.1.3")}});
        else if (note == "deviceRemoved")
            Q_EMIT agent.deviceRemoved(id);
        else
            Q_EMIT agent.command({{words("command"), words("pause")}});
        int told = 0;
        connect(&agent, &AgentLink::workerExited, this, [&](const QString &of) { told += of == id ? 1 : 0; });
        connect(&agent, &AgentLink::deviceChanged, this, [&](const DeviceInfo &of) { told += of.id == id ? 1 : 0; });
        connect(&agent, &AgentLink::placesSeen, this, [&](const QString &of, const QMap<QString, QString> &places) {
            told += of == id && places.first() == words("192.168.1.3") ? 1 : 0;
        });
        connect(&agent, &AgentLink::deviceRemoved, this, [&](const QString &of) { told += of == id ? 1 : 0; });
        connect(&agent, &AgentLink::command, this, [&](const QCborMap &of) { told += of.size() == 1 ? 1 : 0; });
        notes.release();
        QCOMPARE(told, 1);
        notes.release();
        QCOMPARE(told, 1);
    }

    void ofTheSameDevicesPlacesTheNewestIsTold() {
        HolderAgent agent;
        KeptNotes notes(agent);
        const auto id = [](char digit) { return QString(64, QLatin1Char(digit)); };
        Q_EMIT agent.placesSeen(id('2'), {{id('3'), words("192.168.1.3")}});
        Q_EMIT agent.placesSeen(id('4'), {{id('3'), words("192.168.1.4")}});
        Q_EMIT agent.placesSeen(id('2'), {{id('3'), words("192.168.1.5")}});
        QStringList told;
        connect(&agent, &AgentLink::placesSeen, this,
                [&](const QString &, const QMap<QString, QString> &places) { told << places.first(); });
        notes.release();
        QCOMPARE(told, (QStringList{words("192.168.1.4"), words("192.168.1.5")}));
    }

    void ofWhatADeviceRepeatsOnlyTheNewestIsTold() {
        HolderAgent agent;
        KeptNotes notes(agent);
        const auto id = [](char digit) { return QString(64, QLatin1Char(digit)); };
        DeviceInfo desk = deviceCalled("desk", '2');
        for (desk.memoryBytes = 1; desk.memoryBytes < 9; ++desk.memoryBytes)
            Q_EMIT agent.deviceChanged(desk);
        Q_EMIT agent.deviceChanged(deviceCalled("nano", '4'));
        Q_EMIT agent.workerExited(id('2'), {words("first"), words("It is gone."), {}, {}});
        Q_EMIT agent.workerExited(id('2'), {words("second"), words("It is gone."), {}, {}});
        for (int i = 0; i < 2; ++i)
            Q_EMIT agent.command({{words("command"), words("pause")}});
        QList<qint64> memory;
        QStringList exits;
        connect(&agent, &AgentLink::deviceChanged, this, [&](const DeviceInfo &device) {
            if (device.id == id('2'))
                memory << static_cast<qint64>(device.memoryBytes);
        });
        connect(&agent, &AgentLink::workerExited, this,
                [&](const QString &, const Error &error) { exits << error.code; });
        const QSignalSpy changed(&agent, &AgentLink::deviceChanged);
        const QSignalSpy commands(&agent, &AgentLink::command);
        notes.release();
        QCOMPARE(changed.size(), qsizetype{2});
        QCOMPARE(memory, QList<qint64>{8});
        QCOMPARE(exits, QStringList{words("second")});
        QCOMPARE(commands.size(), qsizetype{2});
    }

    void notesStayInTheirOrder() {
        HolderAgent agent;
        KeptNotes notes(agent);
        for (const char digit : {'1', '2', '3'})
            Q_EMIT agent.deviceRemoved(QString(64, QLatin1Char(digit)));
        const QSignalSpy removed(&agent, &AgentLink::deviceRemoved);
        notes.release();
        QCOMPARE(removed.size(), qsizetype{3});
        QVERIFY(removed[0][0].toString().startsWith(QLatin1Char('1')));
        QVERIFY(removed[2][0].toString().startsWith(QLatin1Char('3')));
    }
};

QTEST_GUILESS_MAIN(TestKeptNotes)
#include "test_kept_notes.moc"
