#include "ui/job/add_data.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTableWidget>

#include "core/base/background_task.h"
#include "core/data/data_registry.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/job/left_out_list.h"
#include "ui/job/look_progress.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr qsizetype mostColumns = 50, mostLetters = 200;
constexpr qsizetype mostBeforeNumber = 70;  // letters of a name

}  // namespace

AddDataDialog::AddDataDialog(Questions &questions, const QString &path, QWidget *parent)
    : QDialog(parent),
      m_questions(questions),
      m_taken(registeredDatasets() + builtinDatasets()),
      m_path(new QLineEdit),
      m_name(new QLineEdit),
      m_told(makeLabel({}, "secondary")),
      m_progress(new LookProgress(QStringLiteral("addDataProgress"))),
      m_broken(new LeftOutList(QStringLiteral("addDataBroken"))),
      m_label(new QComboBox),
      m_task(new QComboBox),
      m_texts(new QComboBox),
      m_tokenizer(new QLineEdit),
      m_rows(new QTableWidget),
      m_add(makeButton(QStringLiteral("addDataAdd"), tr("Add"), "primary")) {
    setObjectName(QStringLiteral("addDataDialog"));
    setWindowTitle(tr("Add data"));
    auto *intro =
        makeLabel(tr("A folder with a folder of pictures for each class, a table, or texts. The data stay where "
                     "they are."),
                  "secondary");
    intro->setWordWrap(true);
    m_name->setObjectName(QStringLiteral("addDataName"));
    m_told->setObjectName(QStringLiteral("addDataTold"));
    m_told->setWordWrap(true);
    auto *form = new QFormLayout;
    form->addRow(tr("Where"), buildPath());
    form->addRow(tr("Name"), m_name);
    m_learntRow = buildLearnt();
    form->addRow(tr("Learn"), m_learntRow);
    form->addRow(tr("Texts"), m_texts);
    m_tokenizerRow = buildTokenizer();
    form->addRow(tr("Tokenizer"), m_tokenizerRow);
    m_texts->setObjectName(QStringLiteral("addDataTexts"));
    m_texts->setAccessibleName(tr("Column of the texts"));
    m_rows->setObjectName(QStringLiteral("addDataRows"));
    m_rows->setAccessibleName(tr("The first rows"));
    m_rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_rows->setFocusPolicy(Qt::TabFocus);
    m_rows->setTabKeyNavigation(false);
    m_rows->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_rows->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    m_form = form;
    auto *close = makeButton(QStringLiteral("addDataClose"), tr("Close"), "");
    auto *layout = makeDialogLayout(this);
    layout->addWidget(intro);
    layout->addLayout(form);
    layout->addWidget(m_rows);
    layout->addWidget(m_told);
    layout->addWidget(m_progress);
    layout->addWidget(m_broken, 1);
    layout->addStretch(0);
    layout->addLayout(makeButtonRow({close, m_add}));
    resize(72 * grid, 36 * grid);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, [this] { m_set ? accept() : begin(); });
    m_add->setDefault(true);
    choose(path);
    connect(m_name, &QLineEdit::textEdited, this, [this] { m_isNameGiven = true; });
    connect(m_path, &QLineEdit::textEdited, this, [this](const QString &typed) {
        if (!m_isNameGiven)
            m_name->setText(nameOf(typed));
    });
    for (QLineEdit *edit : {m_path, m_name})
        connect(edit, &QLineEdit::textChanged, this, &AddDataDialog::refresh);
    connect(m_path, &QLineEdit::textChanged, this, &AddDataDialog::lookAtBeginning);
    connect(m_texts, &QComboBox::currentIndexChanged, this, &AddDataDialog::showTokenizer);
    lookAtBeginning();
    refresh();
}

AddDataDialog::~AddDataDialog() = default;

void AddDataDialog::done(int result) {
    m_isClosed = true;
    for (BackgroundTask *task : {m_beginning.get(), m_looking.get()}) {
        if (task != nullptr)
            task->giveUp();
        keepUntilOver(this, task);
    }
    QDialog::done(result);
}

/// What the data are called where they lie, as far as a name may be so, and as nothing else is called.
QString AddDataDialog::nameOf(const QString &path) const {
    const QString own = nameForData(QFileInfo(QDir::cleanPath(path)).completeBaseName());
    QString name = own;
    for (int next = 2; m_taken.contains(name); ++next)
        name = QStringLiteral("%1-%2").arg(own.left(mostBeforeNumber)).arg(next);
    return name;
}

