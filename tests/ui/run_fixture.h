// The recorded run in English: what the tests of models and pages share.
#pragma once

#include <QTest>
#include <memory>

#include "tests/ui/active_window.h"
#include "tests/ui/fake_home.h"
#include "ui/run/run_model.h"
#include "ui/words/unbroken.h"

namespace hearth {

class RunFixture : public QObject {
  protected:
    std::vector<RunEvent> m_events;
    std::unique_ptr<Language> m_language;

    void speakEnglish() {
        m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates));
        m_events = RecordedRun::load();
        QVERIFY(m_events.size() > 100);
    }
    void replay(RunModel &run) const {
        for (const RunEvent &one : m_events)
            run.add(one);
    }
    static RunEvent make(quint64 seq, RunEventBody body) { return {seq, 1.0, std::move(body), {}}; }
    /// With ordinary spaces where units are held to their numbers.
    static QString plain(QString text) { return text.replace(QChar(QChar::Nbsp), QLatin1Char(' ')).remove(wordJoiner); }
};

}  // namespace hearth
