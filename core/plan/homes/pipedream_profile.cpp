#include "core/plan/homes/pipedream_profile.h"

#include <QHash>
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr qsizetype mostText = 64 << 20;
constexpr std::size_t mostNodes = ProfileLimits::layers;
constexpr std::size_t mostEdges = 16 * mostNodes;
constexpr double millisecond = 1e-3;
const QByteArray between = QByteArrayLiteral(" -- ");

struct Node {
    QString id;
    QString description;
    double forward = 0, backward = 0;  // seconds
    double activation = 0, parameters = 0;
    int line = 0;
    std::vector<int> after;  // nodes that take its output, each once
    int before = 0;          // nodes whose output it takes
};

/// Reads lines into nodes and edges.
class Reader {
  public:
    explicit Reader(const QString &source) : m_source(source) {}

    Result<std::vector<Node>> read(const QByteArray &text) {
        if (text.size() > mostText)
            return fail(QStringLiteral("profile.too-large"), sentence("%1 is too large.").arg(m_source),
                        sentence("A profile has at most %1 bytes.").arg(mostText));
        for (qsizetype begin = 0; begin < text.size();) {
            qsizetype end = text.indexOf('\n', begin);
            end = end < 0 ? text.size() : end;
            ++m_line;
            const QByteArray line = text.mid(begin, end - begin);
            begin = end + 1;
            const QByteArray words = line.trimmed();
            if (words.isEmpty())
                continue;
            const bool indented = line[0] == '\t' || line[0] == ' ';
            if (auto ok = indented ? readEdge(words) : readNode(words); !ok)
                return tl::unexpected(ok.error());
        }
        for (const Edge &edge : m_edges) {
            if (auto ok = connect(edge); !ok)
                return tl::unexpected(ok.error());
        }
        return std::move(m_nodes);
    }

  private:
    struct Edge {
        QString from, to;
        int line = 0;
    };

    tl::unexpected<Error> wrong(const Sentence &cause, const Sentence &advice = {}) const {
        return fail(QStringLiteral("profile.invalid"),
                    sentence("%1, line %2, cannot be read.").arg(m_source).arg(m_line), cause, advice);
    }

    static QString shown(const QByteArray &bytes) { return QString::fromUtf8(bytes.left(80)); }

    Result<void> readNode(const QByteArray &words) {
        if (m_nodes.size() == mostNodes)
            return wrong(sentence("There are more than %1 nodes.").arg(mostNodes));
        qsizetype end = words.size();
        const qsizetype last = words.lastIndexOf(between);
        if (last > 0 && words.mid(last + between.size()).startsWith("stage_id="))
            end = last;  // of a graph that was partitioned before
        const qsizetype afterId = words.indexOf(between);
        const qsizetype afterDescription = words.left(end).lastIndexOf(between);
        if (afterId < 1 || afterDescription <= afterId) {
            return wrong(sentence("It is neither a node nor an edge."),
                         sentence("Write \"id -- description -- forward_compute_time=…\", and edges behind a tab."));
        }
        Node node;
        node.line = m_line;
        node.id = QString::fromUtf8(words.left(afterId));
        if (node.id.size() > ProfileLimits::idLength)
            return wrong(sentence("The id is too long."));
        const qsizetype description = afterId + between.size();
        node.description = shown(words.mid(description, afterDescription - description));
        const qsizetype numbers = afterDescription + between.size();
        if (auto ok = readNumbers(words.mid(numbers, end - numbers), node); !ok)
            return ok;
        if (m_places.contains(node.id)) {
            return wrong(sentence("The id %1 is already that of line %2.")
                             .arg(node.id)
                             .arg(m_nodes[static_cast<std::size_t>(m_places[node.id])].line));
        }
        m_places.insert(node.id, static_cast<int>(m_nodes.size()));
        m_nodes.push_back(std::move(node));
        return {};
    }

    Result<void> readNumbers(const QByteArray &words, Node &node) {
        struct Field {
            const char *name;
            double *value;
            double scale;
            double most;
            bool seen = false;
        };
        constexpr double bytes = static_cast<double>(ProfileLimits::bytes);
        Field fields[] = {{"forward_compute_time", &node.forward, millisecond, ProfileLimits::seconds},
                          {"backward_compute_time", &node.backward, millisecond, ProfileLimits::seconds},
                          {"activation_size", &node.activation, 1, bytes},
                          {"parameter_size", &node.parameters, 1, bytes}};
        for (const QByteArray &word : words.split(',')) {
            const QByteArray pair = word.trimmed();
            const QByteArray name = pair.left(std::max<qsizetype>(0, pair.indexOf('=')));
            const auto field = std::find_if(std::begin(fields), std::end(fields),
                                            [&](const Field &each) { return name == each.name && !each.seen; });
            if (field == std::end(fields)) {
                QStringList left;
                for (const Field &each : fields) {
                    if (!each.seen)
                        left << QString::fromLatin1(each.name);
                }
                return wrong(sentence("\"%1\" is not expected here.").arg(shown(pair)),
                             left.isEmpty() ? Sentence() : didYouMean(shown(name), left));
            }
            const auto value = readSum(pair.mid(name.size() + 1), field->value == &node.activation);
            if (!value)
                return tl::unexpected(value.error());
            *field->value = *value * field->scale;
            field->seen = true;
            if (*field->value > field->most)
                return wrong(sentence("%1 is too large.").arg(QString::fromLatin1(field->name)));
        }
        for (const Field &field : fields) {
            if (!field.seen)
                return wrong(sentence("There is no %1.").arg(QString::fromLatin1(field.name)));
        }
        return {};
    }

