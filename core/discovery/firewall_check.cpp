// Firewalls of Linux by what their own programs tell.
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <vector>

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

struct PortSpan {
    int first, last;
};

/// Of "47600-47632/tcp", "80,443/tcp", "1024:65535/udp" and "5353", which is of any protocol; other words are none.
std::vector<PortSpan> spansOf(const QString &rules, QLatin1String protocol) {
    static const QRegularExpression span(QStringLiteral("^(\\d{1,5})(?:[-:](\\d{1,5}))?$"));
    std::vector<PortSpan> spans;
    for (const QString &rule : rules.simplified().split(QLatin1Char(' '))) {
        const QString its = rule.section(QLatin1Char('/'), 1);
        if (!its.isEmpty() && its != protocol)
            continue;
        for (const QString &each : rule.section(QLatin1Char('/'), 0, 0).split(QLatin1Char(','))) {
            const auto match = span.match(each);
            if (!match.hasMatch())
                continue;
            const int first = match.captured(1).toInt();
            spans.push_back({first, match.captured(2).isEmpty() ? first : match.captured(2).toInt()});
        }
    }
    return spans;
}

bool cover(std::vector<PortSpan> spans, int first, int last) {
    std::sort(spans.begin(), spans.end(), [](const PortSpan &a, const PortSpan &b) { return a.first < b.first; });
    int next = first;
    for (const PortSpan &span : spans) {
        if (span.first <= next)
            next = std::max(next, span.last + 1);
    }
    return next > last;
}

/// Whether `rules`, as spansOf() reads them, open all that Hearth needs.
bool letsIn(const QString &rules, const FirewallFacts &facts) {
    return cover(spansOf(rules, QLatin1String("tcp")), facts.firstPort, facts.lastPort) &&
           cover(spansOf(rules, QLatin1String("udp")), 5353, 5353);
}

enum class Passage { Closed, Unclear, Open };

Finding judged(const QString &firewall, Passage passage, const FirewallFacts &facts, const QString &command) {
    switch (passage) {
        case Passage::Open:
            break;
        case Passage::Unclear:
            return of(
                Verdict::Warn,
                sentence("The firewall %1 is on; whether its rules let Hearth through cannot be told.").arg(firewall),
                openThem(facts), command);
        case Passage::Closed:
            return of(Verdict::Bad, sentence("The firewall %1 is on and does not let Hearth through.").arg(firewall),
                      openThem(facts), command);
    }
    return of(Verdict::Ok, sentence("The firewall %1 is on and lets Hearth through.").arg(firewall));
}

/// `ufw status`: what may come in, and from where.
Passage ufwPassage(const FirewallFacts &facts) {
    static const QRegularExpression rule(QStringLiteral("^(\\S.*?)\\s+(?:ALLOW|LIMIT)(?: IN)?\\s+(?!OUT|FWD)(\\S.*)$"),
                                         QRegularExpression::MultilineOption);
    QString forAll, forSome;
    for (auto each = rule.globalMatch(facts.ufw.text); each.hasNext();) {
        const auto match = each.next();
        const QString to = match.captured(1);
        QString ports = to.section(QLatin1Char(' '), 0, 0);
        if (ports == QLatin1String("Anywhere"))
            ports = QStringLiteral("1:65535");
        else if (ports == QLatin1String("mDNS"))
            ports = QStringLiteral("5353/udp");
        // The others are for one network or one interface, perhaps for those that matter.
        const bool isForAll =
            match.captured(2).startsWith(QLatin1String("Anywhere")) && !to.contains(QLatin1String(" on "));
        (isForAll ? forAll : forSome) += ports + QLatin1Char(' ');
    }
    return letsIn(forAll, facts) ? Passage::Open : letsIn(forAll + forSome, facts) ? Passage::Unclear : Passage::Closed;
}

