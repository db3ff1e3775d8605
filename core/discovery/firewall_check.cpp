// Firewalls of Linux by what their own programs tell.
#include <QRegularExpression>
#include <QStringList>

#include "core/base/sentence.h"
#include "core/discovery/checks.h"

namespace hearth {
namespace {

Finding of(Verdict verdict, const Sentence &text, const Sentence &cure = {}, const QString &command = {}) {
    return {QStringLiteral("firewall"), sentence("Firewall of this computer"), verdict, text, cure, command};
}

Sentence openThem(const FirewallFacts &facts) {
    return sentence("Open the ports %1 to %2 for TCP and 5353 for UDP.").arg(facts.firstPort).arg(facts.lastPort);
}

/// Of the ports that other devices need to reach, as this firewall writes a range.
QString range(const FirewallFacts &facts, char between) {
    return QString::number(facts.firstPort) + QLatin1Char(between) + QString::number(facts.lastPort);
}

bool matches(const QString &text, const QString &expression) {
    return QRegularExpression(expression, QRegularExpression::MultilineOption).match(text).hasMatch();
}

std::optional<Finding> judgeUfw(const FirewallFacts &facts) {
    const QString ports = range(facts, ':');
    const QString command = QStringLiteral("sudo ufw allow %1/tcp && sudo ufw allow 5353/udp").arg(ports);
    const bool isReadable = facts.ufw.ran && facts.ufw.status == 0;
    if (isReadable ? !matches(facts.ufw.text, QStringLiteral("^Status: active"))
                   : !matches(facts.ufwConfiguration, QStringLiteral("^\\s*ENABLED\\s*=\\s*\"?yes")))
        return std::nullopt;
    if (!isReadable) {
        return of(Verdict::Warn, sentence("The firewall ufw is on. Only root can read whether it lets Hearth through."),
                  openThem(facts), command);
    }
    const bool tcp = matches(facts.ufw.text, QStringLiteral("^%1(/tcp)?\\s.*\\bALLOW\\b").arg(ports));
    const bool udp = matches(facts.ufw.text, QStringLiteral("^(5353|5353/udp|mDNS)\\s.*\\bALLOW\\b"));
    if (tcp && udp)
        return of(Verdict::Ok, sentence("The firewall %1 is on and lets Hearth through.").arg(QStringLiteral("ufw")));
    return of(Verdict::Bad,
              sentence("The firewall %1 is on and does not let Hearth through.").arg(QStringLiteral("ufw")),
              openThem(facts), command);
}

std::optional<Finding> judgeFirewalld(const FirewallFacts &facts) {
    if (!facts.firewalld.ran || facts.firewalld.status != 0)
        return std::nullopt;
    const QString &text = facts.firewalld.text;
    const QString ports = range(facts, '-');
    const bool all = matches(text, QStringLiteral("^\\s*target:\\s*ACCEPT"));
    const bool tcp = all || matches(text, QStringLiteral("^\\s*ports:.*\\b%1/tcp\\b").arg(ports));
    const bool udp = all || matches(text, QStringLiteral("^\\s*services:.*\\bmdns\\b")) ||
                     matches(text, QStringLiteral("^\\s*ports:.*\\b5353/udp\\b"));
    if (tcp && udp) {
        return of(Verdict::Ok,
                  sentence("The firewall %1 is on and lets Hearth through.").arg(QStringLiteral("firewalld")));
    }
    return of(Verdict::Bad,
              sentence("The firewall %1 is on and does not let Hearth through.").arg(QStringLiteral("firewalld")),
              openThem(facts),
              QStringLiteral("sudo firewall-cmd --permanent --add-port=%1/tcp --add-service=mdns && "
                             "sudo firewall-cmd --reload")
                  .arg(ports));
}

/// The first chain of `list ruleset` that drops what comes in unless a rule takes it.
struct Chain {
    QString table;  // "inet filter"
    QString name;
    QString text;
};
std::optional<Chain> droppingChain(const QString &ruleset) {
    QString table, chain, text;
    bool drops = false;
    for (const QString &line : ruleset.split(QLatin1Char('\n'))) {
        const QString words = line.trimmed();
        if (words.startsWith(QLatin1String("table "))) {
            table = words.mid(6).section(QLatin1Char('{'), 0, 0).trimmed();
        } else if (words.startsWith(QLatin1String("chain "))) {
            chain = words.mid(6).section(QLatin1Char('{'), 0, 0).trimmed();
            text.clear();
            drops = false;
        } else if (words == QLatin1String("}")) {
            if (drops)
                return Chain{table, chain, text};
            drops = false;
        } else {
            text += words + QLatin1Char('\n');
            drops =
                drops || (words.contains(QLatin1String("hook input")) && words.contains(QLatin1String("policy drop")));
        }
    }
    return std::nullopt;
}

std::optional<Finding> judgeNft(const FirewallFacts &facts) {
    if (!facts.nft.exists)
        return std::nullopt;
    if (!facts.nft.ran || facts.nft.status != 0) {
        return of(Verdict::Unknown, sentence("Only root can read the rules of the firewall."),
                  sentence("If devices stay away, look at the rules for the ports %1 to %2 (TCP) and 5353 (UDP).")
                      .arg(facts.firstPort)
                      .arg(facts.lastPort),
                  QStringLiteral("sudo nft list ruleset"));
    }
    const auto chain = droppingChain(facts.nft.text);
    if (!chain)
        return of(Verdict::Ok, sentence("No firewall keeps anything out."));
    if (chain->text.contains(QString::number(facts.firstPort)) && chain->text.contains(QLatin1String("5353")))
        return of(Verdict::Ok,
                  sentence("The firewall %1 is on and lets Hearth through.").arg(QStringLiteral("nftables")));
    return of(Verdict::Bad,
              sentence("The firewall %1 is on and does not let Hearth through.").arg(QStringLiteral("nftables")),
              openThem(facts),
              QStringLiteral("sudo nft insert rule %1 %2 tcp dport %3 accept && "
                             "sudo nft insert rule %1 %2 udp dport 5353 accept")
                  .arg(chain->table, chain->name, range(facts, '-')));
}

}  // namespace

Finding judgeFirewall(const FirewallFacts &facts) {
    if (const auto ufw = judgeUfw(facts))
        return *ufw;
    if (const auto firewalld = judgeFirewalld(facts))
        return *firewalld;
    if (const auto nft = judgeNft(facts))
        return *nft;
    return of(Verdict::Ok, sentence("No firewall was found."));
}

}  // namespace hearth
