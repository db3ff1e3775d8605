// A language model goes on with what a person types.
#pragma once

#include <QWidget>

#include "core/inference/continuation.h"

class QDoubleSpinBox;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace hearth {

/// GUI thread.
class TryPrompt : public QWidget {
    Q_OBJECT
  public:
    /// `answers` as of Continuation.
    explicit TryPrompt(const AskedRun &run, std::unique_ptr<AnswerSource> answers, QWidget *parent = nullptr);

  Q_SIGNALS:
    void told(const QString &text, bool wrong);
    /// AnswerSource's.
    void prepares(const QString &state);

  private:
    void go();
    void showText();
    void refresh();

    Continuation m_continuation;
    QPlainTextEdit *m_prompt, *m_text;
    QSpinBox *m_tokens;
    QDoubleSpinBox *m_temperature;
    QPushButton *m_go;
    QString m_begun;     // the prompt that is continued
    quint64 m_seed = 0;  // another text each time that it is asked
};

}  // namespace hearth