    /// A number, or "[a; b]" where a list may stand.
    Result<double> readSum(QByteArray text, bool list) {
        if (list && text.startsWith('[') && text.endsWith(']'))
            text = text.mid(1, text.size() - 2);
        else
            list = false;
        double sum = 0;
        for (const QByteArray &part : list ? text.split(';') : QByteArrayList{text}) {
            bool number = false;
            const double value = part.trimmed().toDouble(&number);
            if (!number || !std::isfinite(value) || value < 0)
                return wrong(sentence("\"%1\" is no finite number from 0 on.").arg(shown(part)));
            sum += value;
        }
        return sum;
    }

    Result<void> readEdge(const QByteArray &words) {
        const qsizetype middle = words.indexOf(between);
        if (middle < 1) {
            return wrong(sentence("An indented line must be an edge."), sentence("Write \"id1 -- id2\" behind a tab."));
        }
        if (m_edges.size() == mostEdges)
            return wrong(sentence("There are more than %1 edges.").arg(mostEdges));
        m_edges.push_back(
            {QString::fromUtf8(words.left(middle)), QString::fromUtf8(words.mid(middle + between.size())), m_line});
        return {};
    }

    Result<void> connect(const Edge &edge) {
        m_line = edge.line;
        for (const QString &id : {edge.from, edge.to}) {
            if (!m_places.contains(id))
                return wrong(sentence("There is no node \"%1\".").arg(id.left(80)));
        }
        std::vector<int> &after = m_nodes[static_cast<std::size_t>(m_places[edge.from])].after;
        const int to = m_places[edge.to];
        if (std::find(after.begin(), after.end(), to) != after.end())
            return {};  // one node may take the same tensor twice
        after.push_back(to);
        ++m_nodes[static_cast<std::size_t>(to)].before;
        return {};
    }

    QString m_source;
    int m_line = 0;
    std::vector<Node> m_nodes;
    std::vector<Edge> m_edges;
    QHash<QString, int> m_places;
};

/// Nodes that stand for inputs cost nothing and feed the graph from outside.
bool isInput(const Node &node) {
    return node.before == 0 && node.description.startsWith(QLatin1String("Input")) && node.forward <= 0 &&
           node.backward <= 0 && node.parameters <= 0;
}

/// Nodes so that edges lead forward only, otherwise in the order of the lines; fewer than there are where a cycle is.
std::vector<int> topologicalOrder(const std::vector<Node> &nodes) {
    std::vector<int> waiting, order;
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        waiting.push_back(nodes[i].before);
        if (nodes[i].before == 0)
            ready.push(static_cast<int>(i));
    }
    while (!ready.empty()) {
        order.push_back(ready.top());
        ready.pop();
        for (const int next : nodes[static_cast<std::size_t>(order.back())].after) {
            if (--waiting[static_cast<std::size_t>(next)] == 0)
                ready.push(next);
        }
    }
    return order;
}

/// The nodes of the order, without inputs, from one cut to the next. After a node there is a cut when its output is the
/// only one that later nodes still wait for.
std::vector<std::vector<const Node *>> chainOf(const std::vector<Node> &nodes, const std::vector<int> &order) {
    std::vector<int> users(nodes.size());  // that are still to come
    std::vector<std::vector<int>> sources(nodes.size());
    std::vector<std::vector<const Node *>> layers(1);
    int open = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        users[i] = static_cast<int>(nodes[i].after.size());
        for (const int next : nodes[i].after)
            sources[static_cast<std::size_t>(next)].push_back(static_cast<int>(i));
    }
    for (const int index : order) {
        const auto i = static_cast<std::size_t>(index);
        if (isInput(nodes[i]))
            continue;
        for (const int source : sources[i]) {
            if (--users[static_cast<std::size_t>(source)] == 0 && !isInput(nodes[static_cast<std::size_t>(source)]))
                --open;
        }
        open += users[i] > 0 ? 1 : 0;
        layers.back().push_back(&nodes[i]);
        if (open == 1 && users[i] > 0 && nodes[i].activation > 0)
            layers.emplace_back();
    }
    return layers;
}

PipedreamProfile::Layer layerOf(const std::vector<const Node *> &nodes) {
    PipedreamProfile::Layer layer;
    layer.name = nodes.size() == 1
                     ? nodes.front()->description
                     : QStringLiteral("%1 to %2").arg(nodes.front()->id.left(80), nodes.back()->id.left(80));
    for (const Node *node : nodes) {
        layer.forwardSeconds += node->forward;
        layer.backwardSeconds += node->backward;
        layer.savedBytes += node->activation;
        layer.parameterBytes += node->parameters;
    }
    layer.outputBytes = nodes.back()->activation;
    return layer;
}

}  // namespace

