// The built-in networks, by what they descend from.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace hearth {

struct ModelFamily {
    QString name;
    QString what;        // what it is for, in a few words
    QStringList models;  // built in, the smallest first
};

/// All built-in networks, each in one family; those for pictures first.
std::vector<ModelFamily> modelFamilies();

}  // namespace hearth
