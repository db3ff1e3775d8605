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

class KnowledgeServiceTest : public QObject, protected TwoHomes {
    Q_OBJECT
  private Q_SLOTS:
    void init() { QVERIFY(startHomes()); }
    void cleanup() { endHomes(); }

    void whatOneHasLearnedTheOtherKeepsWhileItTrustsIt() {
        QVERIFY(write(m_one, known));
        QVERIFY(m_one.meet(m_two));
        QTRY_COMPARE_WITH_TIMEOUT(told(m_two, m_one), known, PlayedHome::patience);
        QCOMPARE(told(m_one, m_two), QByteArray());  // it has learned nothing
        QVERIFY(m_two.agent->trust().forget(m_one.agent->fingerprint().toHex()));
        QTRY_COMPARE_WITH_TIMEOUT(told(m_two, m_one), QByteArray(), PlayedHome::patience);
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
        QVERIFY(write(m_one, much));
        QVERIFY(m_one.meet(m_two));
        QTRY_VERIFY_WITH_TIMEOUT(told(m_two, m_one) == much, PlayedHome::patience);
        for (const auto &[home, other] : {std::pair(&m_one, &m_two), std::pair(&m_two, &m_one)}) {
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
        QVERIFY(write(m_one, json) && write(m_two, known));
        QVERIFY(m_one.meet(m_two));
        // Both ask as soon as they are linked.
        QTRY_COMPARE_WITH_TIMEOUT(told(m_one, m_two), known, PlayedHome::patience);
        QCOMPARE(told(m_two, m_one), QByteArray());
    }
};

QTEST_GUILESS_MAIN(KnowledgeServiceTest)
#include "knowledge_service_test.moc"
