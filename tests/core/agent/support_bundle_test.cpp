// The support bundle: what goes in, and that no secret does.
#include <archive.h>
#include <archive_entry.h>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/agent/support_bundle.h"

using namespace hearth;

namespace {

const QStringList secrets{QStringLiteral("hunter2"),          QStringLiteral("s3cr3t-token"),
                          QStringLiteral("MHcCAQEEIPRIVATE"), QStringLiteral("MIIBcertDATA"),
                          QStringLiteral("WEIGHTBYTES"),      QStringLiteral("CHECKPOINTBYTES"),
                          QStringLiteral("annabelle"),        QStringLiteral("trust-store-line")};
const QByteArray pem = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIPRIVATE\n-----END EC PRIVATE KEY-----\n";

}  // namespace

class SupportBundleTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_root;
    SupportSources m_sources;

    void write(const QString &name, const QByteArray &content) const {
        const QString path = m_sources.stateDir + QLatin1Char('/') + name;
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
    }
    static QStringList namesOf(const std::vector<SupportFile> &files) {
        QStringList names;
        for (const SupportFile &file : files)
            names << file.name;
        return names;
    }
    static QByteArray all(const std::vector<SupportFile> &files) {
        QByteArray text;
        for (const SupportFile &file : files)
            text += file.name.toUtf8() + '\n' + file.content;
        return text;
    }

  private Q_SLOTS:
    void init() {
        m_root = std::make_unique<QTemporaryDir>();
        m_sources = {};
        m_sources.homeFolder = m_root->path() + QStringLiteral("/home/annabelle");
        m_sources.userName = QStringLiteral("annabelle");
        m_sources.stateDir = m_sources.homeFolder + QStringLiteral("/.local/share/hearth");
        m_sources.versions = QStringLiteral("Hearth 0.1.0");
        write(QStringLiteral("agent.log"),
              "started in " + m_sources.stateDir.toUtf8() + "\npassword=hunter2 and more\n" +
                  "ssh annabelle@nano-1 refused\n{\"api_token\": \"s3cr3t-token\"}\n" + pem + "the end\n");
        write(QStringLiteral("runs/20260101-a/events.jsonl"),
              "{\"seq\":1,\"event\":\"error\",\"cause\":\"/home/annabelle/x.json and /media/annabelle/stick: no\"}\n"
              "{\"seq\":2,\"what\":\"-----BEGIN CERTIFICATE-----\\nMIIBcertDATA\\n-----END CERTIFICATE-----\"}\n"
              "{\"seq\":3,\"event\":\"round\",\"loss\":2.25}\n");
        write(QStringLiteral("runs/20260101-a/job.json"), "{\"passphrase\":\"hunter2\",\"batch\":128}");
        write(QStringLiteral("runs/20260101-a/plan-1.json"), "{}");
        write(QStringLiteral("runs/20260101-a/weights.safetensors"), "WEIGHTBYTES");
        write(QStringLiteral("runs/20260101-a/checkpoints/1/states.bin"), "CHECKPOINTBYTES");
        write(QStringLiteral("key.pem"), pem);
        write(QStringLiteral("certificate.pem"),
              "-----BEGIN CERTIFICATE-----\nMIIBcertDATA\n-----END CERTIFICATE-----\n");
        write(QStringLiteral("trust.json"), "trust-store-line");
    }

    void noSecretIsInIt() {
        const QByteArray text = all(collectSupport(m_sources));
        for (const QString &secret : secrets)
            QVERIFY2(!text.contains(secret.toUtf8()), qPrintable(secret));
    }

    void aDeviceThatBearsTheUsersNameIsTold_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("as a word") << "annabelle-laptop" << QByteArray("user-laptop");
        QTest::newRow("with a capital") << "Annabelle's laptop" << QByteArray("user's laptop");
        QTest::newRow("inside a word") << "annabelles-laptop" << QByteArray("users-laptop");
        QTest::newRow("another name") << "nano-1" << QByteArray("nano-1");
    }
    void aDeviceThatBearsTheUsersNameIsTold() {
        QFETCH(QString, name);
        QFETCH(QByteArray, told);
        DeviceInfo device;
        device.name = name;
        m_sources.devices = {device};
        write(QStringLiteral("agent.log"), "Linked with " + name.toUtf8() + " at 10.0.0.2\n");
        const QByteArray text = all(collectSupport(m_sources));
        QVERIFY2(!text.contains("annabelle") && !text.contains("Annabelle"), text.constData());
        QVERIFY2(text.contains("\"name\": \"" + told + '"'), text.constData());
        QVERIFY2(text.contains("Linked with " + told + " at"), text.constData());
    }

    void aNameThatIsAWordOfOursCostsNoWord() {
        QCOMPARE(withoutSecrets("{\"plan\":1,\"x\":\"plan-b\"}", {}, QStringLiteral("plan")),
                 QByteArray("{\"plan\":1,\"x\":\"user-b\"}"));
        QCOMPARE(withoutSecrets("root runs it", {}, QStringLiteral("root")), QByteArray("root runs it"));
    }

    void whatHelpsIsInIt() {
        const auto files = collectSupport(m_sources);
        QCOMPARE(
            namesOf(files),
            (QStringList{QStringLiteral("versions.txt"), QStringLiteral("host.json"), QStringLiteral("devices.json"),
                         QStringLiteral("agent.log"), QStringLiteral("runs/20260101-a/events.jsonl"),
                         QStringLiteral("runs/20260101-a/job.json"), QStringLiteral("runs/20260101-a/plan-1.json")}));
        const QByteArray text = all(files);
        for (const char *kept : {"Hearth 0.1.0", "~/.local/share/hearth", "~/x.json", "/media/user/stick",
                                 "ssh user@nano-1", "\"batch\":128", "\"loss\":2.25", "the end", "and more"})
            QVERIFY2(text.contains(kept), kept);
    }

    void linksAreNotFollowed() {
        QVERIFY(QFile::link(m_sources.stateDir + QStringLiteral("/trust.json"),
                            m_sources.stateDir + QStringLiteral("/runs/20260101-a/model.json")));
        QVERIFY(!namesOf(collectSupport(m_sources)).contains(QStringLiteral("runs/20260101-a/model.json")));
    }

    void onlyTheNewestRunsAreInIt() {
        for (int i = 1; i <= 5; ++i)
            write(QStringLiteral("runs/2026010%1-b/job.json").arg(i + 1), "{}");
        for (int i = 1; i <= 5; ++i)
            write(QStringLiteral("runs/2026010%1-b/events.jsonl").arg(i + 1), "{}\n");
        const QByteArray names = namesOf(collectSupport(m_sources)).join(QLatin1Char(' ')).toUtf8();
        QVERIFY(names.contains("20260106-b") && names.contains("20260104-b"));
        QVERIFY(!names.contains("20260103-b") && !names.contains("20260101-a"));
    }

    void aLongStoryKeepsItsEndsAndOnlyWholeLines() {
        QByteArray events;
        for (int i = 0; events.size() < (10 << 20); ++i)
            events += "{\"seq\":" + QByteArray::number(i) + ",\"event\":\"round\"}\n";
        write(QStringLiteral("runs/20260101-a/events.jsonl"), events);
        for (const SupportFile &file : collectSupport(m_sources)) {
            if (!file.name.endsWith(QLatin1String("events.jsonl")))
                continue;
            QVERIFY(file.shortened);
            QVERIFY(file.content.size() < events.size());
            QVERIFY(file.content.startsWith("{\"seq\":0,"));
            QCOMPARE(file.content.right(40), events.right(40));
            for (const QByteArray &line : file.content.split('\n'))
                QVERIFY2(line.isEmpty() || (line.startsWith('{') && line.endsWith('}')), line.constData());
            return;
        }
        QFAIL("the events are missing");
    }

    void givingUpLeavesNothing() {
        QVERIFY(collectSupport(m_sources, [] { return true; }).empty());
    }

    void whatIsSavedCanBeUnpacked() {
        const QString path = m_root->filePath(QStringLiteral("bundle.tar.gz"));
        const auto files = collectSupport(m_sources);
        QVERIFY(saveSupport(path, files));
        archive *in = archive_read_new();
        archive_read_support_filter_gzip(in);
        archive_read_support_format_tar(in);
        QCOMPARE(archive_read_open_filename(in, QFile::encodeName(path).constData(), 10240), ARCHIVE_OK);
        archive_entry *entry = nullptr;
        for (const SupportFile &file : files) {
            QCOMPARE(archive_read_next_header(in, &entry), ARCHIVE_OK);
            QCOMPARE(QString::fromUtf8(archive_entry_pathname(entry)), QStringLiteral("hearth-support/") + file.name);
            QByteArray content(file.content.size(), Qt::Uninitialized);
            QCOMPARE(archive_read_data(in, content.data(), static_cast<size_t>(content.size())), content.size());
            QCOMPARE(content, file.content);
        }
        QCOMPARE(archive_read_next_header(in, &entry), ARCHIVE_EOF);
        archive_read_free(in);
    }

    void aFolderThatIsNotThereIsAnError() {
        const auto saved = saveSupport(m_root->filePath(QStringLiteral("no/such/folder.tar.gz")), {});
        QVERIFY(!saved);
        QVERIFY(!saved.error().what.isEmpty());
    }

    void secretsAreRemovedInEveryShape_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("an assignment") << QByteArray("PASSWORD=hunter2");
        QTest::newRow("JSON") << QByteArray("{\"password\": \"hunter2\", \"x\": 1}");
        QTest::newRow("JSON inside JSON") << QByteArray("{\"line\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}");
        QTest::newRow("with a prefix") << QByteArray("hearth_ssh_passphrase: hunter2");
        QTest::newRow("a key without an end") << QByteArray("-----BEGIN PRIVATE KEY-----\nhunter2");
        QTest::newRow("the home folder") << QByteArray("open /home/hunter2/file failed");
    }
    void secretsAreRemovedInEveryShape() {
        QFETCH(QByteArray, text);
        const QByteArray clean = withoutSecrets(text, QStringLiteral("/home/hunter2"), QStringLiteral("hunter2"));
        QVERIFY2(!clean.contains("hunter2"), clean.constData());
    }
};

QTEST_GUILESS_MAIN(SupportBundleTest)
#include "support_bundle_test.moc"
