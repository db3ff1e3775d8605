// What devices have learned of times goes from agent to agent, as bytes.
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/agent/knowledge_service.h"
#include "played_home.h"

using namespace hearth;

namespace {

const QByteArray known = R"({"format":"hearth-predictor/1","pairs":[]})";

QString folderOf(const PlayedHome &home) {
    return home.agent->stateDir() + QStringLiteral("/profiles/predictor/");
}

bool write(const PlayedHome &home, const QByteArray &json) {
    QFile file(folderOf(home) + QStringLiteral("own.json"));
    return QDir().mkpath(folderOf(home)) && file.open(QIODevice::WriteOnly) && file.write(json) == json.size();
}

QByteArray told(const PlayedHome &home, const PlayedHome &by) {
    QFile file(folderOf(home) + by.agent->fingerprint().toHex() + QStringLiteral(".json"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class KnowledgeServiceTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatOneHasLearnedTheOtherKeepsWhileItTrustsIt() {
        const QTemporaryDir folder;
        const PlayedHome one = PlayedHome::start(folder, QStringLiteral("one"));
        const PlayedHome two = PlayedHome::start(folder, QStringLiteral("two"));
        QVERIFY(one.agent && two.agent);
        QVERIFY(write(one, known));
        QVERIFY(one.meet(two));
        QTRY_COMPARE_WITH_TIMEOUT(told(two, one), known, PlayedHome::patience);
        QCOMPARE(told(one, two), QByteArray());  // it has learned nothing
        QVERIFY(two.agent->trust().forget(one.agent->fingerprint().toHex()));
        QTRY_COMPARE_WITH_TIMEOUT(told(two, one), QByteArray(), PlayedHome::patience);
    }

    void muchIsToldInPiecesOverALinkThatStays_data() {
        QTest::addColumn<qsizetype>("bytes");
        QTest::newRow("200 KiB") << qsizetype(200 << 10);
        QTest::newRow("whole pieces") << qsizetype(2 * KnowledgeService::pieceBytes);
        QTest::newRow("as much as may be") << qsizetype(KnowledgeService::mostBytes);
    }
    void muchIsToldInPiecesOverALinkThatStays() {
        QFETCH(qsizetype, bytes);
        const auto holding = [](qsizetype letters) {
            return QJsonDocument({{QStringLiteral("format"), QStringLiteral("hearth-predictor/1")},
                                  {QStringLiteral("much"), QString(letters, QLatin1Char('x'))}})
                .toJson(QJsonDocument::Compact);
        };
        const QByteArray much = holding(bytes - holding(0).size());
        QCOMPARE(much.size(), bytes);
        const QTemporaryDir folder;
        const PlayedHome one = PlayedHome::start(folder, QStringLiteral("one"));
        const PlayedHome two = PlayedHome::start(folder, QStringLiteral("two"));
        QVERIFY(one.agent && two.agent);
        QVERIFY(write(one, much));
        QVERIFY(one.meet(two));
        QTRY_VERIFY_WITH_TIMEOUT(told(two, one) == much, PlayedHome::patience);
        for (const auto &[home, other] : {std::pair(&one, &two), std::pair(&two, &one)}) {
            const DeviceInfo seen = home->device(other->agent->fingerprint().toHex());
            QCOMPARE(seen.state, DeviceState::Ready);
            QVERIFY2(seen.lastError.isEmpty(), qPrintable(seen.lastError.english()));
        }
    }

    void whatIsNoKnowledgeIsNotKept_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("something else") << QByteArray(R"({"format":"hearth-plan/1"})");
        QTest::newRow("too much") << known + QByteArray(KnowledgeService::mostBytes, ' ');
    }
    void whatIsNoKnowledgeIsNotKept() {
        QFETCH(QByteArray, json);
        const QTemporaryDir folder;
        const PlayedHome one = PlayedHome::start(folder, QStringLiteral("one"));
        const PlayedHome two = PlayedHome::start(folder, QStringLiteral("two"));
        QVERIFY(one.agent && two.agent);
        QVERIFY(write(one, json) && write(two, known));
        QVERIFY(one.meet(two));
        // Both ask as soon as they are linked.
        QTRY_COMPARE_WITH_TIMEOUT(told(one, two), known, PlayedHome::patience);
        QCOMPARE(told(two, one), QByteArray());
    }
};

QTEST_GUILESS_MAIN(KnowledgeServiceTest)
#include "knowledge_service_test.moc"
