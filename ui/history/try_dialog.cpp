#include "ui/history/try_dialog.h"

#include <QDragEnterEvent>
#include <QMimeData>

#include "ui/base/dialog_parts.h"
#include "ui/base/questions.h"
#include "ui/base/run_controller.h"
#include "ui/history/try_answers.h"
#include "ui/history/try_form.h"
#include "ui/history/try_prompt.h"
#include "ui/run/event_sentences.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr qint64 tellEvery = 200;  // ms: a number that changes can be read

QStringList pathsOf(const QMimeData *data) {
    QStringList paths;
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

}  // namespace

TryDialog::TryDialog(Questions &questions, RunController &controller, const QString &name, const QString &runFolder,
                     QWidget *parent, TryChoice choice)
    : QDialog(parent),
      m_questions(questions),
      m_controller(controller),
      m_name(name),
      m_folderOfRun(runFolder),
      m_choice(choice),
      m_told(makeLabel({}, "secondary")),
      m_panel(new QVBoxLayout),
      m_table(new TryAnswers),
      m_file(makeButton(QStringLiteral("tryFile"), tr("File …"), "")),
      m_folder(makeButton(QStringLiteral("tryFolder"), tr("Folder …"), "")),
      m_save(makeButton(QStringLiteral("trySave"), tr("Save table …"), "")),
      m_stop(makeButton(QStringLiteral("tryStop"), tr("Stop"), "")) {
    setObjectName(QStringLiteral("tryDialog"));
    setWindowTitle(
        (choice.weights == RunWeights::Best ? tr("Try %1 as it was in its best evaluation") : tr("Try %1")).arg(name));
    m_told->setObjectName(QStringLiteral("tryTold"));
    m_told->setWordWrap(true);
    auto *close = makeButton(QStringLiteral("tryClose"), tr("Close"), "");
    auto *head = new QHBoxLayout;
    head->setSpacing(2 * grid);
    head->addWidget(m_told, 1);
    head->addWidget(m_stop, 0, Qt::AlignTop);
    auto *layout = makeDialogLayout(this);
    layout->addLayout(head);
    layout->addLayout(m_panel);
    layout->addWidget(m_table, 1);
    layout->addLayout(makeButtonRow({m_file, m_folder, m_save, makeOtherWeights(), makeOtherPlace(), close}));
    resize(100 * grid, 64 * grid);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connectButtons();
    tell(tr("Reading the run …"), false);
    m_looking = std::make_unique<BackgroundTask>();
    m_looking->start<AskedRun>(
        this, [runFolder, which = choice.weights] { return AskedRun::open(runFolder, which); },
        [this](const AskedRun &run) {
            if (!leaveIfClosed())
                begin(run);
        },
        [this](const Error &error) {
            if (!leaveIfClosed())
                tell(errorText(error), true);
        });
    refresh();
}

TryDialog::~TryDialog() = default;

void TryDialog::done(int result) {
    m_looking->giveUp();
    keepUntilOver(this, m_looking.get());
    if (m_inference) {
        m_inference->stop();
        if (m_inference->isReading())
            setAttribute(Qt::WA_DeleteOnClose, false);
    }
    QDialog::done(result);
}

bool TryDialog::leaveIfClosed() {
    if (!isHidden())
        return false;
    if (!m_looking->isRunning() && !(m_inference && m_inference->isReading()))
        deleteLater();
    return true;
}

QPushButton *TryDialog::makeOtherWeights() {
    const bool isBest = m_choice.weights == RunWeights::Best;
    const RunWeights other = isBest ? RunWeights::Last : RunWeights::Best;
    auto *button =
        makeButton(QStringLiteral("tryOther"), isBest ? tr("With the last weights") : tr("With the best weights"), "");
    if (!savedWeights(m_folderOfRun, other))
        button->hide();
    connect(button, &QPushButton::clicked, this, [this, other] { openOther({other, m_choice.atHome}); });
    return button;
}

QPushButton *TryDialog::makeOtherPlace() {
    auto *button = makeButton(QStringLiteral("tryPlace"),
                              m_choice.atHome ? tr("On this computer") : tr("On the home's devices"), "");
    connect(button, &QPushButton::clicked, this, [this] { openOther({m_choice.weights, !m_choice.atHome}); });
    return button;
}