QWidget *AddDataDialog::buildPath() {
    m_path->setObjectName(QStringLiteral("addDataPath"));
    m_path->setAccessibleName(tr("Folder or file"));
    auto *folder = makeButton(QStringLiteral("addDataFolder"), tr("Folder …"), "");
    auto *file = makeButton(QStringLiteral("addDataFile"), tr("File …"), "");
    connect(folder, &QPushButton::clicked, this,
            [this] { choose(m_questions.askOpenFolder(this, tr("Choose a folder of pictures"))); });
    connect(file, &QPushButton::clicked, this, [this] {
        choose(m_questions.askOpenFile(this, tr("Choose data"), tr("Tables (*.csv *.tsv);;All files (*)")));
    });
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_path, 1);
    layout->addWidget(folder);
    layout->addWidget(file);
    return row;
}

QWidget *AddDataDialog::buildLearnt() {
    m_label->setObjectName(QStringLiteral("addDataLabel"));
    m_label->setAccessibleName(tr("Column to learn"));
    m_task->setObjectName(QStringLiteral("addDataTask"));
    m_task->setAccessibleName(tr("What is in the column to learn"));
    m_task->addItem(tr("what it looks like"), QString());
    m_task->addItem(tr("classes"), QStringLiteral("classification"));
    m_task->addItem(tr("a quantity"), QStringLiteral("regression"));
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label, 1);
    layout->addWidget(makeLabel(tr("as"), ""));
    layout->addWidget(m_task);
    return row;
}

QWidget *AddDataDialog::buildTokenizer() {
    m_tokenizer->setObjectName(QStringLiteral("addDataTokenizer"));
    m_tokenizer->setAccessibleName(tr("Folder of a network, whose tokenizer is taken"));
    m_tokenizer->setPlaceholderText(tr("the bytes of the texts"));
    auto *folder = makeButton(QStringLiteral("addDataTokenizerFolder"), tr("Folder …"), "");
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString path = m_questions.askOpenFolder(this, tr("Choose the folder of a network"));
        if (!path.isEmpty())
            m_tokenizer->setText(QDir::toNativeSeparators(path));
    });
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tokenizer, 1);
    layout->addWidget(folder);
    return row;
}

void AddDataDialog::choose(const QString &path) {
    if (path.isEmpty())
        return;
    m_path->setText(QDir::toNativeSeparators(path));
    if (!m_isNameGiven)
        m_name->setText(nameOf(path));
}

void AddDataDialog::lookAtBeginning() {
    // What is shown is of another path.
    if (m_looking && !m_looking->isRunning())
        m_looking.reset();
    if (!m_looking)
        tell({}, false);
    showBeginning({});
    if (m_beginning && m_beginning->isRunning()) {
        m_beginning->giveUp();
        return;
    }
    const QString path = m_path->text();
    if (path.isEmpty())
        return;
    m_beginning = std::make_unique<BackgroundTask>();
    m_beginning->start<DataBeginning>(
        this,
        [path, cancelled = m_beginning->cancelled()] {
            return Result<DataBeginning>(beginningOf(path, [&cancelled](qint64, qint64) { return !*cancelled; }));
        },
        [this](const DataBeginning &beginning) {
            if (m_isClosed)
                endIfOver();
            else if (*m_beginning->cancelled())
                lookAtBeginning();
            else
                showBeginning(beginning);
        },
        [](const Error &) {});
}

void AddDataDialog::showBeginning(const DataBeginning &beginning) {
    m_arePlainTexts = beginning.arePlainTexts;
    showColumns(beginning);
    m_rows->setVisible(!beginning.columns.isEmpty());
    m_rows->setColumnCount(static_cast<int>(std::min(beginning.columns.size(), mostColumns)));
    m_rows->setRowCount(static_cast<int>(beginning.rows.size()));
    QStringList names;
    for (int column = 0; column < m_rows->columnCount(); ++column) {
        names << onOneLine(beginning.columns[column]);
        for (int row = 0; row < m_rows->rowCount(); ++row)
            m_rows->setItem(row, column,
                            new QTableWidgetItem(onOneLine(beginning.rows[row][column].left(mostLetters))));
    }
    m_rows->setHorizontalHeaderLabels(names);
    // What was not there before takes no room from the fields above.
    resize(size().expandedTo(sizeHint()));
    // Where they are being added already, that is told.
    if (m_arePlainTexts && !m_looking)
        tell(tr("A language model learns to continue these texts. Folders called train, validation and test divide "
                "them; other folders mean nothing. For classes, make a table with the columns text and label."),
             false);
}