std::optional<Finding> judgeUfw(const FirewallFacts &facts) {
    const QString command = QStringLiteral("sudo ufw allow %1/tcp && sudo ufw allow 5353/udp").arg(range(facts, ':'));
    const bool isReadable = facts.ufw.ran && facts.ufw.status == 0;
    if (isReadable ? !matches(facts.ufw.text, QStringLiteral("^Status: active"))
                   : !matches(facts.ufwConfiguration, QStringLiteral("^\\s*ENABLED\\s*=\\s*\"?yes")))
        return std::nullopt;
    if (!isReadable) {
        return of(Verdict::Warn, sentence("The firewall ufw is on. Only root can read whether it lets Hearth through."),
                  openThem(facts), command);
    }
    return judged(QStringLiteral("ufw"), ufwPassage(facts), facts, command);
}

/// `firewall-cmd --list-all`: of the default zone.
Passage firewalldPassage(const FirewallFacts &facts) {
    const QString &text = facts.firewalld.text;
    static const QRegularExpression ports(QStringLiteral("^\\s*ports:(.*)$"), QRegularExpression::MultilineOption);
    QString rules = ports.match(text).captured(1);
    if (matches(text, QStringLiteral("^\\s*target:\\s*ACCEPT")))
        rules += QLatin1String(" 1-65535");
    if (matches(text, QStringLiteral("^\\s*services:.*\\bmdns\\b")))
        rules += QLatin1String(" 5353/udp");
    // Where no interface is in this zone, those of another one count.
    const bool isInUse = matches(text, QStringLiteral("^\\S.*\\bactive\\b"));
    if (isInUse && letsIn(rules, facts))
        return Passage::Open;
    const bool hasOthers = matches(text, QStringLiteral("^\\s*rule .*\\baccept\\b"));
    return !isInUse || hasOthers ? Passage::Unclear : Passage::Closed;
}

std::optional<Finding> judgeFirewalld(const FirewallFacts &facts) {
    if (!facts.firewalld.ran || facts.firewalld.status != 0)
        return std::nullopt;
    return judged(QStringLiteral("firewalld"), firewalldPassage(facts), facts,
                  QStringLiteral("sudo firewall-cmd --permanent --add-port=%1/tcp --add-service=mdns && "
                                 "sudo firewall-cmd --reload")
                      .arg(range(facts, '-')));
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

/// Of the rules of a chain, one a line.
Passage nftPassage(const QString &chain, const FirewallFacts &facts) {
    static const QRegularExpression accepts(
        QStringLiteral("^(?:ct state \\S+ )?(tcp|udp) dport (\\{[^}@]*\\}|[\\w-]+) (?:counter .*)?accept"));
    static const QRegularExpression letsOthersIn(QStringLiteral("\\b(?:accept|jump|goto|vmap)\\b"));
    // Answers, this computer itself, and what is no connection.
    static const QRegularExpression isOfNoUse(
        QStringLiteral("\"lo\"|\\bicmp|^ct state (?!.*\\bnew\\b)(?!.*\\bdport\\b)"));
    QString rules;
    bool hasOthers = false;
    for (const QString &rule : chain.split(QLatin1Char('\n'))) {
        if (const auto match = accepts.match(rule); match.hasMatch()) {
            QString ports = match.captured(2);
            ports.remove(QLatin1Char('{')).remove(QLatin1Char('}')).remove(QLatin1Char(' '));
            ports.replace(QLatin1String("mdns"), QLatin1String("5353"));
            rules += ports + QLatin1Char('/') + match.captured(1) + QLatin1Char(' ');
        } else if (rule.contains(letsOthersIn) && !rule.contains(isOfNoUse)) {
            hasOthers = true;  // other chains, or what comes from some network or goes to some address
        }
    }
    return letsIn(rules, facts) ? Passage::Open : hasOthers ? Passage::Unclear : Passage::Closed;
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
    return judged(QStringLiteral("nftables"), nftPassage(chain->text, facts), facts,
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
