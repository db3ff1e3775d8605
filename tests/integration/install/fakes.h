// A person and a home, as an installation asks them, for tests.
#pragma once

#include <QByteArrayList>
#include <map>
#include <set>

#include "core/install/installer.h"

namespace hearth {

class FakePerson : public InstallDialogue {
  public:
    bool acceptsHostKey(const SshHostKey &key) override {
        shown = key;
        return trustsHost;
    }
    std::optional<Secret> password(PasswordKind kind, const QString &, int) override {
        asked.push_back(kind);
        if (passwords.isEmpty())
            return std::nullopt;
        QByteArray copy = passwords.takeFirst();
        copy.detach();
        return Secret(std::move(copy));
    }
    bool confirms(const QList<Sentence> &list) override {
        changes.clear();
        for (const Sentence &each : list)
            changes << each.english();
        return consents;
    }
    void progress(const InstallProgress &progress) override {
        seen.push_back(progress);
        if (progress.state == InstallProgress::State::Started && progress.step == cancelAt)
            isGone = true;
        if (progress.state == InstallProgress::State::Done && progress.step == cancelAfter)
            isGone = true;
        if (!cancelAtText.isEmpty() && progress.text.contains(cancelAtText))
            isGone = true;
    }
    bool isCancelled() override { return isGone; }

    const InstallCheck *check(const QString &id) const {
        for (const InstallProgress &each : seen) {
            if (each.check && each.check->id == id)
                return &*each.check;
        }
        return nullptr;
    }
    bool was(InstallStep step, InstallProgress::State state) const {
        return std::any_of(seen.begin(), seen.end(),
                           [&](const InstallProgress &each) { return each.step == step && each.state == state; });
    }

    bool trustsHost = true;
    bool consents = true;
    QByteArrayList passwords;
    std::optional<InstallStep> cancelAt, cancelAfter;
    QString cancelAtText;
    bool isGone = false;
    SshHostKey shown;
    QStringList changes;
    std::vector<PasswordKind> asked;
    std::vector<InstallProgress> seen;
};

class FakeHome : public LocalHome {
  public:
    FakeHome() {
        own.name = QStringLiteral("laptop");
        own.fingerprint.bytes.fill(7);
        own.addresses = {QStringLiteral("10.0.0.1:47600")};
    }
    Result<IdentityFile> identity() override { return own; }
    Result<void> trust(const IdentityFile &device) override {
        devices[device.fingerprint] = device;
        return {};
    }
    Result<std::optional<QString>> trustedName(const Fingerprint &device) override {
        const auto at = devices.find(device);
        return at == devices.end() ? std::optional<QString>() : std::optional(at->second.name);
    }
    Result<void> forget(const Fingerprint &device) override {
        ++wordsOfRemoval;
        return distrust(device);
    }
    Result<void> distrust(const Fingerprint &device) override {
        devices.erase(device);
        return {};
    }
    Result<void> awaitDevice(const Fingerprint &, std::chrono::milliseconds, const std::function<bool()> &) override {
        return link;
    }

    IdentityFile own;
    std::map<Fingerprint, IdentityFile> devices;
    int wordsOfRemoval = 0;  // that other devices hear
    Result<void> link;
};

}  // namespace hearth
