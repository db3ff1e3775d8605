// Whom a person does not want to hear of: kept over restarts, bounded, and only as one's own file.
#include "core/home/ignore_list.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth;

class IgnoreListTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("ignored.json"));
    }

    void whatIsIgnoredIsKeptWithItsNameAndTime() {
        const IgnoredDevice one{key(1), QStringLiteral("nano <b>"), 1'700'000'000'000}, two{key(2), {}, 5};
        {
            auto list = IgnoreList::load(m_path);
            QVERIFY(list);
            QVERIFY(list->add(one));
            QVERIFY(list->add(two));
        }
        const auto again = IgnoreList::load(m_path);
        QVERIFY(again);
        QCOMPARE(again->devices(), (std::vector{one, two}));
        QCOMPARE(
            QFile::permissions(m_path) & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
            QFile::Permissions());
    }

    void firstDigitsAndWholeKeysMeanTheSameDevice() {
        auto list = IgnoreList::load(m_path);
        const QString whole = key(7) + QString(48, QLatin1Char('c'));
        QVERIFY(list->add({key(7), QStringLiteral("seen"), 1}));
        QVERIFY(list->contains(whole));
        QVERIFY(!list->contains(key(8)));
        // The later word counts, once.
        QVERIFY(list->add({whole, QStringLiteral("asked to pair"), 2}));
        QCOMPARE(list->devices().size(), std::size_t(1));
        QCOMPARE(list->devices().front().name, QStringLiteral("asked to pair"));
        QVERIFY(list->contains(key(7)));
        QVERIFY(list->remove(key(7)));
        QVERIFY(list->devices().empty());
        QVERIFY(list->remove(key(7)));
    }

    void theListDoesNotGrowWithoutEnd() {
        auto list = IgnoreList::load(m_path);
        for (int i = 0; i < static_cast<int>(IgnoreList::maximumDevices) + 3; ++i)
            QVERIFY(list->add({key(i), {}, i}));
        QCOMPARE(list->devices().size(), IgnoreList::maximumDevices);
        QCOMPARE(list->devices().front().since, qint64(3));
        QCOMPARE(IgnoreList::load(m_path)->devices().size(), IgnoreList::maximumDevices);
    }

    void aListOfWholeKeysIsReadToo() {
        write(R"({"format":"hearth-ignored/1","devices":["%1"]})");
        const auto list = IgnoreList::load(m_path);
        QVERIFY(list);
        QVERIFY(list->contains(QString(64, QLatin1Char('a'))));
    }

    void whatIsNoSuchListIsRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no JSON") << QByteArray("none");
        QTest::newRow("another format") << QByteArray(R"({"format":"hearth-trust/1","devices":[]})");
        QTest::newRow("a key that is too short")
            << QByteArray(R"({"format":"hearth-ignored/2","devices":[{"key":"abc","name":"","since_ms":0}]})");
        QTest::newRow("no name") << QByteArray(
            R"({"format":"hearth-ignored/2","devices":[{"key":"%1","since_ms":0}]})");
        QTest::newRow("an unknown word") << QByteArray(
            R"({"format":"hearth-ignored/2","devices":[{"key":"%1","name":"","since_ms":0,"trust":true}]})");
        QTest::newRow("a time before time")
            << QByteArray(R"({"format":"hearth-ignored/2","devices":[{"key":"%1","name":"","since_ms":-1}]})");
    }
    void whatIsNoSuchListIsRefused() {
        QFETCH(QByteArray, content);
        write(content);
        QVERIFY(!IgnoreList::load(m_path));
    }

    void namesFromAFileSteerNoTerminal() {
        write(
            "{\"format\":\"hearth-ignored/2\",\"devices\":[{\"key\":\"%1\","
            "\"name\":\"a\\u001b[31mb\\nc\",\"since_ms\":0}]}");
        const auto list = IgnoreList::load(m_path);
        QVERIFY(list);
        QVERIFY(!list->devices().front().name.contains(QChar(0x1b)));
        QVERIFY(!list->devices().front().name.contains(QLatin1Char('\n')));
    }

  private:
    static QString key(int number) { return QStringLiteral("%1").arg(number, 16, 16, QLatin1Char('0')); }
    void write(QByteArray content) const {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content.replace("%1", QByteArray(64, 'a')));
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_GUILESS_MAIN(IgnoreListTest)
#include "ignore_list_test.moc"
