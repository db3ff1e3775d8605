// PipeDream's profiles: how a graph becomes a chain, what a home makes of its times, and what is refused.
#include <QtTest>

#include "core/plan/homes/pipedream_profile.h"
#include "core/plan/planner.h"

using namespace hearth;

namespace {

QByteArray node(const char *id, const char *description, double forward, double backward, const char *activation,
                double parameters) {
    return QByteArray(id) + " -- " + description + " -- forward_compute_time=" + QByteArray::number(forward) +
           ", backward_compute_time=" + QByteArray::number(backward) + ", activation_size=" + activation +
           ", parameter_size=" + QByteArray::number(parameters) + "\n";
}

QByteArray edge(const char *from, const char *to) {
    return QByteArray("\t") + from + " -- " + to + "\n";
}

/// stem, then a block of two branches, a view, and a head.
QByteArray residual() {
    return node("node1", "Input0", 0, 0, "0.0", 0) +
           node("node2", "Conv2d(3, 8, kernel_size=(3, 3))", 1.5, 3, "4096.0", 100) +
           node("node3", "Conv2d(8, 8)", 0.5, 1, "2048.0", 40) + node("node4", "Add", 0.25, 0.25, "8000.0", 0) +
           node("node5", "View", 0, 0, "0.0", 0) + node("node6", "Linear", 0.25, 0.5, "40.0", 12) +
           edge("node1", "node2") + edge("node2", "node3") + edge("node2", "node4") + edge("node3", "node4") +
           edge("node4", "node5") + edge("node5", "node6");
}

ProfileHome homeOf(const std::vector<double> &speeds) {
    ProfileHome home;
    for (const double speed : speeds) {
        const QString id = QStringLiteral("dev%1").arg(home.devices.size());
        home.devices.push_back({{id, 1'000'000, 0}, speed});
    }
    home.links.fallback = LinkProfile::Link{1e6, 0, Duplex::Full};
    home.job.batch = 12;
    home.profiledBatch = 16;
    return home;
}

}  // namespace

