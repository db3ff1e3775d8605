// Profiles that PipeDream's profiler wrote, as planning problems. A profile is text, one line for each node:
//
//     node4 -- ReLU(inplace) -- forward_compute_time=0.4, backward_compute_time=0.1, activation_size=8192.0,
//     parameter_size=0.0
//
// then one tab-indented line for each edge, "node3 -- node4". Times are milliseconds and sizes bytes of one batch,
// whose number of samples the text does not say. An activation of several tensors is a list: "[4096.0; 64.0]".
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/plan/problem.h"

namespace hearth {

/// Plain value, any thread.
struct PipedreamProfile {
    /// Nodes between two places where one tensor alone crosses. All numbers are of the measured batch.
    struct Layer {
        QString name;  // the node's description, or the first and the last id of several
        double forwardSeconds = 0;
        double backwardSeconds = 0;
        double outputBytes = 0;  // of the node whose tensor crosses; of the last node in the last layer
        double savedBytes = 0;   // the activations of all its nodes, which backward needs
        double parameterBytes = 0;
    };
    std::vector<Layer> layers;

    /// Cuts the graph into a chain: a cut lies only after a node that every path through the graph passes (an antichain
    /// of one node) and whose output has a known size; an activation of 0 bytes is a view of an earlier tensor, so its
    /// node stays with the next ones. Nodes called Input… that cost nothing are left out as PipeDream does, since the
    /// data device serves them. Errors name `source`, the line and the cause: a line that cannot be read, a duplicate
    /// or unknown id, a cycle, negative or infinite numbers, no nodes, too much of anything.
    static Result<PipedreamProfile> fromText(const QByteArray &text, const QString &source);
};

/// Where a profile is to run.
struct ProfileHome {
    struct Device {
        PlanningProblem::Device device;
        double relativeSpeed = 1;  // the profiled device's = 1
    };
    std::vector<Device> devices;
    LinkProfile links;
    JobFacts job;
    int profiledBatch = 0;  // samples that the profile's times and sizes are of
    /// Samples' worth of time that a layer takes whatever the batch: t(b) = t · (fixedSamples + b) / (fixedSamples +
    /// profiledBatch), divided by the speed of the device. An assumption, since the profile has one batch size only;
    /// devices differ in speed alone, not from layer to layer.
    double fixedSamples = 4;
};

/// Sizes of activations are divided by the profiled batch; gradients are as large as outputs, all parameters are
/// trainable. Errors: numbers of `home` that make no sense, and whatever PlanningProblem::validate() finds.
Result<PlanningProblem> problemFromProfile(const PipedreamProfile &profile, const ProfileHome &home);

}  // namespace hearth
