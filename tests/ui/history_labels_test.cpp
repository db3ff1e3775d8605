// The History page: names, notes, tags and stars of runs.
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>

#include "tests/core/base/patience.h"
#include "tests/ui/history_fixture.h"
#include "ui/history/label_dialog.h"

using namespace hearth;

class HistoryLabelsTest : public HistoryFixture {
    Q_OBJECT

    static constexpr auto late = "late", early = "early", crashed = "crashed";

    QModelIndex cell(const char *id, int column) const {
        return table()->model()->index(rowOf(QLatin1String(id)), column);
    }
    QString textOf(const char *id, int column) const { return cell(id, column).data().toString(); }
    RunLabel saved(const char *id) const {
        return RunLabel::load(m_runs->folder() + QLatin1Char('/') + QLatin1String(id)).value_or(RunLabel());
    }
    void label(const char *id, const LabelChange &change) {
        QVERIFY(change.applyTo(m_runs->folder() + QLatin1Char('/') + QLatin1String(id)));
        m_controller->past.refresh();
    }
    LabelDialog *ask() {
        click("historyLabel");
        return m_window->findChild<LabelDialog *>();
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        beginPage();
        showThree();
    }
    void cleanup() { endPage(); }

    void aRunIsNamedInPlace() {
        QVERIFY(table()->model()->setData(cell(late, RunsTableModel::Name), QStringLiteral("the good one")));
        QTRY_COMPARE_WITH_TIMEOUT(textOf(late, RunsTableModel::Name), QStringLiteral("the good one"), patience);
        QCOMPARE(saved(late).name, QStringLiteral("the good one"));
        choose({QLatin1String(late)});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Name")), QStringList{QStringLiteral("the good one")}, patience);
    }

    void aClickGivesAStarAndTakesIt() {
        const auto clickStar = [this] {
            const QRect where = table()->visualRect(cell(early, RunsTableModel::Star));
            QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, where.center());
        };
        clickStar();
        QTRY_VERIFY_WITH_TIMEOUT(cell(early, 0).data(RunsTableModel::StarredRole).toBool(), patience);
        QVERIFY(saved(early).starred);
        auto *states = find<QComboBox>("historyStates");
        states->setCurrentIndex(states->findText(QStringLiteral("Starred")));
        QCOMPARE(table()->model()->rowCount(), 1);
        QCOMPARE(rowOf(QLatin1String(early)), 0);
        clickStar();
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 0, patience);
    }

    void aNoteIsWrittenAndFound() {
        choose({QLatin1String(late)});
        LabelDialog *dialog = ask();
        QVERIFY(dialog);
        find<QLineEdit>("labelTags")->setText(QStringLiteral("slow, paper"));
        find<QPlainTextEdit>("labelNote")->setPlainText(QStringLiteral("with the old\nrouter"));
        click("labelSave");
        QTRY_COMPARE_WITH_TIMEOUT(textOf(late, RunsTableModel::Tags), QStringLiteral("paper, slow"), patience);
        QVERIFY(!table()->isColumnHidden(RunsTableModel::Tags));
        find<QLineEdit>("historyWords")->setText(QStringLiteral("router slow"));
        QCOMPARE(table()->model()->rowCount(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Note")), QStringList{QStringLiteral("with the old\nrouter")},
                                  patience);
    }

    void whatIsCancelledIsNotKept() {
        choose({QLatin1String(late)});
        QVERIFY(ask());
        find<QLineEdit>("labelTags")->setText(QStringLiteral("slow"));
        click("labelCancel");
        QCOMPARE(saved(late), RunLabel());
        QCOMPARE(textOf(late, RunsTableModel::Tags), QString());
    }

    void severalRunsGetTagsAtOnce() {
        label(late, {{}, {}, {QStringLiteral("both"), QStringLiteral("mine")}, {}, true});
        label(early, {{}, {}, {QStringLiteral("both")}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(textOf(early, RunsTableModel::Tags), QStringLiteral("both"), patience);
        choose({QLatin1String(late), QLatin1String(early)});
        LabelDialog *dialog = ask();
        QVERIFY(dialog);
        QVERIFY(!dialog->findChild<QLineEdit *>(QStringLiteral("labelName")));
        auto *tags = find<QLineEdit>("labelTags");
        QCOMPARE(tags->text(), QStringLiteral("both"));
        QCOMPARE(find<QCheckBox>("labelStar")->checkState(), Qt::PartiallyChecked);
        tags->setText(QStringLiteral("new"));
        click("labelSave");
        QTRY_COMPARE_WITH_TIMEOUT(textOf(early, RunsTableModel::Tags), QStringLiteral("new"), patience);
        // What only one of them has stays, and so does its star.
        QCOMPARE(saved(late).tags, (QStringList{QStringLiteral("mine"), QStringLiteral("new")}));
        QVERIFY(saved(late).starred);
        QVERIFY(!saved(early).starred);
    }

    void whatIsNoNameIsSaid() {
        QSignalSpy failed(&m_controller->past, &RunHistory::failed);
        QVERIFY(table()->model()->setData(cell(late, RunsTableModel::Name), QStringLiteral("a\u202eb")));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
        QCOMPARE(failed[0][0].value<Error>().code, QStringLiteral("label.bad"));
        QCOMPARE(textOf(late, RunsTableModel::Name), QString());
    }
};

QTEST_MAIN(HistoryLabelsTest)
#include "history_labels_test.moc"
