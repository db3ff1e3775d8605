#include "ui/plan/plan_whole_job.h"

#include <QGridLayout>
#include <algorithm>

#include "core/plan/problem.h"
#include "core/run/whole_job.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/run/run_model.h"
#include "ui/words/core_words.h"

namespace hearth {

namespace {

/// Samples of another job's data are no measure of this one.
CountedSamples samplesOf(const Job &job, const RunModel &run) {
    const std::optional<Job> &counted = run.job();
    return counted && counted->data == job.data && counted->validation == job.validation ? run.samples()
                                                                                         : CountedSamples();
}

JobDevices devicesFor(const PlanDraft &draft, const HomeSource &home, const RunModel &run) {
    JobDevices devices{home.devices()};
    if (draft.isEditable())
        devices.setMemory(draft.problem());
    // A kept run of a demo, or one of another home, has others than this home.
    for (const QString &id : run.devices().ids()) {
        if (std::ranges::find(devices.known, id, &DeviceInfo::id) == devices.known.end()) {
            DeviceInfo &told = devices.known.emplace_back();
            told.id = id;
            told.agentPid = run.devices().agentPid(id);
        }
    }
    const QMap<QString, event::RoundDevice> &rounds = run.devices().times();
    for (auto each = rounds.cbegin(); each != rounds.cend(); ++each) {
        if (each->card.watts)
            devices.cardWatts[each.key()] = *each->card.watts;
    }
    return devices;
}

}  // namespace

PlanWholeJob::PlanWholeJob(const PlanDraft &draft, const HomeSource &home, const RunModel &run, QWidget *parent)
    : QFrame(parent), m_draft(draft), m_home(home), m_run(run), m_length(makeLabel({}, "small")) {
    setObjectName(QStringLiteral("planWholeJob"));
    setAccessibleName(tr("Whole job"));
    setProperty("role", QStringLiteral("card"));
    setToolTip(tr("Without measuring before the first round, copies for recovery, and losses of devices"));
    m_length->setObjectName(QStringLiteral("planJobLength"));
    m_length->setWordWrap(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(makeLabel(tr("Whole job"), "strong"));
    head->addWidget(m_length, 1);
    auto *rows = new QGridLayout;
    rows->setHorizontalSpacing(2 * grid);
    rows->setVerticalSpacing(grid / 2);
    rows->setColumnStretch(1, 1);
    const auto lines = linesOf({}, {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_captions[i] = makeLabel(coreText(lines[i].caption), "small");
        m_texts[i] = makeLabel({}, "");
        m_texts[i]->setObjectName(QStringLiteral("planJob-") + QLatin1String(lines[i].name));
        m_texts[i]->setWordWrap(true);
        rows->addWidget(m_captions[i], static_cast<int>(i), 0);
        rows->addWidget(m_texts[i], static_cast<int>(i), 1);
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid / 2);
    layout->addLayout(head);
    layout->addLayout(rows);
    hide();
}

void PlanWholeJob::refresh(const Job *job) {
    const Plan &plan = m_draft.plan();
    setVisible(job != nullptr && plan.prediction);
    if (job == nullptr || !plan.prediction)
        return;
    const JobLength length = JobLength::of(*job, samplesOf(*job, m_run));
    const WholeJob whole = WholeJob::of(length, plan, devicesFor(m_draft, m_home, m_run));
    m_length->setText(coreText(lengthText(length)));
    const auto lines = linesOf(whole, m_draft.nameOf(whole.fullest.device));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_texts[i]->setText(coreText(lines[i].text));
        for (QLabel *label : {m_captions[i], m_texts[i]})
            label->setVisible(!lines[i].text.isEmpty());
    }
}

}  // namespace hearth
