// Which graphics card this device can compute on, as Hearth's program for them says.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTimer>
#include <chrono>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// A card that hearth-worker-cuda computes on.
struct FoundCard {
    QString program;  // where that is
    int index = 0;    // what it calls the card
    QString name, uuid;
    qint64 memoryBytes = 0;  // all that it has
};

/// The card with the most memory of those that `hearth-worker-cuda --cards` prints; the index of two alike decides.
/// Errors: "card.none" with the program's own cause, "card.unreadable".
Result<FoundCard> readCards(const QByteArray &line);

/// Asks once; a child that crashes, hangs or is not there leaves the device its processor. Main thread.
class CardFinder : public QObject {
    Q_OBJECT
  public:
    /// `deadline`: for the answer.
    explicit CardFinder(std::chrono::milliseconds deadline, QObject *parent = nullptr);
    ~CardFinder() override;

    /// Where there is no such program, all is known at once.
    void ask();
    bool isKnown() const { return m_known; }
    const std::optional<FoundCard> &card() const { return m_card; }
    /// Why there is none. Empty where there is one, it is not known yet, or this device has no program for cards.
    const Sentence &cause() const { return m_cause; }

  Q_SIGNALS:
    /// Once, where it was not known when ask() returned.
    void known();

  private:
    void finish(const Result<FoundCard> &found);
    void failToStart(const Error &error);

    QProcess m_process;
    QTimer m_deadline;
    std::optional<FoundCard> m_card;
    Sentence m_cause;
    bool m_known = false;
};

}  // namespace hearth
