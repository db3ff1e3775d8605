// Everything a run starts from: what the app asked for and the devices that the agent knows.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/home/device_info.h"
#include "core/model/model.h"
#include "core/run/job.h"

namespace hearth {

/// The arguments of the agent's `start` call: {run, dir, request, devices}, where request is what `run.start` carried:
/// {job, model, plan?, weights?, devices?, options {plan_only, planner, save}}. Plain value.
struct RunRequest {
    QString id;
    QString directory;
    QString profiles;  // the folder of cached profiles
    Job job;
    Model model;
    std::optional<QJsonObject> plan;  // hearth-plan/1 as given by the user, unchecked
    QString weights;                  // safetensors to start from; empty: initialise from the seed
    QString save;                     // where else to write the weights at the end; empty: nowhere
    QString planner = QStringLiteral("asteroid");
    bool planOnly = false;
    std::vector<DeviceInfo> devices;  // those that take part, by id

    /// Strict. Devices are chosen by name or id; absent: all that are ready.
    static Result<RunRequest> fromCbor(const QCborMap &start);
};

}  // namespace hearth