void TryDialog::openOther(TryChoice choice) {
    auto *dialog = new TryDialog(m_questions, m_controller, m_name, m_folderOfRun, parentWidget(), choice);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    close();
    dialog->open();
}

void TryDialog::connectButtons() {
    connect(m_file, &QPushButton::clicked, this, [this] {
        if (const QString path = m_questions.askOpenFile(this, tr("Choose a file"), tr("All files (*)"));
            !path.isEmpty())
            look({path});
    });
    connect(m_folder, &QPushButton::clicked, this, [this] {
        if (const QString path = m_questions.askOpenFolder(this, tr("Choose a folder of pictures")); !path.isEmpty())
            look({path});
    });
    connect(m_save, &QPushButton::clicked, this, &TryDialog::save);
    connect(m_stop, &QPushButton::clicked, this, &TryDialog::stop);
}

void TryDialog::begin(const AskedRun &run) {
    tell(invitation(run), false);
    if (run.takes != AskedRun::Takes::Prompts)
        return beginSamples(run);
    auto *prompt = new TryPrompt(run, m_choice.atHome ? m_controller.homeAnswers(run) : nullptr);
    connect(prompt, &TryPrompt::prepares, this, &TryDialog::tellPreparing);
    connect(prompt, &TryPrompt::told, this, &TryDialog::tell);
    m_panel->addWidget(prompt);
    prompt->show();  // what is hidden takes no focus
    prompt->setFocus();
    for (QWidget *unused : std::initializer_list<QWidget *>{m_table, m_file, m_folder, m_save, m_stop})
        unused->hide();
    refresh();
}

void TryDialog::beginSamples(const AskedRun &run) {
    m_table->setRun(run);
    m_inference = std::make_unique<RunInference>(run, m_choice.atHome ? m_controller.homeAnswers(run) : nullptr);
    connect(m_inference.get(), &RunInference::prepares, this, &TryDialog::tellPreparing);
    connect(m_inference.get(), &RunInference::answered, this, &TryDialog::take);
    connect(m_inference.get(), &RunInference::finished, this, [this] {
        if (leaveIfClosed())
            return;
        tellAnswered();
        refresh();
    });
    connect(m_inference.get(), &RunInference::failed, this, [this](const Error &error) {
        tell(errorText(error), true);
        refresh();
    });
    m_folder->setVisible(run.takes == AskedRun::Takes::Pictures);
    if (const qsizetype columns = run.columns().size(); columns > 0 && columns <= TryForm::mostFields) {
        auto *form = new TryForm(run);
        connect(form, &TryForm::asked, this,
                [this](const QStringList &fields) { ask(m_inference->run().typed(fields)); });
        connect(form, &TryForm::refused, this, [this](const QString &why) { tell(why, true); });
        m_panel->addWidget(form);
        form->show();
        form->setFocus();
    }
    refresh();
}

QString TryDialog::invitation(const AskedRun &run) const {
    QString what;
    if (run.takes == AskedRun::Takes::Pictures)
        what = tr("Drop pictures here, or a folder of them.");
    else if (run.takes == AskedRun::Takes::Prompts)
        what = tr("Type the beginning of a text, and the network goes on with it.");
    else if (run.columns().size() > TryForm::mostFields)
        what = tr("Drop a table here that has the %n column(s) which the network takes.", nullptr,
                  static_cast<int>(run.columns().size()));
    else if (run.takes == AskedRun::Takes::Rows)
        what = tr("Fill in a row, or drop a table here that has these columns.");
    else if (run.columns().size() > 1)
        what = tr("Type two texts, or drop a file here: a table, or two texts in each line with a tab between.");
    else
        what = tr("Type a text, or drop a file here: a table, or a text in each line.");
    if (run.round)
        what += QLatin1Char(' ') + tr("Its weights are those after round %1.").arg(formatCount(*run.round));
    return what + QLatin1Char(' ') +
           (m_choice.atHome ? tr("The home's devices answer together.")
                            : tr("This computer answers; nothing leaves it."));
}

