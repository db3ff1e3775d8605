<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>CloseBox</name>
    <message>
        <source>End the demo?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The demo home ends with this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training stops after round %1, and the devices of the demo disappear.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training goes on without this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Hearth again to see it, or type “hearth attach” in a terminal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DeviceWords</name>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 MB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>percentage</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Narrator</name>
    <message>
        <source>The run began.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run began: %1 on %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring how fast each device computes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working out who computes what.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused after round %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovering.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run was interrupted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped after round %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The plan is ready: %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new plan from round %3 on: %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, predicted %2 samples/s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was lost in round %2. %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 joined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n round(s) repeated</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Training goes on after %1, %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved the state after round %1 (%2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluated after round %1: %2 correct.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished: %1 rounds at %2 samples/s.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StateWords</name>
    <message>
        <source>Measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowMain</name>
    <message numerus="yes">
        <source>Starting %n device(s) inside this computer …</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for the agent of this computer …</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::DeviceCard</name>
    <message>
        <source>This computer · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s) · %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::DeviceDetail</name>
    <message>
        <source>Close details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads for training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work in this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n core(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 GFLOP/s while training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured when a run begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::DeviceTableModel</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (this computer)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::ErrorPanel</name>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::EventListModel</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::EventListView</name>
    <message>
        <source>Events of the run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::HistoryPage</name>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs of this home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every run of this home will be listed here, also those that were interrupted, and can be opened again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the first run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a run first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::HomePage</name>
    <message>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No devices yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices of your home appear here as soon as the agent on this computer answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices of the home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch training</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>A demo home of %n device(s) inside this computer. It ends with this window.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s) that trust each other</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::HomeView</name>
    <message>
        <source>Picture of the home</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::JobPage</name>
    <message>
        <source>Job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to train, on which data, and for how long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>60,000 pictures of clothes, 28×28 pixels, in ten classes; 10,000 more to test.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stochastic gradient descent with momentum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One round is one step of the optimizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples per round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The planner chooses how they are cut.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate every … rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0: only when asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed gives the same run on any devices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model and data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a whole number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must lie between %1 and %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must be above %1 and at most %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the marked values first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 parameters, %3 of weights.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::LayerStrip</name>
    <message>
        <source>Layers and stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1: layers %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stage %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 per sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer %1: %2 (%3)
%4 million operations per sample
%5 parameters
%6 per sample to the next layer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::MainWindow</name>
    <message>
        <source>Hearth – demo home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hearth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No device is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The job has values that cannot be used; correct them first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted time for one round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted samples per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What limits this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a run first: Hearth measures the devices and works out who computes which layers. The plan then appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who computes which layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>on %n device(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2 %3, by the planner “%4”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>micro-batches × samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed form: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>At most %n micro-batch(es) in flight</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Computes activations again to save memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n sample(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent per round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::Rail</name>
    <message>
        <source>Hearth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::RunsTableModel</name>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::StatusLine</name>
    <message numerus="yes">
        <source>%1 of %n device(s) ready</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · round %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · round %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::TimeSplit</name>
    <message>
        <source>computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of each device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing %1, waiting %2, sending %3 per round</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>hearth::TrainPage</name>
    <message>
        <source>Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss and accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Start training” measures the devices, makes a plan and trains the model of your job. You can watch every step here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the job first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy, % (right)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pauses after the round under way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring the devices: %1 of %2 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing the first round …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing the devices …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 · last data %3 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after round %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