void AddDataDialog::showColumns(const DataBeginning &beginning) {
    const QSignalBlocker filling(m_texts);
    m_label->clear();
    m_texts->clear();
    // A single column that is called so is one of those below.
    const bool isOne = beginning.texts.size() == 1;
    if (!isOne) {
        m_texts->addItem(beginning.texts.isEmpty() ? tr("none: numbers and categories")
                                                   : onOneLine(beginning.texts.join(QStringLiteral(", "))),
                         beginning.texts);
    }
    for (const QString &column : beginning.columns) {
        m_label->addItem(onOneLine(column), column);
        m_texts->addItem(onOneLine(column), QStringList{column});
    }
    m_label->setCurrentIndex(static_cast<int>(beginning.columns.indexOf(beginning.label)));
    m_task->setCurrentIndex(0);
    m_texts->setCurrentIndex(isOne ? static_cast<int>(beginning.columns.indexOf(beginning.texts.front())) : 0);
    for (QWidget *row : {m_learntRow, static_cast<QWidget *>(m_texts)})
        m_form->setRowVisible(row, !beginning.columns.isEmpty());
    showTokenizer();
}

void AddDataDialog::showTokenizer() {
    m_form->setRowVisible(m_tokenizerRow, !chosenTexts().isEmpty() || m_arePlainTexts);
}

QStringList AddDataDialog::chosenTexts() const {
    return m_texts->currentData().toStringList();
}

void AddDataDialog::begin() {
    const QString name = m_name->text().trimmed(), path = m_path->text();
    m_broken->tell({});
    tell(tr("Looking at the data …"), false);
    m_looking = std::make_unique<BackgroundTask>();
    const CheckProgress progress = m_progress->begin(m_looking->cancelled());
    m_looking->start<std::shared_ptr<const Dataset>>(
        this,
        [name, path, progress,
         choice = DataChoice{m_label->currentData().toString(), m_task->currentData().toString(), chosenTexts(),
                             m_tokenizerRow->isVisible() ? m_tokenizer->text().trimmed() : QString()}] {
            return registerDataset(name, path, false, progress, choice);
        },
        [this, name](const std::shared_ptr<const Dataset> &set) {
            if (m_isClosed) {
                // Somebody gave up while it was being written.
                (void)unregisterDataset(name);
                endIfOver();
                return;
            }
            m_set = set;
            Q_EMIT added(name);
            take();
        },
        [this](const Error &error) {
            m_progress->hide();
            tell(errorText(error), true);
            refresh();
            endIfOver();
        });
    refresh();
}

void AddDataDialog::take() {
    m_progress->hide();
    const auto &broken = m_set->broken();
    const bool isOneClass = m_set->labelNames().size() == 1;
    if (broken.empty() && !isOneClass) {
        accept();
        return;
    }
    QStringList told;
    if (isOneClass)
        told << tr("All samples are in one class: a job learns from them only together with other data.");
    if (!broken.empty())
        told << addedText();
    tell(told.join(QLatin1Char(' ')), false);
    m_broken->tell(broken);
    resize(size().expandedTo(QSize(0, 60 * grid)));
    m_add->setText(tr("Done"));
    refresh();
}

QString AddDataDialog::addedText() const {
    const QString train = formatCount(m_set->count(Split::Train)), test = formatCount(m_set->count(Split::Test));
    const auto files = static_cast<int>(m_set->countBroken(BrokenFile::Fate::LeftOut));
    QString words = tr("%1 rows to train and %2 to test are added. Columns and rows that are left out:");
    if (files == 0)
        words = tr("%1 rows to train and %2 to test are added.");
    else if (m_set->arePictures())
        words =
            tr("%1 pictures to train and %2 to test are added. %n file(s) cannot be used and are left out:", nullptr,
               files);
    else if (m_set->columns().isEmpty())
        words = tr("%1 samples to train and %2 to test are added. %n file(s) cannot be used and are left out:", nullptr,
                   files);
    return words.arg(train, test);
}

void AddDataDialog::tell(const QString &text, bool wrong) {
    m_told->setText(breakable(text));
    setRole(m_told, wrong ? "wrong" : "secondary");
}

void AddDataDialog::refresh() {
    const bool isLooking = m_looking && m_looking->isRunning();
    for (QWidget *part : {static_cast<QWidget *>(m_path), static_cast<QWidget *>(m_name), m_learntRow,
                          static_cast<QWidget *>(m_texts), m_tokenizerRow})
        part->setEnabled(!isLooking && !m_set);
    const bool isFilled = !m_path->text().isEmpty() && !m_name->text().trimmed().isEmpty();
    m_add->setEnabled(m_set || (isFilled && !isLooking));
}

void AddDataDialog::endIfOver() {
    const auto runs = [](const std::unique_ptr<BackgroundTask> &task) { return task && task->isRunning(); };
    if (m_isClosed && !runs(m_beginning) && !runs(m_looking))
        deleteLater();
}

}  // namespace hearth
