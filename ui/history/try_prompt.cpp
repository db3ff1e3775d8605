#include "ui/history/try_prompt.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSpinBox>

#include "ui/base/widgets.h"
#include "ui/words/core_words.h"

namespace hearth {
namespace {

constexpr int usualTokens = 100, promptHeight = 10 * grid;

template <class Box>
QLabel *labelOf(Box *box, const QString &text) {
    auto *label = makeLabel(text, "");
    label->setBuddy(box);
    box->setAccessibleName(text);
    return label;
}

}  // namespace

TryPrompt::TryPrompt(const AskedRun &run, std::unique_ptr<AnswerSource> answers, QWidget *parent)
    : QWidget(parent),
      m_continuation(run, std::move(answers)),
      m_prompt(new QPlainTextEdit),
      m_text(new QPlainTextEdit),
      m_tokens(new QSpinBox),
      m_temperature(new QDoubleSpinBox),
      m_go(makeButton(QStringLiteral("tryContinue"), {}, "primary")) {
    m_prompt->setObjectName(QStringLiteral("tryPrompt"));
    m_prompt->setAccessibleName(tr("Beginning of a text"));
    m_prompt->setPlaceholderText(tr("Beginning of a text"));
    m_prompt->setFixedHeight(promptHeight);
    m_prompt->setTabChangesFocus(true);
    setFocusProxy(m_prompt);
    m_text->setObjectName(QStringLiteral("tryText"));
    m_text->setAccessibleName(tr("What the network makes of it"));
    m_text->setReadOnly(true);
    m_tokens->setObjectName(QStringLiteral("tryTokens"));
    m_tokens->setRange(1, Continuation::mostTokens);
    m_tokens->setValue(usualTokens);
    m_temperature->setObjectName(QStringLiteral("tryTemperature"));
    m_temperature->setRange(0, 2);
    m_temperature->setSingleStep(0.1);
    m_temperature->setToolTip(
        tr("0 always takes the likeliest token. 1 draws each token with the probability that the network gives it, so "
           "every text is different."));
    auto *choices = new QHBoxLayout;
    choices->setSpacing(grid);
    choices->addWidget(labelOf(m_tokens, tr("Tokens at most:")));
    choices->addWidget(m_tokens);
    choices->addSpacing(2 * grid);
    choices->addWidget(labelOf(m_temperature, tr("Temperature:")));
    choices->addWidget(m_temperature);
    choices->addStretch(1);
    choices->addWidget(m_go);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_prompt);
    layout->addLayout(choices);
    layout->addWidget(m_text, 1);
    connect(m_go, &QPushButton::clicked, this, &TryPrompt::go);
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &TryPrompt::refresh);
    connect(&m_continuation, &Continuation::prepares, this, &TryPrompt::prepares);
    connect(&m_continuation, &Continuation::grown, this, &TryPrompt::showText);
    connect(&m_continuation, &Continuation::finished, this, [this] {
        showText();
        Q_EMIT told(tr("%n token(s) added.", nullptr, m_continuation.tokens()), false);
        refresh();
    });
    connect(&m_continuation, &Continuation::failed, this, [this](const Error &error) {
        Q_EMIT told(errorText(error), true);
        refresh();
    });
    refresh();
}

void TryPrompt::go() {
    if (m_continuation.isRunning())
        return m_continuation.stop();
    m_begun = m_prompt->toPlainText();
    const auto started = m_continuation.start(m_begun, {m_tokens->value(), m_temperature->value(), ++m_seed});
    if (started)
        Q_EMIT told(tr("The network goes on with it …"), false);
    else
        Q_EMIT told(errorText(started.error()), true);
    refresh();
}

void TryPrompt::showText() {
    m_text->setPlainText(m_begun + m_continuation.text());
    m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

void TryPrompt::refresh() {
    m_go->setText(m_continuation.isRunning() ? tr("Stop") : tr("Continue"));
    m_go->setEnabled(m_continuation.isRunning() || (!m_continuation.isOver() && !m_prompt->toPlainText().isEmpty()));
}

}  // namespace hearth
