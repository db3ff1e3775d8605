#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTest>

#include "core/base/code_pages.h"

using namespace hearth;

namespace {

/// Kibibytes of this process's memory that came from files and are as they stand there.
qint64 cleanPages() {
    QFile file(QStringLiteral("/proc/self/smaps_rollup"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    static const QRegularExpression clean(QStringLiteral("^(?:Shared|Private)_Clean: +(\\d+) kB$"),
                                          QRegularExpression::MultilineOption);
    qint64 sum = 0;
    for (auto found = clean.globalMatch(QString::fromLatin1(file.readAll())); found.hasNext();)
        sum += found.next().captured(1).toLongLong();
    return sum;
}

int changedBefore = 7;  // a page of data that is not as it stands in its file

}  // namespace

class TestCodePages : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void mostOfTheCodeGoesAndAllOfItStillWorks() {
        changedBefore = 8;
        const QByteArray text("{\"a\":[1,2.5,\"three\"]}");
        QCOMPARE(QJsonDocument::fromJson(text).toJson(QJsonDocument::Compact), text);
        const qint64 before = cleanPages();
        releaseCodePages();
        const qint64 after = cleanPages();
        QVERIFY2(before > 1024 && after < before / 2, qPrintable(QStringLiteral("%1, %2").arg(before).arg(after)));
        QCOMPARE(changedBefore, 8);
        QCOMPARE(QJsonDocument::fromJson(text).toJson(QJsonDocument::Compact), text);
        QVERIFY(QString::fromLatin1("1.5").toDouble() > 1);
    }
};

QTEST_GUILESS_MAIN(TestCodePages)
#include "test_code_pages.moc"
