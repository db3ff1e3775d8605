#include <QTest>

#include "core/base/error.h"

using namespace hearth;

class TestError : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void survivesTheWire() {
        const Error error{QStringLiteral("a.b"), QStringLiteral("What."), QStringLiteral("Cause."),
                          QStringLiteral("Do.")};
        QCOMPARE(Error::fromCbor(error.toCbor()), error);
        QCOMPARE(error.toJson().value(QStringLiteral("code")).toString(), QStringLiteral("a.b"));
        QCOMPARE(error.toJson().size(), 4);
    }

    void missingAndWrongFieldsAreEmpty() { QCOMPARE(Error::fromCbor({{QStringLiteral("what"), 5}}), Error()); }

    void wordsOfAPeerCannotFloodOrSteerATerminal() {
        const QString hostile = QStringLiteral("\u001b[2Jgone\r\u0007 line 1\nline 2");
        const Error read = Error::fromCbor(
            {{QStringLiteral("what"), hostile}, {QStringLiteral("cause"), QString(1 << 20, QLatin1Char('x'))}});
        QCOMPARE(read.what, QStringLiteral(" [2Jgone   line 1\nline 2"));
        QCOMPARE(read.cause.english().size(), 8192);
    }

    void isOneParagraphForAPerson_data() {
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("advice");
        QTest::addColumn<QString>("expected");
        QTest::newRow("all three") << QStringLiteral("C.") << QStringLiteral("D.") << QStringLiteral("W. C. D.");
        QTest::newRow("without a cause") << QString() << QStringLiteral("D.") << QStringLiteral("W. D.");
        QTest::newRow("only what happened") << QString() << QString() << QStringLiteral("W.");
    }

    void isOneParagraphForAPerson() {
        QFETCH(QString, cause);
        QFETCH(QString, advice);
        QFETCH(QString, expected);
        QCOMPARE((Error{QStringLiteral("c"), QStringLiteral("W."), cause, advice}.toString()), expected);
    }
};

QTEST_GUILESS_MAIN(TestError)
#include "test_error.moc"
