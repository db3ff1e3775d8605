// Pairing with one device: six digits that two people compare.
#pragma once

#include <QDeadlineTimer>
#include <QDialog>
#include <QTimer>

#include "core/pairing/pairing_status.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace hearth {

class ErrorPanel;
class FirstMeasurement;
class PairingControl;

/// Follows one attempt from its beginning to its end, in place. Closing it cancels the attempt, and none that the agent
/// had under way before. Whoever has begun it measures the device when it is paired. GUI thread; `control` must outlive
/// it.
class PairingDialog : public QDialog {
    Q_OBJECT
  public:
    /// Takes `measuring`, which may be null: then nothing is measured.
    explicit PairingDialog(PairingControl &control, FirstMeasurement *measuring = nullptr, QWidget *parent = nullptr);

    void done(int result) override;

  private:
    void follow();
    void present(const PairingStatus &status);
    void showDigits(const QString &code);
    void showError(const Error &error);
    void countDown();
    void fitHeight();
    QWidget *makeButtons();

    PairingControl &m_control;
    PairingStatus m_status;
    bool m_hasBegun = false;  // as the agent has told
    bool m_isOver = false;
    bool m_isRefused = false;  // nothing of this dialog is under way
    QDeadlineTimer m_until;
    QTimer m_second;
    QLabel *m_title;
    QLabel *m_text;
    QLabel *m_digits;
    QLabel *m_fingerprint;
    QLabel *m_time;
    QLabel *m_allows;
    ErrorPanel *m_error;
    QProgressBar *m_progress;
    FirstMeasurement *m_measuring;
    QPushButton *m_match = nullptr;
    QPushButton *m_mismatch = nullptr;
    QPushButton *m_close = nullptr;
};

}  // namespace hearth
