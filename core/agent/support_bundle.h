// What somebody who helps needs to see, and nothing that is nobody else's business.
#pragma once

#include <QByteArray>
#include <QString>
#include <atomic>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/home/device_info.h"

namespace hearth {

/// One file of a bundle, as it will be saved: what must not leave is gone already.
struct SupportFile {
    QString name;  // inside the bundle, "runs/20260101-…/events.jsonl"
    QByteArray content;
    bool shortened = false;  // its middle is left out
    bool operator==(const SupportFile &) const = default;
};

struct SupportSources {
    QString stateDir;                 // whose runs and log
    QString versions;                 // of the programs, as text
    std::vector<DeviceInfo> devices;  // as the window shows them
    QString homeFolder, userName;     // what they are replaced for
};

/// Only these are ever read: job.json, model.json, plan-*.json, problem-*.json and events.jsonl of the newest three
/// runs, and agent.log; plain files, no links. No keys, certificates, trust store, weights or checkpoints. Long events
/// and logs keep their beginning and end. Blocks while it reads; any thread. Gives up between two files once
/// `cancelled` says so.
std::vector<SupportFile> collectSupport(const SupportSources &sources, const std::function<bool()> &cancelled = {});

/// `text` without the home folder (now "~"), the user's name where it is a word of its own, blocks of PEM, and the
/// values of what is called a password, secret, token or key.
QByteArray withoutSecrets(const QByteArray &text, const QString &homeFolder, const QString &userName);

/// Writes a .tar.gz, whole or not at all; owners and times of the files are not in it.
Result<void> saveSupport(const QString &path, const std::vector<SupportFile> &files);

}  // namespace hearth