void TryDialog::dragEnterEvent(QDragEnterEvent *event) {
    if (pathsOf(event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    setRole(m_table, "drop");
}

void TryDialog::dragLeaveEvent(QDragLeaveEvent *) {
    setRole(m_table, "");
}

void TryDialog::dropEvent(QDropEvent *event) {
    setRole(m_table, "");
    event->acceptProposedAction();
    look(pathsOf(event->mimeData()));
}

void TryDialog::look(const QStringList &paths) {
    tell(tr("Looking at the files …"), false);
    m_looking = std::make_unique<BackgroundTask>();
    const auto cancelled = m_looking->cancelled();
    m_looking->start<std::shared_ptr<SampleSource>>(
        this,
        [paths, run = m_inference->run(), cancelled] {
            return run.files(paths, [cancelled] { return cancelled->load(); });
        },
        [this, cancelled](const std::shared_ptr<SampleSource> &source) {
            if (leaveIfClosed())
                return;
            if (*cancelled)
                tellAnswered();
            else
                ask(source);
            refresh();
        },
        [this, cancelled](const Error &error) {
            if (leaveIfClosed())
                return;
            if (*cancelled)
                tellAnswered();
            else
                tell(errorText(error), true);
            refresh();
        });
    refresh();
}

void TryDialog::stop() {
    m_looking->giveUp();
    m_inference->stop();
}

void TryDialog::ask(const std::shared_ptr<SampleSource> &source) {
    if (m_columns && *m_columns != source->columns())
        m_columns->clear();
    else
        m_columns = source->columns();
    tell(tr("The network answers …"), false);
    m_sinceTold.start();
    m_inference->ask(source);
    refresh();
}

void TryDialog::take(const Answer &answer) {
    ++m_count;
    m_score.add(m_inference->run(), answer);
    m_table->add(answer);
    if (static_cast<int>(m_answers.size()) < TryAnswers::mostShown) {
        m_answers.push_back(answer);
        m_answers.back().picture = {};
    }
    if (m_sinceTold.hasExpired(tellEvery)) {
        tell(tr("The network has answered %n time(s) …", nullptr, static_cast<int>(m_count)), false);
        m_sinceTold.start();
    }
    refresh();
}

void TryDialog::tell(const QString &text, bool wrong) {
    m_told->setText(breakable(text));
    setRole(m_told, wrong ? "wrong" : "secondary");
}

void TryDialog::tellPreparing(const QString &state) {
    tell(preparingText(state), false);
}

void TryDialog::tellAnswered() {
    const AskedRun &run = m_inference->run();
    const int count = static_cast<int>(m_count);
    QStringList told{run.takes == AskedRun::Takes::Pictures
                         ? tr("%n picture(s) answered, as the network sees them.", nullptr, count)
                     : run.takes == AskedRun::Takes::Texts ? tr("%n text(s) answered.", nullptr, count)
                                                           : tr("%n row(s) answered.", nullptr, count)};
    const auto judged = static_cast<double>(m_score.judged);
    if (m_score.judged > 0 && run.answers == LossFacts::Answers::Numbers) {
        told << tr("On average they are %1 off what the %n label(s) say.", nullptr, static_cast<int>(m_score.judged))
                    .arg(formatNumber(m_score.off / judged));
    } else if (m_score.judged > 0) {
        told << tr("%1 of %n with a label are right (%2).", nullptr, static_cast<int>(m_score.judged))
                    .arg(formatCount(m_score.right), formatPercent(static_cast<double>(m_score.right) / judged));
    }
    if (m_count > TryAnswers::mostShown) {
        told << tr("The first %1 are kept; \"hearth predict RUN FILE --csv TABLE\" writes all.")
                    .arg(formatCount(TryAnswers::mostShown));
    }
    tell(told.join(QLatin1Char(' ')), false);
}

void TryDialog::save() {
    const QString path = m_questions.askSaveFile(this, tr("Save the answers"), tr("Tables (*.csv)"));
    if (path.isEmpty())
        return;
    AnswerTable table(m_inference->run(), path);
    auto written = table.begin(m_columns.value_or(QStringList()));
    for (const Answer &answer : m_answers) {
        if (written)
            written = table.add(answer);
    }
    if (written)
        written = table.finish();
    if (!written)
        tell(errorText(written.error()), true);
    else
        tell(tr("The answers are in %1.").arg(path), false);
}

void TryDialog::refresh() {
    const bool isLooking = m_looking->isRunning();
    setAcceptDrops(m_inference && !m_inference->isOver() && !isLooking);
    for (QPushButton *button : {m_file, m_folder})
        button->setEnabled(acceptDrops());
    m_save->setEnabled(!m_answers.empty());
    m_stop->setEnabled(m_inference && (isLooking || m_inference->isBusy()));
}

}  // namespace hearth
