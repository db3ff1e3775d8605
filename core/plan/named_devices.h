// Plans that name devices as people do.
#pragma once

#include <vector>

#include "core/plan/plan.h"

namespace hearth {

struct NamedDevice {
    QString id;
    QString name;  // what people call it; others may be called the same
};

/// By ids, of a plan that names devices by id or by a name that one of these has alone. Without a prediction: that is
/// by the other names. Error "plan.misfit": it names a device that is none of these, or has a name that several have.
Result<Plan> withIds(Plan plan, const std::vector<NamedDevice> &devices);
/// By names as far as one device has a name alone, else by ids, with the prediction: for files that are read where
/// devices of those names have other ids.
Plan withNames(Plan plan, const std::vector<NamedDevice> &devices);

}  // namespace hearth
