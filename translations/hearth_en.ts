<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>FactWords</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n round(s)</source>
        <translation>
            <numerusform>%n round</numerusform>
            <numerusform>%n rounds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s) in between are left out here.</source>
        <translation>
            <numerusform>%n plan in between is left out here.</numerusform>
            <numerusform>%n plans in between are left out here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Narrator</name>
    <message numerus="yes">
        <source>%n earlier event(s) are not listed; the file events.jsonl of the run has them all.</source>
        <translation>
            <numerusform>%n earlier event is not listed; the file events.jsonl of the run has them all.</numerusform>
            <numerusform>%n earlier events are not listed; the file events.jsonl of the run has them all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n round(s) were repeated</source>
        <translation>
            <numerusform>%n round was repeated</numerusform>
            <numerusform>%n rounds were repeated</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Backed up weights on other devices %n time(s), last after round %1.</source>
        <translation>
            <numerusform>Backed up weights on other devices %n time, after round %1.</numerusform>
            <numerusform>Backed up weights on other devices %n times, last after round %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %n checkpoint(s), the last after round %1 (%2).</source>
        <translation>
            <numerusform>Saved %n checkpoint, the last after round %1 (%2).</numerusform>
            <numerusform>Saved %n checkpoints, the last after round %1 (%2).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PhoneWords</name>
    <message numerus="yes">
        <source>Loss, smoothed over %n round(s)</source>
        <translation>
            <numerusform>Loss, smoothed over %n round</numerusform>
            <numerusform>Loss, smoothed over %n rounds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanWords</name>
    <message numerus="yes">
        <source>%1 (%n sample(s))</source>
        <translation>
            <numerusform>%1 (%n sample)</numerusform>
            <numerusform>%1 (%n samples)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::AddDataDialog</name>
    <message numerus="yes">
        <source>%1 pictures to train and %2 to test are added. %n file(s) cannot be used and are left out:</source>
        <translation>
            <numerusform>%1 pictures to train and %2 to test are added. %n file cannot be used and is left out:</numerusform>
            <numerusform>%1 pictures to train and %2 to test are added. %n files cannot be used and are left out:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 samples to train and %2 to test are added. %n file(s) cannot be used and are left out:</source>
        <translation>
            <numerusform>%1 samples to train and %2 to test are added. %n file cannot be used and is left out:</numerusform>
            <numerusform>%1 samples to train and %2 to test are added. %n files cannot be used and are left out:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::AssistantDialog</name>
    <message numerus="yes">
        <source>%n problem(s) found. Each has a fix below.</source>
        <translation>
            <numerusform>%n problem found. Its fix is below.</numerusform>
            <numerusform>%n problems found. Each has a fix below.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No clear problem found. %n note(s) below may explain it.</source>
        <translation>
            <numerusform>No clear problem found. %n note below may explain it.</numerusform>
            <numerusform>No clear problem found. %n notes below may explain it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::DeviceCard</name>
    <message numerus="yes">
        <source>%n thread(s) · %1</source>
        <translation>
            <numerusform>%n thread · %1</numerusform>
            <numerusform>%n threads · %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::DeviceChip</name>
    <message numerus="yes">
        <source>%1 of %n sample(s)</source>
        <translation>
            <numerusform>%1 of %n sample</numerusform>
            <numerusform>%1 of %n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::DeviceDetail</name>
    <message numerus="yes">
        <source>%1 of %n core(s)</source>
        <translation>
            <numerusform>%1 of %n core</numerusform>
            <numerusform>%1 of %n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %n thread(s)</source>
        <translation>
            <numerusform>at most %n thread</numerusform>
            <numerusform>at most %n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::HistoryDetails</name>
    <message numerus="yes">
        <source>%n event(s) in the middle are left out here; opening the run shows more of them.</source>
        <translation>
            <numerusform>%n event in the middle is left out here; opening the run shows more of them.</numerusform>
            <numerusform>%n events in the middle are left out here; opening the run shows more of them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::HistoryPage</name>
    <message numerus="yes">
        <source>%1 of %n run(s) shown</source>
        <translation>
            <numerusform>%1 of %n run shown</numerusform>
            <numerusform>%1 of %n runs shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“Compare” lays these %n run(s) over each other.</source>
        <translation>
            <numerusform>“Compare” needs a second run.</numerusform>
            <numerusform>“Compare” lays these %n runs over each other.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted (%1).</source>
        <translation>
            <numerusform>%n run deleted (%1).</numerusform>
            <numerusform>%n runs deleted (%1).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::HomePage</name>
    <message numerus="yes">
        <source>A demo home of %n device(s) inside this computer. It ends with this window.</source>
        <translation>
            <numerusform>A demo home of %n device inside this computer. It ends with this window.</numerusform>
            <numerusform>A demo home of %n devices inside this computer. It ends with this window.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s) that trust each other</source>
        <translation>
            <numerusform>One device so far</numerusform>
            <numerusform>%n devices that trust each other</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::LabelDialog</name>
    <message numerus="yes">
        <source>Label %n run(s)</source>
        <translation>
            <numerusform>Label %n run</numerusform>
            <numerusform>Label %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::LayerChart</name>
    <message numerus="yes">
        <source>%n layer(s); longest: %1, %2</source>
        <translation>
            <numerusform>%n layer: %1, %2</numerusform>
            <numerusform>%n layers; longest: %1, %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::LayerStrip</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::LivePlot</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::Measurements</name>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::MistakesView</name>
    <message numerus="yes">
        <source>The last %n evaluation(s)</source>
        <translation>
            <numerusform>The last evaluation</numerusform>
            <numerusform>The last %n evaluations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::ModelDetails</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::NearbyView</name>
    <message numerus="yes">
        <source>Ignored devices (%n) …</source>
        <translation>
            <numerusform>Ignored devices (%n) …</numerusform>
            <numerusform>Ignored devices (%n) …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n computer(s) in this network offer(s) SSH</source>
        <translation>
            <numerusform>%n computer in this network offers SSH</numerusform>
            <numerusform>%n computers in this network offer SSH</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PairingDialog</name>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>%n second left</numerusform>
            <numerusform>%n seconds left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PicturesCard</name>
    <message numerus="yes">
        <source>moved by %n pixel(s) at most</source>
        <translation>
            <numerusform>moved by %n pixel at most</numerusform>
            <numerusform>moved by %n pixels at most</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) of RandAugment</source>
        <translation>
            <numerusform>%n change of RandAugment</numerusform>
            <numerusform>%n changes of RandAugment</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanBoard</name>
    <message numerus="yes">
        <source>At most %n micro-batch(es) in flight</source>
        <translation>
            <numerusform>At most %n micro-batch in flight</numerusform>
            <numerusform>At most %n micro-batches in flight</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Weights are %n update(s) old</source>
        <translation>
            <numerusform>Weights are %n update old</numerusform>
            <numerusform>Weights are %n updates old</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanCompare</name>
    <message numerus="yes">
        <source>by gradients that are %n update(s) old</source>
        <translation>
            <numerusform>by gradients that are %n update old</numerusform>
            <numerusform>by gradients that are %n updates old</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanCuts</name>
    <message numerus="yes">
        <source>%n more cut(s) are in the picture of the layers.</source>
        <translation>
            <numerusform>%n more cut is in the picture of the layers.</numerusform>
            <numerusform>%n more cuts are in the picture of the layers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanDraft</name>
    <message numerus="yes">
        <source>Memory lets stage %1 hold %n micro-batch(es) in flight instead of %2.</source>
        <translation>
            <numerusform>Memory lets stage %1 hold %n micro-batch in flight instead of %2.</numerusform>
            <numerusform>Memory lets stage %1 hold %n micro-batches in flight instead of %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanPage</name>
    <message numerus="yes">
        <source>on %n device(s)</source>
        <translation>
            <numerusform>on %n device</numerusform>
            <numerusform>on %n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::ReachedWords</name>
    <message numerus="yes">
        <source>%1 has learnt %2 in %3 rounds and %4, on %n device(s).</source>
        <translation>
            <numerusform>%1 has learnt %2 in %3 rounds and %4, on one device.</numerusform>
            <numerusform>%1 has learnt %2 in %3 rounds and %4, on %n devices.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Most often it takes %1 for %2: %n time(s).</source>
        <translation>
            <numerusform>Most often it takes %1 for %2: once.</numerusform>
            <numerusform>Most often it takes %1 for %2: %n times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Devices were lost %n time(s) on the way; the run went on without them.</source>
        <translation>
            <numerusform>A device was lost on the way; the run went on without it.</numerusform>
            <numerusform>Devices were lost %n times on the way; the run went on without them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::RunNews</name>
    <message numerus="yes">
        <source>%n round(s) are done.</source>
        <translation>
            <numerusform>%n round is done.</numerusform>
            <numerusform>%n rounds are done.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::RunsTableModel</name>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::SampleSheet</name>
    <message numerus="yes">
        <source>%1 pictures to train, %2 to test, %3, in %n class(es): %4</source>
        <translation>
            <numerusform>%1 pictures to train, %2 to test, %3, in %n class: %4</numerusform>
            <numerusform>%1 pictures to train, %2 to test, %3, in %n classes: %4</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 rows to train, %2 to test, in %n class(es): %3</source>
        <translation>
            <numerusform>%1 rows to train, %2 to test, in %n class: %3</numerusform>
            <numerusform>%1 rows to train, %2 to test, in %n classes: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are gone. “Check again” removes them from the list (“Your data …” → “Check or remove …”).</source>
        <translation>
            <numerusform>%n file is gone. “Check again” removes it from the list (“Your data …” → “Check or remove …”).</numerusform>
            <numerusform>%n files are gone. “Check again” removes them from the list (“Your data …” → “Check or remove …”).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are left out. “Check again” names them (“Your data …” → “Check or remove …”).</source>
        <translation>
            <numerusform>%n file is left out. “Check again” names it (“Your data …” → “Check or remove …”).</numerusform>
            <numerusform>%n files are left out. “Check again” names them (“Your data …” → “Check or remove …”).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::StatusLine</name>
    <message numerus="yes">
        <source>%1 of %n device(s) ready</source>
        <translation>
            <numerusform>%1 of %n device ready</numerusform>
            <numerusform>%1 of %n devices ready</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::SupportDialog</name>
    <message numerus="yes">
        <source>%n file(s), %1 before they are packed</source>
        <translation>
            <numerusform>%n file, %1 before it is packed</numerusform>
            <numerusform>%n files, %1 before they are packed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::TrainPlots</name>
    <message numerus="yes">
        <source>Last %n minute(s)</source>
        <translation>
            <numerusform>Last minute</numerusform>
            <numerusform>Last %n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Last %n hour(s)</source>
        <translation>
            <numerusform>Last hour</numerusform>
            <numerusform>Last %n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s), a line each</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices, a line each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all of them, and %n link(s), a line each</source>
        <translation>
            <numerusform>all of them, and %n link</numerusform>
            <numerusform>all of them, and %n links, a line each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all, what compression saves, and %n link(s)</source>
        <translation>
            <numerusform>all, what compression saves, and %n link</numerusform>
            <numerusform>all, what compression saves, and %n links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the loss, and %n way(s) across cuts</source>
        <translation>
            <numerusform>the loss, and %n way across cuts</numerusform>
            <numerusform>the loss, and %n ways across cuts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>over %n round(s)</source>
        <translation>
            <numerusform>over %n round</numerusform>
            <numerusform>over %n rounds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::TryDialog</name>
    <message numerus="yes">
        <source>%n picture(s) answered, as the network sees them.</source>
        <translation>
            <numerusform>%n picture answered, as the network sees it.</numerusform>
            <numerusform>%n pictures answered, as the network sees them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n text(s) answered.</source>
        <translation>
            <numerusform>%n text answered.</numerusform>
            <numerusform>%n texts answered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) answered.</source>
        <translation>
            <numerusform>%n row answered.</numerusform>
            <numerusform>%n rows answered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On average they are %1 off what the %n label(s) say.</source>
        <translation>
            <numerusform>On average it is %1 off what the %n label says.</numerusform>
            <numerusform>On average they are %1 off what the %n labels say.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n with a label are right (%2).</source>
        <translation>
            <numerusform>%1 of %n with a label is right (%2).</numerusform>
            <numerusform>%1 of %n with a label are right (%2).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Drop a table here that has the %n column(s) which the network takes.</source>
        <translation>
            <numerusform>Drop a table here that has the %n column which the network takes.</numerusform>
            <numerusform>Drop a table here that has the %n columns which the network takes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The network has answered %n time(s) …</source>
        <translation>
            <numerusform>The network has answered once …</numerusform>
            <numerusform>The network has answered %n times …</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::TryPrompt</name>
    <message numerus="yes">
        <source>%n token(s) added.</source>
        <translation>
            <numerusform>%n token added.</numerusform>
            <numerusform>%n tokens added.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::WindowHomes</name>
    <message numerus="yes">
        <source>Starting %n device(s) inside this computer …</source>
        <translation>
            <numerusform>Starting %n device inside this computer …</numerusform>
            <numerusform>Starting %n devices inside this computer …</numerusform>
        </translation>
    </message>
</context>
</TS>
