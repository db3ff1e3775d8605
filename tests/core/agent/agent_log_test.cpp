// The log of an agent that runs for months stays short.
#include <QFile>
#include <QFileInfo>

#include "core/agent/agent_log.h"
#include "played_home.h"

using namespace hearth;

class AgentLogTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = agentLogPath(m_folder->filePath(QStringLiteral("one")));
        QVERIFY(PlayedHome::startAgent(*m_folder, QStringLiteral("one")));  // makes the folder, and ends
    }

    void anAgentThatStartsCutsALongLog() {
        write(longLog() + "why it crashed\n");
        const auto agent = PlayedHome::startAgent(*m_folder, QStringLiteral("one"));
        QVERIFY(agent);
        const QByteArray kept = content();
        QVERIFY(kept.size() <= 1 << 20);
        QVERIFY(kept.startsWith("a line of"));
        QVERIFY(kept.endsWith("story\nwhy it crashed\n"));
    }

    void anAgentThatRunsCutsItsLogFromTimeToTime() {
        const auto agent = PlayedHome::startAgent(*m_folder, QStringLiteral("one"));
        QVERIFY(agent);
        write(longLog());
        (*agent)->setLogInterval(std::chrono::milliseconds(1));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(m_log).size() <= 1 << 20, patience);
    }

    void aShortLogStaysWhole() {
        write("a line\nanother\n");
        QVERIFY(PlayedHome::startAgent(*m_folder, QStringLiteral("one")));
        QCOMPARE(content(), QByteArray("a line\nanother\n"));
    }

  private:
    static QByteArray longLog() { return QByteArray("a line of a long story\n").repeated(200'000); }
    void write(const QByteArray &text) {
        QFile file(m_log);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), qint64(text.size()));
    }
    QByteArray content() const {
        QFile file(m_log);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_log;
};

QTEST_GUILESS_MAIN(AgentLogTest)
#include "agent_log_test.moc"
