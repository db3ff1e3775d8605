// What the attacks of these tests came to.
#pragma once

#include <QByteArray>
#include <QFile>

namespace hearth {

/// One line of the table that `ctest -L security` ends with. An attack that got in has failed its test before.
inline void noteAttack(const char *attack, int tries, int gotIn = 0) {
    QFile file(qEnvironmentVariable("HEARTH_ATTACK_LOG"));
    if (!file.fileName().isEmpty() && file.open(QIODevice::WriteOnly | QIODevice::Append))
        file.write(QByteArray(attack) + '\t' + QByteArray::number(tries) + '\t' + QByteArray::number(gotIn) + '\n');
    qInfo("%s: %d tries, got in %d", attack, tries, gotIn);
}

}  // namespace hearth
