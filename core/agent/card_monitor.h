// How this device's graphics card is doing, looked at beside the event loop, and how much power it may take.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "core/agent/nvml.h"
#include "core/base/background_task.h"

namespace hearth {

/// Reads once where it is asked to, and again and again while somebody watches. Main thread.
class CardMonitor : public QObject {
    Q_OBJECT
  public:
    /// As often as a card renews what it says of itself: while a run computes on it. The library is held meanwhile.
    static constexpr std::chrono::milliseconds often{1000};
    /// For whoever only waits for the card.
    static constexpr std::chrono::milliseconds seldom{10000};

    explicit CardMonitor(QObject *parent = nullptr);
    /// Puts a power limit back.
    ~CardMonitor() override;

    /// Of the card with this uuid, from the next reading on; empty: the one with the most memory.
    void setCard(const QString &uuid) { m_uuid = uuid; }
    /// One reading; where one is under way, another one after it.
    void look();
    /// 0: not any more.
    void watch(std::chrono::milliseconds interval);
    /// The card takes at most this from the next reading on; 0: what it took before.
    void limitWatts(int watts) { m_wantedWatts = watts; }
    /// Why it takes more; empty where it does not.
    const Sentence &powerTrouble() const { return m_powerTrouble; }
    /// The newest; nullopt where nothing can be read.
    const std::optional<CardReading> &reading() const { return m_reading; }

  Q_SIGNALS:
    /// After each, also where nothing can be read.
    void looked();

  private:
    /// What a reading takes to its thread and brings back.
    struct Look {
        std::shared_ptr<Nvml> nvml;
        std::optional<CardReading> reading;
        int setWatts = 0;                   // 0: the card has its own limit
        std::optional<double> wattsBefore;  // that one, while another is set
        Sentence powerTrouble;
    };
    static void setPower(Look &look, const QString &uuid, int wanted);

    QString m_uuid;
    std::optional<CardReading> m_reading;
    std::shared_ptr<Nvml> m_nvml;
    QTimer m_timer;
    int m_wantedWatts = 0, m_setWatts = 0;
    std::optional<double> m_wattsBefore;
    Sentence m_powerTrouble;
    bool m_again = false;
    std::unique_ptr<BackgroundTask> m_task;  // after what its work takes from here
};

}  // namespace hearth
