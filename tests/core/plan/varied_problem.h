// Random but repeatable planning problems with everything that a home may have: mixed cards, air, slow pairs, equal
// devices, layers that go backward at a pace of their own, halves of backward passes known or not.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "core/plan/problem.h"

namespace hearth::test {

enum class Home {
    Switched,    // full duplex, all alike
    HalfDuplex,  // all alike
    OwnCards,    // every device its own rate up and down, some half duplex
    OwnPairs,    // every pair its own rate and latency, some unreachable
    OneAir,      // all devices on one medium
    Mixed        // some wired, some on the air, their own cards and pairs
};
inline constexpr int homeCount = 6;

struct VariedShape {
    int layers = 6;
    int devices = 3;
    int batch = 16;
    Home home = Home::Switched;
    int types = 0;  // devices repeat these; 0: all differ
    bool tightMemory = false;
    bool halves = false;  // of backward passes are known
    bool packed = false;  // what packing leaves of cuts is known
};

class VariedProblem {
  public:
    explicit VariedProblem(std::mt19937 &random) : m_random(random) {}

    PlanningProblem make(const VariedShape &shape) {
        PlanningProblem problem;
        problem.batch = shape.batch;
        problem.optimizerStateFactor = below(3);
        problem.inputBytes = static_cast<qint64>(between(0, 2e4));
        problem.labelBytes = 8;
        for (int l = 0; l < shape.layers; ++l)
            problem.layers.push_back(layer(l));
        for (int d = 0; d < shape.devices; ++d)
            problem.devices.push_back({QStringLiteral("dev%1").arg((d * 7 + 3) % 13), 0, 1000000});
        if (below(3) == 0)
            problem.dataDevice = problem.devices[0].id;
        if (shape.packed)
            addPacking(problem);
        addTimes(shape, problem);
        addMemory(shape, problem);
        addLinks(shape, problem);
        return problem;
    }

  private:
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(m_random() >> 5) / static_cast<double>(1u << 27);
    }
    int below(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }

    LayerFacts layer(int index) {
        LayerFacts facts;
        facts.name = QStringLiteral("layer%1").arg(index);
        facts.outputBytes = static_cast<qint64>(std::exp(between(std::log(1e3), std::log(2e5))));
        const int kind = below(12);  // 0: nothing before the cut is trained
        facts.gradientBytes = kind == 0 ? 0 : kind < 4 ? facts.outputBytes / 2 : facts.outputBytes;
        facts.savedBytes = static_cast<qint64>(between(1e4, 4e5));
        facts.workspaceBytes = static_cast<qint64>(between(0, 1e5));
        facts.parameterBytes = static_cast<qint64>(between(1e4, 2e6));
        facts.trainableBytes = below(4) == 0 ? 0 : facts.parameterBytes;
        facts.bufferBytes = static_cast<qint64>(between(0, 1e4));
        facts.minimumSamples = below(8) == 0 ? 2 : 1;
        return facts;
    }

    /// By what was drawn already: nothing else changes.
    static void addPacking(PlanningProblem &problem) {
        const auto partOf = [](qint64 bytes) { return 0.3 + static_cast<double>(bytes % 128) / 200; };
        for (LayerFacts &facts : problem.layers) {
            const double backward = partOf(facts.savedBytes);
            facts.packed[QStringLiteral("none")] = {partOf(facts.outputBytes), backward, 0.7 * backward};
        }
    }

    void addTimes(const VariedShape &shape, PlanningProblem &problem) {
        std::vector<double> work, ratio;
        for (int l = 0; l < shape.layers; ++l) {
            work.push_back(between(0.001, 0.01));
            ratio.push_back(between(0.8, 3));
        }
        const int kinds = shape.types > 0 ? shape.types : shape.devices;
        std::vector<TimeTable> tables;
        for (int k = 0; k < kinds; ++k)
            tables.push_back(table(work, ratio, shape.halves));
        for (int d = 0; d < shape.devices; ++d)
            problem.times.push_back(tables[static_cast<std::size_t>(d % kinds)]);
    }
    TimeTable table(const std::vector<double> &work, const std::vector<double> &ratio, bool halves) {
        TimeTable table;
        table.batch = {1, 2, 4, 8, 16};
        const double speed = between(0.5, 4), fixed = between(0.5, 6);
        for (std::size_t l = 0; l < work.size(); ++l) {
            const double own = work[l] * between(0.7, 1.4) / speed;
            const double back = ratio[l] * between(0.8, 1.25);
            const double late = halves ? between(0.1, 0.8) : 0;
            std::vector<double> forward, backward, weights;
            for (const int size : table.batch) {
                forward.push_back(own * (fixed + size) / (fixed + 1));
                backward.push_back(back * own * (fixed + size) / (fixed + 1));
                weights.push_back(late * backward.back());
            }
            table.forward.push_back(std::move(forward));
            table.backward.push_back(std::move(backward));
            if (halves)
                table.weights.push_back(std::move(weights));
        }
        return table;
    }

    void addMemory(const VariedShape &shape, PlanningProblem &problem) {
        const int kinds = shape.types > 0 ? shape.types : shape.devices;
        std::vector<double> bytes;
        for (int k = 0; k < kinds; ++k)
            bytes.push_back(shape.tightMemory ? between(4e6, 2.5e7) : 1e11);
        for (int d = 0; d < shape.devices; ++d)
            problem.devices[static_cast<std::size_t>(d)].memoryBytes =
                static_cast<qint64>(bytes[static_cast<std::size_t>(d % kinds)]);
    }

    void addLinks(const VariedShape &shape, PlanningProblem &problem) {
        LinkProfile &links = problem.links;
        const double usual = std::exp(between(std::log(3e6), std::log(1e8)));
        const Duplex duplex = shape.home == Home::HalfDuplex || (shape.home == Home::Mixed && below(3) == 0)
                                  ? Duplex::Half
                                  : Duplex::Full;
        links.fallback = LinkProfile::Link{usual, 0.0003, duplex};
        const bool air = shape.home == Home::OneAir || shape.home == Home::Mixed;
        if (air)
            links.media.push_back({QStringLiteral("air"), usual * between(0.3, 1)});
        for (const auto &device : problem.devices) {
            LinkProfile::Nic nic{device.id, std::nullopt, std::nullopt, std::nullopt, QString()};
            if (shape.home == Home::OneAir || (shape.home == Home::Mixed && below(2) == 0))
                nic.medium = QStringLiteral("air");
            if (shape.home == Home::OwnCards || (shape.home == Home::Mixed && below(2) == 0)) {
                nic.upBytesPerSecond = usual * between(0.2, 1);
                nic.downBytesPerSecond = usual * between(0.2, 1);
                if (below(4) == 0)
                    nic.duplex = Duplex::Half;
            }
            if (!nic.medium.isEmpty() || nic.upBytesPerSecond)
                links.nics.push_back(nic);
        }
        if (shape.home != Home::OwnPairs && !(shape.home == Home::Mixed && below(2) == 0))
            return;
        for (const auto &a : problem.devices) {
            for (const auto &b : problem.devices) {
                if (a.id == b.id || below(2) == 0)
                    continue;
                const double rate = below(12) == 0 ? 0 : usual * between(0.2, 1.5);
                const auto latency = below(2) == 0 ? std::optional<double>(0.001) : std::nullopt;
                links.pairs.push_back({a.id, b.id, rate, latency});
            }
        }
    }

    std::mt19937 &m_random;
};

}  // namespace hearth::test