class TestPipedreamProfile : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void cutsLieWhereOneTensorCrosses() {
        const auto profile = PipedreamProfile::fromText(residual(), QStringLiteral("graph.txt"));
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        QCOMPARE(profile->layers.size(), std::size_t{3});
        const PipedreamProfile::Layer &stem = profile->layers[0], &block = profile->layers[1],
                                      &head = profile->layers[2];
        QCOMPARE(stem.name, QStringLiteral("Conv2d(3, 8, kernel_size=(3, 3))"));
        QCOMPARE(stem.forwardSeconds, 0.0015);
        QCOMPARE(stem.outputBytes, 4096.0);
        QCOMPARE(block.name, QStringLiteral("node3 to node4"));
        QCOMPARE(block.forwardSeconds, 0.00075);
        QCOMPARE(block.backwardSeconds, 0.00125);
        QCOMPARE(block.outputBytes, 8000.0);
        QCOMPARE(block.savedBytes, 10048.0);
        QCOMPARE(block.parameterBytes, 40.0);
        QCOMPARE(head.name, QStringLiteral("node5 to node6"));  // nothing is known about what crosses after a view
        QCOMPARE(head.outputBytes, 40.0);
    }

    void listsOfTensorsAreSummed() {
        const QByteArray text = node("a", "LSTM", 1, 2, "[512.0; 64.0; 8]", 7).trimmed() + " -- stage_id=3\r\n\n" +
                                node("b", "Linear", 1, 2, "9e3", 1) + edge("a", "b");
        const auto profile = PipedreamProfile::fromText(text, QStringLiteral("graph.txt"));
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        QCOMPARE(profile->layers.size(), std::size_t{2});
        QCOMPARE(profile->layers[0].outputBytes, 584.0);
        QCOMPARE(profile->layers[1].outputBytes, 9000.0);
    }

    void linesMayStandInAnyOrder() {
        // two towers that meet, a second input late, an edge twice, and lines from last to first
        const QByteArray text = edge("w", "join") + edge("v", "join") + edge("v", "join") + edge("in2", "w") +
                                node("end", "Softmax", 1, 1, "4", 0) + node("join", "Concat", 1, 1, "30", 0) +
                                node("w", "Right", 1, 1, "10", 1) + node("v", "Left", 1, 1, "20", 1) +
                                node("u", "First", 1, 1, "50", 1) + node("in1", "Input0", 0, 0, "9", 0) +
                                node("in2", "Input1", 0, 0, "9", 0) + edge("join", "end") + edge("u", "v") +
                                edge("in1", "u");
        const auto profile = PipedreamProfile::fromText(text, QStringLiteral("graph.txt"));
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        // After v only its tensor crosses, w having not begun; after w two do.
        QStringList names;
        for (const auto &layer : profile->layers)
            names << layer.name;
        QCOMPARE(names, QStringList({QStringLiteral("First"), QStringLiteral("Left"), QStringLiteral("w to join"),
                                     QStringLiteral("Softmax")}));
        QCOMPARE(profile->layers[2].forwardSeconds, 0.002);
        QCOMPARE(profile->layers[2].outputBytes, 30.0);
    }

    void oneNodeIsOneLayer() {
        const auto profile = PipedreamProfile::fromText(node("a", "Linear", 1, 2, "8", 3), QStringLiteral("graph.txt"));
        QVERIFY(profile);
        QCOMPARE(profile->layers.size(), std::size_t{1});
    }

    void longSkipsLeaveNoCutBelowThem() {
        QByteArray text;
        for (int i = 0; i < 6; ++i)
            text += node(qPrintable(QStringLiteral("n%1").arg(i)), "Layer", 1, 1, "10", 1);
        for (int i = 0; i < 5; ++i)
            text += edge(qPrintable(QStringLiteral("n%1").arg(i)), qPrintable(QStringLiteral("n%1").arg(i + 1)));
        const auto chain = PipedreamProfile::fromText(text, QStringLiteral("graph.txt"));
        QCOMPARE(chain->layers.size(), std::size_t{6});
        const auto skipped = PipedreamProfile::fromText(text + edge("n1", "n4"), QStringLiteral("graph.txt"));
        QCOMPARE(skipped->layers.size(), std::size_t{4});  // n0 | n1 | n2 n3 n4 | n5
        QCOMPARE(skipped->layers[2].forwardSeconds, 0.003);
    }

    void wrongTexts_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("named");
        const QByteArray a = node("a", "A", 1, 1, "1", 1), b = node("b", "B", 1, 1, "1", 1);
        const auto row = [](const char *name, const QByteArray &text, const char *code, const char *named) {
            QTest::newRow(name) << text << QString::fromLatin1(code) << QString::fromLatin1(named);
        };
        row("nothing", "\n \n", "profile.empty", "no nodes");
        row("only an input", node("a", "Input", 0, 0, "0", 0), "profile.empty", "only inputs");
        row("no profile at all", "{\"format\":1}", "profile.invalid", "line 1");
        row("an id listed twice", a + b + a, "profile.invalid",
            "line 3, cannot be read. The id a is already that of line 1");
        row("an edge to nowhere", a + edge("a", "c"), "profile.invalid",
            "line 2, cannot be read. There is no node \"c\"");
        row("an edge with one end", a + "\ta\n", "profile.invalid", "must be an edge");
        row("a cycle", a + b + edge("a", "b") + edge("b", "a"), "profile.cycle", "The node a of line 1");
        row("a node that feeds itself", a + b + edge("b", "b"), "profile.cycle", "The node b of line 2");
        row("a negative time", node("a", "A", -1, 1, "1", 1), "profile.invalid", "\"-1\" is no finite number");
        row("an infinite size", node("a", "A", 1, 1, "inf", 1), "profile.invalid", "\"inf\"");
        row("no number", node("a", "A", 1, 1, "nan", 1), "profile.invalid", "\"nan\"");
        row("an empty list", node("a", "A", 1, 1, "[]", 1), "profile.invalid", "\"\"");
        row("a list of times", a + QByteArray(b).replace("backward_compute_time=1", "backward_compute_time=[1; 2]"),
            "profile.invalid", "line 2");
        row("too large a tensor", node("a", "A", 1, 1, "1e15", 1), "profile.invalid", "activation_size is too large");
        row("too long a time", node("a", "A", 1e13, 1, "1", 1), "profile.invalid", "forward_compute_time is too large");
        row("a field missing", QByteArray(a).replace(", parameter_size=1", ""), "profile.invalid", "no parameter_size");
        row("a field misspelled", QByteArray(a).replace("parameter_size", "parameters_size"), "profile.invalid",
            "\"parameter_size\"");
        row("a field given twice", QByteArray(a).replace("parameter_size", "activation_size"), "profile.invalid",
            "not expected");
        QByteArray sums;
        for (int i = 0; i < 3; ++i)
            sums += node(qPrintable(QStringLiteral("n%1").arg(i)), "Large", 1, 1, "0", 4e12);
        row("parts too large together", sums, "profile.too-large", "n0 to n2");
        QByteArray many;
        for (int i = 0; i <= 4096; ++i)
            many += node(qPrintable(QStringLiteral("n%1").arg(i)), "Small", 1, 1, "1", 1);
        row("too many nodes", many, "profile.invalid", "more than 4096 nodes");
    }

    void wrongTexts() {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(QString, named);
        const auto profile = PipedreamProfile::fromText(text, QStringLiteral("graph.txt"));
        QVERIFY(!profile);
        QCOMPARE(profile.error().code, code);
        QVERIFY2(profile.error().toString().contains(named), qPrintable(profile.error().toString()));
        QVERIFY(profile.error().what.startsWith(QStringLiteral("graph.txt")));
    }

    void timesFollowTheFixedCostLaw() {
        const auto profile = PipedreamProfile::fromText(residual(), QStringLiteral("graph.txt"));
        const auto problem = problemFromProfile(*profile, homeOf({1, 2}));
        QVERIFY2(problem, problem ? "" : qPrintable(problem.error().toString()));
        const MeasuredCosts costs(problem->times);
        for (const int size : {1, 3, 8, 12}) {
            QVERIFY(qAbs(costs.seconds(0, 0, size).forward - 0.0015 * (4 + size) / 20) < 1e-15);
            QVERIFY(qAbs(costs.seconds(1, 0, size).backward - 0.003 * (4 + size) / 40) < 1e-15);
        }
        QCOMPARE(problem->layers[0].outputBytes, 256);
        QCOMPARE(problem->layers[0].gradientBytes, 256);
        QCOMPARE(problem->layers[2].outputBytes, 3);  // 40 bytes of 16 samples, rounded up
        QCOMPARE(problem->layers[1].savedBytes, 628);
        QCOMPARE(problem->layers[0].parameterBytes, 100);
        QCOMPARE(problem->layers[0].trainableBytes, 100);
    }

    void profilesArePlanned() {
        const auto profile = PipedreamProfile::fromText(residual(), QStringLiteral("graph.txt"));
        const auto problem = problemFromProfile(*profile, homeOf({1, 1}));
        QVERIFY(problem);
        for (const char *name : {"pipedream", "gpipe", "single"}) {
            const auto plan = makePlan(QString::fromLatin1(name), *problem);
            QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
            QVERIFY(plan->prediction->fits);
        }
    }

    void homesThatMakeNoSenseAreRefused() {
        const auto profile = PipedreamProfile::fromText(residual(), QStringLiteral("graph.txt"));
        const auto refused = [&](const std::function<void(ProfileHome &)> &change, const char *named) {
            ProfileHome home = homeOf({1, 2});
            change(home);
            const auto problem = problemFromProfile(*profile, home);
            return !problem && problem.error().toString().contains(QString::fromLatin1(named));
        };
        QVERIFY(refused([](ProfileHome &home) { home.profiledBatch = 0; }, "profiled batch"));
        QVERIFY(refused([](ProfileHome &home) { home.job.batch = 1 << 30; }, "batch must lie in 1 to 65536"));
        QVERIFY(refused([](ProfileHome &home) { home.fixedSamples = -1; }, "fixed part"));
        QVERIFY(refused([](ProfileHome &home) { home.devices[1].relativeSpeed = 0; }, "dev1 has no speed"));
        QVERIFY(refused([](ProfileHome &home) { home.devices[1].device.id = QStringLiteral("dev0"); }, "listed twice"));
        QVERIFY(refused([](ProfileHome &home) { home.devices.clear(); }, "devices"));
        QVERIFY(refused([](ProfileHome &home) { home.job.microBatch = 5; }, "does not divide"));
        QVERIFY(refused([](ProfileHome &home) { home.devices[0].relativeSpeed = 1e-300; }, "Seconds must be finite"));
    }
};

QTEST_GUILESS_MAIN(TestPipedreamProfile)
#include "test_pipedream_profile.moc"