Result<PipedreamProfile> PipedreamProfile::fromText(const QByteArray &text, const QString &source) {
    const auto nodes = Reader(source).read(text);
    if (!nodes)
        return tl::unexpected(nodes.error());
    const std::vector<int> order = topologicalOrder(*nodes);
    if (order.size() < nodes->size()) {
        std::vector<char> placed(nodes->size());
        for (const int node : order)
            placed[static_cast<std::size_t>(node)] = 1;
        const auto stuck = static_cast<std::size_t>(std::find(placed.begin(), placed.end(), 0) - placed.begin());
        return fail(QStringLiteral("profile.cycle"), sentence("%1 has a cycle.").arg(source),
                    sentence("The node %1 of line %2 is on it or waits for it.")
                        .arg((*nodes)[stuck].id)
                        .arg((*nodes)[stuck].line),
                    sentence("Edges must lead from a node to those that take its output."));
    }
    PipedreamProfile profile;
    for (const auto &each : chainOf(*nodes, order)) {
        if (!each.empty())
            profile.layers.push_back(layerOf(each));
    }
    if (profile.layers.empty()) {
        return fail(QStringLiteral("profile.empty"), sentence("%1 has no layers.").arg(source),
                    sentence("There are no nodes, or only inputs."),
                    sentence("Choose a graph.txt that PipeDream's profiler wrote."));
    }
    for (const Layer &layer : profile.layers) {
        if (std::max({layer.savedBytes, layer.parameterBytes}) > static_cast<double>(ProfileLimits::bytes)) {
            return fail(QStringLiteral("profile.too-large"),
                        sentence("%1: the layer \"%2\" is too large.").arg(source, layer.name),
                        sentence("A layer has at most %1 bytes.").arg(ProfileLimits::bytes));
        }
    }
    return profile;
}

Result<PlanningProblem> problemFromProfile(const PipedreamProfile &profile, const ProfileHome &home) {
    const auto invalid = [](const Sentence &cause) {
        return fail(QStringLiteral("profile.home"), sentence("The profile cannot be put on these devices."), cause);
    };
    if (home.profiledBatch < 1 || home.profiledBatch > ProfileLimits::batch)
        return invalid(sentence("The profiled batch must lie in 1 to %1 samples.").arg(ProfileLimits::batch));
    if (!(home.fixedSamples >= 0 && home.fixedSamples <= ProfileLimits::batch))
        return invalid(sentence("The fixed part must lie in 0 to %1 samples.").arg(ProfileLimits::batch));
    if (home.job.batch < 1 || home.job.batch > ProfileLimits::batch)
        return invalid(sentence("The batch must lie in 1 to %1 samples.").arg(ProfileLimits::batch));
    PlanningProblem problem;
    problem.batch = home.job.batch;
    problem.microBatch = home.job.microBatch;
    problem.optimizerStateFactor = home.job.optimizerStateFactor;
    problem.inputBytes = home.job.inputBytes;
    problem.labelBytes = home.job.labelBytes;
    problem.dataDevice = home.job.dataDevice;
    problem.links = home.links;
    for (const PipedreamProfile::Layer &layer : profile.layers) {
        const auto perSample = [&](double bytes) { return static_cast<qint64>(std::ceil(bytes / home.profiledBatch)); };
        LayerFacts facts;
        facts.name = layer.name;
        facts.outputBytes = facts.gradientBytes = perSample(layer.outputBytes);
        facts.savedBytes = perSample(layer.savedBytes);
        facts.parameterBytes = facts.trainableBytes = static_cast<qint64>(std::ceil(layer.parameterBytes));
        problem.layers.push_back(std::move(facts));
    }
    for (const ProfileHome::Device &device : home.devices) {
        if (!(device.relativeSpeed > 0 && std::isfinite(device.relativeSpeed)))
            return invalid(sentence("%1 has no speed above 0.").arg(device.device.id.left(80)));
        problem.devices.push_back(device.device);
        TimeTable times;
        for (int size = 1; size < home.job.batch; size *= 2)
            times.batch.push_back(size);
        times.batch.push_back(home.job.batch);
        for (const PipedreamProfile::Layer &layer : profile.layers) {
            std::vector<double> forward, backward;
            for (const int size : times.batch) {
                const double scale = (home.fixedSamples + size) / (home.fixedSamples + home.profiledBatch);
                forward.push_back(layer.forwardSeconds * scale / device.relativeSpeed);
                backward.push_back(layer.backwardSeconds * scale / device.relativeSpeed);
            }
            times.forward.push_back(std::move(forward));
            times.backward.push_back(std::move(backward));
        }
        problem.times.push_back(std::move(times));
    }
    if (auto ok = problem.validate(QStringLiteral("the profile's problem")); !ok)
        return tl::unexpected(ok.error());
    return problem;
}

}  // namespace hearth
