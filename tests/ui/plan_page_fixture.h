// The Plan page over the first rounds of the recorded run, and the gestures of a person on it.
#pragma once

#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/plan/device_chip.h"
#include "ui/plan/layer_strip.h"

namespace hearth {

class PlanPageFixture : public WindowFixture {
  protected:
    QString message() const { return find<QLabel>("planMessage")->text(); }
    QString messageRole() const { return find<QLabel>("planMessage")->property("role").toString(); }
    QString roundTime() const { return find<Figure>("planRoundTime")->value(); }
    /// The plan that a start would take, or the run's own where nothing is changed.
    Plan shown() const {
        m_controller->calls.clear();
        m_controller->send({2000 + ++m_seq, 99, event::State{QStringLiteral("stopped")}, {}});
        click("planStart");
        return m_controller->plan.value_or(*m_window->run().plan());
    }
    mutable quint64 m_seq = 0;

    /// Presses on the border behind `stage`, moves to before `layer`, and lets go or not.
    void dragBorder(int stage, int layer, bool letGo = true) const {
        auto *strip = find<LayerStrip>("layerStrip");
        QTest::mousePress(strip, Qt::LeftButton, {}, strip->borderAt(stage));
        QTest::mouseMove(strip, strip->placeBefore(layer));
        if (letGo)
            QTest::mouseRelease(strip, Qt::LeftButton, {}, strip->placeBefore(layer));
    }
    void dragChip(const char *name, const QWidget *to, const QPoint &at, bool letGo = true) const {
        // Columns that were made anew get their places.
        QTest::qWait(0);
        auto *chip = find<DeviceChip>(name);
        const QPoint goal = chip->mapFromGlobal(to->mapToGlobal(at));
        QTest::mousePress(chip, Qt::LeftButton, {}, QPoint(6, 6));
        QTest::mouseMove(chip, QPoint(40, 20));
        QTest::mouseMove(chip, goal);
        if (letGo)
            QTest::mouseRelease(chip, Qt::LeftButton, {}, goal);
    }
    /// The run's plan with another border.
    Plan otherPlan() const {
        Plan other = *m_window->run().plan();
        other.stages[0].lastLayer = 1;
        other.stages[1].firstLayer = 1;
        return other;
    }
    /// Opened as a file.
    void openPlan(const Plan &plan) const {
        QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plan.json"));
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(plan.toJson()).toJson());
        file.close();
        click("planOpen");
    }
    static QStringList devicesOf(const PlanStage &stage) {
        QStringList list;
        for (const Share &share : stage.shares)
            list << share.device;
        return list;
    }
    QString id(int device) const { return m_home->list[static_cast<std::size_t>(device - 1)].id; }

    void openPlanPage() {
        makeWindow();
        m_controller->problem = RecordedRun::problem();
        QVERIFY(m_controller->problem);
        m_window->resize(1280, 1000);
        QVERIFY(showActive(*m_window));
        m_controller->open(QStringLiteral("run"));
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round != nullptr && round->round > 5)
                break;
            m_controller->send(one);
        }
        m_window->showPlace(PlanPlace);
        QCoreApplication::sendPostedEvents();
        QTest::qWait(0);
    }
};

}  // namespace hearth
