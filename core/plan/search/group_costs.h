// What any group of devices makes of any range of layers, asked for one by one: for searches that change single stages.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "core/plan/in_flight.h"
#include "core/plan/search/bounds.h"
#include "core/plan/search/number_index.h"
#include "core/plan/search/stage_option.h"
#include "core/plan/search/word_hash.h"
#include "core/plan/steps.h"

namespace hearth {

/// Groups of devices by number. One thread.
class GroupNumbers {
  public:
    explicit GroupNumbers(const CostModel &model) : m_model(model) {}

    /// Of the group with these devices, none twice, in any order.
    int of(std::vector<int> devices);
    const std::vector<int> &devices(int group) const { return *m_devices[static_cast<std::size_t>(group)]; }
    std::size_t count() const { return m_devices.size(); }
    void clear();

  private:
    struct Hash {
        std::size_t operator()(const std::vector<int> &devices) const { return hashOfWords(devices); }
    };
    const CostModel &m_model;
    std::unordered_map<std::vector<int>, int, Hash> m_number;
    std::vector<const std::vector<int> *> m_devices;
};

/// For one size of micro-batches. Shares follow Eq. 8; limits under way are the widest rule that fits, then the forward
/// pass is computed again. One thread.
class GroupCosts {
  public:
    struct Settings {
        int microBatch = 1;
        bool mayRecompute = true;
        bool freeLimits = true;  // else the early rule alone
    };
    /// References must outlive it.
    GroupCosts(const CostModel &model, const GroupNumbers &numbers, const Settings &settings);

    /// A stage as searches compare it.
    struct Piece {
        StepTimes step;
        const StageOption *option = nullptr;  // whose step is that of another range, perhaps; null: it does not fit
        int inFlight = 0;
    };
    /// A device that has memory for all layers and micro-batches: its pieces are differences of sums over layers.
    struct Alone {
        CostModel::Prefix seconds;
        const StageOption *option;
        Piece piece(int firstLayer, int lastLayer) const {
            return {StepTimes::execution(seconds.between(firstLayer, lastLayer)), option, 0};
        }
    };
    /// Nothing for other groups.
    std::optional<Alone> alone(int group) {
        const Facts &own = facts(group);
        return own.roomy ? std::optional<Alone>({own.seconds, &own.option}) : std::nullopt;
    }
    /// `toEnd` counts the stages from this one to the last.
    Piece piece(int group, int firstLayer, int lastLayer, int toEnd);
    /// The cut before that layer.
    StepTimes cut(int layer, const StageOption &from, const StageOption &to) const;
    /// Of a stage with these layers; nothing where devices have no cards of their own.
    CardLoad cards(const StageOption &stage, const StepTimes &step, int firstLayer, int lastLayer) const {
        return m_ownCards ? ownCards(stage, step, firstLayer, lastLayer) : CardLoad{};
    }
    StagePlacement placement(const Piece &piece, int firstLayer, int lastLayer) const;
    /// About what to expect of a group, whatever its layers.
    struct Estimate {
        std::vector<double> before;  // seconds of one micro-batch through the layers before l, l = 0..L
        StageOption whole;           // shares as for all layers
    };
    const Estimate &estimate(int group);

    int microBatch() const { return m_settings.microBatch; }
    int microBatches() const { return m_microBatches; }
    bool onAir() const { return m_cuts.onAir(); }
    /// What it remembers, in stages.
    std::size_t size() const { return m_options.size() + m_estimates * m_model.problem().layers.size() / 16; }

  private:
    struct Facts {
        bool known = false;
        bool roomy = false;  // one device that has memory for all layers and micro-batches
        CostModel::Prefix seconds{nullptr, nullptr, nullptr};
        StageOption option;
        Estimate estimate;
    };
    CardLoad ownCards(const StageOption &stage, const StepTimes &step, int firstLayer, int lastLayer) const;
    Facts &facts(int group);
    Piece bounded(int group, int firstLayer, int lastLayer, int toEnd);

    const CostModel &m_model;
    const GroupNumbers &m_numbers;
    Settings m_settings;
    int m_microBatches;
    std::size_t m_estimates = 0;
    CutCosts m_cuts;
    bool m_ownCards = true;     // of all devices
    std::deque<Facts> m_facts;  // by group
    struct Option {
        StageOption stage;
        int inFlight = 0;
    };
    std::deque<Option> m_options;
    NumberIndex m_known;    // in m_options: without a limit, by group and range
    NumberIndex m_bounded;  // in m_options: also by stages to the end; `cannot` where none fits
};

}  // namespace hearth
