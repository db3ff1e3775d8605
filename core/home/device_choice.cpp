#include "core/home/device_choice.h"

#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/home/ignore_list.h"

namespace hearth {

Result<DeviceInfo> deviceNamed(const std::vector<DeviceInfo> &devices, const QString &word) {
    QStringList names;
    std::vector<const DeviceInfo *> found;
    // As they are listed: the first digits, in groups.
    const QString digits = QString(word).remove(QLatin1Char(' ')).toLower();
    const bool mayBeKey = isKeyStart(digits);
    for (const DeviceInfo &device : devices) {
        // Another one may call itself so: its name takes nobody's id.
        if (device.id == word)
            return device;
        names << device.name;
        if (device.name == word || (mayBeKey && device.id.startsWith(digits)))
            found.push_back(&device);
    }
    if (found.size() == 1)
        return *found.front();
    return fail(QStringLiteral("device.unknown"),
                found.empty() ? sentence("There is no device \"%1\" in this home.").arg(word.left(80))
                              : sentence("Several devices are called \"%1\".").arg(word.left(80)),
                QString(),
                found.empty() ? Sentence(didYouMean(word, names))
                              : sentence("Name it by the digits of its key: see \"hearth devices\"."));
}

}  // namespace hearth
