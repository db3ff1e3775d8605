<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>AboutDialog</name>
    <message>
        <source>the window, sockets, TLS, JSON</source>
        <translation>Fenster, Sockets, TLS, JSON</translation>
    </message>
    <message>
        <source>live plots</source>
        <translation>Live-Diagramme</translation>
    </message>
    <message>
        <source>keys and certificates</source>
        <translation>Schlüssel und Zertifikate</translation>
    </message>
    <message>
        <source>support bundles</source>
        <translation>Support-Pakete</translation>
    </message>
    <message>
        <source>compressed data sets</source>
        <translation>gepackte Datensätze</translation>
    </message>
    <message>
        <source>errors as values</source>
        <translation>Fehler als Werte</translation>
    </message>
    <message>
        <source>tensors and gradients, in the workers</source>
        <translation>Tensoren und Gradienten, in den Workern</translation>
    </message>
    <message>
        <source>matrix products of LibTorch</source>
        <translation>Matrixprodukte für LibTorch</translation>
    </message>
    <message>
        <source>the pictures of the demo, © Zalando SE</source>
        <translation>die Bilder der Demo, © Zalando SE</translation>
    </message>
    <message>
        <source>finding devices, in the agent</source>
        <translation>Geräte finden, im Agenten</translation>
    </message>
    <message>
        <source>the address for a phone as a QR code</source>
        <translation>die Adresse für ein Telefon als QR-Code</translation>
    </message>
</context>
<context>
    <name>AgainWords</name>
    <message>
        <source>The network of this run is not there.</source>
        <translation>Das Netz dieses Laufs ist nicht da.</translation>
    </message>
    <message>
        <source>%1 is gone.</source>
        <translation>%1 ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Open the network on the Job page.</source>
        <translation>Öffnen Sie das Netz auf der Seite „Auftrag“.</translation>
    </message>
    <message>
        <source>This run cannot be started again as it was.</source>
        <translation>Dieser Lauf kann nicht so wie zuvor noch einmal gestartet werden.</translation>
    </message>
    <message>
        <source>It began with weights that came with its network, and its folder does not keep them.</source>
        <translation>Er begann mit Gewichten, die mit seinem Netz kamen, und sein Ordner bewahrt sie nicht auf.</translation>
    </message>
</context>
<context>
    <name>CloseBox</name>
    <message>
        <source>End the demo?</source>
        <translation>Demo beenden?</translation>
    </message>
    <message>
        <source>The demo home ends with this window.</source>
        <translation>Das Demo-Zuhause endet mit diesem Fenster.</translation>
    </message>
    <message>
        <source>Training stops after round %1, and the devices of the demo disappear.</source>
        <translation>Das Training endet nach Runde %1, und die Geräte der Demo verschwinden.</translation>
    </message>
    <message>
        <source>Training stops, and the devices of the demo disappear.</source>
        <translation>Das Training endet, und die Geräte der Demo verschwinden.</translation>
    </message>
    <message>
        <source>End the demo</source>
        <translation>Demo beenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Training goes on</source>
        <translation>Das Training läuft weiter</translation>
    </message>
    <message>
        <source>Training goes on without this window.</source>
        <translation>Das Training läuft ohne dieses Fenster weiter.</translation>
    </message>
    <message>
        <source>Open Hearth again to see it, or type “%1” in a terminal.</source>
        <translation>Hearth wieder öffnen, um es zu sehen, oder „%1“ in einem Terminal eingeben.</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>Anhalten und speichern</translation>
    </message>
    <message>
        <source>The demo is training.</source>
        <translation>Die Demo trainiert gerade.</translation>
    </message>
    <message>
        <source>What the network has learnt is lost then, except for the weights of its best evaluation, if any.</source>
        <translation>Was das Netz gelernt hat, geht dann verloren, außer den Gewichten seiner besten Auswertung, falls es eine gab.</translation>
    </message>
    <message>
        <source>“Stop and save” keeps its weights: History has them.</source>
        <translation>„Anhalten und speichern“ behält seine Gewichte: Sie stehen im Verlauf.</translation>
    </message>
    <message>
        <source>To keep its weights, open the run under way in History, and stop it on Train.</source>
        <translation>Um seine Gewichte zu behalten, öffnen Sie den laufenden Lauf im Verlauf und halten Sie ihn auf der Seite „Training“ an.</translation>
    </message>
</context>
<context>
    <name>CodecWords</name>
    <message>
        <source>as it is</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>rounds numbers by 0.2 %</source>
        <translation>rundet Zahlen um 0,2 %</translation>
    </message>
    <message>
        <source>rounds numbers by up to 1 %</source>
        <translation>rundet Zahlen um bis zu 1 %</translation>
    </message>
    <message>
        <source>rounds numbers by about a tenth</source>
        <translation>rundet Zahlen um etwa ein Zehntel</translation>
    </message>
    <message>
        <source>Compressing cuts would make a round %1 times faster.</source>
        <translation>Mit Komprimierung zwischen den Stufen wäre eine Runde %1-mal so schnell.</translation>
    </message>
</context>
<context>
    <name>CoreWords</name>
    <message>
        <source>No agent answers for the state folder %1.</source>
        <translation>Zum Zustandsordner %1 antwortet kein Agent.</translation>
    </message>
    <message>
        <source>The app left.</source>
        <translation>Die App ist gegangen.</translation>
    </message>
    <message>
        <source>There is no connection to the agent.</source>
        <translation>Es gibt keine Verbindung zum Agenten.</translation>
    </message>
    <message>
        <source>Its last words: &quot;%1&quot;.</source>
        <translation>Seine letzten Worte: „%1“.</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>%1 konnte nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Check that Hearth is installed completely on that device.</source>
        <translation>Prüfen Sie, ob Hearth auf dem Gerät vollständig installiert ist.</translation>
    </message>
    <message>
        <source>%1 was ended because it took more memory than it may.</source>
        <translation>%1 wurde beendet, weil mehr Arbeitsspeicher belegt wurde als erlaubt.</translation>
    </message>
    <message>
        <source>It took %1 of %2.</source>
        <translation>Belegt: %1 von %2.</translation>
    </message>
    <message>
        <source>Raise the limit of that device, take a smaller batch, or add a device.</source>
        <translation>Heben Sie die Grenze dieses Geräts an, nehmen Sie einen kleineren Batch, oder fügen Sie ein Gerät hinzu.</translation>
    </message>
    <message>
        <source>%1 was ended by the system because memory ran out.</source>
        <translation>%1 wurde vom System beendet, weil der Speicher ausging.</translation>
    </message>
    <message>
        <source>Close other programs there, take a smaller batch, or add a device.</source>
        <translation>Schließen Sie dort andere Programme, nehmen Sie einen kleineren Batch, oder fügen Sie ein Gerät hinzu.</translation>
    </message>
    <message>
        <source>%1 ended because memory ran out.</source>
        <translation>%1 endete, weil der Speicher ausging.</translation>
    </message>
    <message>
        <source>%1 was killed (signal %2, %3).</source>
        <translation>%1 wurde gewaltsam beendet (Signal %2, %3).</translation>
    </message>
    <message>
        <source>Somebody or the system ended it by force.</source>
        <translation>Jemand oder das System hat es mit Gewalt beendet.</translation>
    </message>
    <message>
        <source>Start the run again.</source>
        <translation>Starten Sie den Lauf erneut.</translation>
    </message>
    <message>
        <source>%1 crashed (signal %2, %3).</source>
        <translation>%1 ist abgestürzt (Signal %2, %3).</translation>
    </message>
    <message>
        <source>Start the run again; if it crashes again, report it with these words.</source>
        <translation>Starten Sie den Lauf erneut; stürzt es wieder ab, melden Sie es mit diesen Worten.</translation>
    </message>
    <message>
        <source>%1 ended with status %2.</source>
        <translation>%1 endete mit Status %2.</translation>
    </message>
    <message>
        <source>%1 ended.</source>
        <translation>%1 endete.</translation>
    </message>
    <message>
        <source>It was asked to.</source>
        <translation>Es wurde darum gebeten.</translation>
    </message>
    <message>
        <source>The embedded home did not get ready.</source>
        <translation>Das eingebettete Zuhause wurde nicht bereit.</translation>
    </message>
    <message>
        <source>Not all agents answered within %1 s.</source>
        <translation>Nicht alle Agenten haben innerhalb von %1 s geantwortet.</translation>
    </message>
    <message>
        <source>Take fewer devices, or close other programs.</source>
        <translation>Nehmen Sie weniger Geräte, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>No temporary folder could be made in %1.</source>
        <translation>In %1 ließ sich kein temporärer Ordner anlegen.</translation>
    </message>
    <message>
        <source>Free some space, or set TMPDIR.</source>
        <translation>Schaffen Sie Platz, oder setzen Sie TMPDIR.</translation>
    </message>
    <message>
        <source>The agent of local-%1</source>
        <translation>Der Agent von local-%1</translation>
    </message>
    <message>
        <source>The agent could not be started.</source>
        <translation>Der Agent konnte nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Check the installation.</source>
        <translation>Prüfen Sie die Installation.</translation>
    </message>
    <message>
        <source>The agent was started but does not answer.</source>
        <translation>Der Agent wurde gestartet, antwortet aber nicht.</translation>
    </message>
    <message>
        <source>See %1.</source>
        <translation>Siehe %1.</translation>
    </message>
    <message>
        <source>See &quot;journalctl --user -u hearth-agent&quot;.</source>
        <translation>Siehe „journalctl --user -u hearth-agent“.</translation>
    </message>
    <message>
        <source>%1 cannot look now.</source>
        <translation>%1 kann gerade nicht nachsehen.</translation>
    </message>
    <message>
        <source>The agent is looking already.</source>
        <translation>Der Agent sieht schon nach.</translation>
    </message>
    <message>
        <source>Ask again in a few seconds.</source>
        <translation>Fragen Sie in einigen Sekunden noch einmal.</translation>
    </message>
    <message>
        <source>Port %1 is taken, perhaps by the Hearth of another account: this agent listens on port %2, its workers on %3 to %4. A firewall must let these pass.</source>
        <translation>Port %1 ist belegt, vielleicht vom Hearth eines anderen Kontos: Dieser Agent hört auf Port %2, seine Worker auf %3 bis %4. Eine Firewall muss diese durchlassen.</translation>
    </message>
    <message>
        <source>The agent could not listen on %1.</source>
        <translation>Der Agent konnte nicht auf %1 lauschen.</translation>
    </message>
    <message>
        <source>End the other program, or choose another port with --listen ADDRESS:PORT.</source>
        <translation>Beenden Sie das andere Programm, oder wählen Sie mit --listen ADRESSE:PORT einen anderen Port.</translation>
    </message>
    <message>
        <source>The connection ended: %1</source>
        <translation>Die Verbindung endete: %1</translation>
    </message>
    <message>
        <source>Another device is called &quot;%1&quot; already.</source>
        <translation>Ein anderes Gerät heißt schon „%1“.</translation>
    </message>
    <message>
        <source>Devices are chosen by their names.</source>
        <translation>Geräte werden nach ihren Namen ausgewählt.</translation>
    </message>
    <message>
        <source>Take another name.</source>
        <translation>Nehmen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>This device is not one of yours.</source>
        <translation>Dieses Gerät gehört nicht zu Ihren.</translation>
    </message>
    <message>
        <source>An address makes nobody trusted.</source>
        <translation>Eine Adresse macht niemanden vertrauenswürdig.</translation>
    </message>
    <message>
        <source>Trust the device first.</source>
        <translation>Vertrauen Sie dem Gerät zuerst.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no key of a device.</source>
        <translation>„%1“ ist kein Schlüssel eines Geräts.</translation>
    </message>
    <message>
        <source>Give its digits, %1 at least, as &quot;hearth devices&quot; lists them.</source>
        <translation>Geben Sie mindestens %1 seiner Ziffern an, wie „hearth devices“ sie nennt.</translation>
    </message>
    <message>
        <source>A device cannot ignore itself.</source>
        <translation>Ein Gerät kann sich nicht selbst ignorieren.</translation>
    </message>
    <message>
        <source>Where somebody else announces its key, look for that device.</source>
        <translation>Gibt jemand anderes seinen Schlüssel aus, suchen Sie nach diesem Gerät.</translation>
    </message>
    <message>
        <source>%1 is a device of this home.</source>
        <translation>%1 ist ein Gerät dieses Zuhauses.</translation>
    </message>
    <message>
        <source>Forget it first.</source>
        <translation>Vergessen Sie es zuerst.</translation>
    </message>
    <message>
        <source>No device with the key %1 is ignored.</source>
        <translation>Kein Gerät mit dem Schlüssel %1 wird ignoriert.</translation>
    </message>
    <message>
        <source>See &quot;hearth ignore&quot; for those that are.</source>
        <translation>„hearth ignore“ nennt die, die es werden.</translation>
    </message>
    <message>
        <source>The limits of %1 were not changed.</source>
        <translation>Die Grenzen von %1 wurden nicht geändert.</translation>
    </message>
    <message>
        <source>It has limits that this version of Hearth does not understand.</source>
        <translation>Es hat Grenzen, die diese Version von Hearth nicht versteht.</translation>
    </message>
    <message>
        <source>Change them on that device, or install the same version on both.</source>
        <translation>Ändern Sie sie auf jenem Gerät, oder installieren Sie auf beiden dieselbe Version.</translation>
    </message>
    <message>
        <source>It cannot be reached now.</source>
        <translation>Es ist jetzt nicht erreichbar.</translation>
    </message>
    <message>
        <source>Switch it on, or change them on that device.</source>
        <translation>Schalten Sie es ein, oder ändern Sie sie auf jenem Gerät.</translation>
    </message>
    <message>
        <source>The device %1 takes no work now.</source>
        <translation>Das Gerät %1 nimmt jetzt keine Arbeit an.</translation>
    </message>
    <message>
        <source>Take another device, or change its limits.</source>
        <translation>Nehmen Sie ein anderes Gerät, oder ändern Sie seine Grenzen.</translation>
    </message>
    <message>
        <source>The device %1 is about to leave.</source>
        <translation>Das Gerät %1 ist im Begriff zu gehen.</translation>
    </message>
    <message>
        <source>Its agent has been told to end.</source>
        <translation>Seinem Agenten wurde gesagt, dass er enden soll.</translation>
    </message>
    <message>
        <source>Take another device.</source>
        <translation>Nehmen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>The local socket in %1 could not be made.</source>
        <translation>Der lokale Socket in %1 ließ sich nicht anlegen.</translation>
    </message>
    <message>
        <source>Choose another folder with --state.</source>
        <translation>Wählen Sie mit --state einen anderen Ordner.</translation>
    </message>
    <message>
        <source>No device wanted to pair.</source>
        <translation>Kein Gerät wollte koppeln.</translation>
    </message>
    <message>
        <source>This end waited for %1 s.</source>
        <translation>Dieses Ende hat %1 s gewartet.</translation>
    </message>
    <message>
        <source>Start again, and pair from the other device meanwhile.</source>
        <translation>Beginnen Sie erneut, und koppeln Sie währenddessen vom anderen Gerät aus.</translation>
    </message>
    <message>
        <source>A person has to compare the digits, and there is no terminal to ask in.</source>
        <translation>Jemand muss die Ziffern vergleichen, und es gibt kein Terminal, in dem gefragt werden kann.</translation>
    </message>
    <message>
        <source>Standard input is none.</source>
        <translation>Die Standardeingabe ist keines.</translation>
    </message>
    <message>
        <source>Run it in a terminal, or give the digits of the other device with --yes-code.</source>
        <translation>Starten Sie es in einem Terminal, oder geben Sie die Ziffern des anderen Geräts mit --yes-code an.</translation>
    </message>
    <message>
        <source>The pairing was cancelled.</source>
        <translation>Das Koppeln wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The devices were not paired.</source>
        <translation>Die Geräte wurden nicht gekoppelt.</translation>
    </message>
    <message>
        <source>The other device has given up.</source>
        <translation>Das andere Gerät hat aufgegeben.</translation>
    </message>
    <message>
        <source>Start again.</source>
        <translation>Beginnen Sie neu.</translation>
    </message>
    <message>
        <source>The program %1 was not found.</source>
        <translation>Das Programm %1 wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>It is neither beside this program, nor in $HEARTH_BIN_DIR, %1, or PATH.</source>
        <translation>Es liegt weder neben diesem Programm noch in $HEARTH_BIN_DIR, %1 oder PATH.</translation>
    </message>
    <message>
        <source>Build or install Hearth completely.</source>
        <translation>Bauen oder installieren Sie Hearth vollständig.</translation>
    </message>
    <message>
        <source>The coordinator of run %1</source>
        <translation>Der Koordinator des Laufs %1</translation>
    </message>
    <message>
        <source>The device %1 cannot be reached.</source>
        <translation>Das Gerät %1 ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>Check that it is on and in the network.</source>
        <translation>Prüfen Sie, ob es eingeschaltet und im Netz ist.</translation>
    </message>
    <message>
        <source>The device %1 can no longer be reached.</source>
        <translation>Das Gerät %1 ist nicht mehr erreichbar.</translation>
    </message>
    <message>
        <source>There is no run &quot;%1&quot; in this home.</source>
        <translation>Es gibt in diesem Zuhause keinen Lauf „%1“.</translation>
    </message>
    <message>
        <source>Start one with &quot;hearth train&quot;.</source>
        <translation>Starten Sie einen mit „hearth train“.</translation>
    </message>
    <message>
        <source>A run knows no command &quot;%1&quot;.</source>
        <translation>Ein Lauf kennt keinen Befehl „%1“.</translation>
    </message>
    <message>
        <source>The run %1 is over.</source>
        <translation>Der Lauf %1 ist zu Ende.</translation>
    </message>
    <message>
        <source>Check it with &quot;hearth attach %1&quot;, or start a new one.</source>
        <translation>Sehen Sie ihn mit „hearth attach %1“ an, oder starten Sie einen neuen.</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>Nichts wurde gemessen.</translation>
    </message>
    <message>
        <source>The run %1 is under way, and beside it devices would look slower than they are.</source>
        <translation>Der Lauf %1 ist im Gang, und neben ihm sähen Geräte langsamer aus, als sie sind.</translation>
    </message>
    <message>
        <source>Measure when it is over, or stop it.</source>
        <translation>Messen Sie, wenn er vorbei ist, oder beenden Sie ihn.</translation>
    </message>
    <message>
        <source>The run %1 is under way already.</source>
        <translation>Der Lauf %1 ist schon im Gange.</translation>
    </message>
    <message>
        <source>Follow it with &quot;hearth attach %1&quot;.</source>
        <translation>Folgen Sie ihm mit „hearth attach %1“.</translation>
    </message>
    <message>
        <source>A run that goes on keeps its job, its model and its weights.</source>
        <translation>Ein Lauf, der weitergeht, behält seinen Auftrag, sein Modell und seine Gewichte.</translation>
    </message>
    <message>
        <source>The order names another %1.</source>
        <translation>Die Anweisung nennt einen anderen Wert für %1.</translation>
    </message>
    <message>
        <source>Leave it out, or start a new run.</source>
        <translation>Lassen Sie es weg, oder starten Sie einen neuen Lauf.</translation>
    </message>
    <message>
        <source>The coordinator has no key yet.</source>
        <translation>Der Koordinator hat noch keinen Schlüssel.</translation>
    </message>
    <message>
        <source>Its agent does not answer.</source>
        <translation>Sein Agent antwortet nicht.</translation>
    </message>
    <message>
        <source>The support bundle could not be written.</source>
        <translation>Das Support-Paket konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space.</source>
        <translation>Wählen Sie einen anderen Ordner, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>The device announces no address in this home.</source>
        <translation>Das Gerät kündigt keine Adresse in diesem Zuhause an.</translation>
    </message>
    <message>
        <source>Somebody else may have announced it.</source>
        <translation>Vielleicht hat jemand anderes es angekündigt.</translation>
    </message>
    <message>
        <source>Pair by its address, if you know it.</source>
        <translation>Koppeln Sie über seine Adresse, wenn Sie sie kennen.</translation>
    </message>
    <message>
        <source>%1 was removed from the home.</source>
        <translation>%1 wurde aus dem Zuhause entfernt.</translation>
    </message>
    <message>
        <source>This is the identity of this very device.</source>
        <translation>Dies ist die Identität eben dieses Geräts.</translation>
    </message>
    <message>
        <source>Give the file of another device.</source>
        <translation>Geben Sie die Datei eines anderen Geräts an.</translation>
    </message>
    <message>
        <source>A device cannot forget itself.</source>
        <translation>Ein Gerät kann sich nicht selbst vergessen.</translation>
    </message>
    <message>
        <source>Forget it on the other devices of the home.</source>
        <translation>Vergessen Sie es auf den anderen Geräten des Zuhauses.</translation>
    </message>
    <message>
        <source>It has removed this device from the home.</source>
        <translation>Es hat dieses Gerät aus dem Zuhause entfernt.</translation>
    </message>
    <message>
        <source>Pair the two again if that was a mistake.</source>
        <translation>Koppeln Sie die beiden neu, wenn das ein Versehen war.</translation>
    </message>
    <message>
        <source>%1 has not stored the pairing.</source>
        <translation>%1 hat die Kopplung nicht gespeichert.</translation>
    </message>
    <message>
        <source>The connection had broken at the last moment.</source>
        <translation>Die Verbindung war im letzten Augenblick abgebrochen.</translation>
    </message>
    <message>
        <source>Pair the two again.</source>
        <translation>Koppeln Sie die beiden erneut.</translation>
    </message>
    <message>
        <source>At %1 somebody has another key than %2, which was paired.</source>
        <translation>Bei %1 hat jemand einen anderen Schlüssel als das gekoppelte %2.</translation>
    </message>
    <message>
        <source>It was set up anew, another device has its address, or somebody pretends to be it. No connection is made.</source>
        <translation>Es wurde neu eingerichtet, ein anderes Gerät hat seine Adresse, oder jemand gibt sich dafür aus. Es wird keine Verbindung hergestellt.</translation>
    </message>
    <message>
        <source>If you set it up anew, forget it and pair it again.</source>
        <translation>Haben Sie es neu eingerichtet, vergessen Sie es und koppeln Sie es neu.</translation>
    </message>
    <message>
        <source>It was met at %1 on %2.</source>
        <translation>Es wurde bei %1 angetroffen, am %2.</translation>
    </message>
    <message>
        <source>The service hearth-agent of this user could not be started.</source>
        <translation>Der Dienst hearth-agent dieses Benutzers konnte nicht gestartet werden.</translation>
    </message>
    <message>
        <source>This is no name of a run.</source>
        <translation>Dies ist kein Name eines Laufs.</translation>
    </message>
    <message>
        <source>%1 works for %2 runs already.</source>
        <translation>%1 arbeitet schon für %2 Läufe.</translation>
    </message>
    <message>
        <source>Stop one of them, or choose other devices with --devices.</source>
        <translation>Halten Sie einen davon an, oder wählen Sie mit --devices andere Geräte.</translation>
    </message>
    <message>
        <source>%1 works for %2 runs of this device already.</source>
        <translation>%1 arbeitet schon für %2 Läufe dieses Geräts.</translation>
    </message>
    <message>
        <source>The worker on %1</source>
        <translation>Der Worker auf %1</translation>
    </message>
    <message>
        <source>The file %1 could not be saved.</source>
        <translation>Die Datei %1 konnte nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>Free some space or choose another folder; what was there before is unchanged.</source>
        <translation>Schaffen Sie Platz, oder wählen Sie einen anderen Ordner; was vorher da war, ist unverändert.</translation>
    </message>
    <message>
        <source>Something that is not a file has this name.</source>
        <translation>Etwas, das keine Datei ist, hat diesen Namen.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>What was saved in %1 could be lost with a power cut.</source>
        <translation>Was in %1 gespeichert wurde, könnte bei einem Stromausfall verloren gehen.</translation>
    </message>
    <message>
        <source>Look at the disk, then do it again.</source>
        <translation>Prüfen Sie die Festplatte und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The file %1 could not be read.</source>
        <translation>Die Datei %1 konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Check the name and the permissions.</source>
        <translation>Prüfen Sie den Namen und die Rechte.</translation>
    </message>
    <message>
        <source>It is not a regular file.</source>
        <translation>Sie ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>Name a regular file.</source>
        <translation>Geben Sie eine gewöhnliche Datei an.</translation>
    </message>
    <message>
        <source>The folder %1 could not be made.</source>
        <translation>Der Ordner %1 konnte nicht angelegt werden.</translation>
    </message>
    <message>
        <source>The place is read-only, full, or taken by a file.</source>
        <translation>Der Ort ist schreibgeschützt, voll oder von einer Datei belegt.</translation>
    </message>
    <message>
        <source>Choose another place with --state.</source>
        <translation>Wählen Sie mit --state einen anderen Ort.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address.</source>
        <translation>„%1“ ist keine Adresse.</translation>
    </message>
    <message>
        <source>Write HOST:PORT, or [HOST]:PORT for IPv6.</source>
        <translation>Schreiben Sie HOST:PORT, oder [HOST]:PORT für IPv6.</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>the number %1</source>
        <translation>die Zahl %1</translation>
    </message>
    <message>
        <source>the text &quot;%1&quot;</source>
        <translation>der Text „%1“</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>The file %1 is too large.</source>
        <translation>Die Datei %1 ist zu groß.</translation>
    </message>
    <message>
        <source>It has more than %1 bytes, which no such file needs.</source>
        <translation>Sie hat mehr als %1 Bytes; so viele braucht keine solche Datei.</translation>
    </message>
    <message>
        <source>%1 is not valid JSON.</source>
        <translation>%1 ist kein gültiges JSON.</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3.</source>
        <translation>Zeile %1, Spalte %2: %3.</translation>
    </message>
    <message>
        <source>Correct the file at that place.</source>
        <translation>Berichtigen Sie die Datei an dieser Stelle.</translation>
    </message>
    <message>
        <source>%1 is not a JSON object.</source>
        <translation>%1 ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>The outermost value must be an object in braces.</source>
        <translation>Der äußerste Wert muss ein Objekt in geschweiften Klammern sein.</translation>
    </message>
    <message>
        <source>Valid are: %1.</source>
        <translation>Gültig sind: %1.</translation>
    </message>
    <message>
        <source>Did you mean &quot;%1&quot;?</source>
        <translation>Meinten Sie „%1“?</translation>
    </message>
    <message>
        <source>It must be an object, not %1.</source>
        <translation>Hier muss ein Objekt stehen, nicht %1.</translation>
    </message>
    <message>
        <source>%1 is not valid.</source>
        <translation>%1 ist ungültig.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is not valid.</source>
        <translation>%1: „%2“ ist ungültig.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is missing.</source>
        <translation>%1: „%2“ fehlt.</translation>
    </message>
    <message>
        <source>Add the key &quot;%1&quot;.</source>
        <translation>Fügen Sie den Schlüssel „%1“ hinzu.</translation>
    </message>
    <message>
        <source>It must be a text, not %1.</source>
        <translation>Hier muss ein Text stehen, nicht %1.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is unknown here.</source>
        <translation>„%1“ ist hier unbekannt.</translation>
    </message>
    <message>
        <source>It must be a whole number, not %1.</source>
        <translation>Hier muss eine ganze Zahl stehen, nicht %1.</translation>
    </message>
    <message>
        <source>It is %1.</source>
        <translation>Der Wert ist %1.</translation>
    </message>
    <message>
        <source>Give a number from %1 to %2.</source>
        <translation>Geben Sie eine Zahl von %1 bis %2 an.</translation>
    </message>
    <message>
        <source>It must be a number, not %1.</source>
        <translation>Hier muss eine Zahl stehen, nicht %1.</translation>
    </message>
    <message>
        <source>It must be true or false, not %1.</source>
        <translation>Hier muss true oder false stehen, nicht %1.</translation>
    </message>
    <message>
        <source>It must be a list, not %1.</source>
        <translation>Hier muss eine Liste stehen, nicht %1.</translation>
    </message>
    <message>
        <source>%1: the key &quot;%2&quot; is unknown.</source>
        <translation>%1: Der Schlüssel „%2“ ist unbekannt.</translation>
    </message>
    <message>
        <source>The file %1 cannot be used.</source>
        <translation>Die Datei %1 ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>Restore the file from a backup, or remove it.</source>
        <translation>Stellen Sie die Datei aus einer Sicherung wieder her oder entfernen Sie sie.</translation>
    </message>
    <message>
        <source>It is not a plain file that belongs to you and that only you may write.</source>
        <translation>Sie ist keine gewöhnliche Datei, die Ihnen gehört und in die nur Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>Free some space; nothing has changed.</source>
        <translation>Schaffen Sie Platz; geändert hat sich nichts.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 does not fit its data set.</source>
        <translation>%1 passt nicht zu seinem Datensatz.</translation>
    </message>
    <message>
        <source>Check which files belong together.</source>
        <translation>Prüfen Sie, welche Dateien zusammengehören.</translation>
    </message>
    <message>
        <source>The data set is not whole.</source>
        <translation>Der Datensatz ist nicht vollständig.</translation>
    </message>
    <message>
        <source>The file %1 does not exist.</source>
        <translation>Die Datei %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>Correct the path in the description of the data set.</source>
        <translation>Berichtigen Sie den Pfad in der Beschreibung des Datensatzes.</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>Prüfen Sie ihre Rechte.</translation>
    </message>
    <message>
        <source>Its samples have another shape or type than those of %1.</source>
        <translation>Ihre Beispiele haben eine andere Form oder einen anderen Typ als die von %1.</translation>
    </message>
    <message>
        <source>There is a label %1; classes count from 0, and %2 is ignored.</source>
        <translation>Es gibt ein Label %1; Klassen zählen ab 0, und %2 wird übergangen.</translation>
    </message>
    <message>
        <source>There is a label %1.</source>
        <translation>Es gibt ein Label %1.</translation>
    </message>
    <message>
        <source>It must be a list of names.</source>
        <translation>Es muss eine Liste von Namen sein.</translation>
    </message>
    <message>
        <source>Give 1 to %1 names.</source>
        <translation>Geben Sie 1 bis %1 Namen an.</translation>
    </message>
    <message>
        <source>There are %1.</source>
        <translation>Es sind %1.</translation>
    </message>
    <message>
        <source>Name 1 to %1 files.</source>
        <translation>Nennen Sie 1 bis %1 Dateien.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be the path of a file.</source>
        <translation>„%1“ muss der Pfad einer Datei sein.</translation>
    </message>
    <message>
        <source>Its inputs are called %1.</source>
        <translation>Seine Eingaben heißen %1.</translation>
    </message>
    <message>
        <source>Name the same as for training: %1.</source>
        <translation>Nennen Sie dieselben wie für das Training: %1.</translation>
    </message>
    <message>
        <source>The data set &quot;%1&quot; is unknown.</source>
        <translation>Der Datensatz „%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>It is neither built in nor a file.</source>
        <translation>Es ist weder eingebaut noch eine Datei.</translation>
    </message>
    <message>
        <source>%1 is not a valid IDX file.</source>
        <translation>%1 ist keine gültige IDX-Datei.</translation>
    </message>
    <message>
        <source>Install the data set again, or choose another file.</source>
        <translation>Installieren Sie den Datensatz neu, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is cut short.</source>
        <translation>%1 ist abgeschnitten.</translation>
    </message>
    <message>
        <source>It ends after %1 of %2 bytes.</source>
        <translation>Die Datei endet nach %1 von %2 Bytes.</translation>
    </message>
    <message>
        <source>Install the data set again, or copy the file again.</source>
        <translation>Installieren Sie den Datensatz neu, oder kopieren Sie die Datei noch einmal.</translation>
    </message>
    <message>
        <source>There is no memory left to inflate it.</source>
        <translation>Zum Entpacken ist kein Speicher mehr da.</translation>
    </message>
    <message>
        <source>Its gzip stream is damaged (%1).</source>
        <translation>Sein gzip-Strom ist beschädigt (%1).</translation>
    </message>
    <message>
        <source>It begins with %1 instead of 00 00 08 (unsigned bytes).</source>
        <translation>Es beginnt mit %1 statt 00 00 08 (vorzeichenlose Bytes).</translation>
    </message>
    <message>
        <source>It has %1 dimensions; 1 to %2 are supported.</source>
        <translation>Es hat %1 Dimensionen; 1 bis %2 werden unterstützt.</translation>
    </message>
    <message>
        <source>Its header claims a size of %1 in dimension %2.</source>
        <translation>Sein Kopf behauptet eine Größe von %1 in Dimension %2.</translation>
    </message>
    <message>
        <source>There are bytes behind the %1 that its header announces.</source>
        <translation>Hinter den %1 Bytes, die sein Kopf ankündigt, folgen weitere.</translation>
    </message>
    <message>
        <source>It comes with the package %1: run &quot;sudo apt install %1&quot;.</source>
        <translation>Es kommt mit dem Paket %1: Führen Sie „sudo apt install %1“ aus.</translation>
    </message>
    <message>
        <source>The data set &quot;%1&quot; is not here.</source>
        <translation>Der Datensatz „%1“ ist nicht da.</translation>
    </message>
    <message>
        <source>Images have 3 dimensions (count, height, width) or 4, these have %1.</source>
        <translation>Bilder haben 3 Dimensionen (Anzahl, Höhe, Breite) oder 4, diese haben %1.</translation>
    </message>
    <message>
        <source>Labels have 1 dimension, these have %1.</source>
        <translation>Labels haben 1 Dimension, diese haben %1.</translation>
    </message>
    <message>
        <source>Its images have another size than those of %1.</source>
        <translation>Seine Bilder haben eine andere Größe als die von %1.</translation>
    </message>
    <message>
        <source>%1 is not a .npy file that can be read.</source>
        <translation>%1 ist keine lesbare .npy-Datei.</translation>
    </message>
    <message>
        <source>Save it again with numpy.save().</source>
        <translation>Speichern Sie sie erneut mit numpy.save().</translation>
    </message>
    <message>
        <source>It does not begin as one.</source>
        <translation>Sie beginnt nicht wie eine.</translation>
    </message>
    <message>
        <source>It is not in NumPy&apos;s format 1.0 or 2.0.</source>
        <translation>Sie ist nicht in NumPys Format 1.0 oder 2.0.</translation>
    </message>
    <message>
        <source>It ends in its header.</source>
        <translation>Sie endet in ihrem Kopf.</translation>
    </message>
    <message>
        <source>Its header of %1 bytes is cut off or too long.</source>
        <translation>Ihr Kopf von %1 Bytes ist abgeschnitten oder zu lang.</translation>
    </message>
    <message>
        <source>Its header cannot be read.</source>
        <translation>Ihr Kopf ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Its numbers are of type &quot;%1&quot;.</source>
        <translation>Ihre Zahlen sind vom Typ „%1“.</translation>
    </message>
    <message>
        <source>Save int64, int32, uint8 or float32, little-endian: array.astype(&quot;&lt;i8&quot;).</source>
        <translation>Speichern Sie int64, int32, uint8 oder float32, Little-Endian: array.astype(&quot;&lt;i8&quot;).</translation>
    </message>
    <message>
        <source>Its numbers are in Fortran&apos;s order.</source>
        <translation>Ihre Zahlen sind in Fortrans Reihenfolge.</translation>
    </message>
    <message>
        <source>Save numpy.ascontiguousarray(array).</source>
        <translation>Speichern Sie numpy.ascontiguousarray(array).</translation>
    </message>
    <message>
        <source>It is a single number.</source>
        <translation>Sie ist eine einzelne Zahl.</translation>
    </message>
    <message>
        <source>The first dimension counts samples.</source>
        <translation>Die erste Dimension zählt die Beispiele.</translation>
    </message>
    <message>
        <source>It is too large.</source>
        <translation>Sie ist zu groß.</translation>
    </message>
    <message>
        <source>It has %1 of %2 bytes of numbers.</source>
        <translation>Sie hat %1 von %2 Bytes an Zahlen.</translation>
    </message>
    <message>
        <source>Save or copy the file again.</source>
        <translation>Speichern oder kopieren Sie die Datei erneut.</translation>
    </message>
    <message>
        <source>The Avahi daemon is not running.</source>
        <translation>Der Avahi-Dienst läuft nicht.</translation>
    </message>
    <message>
        <source>%1 is left out: it is this computer itself.</source>
        <translation>%1 bleibt außen vor: Das ist dieser Rechner selbst.</translation>
    </message>
    <message>
        <source>%1 is left out: it is not connected.</source>
        <translation>%1 bleibt außen vor: Es ist nicht verbunden.</translation>
    </message>
    <message>
        <source>%1 is left out: it is a tunnel, such as a VPN.</source>
        <translation>%1 bleibt außen vor: Es ist ein Tunnel, etwa ein VPN.</translation>
    </message>
    <message>
        <source>%1 is left out: it does not speak to many at once.</source>
        <translation>%1 bleibt außen vor: Es spricht nicht mit vielen zugleich.</translation>
    </message>
    <message>
        <source>%1 is left out: it has no address.</source>
        <translation>%1 bleibt außen vor: Es hat keine Adresse.</translation>
    </message>
    <message>
        <source>Network interfaces</source>
        <translation>Netzwerkanschlüsse</translation>
    </message>
    <message>
        <source>%1 is used (%2).</source>
        <translation>%1 wird benutzt (%2).</translation>
    </message>
    <message>
        <source>No network interface can be used.</source>
        <translation>Kein Netzwerkanschluss ist brauchbar.</translation>
    </message>
    <message>
        <source>Connect this computer to the home network, by cable or Wi-Fi.</source>
        <translation>Verbinden Sie diesen Rechner mit dem Heimnetz, per Kabel oder WLAN.</translation>
    </message>
    <message>
        <source>No VPN is on.</source>
        <translation>Kein VPN ist an.</translation>
    </message>
    <message>
        <source>A VPN is on (%1). It may keep this computer from its own network.</source>
        <translation>Ein VPN ist aktiv (%1). Es kann diesen Rechner von seinem eigenen Netz fernhalten.</translation>
    </message>
    <message>
        <source>If devices stay away, allow local networks in the settings of the VPN, or turn it off while you look.</source>
        <translation>Wenn Geräte ausbleiben, erlauben Sie lokale Netze in den Einstellungen des VPNs, oder schalten Sie es aus, während Sie suchen.</translation>
    </message>
    <message>
        <source>Avahi daemon</source>
        <translation>Avahi-Dienst</translation>
    </message>
    <message>
        <source>It runs (%1).</source>
        <translation>Er läuft (%1).</translation>
    </message>
    <message>
        <source>More devices are announced than Hearth looks at.</source>
        <translation>Es werden mehr Geräte angekündigt, als Hearth beachtet.</translation>
    </message>
    <message>
        <source>Look for a program in the network that floods it with announcements.</source>
        <translation>Suchen Sie im Netz nach einem Programm, das es mit Ankündigungen überschwemmt.</translation>
    </message>
    <message>
        <source>Discovery is off: the agent was started with --no-mdns.</source>
        <translation>Die Suche ist aus: Der Agent wurde mit --no-mdns gestartet.</translation>
    </message>
    <message>
        <source>Start the agent without it.</source>
        <translation>Starten Sie den Agenten ohne diese Option.</translation>
    </message>
    <message>
        <source>It has not answered yet.</source>
        <translation>Er hat noch nicht geantwortet.</translation>
    </message>
    <message>
        <source>Look again in a moment.</source>
        <translation>Sehen Sie gleich noch einmal nach.</translation>
    </message>
    <message>
        <source>It is not running.</source>
        <translation>Er läuft nicht.</translation>
    </message>
    <message>
        <source>It is not installed.</source>
        <translation>Er ist nicht installiert.</translation>
    </message>
    <message>
        <source>Start it, now and whenever this computer starts.</source>
        <translation>Starten Sie ihn, jetzt und bei jedem Start dieses Rechners.</translation>
    </message>
    <message>
        <source>Install it.</source>
        <translation>Installieren Sie ihn.</translation>
    </message>
    <message>
        <source>It runs, but refuses: %1</source>
        <translation>Er läuft, weigert sich aber: %1</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>Starten Sie ihn neu.</translation>
    </message>
    <message>
        <source>Announcement of this computer</source>
        <translation>Ankündigung dieses Rechners</translation>
    </message>
    <message>
        <source>This computer is not announced: its agent listens on %1, which nobody else can reach.</source>
        <translation>Dieser Rechner wird nicht angekündigt: Sein Agent lauscht auf %1, was sonst niemand erreicht.</translation>
    </message>
    <message>
        <source>Start the agent without --listen, or with an address of the home network.</source>
        <translation>Starten Sie den Agenten ohne --listen oder mit einer Adresse des Heimnetzes.</translation>
    </message>
    <message>
        <source>This computer is not announced.</source>
        <translation>Dieser Rechner wird nicht angekündigt.</translation>
    </message>
    <message>
        <source>See to the Avahi daemon first.</source>
        <translation>Kümmern Sie sich zuerst um den Avahi-Dienst.</translation>
    </message>
    <message>
        <source>It is announced as &quot;%1&quot;.</source>
        <translation>Er wird als „%1“ angekündigt.</translation>
    </message>
    <message>
        <source>Its own name is taken by another device.</source>
        <translation>Seinen eigenen Namen hat schon ein anderes Gerät.</translation>
    </message>
    <message>
        <source>The announcement can be seen.</source>
        <translation>Die Ankündigung ist zu sehen.</translation>
    </message>
    <message>
        <source>The announcement cannot be seen from here.</source>
        <translation>Die Ankündigung ist von hier aus nicht zu sehen.</translation>
    </message>
    <message>
        <source>Port of the agent</source>
        <translation>Port des Agenten</translation>
    </message>
    <message>
        <source>The agent listens on %1, which nobody else can reach.</source>
        <translation>Der Agent lauscht auf %1, was sonst niemand erreicht.</translation>
    </message>
    <message>
        <source>This computer has no address in a network.</source>
        <translation>Dieser Rechner hat keine Adresse in einem Netz.</translation>
    </message>
    <message>
        <source>The agent answers at %1.</source>
        <translation>Der Agent antwortet unter %1.</translation>
    </message>
    <message>
        <source>The agent does not answer at %1.</source>
        <translation>Der Agent antwortet nicht unter %1.</translation>
    </message>
    <message>
        <source>Open the ports of Hearth in the firewall of this computer.</source>
        <translation>Öffnen Sie die Ports von Hearth in der Firewall dieses Rechners.</translation>
    </message>
    <message>
        <source>Multicast (mDNS)</source>
        <translation>Multicast im Netz (mDNS)</translation>
    </message>
    <message>
        <source>No question could be sent into the network.</source>
        <translation>Es konnte keine Frage ins Netz gesendet werden.</translation>
    </message>
    <message>
        <source>Questions to everybody (mDNS, port 5353) are heard.</source>
        <translation>Fragen an alle (mDNS, Port 5353) werden gehört.</translation>
    </message>
    <message>
        <source>Nobody answers questions to everybody, which is no wonder without the Avahi daemon.</source>
        <translation>Niemand beantwortet Fragen an alle; ohne den Avahi-Dienst ist das kein Wunder.</translation>
    </message>
    <message>
        <source>Not even this computer&apos;s own daemon hears questions to everybody (mDNS, port 5353).</source>
        <translation>Nicht einmal der eigene Dienst dieses Rechners hört Fragen an alle (mDNS, Port 5353).</translation>
    </message>
    <message>
        <source>Open port 5353 for UDP in the firewall of this computer.</source>
        <translation>Öffnen Sie Port 5353 für UDP in der Firewall dieses Rechners.</translation>
    </message>
    <message>
        <source>Other devices in the network</source>
        <translation>Andere Geräte im Netz</translation>
    </message>
    <message>
        <source>Other devices are known in this network.</source>
        <translation>In diesem Netz sind andere Geräte bekannt.</translation>
    </message>
    <message>
        <source>No other device answers.</source>
        <translation>Kein anderes Gerät antwortet.</translation>
    </message>
    <message>
        <source>Check that the other device is on, in the same network, and runs Hearth. A guest Wi-Fi, or an access point that isolates its clients, keeps devices apart: use the main Wi-Fi, or a cable.</source>
        <translation>Prüfen Sie, ob das andere Gerät an ist, im selben Netz ist und Hearth dort läuft. Ein Gast-WLAN oder ein Zugangspunkt, der seine Teilnehmer trennt, hält Geräte auseinander: Nehmen Sie das Haupt-WLAN oder ein Kabel.</translation>
    </message>
    <message>
        <source>Way to %1</source>
        <translation>Weg zu %1</translation>
    </message>
    <message>
        <source>It is linked at %1.</source>
        <translation>Es ist unter %1 verbunden.</translation>
    </message>
    <message>
        <source>No address of it is known, and it is not announced.</source>
        <translation>Es ist keine Adresse von ihm bekannt, und es wird nicht angekündigt.</translation>
    </message>
    <message>
        <source>Start Hearth there, or give its address.</source>
        <translation>Starten Sie Hearth dort, oder geben Sie seine Adresse an.</translation>
    </message>
    <message>
        <source>It answers at %1.</source>
        <translation>Es antwortet unter %1.</translation>
    </message>
    <message>
        <source>It is not linked all the same.</source>
        <translation>Trotzdem ist es nicht verbunden.</translation>
    </message>
    <message>
        <source>Look again in a moment. If it was set up anew, forget it and pair it again.</source>
        <translation>Sehen Sie gleich noch einmal nach. Wurde es neu eingerichtet, vergessen Sie es und koppeln Sie es erneut.</translation>
    </message>
    <message>
        <source>It is not of this home: pair with it if it is yours, ignore it if it is of another one.</source>
        <translation>Es gehört nicht zu diesem Zuhause: Koppeln Sie es, wenn es Ihres ist; ignorieren Sie es, wenn es zu einem anderen gehört.</translation>
    </message>
    <message>
        <source>There is a computer at %1, but no agent.</source>
        <translation>Unter %1 ist ein Rechner, aber kein Agent.</translation>
    </message>
    <message>
        <source>Start Hearth there.</source>
        <translation>Starten Sie Hearth dort.</translation>
    </message>
    <message>
        <source>No way leads to %1.</source>
        <translation>Kein Weg führt zu %1.</translation>
    </message>
    <message>
        <source>Bring both devices into the same network.</source>
        <translation>Bringen Sie beide Geräte in dasselbe Netz.</translation>
    </message>
    <message>
        <source>Nothing answers at %1.</source>
        <translation>Unter %1 antwortet nichts.</translation>
    </message>
    <message>
        <source>Check that it is on and in the same network, and open the ports of Hearth in its firewall.</source>
        <translation>Prüfen Sie, ob es an und im selben Netz ist, und öffnen Sie die Ports von Hearth in seiner Firewall.</translation>
    </message>
    <message>
        <source>Way back from %1</source>
        <translation>Rückweg von %1</translation>
    </message>
    <message>
        <source>It did not say whether it reaches this computer.</source>
        <translation>Es hat nicht gesagt, ob es diesen Rechner erreicht.</translation>
    </message>
    <message>
        <source>Install the same version of Hearth on every device.</source>
        <translation>Installieren Sie auf jedem Gerät dieselbe Version von Hearth.</translation>
    </message>
    <message>
        <source>It reaches this computer at %1.</source>
        <translation>Es erreicht diesen Rechner unter %1.</translation>
    </message>
    <message>
        <source>It does not reach port %1 of this computer (%2).</source>
        <translation>Es erreicht Port %1 dieses Rechners nicht (%2).</translation>
    </message>
    <message>
        <source>Clock of %1</source>
        <translation>Uhr von %1</translation>
    </message>
    <message>
        <source>It did not tell its time.</source>
        <translation>Es hat seine Zeit nicht gesagt.</translation>
    </message>
    <message>
        <source>It agrees with this computer&apos;s to %1 s.</source>
        <translation>Sie stimmt mit der dieses Rechners auf %1 s überein.</translation>
    </message>
    <message>
        <source>It is %1 days ahead of this computer&apos;s.</source>
        <translation>Sie geht %1 Tage vor der dieses Rechners.</translation>
    </message>
    <message>
        <source>It is %1 days behind this computer&apos;s.</source>
        <translation>Sie geht %1 Tage hinter der dieses Rechners.</translation>
    </message>
    <message>
        <source>It is %1 s ahead of this computer&apos;s.</source>
        <translation>Sie geht %1 s vor der dieses Rechners.</translation>
    </message>
    <message>
        <source>It is %1 s behind this computer&apos;s.</source>
        <translation>Sie geht %1 s hinter der dieses Rechners.</translation>
    </message>
    <message>
        <source>Nothing of Hearth depends on it but the times that it shows. Let both take the time from the network.</source>
        <translation>Davon hängen in Hearth nur die angezeigten Zeiten ab. Lassen Sie beide die Zeit aus dem Netz beziehen.</translation>
    </message>
    <message>
        <source>It took too long to find out.</source>
        <translation>Es dauerte zu lange, das herauszufinden.</translation>
    </message>
    <message>
        <source>Firewall of this computer</source>
        <translation>Firewall dieses Rechners</translation>
    </message>
    <message>
        <source>Open the ports %1 to %2 for TCP and 5353 for UDP.</source>
        <translation>Öffnen Sie die Ports %1 bis %2 für TCP und 5353 für UDP.</translation>
    </message>
    <message>
        <source>The firewall ufw is on. Only root can read whether it lets Hearth through.</source>
        <translation>Die Firewall ufw ist aktiv. Ob sie Hearth durchlässt, kann nur root lesen.</translation>
    </message>
    <message>
        <source>The firewall %1 is on and lets Hearth through.</source>
        <translation>Die Firewall %1 ist an und lässt Hearth durch.</translation>
    </message>
    <message>
        <source>The firewall %1 is on and does not let Hearth through.</source>
        <translation>Die Firewall %1 ist an und lässt Hearth nicht durch.</translation>
    </message>
    <message>
        <source>Only root can read the rules of the firewall.</source>
        <translation>Nur root kann die Regeln der Firewall lesen.</translation>
    </message>
    <message>
        <source>If devices stay away, look at the rules for the ports %1 to %2 (TCP) and 5353 (UDP).</source>
        <translation>Wenn Geräte ausbleiben, sehen Sie die Regeln für die Ports %1 bis %2 (TCP) und 5353 (UDP) an.</translation>
    </message>
    <message>
        <source>No firewall keeps anything out.</source>
        <translation>Keine Firewall hält etwas ab.</translation>
    </message>
    <message>
        <source>No firewall was found.</source>
        <translation>Es wurde keine Firewall gefunden.</translation>
    </message>
    <message>
        <source>A device nearby has no key.</source>
        <translation>Ein Gerät in der Nähe hat keinen Schlüssel.</translation>
    </message>
    <message>
        <source>The index of History in %1 could not be used.</source>
        <translation>Das Verzeichnis des Verlaufs in %1 war nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>The runs themselves are safe; free some space, or remove the file: it is built anew.</source>
        <translation>Die Läufe selbst sind sicher; schaffen Sie Platz, oder entfernen Sie die Datei: Sie wird neu gebaut.</translation>
    </message>
    <message>
        <source>History has no database to work with.</source>
        <translation>Der Verlauf hat keine Datenbank, mit der er arbeiten kann.</translation>
    </message>
    <message>
        <source>Qt&apos;s driver for SQLite is missing.</source>
        <translation>Qts Treiber für SQLite fehlt.</translation>
    </message>
    <message>
        <source>Install the package libqt6sql6-sqlite.</source>
        <translation>Installieren Sie das Paket libqt6sql6-sqlite.</translation>
    </message>
    <message>
        <source>Another program holds it.</source>
        <translation>Ein anderes Programm hält sie fest.</translation>
    </message>
    <message>
        <source>Its folder cannot be written to.</source>
        <translation>In ihren Ordner lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>The index of History was broken and is built anew from the runs.</source>
        <translation>Das Verzeichnis des Verlaufs war beschädigt und wird aus den Läufen neu gebaut.</translation>
    </message>
    <message>
        <source>Until that is mended, History reads all runs anew at every start.</source>
        <translation>Bis das behoben ist, liest der Verlauf bei jedem Start alle Läufe neu.</translation>
    </message>
    <message>
        <source>The index of History was made by a later version of Hearth and is left as it is.</source>
        <translation>Das Verzeichnis des Verlaufs hat eine neuere Version von Hearth gemacht; es bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Its form is %1, this version knows %2.</source>
        <translation>Seine Form ist %1, diese Version kennt %2.</translation>
    </message>
    <message>
        <source>History reads all runs anew at every start; update Hearth to use the index again.</source>
        <translation>Der Verlauf liest bei jedem Start alle Läufe neu; aktualisieren Sie Hearth, um das Verzeichnis wieder zu nutzen.</translation>
    </message>
    <message>
        <source>The index of History has no version.</source>
        <translation>Der Index des Verlaufs hat keine Version.</translation>
    </message>
    <message>
        <source>The rounds of the run %1 could not be exported.</source>
        <translation>Die Runden des Laufs %1 ließen sich nicht exportieren.</translation>
    </message>
    <message>
        <source>%1/events.jsonl could not be read.</source>
        <translation>%1/events.jsonl ließ sich nicht lesen.</translation>
    </message>
    <message>
        <source>Check that the file is there and may be read, and export again.</source>
        <translation>Prüfen Sie, ob die Datei da ist und gelesen werden darf, und exportieren Sie erneut.</translation>
    </message>
    <message>
        <source>History does not know the run %1.</source>
        <translation>Der Verlauf kennt den Lauf %1 nicht.</translation>
    </message>
    <message>
        <source>Its folder is gone.</source>
        <translation>Sein Ordner ist weg.</translation>
    </message>
    <message>
        <source>The export was cancelled.</source>
        <translation>Der Export wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The rounds could not be written to %1.</source>
        <translation>Die Runden konnten nicht nach %1 geschrieben werden.</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>Einen anderen Platz wählen.</translation>
    </message>
    <message>
        <source>An announcement cannot be read.</source>
        <translation>Eine Ankündigung ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The version or the key&apos;s digits are missing.</source>
        <translation>Die Version oder die Ziffern des Schlüssels fehlen.</translation>
    </message>
    <message>
        <source>The version is not a number.</source>
        <translation>Die Version ist keine Zahl.</translation>
    </message>
    <message>
        <source>The key&apos;s digits are not %1 hexadecimal ones.</source>
        <translation>Die Ziffern des Schlüssels sind nicht %1 hexadezimale.</translation>
    </message>
    <message>
        <source>There is no device &quot;%1&quot; in this home.</source>
        <translation>In diesem Zuhause gibt es kein Gerät „%1“.</translation>
    </message>
    <message>
        <source>Several devices are called &quot;%1&quot;.</source>
        <translation>Mehrere Geräte heißen „%1“.</translation>
    </message>
    <message>
        <source>Write HOST, HOST:PORT, or [HOST]:PORT for IPv6.</source>
        <translation>Schreiben Sie NAME, NAME:PORT, oder für IPv6 [NAME]:PORT.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no part of a day.</source>
        <translation>„%1“ ist kein Teil eines Tages.</translation>
    </message>
    <message>
        <source>Write two different times as FROM-TO, for instance 22:00-07:00.</source>
        <translation>Schreiben Sie zwei verschiedene Zeiten als VON-BIS, zum Beispiel 22:00-07:00.</translation>
    </message>
    <message>
        <source>No worker fits into that.</source>
        <translation>Dahinein passt kein Worker.</translation>
    </message>
    <message>
        <source>Give at least %1 MiB, or 0 for all.</source>
        <translation>Geben Sie mindestens %1 MiB an, oder 0 für alles.</translation>
    </message>
    <message>
        <source>The limits of this device in %1 cannot be read.</source>
        <translation>Die Grenzen dieses Geräts in %1 sind nicht lesbar.</translation>
    </message>
    <message>
        <source>Mend the file, or remove it: then there are no limits.</source>
        <translation>Bringen Sie die Datei in Ordnung oder entfernen Sie sie: Dann gibt es keine Grenzen.</translation>
    </message>
    <message>
        <source>It is not a plain file.</source>
        <translation>Es ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>It was paused.</source>
        <translation>Es wurde pausiert.</translation>
    </message>
    <message>
        <source>It runs on its battery, and is to train only on mains power.</source>
        <translation>Es läuft auf Akku und soll nur am Stromnetz trainieren.</translation>
    </message>
    <message>
        <source>It is to train at other hours of the day.</source>
        <translation>Es soll zu anderen Tageszeiten trainieren.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be a device&apos;s name.</source>
        <translation>„%1“ kann kein Gerätename sein.</translation>
    </message>
    <message>
        <source>Take 1 to %1 printable characters.</source>
        <translation>Nehmen Sie 1 bis %1 druckbare Zeichen.</translation>
    </message>
    <message>
        <source>A name cannot look like a fingerprint.</source>
        <translation>Ein Name darf nicht wie ein Fingerabdruck aussehen.</translation>
    </message>
    <message>
        <source>It is empty or too long.</source>
        <translation>Er ist leer oder zu lang.</translation>
    </message>
    <message>
        <source>A newer link took over.</source>
        <translation>Eine neuere Verbindung hat übernommen.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address to listen on.</source>
        <translation>„%1“ ist keine Adresse, auf der gelauscht werden kann.</translation>
    </message>
    <message>
        <source>Give a number like 192.168.1.5 or ::, not a name.</source>
        <translation>Geben Sie eine Nummer wie 192.168.1.5 oder :: an, keinen Namen.</translation>
    </message>
    <message>
        <source>The agent ends.</source>
        <translation>Der Agent endet.</translation>
    </message>
    <message>
        <source>Its agent has started again.</source>
        <translation>Sein Agent ist neu gestartet.</translation>
    </message>
    <message>
        <source>The device does not answer any more.</source>
        <translation>Das Gerät antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>Nothing came from it for %1 s.</source>
        <translation>Seit %1 s kam nichts von ihm.</translation>
    </message>
    <message>
        <source>Check that it is awake and in the network.</source>
        <translation>Prüfen Sie, ob es wach und im Netz ist.</translation>
    </message>
    <message>
        <source>An ignored device has no key.</source>
        <translation>Ein ignoriertes Gerät hat keinen Schlüssel.</translation>
    </message>
    <message>
        <source>There are more than %1.</source>
        <translation>Es sind mehr als %1.</translation>
    </message>
    <message>
        <source>One of them is no key.</source>
        <translation>Eines davon ist kein Schlüssel.</translation>
    </message>
    <message>
        <source>A list of removed devices is not valid.</source>
        <translation>Eine Liste entfernter Geräte ist ungültig.</translation>
    </message>
    <message>
        <source>It has no signer or no number.</source>
        <translation>Sie hat keinen Unterzeichner oder keine Nummer.</translation>
    </message>
    <message>
        <source>It lists more than %1 devices.</source>
        <translation>Sie nennt mehr als %1 Geräte.</translation>
    </message>
    <message>
        <source>It lists something that is no device, or a device twice.</source>
        <translation>Sie nennt etwas, das kein Gerät ist, oder ein Gerät zweimal.</translation>
    </message>
    <message>
        <source>Its signature is not that of its signer.</source>
        <translation>Ihre Unterschrift ist nicht die ihres Unterzeichners.</translation>
    </message>
    <message>
        <source>Restore the file from a backup, or remove it: the other devices of the home tell what it said. Devices that were paired again since then may have to be paired once more.</source>
        <translation>Stellen Sie die Datei aus einer Sicherung wieder her oder entfernen Sie sie: Die anderen Geräte des Zuhauses teilen mit, was darin stand. Geräte, die seither neu gekoppelt wurden, müssen womöglich noch einmal gekoppelt werden.</translation>
    </message>
    <message>
        <source>It names something that no word says.</source>
        <translation>Sie nennt etwas, das in keiner Erklärung steht.</translation>
    </message>
    <message>
        <source>More devices have removed others than can be kept.</source>
        <translation>Mehr Geräte haben andere entfernt, als gespeichert werden können.</translation>
    </message>
    <message>
        <source>The state folder %1 cannot be used.</source>
        <translation>Der Zustandsordner %1 ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>Choose another with --state.</source>
        <translation>Wählen Sie mit --state einen anderen.</translation>
    </message>
    <message>
        <source>The state folder %1 is not private.</source>
        <translation>Der Zustandsordner %1 ist nicht privat.</translation>
    </message>
    <message>
        <source>Run &quot;chmod go-w&quot; on it, or choose another with --state.</source>
        <translation>Führen Sie „chmod go-w“ dafür aus oder wählen Sie mit --state einen anderen.</translation>
    </message>
    <message>
        <source>The file %1 could not be made.</source>
        <translation>Die Datei %1 konnte nicht angelegt werden.</translation>
    </message>
    <message>
        <source>Free some space, or choose another folder with --state.</source>
        <translation>Schaffen Sie Platz oder wählen Sie mit --state einen anderen Ordner.</translation>
    </message>
    <message>
        <source>An agent already runs for the state folder %1.</source>
        <translation>Für den Zustandsordner %1 läuft bereits ein Agent.</translation>
    </message>
    <message>
        <source>Use that one, or choose another folder with --state.</source>
        <translation>Nehmen Sie diesen oder wählen Sie mit --state einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Check the name.</source>
        <translation>Prüfen Sie den Namen.</translation>
    </message>
    <message>
        <source>It must have 1 to %1 characters.</source>
        <translation>Er muss 1 bis %1 Zeichen haben.</translation>
    </message>
    <message>
        <source>It has characters that cannot be printed.</source>
        <translation>Er enthält Zeichen, die nicht druckbar sind.</translation>
    </message>
    <message>
        <source>It is not a fingerprint of 64 hexadecimal digits.</source>
        <translation>Es ist kein Fingerabdruck aus 64 hexadezimalen Ziffern.</translation>
    </message>
    <message>
        <source>The empty key can belong to anybody.</source>
        <translation>Der leere Schlüssel kann jedem gehören.</translation>
    </message>
    <message>
        <source>The list of trusted devices %1 cannot be used.</source>
        <translation>Die Liste vertrauter Geräte %1 ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>Restore the file from a backup, or remove it and trust your devices again.</source>
        <translation>Stellen Sie die Datei aus einer Sicherung wieder her oder entfernen Sie sie und vertrauen Sie Ihren Geräten neu.</translation>
    </message>
    <message>
        <source>It lists a device twice.</source>
        <translation>Sie nennt ein Gerät zweimal.</translation>
    </message>
    <message>
        <source>A device without a key cannot be trusted.</source>
        <translation>Einem Gerät ohne Schlüssel kann nicht vertraut werden.</translation>
    </message>
    <message>
        <source>This home has %1 devices already.</source>
        <translation>Dieses Zuhause hat bereits %1 Geräte.</translation>
    </message>
    <message>
        <source>Remove one first.</source>
        <translation>Entfernen Sie zuerst eines.</translation>
    </message>
    <message>
        <source>The list of trusted devices was not saved.</source>
        <translation>Die Liste vertrauter Geräte wurde nicht gespeichert.</translation>
    </message>
    <message>
        <source>The device is installed, and its agent cannot be reached from here.</source>
        <translation>Auf dem Gerät ist alles installiert, aber sein Agent ist von hier nicht zu erreichen.</translation>
    </message>
    <message>
        <source>No connection came about within %1 s.</source>
        <translation>Innerhalb von %1 s kam keine Verbindung zustande.</translation>
    </message>
    <message>
        <source>Let its firewall pass TCP ports 47600 to 47632; the devices link by themselves then.</source>
        <translation>Lassen Sie in seiner Firewall die TCP-Ports 47600 bis 47632 zu; dann verbinden sich die Geräte von selbst.</translation>
    </message>
    <message>
        <source>%1 is no package of hearth-agent.</source>
        <translation>%1 ist kein Paket von hearth-agent.</translation>
    </message>
    <message>
        <source>Give the file hearth-agent_VERSION_ARCHITECTURE.deb that &quot;ninja package&quot; made, or a bundle.</source>
        <translation>Geben Sie die Datei hearth-agent_VERSION_ARCHITEKTUR.deb an, die „ninja package“ erzeugt hat, oder ein Bündel.</translation>
    </message>
    <message>
        <source>The package %1 cannot be read.</source>
        <translation>Das Paket %1 ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Check its name.</source>
        <translation>Prüfen Sie den Namen.</translation>
    </message>
    <message>
        <source>It is larger than any.</source>
        <translation>Es ist größer als jedes.</translation>
    </message>
    <message>
        <source>It is neither a Debian package nor a bundle, or a damaged one.</source>
        <translation>Es ist weder ein Debian-Paket noch ein Bündel, oder es ist beschädigt.</translation>
    </message>
    <message>
        <source>It is the package &quot;%1&quot;.</source>
        <translation>Es ist das Paket „%1“.</translation>
    </message>
    <message>
        <source>It names no version, or no architecture.</source>
        <translation>Es nennt keine Version oder keine Architektur.</translation>
    </message>
    <message>
        <source>There is no package of hearth-agent for processors of type %1.</source>
        <translation>Es gibt kein Paket von hearth-agent für Prozessoren vom Typ %1.</translation>
    </message>
    <message>
        <source>None lies in %1.</source>
        <translation>In %1 liegt keines.</translation>
    </message>
    <message>
        <source>There is only %1.</source>
        <translation>Es gibt nur %1.</translation>
    </message>
    <message>
        <source>Build Hearth on such a device (&quot;ninja package&quot;), for arm64 also here (resources/packages/build-arm64), and choose that package (--package).</source>
        <translation>Bauen Sie Hearth auf einem solchen Gerät („ninja package“), für arm64 auch hier (resources/packages/build-arm64), und wählen Sie dieses Paket (--package).</translation>
    </message>
    <message>
        <source>Hearth does not run on that device.</source>
        <translation>Auf diesem Gerät läuft Hearth nicht.</translation>
    </message>
    <message>
        <source>Its system is &quot;%1&quot;; Hearth needs Linux.</source>
        <translation>Sein System ist „%1“; Hearth braucht Linux.</translation>
    </message>
    <message>
        <source>Choose a device with Debian 12 or a relative of it.</source>
        <translation>Wählen Sie ein Gerät mit Debian 12 oder einem Verwandten davon.</translation>
    </message>
    <message>
        <source>Hearth&apos;s bundle cannot be unpacked on that device.</source>
        <translation>Auf diesem Gerät lässt sich das Bündel von Hearth nicht auspacken.</translation>
    </message>
    <message>
        <source>%1 has no tar, or no gzip.</source>
        <translation>%1 hat kein tar oder kein gzip.</translation>
    </message>
    <message>
        <source>Install them there.</source>
        <translation>Installieren Sie beides dort.</translation>
    </message>
    <message>
        <source>Hearth&apos;s package cannot be unpacked on that device.</source>
        <translation>Auf diesem Gerät lässt sich das Paket von Hearth nicht auspacken.</translation>
    </message>
    <message>
        <source>%1 has no dpkg-deb.</source>
        <translation>%1 hat kein dpkg-deb.</translation>
    </message>
    <message>
        <source>Hearth&apos;s packages are made for Debian 12.</source>
        <translation>Die Pakete von Hearth sind für Debian 12 gemacht.</translation>
    </message>
    <message>
        <source>That device has %1.</source>
        <translation>Dieses Gerät hat %1.</translation>
    </message>
    <message>
        <source>If the agent does not start there, build the package on that device.</source>
        <translation>Startet der Agent dort nicht, so bauen Sie das Paket auf diesem Gerät.</translation>
    </message>
    <message>
        <source>%1, read-only</source>
        <translation>%1, schreibgeschützt</translation>
    </message>
    <message>
        <source>Nothing can be written into the home folder of %1.</source>
        <translation>In den persönlichen Ordner von %1 lässt sich nichts schreiben.</translation>
    </message>
    <message>
        <source>It is read-only, full, or belongs to another user; what is installed is recorded there, so that it can be removed.</source>
        <translation>Er ist schreibgeschützt, voll oder gehört jemand anderem; dort wird festgehalten, was installiert ist, damit es entfernt werden kann.</translation>
    </message>
    <message>
        <source>Make %1 writable, or log in as another user.</source>
        <translation>Machen Sie %1 beschreibbar, oder melden Sie sich als jemand anderes an.</translation>
    </message>
    <message>
        <source>The login shell of %1 cannot be used.</source>
        <translation>Die Anmelde-Shell von %1 ist nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>%1 reads commands in another way than sh.</source>
        <translation>%1 liest Befehle anders als sh.</translation>
    </message>
    <message>
        <source>Log in as another user, or choose another shell there (&quot;chsh -s /bin/sh&quot;).</source>
        <translation>Melden Sie sich als anderer Benutzer an, oder wählen Sie dort eine andere Shell („chsh -s /bin/sh“).</translation>
    </message>
    <message>
        <source>Nobody knows how much memory that device has.</source>
        <translation>Niemand weiß, wie viel Speicher das Gerät hat.</translation>
    </message>
    <message>
        <source>Its /proc/meminfo was not readable.</source>
        <translation>Sein /proc/meminfo war nicht lesbar.</translation>
    </message>
    <message>
        <source>Run free there.</source>
        <translation>Rufen Sie dort free auf.</translation>
    </message>
    <message>
        <source>That device has too little memory to train.</source>
        <translation>Dieses Gerät hat zu wenig Speicher zum Trainieren.</translation>
    </message>
    <message>
        <source>It has %1; a worker that does nothing yet takes 200 MB.</source>
        <translation>Es hat %1; ein Worker, der noch nichts tut, braucht 200 MB.</translation>
    </message>
    <message>
        <source>Choose a device with 1 GB or more.</source>
        <translation>Wählen Sie ein Gerät mit mindestens 1 GB.</translation>
    </message>
    <message>
        <source>That device has little memory.</source>
        <translation>Dieses Gerät hat wenig Speicher.</translation>
    </message>
    <message>
        <source>It has %1.</source>
        <translation>Es hat %1.</translation>
    </message>
    <message>
        <source>Plans will give it only small layers, or none.</source>
        <translation>Pläne werden ihm nur kleine Schichten geben oder keine.</translation>
    </message>
    <message>
        <source>systemd, for the whole device</source>
        <translation>systemd, für das ganze Gerät</translation>
    </message>
    <message>
        <source>systemd, for %1</source>
        <translation>systemd, für %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Nothing starts the agent again after a restart of that device.</source>
        <translation>Nach einem Neustart dieses Geräts startet niemand den Agenten wieder.</translation>
    </message>
    <message>
        <source>The systemd of %1 does not answer there.</source>
        <translation>Das systemd von %1 antwortet dort nicht.</translation>
    </message>
    <message>
        <source>systemd does not run there.</source>
        <translation>systemd läuft dort nicht.</translation>
    </message>
    <message>
        <source>After a restart install again, or start &quot;%1 --state %2&quot; there.</source>
        <translation>Installieren Sie nach einem Neustart noch einmal, oder starten Sie dort „%1 --state %2“.</translation>
    </message>
    <message>
        <source>sudo, with a password</source>
        <translation>sudo, mit Passwort</translation>
    </message>
    <message>
        <source>those of %1: only the home folder changes</source>
        <translation>die von %1: nur der persönliche Ordner ändert sich</translation>
    </message>
    <message>
        <source>%1 s apart</source>
        <translation>%1 s auseinander</translation>
    </message>
    <message>
        <source>The clocks of that device and of this one differ by %1 s.</source>
        <translation>Die Uhren des anderen Geräts und dieses Rechners gehen %1 s auseinander.</translation>
    </message>
    <message>
        <source>That one is ahead.</source>
        <translation>Jene geht vor.</translation>
    </message>
    <message>
        <source>That one is behind.</source>
        <translation>Jene geht nach.</translation>
    </message>
    <message>
        <source>Run &quot;timedatectl set-ntp true&quot; on both.</source>
        <translation>Führen Sie auf beiden „timedatectl set-ntp true“ aus.</translation>
    </message>
    <message>
        <source>by hearth install; it is updated</source>
        <translation>von Hearth selbst; sie wird erneuert</translation>
    </message>
    <message>
        <source>by hearth install, broken off; it is finished</source>
        <translation>durch hearth install, abgebrochen; sie wird zu Ende gebracht</translation>
    </message>
    <message>
        <source>an agent that runs</source>
        <translation>ein laufender Agent</translation>
    </message>
    <message>
        <source>%1 uses Hearth on that device already.</source>
        <translation>%1 benutzt Hearth auf dem Gerät schon.</translation>
    </message>
    <message>
        <source>Its window is open there, or its agent was started by hand.</source>
        <translation>Dort ist das Fenster offen, oder der Agent wurde von Hand gestartet.</translation>
    </message>
    <message>
        <source>Pair the two devices instead (&quot;hearth pair&quot;), or end Hearth there first.</source>
        <translation>Koppeln Sie stattdessen die beiden Geräte („hearth pair“), oder beenden Sie Hearth dort zuerst.</translation>
    </message>
    <message>
        <source>the package, version %1; it is kept</source>
        <translation>das Paket, Version %1; es bleibt</translation>
    </message>
    <message>
        <source>an agent&apos;s key; it stays as it is</source>
        <translation>der Schlüssel eines Agenten; er bleibt, wie er ist</translation>
    </message>
    <message>
        <source>%1, taken</source>
        <translation>%1, belegt</translation>
    </message>
    <message>
        <source>The agent cannot listen on port %1 of that device.</source>
        <translation>Der Agent kann auf Port %1 dieses Geräts nicht lauschen.</translation>
    </message>
    <message>
        <source>Another program listens there already.</source>
        <translation>Dort lauscht schon ein anderes Programm.</translation>
    </message>
    <message>
        <source>Hearth runs there already, with its state in %1.</source>
        <translation>Hearth läuft dort schon, mit seinem Zustand in %1.</translation>
    </message>
    <message>
        <source>End that program, or choose another port with --agent-port.</source>
        <translation>Beenden Sie dieses Programm, oder wählen Sie mit --agent-port einen anderen Port.</translation>
    </message>
    <message>
        <source>Nobody knows how much space is free in %1.</source>
        <translation>Niemand weiß, wie viel Platz in %1 frei ist.</translation>
    </message>
    <message>
        <source>Could not read free space.</source>
        <translation>Der freie Platz ließ sich nicht lesen.</translation>
    </message>
    <message>
        <source>Run df there.</source>
        <translation>Rufen Sie dort df auf.</translation>
    </message>
    <message>
        <source>That device has too little space for Hearth.</source>
        <translation>Dieses Gerät hat zu wenig Platz für Hearth.</translation>
    </message>
    <message>
        <source>%1 are free in %2; %3 are needed.</source>
        <translation>In %2 sind %1 frei; gebraucht werden %3.</translation>
    </message>
    <message>
        <source>Free some space there.</source>
        <translation>Schaffen Sie dort Platz.</translation>
    </message>
    <message>
        <source>The package does not fit the processor of that device.</source>
        <translation>Das Paket passt nicht zum Prozessor dieses Geräts.</translation>
    </message>
    <message>
        <source>It is for %1, and that device is %2 (%3).</source>
        <translation>Es ist für %1, und dieses Gerät ist %2 (%3).</translation>
    </message>
    <message>
        <source>The programs of the package cannot start on that device.</source>
        <translation>Die Programme des Pakets können auf diesem Gerät nicht starten.</translation>
    </message>
    <message>
        <source>Its C library is version %1; they need %2.</source>
        <translation>Seine C-Bibliothek hat die Version %1; sie brauchen %2.</translation>
    </message>
    <message>
        <source>Upgrade it to Debian 12, build the package on that device, or put a bundle beside the package (resources/packages/bundle).</source>
        <translation>Bringen Sie es auf Debian 12, bauen Sie das Paket auf diesem Gerät, oder legen Sie ein Bündel neben das Paket (resources/packages/bundle).</translation>
    </message>
    <message>
        <source>of unknown version</source>
        <translation>unbekannter Version</translation>
    </message>
    <message>
        <source>the bundle&apos;s own</source>
        <translation>die des Bündels</translation>
    </message>
    <message>
        <source>all there</source>
        <translation>alle da</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 fehlen</translation>
    </message>
    <message>
        <source>Libraries that Hearth needs are not installed on that device.</source>
        <translation>Bibliotheken, die Hearth braucht, sind auf diesem Gerät nicht installiert.</translation>
    </message>
    <message>
        <source>%1 cannot install them: that needs root or sudo.</source>
        <translation>%1 kann sie nicht installieren: dazu braucht es root oder sudo.</translation>
    </message>
    <message>
        <source>Log in as root or as somebody with sudo, or have them installed there: apt-get install %1</source>
        <translation>Melden Sie sich als root oder als jemand mit sudo an, oder lassen Sie sie dort installieren: apt-get install %1</translation>
    </message>
    <message>
        <source>The package hearth-agent %1 and the libraries that it needs are installed.</source>
        <translation>Das Paket hearth-agent %1 und die Bibliotheken, die es braucht, werden installiert.</translation>
    </message>
    <message>
        <source>The package hearth-agent %1 takes the place of %2.</source>
        <translation>Das Paket hearth-agent %1 tritt an die Stelle von %2.</translation>
    </message>
    <message>
        <source>The package hearth-agent %1 that is there is used.</source>
        <translation>Das vorhandene Paket hearth-agent %1 wird verwendet.</translation>
    </message>
    <message>
        <source>hearth-agent %1 and libraries of its own are unpacked into %2.</source>
        <translation>hearth-agent %1 und eigene Bibliotheken werden nach %2 ausgepackt.</translation>
    </message>
    <message>
        <source>hearth-agent %1 is unpacked into %2.</source>
        <translation>hearth-agent %1 wird nach %2 ausgepackt.</translation>
    </message>
    <message>
        <source>The system service hearth-agent runs as user hearth, also after a restart.</source>
        <translation>Der Systemdienst hearth-agent läuft als Benutzer hearth, auch nach einem Neustart.</translation>
    </message>
    <message>
        <source>A service of %1 runs the agent, also after a restart and while nobody is logged in.</source>
        <translation>Ein Dienst von %1 führt den Agenten aus, auch nach einem Neustart und während niemand angemeldet ist.</translation>
    </message>
    <message>
        <source>The agent is started in the background; after a restart of the device somebody has to start it again, as there is no systemd that could.</source>
        <translation>Der Agent wird im Hintergrund gestartet; nach einem Neustart des Geräts muss ihn jemand wieder starten, weil es kein systemd gibt, das es könnte.</translation>
    </message>
    <message>
        <source>It listens on port %1; its key, its trusted devices and runs are in %2.</source>
        <translation>Er lauscht auf Port %1; sein Schlüssel, die Geräte seines Vertrauens und Läufe liegen in %2.</translation>
    </message>
    <message>
        <source>That device and this one trust each other.</source>
        <translation>Jenes Gerät und dieser Rechner vertrauen einander.</translation>
    </message>
    <message>
        <source>It is no place where installations keep their state.</source>
        <translation>Dort bewahren Installationen ihren Zustand nicht auf.</translation>
    </message>
    <message>
        <source>It is none.</source>
        <translation>Es ist keiner.</translation>
    </message>
    <message>
        <source>One of them is no name of a package.</source>
        <translation>Einer davon ist kein Paketname.</translation>
    </message>
    <message>
        <source>Not everything could be undone. %1 Run &quot;hearth install %2&quot; again to finish, or with --uninstall to remove what is left.</source>
        <translation>Nicht alles ließ sich rückgängig machen. %1 Rufen Sie „hearth install %2“ noch einmal auf, um es zu Ende zu bringen, oder mit --uninstall, um den Rest zu entfernen.</translation>
    </message>
    <message>
        <source>%1 has another host key than the one it must have.</source>
        <translation>%1 hat einen anderen Host-Schlüssel als den verlangten.</translation>
    </message>
    <message>
        <source>It shows %1 %2, and %3 was expected: somebody may be in between. Nothing was sent to it.</source>
        <translation>Es zeigt %1 %2, erwartet wurde %3: Vielleicht sitzt jemand dazwischen. Gesendet wurde nichts.</translation>
    </message>
    <message>
        <source>Compare with &quot;ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub&quot; on the device itself.</source>
        <translation>Vergleichen Sie mit „ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub“ am Gerät selbst.</translation>
    </message>
    <message>
        <source>%1 is not the computer that it was: its host key has changed.</source>
        <translation>%1 ist nicht der Rechner, der es war: Sein Host-Schlüssel ist ein anderer.</translation>
    </message>
    <message>
        <source>Somebody may be listening in between, or the device was set up anew. It shows %1 %2 now. Nothing was sent to it.</source>
        <translation>Vielleicht hört jemand dazwischen mit, oder das Gerät wurde neu aufgesetzt. Es zeigt jetzt %1 %2. Ihm wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>Compare with &quot;ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub&quot; on the device itself. Only if they are the same, forget the old one with &quot;%1&quot;.</source>
        <translation>Vergleichen Sie mit „ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub“ auf dem Gerät selbst. Nur wenn beide gleich sind, vergessen Sie den alten mit „%1“.</translation>
    </message>
    <message>
        <source>%1 has never been seen before, and nobody confirmed its host key.</source>
        <translation>%1 wurde noch nie gesehen, und niemand hat seinen Host-Schlüssel bestätigt.</translation>
    </message>
    <message>
        <source>It shows %1 %2.</source>
        <translation>Es zeigt %1 %2.</translation>
    </message>
    <message>
        <source>See on the device itself what it must be (&quot;ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub&quot;), then confirm it, or give that with --host-key.</source>
        <translation>Sehen Sie am Gerät selbst nach, welcher es sein muss („ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub“), und bestätigen Sie ihn dann, oder geben Sie ihn mit --host-key an.</translation>
    </message>
    <message>
        <source>%1 did not let us in.</source>
        <translation>%1 hat uns nicht eingelassen.</translation>
    </message>
    <message>
        <source>The password was not accepted.</source>
        <translation>Das Passwort wurde nicht angenommen.</translation>
    </message>
    <message>
        <source>None of your keys was accepted, and there was no password.</source>
        <translation>Keiner Ihrer Schlüssel wurde angenommen, und es gab kein Passwort.</translation>
    </message>
    <message>
        <source>None of your keys was accepted, and it takes no passwords.</source>
        <translation>Keiner Ihrer Schlüssel wurde angenommen, und Passwörter nimmt es nicht.</translation>
    </message>
    <message>
        <source>Check the user&apos;s name and the password, or copy your key there with &quot;ssh-copy-id %1&quot;.</source>
        <translation>Prüfen Sie Benutzernamen und Passwort, oder kopieren Sie Ihren Schlüssel mit „ssh-copy-id %1“ dorthin.</translation>
    </message>
    <message>
        <source>The record of an earlier installation on %1 cannot be used.</source>
        <translation>Die Aufzeichnung einer früheren Installation auf %1 ist nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>Look at ~/.local/share/hearth-install/record.json there, and remove the folder if it is of no use.</source>
        <translation>Sehen Sie dort in ~/.local/share/hearth-install/record.json nach, und entfernen Sie den Ordner, wenn er zu nichts gut ist.</translation>
    </message>
    <message>
        <source>The bundle cannot take the place of the package on %1.</source>
        <translation>Das Bündel kann auf %1 nicht an die Stelle des Pakets treten.</translation>
    </message>
    <message>
        <source>hearth-agent is installed there by apt.</source>
        <translation>hearth-agent ist dort durch apt installiert.</translation>
    </message>
    <message>
        <source>Remove it first (--uninstall), or choose a Debian package (--package).</source>
        <translation>Entfernen Sie es zuerst (--uninstall), oder wählen Sie ein Debian-Paket (--package).</translation>
    </message>
    <message>
        <source>The package could not be removed from %1.</source>
        <translation>Das Paket ließ sich von %1 nicht entfernen.</translation>
    </message>
    <message>
        <source>Remove %1/root there.</source>
        <translation>Entfernen Sie dort %1/root.</translation>
    </message>
    <message>
        <source>hearth-agent cannot be installed for %1 on %2.</source>
        <translation>hearth-agent lässt sich für %1 auf %2 nicht installieren.</translation>
    </message>
    <message>
        <source>See what it says, and whether there is space in %1.</source>
        <translation>Sehen Sie nach, was es sagt und ob in %1 Platz ist.</translation>
    </message>
    <message>
        <source>Have its libraries installed there, or log in as somebody who may use sudo.</source>
        <translation>Lassen Sie dort seine Bibliotheken installieren, oder melden Sie sich als jemand an, der sudo benutzen darf.</translation>
    </message>
    <message>
        <source>hearth-agent %1 does not go together with what is installed on %2.</source>
        <translation>hearth-agent %1 verträgt sich nicht mit dem, was auf %2 installiert ist.</translation>
    </message>
    <message>
        <source>apt-get would remove %1.</source>
        <translation>apt-get würde %1 entfernen.</translation>
    </message>
    <message>
        <source>apt-get could not install hearth-agent on %1.</source>
        <translation>apt-get konnte hearth-agent auf %1 nicht installieren.</translation>
    </message>
    <message>
        <source>Repair what it names (&quot;apt-get -f install&quot;, the list of mirrors), then try again.</source>
        <translation>Beheben Sie, was es nennt („apt-get -f install“, die Liste der Spiegel), und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>asking for the list of packages</source>
        <translation>die Liste der Pakete wird geholt</translation>
    </message>
    <message>
        <source>hearth-agent %1 stays on %2: the version before it is not kept there.</source>
        <translation>hearth-agent %1 bleibt auf %2: Die Version davor wird dort nicht aufgehoben.</translation>
    </message>
    <message>
        <source>installing it and what it needs</source>
        <translation>es wird installiert, mit allem, was es braucht</translation>
    </message>
    <message>
        <source>The package hearth-agent is needed on %1.</source>
        <translation>Das Paket hearth-agent wird auf %1 gebraucht.</translation>
    </message>
    <message>
        <source>With it apt-get would remove %1.</source>
        <translation>Mit ihm würde apt-get %1 entfernen.</translation>
    </message>
    <message>
        <source>Remove that there first, if nobody uses it.</source>
        <translation>Entfernen Sie das dort zuerst, wenn niemand es benutzt.</translation>
    </message>
    <message>
        <source>Run &quot;apt-get purge hearth-agent&quot; there.</source>
        <translation>Rufen Sie dort „apt-get purge hearth-agent“ auf.</translation>
    </message>
    <message>
        <source>A step needs the rights of root on %1.</source>
        <translation>Ein Schritt braucht auf %1 die Rechte von root.</translation>
    </message>
    <message>
        <source>%1 is not root there and may not use sudo.</source>
        <translation>%1 ist dort nicht root und darf sudo nicht benutzen.</translation>
    </message>
    <message>
        <source>Log in as root, or as somebody who may use sudo.</source>
        <translation>Melden Sie sich als root an, oder als jemand, der sudo benutzen darf.</translation>
    </message>
    <message>
        <source>The agent&apos;s state could not be removed from %1.</source>
        <translation>Der Zustand des Agenten ließ sich von %1 nicht entfernen.</translation>
    </message>
    <message>
        <source>Remove %1 there.</source>
        <translation>Entfernen Sie dort %1.</translation>
    </message>
    <message>
        <source>%1 still trusts this device.</source>
        <translation>%1 vertraut diesem Gerät noch.</translation>
    </message>
    <message>
        <source>Run &quot;hearth-agent distrust %1 --state %2&quot; there.</source>
        <translation>Rufen Sie dort „hearth-agent distrust %1 --state %2“ auf.</translation>
    </message>
    <message>
        <source>Nothing on %1 was installed by &quot;hearth install&quot;.</source>
        <translation>Auf %1 hat „hearth install“ nichts installiert.</translation>
    </message>
    <message>
        <source>There is no record of it in ~/.local/share/hearth-install.</source>
        <translation>In ~/.local/share/hearth-install steht nichts davon.</translation>
    </message>
    <message>
        <source>Log in as the user who installed it, or run &quot;apt-get purge hearth-agent&quot; there.</source>
        <translation>Melden Sie sich als der Benutzer an, der es installiert hat, oder führen Sie dort „apt-get purge hearth-agent“ aus.</translation>
    </message>
    <message>
        <source>The agent is stopped, and hearth-agent %1 is removed.</source>
        <translation>Der Agent wird beendet und hearth-agent %1 entfernt.</translation>
    </message>
    <message>
        <source>The package hearth-agent %1 was there before and stays.</source>
        <translation>Das Paket hearth-agent %1 war vorher da und bleibt.</translation>
    </message>
    <message>
        <source>Its key, trusted devices and runs in %1 are removed.</source>
        <translation>Sein Schlüssel, seine vertrauten Geräte und seine Läufe in %1 werden entfernt.</translation>
    </message>
    <message>
        <source>%1 was there before and stays.</source>
        <translation>%1 war vorher da und bleibt.</translation>
    </message>
    <message>
        <source>This home does not trust &quot;%1&quot; any more.</source>
        <translation>Dieses Zuhause vertraut „%1“ nicht mehr.</translation>
    </message>
    <message>
        <source>The service hearth-agent did not start on %1.</source>
        <translation>Der Dienst hearth-agent ist auf %1 nicht gestartet.</translation>
    </message>
    <message>
        <source>See &quot;journalctl -u hearth-agent&quot; there.</source>
        <translation>Sehen Sie dort in „journalctl -u hearth-agent“ nach.</translation>
    </message>
    <message>
        <source>The service of %1 could not be set up on %2.</source>
        <translation>Der Dienst von %1 ließ sich auf %2 nicht einrichten.</translation>
    </message>
    <message>
        <source>Remove it there, or make ~/.config/systemd/user writable; then try again.</source>
        <translation>Entfernen Sie ihn dort, oder machen Sie ~/.config/systemd/user beschreibbar; versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>The agent ends when %1 logs out on %2: lingering could not be turned on. Run &quot;sudo loginctl enable-linger %1&quot; there.</source>
        <translation>Der Agent endet, wenn sich %1 auf %2 abmeldet: Das Verweilen ließ sich nicht einschalten. Rufen Sie dort „sudo loginctl enable-linger %1“ auf.</translation>
    </message>
    <message>
        <source>The service of %1 did not start on %2.</source>
        <translation>Der Dienst von %1 ist auf %2 nicht gestartet.</translation>
    </message>
    <message>
        <source>See &quot;journalctl --user -u hearth-agent&quot; there.</source>
        <translation>Sehen Sie dort in „journalctl --user -u hearth-agent“ nach.</translation>
    </message>
    <message>
        <source>The agent on %1 was started, and does not answer.</source>
        <translation>Der Agent auf %1 wurde gestartet und antwortet nicht.</translation>
    </message>
    <message>
        <source>See its log there, in %1 or by journalctl.</source>
        <translation>Sehen Sie dort in sein Protokoll, in %1 oder mit journalctl.</translation>
    </message>
    <message>
        <source>The agent on %1 could not be stopped.</source>
        <translation>Der Agent auf %1 ließ sich nicht beenden.</translation>
    </message>
    <message>
        <source>End it there, then try again.</source>
        <translation>Beenden Sie ihn dort, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>What is installed could not be recorded on %1.</source>
        <translation>Was installiert ist, ließ sich auf %1 nicht aufzeichnen.</translation>
    </message>
    <message>
        <source>Make %1 writable there, or free some space.</source>
        <translation>Machen Sie dort %1 beschreibbar, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>The package could not be copied to %1.</source>
        <translation>Das Paket ließ sich nicht auf %1 kopieren.</translation>
    </message>
    <message>
        <source>The package did not arrive at %1 as it was sent.</source>
        <translation>Das Paket ist auf %1 nicht so angekommen, wie es gesendet wurde.</translation>
    </message>
    <message>
        <source>Its SHA-256 there is another. %1</source>
        <translation>Sein SHA-256 ist dort ein anderer. %1</translation>
    </message>
    <message>
        <source>Try again; if that does not help, check the memory and the disk of the device.</source>
        <translation>Versuchen Sie es noch einmal; hilft das nicht, prüfen Sie Speicher und Laufwerk des Geräts.</translation>
    </message>
    <message>
        <source>The agent on %1 could not make its identity.</source>
        <translation>Der Agent auf %1 konnte sich keine Identität geben.</translation>
    </message>
    <message>
        <source>See what it says, and try again.</source>
        <translation>Sehen Sie, was er sagt, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 could not be told to trust this device.</source>
        <translation>%1 ließ sich nicht sagen, dass es diesem Gerät vertrauen soll.</translation>
    </message>
    <message>
        <source>A command cannot be sent to the device.</source>
        <translation>Ein Befehl lässt sich dem Gerät nicht senden.</translation>
    </message>
    <message>
        <source>One of its words has a zero byte.</source>
        <translation>Eines seiner Wörter enthält ein Null-Byte.</translation>
    </message>
    <message>
        <source>A program on the device printed too much.</source>
        <translation>Ein Programm auf dem Gerät hat zu viel ausgegeben.</translation>
    </message>
    <message>
        <source>It said nothing.</source>
        <translation>Es sagte nichts.</translation>
    </message>
    <message>
        <source>It said: %1</source>
        <translation>Es sagte: %1</translation>
    </message>
    <message>
        <source>A step on %1 took too long.</source>
        <translation>Ein Schritt auf %1 hat zu lange gedauert.</translation>
    </message>
    <message>
        <source>%1 did not end in time.</source>
        <translation>%1 wurde nicht rechtzeitig fertig.</translation>
    </message>
    <message>
        <source>Look at the device, then try again.</source>
        <translation>Sehen Sie nach dem Gerät, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>%1 ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Check the file.</source>
        <translation>Prüfen Sie die Datei.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not say where to log in.</source>
        <translation>„%1“ sagt nicht, wo Sie sich anmelden.</translation>
    </message>
    <message>
        <source>Write USER@HOST or USER@HOST:PORT, for instance anna@nano-1 or pi@192.168.1.7:22.</source>
        <translation>Schreiben Sie NAME@COMPUTER oder NAME@COMPUTER:PORT, etwa anna@nano-1 oder pi@192.168.1.7:22.</translation>
    </message>
    <message>
        <source>The installation was cancelled.</source>
        <translation>Die Installation wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Nothing more is known.</source>
        <translation>Mehr ist nicht bekannt.</translation>
    </message>
    <message>
        <source>%1 did not answer to the login.</source>
        <translation>%1 hat auf die Anmeldung nicht geantwortet.</translation>
    </message>
    <message>
        <source>It took more than %1 s.</source>
        <translation>Es dauerte länger als %1 s.</translation>
    </message>
    <message>
        <source>Look whether it is busy, then try again.</source>
        <translation>Sehen Sie nach, ob es beschäftigt ist, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The connection to %1 broke off %2.</source>
        <translation>Die Verbindung zu %1 brach ab (%2).</translation>
    </message>
    <message>
        <source>Check that the device is on and in the network, then try again.</source>
        <translation>Prüfen Sie, dass das Gerät an und im Netz ist, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 cannot be reached by SSH.</source>
        <translation>%1 ist über SSH nicht zu erreichen.</translation>
    </message>
    <message>
        <source>Check the name, that the device is on and in the network, and that an SSH server runs there (Debian: apt-get install openssh-server).</source>
        <translation>Prüfen Sie den Namen, ob das Gerät an und im Netz ist und ob dort ein SSH-Server läuft (Debian: apt-get install openssh-server).</translation>
    </message>
    <message>
        <source>The list of known hosts cannot be read.</source>
        <translation>Die Liste der bekannten Hosts ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Look at ~/.ssh/known_hosts.</source>
        <translation>Sehen Sie in ~/.ssh/known_hosts nach.</translation>
    </message>
    <message>
        <source>The host key cannot be remembered.</source>
        <translation>Der Host-Schlüssel lässt sich nicht merken.</translation>
    </message>
    <message>
        <source>Make ~/.ssh/known_hosts writable, or free some space.</source>
        <translation>Machen Sie ~/.ssh/known_hosts beschreibbar, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>The key %1 cannot be used.</source>
        <translation>Der Schlüssel %1 lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>There is no such file, or it may not be read.</source>
        <translation>Die Datei gibt es nicht, oder sie darf nicht gelesen werden.</translation>
    </message>
    <message>
        <source>It is no private key, or the passphrase is wrong.</source>
        <translation>Es ist kein privater Schlüssel, oder die Passphrase ist falsch.</translation>
    </message>
    <message>
        <source>Give the private key&apos;s file with --key, not the one that ends in .pub.</source>
        <translation>Geben Sie mit --key die Datei des privaten Schlüssels an, nicht die, die auf .pub endet.</translation>
    </message>
    <message>
        <source>The device did not answer as a shell does.</source>
        <translation>Das Gerät hat nicht wie eine Shell geantwortet.</translation>
    </message>
    <message>
        <source>What it said begins with &quot;%1&quot;.</source>
        <translation>Was es sagte, beginnt mit „%1“.</translation>
    </message>
    <message>
        <source>Check that this user has a shell there, and that its profile prints nothing.</source>
        <translation>Prüfen Sie, dass dieser Benutzer dort eine Shell hat und dass deren Profil nichts ausgibt.</translation>
    </message>
    <message>
        <source>The model &quot;%1&quot; is unknown.</source>
        <translation>Das Modell „%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>Patches of %1×%1 do not cover it.</source>
        <translation>Felder von %1×%1 decken es nicht ab.</translation>
    </message>
    <message>
        <source>Give a multiple of %1.</source>
        <translation>Geben Sie ein Vielfaches von %1 an.</translation>
    </message>
    <message>
        <source>It has %1 ops, at most %2 are allowed.</source>
        <translation>Es hat %1 Operationen, höchstens %2 sind erlaubt.</translation>
    </message>
    <message>
        <source>There are no ops.</source>
        <translation>Es gibt keine Operationen.</translation>
    </message>
    <message>
        <source>Add at least one.</source>
        <translation>Fügen Sie mindestens eine hinzu.</translation>
    </message>
    <message>
        <source>%1 does not fit.</source>
        <translation>%1 passt nicht.</translation>
    </message>
    <message>
        <source>It gets %1 but expects channels×height×width.</source>
        <translation>Es erhält %1, erwartet aber Kanäle×Höhe×Breite.</translation>
    </message>
    <message>
        <source>Move it before the flatten.</source>
        <translation>Verschieben Sie es vor das flatten.</translation>
    </message>
    <message>
        <source>%1 is too large.</source>
        <translation>%1 ist zu groß.</translation>
    </message>
    <message>
        <source>It expands to %1 channels, and no dimension may exceed %2.</source>
        <translation>Es weitet sich auf %1 Kanäle, und keine Dimension darf %2 überschreiten.</translation>
    </message>
    <message>
        <source>Give 1 to %1 ops.</source>
        <translation>Geben Sie 1 bis %1 Operationen an.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no layer name.</source>
        <translation>„%1“ ist kein Name einer Schicht.</translation>
    </message>
    <message>
        <source>Use letters, digits, - and _ (weights are named after it).</source>
        <translation>Verwenden Sie Buchstaben, Ziffern, - und _ (Gewichte heißen danach).</translation>
    </message>
    <message>
        <source>%1: it has no tensor &quot;%2&quot;.</source>
        <translation>%1: Sie hat keinen Tensor „%2“.</translation>
    </message>
    <message>
        <source>An op of this kind has none.</source>
        <translation>Eine Operation dieser Art hat keine.</translation>
    </message>
    <message>
        <source>Correct &quot;tensors&quot;.</source>
        <translation>Berichtigen Sie „tensors“.</translation>
    </message>
    <message>
        <source>It is not the shape of a sample.</source>
        <translation>Das ist nicht die Form eines Beispiels.</translation>
    </message>
    <message>
        <source>Give [channels, height, width], each from 1 to %1.</source>
        <translation>Geben Sie [Kanäle, Höhe, Breite] an, jeweils von 1 bis %1.</translation>
    </message>
    <message>
        <source>%1: the model is too large.</source>
        <translation>%1: Das Modell ist zu groß.</translation>
    </message>
    <message>
        <source>It has more than %1 weights.</source>
        <translation>Es hat mehr als %1 Gewichte.</translation>
    </message>
    <message>
        <source>%1: layer &quot;%2&quot; does not fit as the last one.</source>
        <translation>%1: Die Schicht „%2“ passt nicht als letzte.</translation>
    </message>
    <message>
        <source>Give 1 to %1 layers.</source>
        <translation>Geben Sie 1 bis %1 Schichten an.</translation>
    </message>
    <message>
        <source>%1: the layer name &quot;%2&quot; is there twice.</source>
        <translation>%1: Der Schichtname „%2“ kommt zweimal vor.</translation>
    </message>
    <message>
        <source>Weights are named after their layer.</source>
        <translation>Gewichte heißen nach ihrer Schicht.</translation>
    </message>
    <message>
        <source>Rename %1.</source>
        <translation>Benennen Sie %1 um.</translation>
    </message>
    <message>
        <source>It has %1 characters, 1 to %2 are allowed.</source>
        <translation>Es hat %1 Zeichen, 1 bis %2 sind erlaubt.</translation>
    </message>
    <message>
        <source>Give up to %1 dimensions without the batch, each from 1 to %2.</source>
        <translation>Geben Sie bis zu %1 Dimensionen ohne den Batch an, jeweils von 1 bis %2.</translation>
    </message>
    <message>
        <source>Give 1 to %1 inputs.</source>
        <translation>Geben Sie 1 bis %1 Eingaben an.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an input.</source>
        <translation>„%1“ ist kein Name einer Eingabe.</translation>
    </message>
    <message>
        <source>Use up to %1 letters, digits, and - _ . /.</source>
        <translation>Verwenden Sie bis zu %1 Buchstaben, Ziffern und - _ . /.</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; is taken.</source>
        <translation>Der Name „%1“ ist vergeben.</translation>
    </message>
    <message>
        <source>Each input and each op needs a name of its own.</source>
        <translation>Jede Eingabe und jede Operation braucht einen eigenen Namen.</translation>
    </message>
    <message>
        <source>Name one op: the one that gives the logits.</source>
        <translation>Nennen Sie eine Operation: die, welche die Logits gibt.</translation>
    </message>
    <message>
        <source>No op is called &quot;%1&quot;.</source>
        <translation>Keine Operation heißt „%1“.</translation>
    </message>
    <message>
        <source>There are %1 ops.</source>
        <translation>Es gibt %1 Operationen.</translation>
    </message>
    <message>
        <source>%1: what the network gives cannot be trained.</source>
        <translation>%1: Was das Netz gibt, lässt sich nicht trainieren.</translation>
    </message>
    <message>
        <source>It gives %1; a loss expects real numbers, one for each class in the last dimension.</source>
        <translation>Es gibt %1; ein Verlust erwartet reelle Zahlen, eine für jede Klasse in der letzten Dimension.</translation>
    </message>
    <message>
        <source>a single number</source>
        <translation>eine einzelne Zahl</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>ganze Zahlen</translation>
    </message>
    <message>
        <source>Name the op that gives the logits in &quot;outputs&quot;.</source>
        <translation>Nennen Sie in „outputs“ die Operation, welche die Logits gibt.</translation>
    </message>
    <message>
        <source>It gives %1, and no value may have more than %2 dimensions.</source>
        <translation>Sie gibt %1, und kein Wert darf mehr als %2 Dimensionen haben.</translation>
    </message>
    <message>
        <source>It gives %1, and no dimension may exceed %2.</source>
        <translation>Es gibt %1, und keine Dimension darf %2 überschreiten.</translation>
    </message>
    <message>
        <source>It gives %1, which is more than %2 elements.</source>
        <translation>Sie gibt %1, das sind mehr als %2 Elemente.</translation>
    </message>
    <message>
        <source>Its weights have more than %1 elements, or it takes more than %2 multiply-adds per sample.</source>
        <translation>Ihre Gewichte haben mehr als %1 Elemente, oder sie braucht mehr als %2 Multiplikationen je Beispiel.</translation>
    </message>
    <message>
        <source>whole numbers (ids or a mask)</source>
        <translation>ganze Zahlen (Kennungen oder eine Maske)</translation>
    </message>
    <message>
        <source>real ones</source>
        <translation>reelle</translation>
    </message>
    <message>
        <source>Put an embedding or a cast before it.</source>
        <translation>Setzen Sie ein embedding oder ein cast davor.</translation>
    </message>
    <message>
        <source>It gets %1 but expects %2.</source>
        <translation>Es erhält %1, erwartet aber %2.</translation>
    </message>
    <message>
        <source>channels×height×width</source>
        <translation>Kanäle×Höhe×Breite</translation>
    </message>
    <message>
        <source>Give it an input of the network whose dtype is int64.</source>
        <translation>Geben Sie ihr eine Eingabe des Netzes mit dem dtype int64.</translation>
    </message>
    <message>
        <source>It is no number that fits.</source>
        <translation>Das ist keine passende Zahl.</translation>
    </message>
    <message>
        <source>Give a whole number from %1 to %2.</source>
        <translation>Geben Sie eine ganze Zahl von %1 bis %2 an.</translation>
    </message>
    <message>
        <source>a dimension %1</source>
        <translation>eine Dimension %1</translation>
    </message>
    <message>
        <source>Count dimensions behind the batch: 0 is the first of them, -1 the last.</source>
        <translation>Zählen Sie die Dimensionen hinter dem Batch: 0 ist die erste davon, -1 die letzte.</translation>
    </message>
    <message>
        <source>at least one dimension, each named once</source>
        <translation>mindestens eine Dimension, jede einmal genannt</translation>
    </message>
    <message>
        <source>Correct &quot;%1&quot;.</source>
        <translation>Berichtigen Sie „%1“.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of a tensor.</source>
        <translation>„%1“ ist kein Name eines Tensors.</translation>
    </message>
    <message>
        <source>Use letters, digits, and - _ . / (&quot;layer.op.weight&quot;).</source>
        <translation>Verwenden Sie Buchstaben, Ziffern und - _ . / („layer.op.weight“).</translation>
    </message>
    <message>
        <source>&quot;%1&quot; takes one input.</source>
        <translation>„%1“ nimmt eine Eingabe.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; takes %2 inputs.</source>
        <translation>„%1“ nimmt %2 Eingaben.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; takes two inputs or more.</source>
        <translation>„%1“ nimmt zwei Eingaben oder mehr.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; takes %2 to %3 inputs.</source>
        <translation>„%1“ nimmt %2 bis %3 Eingaben.</translation>
    </message>
    <message>
        <source>Name an input, or an op before this one.</source>
        <translation>Nennen Sie eine Eingabe oder eine Operation vor dieser.</translation>
    </message>
    <message>
        <source>It has more than %1 names.</source>
        <translation>Es hat mehr als %1 Namen.</translation>
    </message>
    <message>
        <source>No op before this one is called &quot;%1&quot;.</source>
        <translation>Keine Operation vor dieser heißt „%1“.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an op.</source>
        <translation>„%1“ ist kein Name einer Operation.</translation>
    </message>
    <message>
        <source>Use up to %1 letters, digits, and - _ . / (weights are named after it).</source>
        <translation>Verwenden Sie bis zu %1 Buchstaben, Ziffern und - _ . / (Gewichte heißen danach).</translation>
    </message>
    <message>
        <source>&quot;input&quot; is what the layer takes; each op needs a name of its own.</source>
        <translation>„input“ ist, was die Schicht erhält; jede Operation braucht einen eigenen Namen.</translation>
    </message>
    <message>
        <source>Name what it takes: [&quot;%1&quot;], or the names of ops before it.</source>
        <translation>Nennen Sie, was sie erhält: [&quot;%1&quot;], oder die Namen von Operationen davor.</translation>
    </message>
    <message>
        <source>%1: nothing takes the input &quot;%2&quot;.</source>
        <translation>%1: Nichts nimmt die Eingabe „%2“.</translation>
    </message>
    <message>
        <source>Leave it out of &quot;inputs&quot;, or name it in the &quot;from&quot; of an op.</source>
        <translation>Lassen Sie sie in „inputs“ weg, oder nennen Sie sie im „from“ einer Operation.</translation>
    </message>
    <message>
        <source>Nothing takes what &quot;%1&quot; gives.</source>
        <translation>Nichts nimmt, was „%1“ gibt.</translation>
    </message>
    <message>
        <source>Name it in the &quot;from&quot; of a later op or in &quot;outputs&quot;, or leave it out.</source>
        <translation>Nennen Sie sie im „from“ einer späteren Operation oder in „outputs“, oder lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Name it in the &quot;from&quot; of a later op, or leave it out. The last op gives what the layer gives.</source>
        <translation>Nennen Sie sie im „from“ einer späteren Operation, oder lassen Sie sie weg. Die letzte Operation gibt, was die Schicht gibt.</translation>
    </message>
    <message>
        <source>It has no bound.</source>
        <translation>Es hat keine Schranke.</translation>
    </message>
    <message>
        <source>Give &quot;min&quot;, &quot;max&quot; or both.</source>
        <translation>Geben Sie „min“, „max“ oder beide an.</translation>
    </message>
    <message>
        <source>It is below &quot;min&quot;.</source>
        <translation>Es liegt unter „min“.</translation>
    </message>
    <message>
        <source>Exchange the two.</source>
        <translation>Vertauschen Sie die beiden.</translation>
    </message>
    <message>
        <source>As many heads of queries must share each head of keys.</source>
        <translation>Jeden Kopf von Schlüsseln müssen gleich viele Köpfe von Anfragen teilen.</translation>
    </message>
    <message>
        <source>query, key and value of tokens×features each</source>
        <translation>query, key und value mit je Tokens×Merkmalen</translation>
    </message>
    <message>
        <source>Reshape what it takes.</source>
        <translation>Formen Sie um, was sie erhält.</translation>
    </message>
    <message>
        <source>features that %1 heads divide</source>
        <translation>Merkmale, die durch %1 Köpfe teilbar sind</translation>
    </message>
    <message>
        <source>Change &quot;heads&quot;.</source>
        <translation>Ändern Sie „heads“.</translation>
    </message>
    <message>
        <source>Change &quot;kv_heads&quot;, or the ops that give keys and values.</source>
        <translation>Ändern Sie „kv_heads“ oder die Operationen, die Schlüssel und Werte geben.</translation>
    </message>
    <message>
        <source>a mask of %1 or of %2×%1</source>
        <translation>eine Maske von %1 oder von %2×%1</translation>
    </message>
    <message>
        <source>Give 1 for each key that may be seen and 0 for the others.</source>
        <translation>Geben Sie 1 für jeden sichtbaren Schlüssel und 0 für die anderen.</translation>
    </message>
    <message>
        <source>It has not two numbers.</source>
        <translation>Es hat nicht zwei Zahlen.</translation>
    </message>
    <message>
        <source>Give one number, or [height, width].</source>
        <translation>Geben Sie eine Zahl oder [Höhe, Breite] an.</translation>
    </message>
    <message>
        <source>channels (in and out) that %1 groups divide</source>
        <translation>Kanäle (ein und aus), die durch %1 Gruppen teilbar sind</translation>
    </message>
    <message>
        <source>Change &quot;groups&quot; or &quot;channels&quot;.</source>
        <translation>Ändern Sie „groups“ oder „channels“.</translation>
    </message>
    <message>
        <source>Its padding differs between the sides, which a transposed convolution cannot have.</source>
        <translation>Ihr Rand ist an den Seiten verschieden; das kann eine transponierte Faltung nicht haben.</translation>
    </message>
    <message>
        <source>Give &quot;padding&quot; as [height, width], and cut the result with slices.</source>
        <translation>Geben Sie „padding“ als [Höhe, Breite] an, und schneiden Sie das Ergebnis mit slice zu.</translation>
    </message>
    <message>
        <source>something that leaves at least one place, and an &quot;output_padding&quot; below stride or dilation</source>
        <translation>etwas, das mindestens einen Platz lässt, und ein „output_padding“ unter Schrittweite oder Dilatation</translation>
    </message>
    <message>
        <source>Use less &quot;padding&quot; or &quot;output_padding&quot;.</source>
        <translation>Nehmen Sie weniger „padding“ oder „output_padding“.</translation>
    </message>
    <message>
        <source>It has more than 7 dimensions.</source>
        <translation>Es hat mehr als 7 Dimensionen.</translation>
    </message>
    <message>
        <source>Join some of them.</source>
        <translation>Fassen Sie einige zusammen.</translation>
    </message>
    <message>
        <source>tokens×features</source>
        <translation>Tokens×Merkmale</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>inputs of one shape</source>
        <translation>Eingaben gleicher Form</translation>
    </message>
    <message>
        <source>Bring one to the shape of the other, for instance by a shortcut with a convolution of kernel 1. Only dimensions of 1 are repeated.</source>
        <translation>Bringen Sie eine auf die Form der anderen, etwa durch eine Abkürzung mit einer Faltung mit Kern 1. Nur Dimensionen von 1 werden wiederholt.</translation>
    </message>
    <message>
        <source>shapes that differ in dimension %1 alone</source>
        <translation>Formen, die sich nur in Dimension %1 unterscheiden</translation>
    </message>
    <message>
        <source>Correct &quot;axis&quot; (0 is the first dimension behind the batch), or what is before.</source>
        <translation>Berichtigen Sie „axis“ (0 ist die erste Dimension hinter dem Batch) oder was davor steht.</translation>
    </message>
    <message>
        <source>matrices …×n×k and …×k×m whose other dimensions are the same or 1</source>
        <translation>Matrizen …×n×k und …×k×m, deren übrige Dimensionen gleich oder 1 sind</translation>
    </message>
    <message>
        <source>Transpose or reshape one of them.</source>
        <translation>Transponieren Sie eine davon, oder formen Sie sie um.</translation>
    </message>
    <message>
        <source>a list of features</source>
        <translation>eine Liste von Merkmalen</translation>
    </message>
    <message>
        <source>channels×height×width, channels×length or a list of features</source>
        <translation>Kanäle×Höhe×Breite, Kanäle×Länge oder eine Liste von Merkmalen</translation>
    </message>
    <message>
        <source>Correct &quot;dims&quot;, or reshape what it takes.</source>
        <translation>Berichtigen Sie „dims“, oder formen Sie um, was sie erhält.</translation>
    </message>
    <message>
        <source>channels that %1 groups divide</source>
        <translation>Kanäle, die durch %1 Gruppen teilbar sind</translation>
    </message>
    <message>
        <source>Change &quot;groups&quot;.</source>
        <translation>Ändern Sie „groups“.</translation>
    </message>
    <message>
        <source>Its padding is more than half of its kernel.</source>
        <translation>Ihr Rand ist mehr als die Hälfte ihres Kerns.</translation>
    </message>
    <message>
        <source>Use a &quot;padding&quot; of at most half a &quot;kernel&quot;.</source>
        <translation>Nehmen Sie ein „padding“ von höchstens einem halben „kernel“.</translation>
    </message>
    <message>
        <source>Its padding differs between the sides, and it has &quot;ceil&quot; or no &quot;count_padding&quot;.</source>
        <translation>Ihr Rand ist an den Seiten verschieden, und sie hat „ceil“ oder kein „count_padding“.</translation>
    </message>
    <message>
        <source>Put a pad before it.</source>
        <translation>Setzen Sie ein pad davor.</translation>
    </message>
    <message>
        <source>Give [height, width].</source>
        <translation>Geben Sie [Höhe, Breite] an.</translation>
    </message>
    <message>
        <source>It has neither &quot;size&quot; nor &quot;scale&quot;, or both.</source>
        <translation>Es hat weder „size“ noch „scale“, oder beide.</translation>
    </message>
    <message>
        <source>Give one of them: a number or [height, width].</source>
        <translation>Geben Sie eines davon an: eine Zahl oder [Höhe, Breite].</translation>
    </message>
    <message>
        <source>It is no scale.</source>
        <translation>Das ist kein Maßstab.</translation>
    </message>
    <message>
        <source>Give a number from 0.001 to 1000, or two of them: [height, width].</source>
        <translation>Geben Sie eine Zahl von 0.001 bis 1000 an, oder zwei davon: [Höhe, Breite].</translation>
    </message>
    <message>
        <source>&quot;align_corners&quot; means nothing in the mode nearest.</source>
        <translation>„align_corners“ bedeutet im Modus nearest nichts.</translation>
    </message>
    <message>
        <source>Leave it out, or use the mode bilinear.</source>
        <translation>Lassen Sie es weg, oder nehmen Sie den Modus bilinear.</translation>
    </message>
    <message>
        <source>an image that leaves at least one place</source>
        <translation>ein Bild, von dem mindestens ein Platz bleibt</translation>
    </message>
    <message>
        <source>Use a larger &quot;scale&quot;.</source>
        <translation>Nehmen Sie ein größeres „scale“.</translation>
    </message>
    <message>
        <source>It is no shape.</source>
        <translation>Das ist keine Form.</translation>
    </message>
    <message>
        <source>Give up to 7 dimensions without the batch, each 1 or more; one may be -1.</source>
        <translation>Geben Sie bis zu 7 Dimensionen ohne den Batch an, jede 1 oder mehr; eine darf -1 sein.</translation>
    </message>
    <message>
        <source>as many elements as &quot;shape&quot; has</source>
        <translation>so viele Elemente, wie „shape“ hat</translation>
    </message>
    <message>
        <source>Correct &quot;shape&quot; (without the batch), or set one of its dimensions to -1.</source>
        <translation>Berichtigen Sie „shape“ (ohne den Batch), oder setzen Sie eine Dimension auf -1.</translation>
    </message>
    <message>
        <source>as many dimensions as &quot;axes&quot; names, each once</source>
        <translation>so viele Dimensionen, wie „axes“ nennt, jede einmal</translation>
    </message>
    <message>
        <source>Name every dimension behind the batch once; the first is 0.</source>
        <translation>Nennen Sie jede Dimension hinter dem Batch einmal; die erste ist 0.</translation>
    </message>
    <message>
        <source>a dimension %1 with elements from &quot;start&quot; to &quot;end&quot;</source>
        <translation>eine Dimension %1 mit Elementen von „start“ bis „end“</translation>
    </message>
    <message>
        <source>Correct &quot;start&quot; and &quot;end&quot;.</source>
        <translation>Berichtigen Sie „start“ und „end“.</translation>
    </message>
    <message>
        <source>a dimension %1 with an element %2</source>
        <translation>eine Dimension %1 mit einem Element %2</translation>
    </message>
    <message>
        <source>Correct &quot;index&quot; (0 is the first, -1 the last).</source>
        <translation>Berichtigen Sie „index“ (0 ist das erste, -1 das letzte).</translation>
    </message>
    <message>
        <source>It is no list of [before, after].</source>
        <translation>Das ist keine Liste von [davor, danach].</translation>
    </message>
    <message>
        <source>Give one pair of whole numbers for each dimension behind the batch.</source>
        <translation>Geben Sie für jede Dimension hinter dem Batch ein Paar ganzer Zahlen an.</translation>
    </message>
    <message>
        <source>Give [before, after] for each dimension behind the batch.</source>
        <translation>Geben Sie [davor, danach] für jede Dimension hinter dem Batch an.</translation>
    </message>
    <message>
        <source>to leave the first dimensions as they are in mode %1</source>
        <translation>dass im Modus %1 die ersten Dimensionen bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>Lay borders around the last dimensions only, or use the mode constant.</source>
        <translation>Legen Sie Ränder nur um die letzten Dimensionen, oder nehmen Sie den Modus constant.</translation>
    </message>
    <message>
        <source>more elements than it reflects</source>
        <translation>mehr Elemente, als sie spiegelt</translation>
    </message>
    <message>
        <source>Use less &quot;padding&quot; or another &quot;mode&quot;.</source>
        <translation>Nehmen Sie weniger „padding“ oder einen anderen „mode“.</translation>
    </message>
    <message>
        <source>Give one number, [height, width], or [top, left, bottom, right].</source>
        <translation>Geben Sie eine Zahl, [Höhe, Breite] oder [oben, links, unten, rechts] an.</translation>
    </message>
    <message>
        <source>a length of at least %1</source>
        <translation>eine Länge von mindestens %1</translation>
    </message>
    <message>
        <source>at least %1 in height and width</source>
        <translation>mindestens %1 in Höhe und Breite</translation>
    </message>
    <message>
        <source>at least %1 in width</source>
        <translation>mindestens %1 in der Breite</translation>
    </message>
    <message>
        <source>Use a smaller kernel, more padding, or fewer strides before it.</source>
        <translation>Nehmen Sie einen kleineren Kern, mehr Rand oder davor weniger Schrittweite.</translation>
    </message>
    <message>
        <source>channels×height×width or channels×length</source>
        <translation>Kanäle×Höhe×Breite oder Kanäle×Länge</translation>
    </message>
    <message>
        <source>Move it before the flatten, or reshape what it takes.</source>
        <translation>Verschieben Sie sie vor das flatten, oder formen Sie um, was sie erhält.</translation>
    </message>
    <message>
        <source>%1 is not a valid safetensors file.</source>
        <translation>%1 ist keine gültige safetensors-Datei.</translation>
    </message>
    <message>
        <source>Save the weights again, or choose another file.</source>
        <translation>Speichern Sie die Gewichte erneut, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>Its header claims %1 bytes.</source>
        <translation>Ihr Kopf beansprucht %1 Bytes.</translation>
    </message>
    <message>
        <source>It is cut short: the header has %1 bytes, the file %2.</source>
        <translation>Sie ist abgeschnitten: Der Kopf hat %1 Bytes, die Datei %2.</translation>
    </message>
    <message>
        <source>It ended while it was read.</source>
        <translation>Sie endete, während sie gelesen wurde.</translation>
    </message>
    <message>
        <source>Tensor &quot;%1&quot;: %2</source>
        <translation>Tensor „%1“: %2</translation>
    </message>
    <message>
        <source>the key &quot;%1&quot; is unknown.</source>
        <translation>der Schlüssel „%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>the element type &quot;%1&quot; is not supported.</source>
        <translation>der Elementtyp „%1“ wird nicht unterstützt.</translation>
    </message>
    <message>
        <source>&quot;shape&quot; is not a list of at most %1 dimensions.</source>
        <translation>„shape“ ist keine Liste von höchstens %1 Dimensionen.</translation>
    </message>
    <message>
        <source>its shape is not made of whole numbers, or is too large.</source>
        <translation>seine Form besteht nicht aus ganzen Zahlen oder ist zu groß.</translation>
    </message>
    <message>
        <source>its offsets do not lie within the %1 bytes of data (is the file cut short?).</source>
        <translation>seine Positionen liegen nicht innerhalb der %1 Bytes Daten (ist die Datei abgeschnitten?).</translation>
    </message>
    <message>
        <source>it has %1 bytes, but its type and shape %2 need %3.</source>
        <translation>er hat %1 Bytes, aber Typ und Form %2 brauchen %3.</translation>
    </message>
    <message>
        <source>Its header does not begin with a brace.</source>
        <translation>Ihr Kopf beginnt nicht mit einer Klammer.</translation>
    </message>
    <message>
        <source>Its header is not a JSON object. %1</source>
        <translation>Ihr Kopf ist kein JSON-Objekt. %1</translation>
    </message>
    <message>
        <source>A tensor name is there twice.</source>
        <translation>Ein Tensorname kommt zweimal vor.</translation>
    </message>
    <message>
        <source>It has %1 tensors, too many.</source>
        <translation>Sie hat %1 Tensoren, zu viele.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an object.</source>
        <translation>„%1“ ist kein Objekt.</translation>
    </message>
    <message>
        <source>A tensor name has more than %1 characters.</source>
        <translation>Ein Tensorname hat mehr als %1 Zeichen.</translation>
    </message>
    <message>
        <source>Tensor &quot;%1&quot; begins at byte %2 of the data instead of %3: there is a hole or an overlap.</source>
        <translation>Der Tensor „%1“ beginnt bei Byte %2 der Daten statt bei %3: Es gibt eine Lücke oder Überlappung.</translation>
    </message>
    <message>
        <source>Its tensors cover %1 bytes of data, but there are %2.</source>
        <translation>Ihre Tensoren umfassen %1 Bytes Daten, es gibt aber %2.</translation>
    </message>
    <message>
        <source>%1 changed while it was in use.</source>
        <translation>%1 hat sich geändert, während es benutzt wurde.</translation>
    </message>
    <message>
        <source>It is not the file that was opened.</source>
        <translation>Es ist nicht die Datei, die geöffnet wurde.</translation>
    </message>
    <message>
        <source>Open the model again.</source>
        <translation>Öffnen Sie das Modell erneut.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is there twice.</source>
        <translation>Der Tensor „%1“ kommt zweimal vor.</translation>
    </message>
    <message>
        <source>It lies in %1 and in %2.</source>
        <translation>Er liegt in %1 und in %2.</translation>
    </message>
    <message>
        <source>Save the weights again.</source>
        <translation>Speichern Sie die Gewichte erneut.</translation>
    </message>
    <message>
        <source>%1: two ops cannot share the tensor &quot;%2&quot;.</source>
        <translation>%1: Zwei Operationen können sich den Tensor „%2“ nicht teilen.</translation>
    </message>
    <message>
        <source>It is %1 in one place and %2 in another.</source>
        <translation>Er ist an einer Stelle %1 und an einer anderen %2.</translation>
    </message>
    <message>
        <source>Give one of them another name, or make both the same size.</source>
        <translation>Geben Sie einem davon einen anderen Namen, oder machen Sie beide gleich groß.</translation>
    </message>
    <message>
        <source>It is frozen in one place and trained in another.</source>
        <translation>Er ist an einer Stelle eingefroren und wird an einer anderen trainiert.</translation>
    </message>
    <message>
        <source>Freeze it in both places or in none.</source>
        <translation>Frieren Sie ihn an beiden Stellen ein oder an keiner.</translation>
    </message>
    <message>
        <source>A normalization changes its statistics in every pass.</source>
        <translation>Eine Normalisierung ändert ihre Statistik bei jedem Durchgang.</translation>
    </message>
    <message>
        <source>Leave its name out, so that each normalization has its own.</source>
        <translation>Lassen Sie seinen Namen weg, sodass jede Normalisierung ihre eigene hat.</translation>
    </message>
    <message>
        <source>More than %1 tensors are shared between ops.</source>
        <translation>Mehr als %1 Tensoren werden zwischen Operationen geteilt.</translation>
    </message>
    <message>
        <source>It is not a pair of border widths.</source>
        <translation>Das ist kein Paar von Randbreiten.</translation>
    </message>
    <message>
        <source>Give [rows, columns], each from 0 to %1.</source>
        <translation>Geben Sie [Zeilen, Spalten] an, jeweils von 0 bis %1.</translation>
    </message>
    <message>
        <source>%1 has no weights for the model &quot;%2&quot;.</source>
        <translation>%1 hat keine Gewichte für das Modell „%2“.</translation>
    </message>
    <message>
        <source>There is &quot;%1&quot; instead.</source>
        <translation>Stattdessen gibt es „%1“.</translation>
    </message>
    <message>
        <source>Choose weights saved from this model (hearth model %1 lists its tensors).</source>
        <translation>Wählen Sie Gewichte, die von diesem Modell gespeichert wurden (hearth model %1 listet seine Tensoren auf).</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is missing.</source>
        <translation>Der Tensor „%1“ fehlt.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is %2, but the model wants %3.</source>
        <translation>Der Tensor „%1“ ist %2, aber das Modell will %3.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; has elements of type %2, which are no floating-point numbers.</source>
        <translation>Der Tensor „%1“ hat Elemente vom Typ %2; das sind keine Gleitkommazahlen.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is not part of the model.</source>
        <translation>Der Tensor „%1“ gehört nicht zum Modell.</translation>
    </message>
    <message>
        <source>New: %1 (%2).</source>
        <translation>Neu: %1 (%2).</translation>
    </message>
    <message>
        <source>Of another shape there: %1 (%2).</source>
        <translation>Dort von anderer Form: %1 (%2).</translation>
    </message>
    <message>
        <source>Of no use here: %1 (%2).</source>
        <translation>Hier ohne Verwendung: %1 (%2).</translation>
    </message>
    <message>
        <source>Choose weights whose names are those of the model (hearth model %1 lists its tensors).</source>
        <translation>Wählen Sie Gewichte, deren Namen die des Modells sind (hearth model %1 listet seine Tensoren auf).</translation>
    </message>
    <message>
        <source>Neither device trusts the other. Start again when you like.</source>
        <translation>Keines der Geräte vertraut dem anderen. Beginnen Sie neu, wann Sie wollen.</translation>
    </message>
    <message>
        <source>The digits did not match.</source>
        <translation>Die Ziffern stimmten nicht überein.</translation>
    </message>
    <message>
        <source>Somebody between the two devices may have answered in place of the other one.</source>
        <translation>Jemand zwischen den beiden Geräten hat vielleicht anstelle des anderen geantwortet.</translation>
    </message>
    <message>
        <source>Nothing was trusted. Try again; if it happens again, use another network.</source>
        <translation>Nichts wurde gekoppelt. Versuchen Sie es noch einmal; geschieht es wieder, nehmen Sie ein anderes Netz.</translation>
    </message>
    <message>
        <source>The pairing was not completed in 60 seconds.</source>
        <translation>Das Koppeln wurde nicht in 60 Sekunden abgeschlossen.</translation>
    </message>
    <message>
        <source>Start again, with both devices at hand.</source>
        <translation>Beginnen Sie neu, mit beiden Geräten vor sich.</translation>
    </message>
    <message>
        <source>Another pairing is under way here.</source>
        <translation>Hier wird schon ein Gerät gekoppelt.</translation>
    </message>
    <message>
        <source>Finish or cancel it first.</source>
        <translation>Schließen Sie das erst ab, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>The list of trusted devices could not be saved.</source>
        <translation>Die Liste der gekoppelten Geräte ließ sich nicht speichern.</translation>
    </message>
    <message>
        <source>The other device does not keep to the rules of pairing.</source>
        <translation>Das andere Gerät hält sich nicht an die Regeln des Koppelns.</translation>
    </message>
    <message>
        <source>The pairing was cancelled on the other device.</source>
        <translation>Das Koppeln wurde auf dem anderen Gerät abgebrochen.</translation>
    </message>
    <message>
        <source>On the other device somebody said that the digits do not match.</source>
        <translation>Auf dem anderen Gerät hat jemand gesagt, dass die Ziffern nicht übereinstimmen.</translation>
    </message>
    <message>
        <source>The other device is busy with another pairing.</source>
        <translation>Das andere Gerät koppelt gerade mit jemand anderem.</translation>
    </message>
    <message>
        <source>Finish or cancel it there, or try again in a minute.</source>
        <translation>Schließen Sie das dort ab, oder versuchen Sie es in einer Minute noch einmal.</translation>
    </message>
    <message>
        <source>The other device takes no pairing now.</source>
        <translation>Das andere Gerät nimmt im Augenblick kein Koppeln an.</translation>
    </message>
    <message>
        <source>Attempts have failed there, and it pauses after each.</source>
        <translation>Dort sind Versuche gescheitert, und nach jedem macht es eine Pause.</translation>
    </message>
    <message>
        <source>Try again in a few minutes.</source>
        <translation>Versuchen Sie es in einigen Minuten noch einmal.</translation>
    </message>
    <message>
        <source>The other device could not save its list of trusted devices.</source>
        <translation>Das andere Gerät konnte seine Liste der gekoppelten Geräte nicht speichern.</translation>
    </message>
    <message>
        <source>Free some space there and try again; nothing was trusted.</source>
        <translation>Schaffen Sie dort Platz und versuchen Sie es noch einmal; nichts wurde gekoppelt.</translation>
    </message>
    <message>
        <source>The other device does not take this pairing.</source>
        <translation>Das andere Gerät nimmt dieses Koppeln nicht an.</translation>
    </message>
    <message>
        <source>It has a paired device of this name with another key.</source>
        <translation>Es hat ein gekoppeltes Gerät dieses Namens mit einem anderen Schlüssel.</translation>
    </message>
    <message>
        <source>The other device could not follow the pairing.</source>
        <translation>Das andere Gerät konnte dem Koppeln nicht folgen.</translation>
    </message>
    <message>
        <source>It runs another version, or somebody interferes.</source>
        <translation>Dort läuft eine andere Version, oder jemand stört.</translation>
    </message>
    <message>
        <source>It is not certain that the other device has stored the pairing.</source>
        <translation>Es ist nicht sicher, dass das andere Gerät das Koppeln gespeichert hat.</translation>
    </message>
    <message>
        <source>The connection broke at the last moment.</source>
        <translation>Die Verbindung brach im letzten Augenblick ab.</translation>
    </message>
    <message>
        <source>Hearth finds out as soon as the two reach each other: then both are paired, or neither.</source>
        <translation>Hearth stellt es fest, sobald die beiden einander erreichen: Dann sind beide gekoppelt oder keines.</translation>
    </message>
    <message>
        <source>The connection broke before the pairing was complete.</source>
        <translation>Die Verbindung brach ab, bevor das Koppeln abgeschlossen war.</translation>
    </message>
    <message>
        <source>The other device stopped answering.</source>
        <translation>Das andere Gerät antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>Look whether a firewall is between the two, and begin from the other device.</source>
        <translation>Prüfen Sie, ob eine Firewall zwischen den beiden steht, und beginnen Sie vom anderen Gerät aus.</translation>
    </message>
    <message>
        <source>Give one of the two another name, then pair them.</source>
        <translation>Geben Sie einem der beiden einen anderen Namen, und koppeln Sie sie dann.</translation>
    </message>
    <message>
        <source>A device that calls itself %1 has another key than the one that was paired.</source>
        <translation>Ein Gerät, das sich %1 nennt, hat einen anderen Schlüssel als das gekoppelte.</translation>
    </message>
    <message>
        <source>It was set up anew, it is another device, or somebody pretends to be it.</source>
        <translation>Es wurde neu eingerichtet, es ist ein anderes Gerät, oder jemand gibt sich dafür aus.</translation>
    </message>
    <message>
        <source>If you set it up anew, forget it and pair it again; another device needs another name.</source>
        <translation>Haben Sie es neu eingerichtet, vergessen Sie es und koppeln Sie es neu; ein anderes Gerät braucht einen anderen Namen.</translation>
    </message>
    <message>
        <source>Its introduction cannot be read.</source>
        <translation>Seine Vorstellung ist nicht lesbar.</translation>
    </message>
    <message>
        <source>It broke off for a reason that is unknown here.</source>
        <translation>Es brach aus einem Grund ab, der hier unbekannt ist.</translation>
    </message>
    <message>
        <source>A message is too long.</source>
        <translation>Eine Nachricht ist zu lang.</translation>
    </message>
    <message>
        <source>A message is not exactly one CBOR map.</source>
        <translation>Eine Nachricht ist nicht genau eine CBOR-Map.</translation>
    </message>
    <message>
        <source>It uses another version of pairing.</source>
        <translation>Es verwendet eine andere Version der Kopplung.</translation>
    </message>
    <message>
        <source>A message is of no known kind, or holds too much or too little.</source>
        <translation>Eine Nachricht ist von unbekannter Art oder enthält zu viel oder zu wenig.</translation>
    </message>
    <message>
        <source>The device that was chosen was not met.</source>
        <translation>Das gewählte Gerät wurde nicht angetroffen.</translation>
    </message>
    <message>
        <source>At %1 another one answers than the one that was announced.</source>
        <translation>Unter %1 antwortet ein anderes als das angekündigte.</translation>
    </message>
    <message>
        <source>Look at the list of devices nearby again, or pair by an address.</source>
        <translation>Sehen Sie noch einmal in die Liste der Geräte in der Nähe, oder koppeln Sie über eine Adresse.</translation>
    </message>
    <message>
        <source>This address leads to this very device.</source>
        <translation>Diese Adresse führt zu diesem Gerät selbst.</translation>
    </message>
    <message>
        <source>Give the address of another one.</source>
        <translation>Geben Sie die eines anderen an.</translation>
    </message>
    <message>
        <source>It may have ended meanwhile.</source>
        <translation>Vielleicht ist es inzwischen zu Ende.</translation>
    </message>
    <message>
        <source>There is no address to pair with.</source>
        <translation>Es gibt keine Adresse zum Koppeln.</translation>
    </message>
    <message>
        <source>Give one to %1 addresses.</source>
        <translation>Geben Sie eine bis %1 Adressen an.</translation>
    </message>
    <message>
        <source>Pairing pauses for %1 s.</source>
        <translation>Das Koppeln macht %1 s Pause.</translation>
    </message>
    <message>
        <source>Wait, and then compare the digits with care.</source>
        <translation>Warten Sie, und vergleichen Sie die Ziffern dann mit Sorgfalt.</translation>
    </message>
    <message>
        <source>No device waits to be paired.</source>
        <translation>Kein Gerät wartet darauf, gekoppelt zu werden.</translation>
    </message>
    <message>
        <source>Another device than the one that was shown waits to be paired now.</source>
        <translation>Ein anderes Gerät als das angezeigte wartet jetzt darauf, gekoppelt zu werden.</translation>
    </message>
    <message>
        <source>The one that was shown has gone.</source>
        <translation>Das angezeigte ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Look at who it is, and accept it if it is yours.</source>
        <translation>Sehen Sie nach, wer es ist, und nehmen Sie es an, wenn es Ihres ist.</translation>
    </message>
    <message>
        <source>There are no digits to confirm.</source>
        <translation>Es gibt keine Ziffern zu bestätigen.</translation>
    </message>
    <message>
        <source>Other digits than those that were shown are to be compared now.</source>
        <translation>Jetzt sind andere Ziffern zu vergleichen als die angezeigten.</translation>
    </message>
    <message>
        <source>The attempt to which they belonged has ended.</source>
        <translation>Der Versuch, zu dem sie gehörten, ist zu Ende.</translation>
    </message>
    <message>
        <source>Compare the digits that are shown now.</source>
        <translation>Vergleichen Sie die Ziffern, die jetzt angezeigt werden.</translation>
    </message>
    <message>
        <source>There is no pairing to cancel.</source>
        <translation>Es gibt keine Kopplung, die sich abbrechen ließe.</translation>
    </message>
    <message>
        <source>It is too late to cancel the pairing.</source>
        <translation>Es ist zu spät, die Kopplung abzubrechen.</translation>
    </message>
    <message>
        <source>Both devices have confirmed the digits.</source>
        <translation>Beide Geräte haben die Ziffern bestätigt.</translation>
    </message>
    <message>
        <source>Forget the device if you have changed your mind.</source>
        <translation>Vergessen Sie das Gerät, wenn Sie es sich anders überlegt haben.</translation>
    </message>
    <message>
        <source>It introduced itself out of turn.</source>
        <translation>Es hat sich zur falschen Zeit vorgestellt.</translation>
    </message>
    <message>
        <source>It sent a number out of turn.</source>
        <translation>Es hat zur falschen Zeit eine Zahl geschickt.</translation>
    </message>
    <message>
        <source>It revealed a number out of turn.</source>
        <translation>Es hat zur falschen Zeit eine Zahl aufgedeckt.</translation>
    </message>
    <message>
        <source>It revealed another number than the one it had committed to.</source>
        <translation>Es hat eine andere Zahl aufgedeckt als die, auf die es sich festgelegt hatte.</translation>
    </message>
    <message>
        <source>It confirmed out of turn.</source>
        <translation>Es hat zur falschen Zeit bestätigt.</translation>
    </message>
    <message>
        <source>It stored out of turn.</source>
        <translation>Es hat zur falschen Zeit gespeichert.</translation>
    </message>
    <message>
        <source>Stage %1 would have no layers.</source>
        <translation>Stufe %1 hätte keine Schichten.</translation>
    </message>
    <message>
        <source>It begins at %1.</source>
        <translation>Sie beginnt bei %1.</translation>
    </message>
    <message>
        <source>Merge it with stage %1 to give all of them away.</source>
        <translation>Um alle abzugeben, Stufe %1 damit vereinen.</translation>
    </message>
    <message>
        <source>It ends with %1.</source>
        <translation>Sie endet mit %1.</translation>
    </message>
    <message>
        <source>There is no place %1 for a stage.</source>
        <translation>Es gibt keinen Platz %1 für eine Stufe.</translation>
    </message>
    <message>
        <source>Choose a place between two of them, or at an end.</source>
        <translation>Einen Platz zwischen zweien oder an einem Ende wählen.</translation>
    </message>
    <message>
        <source>Stage %1 would have no devices.</source>
        <translation>Stufe %1 hätte keine Geräte.</translation>
    </message>
    <message>
        <source>A plan of several pipelines side by side cannot be changed by hand.</source>
        <translation>Ein Plan mit mehreren Pipelines nebeneinander kann nicht von Hand geändert werden.</translation>
    </message>
    <message>
        <source>Load a plan of stages.</source>
        <translation>Einen Plan aus Stufen laden.</translation>
    </message>
    <message>
        <source>There is no stage %1.</source>
        <translation>Es gibt keine Stufe %1.</translation>
    </message>
    <message>
        <source>Choose one of them.</source>
        <translation>Wählen Sie eine davon.</translation>
    </message>
    <message>
        <source>There is no device &quot;%1&quot;.</source>
        <translation>Es gibt kein Gerät „%1“.</translation>
    </message>
    <message>
        <source>The plan&apos;s problem does not know it.</source>
        <translation>Das Problem des Plans kennt es nicht.</translation>
    </message>
    <message>
        <source>%1 is the only one there.</source>
        <translation>%1 ist dort das einzige.</translation>
    </message>
    <message>
        <source>Give it another device first, or merge it with its neighbor.</source>
        <translation>Ihr zuerst ein anderes Gerät geben oder sie mit ihrer Nachbarin vereinen.</translation>
    </message>
    <message>
        <source>The locked shares of stage %1 leave too few or too many samples.</source>
        <translation>Die festgehaltenen Anteile der Stufe %1 lassen zu wenige oder zu viele Beispiele übrig.</translation>
    </message>
    <message>
        <source>Unlock a share first.</source>
        <translation>Zuerst einen Anteil freigeben.</translation>
    </message>
    <message>
        <source>The locked share of %1 is too small.</source>
        <translation>Der festgehaltene Anteil von %1 ist zu klein.</translation>
    </message>
    <message>
        <source>%1 needs at least %2 samples per device.</source>
        <translation>%1 braucht je Gerät mindestens %2 Beispiele.</translation>
    </message>
    <message>
        <source>Unlock it first.</source>
        <translation>Zuerst freigeben.</translation>
    </message>
    <message>
        <source>Stage %1 has more devices than samples.</source>
        <translation>Stufe %1 hat mehr Geräte als Beispiele.</translation>
    </message>
    <message>
        <source>Send a device to another stage or to rest, or make the micro-batch larger.</source>
        <translation>Ein Gerät zu einer anderen Stufe schicken oder ruhen lassen, oder den Micro-Batch vergrößern.</translation>
    </message>
    <message>
        <source>%1 would need %2 and has %3.</source>
        <translation>%1 bräuchte %2 und hat %3.</translation>
    </message>
    <message>
        <source>For its part of %1 to %2 (stage %3) it needs %4 bytes; it may use %5 bytes.</source>
        <translation>Für seinen Teil von %1 bis %2 (Stufe %3) braucht es %4 Byte; %5 Byte darf es nutzen.</translation>
    </message>
    <message>
        <source>Send it to rest, or give fewer samples.</source>
        <translation>Es ruhen lassen oder weniger Beispiele abgeben.</translation>
    </message>
    <message>
        <source>%1 would have no samples.</source>
        <translation>%1 hätte keine Beispiele.</translation>
    </message>
    <message>
        <source>Every device of a stage takes part in each micro-batch.</source>
        <translation>Jedes Gerät einer Stufe nimmt an jedem Micro-Batch teil.</translation>
    </message>
    <message>
        <source>%1 would have %2.</source>
        <translation>%1 hätte %2.</translation>
    </message>
    <message>
        <source>%1 cannot have a share there.</source>
        <translation>%1 kann dort keinen Anteil haben.</translation>
    </message>
    <message>
        <source>It is not in stage %1, or is named twice.</source>
        <translation>Es ist nicht in Stufe %1 oder wird zweimal genannt.</translation>
    </message>
    <message>
        <source>Name every device of the stage once.</source>
        <translation>Nennen Sie jedes Gerät der Stufe einmal.</translation>
    </message>
    <message>
        <source>%1 has no share.</source>
        <translation>%1 hat keinen Anteil.</translation>
    </message>
    <message>
        <source>It is not named.</source>
        <translation>Es wird nicht genannt.</translation>
    </message>
    <message>
        <source>A micro-batch has %1.</source>
        <translation>Ein Micro-Batch hat %1.</translation>
    </message>
    <message>
        <source>Give the difference to one of the devices.</source>
        <translation>Einem der Geräte den Unterschied geben.</translation>
    </message>
    <message>
        <source>Stage %1 cannot hold %2 micro-batches in flight.</source>
        <translation>Stufe %1 kann nicht %2 Micro-Batches zugleich halten.</translation>
    </message>
    <message>
        <source>Choose 1 to %1.</source>
        <translation>Wählen Sie 1 bis %1.</translation>
    </message>
    <message>
        <source>The job fixes them at %1.</source>
        <translation>Der Auftrag legt sie auf %1 fest.</translation>
    </message>
    <message>
        <source>The batch of %1 must be a multiple.</source>
        <translation>Der Batch von %1 muss ein Vielfaches sein.</translation>
    </message>
    <message>
        <source>Change the job.</source>
        <translation>Ändern Sie den Auftrag.</translation>
    </message>
    <message>
        <source>Choose a divisor of it.</source>
        <translation>Wählen Sie einen Teiler davon.</translation>
    </message>
    <message>
        <source>No plan that keeps what is locked fits these devices and links.</source>
        <translation>Kein Plan, der das Festgehaltene behält, passt auf diese Geräte und Verbindungen.</translation>
    </message>
    <message>
        <source>The plan as it is does not fit either.</source>
        <translation>Auch der Plan, wie er ist, passt nicht.</translation>
    </message>
    <message>
        <source>Unlock something, or send less to the device that is too small.</source>
        <translation>Etwas freigeben oder dem zu kleinen Gerät weniger geben.</translation>
    </message>
    <message>
        <source>It would have %1.</source>
        <translation>Er hätte %1.</translation>
    </message>
    <message>
        <source>The border before %1 is locked.</source>
        <translation>Die Grenze vor %1 ist festgehalten.</translation>
    </message>
    <message>
        <source>No stage would begin there.</source>
        <translation>Dort würde keine Stufe beginnen.</translation>
    </message>
    <message>
        <source>The stage of %1 to %2 is locked.</source>
        <translation>Die Stufe von %1 bis %2 ist festgehalten.</translation>
    </message>
    <message>
        <source>Its layers would change.</source>
        <translation>Ihre Schichten würden sich ändern.</translation>
    </message>
    <message>
        <source>Its devices would change.</source>
        <translation>Ihre Geräte würden sich ändern.</translation>
    </message>
    <message>
        <source>%1 is locked where it is.</source>
        <translation>%1 ist an seinem Platz festgehalten.</translation>
    </message>
    <message>
        <source>It rests, and would get to work.</source>
        <translation>Es ruht und bekäme Arbeit.</translation>
    </message>
    <message>
        <source>It would change to another stage.</source>
        <translation>Es käme in eine andere Stufe.</translation>
    </message>
    <message>
        <source>The share of %1 is locked.</source>
        <translation>Der Anteil von %1 ist festgehalten.</translation>
    </message>
    <message>
        <source>It would be sent to rest.</source>
        <translation>Es würde ruhen.</translation>
    </message>
    <message>
        <source>The plan cannot run over these links.</source>
        <translation>Der Plan kann über diese Verbindungen nicht laufen.</translation>
    </message>
    <message>
        <source>%1 cannot reach %2.</source>
        <translation>%1 kann %2 nicht erreichen.</translation>
    </message>
    <message>
        <source>Put them where they need not talk, or correct &quot;links&quot;.</source>
        <translation>Setzen Sie sie so ein, dass sie nicht miteinander reden müssen, oder berichtigen Sie „links“.</translation>
    </message>
    <message>
        <source>A worker tells nonsense about what it holds.</source>
        <translation>Ein Worker macht unsinnige Angaben darüber, was er hält.</translation>
    </message>
    <message>
        <source>Its list of states is too long or has impossible layers.</source>
        <translation>Seine Liste von Zuständen ist zu lang oder hat unmögliche Schichten.</translation>
    </message>
    <message>
        <source>A profile has at most %1 bytes.</source>
        <translation>Ein Profil hat höchstens %1 Bytes.</translation>
    </message>
    <message>
        <source>%1, line %2, cannot be read.</source>
        <translation>%1, Zeile %2, ist nicht lesbar.</translation>
    </message>
    <message>
        <source>There are more than %1 nodes.</source>
        <translation>Es gibt mehr als %1 Knoten.</translation>
    </message>
    <message>
        <source>It is neither a node nor an edge.</source>
        <translation>Es ist weder ein Knoten noch eine Kante.</translation>
    </message>
    <message>
        <source>Write &quot;id -- description -- forward_compute_time=…&quot;, and edges behind a tab.</source>
        <translation>Schreiben Sie „id -- description -- forward_compute_time=…“ und Kanten hinter einen Tabulator.</translation>
    </message>
    <message>
        <source>The id is too long.</source>
        <translation>Die Kennung ist zu lang.</translation>
    </message>
    <message>
        <source>The id %1 is already that of line %2.</source>
        <translation>Die Kennung %1 hat schon Zeile %2.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not expected here.</source>
        <translation>„%1“ wird hier nicht erwartet.</translation>
    </message>
    <message>
        <source>There is no %1.</source>
        <translation>Es gibt kein %1.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no finite number from 0 on.</source>
        <translation>„%1“ ist keine endliche Zahl ab 0.</translation>
    </message>
    <message>
        <source>An indented line must be an edge.</source>
        <translation>Eine eingerückte Zeile muss eine Kante sein.</translation>
    </message>
    <message>
        <source>Write &quot;id1 -- id2&quot; behind a tab.</source>
        <translation>Schreiben Sie „id1 -- id2“ hinter einen Tabulator.</translation>
    </message>
    <message>
        <source>There are more than %1 edges.</source>
        <translation>Es gibt mehr als %1 Kanten.</translation>
    </message>
    <message>
        <source>There is no node &quot;%1&quot;.</source>
        <translation>Es gibt keinen Knoten „%1“.</translation>
    </message>
    <message>
        <source>%1 has a cycle.</source>
        <translation>%1 hat einen Kreis.</translation>
    </message>
    <message>
        <source>The node %1 of line %2 is on it or waits for it.</source>
        <translation>Der Knoten %1 aus Zeile %2 liegt darauf oder wartet darauf.</translation>
    </message>
    <message>
        <source>Edges must lead from a node to those that take its output.</source>
        <translation>Kanten müssen von einem Knoten zu denen führen, die seine Ausgabe nehmen.</translation>
    </message>
    <message>
        <source>%1 has no layers.</source>
        <translation>%1 hat keine Schichten.</translation>
    </message>
    <message>
        <source>There are no nodes, or only inputs.</source>
        <translation>Es gibt keine Knoten oder nur Eingaben.</translation>
    </message>
    <message>
        <source>Choose a graph.txt that PipeDream&apos;s profiler wrote.</source>
        <translation>Wählen Sie eine graph.txt, die der Profiler von PipeDream geschrieben hat.</translation>
    </message>
    <message>
        <source>%1: the layer &quot;%2&quot; is too large.</source>
        <translation>%1: Die Schicht „%2“ ist zu groß.</translation>
    </message>
    <message>
        <source>A layer has at most %1 bytes.</source>
        <translation>Eine Schicht hat höchstens %1 Bytes.</translation>
    </message>
    <message>
        <source>The profile cannot be put on these devices.</source>
        <translation>Das Profil lässt sich nicht auf diese Geräte legen.</translation>
    </message>
    <message>
        <source>The profiled batch must lie in 1 to %1 samples.</source>
        <translation>Der gemessene Batch muss zwischen 1 und %1 Beispielen liegen.</translation>
    </message>
    <message>
        <source>The fixed part must lie in 0 to %1 samples.</source>
        <translation>Der feste Teil muss zwischen 0 und %1 Beispielen liegen.</translation>
    </message>
    <message>
        <source>The batch must lie in 1 to %1 samples.</source>
        <translation>Der Batch muss zwischen 1 und %1 Beispielen liegen.</translation>
    </message>
    <message>
        <source>%1 has no speed above 0.</source>
        <translation>%1 hat keine Geschwindigkeit über 0.</translation>
    </message>
    <message>
        <source>There is no environment &quot;%1&quot;.</source>
        <translation>Es gibt keine Umgebung „%1“.</translation>
    </message>
    <message>
        <source>The links of an environment need a rate.</source>
        <translation>Die Verbindungen einer Umgebung brauchen eine Rate.</translation>
    </message>
    <message>
        <source>%1 Mbit/s is none.</source>
        <translation>%1 Mbit/s ist keine.</translation>
    </message>
    <message>
        <source>Give more than 0 and at most %1.</source>
        <translation>Geben Sie mehr als 0 und höchstens %1 an.</translation>
    </message>
    <message>
        <source>There is no kind of device &quot;%1&quot;.</source>
        <translation>Es gibt keine Geräteart „%1“.</translation>
    </message>
    <message>
        <source>The stage has no device.</source>
        <translation>Die Stufe hat kein Gerät.</translation>
    </message>
    <message>
        <source>%1 has %2 samples.</source>
        <translation>%1 hat %2 Beispiele.</translation>
    </message>
    <message>
        <source>Leave a device out that has nothing to do.</source>
        <translation>Lassen Sie ein Gerät weg, das nichts zu tun hat.</translation>
    </message>
    <message>
        <source>%1 is used twice.</source>
        <translation>%1 wird zweimal verwendet.</translation>
    </message>
    <message>
        <source>The devices do not ascend by id.</source>
        <translation>Die Geräte sind nicht aufsteigend nach Kennung geordnet.</translation>
    </message>
    <message>
        <source>It is [%1, %2]; the stage must begin at layer %3 and hold one or more.</source>
        <translation>Es ist [%1, %2]; die Stufe muss bei Schicht %3 beginnen und mindestens eine enthalten.</translation>
    </message>
    <message>
        <source>It must be 1 or more.</source>
        <translation>Es muss 1 oder mehr sein.</translation>
    </message>
    <message>
        <source>No cut follows the last stage.</source>
        <translation>Auf die letzte Stufe folgt kein Schnitt.</translation>
    </message>
    <message>
        <source>%1 does not divide the batch of %2.</source>
        <translation>%1 teilt den Batch von %2 nicht.</translation>
    </message>
    <message>
        <source>A plan has stages or pipelines, not both.</source>
        <translation>Ein Plan hat Stufen oder Pipelines, nicht beides.</translation>
    </message>
    <message>
        <source>The plan was made for another model than %1.</source>
        <translation>Der Plan wurde für ein anderes Modell als %1 gemacht.</translation>
    </message>
    <message>
        <source>It is %1; the problem&apos;s is %2.</source>
        <translation>Es ist %1; im Problem ist es %2.</translation>
    </message>
    <message>
        <source>It is %1; the problem fixes it at %2.</source>
        <translation>Es ist %1; das Problem legt es auf %2 fest.</translation>
    </message>
    <message>
        <source>It must be two layer indexes.</source>
        <translation>Es müssen zwei Schichtnummern sein.</translation>
    </message>
    <message>
        <source>Write [first, last], the last one not included.</source>
        <translation>Schreiben Sie [erste, letzte], die letzte nicht eingeschlossen.</translation>
    </message>
    <message>
        <source>There are too many devices.</source>
        <translation>Es sind zu viele Geräte.</translation>
    </message>
    <message>
        <source>It must be a whole number of samples.</source>
        <translation>Es muss eine ganze Zahl von Beispielen sein.</translation>
    </message>
    <message>
        <source>There are too many.</source>
        <translation>Es sind zu viele.</translation>
    </message>
    <message>
        <source>There is no planner &quot;%1&quot;.</source>
        <translation>Es gibt keinen Planer „%1“.</translation>
    </message>
    <message>
        <source>The batch cannot be shared evenly by all devices.</source>
        <translation>Der Batch lässt sich nicht gleichmäßig auf alle Geräte verteilen.</translation>
    </message>
    <message>
        <source>No chain of the devices in their order can run over these links.</source>
        <translation>Keine Kette der Geräte in ihrer Reihenfolge kann über diese Verbindungen laufen.</translation>
    </message>
    <message>
        <source>List the devices in another order, or choose another planner.</source>
        <translation>Ordnen Sie die Geräte anders, oder wählen Sie einen anderen Planer.</translation>
    </message>
    <message>
        <source>No micro-batch can be shared as this planner does it.</source>
        <translation>Kein Micro-Batch lässt sich so teilen, wie dieser Planer es tut.</translation>
    </message>
    <message>
        <source>Give a larger batch or micro-batch, or choose another planner.</source>
        <translation>Geben Sie einen größeren Batch oder Micro-Batch an, oder wählen Sie einen anderen Planer.</translation>
    </message>
    <message>
        <source>No micro-batch is large enough.</source>
        <translation>Kein Micro-Batch ist groß genug.</translation>
    </message>
    <message>
        <source>A layer trains on %1 samples or more; micro-batches have at most %2.</source>
        <translation>Eine Schicht trainiert mit mindestens %1 Beispielen; Micro-Batches haben höchstens %2.</translation>
    </message>
    <message>
        <source>Choose a larger batch.</source>
        <translation>Wählen Sie einen größeren Batch.</translation>
    </message>
    <message>
        <source>Add a device or memory, or choose a smaller batch or model.</source>
        <translation>Fügen Sie ein Gerät oder Speicher hinzu, oder wählen Sie einen kleineren Batch oder ein kleineres Modell.</translation>
    </message>
    <message>
        <source>No plan fits the memory of these devices.</source>
        <translation>Kein Plan passt in den Speicher dieser Geräte.</translation>
    </message>
    <message>
        <source>One layer alone needs %1 (%2 bytes); the largest device has %3 (%4 bytes) for it.</source>
        <translation>Eine Schicht allein braucht %1 (%2 Bytes); das größte Gerät hat dafür %3 (%4 Bytes).</translation>
    </message>
    <message>
        <source>The search was stopped before it found a plan.</source>
        <translation>Die Suche wurde beendet, bevor sie einen Plan fand.</translation>
    </message>
    <message>
        <source>No device fits the model alone, and no group by sharing samples.</source>
        <translation>Kein Gerät fasst das Modell allein, und keine Gruppe, die sich die Beispiele teilt.</translation>
    </message>
    <message>
        <source>Give it more time or steps, or add memory.</source>
        <translation>Geben Sie ihr mehr Zeit oder Schritte, oder fügen Sie Speicher hinzu.</translation>
    </message>
    <message>
        <source>No plan fits these devices and links.</source>
        <translation>Kein Plan passt zu diesen Geräten und Verbindungen.</translation>
    </message>
    <message>
        <source>With one sample under way the layers need %1 (%2 bytes) in all; the devices have %3 (%4 bytes) for them.</source>
        <translation>Mit einem Beispiel unterwegs brauchen die Schichten zusammen %1 (%2 Bytes); die Geräte haben dafür %3 (%4 Bytes).</translation>
    </message>
    <message>
        <source>Bytes must be whole numbers.</source>
        <translation>Bytes müssen ganze Zahlen sein.</translation>
    </message>
    <message>
        <source>Give a divisor, or null to let the planner choose.</source>
        <translation>Geben Sie einen Teiler an, oder null, damit der Planer wählt.</translation>
    </message>
    <message>
        <source>It must lie in 0 to 100.</source>
        <translation>Es muss zwischen 0 und 100 liegen.</translation>
    </message>
    <message>
        <source>It must lie in 0 to %1.</source>
        <translation>Es muss zwischen 0 und %1 liegen.</translation>
    </message>
    <message>
        <source>There are none, or too many.</source>
        <translation>Es gibt keine oder zu viele.</translation>
    </message>
    <message>
        <source>%1 is listed twice.</source>
        <translation>%1 ist zweimal aufgeführt.</translation>
    </message>
    <message>
        <source>Bytes must not be negative.</source>
        <translation>Bytes dürfen nicht negativ sein.</translation>
    </message>
    <message>
        <source>Every device needs its times.</source>
        <translation>Jedes Gerät braucht seine Zeiten.</translation>
    </message>
    <message>
        <source>A layer was not measured.</source>
        <translation>Eine Schicht wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>It is empty or listed twice.</source>
        <translation>Es ist leer oder zweimal aufgeführt.</translation>
    </message>
    <message>
        <source>There is no medium &quot;%1&quot;.</source>
        <translation>Es gibt kein Medium „%1“.</translation>
    </message>
    <message>
        <source>The pair %1&gt;%2 is listed twice or is one device.</source>
        <translation>Das Paar %1&gt;%2 ist zweimal aufgeführt oder ein und dasselbe Gerät.</translation>
    </message>
    <message>
        <source>No device that could stand for this one measured the layer.</source>
        <translation>Kein Gerät, das für dieses stehen könnte, hat die Schicht gemessen.</translation>
    </message>
    <message>
        <source>Profile the device again.</source>
        <translation>Messen Sie das Gerät erneut.</translation>
    </message>
    <message>
        <source>The device %1 has no times.</source>
        <translation>Das Gerät %1 hat keine Zeiten.</translation>
    </message>
    <message>
        <source>Profile it, or leave it out of &quot;devices&quot;.</source>
        <translation>Messen Sie es, oder lassen Sie es aus „devices“ weg.</translation>
    </message>
    <message>
        <source>It must be an object.</source>
        <translation>Es muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>The devices could not be put together.</source>
        <translation>Die Geräte ließen sich nicht zusammenstellen.</translation>
    </message>
    <message>
        <source>The profile of device %1 is of another model.</source>
        <translation>Das Profil des Geräts %1 gehört zu einem anderen Modell.</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Nobody has the state of %1.</source>
        <translation>Niemand hat den Zustand von %1.</translation>
    </message>
    <message>
        <source>All devices that computed these layers, or held a copy, are lost.</source>
        <translation>Alle Geräte, die diese Schichten rechneten oder eine Kopie hielten, sind verloren.</translation>
    </message>
    <message>
        <source>Bring one of them back, or go on from the last checkpoint on disk; copies on more devices would survive this.</source>
        <translation>Bringen Sie eines davon zurück, oder machen Sie vom letzten Checkpoint auf der Platte weiter; Kopien auf mehr Geräten würden dies überstehen.</translation>
    </message>
    <message>
        <source>%1 cannot get %2.</source>
        <translation>%1 kann %2 nicht bekommen.</translation>
    </message>
    <message>
        <source>No device that has it can reach %1.</source>
        <translation>Kein Gerät, das es hat, kann %1 erreichen.</translation>
    </message>
    <message>
        <source>Repair the link, or plan without that device.</source>
        <translation>Reparieren Sie die Verbindung, oder planen Sie ohne dieses Gerät.</translation>
    </message>
    <message>
        <source>A plan of several pipelines side by side cannot be replayed.</source>
        <translation>Ein Plan mit mehreren Pipelines nebeneinander lässt sich nicht wiederholen.</translation>
    </message>
    <message>
        <source>Run a plan of stages.</source>
        <translation>Verwenden Sie einen Plan mit Stufen.</translation>
    </message>
    <message>
        <source>There is no device &quot;%1&quot; to lose.</source>
        <translation>Es gibt kein Gerät „%1“, das verloren gehen könnte.</translation>
    </message>
    <message>
        <source>Training cannot go on without %1.</source>
        <translation>Ohne %1 kann das Training nicht weitergehen.</translation>
    </message>
    <message>
        <source>It holds the training data, and it is lost.</source>
        <translation>Es hält die Trainingsdaten, und es ist verloren.</translation>
    </message>
    <message>
        <source>Bring it back, or start again where the data are.</source>
        <translation>Holen Sie es zurück, oder starten Sie dort neu, wo die Daten liegen.</translation>
    </message>
    <message>
        <source>A group has too few devices for its layers.</source>
        <translation>Eine Gruppe hat zu wenige Geräte für ihre Schichten.</translation>
    </message>
    <message>
        <source>%1 would need %2 (%3 bytes) and has %4 (%5 bytes).</source>
        <translation>%1 bräuchte %2 (%3 Bytes) und hat %4 (%5 Bytes).</translation>
    </message>
    <message>
        <source>Moving borders alone does not make the layers fit the devices that are left.</source>
        <translation>Grenzen zu verschieben reicht nicht, damit die Schichten auf die übrigen Geräte passen.</translation>
    </message>
    <message>
        <source>Plan anew for all devices that are left.</source>
        <translation>Planen Sie neu für alle übrigen Geräte.</translation>
    </message>
    <message>
        <source>%1 cannot get its layers.</source>
        <translation>%1 kann seine Schichten nicht bekommen.</translation>
    </message>
    <message>
        <source>%1 cannot reach it.</source>
        <translation>%1 kann es nicht erreichen.</translation>
    </message>
    <message>
        <source>No device of the plan is left.</source>
        <translation>Kein Gerät des Plans ist übrig.</translation>
    </message>
    <message>
        <source>All that computed are lost.</source>
        <translation>Alle, die gerechnet haben, sind verloren.</translation>
    </message>
    <message>
        <source>Plan anew for the devices at rest, or bring one back.</source>
        <translation>Planen Sie neu für die ruhenden Geräte, oder bringen Sie eines zurück.</translation>
    </message>
    <message>
        <source>No device is left.</source>
        <translation>Es ist kein Gerät mehr da.</translation>
    </message>
    <message>
        <source>All are lost.</source>
        <translation>Alle sind verloren.</translation>
    </message>
    <message>
        <source>Bring one back.</source>
        <translation>Holen Sie eines zurück.</translation>
    </message>
    <message>
        <source>Nothing can be gathered at %1.</source>
        <translation>Bei %1 lässt sich nichts sammeln.</translation>
    </message>
    <message>
        <source>It is lost or unknown.</source>
        <translation>Es ist verloren oder unbekannt.</translation>
    </message>
    <message>
        <source>Choose a device that is left.</source>
        <translation>Wählen Sie ein Gerät, das übrig ist.</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>Es ist leer.</translation>
    </message>
    <message>
        <source>A list is longer than any home needs.</source>
        <translation>Eine Liste ist länger, als irgendein Zuhause braucht.</translation>
    </message>
    <message>
        <source>It has more than %1 rows.</source>
        <translation>Es hat mehr als %1 Zeilen.</translation>
    </message>
    <message>
        <source>It must be a list of seconds, one for each batch size.</source>
        <translation>Es muss eine Liste von Sekunden sein, eine für jede Batchgröße.</translation>
    </message>
    <message>
        <source>It must be a number.</source>
        <translation>Es muss eine Zahl sein.</translation>
    </message>
    <message>
        <source>Give one row for each layer.</source>
        <translation>Geben Sie für jede Schicht eine Zeile an.</translation>
    </message>
    <message>
        <source>Seconds must be finite and not negative.</source>
        <translation>Sekunden müssen endlich und dürfen nicht negativ sein.</translation>
    </message>
    <message>
        <source>Only one half of the layer was measured.</source>
        <translation>Nur eine Hälfte der Schicht wurde gemessen.</translation>
    </message>
    <message>
        <source>It is more than backward_s, of which it is a part.</source>
        <translation>Es ist mehr als backward_s, von dem es ein Teil ist.</translation>
    </message>
    <message>
        <source>It is more than parameter_bytes, of which it is a part.</source>
        <translation>Es ist mehr als parameter_bytes, von dem es ein Teil ist.</translation>
    </message>
    <message>
        <source>It must list 1 to %1 batch sizes.</source>
        <translation>Es muss 1 bis %1 Batchgrößen aufführen.</translation>
    </message>
    <message>
        <source>%1 is not a batch size.</source>
        <translation>%1 ist keine Batchgröße.</translation>
    </message>
    <message>
        <source>%1 follows %2.</source>
        <translation>%1 folgt auf %2.</translation>
    </message>
    <message>
        <source>Batch sizes must ascend.</source>
        <translation>Batchgrößen müssen aufsteigen.</translation>
    </message>
    <message>
        <source>Only one direction of the layer was measured.</source>
        <translation>Nur eine Richtung der Schicht wurde gemessen.</translation>
    </message>
    <message>
        <source>No layer was measured.</source>
        <translation>Keine Schicht wurde gemessen.</translation>
    </message>
    <message>
        <source>It has too many sizes.</source>
        <translation>Es hat zu viele Größen.</translation>
    </message>
    <message>
        <source>A batch size is a whole number from 1.</source>
        <translation>Eine Batchgröße ist eine ganze Zahl ab 1.</translation>
    </message>
    <message>
        <source>It has no layers, or too many.</source>
        <translation>Es hat keine Schichten oder zu viele.</translation>
    </message>
    <message>
        <source>It has too many layers.</source>
        <translation>Es hat zu viele Schichten.</translation>
    </message>
    <message>
        <source>The deployment is not valid: &quot;%1&quot;.</source>
        <translation>Die Verteilung ist nicht gültig: „%1“.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no fingerprint.</source>
        <translation>„%1“ ist kein Fingerabdruck.</translation>
    </message>
    <message>
        <source>The sample intervals do not lie side by side.</source>
        <translation>Die Abschnitte der Beispiele schließen nicht aneinander an.</translation>
    </message>
    <message>
        <source>Rounds count from 1.</source>
        <translation>Runden zählen ab 1.</translation>
    </message>
    <message>
        <source>The micro-batches do not make up the batch.</source>
        <translation>Die Micro-Batches ergeben nicht den Batch.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is unknown.</source>
        <translation>„%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>It is no fingerprint.</source>
        <translation>Das ist kein Fingerabdruck.</translation>
    </message>
    <message>
        <source>There are no stages, or there is no model.</source>
        <translation>Es gibt keine Stufen oder kein Modell.</translation>
    </message>
    <message>
        <source>It is not within one hour.</source>
        <translation>Es liegt nicht innerhalb einer Stunde.</translation>
    </message>
    <message>
        <source>The layers are not contiguous.</source>
        <translation>Die Schichten hängen nicht zusammen.</translation>
    </message>
    <message>
        <source>The in-flight limit is less than 1.</source>
        <translation>Die Grenze der gleichzeitigen Micro-Batches ist kleiner als 1.</translation>
    </message>
    <message>
        <source>The fabric &quot;%1&quot; is unknown.</source>
        <translation>Der Verbund „%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>A peer is listed twice or has no fingerprint.</source>
        <translation>Ein Gegenüber ist zweimal aufgeführt oder hat keinen Fingerabdruck.</translation>
    </message>
    <message>
        <source>A member of a stage is not among the peers.</source>
        <translation>Ein Mitglied einer Stufe fehlt unter den Gegenübern.</translation>
    </message>
    <message>
        <source>A layer moves from or to nobody.</source>
        <translation>Eine Schicht wandert von oder zu niemandem.</translation>
    </message>
    <message>
        <source>A copy goes from or to nobody.</source>
        <translation>Eine Kopie geht von oder zu niemandem.</translation>
    </message>
    <message>
        <source>The states are held already.</source>
        <translation>Die Zustände sind schon da.</translation>
    </message>
    <message>
        <source>They are not types of a model&apos;s inputs.</source>
        <translation>Das sind keine Typen von Eingaben eines Modells.</translation>
    </message>
    <message>
        <source>A round report is not valid.</source>
        <translation>Ein Rundenbericht ist nicht gültig.</translation>
    </message>
    <message>
        <source>The field &quot;%1&quot; is missing or has no valid value.</source>
        <translation>Das Feld „%1“ fehlt oder hat keinen gültigen Wert.</translation>
    </message>
    <message>
        <source>The trace of a round is not valid.</source>
        <translation>Die Aufzeichnung einer Runde ist nicht gültig.</translation>
    </message>
    <message>
        <source>Its agent did not say where it listens.</source>
        <translation>Sein Agent hat nicht gesagt, wo er lauscht.</translation>
    </message>
    <message>
        <source>It is no SHA-256 of 64 lowercase hex digits.</source>
        <translation>Das ist kein SHA-256 aus 64 kleinen Hexadezimalziffern.</translation>
    </message>
    <message>
        <source>It lists other files than %1.</source>
        <translation>Es führt andere Dateien auf als %1.</translation>
    </message>
    <message>
        <source>The checkpoint of version %1</source>
        <translation>Der Checkpoint der Version %1</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>%1 ließ sich nicht schreiben.</translation>
    </message>
    <message>
        <source>Free some space in the folder of the run; older checkpoints are as they were.</source>
        <translation>Schaffen Sie Platz im Ordner des Laufs; ältere Checkpoints sind, wie sie waren.</translation>
    </message>
    <message>
        <source>%1 cannot be used.</source>
        <translation>%1 ist nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>An older one takes its place.</source>
        <translation>Ein älterer tritt an seine Stelle.</translation>
    </message>
    <message>
        <source>%1 is missing.</source>
        <translation>%1 fehlt.</translation>
    </message>
    <message>
        <source>%1 has %2 bytes instead of %3: it was cut short or altered.</source>
        <translation>%1 hat %2 Bytes statt %3: Es wurde abgeschnitten oder verändert.</translation>
    </message>
    <message>
        <source>%1 was altered: its SHA-256 is another.</source>
        <translation>%1 wurde verändert: Der SHA-256 ist ein anderer.</translation>
    </message>
    <message>
        <source>%1 could not be put together.</source>
        <translation>%1 ließ sich nicht zusammensetzen.</translation>
    </message>
    <message>
        <source>The states do not have the sizes of the model&apos;s layers.</source>
        <translation>Die Zustände haben nicht die Größen der Schichten des Modells.</translation>
    </message>
    <message>
        <source>A damaged one is there and could not be removed.</source>
        <translation>Ein beschädigter liegt dort und ließ sich nicht entfernen.</translation>
    </message>
    <message>
        <source>Its manifest is of version %1.</source>
        <translation>Sein Verzeichnis gehört zu Version %1.</translation>
    </message>
    <message>
        <source>It is of another run (%1).</source>
        <translation>Er gehört zu einem anderen Lauf (%1).</translation>
    </message>
    <message>
        <source>It is of another model than %1.</source>
        <translation>Er gehört zu einem anderen Modell als %1.</translation>
    </message>
    <message>
        <source>It was made with another precision or optimizer than the job&apos;s.</source>
        <translation>Er entstand mit anderer Genauigkeit oder anderem Optimierer als im Auftrag.</translation>
    </message>
    <message>
        <source>%1 does not fit the model.</source>
        <translation>%1 passt nicht zum Modell.</translation>
    </message>
    <message>
        <source>An older checkpoint takes its place.</source>
        <translation>Ein älterer Checkpoint tritt an seine Stelle.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is %2 of type %3; the model wants %4 of %5.</source>
        <translation>Der Tensor „%1“ ist %2 vom Typ %3; das Modell will %4 vom Typ %5.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is not part of it.</source>
        <translation>Der Tensor „%1“ gehört nicht dazu.</translation>
    </message>
    <message>
        <source>The worker says nothing sensible about itself.</source>
        <translation>Der Worker macht keine sinnvollen Angaben über sich.</translation>
    </message>
    <message>
        <source>Its greeting lacks library, threads or memory.</source>
        <translation>In seiner Begrüßung fehlen Bibliothek, Threads oder Speicher.</translation>
    </message>
    <message>
        <source>%1 is silent.</source>
        <translation>%1 schweigt.</translation>
    </message>
    <message>
        <source>Check its power and its network.</source>
        <translation>Prüfen Sie Strom und Netz des Geräts.</translation>
    </message>
    <message>
        <source>The run begins with a part of its weights from %1.</source>
        <translation>Der Lauf beginnt mit einem Teil seiner Gewichte aus %1.</translation>
    </message>
    <message>
        <source>The run cannot go on.</source>
        <translation>Der Lauf kann nicht weitergehen.</translation>
    </message>
    <message>
        <source>None of its checkpoints is whole.</source>
        <translation>Keiner seiner Checkpoints ist vollständig.</translation>
    </message>
    <message>
        <source>Start it anew.</source>
        <translation>Starten Sie ihn neu.</translation>
    </message>
    <message>
        <source>Its worker was gone when the coordinator came back.</source>
        <translation>Sein Worker war fort, als der Koordinator zurückkam.</translation>
    </message>
    <message>
        <source>It is tried again.</source>
        <translation>Es wird noch einmal versucht.</translation>
    </message>
    <message>
        <source>The run goes on without it.</source>
        <translation>Der Lauf geht ohne es weiter.</translation>
    </message>
    <message>
        <source>The plan cannot be taken any more.</source>
        <translation>Der Plan lässt sich nicht mehr übernehmen.</translation>
    </message>
    <message>
        <source>A device that it needs has gone.</source>
        <translation>Ein Gerät, das er braucht, ist weg.</translation>
    </message>
    <message>
        <source>When it is back, a better plan is looked for again.</source>
        <translation>Wenn es zurück ist, wird wieder nach einem besseren gesucht.</translation>
    </message>
    <message>
        <source>No device is left that can train.</source>
        <translation>Es ist kein Gerät mehr da, das trainieren kann.</translation>
    </message>
    <message>
        <source>All of them were lost.</source>
        <translation>Alle gingen verloren.</translation>
    </message>
    <message>
        <source>The run goes on as soon as one of them is back.</source>
        <translation>Der Lauf geht weiter, sobald eines zurück ist.</translation>
    </message>
    <message>
        <source>Round %1 was done and not written down.</source>
        <translation>Runde %1 war fertig und nicht festgehalten.</translation>
    </message>
    <message>
        <source>Who had to tell of it was gone before.</source>
        <translation>Wer davon hätte berichten müssen, war vorher fort.</translation>
    </message>
    <message>
        <source>The run waits up to %1 s for who is silent; then it goes on from version %2.</source>
        <translation>Der Lauf wartet bis zu %1 s auf den, der schweigt; dann geht er ab Version %2 weiter.</translation>
    </message>
    <message>
        <source>The run goes on from version %1 on the disk.</source>
        <translation>Der Lauf geht ab Version %1 von der Platte weiter.</translation>
    </message>
    <message>
        <source>The run begins again with its initial weights.</source>
        <translation>Der Lauf beginnt wieder mit seinen anfänglichen Gewichten.</translation>
    </message>
    <message>
        <source>The run cannot do without %1.</source>
        <translation>Der Lauf kommt ohne %1 nicht aus.</translation>
    </message>
    <message>
        <source>Add another device first; until then it stays.</source>
        <translation>Fügen Sie zuerst ein anderes Gerät hinzu; bis dahin bleibt es.</translation>
    </message>
    <message>
        <source>The run waits until a device is back.</source>
        <translation>Der Lauf wartet, bis ein Gerät zurück ist.</translation>
    </message>
    <message>
        <source>Check the network between the two. The run goes on with a plan that does not need this connection.</source>
        <translation>Prüfen Sie das Netz zwischen den beiden. Der Lauf geht mit einem Plan weiter, der diese Verbindung nicht braucht.</translation>
    </message>
    <message>
        <source>%1 is back and cannot take part.</source>
        <translation>%1 ist zurück und kann nicht mitmachen.</translation>
    </message>
    <message>
        <source>It computes with %1 now; the run began with %2.</source>
        <translation>Es rechnet jetzt mit %1; begonnen hat der Lauf mit %2.</translation>
    </message>
    <message>
        <source>Install the same version on it, or start the run again.</source>
        <translation>Installieren Sie dort dieselbe Version, oder starten Sie den Lauf neu.</translation>
    </message>
    <message>
        <source>%1 leaves.</source>
        <translation>%1 geht.</translation>
    </message>
    <message>
        <source>It asked to go before there was a plan.</source>
        <translation>Es wollte gehen, bevor es einen Plan gab.</translation>
    </message>
    <message>
        <source>Start the run again without this device.</source>
        <translation>Starten Sie den Lauf ohne dieses Gerät neu.</translation>
    </message>
    <message>
        <source>It no longer takes part in any run.</source>
        <translation>Es nimmt an keinem Lauf mehr teil.</translation>
    </message>
    <message>
        <source>Stage %1 sums its gradients over Hearth&apos;s own links from now on.</source>
        <translation>Stufe %1 summiert ihre Gradienten von nun an über Hearths eigene Verbindungen.</translation>
    </message>
    <message>
        <source>The weights are safe in %1.</source>
        <translation>Die Gewichte liegen sicher in %1.</translation>
    </message>
    <message>
        <source>Free some space there: the run ends as soon as there is enough.</source>
        <translation>Schaffen Sie dort Platz: Der Lauf endet, sobald genug da ist.</translation>
    </message>
    <message>
        <source>The device %1 is gone.</source>
        <translation>Das Gerät %1 ist fort.</translation>
    </message>
    <message>
        <source>Its agent cannot be reached any more.</source>
        <translation>Sein Agent ist nicht mehr erreichbar.</translation>
    </message>
    <message>
        <source>The connection between %1 and %2 broke.</source>
        <translation>Die Verbindung zwischen %1 und %2 ist gerissen.</translation>
    </message>
    <message>
        <source>Check the network between the two.</source>
        <translation>Prüfen Sie das Netz zwischen den beiden.</translation>
    </message>
    <message>
        <source>It is built again; the round is repeated.</source>
        <translation>Sie wird neu aufgebaut; die Runde wird wiederholt.</translation>
    </message>
    <message>
        <source>Measuring takes batches of up to %1 samples: a smaller &quot;micro_batch&quot; in the job takes less. Or close other programs there, or train without this device.</source>
        <translation>Gemessen wird mit Batches von bis zu %1 Beispielen: Ein kleinerer „micro_batch“ im Auftrag braucht weniger. Oder schließen Sie dort andere Programme, oder trainieren Sie ohne dieses Gerät.</translation>
    </message>
    <message>
        <source>The data %1 do not fit the model %2.</source>
        <translation>Die Daten %1 passen nicht zum Modell %2.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2 per sample, and the model&apos;s input &quot;%3&quot; takes %4.</source>
        <translation>„%1“ ist %2 je Beispiel, und die Eingabe „%3“ des Modells nimmt %4.</translation>
    </message>
    <message>
        <source>Make the model or the data for another length.</source>
        <translation>Machen Sie das Modell oder die Daten für eine andere Länge.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has %2, and the model&apos;s input &quot;%3&quot; takes %4.</source>
        <translation>„%1“ hat %2, und die Eingabe „%3“ des Modells nimmt %4.</translation>
    </message>
    <message>
        <source>real numbers</source>
        <translation>reelle Zahlen</translation>
    </message>
    <message>
        <source>Save it as int64.</source>
        <translation>Speichern Sie es als int64.</translation>
    </message>
    <message>
        <source>Save it as float32.</source>
        <translation>Speichern Sie es als float32.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has ids from %2 to %3, and the model knows %4 (from 0).</source>
        <translation>„%1“ hat Kennungen von %2 bis %3, und das Modell kennt %4 (ab 0).</translation>
    </message>
    <message>
        <source>Choose the model whose vocabulary these ids are of.</source>
        <translation>Wählen Sie das Modell, zu dessen Wortschatz diese Kennungen gehören.</translation>
    </message>
    <message>
        <source>The data are pictures, and the model takes none.</source>
        <translation>Die Daten sind Bilder, und das Modell nimmt keine.</translation>
    </message>
    <message>
        <source>Choose other data, or a model for pictures.</source>
        <translation>Wählen Sie andere Daten oder ein Modell für Bilder.</translation>
    </message>
    <message>
        <source>The model takes &quot;%1&quot;, and the data have %2.</source>
        <translation>Das Modell nimmt „%1“, und die Daten haben %2.</translation>
    </message>
    <message>
        <source>Add &quot;%1&quot; to &quot;inputs&quot; of the data.</source>
        <translation>Fügen Sie „%1“ zu „inputs“ der Daten hinzu.</translation>
    </message>
    <message>
        <source>Choose a model with as many classes as the data.</source>
        <translation>Wählen Sie ein Modell mit so vielen Klassen, wie die Daten haben.</translation>
    </message>
    <message>
        <source>one label</source>
        <translation>ein Label</translation>
    </message>
    <message>
        <source>%1 labels</source>
        <translation>%1 Labels</translation>
    </message>
    <message>
        <source>A sample has %1, and the model answers %2.</source>
        <translation>Ein Beispiel hat %1, und das Modell antwortet %2.</translation>
    </message>
    <message>
        <source>Choose data made for such a model.</source>
        <translation>Wählen Sie Daten, die für ein solches Modell gemacht sind.</translation>
    </message>
    <message>
        <source>The model takes pictures of %1 pixels; these are %2, and most of the work would go into the border around them.</source>
        <translation>Das Modell nimmt Bilder von %1 Pixeln; diese haben %2, und die meiste Arbeit ginge in den Rand um sie herum.</translation>
    </message>
    <message>
        <source>The model %1 and the data %2 do not fit each other.</source>
        <translation>Das Modell %1 und die Daten %2 passen nicht zueinander.</translation>
    </message>
    <message>
        <source>The evaluation does not get on.</source>
        <translation>Die Auswertung kommt nicht voran.</translation>
    </message>
    <message>
        <source>No device has reported anything for %1 seconds.</source>
        <translation>Seit %1 Sekunden hat kein Gerät etwas gemeldet.</translation>
    </message>
    <message>
        <source>Look at the devices that the plan uses, and start again.</source>
        <translation>Sehen Sie nach den Geräten des Plans, und starten Sie neu.</translation>
    </message>
    <message>
        <source>The worker reports what nobody asked for.</source>
        <translation>Der Worker meldet, wonach niemand gefragt hat.</translation>
    </message>
    <message>
        <source>Micro-batch %1 of the evaluation has no such part.</source>
        <translation>Micro-Batch %1 der Auswertung hat keinen solchen Teil.</translation>
    </message>
    <message>
        <source>A trusted fabric cannot reach as far as &quot;%1&quot;.</source>
        <translation>Ein vertrauter Verbund kann nicht bis „%1“ reichen.</translation>
    </message>
    <message>
        <source>It reaches &quot;machine&quot;, groups within one machine, or &quot;network&quot;, all groups.</source>
        <translation>Er reicht bis „machine“, Gruppen innerhalb eines Rechners, oder „network“, alle Gruppen.</translation>
    </message>
    <message>
        <source>Stage %1 sums its gradients over Hearth&apos;s own links.</source>
        <translation>Stufe %1 summiert ihre Gradienten über Hearths eigene Verbindungen.</translation>
    </message>
    <message>
        <source>Its devices are on several machines (%1), and the trusted fabric is allowed within one.</source>
        <translation>Ihre Geräte sind auf mehreren Rechnern (%1), und der vertraute Verbund ist nur innerhalb eines erlaubt.</translation>
    </message>
    <message>
        <source>If nobody else can reach the network between them, allow it with --trusted-fabric network.</source>
        <translation>Wenn niemand sonst das Netz zwischen ihnen erreicht, erlauben Sie ihn mit --trusted-fabric network.</translation>
    </message>
    <message>
        <source>Check the permissions and the disk.</source>
        <translation>Prüfen Sie die Rechte und die Platte.</translation>
    </message>
    <message>
        <source>OpenSSL computes no SHA-256.</source>
        <translation>OpenSSL berechnet keinen SHA-256.</translation>
    </message>
    <message>
        <source>The end of the run could not be noted in %1.</source>
        <translation>Das Ende des Laufs ließ sich nicht in %1 vermerken.</translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation>Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>The run %1 of the demo could not be kept.</source>
        <translation>Der Lauf %1 der Demo konnte nicht behalten werden.</translation>
    </message>
    <message>
        <source>Free some space, and check who owns the folder.</source>
        <translation>Schaffen Sie Platz, und prüfen Sie, wem der Ordner gehört.</translation>
    </message>
    <message>
        <source>The run %1 cannot go on.</source>
        <translation>Der Lauf %1 kann nicht weitergehen.</translation>
    </message>
    <message>
        <source>It has finished all its rounds.</source>
        <translation>Alle seine Runden sind getan.</translation>
    </message>
    <message>
        <source>To train its weights further, start a new run with --weights %1/weights.safetensors.</source>
        <translation>Um seine Gewichte weiter zu trainieren, starten Sie einen neuen Lauf mit --weights %1/weights.safetensors.</translation>
    </message>
    <message>
        <source>%1 is missing in its folder %2.</source>
        <translation>%1 fehlt in seinem Ordner %2.</translation>
    </message>
    <message>
        <source>Start a new run with &quot;hearth train&quot;.</source>
        <translation>Starten Sie mit „hearth train“ einen neuen Lauf.</translation>
    </message>
    <message>
        <source>Start it anew: hearth train %1/job.json</source>
        <translation>Starten Sie ihn neu: hearth train %1/job.json</translation>
    </message>
    <message>
        <source>%1 bytes (%2)</source>
        <translation>%1 Bytes (%2)</translation>
    </message>
    <message>
        <source>%1 needed %2 at least and has %3.</source>
        <translation>%1 brauchte mindestens %2 und hat %3.</translation>
    </message>
    <message>
        <source>%1 has %2.</source>
        <translation>%1 hat %2.</translation>
    </message>
    <message>
        <source>%1 has %2; the plan was to take %3 of them, and it took more.</source>
        <translation>%1 hat %2; der Plan sollte davon %3 nehmen, und er nahm mehr.</translation>
    </message>
    <message>
        <source>No plan fits: %1</source>
        <translation>Kein Plan passt: %1</translation>
    </message>
    <message>
        <source>No plan fits. Add a device or memory, or choose a smaller batch or model.</source>
        <translation>Kein Plan passt. Nehmen Sie ein Gerät oder Speicher dazu, oder wählen Sie einen kleineren Batch oder ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Take &quot;micro_batch&quot;: %1 out of the job.</source>
        <translation>Nehmen Sie „micro_batch“: %1 aus dem Auftrag.</translation>
    </message>
    <message>
        <source>Use it with &quot;hearth train JOB --plan %1&quot;.</source>
        <translation>Verwenden Sie ihn mit „hearth train JOB --plan %1“.</translation>
    </message>
    <message>
        <source>%1 [%2,%3)</source>
        <translation>%1 [%2,%3)</translation>
    </message>
    <message>
        <source>Another plan with micro-batches of %1 would fit: %2.</source>
        <translation>Ein anderer Plan mit Micro-Batches von %1 würde passen: %2.</translation>
    </message>
    <message>
        <source>Micro-batches of %1 instead of %2 would fit: %3.</source>
        <translation>Micro-Batches von %1 statt %2 würden passen: %3.</translation>
    </message>
    <message>
        <source>Both rounds and epochs are given.</source>
        <translation>Runden und Epochen sind beide angegeben.</translation>
    </message>
    <message>
        <source>Keep one of them.</source>
        <translation>Behalten Sie eines davon.</translation>
    </message>
    <message>
        <source>The batch of %1 is no multiple of %2.</source>
        <translation>Der Batch von %1 ist kein Vielfaches von %2.</translation>
    </message>
    <message>
        <source>Choose a divisor of the batch, or leave it to the planner.</source>
        <translation>Wählen Sie einen Teiler des Batches, oder überlassen Sie es dem Planer.</translation>
    </message>
    <message>
        <source>Choose another model, or set &quot;input&quot; of the job: &quot;pad&quot; adds a border and &quot;repeat_channels&quot; repeats the channels.</source>
        <translation>Wählen Sie ein anderes Modell, oder setzen Sie „input“ im Auftrag: „pad“ fügt einen Rand hinzu, „repeat_channels“ wiederholt die Kanäle.</translation>
    </message>
    <message>
        <source>A sample is %1 and the model takes %2.</source>
        <translation>Ein Beispiel ist %1, und das Modell nimmt %2.</translation>
    </message>
    <message>
        <source>A sample is %1 and the model takes %2, but the job&apos;s input makes %3.</source>
        <translation>Ein Beispiel ist %1, und das Modell nimmt %2, aber „input“ im Auftrag ergibt %3.</translation>
    </message>
    <message>
        <source>The plan in force stays.</source>
        <translation>Der geltende Plan bleibt.</translation>
    </message>
    <message>
        <source>The given plan does not fit this run.</source>
        <translation>Der vorgegebene Plan passt nicht zu diesem Lauf.</translation>
    </message>
    <message>
        <source>It names the device &quot;%1&quot;, which takes no part.</source>
        <translation>Er nennt das Gerät „%1“, das nicht mitmacht.</translation>
    </message>
    <message>
        <source>It names &quot;%1&quot;, as %2 devices are called.</source>
        <translation>Er nennt „%1“; so heißen %2 Geräte.</translation>
    </message>
    <message>
        <source>Name the device by its id.</source>
        <translation>Nennen Sie das Gerät mit seiner Kennung.</translation>
    </message>
    <message>
        <source>Its device &quot;%1&quot; cannot be reached now.</source>
        <translation>Sein Gerät „%1“ ist jetzt nicht erreichbar.</translation>
    </message>
    <message>
        <source>Switch it on, or choose a plan without it.</source>
        <translation>Schalten Sie es ein, oder wählen Sie einen Plan ohne es.</translation>
    </message>
    <message>
        <source>Make a new one with &quot;hearth plan --job JOB&quot;.</source>
        <translation>Machen Sie einen neuen mit „hearth plan --job JOB“.</translation>
    </message>
    <message>
        <source>It has several pipelines side by side, and a run has one.</source>
        <translation>Er hat mehrere Pipelines nebeneinander, und ein Lauf hat eine.</translation>
    </message>
    <message>
        <source>It was made for another model than %1 (the hash differs).</source>
        <translation>Er wurde für ein anderes Modell als %1 gemacht (die Prüfsumme weicht ab).</translation>
    </message>
    <message>
        <source>It is for batches of %1, and the job&apos;s batch is %2.</source>
        <translation>Er ist für Batches von %1, und der Batch des Auftrags ist %2.</translation>
    </message>
    <message>
        <source>Its micro-batch is %1, and the job fixes it to %2.</source>
        <translation>Sein Micro-Batch ist %1, und der Auftrag legt ihn auf %2 fest.</translation>
    </message>
    <message>
        <source>This plan can be judged but not run.</source>
        <translation>Dieser Plan lässt sich beurteilen, aber nicht ausführen.</translation>
    </message>
    <message>
        <source>The planner &quot;%1&quot; lays %2 pipelines side by side, and a run has one.</source>
        <translation>Der Planer „%1“ legt %2 Pipelines nebeneinander, und ein Lauf hat eine.</translation>
    </message>
    <message>
        <source>Choose another planner.</source>
        <translation>Wählen Sie einen anderen Planer.</translation>
    </message>
    <message>
        <source>%1 needs %2 and has %3</source>
        <translation>%1 braucht %2 und hat %3</translation>
    </message>
    <message>
        <source>The plan does not fit the memory of the devices.</source>
        <translation>Der Plan passt nicht in den Speicher der Geräte.</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Take a smaller batch or micro-batch, more devices, or let the planner choose.</source>
        <translation>Nehmen Sie einen kleineren Batch oder Micro-Batch, mehr Geräte, oder lassen Sie den Planer wählen.</translation>
    </message>
    <message>
        <source>Measuring the model does not get on.</source>
        <translation>Das Messen des Modells kommt nicht voran.</translation>
    </message>
    <message>
        <source>The worker has told nothing for %1 seconds.</source>
        <translation>Der Worker hat seit %1 Sekunden nichts gemeldet.</translation>
    </message>
    <message>
        <source>Close what else is busy there, or train without this device.</source>
        <translation>Schließen Sie, was dort sonst rechnet, oder trainieren Sie ohne dieses Gerät.</translation>
    </message>
    <message>
        <source>The measured layers are not those of the model.</source>
        <translation>Die gemessenen Schichten sind nicht die des Modells.</translation>
    </message>
    <message>
        <source>The measurement gave no sensible rate.</source>
        <translation>Die Messung ergab keine brauchbare Rate.</translation>
    </message>
    <message>
        <source>%1 does not reach %2.</source>
        <translation>%1 erreicht %2 nicht.</translation>
    </message>
    <message>
        <source>The run %1 cannot be opened.</source>
        <translation>Der Lauf %1 lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Choose the folder of a run, or the file events.jsonl in it.</source>
        <translation>Wählen Sie den Ordner eines Laufs oder die Datei events.jsonl darin.</translation>
    </message>
    <message>
        <source>%1 does not hold the events of a run.</source>
        <translation>%1 enthält nicht die Ereignisse eines Laufs.</translation>
    </message>
    <message>
        <source>Choose a file called events.jsonl that Hearth has written.</source>
        <translation>Wählen Sie eine Datei events.jsonl, die Hearth geschrieben hat.</translation>
    </message>
    <message>
        <source>The folder has no file events.jsonl.</source>
        <translation>Der Ordner hat keine Datei events.jsonl.</translation>
    </message>
    <message>
        <source>It does not exist.</source>
        <translation>Es existiert nicht.</translation>
    </message>
    <message>
        <source>It is neither a folder nor a plain file.</source>
        <translation>Es ist weder ein Ordner noch eine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>Its first line is no JSON object.</source>
        <translation>Ihre erste Zeile ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>Line %1 of %2 cannot be read.</source>
        <translation>Zeile %1 von %2 ist nicht lesbar.</translation>
    </message>
    <message>
        <source>What stands before it is shown.</source>
        <translation>Gezeigt wird, was davor steht.</translation>
    </message>
    <message>
        <source>It has no whole line.</source>
        <translation>Sie hat keine ganze Zeile.</translation>
    </message>
    <message>
        <source>Its first line is no event of a run.</source>
        <translation>Ihre erste Zeile ist kein Ereignis eines Laufs.</translation>
    </message>
    <message>
        <source>Its first line does not begin a run.</source>
        <translation>Ihre erste Zeile beginnt keinen Lauf.</translation>
    </message>
    <message>
        <source>Its format is &quot;%1&quot;, and this version of Hearth reads &quot;hearth-events/1&quot;.</source>
        <translation>Ihr Format ist „%1“, und diese Version von Hearth liest „hearth-events/1“.</translation>
    </message>
    <message>
        <source>no device was known to hold it</source>
        <translation>von keinem Gerät war bekannt, dass es sie hält</translation>
    </message>
    <message>
        <source>last at version %1, on %2, which is lost</source>
        <translation>zuletzt bei Version %1 auf %2, das verloren ist</translation>
    </message>
    <message>
        <source>last at version %1, on %2</source>
        <translation>zuletzt bei Version %1 auf %2</translation>
    </message>
    <message>
        <source>Bring one of these devices back, or start again from older weights; more copies and more frequent checkpoints would survive this.</source>
        <translation>Bringen Sie eines dieser Geräte zurück, oder beginnen Sie mit älteren Gewichten neu; mehr Kopien und häufigere Checkpoints würden dies überstehen.</translation>
    </message>
    <message>
        <source>%1 cannot get the state of %2.</source>
        <translation>%1 kann den Zustand von %2 nicht bekommen.</translation>
    </message>
    <message>
        <source>Nobody holds it at that version.</source>
        <translation>Niemand hält ihn in dieser Version.</translation>
    </message>
    <message>
        <source>%1 has it and cannot reach that device.</source>
        <translation>%1 hat ihn und kann dieses Gerät nicht erreichen.</translation>
    </message>
    <message>
        <source>No version of the model is whole: nobody that is left holds the state of %1 at version %2.</source>
        <translation>Keine Version des Modells ist vollständig: Niemand, der übrig ist, hält den Zustand von %1 in Version %2.</translation>
    </message>
    <message>
        <source>No version of the model is whole: nobody that is left holds the state of %1.</source>
        <translation>Keine Version des Modells ist vollständig: Niemand, der übrig ist, hält den Zustand von %1.</translation>
    </message>
    <message>
        <source>less than the %1 % that make a change worthwhile</source>
        <translation>weniger als die %1 %, ab denen sich ein Wechsel lohnt</translation>
    </message>
    <message>
        <source>The round of one of the plans cannot be predicted, so the plan stays.</source>
        <translation>Die Runde eines der Pläne lässt sich nicht vorhersagen, also bleibt der Plan.</translation>
    </message>
    <message>
        <source>The plan stays: no better one is known.</source>
        <translation>Der Plan bleibt: Ein besserer ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The plan stays: no better one is known (%1 instead of %2 a round).</source>
        <translation>Der Plan bleibt: Ein besserer ist nicht bekannt (%1 statt %2 je Runde).</translation>
    </message>
    <message>
        <source>The plan stays: another one would take %1 instead of %2 a round (%3 % less), %4.</source>
        <translation>Der Plan bleibt: Ein anderer bräuchte %1 statt %2 je Runde (%3 % weniger), %4.</translation>
    </message>
    <message>
        <source>All devices of the given plan are here.</source>
        <translation>Alle Geräte des vorgegebenen Plans sind da.</translation>
    </message>
    <message>
        <source>A better plan is possible now.</source>
        <translation>Jetzt ist ein besserer Plan möglich.</translation>
    </message>
    <message>
        <source>Take it with &quot;hearth accept-plan %1&quot;, or go on without.</source>
        <translation>Nehmen Sie ihn mit „hearth accept-plan %1“, oder machen Sie ohne weiter.</translation>
    </message>
    <message>
        <source>The run goes on without this device.</source>
        <translation>Der Lauf geht ohne dieses Gerät weiter.</translation>
    </message>
    <message>
        <source>Nobody keeps a copy of what %1 computes.</source>
        <translation>Niemand bewahrt eine Kopie dessen auf, was %1 rechnet.</translation>
    </message>
    <message>
        <source>No other device with room for it can be reached from there.</source>
        <translation>Kein anderes Gerät mit Platz dafür ist von dort zu erreichen.</translation>
    </message>
    <message>
        <source>If it is lost, the run goes on from the newest version on the disk.</source>
        <translation>Geht es verloren, so geht der Lauf ab der neuesten Version auf der Platte weiter.</translation>
    </message>
    <message>
        <source>%1 up to %2</source>
        <translation>%1 bis zu %2</translation>
    </message>
    <message>
        <source>The memory of %1 may not do for the versions that a run keeps.</source>
        <translation>Der Speicher von %1 reicht womöglich nicht für die Versionen, die ein Lauf aufbewahrt.</translation>
    </message>
    <message>
        <source>Beside its part of the plan, each takes at worst: %1.</source>
        <translation>Neben seinem Teil des Plans belegt jedes im schlechtesten Fall: %1.</translation>
    </message>
    <message>
        <source>Add a device, or give these more memory.</source>
        <translation>Nehmen Sie ein Gerät hinzu, oder geben Sie diesen mehr Speicher.</translation>
    </message>
    <message>
        <source>The next checkpoint is tried as usual.</source>
        <translation>Der nächste Checkpoint wird wie üblich versucht.</translation>
    </message>
    <message>
        <source>Loss became NaN.</source>
        <translation>Der Verlust wurde NaN.</translation>
    </message>
    <message>
        <source>The training has diverged in round %1.</source>
        <translation>Das Training ist in Runde %1 auseinandergelaufen.</translation>
    </message>
    <message>
        <source>Stop it, and start again with a smaller learning rate.</source>
        <translation>Halten Sie es an, und starten Sie mit kleinerer Lernrate neu.</translation>
    </message>
    <message>
        <source>Round %1 does not get on.</source>
        <translation>Runde %1 kommt nicht voran.</translation>
    </message>
    <message>
        <source>Nothing came for %1 seconds from %2.</source>
        <translation>Von %2 kam seit %1 Sekunden nichts.</translation>
    </message>
    <message>
        <source>Look at these devices: one may be asleep, or busy with something else.</source>
        <translation>Sehen Sie nach diesen Geräten: Vielleicht schläft eines, oder es ist anderweitig beschäftigt.</translation>
    </message>
    <message>
        <source>%1 wait on the link from %2 to %3.</source>
        <translation>%1 warten auf die Verbindung von %2 zu %3.</translation>
    </message>
    <message>
        <source>Round %1 takes more than %2 times as long as predicted (%3).</source>
        <translation>Runde %1 dauert mehr als %2-mal so lange wie vorhergesagt (%3).</translation>
    </message>
    <message>
        <source>The run goes on. If it stays so, stop it and start again: the plan is made for links and devices as they are then.</source>
        <translation>Der Lauf geht weiter. Bleibt es dabei, halten Sie ihn an und starten neu: Der Plan wird dann für Verbindungen und Geräte gemacht, wie sie sind.</translation>
    </message>
    <message>
        <source>Look at the network between the two.</source>
        <translation>Prüfen Sie das Netz zwischen den beiden.</translation>
    </message>
    <message>
        <source>Not done with it: %1.</source>
        <translation>Noch nicht fertig damit: %1.</translation>
    </message>
    <message>
        <source>Look at what else is busy there.</source>
        <translation>Prüfen Sie, was dort sonst arbeitet.</translation>
    </message>
    <message>
        <source>The worker reports a round that nobody waits for.</source>
        <translation>Der Worker meldet eine Runde, auf die niemand wartet.</translation>
    </message>
    <message>
        <source>It reports round %1 with version %2; complete are %3.</source>
        <translation>Er meldet Runde %1 mit Version %2; vollständig sind %3.</translation>
    </message>
    <message>
        <source>The run could not be recorded in %1.</source>
        <translation>Der Lauf ließ sich in %1 nicht festhalten.</translation>
    </message>
    <message>
        <source>Free some space there; what is recorded already is safe.</source>
        <translation>Schaffen Sie dort Platz; was schon festgehalten ist, ist sicher.</translation>
    </message>
    <message>
        <source>The run in %1 could not be read.</source>
        <translation>Der Lauf in %1 ließ sich nicht lesen.</translation>
    </message>
    <message>
        <source>A line of the event stream is not an event.</source>
        <translation>Eine Zeile des Ereignisstroms ist kein Ereignis.</translation>
    </message>
    <message>
        <source>It has no &quot;seq&quot; from 1, or no &quot;event&quot;.</source>
        <translation>Sie hat kein „seq“ ab 1 oder kein „event“.</translation>
    </message>
    <message>
        <source>The disk of the run&apos;s folder is full.</source>
        <translation>Die Platte mit dem Ordner des Laufs ist voll.</translation>
    </message>
    <message>
        <source>No space is left in %1.</source>
        <translation>In %1 ist kein Platz mehr.</translation>
    </message>
    <message>
        <source>Free some space there. The run goes on without new checkpoints, until the little that it holds for its record is used up, too.</source>
        <translation>Schaffen Sie dort Platz. Der Lauf geht ohne neue Checkpoints weiter, bis auch das Wenige verbraucht ist, das er für sein Protokoll hält.</translation>
    </message>
    <message>
        <source>The device %1 is at work now, and was not measured.</source>
        <translation>Das Gerät %1 arbeitet gerade und wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>Beside a run it would look slower than it is.</source>
        <translation>Neben einem Lauf sähe es langsamer aus, als es ist.</translation>
    </message>
    <message>
        <source>Measure it when the run is over, or stop the run.</source>
        <translation>Messen Sie es, wenn der Lauf vorbei ist, oder beenden Sie den Lauf.</translation>
    </message>
    <message>
        <source>Train without it, or start its agent again.</source>
        <translation>Trainieren Sie ohne es, oder starten Sie seinen Agenten neu.</translation>
    </message>
    <message>
        <source>Train without it, or change its limits.</source>
        <translation>Trainieren Sie ohne es, oder ändern Sie seine Grenzen.</translation>
    </message>
    <message>
        <source>The device %1 cannot be reached now.</source>
        <translation>Das Gerät %1 ist jetzt nicht erreichbar.</translation>
    </message>
    <message>
        <source>Switch it on, or train without it.</source>
        <translation>Schalten Sie es ein, oder trainieren Sie ohne es.</translation>
    </message>
    <message>
        <source>The device &quot;%1&quot; is not in this home.</source>
        <translation>Das Gerät „%1“ gehört nicht zu diesem Zuhause.</translation>
    </message>
    <message>
        <source>The device &quot;%1&quot; is not the only one of that name.</source>
        <translation>Das Gerät „%1“ ist nicht das einzige mit diesem Namen.</translation>
    </message>
    <message>
        <source>There is no device to train on.</source>
        <translation>Es gibt kein Gerät, auf dem trainiert werden kann.</translation>
    </message>
    <message>
        <source>None of the home&apos;s devices can be reached now.</source>
        <translation>Keines der Geräte des Zuhauses ist jetzt erreichbar.</translation>
    </message>
    <message>
        <source>Switch one on, or look at &quot;hearth devices&quot;.</source>
        <translation>Schalten Sie eines ein, oder sehen Sie „hearth devices“ an.</translation>
    </message>
    <message>
        <source>Name a file in a folder of your own with %1.</source>
        <translation>Nennen Sie mit %1 eine Datei in einem eigenen Ordner.</translation>
    </message>
    <message>
        <source>The folder %1 does not exist or is read-only.</source>
        <translation>Den Ordner %1 gibt es nicht, oder er ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>The file is read-only.</source>
        <translation>Die Datei ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>The weights could not be saved as %1.</source>
        <translation>Die Gewichte ließen sich nicht als %1 speichern.</translation>
    </message>
    <message>
        <source>The trace could not be written to %1.</source>
        <translation>Die Aufzeichnung ließ sich nicht nach %1 schreiben.</translation>
    </message>
    <message>
        <source>Leave them out, or start a new run.</source>
        <translation>Lassen Sie sie weg, oder starten Sie einen neuen Lauf.</translation>
    </message>
    <message>
        <source>Go on from the last checkpoint with &quot;hearth train --resume&quot;.</source>
        <translation>Machen Sie mit „hearth train --resume“ beim letzten Checkpoint weiter.</translation>
    </message>
    <message>
        <source>The trace ends with round %1.</source>
        <translation>Die Aufzeichnung endet mit Runde %1.</translation>
    </message>
    <message>
        <source>It holds as many events as it may.</source>
        <translation>Sie hält so viele Ereignisse, wie sie darf.</translation>
    </message>
    <message>
        <source>Look at its rounds, or trace a shorter run.</source>
        <translation>Sehen Sie sich ihre Runden an, oder zeichnen Sie einen kürzeren Lauf auf.</translation>
    </message>
    <message>
        <source>The states of some layers did not arrive.</source>
        <translation>Die Zustände einiger Schichten kamen nicht an.</translation>
    </message>
    <message>
        <source>Check the network to the devices that the plan uses.</source>
        <translation>Prüfen Sie das Netz zu den Geräten des Plans.</translation>
    </message>
    <message>
        <source>A layer&apos;s state has no holder.</source>
        <translation>Den Zustand einer Schicht hält niemand.</translation>
    </message>
    <message>
        <source>Choose another file with --trace.</source>
        <translation>Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>The weights do not arrive.</source>
        <translation>Die Gewichte kommen nicht an.</translation>
    </message>
    <message>
        <source>The worker gave the weights of another round.</source>
        <translation>Der Worker gab die Gewichte einer anderen Runde.</translation>
    </message>
    <message>
        <source>They are of version %1, wanted were those of %2.</source>
        <translation>Sie sind von Version %1, gewollt waren die von %2.</translation>
    </message>
    <message>
        <source>The worker sent a tensor that is not its own.</source>
        <translation>Der Worker schickte einen Tensor, der nicht seiner ist.</translation>
    </message>
    <message>
        <source>Tensor %1 of layer %2 has another owner, shape or type.</source>
        <translation>Tensor %1 der Schicht %2 hat einen anderen Besitzer, eine andere Form oder einen anderen Typ.</translation>
    </message>
    <message>
        <source>On %1: %2</source>
        <translation>Auf %1: %2</translation>
    </message>
    <message>
        <source>%1 did not answer in time.</source>
        <translation>%1 hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>Of &quot;%1&quot; nothing moved for %2 seconds.</source>
        <translation>Bei „%1“ bewegte sich %2 Sekunden lang nichts.</translation>
    </message>
    <message>
        <source>Look at that device: it may be asleep, or busy with something else.</source>
        <translation>Sehen Sie nach dem Gerät: Vielleicht schläft es, oder es ist anderweitig beschäftigt.</translation>
    </message>
    <message>
        <source>Train without --trusted-fabric, or check that nothing filters connections between the members of the group.</source>
        <translation>Trainieren Sie ohne --trusted-fabric, oder prüfen Sie, dass nichts die Verbindungen zwischen den Mitgliedern der Gruppe filtert.</translation>
    </message>
    <message>
        <source>The trusted fabric failed.</source>
        <translation>Der vertraute Verbund ist ausgefallen.</translation>
    </message>
    <message>
        <source>This worker&apos;s LibTorch has no &quot;%1&quot;.</source>
        <translation>Die LibTorch dieses Workers hat kein „%1“.</translation>
    </message>
    <message>
        <source>Hearth was built without it on this device.</source>
        <translation>Hearth wurde auf diesem Gerät ohne es gebaut.</translation>
    </message>
    <message>
        <source>Build Hearth there with a LibTorch that has Gloo, or train without --trusted-fabric.</source>
        <translation>Bauen Sie Hearth dort mit einer LibTorch, die Gloo hat, oder trainieren Sie ohne --trusted-fabric.</translation>
    </message>
    <message>
        <source>The trusted fabric did not answer in time.</source>
        <translation>Der vertraute Verbund hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>A member of the group is frozen, or cannot be reached on the fabric&apos;s ports.</source>
        <translation>Ein Mitglied der Gruppe hängt oder ist auf den Ports des Verbunds nicht erreichbar.</translation>
    </message>
    <message>
        <source>An AllReduce message does not fit the plan.</source>
        <translation>Eine AllReduce-Nachricht passt nicht zum Plan.</translation>
    </message>
    <message>
        <source>There is no piece %1 of member %2.</source>
        <translation>Es gibt kein Stück %1 von Mitglied %2.</translation>
    </message>
    <message>
        <source>Piece %1 has %2 bytes.</source>
        <translation>Stück %1 hat %2 Bytes.</translation>
    </message>
    <message>
        <source>Piece %1 came twice or to the wrong member.</source>
        <translation>Stück %1 kam zweimal oder zum falschen Mitglied.</translation>
    </message>
    <message>
        <source>The sum of piece %1 came twice, too early or from the wrong member.</source>
        <translation>Die Summe von Stück %1 kam zweimal, zu früh oder vom falschen Mitglied.</translation>
    </message>
    <message>
        <source>The data do not fit the model.</source>
        <translation>Die Daten passen nicht zum Modell.</translation>
    </message>
    <message>
        <source>Numbers of type %1 do not become an input of type %2.</source>
        <translation>Zahlen vom Typ %1 werden keine Eingabe vom Typ %2.</translation>
    </message>
    <message>
        <source>Run the same version of Hearth on all devices.</source>
        <translation>Nutzen Sie auf allen Geräten dieselbe Version von Hearth.</translation>
    </message>
    <message>
        <source>No picture becomes the model&apos;s input of %1 with this border and these channels.</source>
        <translation>Kein Bild wird mit diesem Rand und diesen Kanälen zur Eingabe des Modells von %1.</translation>
    </message>
    <message>
        <source>Correct &quot;input&quot; of the job.</source>
        <translation>Berichtigen Sie „input“ im Auftrag.</translation>
    </message>
    <message>
        <source>The profile was given up.</source>
        <translation>Die Messung wurde aufgegeben.</translation>
    </message>
    <message>
        <source>The measurement is over.</source>
        <translation>Die Messung ist vorbei.</translation>
    </message>
    <message>
        <source>No connection.</source>
        <translation>Keine Verbindung.</translation>
    </message>
    <message>
        <source>Its layers take %1 bytes before the first sample, and %2 bytes are free.</source>
        <translation>Seine Schichten brauchen %1 Bytes vor dem ersten Beispiel, und %2 Bytes sind frei.</translation>
    </message>
    <message>
        <source>A tensor of %1 bytes was needed while %2 bytes were held; the limit is %3 bytes.</source>
        <translation>Ein Tensor von %1 Byte wurde gebraucht, während %2 Byte belegt waren; die Grenze liegt bei %3 Byte.</translation>
    </message>
    <message>
        <source>A tensor of %1 bytes was needed while %2 bytes were held; the system gave no more.</source>
        <translation>Ein Tensor von %1 Byte wurde gebraucht, während %2 Byte belegt waren; das System gab nicht mehr her.</translation>
    </message>
    <message>
        <source>The worker ran out of memory.</source>
        <translation>Dem Worker ging der Speicher aus.</translation>
    </message>
    <message>
        <source>Use smaller micro-batches, more devices, or give this device more memory.</source>
        <translation>Nehmen Sie kleinere Micro-Batches oder mehr Geräte, oder geben Sie diesem Gerät mehr Speicher.</translation>
    </message>
    <message>
        <source>A device did not reach another one.</source>
        <translation>Ein Gerät erreichte ein anderes nicht.</translation>
    </message>
    <message>
        <source>Check that no firewall blocks the ports of the workers.</source>
        <translation>Prüfen Sie, ob eine Firewall die Ports der Worker sperrt.</translation>
    </message>
    <message>
        <source>This device is no member of the run.</source>
        <translation>Dieses Gerät ist kein Mitglied des Laufs.</translation>
    </message>
    <message>
        <source>This device has %1 connections to the worker already.</source>
        <translation>Dieses Gerät hat schon %1 Verbindungen zum Worker.</translation>
    </message>
    <message>
        <source>This worker serves another run.</source>
        <translation>Dieser Worker arbeitet für einen anderen Lauf.</translation>
    </message>
    <message>
        <source>A newer connection took its place.</source>
        <translation>Eine neuere Verbindung trat an ihre Stelle.</translation>
    </message>
    <message>
        <source>A newer plan took its place.</source>
        <translation>Ein neuerer Plan trat an seine Stelle.</translation>
    </message>
    <message>
        <source>No connection to %1.</source>
        <translation>Keine Verbindung zu %1.</translation>
    </message>
    <message>
        <source>A member&apos;s address for the trusted fabric is out of bounds.</source>
        <translation>Die Adresse eines Mitglieds für den vertrauten Verbund ist ungültig.</translation>
    </message>
    <message>
        <source>A key of %1 bytes, a value of %2.</source>
        <translation>Ein Schlüssel von %1 Bytes, ein Wert von %2.</translation>
    </message>
    <message>
        <source>The trusted fabric was given up.</source>
        <translation>Der vertraute Verbund wurde aufgegeben.</translation>
    </message>
    <message>
        <source>A member of the group did not say where it is.</source>
        <translation>Ein Mitglied der Gruppe hat nicht gesagt, wo es ist.</translation>
    </message>
    <message>
        <source>Nothing came for %1 ms.</source>
        <translation>%1 ms lang kam nichts.</translation>
    </message>
    <message>
        <source>This worker cannot take the part it was given.</source>
        <translation>Dieser Worker kann den Teil nicht übernehmen, den er bekommen hat.</translation>
    </message>
    <message>
        <source>The plan gives it no layers.</source>
        <translation>Der Plan gibt ihm keine Schichten.</translation>
    </message>
    <message>
        <source>Layers %1 to %2 of a model of %3.</source>
        <translation>Schichten %1 bis %2 eines Modells mit %3.</translation>
    </message>
    <message>
        <source>The stages do not cover the model.</source>
        <translation>Die Stufen decken das Modell nicht ab.</translation>
    </message>
    <message>
        <source>The schedule &quot;%1&quot; is unknown; it knows %2.</source>
        <translation>Der Ablauf „%1“ ist unbekannt; bekannt sind %2.</translation>
    </message>
    <message>
        <source>The loss &quot;%1&quot; is unknown.</source>
        <translation>Der Verlust „%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>A tensor arrived that does not fit the plan.</source>
        <translation>Ein Tensor kam an, der nicht zum Plan passt.</translation>
    </message>
    <message>
        <source>The computation failed.</source>
        <translation>Die Rechnung schlug fehl.</translation>
    </message>
    <message>
        <source>%1 bytes of tensors were held.</source>
        <translation>%1 Byte an Tensoren waren belegt.</translation>
    </message>
    <message>
        <source>This device does not send gradients without encryption.</source>
        <translation>Dieses Gerät schickt keine Gradienten unverschlüsselt.</translation>
    </message>
    <message>
        <source>Nobody has allowed it there.</source>
        <translation>Niemand hat es dort erlaubt.</translation>
    </message>
    <message>
        <source>Start its agent with --trusted-fabric if nobody else can reach the network.</source>
        <translation>Starten Sie seinen Agenten mit --trusted-fabric, wenn niemand sonst das Netz erreicht.</translation>
    </message>
    <message>
        <source>It is no part of this group&apos;s trusted fabric.</source>
        <translation>Es gehört nicht zum vertrauten Verbund dieser Gruppe.</translation>
    </message>
    <message>
        <source>Samples %1 to %2 of micro-batch %3 do not come from there.</source>
        <translation>Die Beispiele %1 bis %2 des Micro-Batches %3 kommen nicht von dort.</translation>
    </message>
    <message>
        <source>Samples %1 to %2 of micro-batch %3 came twice.</source>
        <translation>Die Beispiele %1 bis %2 des Micro-Batches %3 kamen zweimal.</translation>
    </message>
    <message>
        <source>Wrong type or shape for micro-batch %1.</source>
        <translation>Falscher Typ oder falsche Form für Micro-Batch %1.</translation>
    </message>
    <message>
        <source>Nothing comes in slot %1.</source>
        <translation>In Fach %1 kommt nichts.</translation>
    </message>
    <message>
        <source>It is for stage %1; this is stage %2.</source>
        <translation>Es ist für Stufe %1; dies ist Stufe %2.</translation>
    </message>
    <message>
        <source>Round %1 came during round %2.</source>
        <translation>Runde %1 kam während Runde %2.</translation>
    </message>
    <message>
        <source>Micro-batch %1 of %2.</source>
        <translation>Micro-Batch %1 von %2.</translation>
    </message>
    <message>
        <source>A tensor of this kind does not come from there.</source>
        <translation>Ein Tensor dieser Art kommt nicht von dort.</translation>
    </message>
    <message>
        <source>The normaliser is one 64-bit number.</source>
        <translation>Der Normierer ist eine 64-Bit-Zahl.</translation>
    </message>
    <message>
        <source>The normaliser is not positive.</source>
        <translation>Der Normierer ist nicht positiv.</translation>
    </message>
    <message>
        <source>It is no part of this group&apos;s AllReduce.</source>
        <translation>Es gehört nicht zum AllReduce dieser Gruppe.</translation>
    </message>
    <message>
        <source>Weights come from the coordinator, and before the first round.</source>
        <translation>Gewichte kommen vom Koordinator, und vor der ersten Runde.</translation>
    </message>
    <message>
        <source>Weights come in the precision of the run.</source>
        <translation>Gewichte kommen in der Genauigkeit des Laufs.</translation>
    </message>
    <message>
        <source>Test micro-batch %1 of %2.</source>
        <translation>Test-Micro-Batch %1 von %2.</translation>
    </message>
    <message>
        <source>Labels come from the coordinator to the last stage.</source>
        <translation>Labels kommen vom Koordinator zur letzten Stufe.</translation>
    </message>
    <message>
        <source>Samples come from the coordinator.</source>
        <translation>Beispiele kommen vom Koordinator.</translation>
    </message>
    <message>
        <source>Activations come from the stage before.</source>
        <translation>Aktivierungen kommen von der Stufe davor.</translation>
    </message>
    <message>
        <source>The weights that arrived do not fit the model.</source>
        <translation>Die angekommenen Gewichte passen nicht zum Modell.</translation>
    </message>
    <message>
        <source>There is no tensor %1 of layer %2 here.</source>
        <translation>Hier gibt es keinen Tensor %1 der Schicht %2.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; takes %2 bytes, not %3.</source>
        <translation>„%1“ braucht %2 Bytes, nicht %3.</translation>
    </message>
    <message>
        <source>A state of %1 bytes for layer %2.</source>
        <translation>Ein Zustand von %1 Bytes für Schicht %2.</translation>
    </message>
    <message>
        <source>%1 bytes for the frozen tensors of layer %2.</source>
        <translation>%1 Bytes für die eingefrorenen Tensoren der Schicht %2.</translation>
    </message>
    <message>
        <source>The test set cannot be evaluated now.</source>
        <translation>Die Testdaten lassen sich jetzt nicht auswerten.</translation>
    </message>
    <message>
        <source>Version %1 was asked for; the weights are at version %2.</source>
        <translation>Gefragt war Version %1; die Gewichte sind bei Version %2.</translation>
    </message>
    <message>
        <source>%1 bytes came, and no plan that they belong to.</source>
        <translation>%1 Bytes kamen, aber kein Plan, zu dem sie gehören.</translation>
    </message>
    <message>
        <source>Layer %1 of a model of %2.</source>
        <translation>Schicht %1 eines Modells mit %2.</translation>
    </message>
    <message>
        <source>The connection to %1 ended while it was sent states of layers.</source>
        <translation>Die Verbindung zu %1 endete, während Zustände von Schichten dorthin unterwegs waren.</translation>
    </message>
    <message>
        <source>A profile takes a precision and ascending batch sizes.</source>
        <translation>Eine Messung braucht eine Genauigkeit und aufsteigende Batchgrößen.</translation>
    </message>
    <message>
        <source>Term %1 came after term %2.</source>
        <translation>Amtszeit %1 kam nach Amtszeit %2.</translation>
    </message>
    <message>
        <source>No layers are deployed here.</source>
        <translation>Hier sind keine Schichten verteilt.</translation>
    </message>
    <message>
        <source>Those layers are not here, or a round is under way.</source>
        <translation>Diese Schichten sind nicht hier, oder eine Runde läuft gerade.</translation>
    </message>
    <message>
        <source>The coordinator asked for something impossible.</source>
        <translation>Der Koordinator hat etwas Unmögliches verlangt.</translation>
    </message>
    <message>
        <source>A halt takes a term.</source>
        <translation>Ein Halt braucht eine Amtszeit.</translation>
    </message>
    <message>
        <source>States are asked for by version and layers.</source>
        <translation>Zustände werden nach Version und Schichten erfragt.</translation>
    </message>
    <message>
        <source>The coordinator did not come back.</source>
        <translation>Der Koordinator kam nicht zurück.</translation>
    </message>
    <message>
        <source>The worker left as it was asked to.</source>
        <translation>Der Worker ging, wie verlangt.</translation>
    </message>
    <message>
        <source>A link is measured to a member of the run.</source>
        <translation>Eine Verbindung wird zu einem Mitglied des Laufs gemessen.</translation>
    </message>
    <message>
        <source>A worker was asked for a state that it does not hold.</source>
        <translation>Ein Worker wurde nach einem Zustand gefragt, den er nicht hält.</translation>
    </message>
    <message>
        <source>Layer %1 at version %2 is not here.</source>
        <translation>Schicht %1 in Version %2 ist nicht hier.</translation>
    </message>
    <message>
        <source>It does not compute all layers that it should send copies of.</source>
        <translation>Er berechnet nicht alle Schichten, deren Kopien er schicken soll.</translation>
    </message>
    <message>
        <source>A snapshot of layer %1 takes %2 bytes.</source>
        <translation>Ein Schnappschuss der Schicht %1 braucht %2 Bytes.</translation>
    </message>
    <message>
        <source>Use more devices, or give this device more memory.</source>
        <translation>Nehmen Sie mehr Geräte, oder geben Sie diesem Gerät mehr Speicher.</translation>
    </message>
    <message>
        <source>This address has %1 unfinished connections.</source>
        <translation>Diese Adresse hat %1 unfertige Verbindungen.</translation>
    </message>
    <message>
        <source>There are %1 unfinished connections.</source>
        <translation>Es gibt %1 unfertige Verbindungen.</translation>
    </message>
    <message>
        <source>It is not exactly one CBOR map.</source>
        <translation>Sie ist nicht genau eine CBOR-Tabelle.</translation>
    </message>
    <message>
        <source>It has more than %1 values.</source>
        <translation>Sie hat mehr als %1 Werte.</translation>
    </message>
    <message>
        <source>A map in it has more than %1 keys.</source>
        <translation>Eine Tabelle darin hat mehr als %1 Schlüssel.</translation>
    </message>
    <message>
        <source>It has a tag.</source>
        <translation>Sie enthält eine Marke.</translation>
    </message>
    <message>
        <source>Its lists are nested more than %1 deep.</source>
        <translation>Ihre Listen sind mehr als %1 Ebenen tief geschachtelt.</translation>
    </message>
    <message>
        <source>A control message could not be read.</source>
        <translation>Eine Steuernachricht war nicht lesbar.</translation>
    </message>
    <message>
        <source>The other end does not speak Hearth&apos;s protocol.</source>
        <translation>Die Gegenseite spricht nicht das Protokoll von Hearth.</translation>
    </message>
    <message>
        <source>Check that the same version of Hearth runs on both devices.</source>
        <translation>Prüfen Sie, ob auf beiden Geräten dieselbe Version von Hearth läuft.</translation>
    </message>
    <message>
        <source>A frame begins with unexpected bytes.</source>
        <translation>Ein Rahmen beginnt mit unerwarteten Bytes.</translation>
    </message>
    <message>
        <source>It uses version %1 of the protocol; this program knows %2.</source>
        <translation>Es nutzt Version %1 des Protokolls; dieses Programm kennt %2.</translation>
    </message>
    <message>
        <source>A tensor came where none is allowed.</source>
        <translation>Ein Tensor kam, wo keiner erlaubt ist.</translation>
    </message>
    <message>
        <source>The header of a tensor has %1 bytes.</source>
        <translation>Der Kopf eines Tensors hat %1 Bytes.</translation>
    </message>
    <message>
        <source>A control message has %1 bytes; from 1 to %2 are allowed.</source>
        <translation>Eine Steuernachricht hat %1 Bytes; erlaubt sind 1 bis %2.</translation>
    </message>
    <message>
        <source>A frame has the unknown type %1.</source>
        <translation>Ein Rahmen hat den unbekannten Typ %1.</translation>
    </message>
    <message>
        <source>CBOR: %1.</source>
        <translation>CBOR: %1.</translation>
    </message>
    <message>
        <source>A tensor arrived damaged.</source>
        <translation>Ein Tensor kam beschädigt an.</translation>
    </message>
    <message>
        <source>Its checksum is %1 instead of %2.</source>
        <translation>Seine Prüfsumme ist %1 statt %2.</translation>
    </message>
    <message>
        <source>If this happens again, test the memory of both devices.</source>
        <translation>Geschieht das wieder, prüfen Sie den Speicher beider Geräte.</translation>
    </message>
    <message>
        <source>The peer sent too much before it showed who it is.</source>
        <translation>Die Gegenseite sandte zu viel, bevor sie zeigte, wer sie ist.</translation>
    </message>
    <message>
        <source>The peer left during the handshake.</source>
        <translation>Die Gegenseite ging während des Verbindungsaufbaus.</translation>
    </message>
    <message>
        <source>The peer did not finish the handshake in time.</source>
        <translation>Die Gegenseite schloss den Verbindungsaufbau nicht rechtzeitig ab.</translation>
    </message>
    <message>
        <source>The peer does not speak TLS as Hearth does.</source>
        <translation>Die Gegenseite spricht TLS nicht so wie Hearth.</translation>
    </message>
    <message>
        <source>The peer sent its first message in too many pieces.</source>
        <translation>Die Gegenseite sandte ihre erste Nachricht in zu vielen Stücken.</translation>
    </message>
    <message>
        <source>OpenSSL says: %1.</source>
        <translation>OpenSSL meldet: %1.</translation>
    </message>
    <message>
        <source>The identity in %1 cannot be used.</source>
        <translation>Die Identität in %1 ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>Restore it from a backup, or remove key.pem and cert.pem to get a new identity; devices that trusted the old one must then be paired again.</source>
        <translation>Stellen Sie sie aus einer Sicherung wieder her oder entfernen Sie key.pem und cert.pem für eine neue Identität; Geräte, die der alten vertrauten, müssen dann neu gekoppelt werden.</translation>
    </message>
    <message>
        <source>The certificate&apos;s key is of a kind that is not accepted.</source>
        <translation>Der Schlüssel des Zertifikats ist von einer Art, die nicht angenommen wird.</translation>
    </message>
    <message>
        <source>Only ECDSA keys on the curve P-256 are.</source>
        <translation>Nur ECDSA-Schlüssel auf der Kurve P-256 werden es.</translation>
    </message>
    <message>
        <source>The certificate has no key.</source>
        <translation>Das Zertifikat hat keinen Schlüssel.</translation>
    </message>
    <message>
        <source>Free some space or choose another place with --state.</source>
        <translation>Schaffen Sie Platz oder wählen Sie mit --state einen anderen Ort.</translation>
    </message>
    <message>
        <source>The private key %1 is refused: others can use it.</source>
        <translation>Der private Schlüssel %1 wird abgelehnt: Andere können ihn benutzen.</translation>
    </message>
    <message>
        <source>The file belongs to another user.</source>
        <translation>Die Datei gehört einem anderen Benutzer.</translation>
    </message>
    <message>
        <source>Its mode is %1, so that its group or others have access.</source>
        <translation>Seine Rechte sind %1, sodass seine Gruppe oder andere Zugriff haben.</translation>
    </message>
    <message>
        <source>If nobody has read it, run chmod 600 on it; otherwise remove it and pair again.</source>
        <translation>Hat ihn niemand gelesen, führen Sie chmod 600 dafür aus; sonst entfernen Sie ihn und koppeln Sie erneut.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a fingerprint.</source>
        <translation>„%1“ ist kein Fingerabdruck.</translation>
    </message>
    <message>
        <source>A fingerprint has exactly 64 digits from 0 to 9 and a to f.</source>
        <translation>Ein Fingerabdruck hat genau 64 Ziffern aus 0 bis 9 und a bis f.</translation>
    </message>
    <message>
        <source>No certificate was presented.</source>
        <translation>Es wurde kein Zertifikat vorgelegt.</translation>
    </message>
    <message>
        <source>The private key cannot be read.</source>
        <translation>Der private Schlüssel ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The key is not an ECDSA key on the curve P-256.</source>
        <translation>Der Schlüssel ist kein ECDSA-Schlüssel auf der Kurve P-256.</translation>
    </message>
    <message>
        <source>The certificate cannot be read.</source>
        <translation>Das Zertifikat ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The certificate belongs to another key.</source>
        <translation>Das Zertifikat gehört zu einem anderen Schlüssel.</translation>
    </message>
    <message>
        <source>The TLS library of this system does not accept the key.</source>
        <translation>Die TLS-Bibliothek dieses Systems nimmt den Schlüssel nicht an.</translation>
    </message>
    <message>
        <source>No key could be made.</source>
        <translation>Es konnte kein Schlüssel erzeugt werden.</translation>
    </message>
    <message>
        <source>It does not hold an ECDSA key on the curve P-256.</source>
        <translation>Darin steht kein ECDSA-Schlüssel auf der Kurve P-256.</translation>
    </message>
    <message>
        <source>A control message is too large to be sent.</source>
        <translation>Eine Steuernachricht ist zu groß zum Senden.</translation>
    </message>
    <message>
        <source>The other end closed the connection.</source>
        <translation>Die Gegenseite schloss die Verbindung.</translation>
    </message>
    <message>
        <source>The request &quot;%1&quot; was dropped by the other end.</source>
        <translation>Die Anfrage „%1“ wurde von der Gegenseite fallen gelassen.</translation>
    </message>
    <message>
        <source>The connection was closed on this side.</source>
        <translation>Die Verbindung wurde auf dieser Seite geschlossen.</translation>
    </message>
    <message>
        <source>The other end</source>
        <translation>Das andere Ende</translation>
    </message>
    <message>
        <source>The request &quot;%1&quot; was allowed %2 seconds.</source>
        <translation>Der Anfrage „%1“ waren %2 Sekunden gewährt.</translation>
    </message>
    <message>
        <source>The connection is closed.</source>
        <translation>Die Verbindung ist geschlossen.</translation>
    </message>
    <message>
        <source>It has no arguments.</source>
        <translation>Sie hat keine Argumente.</translation>
    </message>
    <message>
        <source>Its kind is &quot;%1&quot;.</source>
        <translation>Ihre Art ist „%1“.</translation>
    </message>
    <message>
        <source>Too many requests are waiting for an answer.</source>
        <translation>Zu viele Anfragen warten auf eine Antwort.</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The request &quot;%1&quot; is unknown here.</source>
        <translation>Die Anfrage „%1“ ist hier unbekannt.</translation>
    </message>
    <message>
        <source>The other end may run another version.</source>
        <translation>Die Gegenseite hat womöglich eine andere Version.</translation>
    </message>
    <message>
        <source>A request could not be understood.</source>
        <translation>Eine Anfrage war nicht zu verstehen.</translation>
    </message>
    <message>
        <source>A statement of this device could not be signed.</source>
        <translation>Eine Erklärung dieses Geräts konnte nicht unterschrieben werden.</translation>
    </message>
    <message>
        <source>Its private key cannot be used.</source>
        <translation>Sein privater Schlüssel ist nicht brauchbar.</translation>
    </message>
    <message>
        <source>Start the agent again.</source>
        <translation>Starten Sie den Agenten neu.</translation>
    </message>
    <message>
        <source>A part of a layer&apos;s state does not fit.</source>
        <translation>Ein Teil des Zustands einer Schicht passt nicht.</translation>
    </message>
    <message>
        <source>It is of layer %1 at version %2; layer %3 at version %4 is awaited.</source>
        <translation>Er ist von Schicht %1 in Version %2; erwartet wird Schicht %3 in Version %4.</translation>
    </message>
    <message>
        <source>Chunk %1 of %2 with %3 bytes; the state has %4 bytes in %5 chunks.</source>
        <translation>Stück %1 von %2 mit %3 Bytes; der Zustand hat %4 Bytes in %5 Stücken.</translation>
    </message>
    <message>
        <source>Chunk %1 came twice.</source>
        <translation>Stück %1 kam zweimal.</translation>
    </message>
    <message>
        <source>%1 does not pair.</source>
        <translation>%1 koppelt nicht.</translation>
    </message>
    <message>
        <source>It is another program, or an agent of another version.</source>
        <translation>Es ist ein anderes Programm oder ein Agent einer anderen Version.</translation>
    </message>
    <message>
        <source>The other device closed the connection.</source>
        <translation>Das andere Gerät hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>The other device did not answer in time.</source>
        <translation>Das andere Gerät antwortete nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>It sent more than a pairing needs.</source>
        <translation>Es sandte mehr, als eine Kopplung braucht.</translation>
    </message>
    <message>
        <source>A message has %1 bytes; from 1 to %2 are allowed.</source>
        <translation>Eine Nachricht hat %1 Bytes; erlaubt sind 1 bis %2.</translation>
    </message>
    <message>
        <source>It has %1 bytes; at most %2 are allowed.</source>
        <translation>Sie hat %1 Bytes; höchstens %2 sind erlaubt.</translation>
    </message>
    <message>
        <source>%1 closed the connection.</source>
        <translation>%1 hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>The connection to %1 is stuck.</source>
        <translation>Die Verbindung zu %1 steckt fest.</translation>
    </message>
    <message>
        <source>Nothing could be sent for %1 seconds.</source>
        <translation>Seit %1 Sekunden ließ sich nichts senden.</translation>
    </message>
    <message>
        <source>A transfer stopped in its middle for %1 seconds.</source>
        <translation>Eine Übertragung stand %1 Sekunden lang still.</translation>
    </message>
    <message>
        <source>Check that the device is awake and in reach of the network.</source>
        <translation>Prüfen Sie, ob das Gerät wach und im Netz ist.</translation>
    </message>
    <message>
        <source>The connection to %1 is closed.</source>
        <translation>Die Verbindung zu %1 ist geschlossen.</translation>
    </message>
    <message>
        <source>The other end does not read what it is sent.</source>
        <translation>Die Gegenseite liest nicht, was ihr gesendet wird.</translation>
    </message>
    <message>
        <source>Check that the program there still runs.</source>
        <translation>Prüfen Sie, ob das Programm dort noch läuft.</translation>
    </message>
    <message>
        <source>It ended in the middle of a message.</source>
        <translation>Sie endete mitten in einer Nachricht.</translation>
    </message>
    <message>
        <source>The other end went away (%1).</source>
        <translation>Die Gegenseite ist fort (%1).</translation>
    </message>
    <message>
        <source>The connection to %1 is broken.</source>
        <translation>Die Verbindung zu %1 ist gestört.</translation>
    </message>
    <message>
        <source>What arrived is not what was sent (%1).</source>
        <translation>Angekommen ist nicht, was gesendet wurde (%1).</translation>
    </message>
    <message>
        <source>If this happens again, look at the cables and devices in between.</source>
        <translation>Geschieht das wieder, sehen Sie nach Kabeln und Geräten dazwischen.</translation>
    </message>
    <message>
        <source>The kernel cannot be told which connections to leave unanswered.</source>
        <translation>Dem Kernel lässt sich nicht sagen, welche Verbindungen unbeantwortet bleiben sollen.</translation>
    </message>
    <message>
        <source>A tensor with a wrong header is on its way.</source>
        <translation>Ein Tensor mit falschem Kopf ist unterwegs.</translation>
    </message>
    <message>
        <source>It has %1 dimensions; at most %2 are possible.</source>
        <translation>Er hat %1 Dimensionen; höchstens %2 sind möglich.</translation>
    </message>
    <message>
        <source>Its shape has more bytes than can be counted.</source>
        <translation>Seine Form hat mehr Bytes, als sich zählen lassen.</translation>
    </message>
    <message>
        <source>Its kind %1 is unknown.</source>
        <translation>Seine Art %1 ist unbekannt.</translation>
    </message>
    <message>
        <source>Its element type %1 is unknown.</source>
        <translation>Sein Elementtyp %1 ist unbekannt.</translation>
    </message>
    <message>
        <source>Its codec %1 is unknown.</source>
        <translation>Sein Codec %1 ist unbekannt.</translation>
    </message>
    <message>
        <source>Its shape has %1 bytes, but it names %2.</source>
        <translation>Seine Form hat %1 Bytes, er nennt aber %2.</translation>
    </message>
    <message>
        <source>Its payload has %1 bytes instead of %2.</source>
        <translation>Seine Nutzlast hat %1 statt %2 Bytes.</translation>
    </message>
    <message>
        <source>It has %1 bytes; at most %2 travel in one frame.</source>
        <translation>Er hat %1 Bytes; höchstens %2 passen in einen Rahmen.</translation>
    </message>
    <message>
        <source>It has %1 dimensions.</source>
        <translation>Er hat %1 Dimensionen.</translation>
    </message>
    <message>
        <source>Bytes that must be zero are not.</source>
        <translation>Bytes, die null sein müssen, sind es nicht.</translation>
    </message>
    <message>
        <source>%1 did not answer.</source>
        <translation>%1 hat nicht geantwortet.</translation>
    </message>
    <message>
        <source>The connection was allowed %1 seconds.</source>
        <translation>Der Verbindung waren %1 Sekunden gewährt.</translation>
    </message>
    <message>
        <source>%1 cannot be reached.</source>
        <translation>%1 ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>Check that the device is on and that its agent runs.</source>
        <translation>Prüfen Sie, ob das Gerät an ist und sein Agent läuft.</translation>
    </message>
    <message>
        <source>The connection to %1 could not be secured.</source>
        <translation>Die Verbindung zu %1 konnte nicht gesichert werden.</translation>
    </message>
    <message>
        <source>The connection is not protected by TLS 1.3.</source>
        <translation>Die Verbindung ist nicht durch TLS 1.3 geschützt.</translation>
    </message>
    <message>
        <source>Its key is %1, not %2.</source>
        <translation>Sein Schlüssel ist %1, nicht %2.</translation>
    </message>
    <message>
        <source>%1 is not the device that was expected.</source>
        <translation>%1 ist nicht das erwartete Gerät.</translation>
    </message>
    <message>
        <source>If the device was set up anew, forget it and pair it again.</source>
        <translation>Wurde das Gerät neu eingerichtet, vergessen Sie es und koppeln es neu.</translation>
    </message>
    <message>
        <source>%1 did not accept this device.</source>
        <translation>%1 hat dieses Gerät nicht angenommen.</translation>
    </message>
    <message>
        <source>Pair the two devices, or trust this one there.</source>
        <translation>Koppeln Sie die beiden Geräte, oder vertrauen Sie diesem dort.</translation>
    </message>
    <message>
        <source>%1 does not speak Hearth&apos;s protocol.</source>
        <translation>%1 spricht nicht das Protokoll von Hearth.</translation>
    </message>
    <message>
        <source>A connection was refused before it was looked at.</source>
        <translation>Eine Verbindung wurde abgelehnt, bevor sie geprüft wurde.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Port %1 of %2 cannot be opened.</source>
        <translation>Port %1 von %2 lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Another program uses it.</source>
        <translation>Ein anderes Programm benutzt ihn.</translation>
    </message>
    <message>
        <source>End the other program, or choose another port with --listen.</source>
        <translation>Beenden Sie das andere Programm oder wählen Sie mit --listen einen anderen Port.</translation>
    </message>
    <message>
        <source>Too many came at the same time.</source>
        <translation>Zu viele kamen zur selben Zeit.</translation>
    </message>
    <message>
        <source>A newer one took its place.</source>
        <translation>Eine neuere trat an ihre Stelle.</translation>
    </message>
    <message>
        <source>A connection could not be secured.</source>
        <translation>Eine Verbindung konnte nicht gesichert werden.</translation>
    </message>
    <message>
        <source>More than %1 handshakes of strangers a second would begin.</source>
        <translation>Mehr als %1 Verbindungsaufbauten Fremder würden je Sekunde beginnen.</translation>
    </message>
    <message>
        <source>A device that is not trusted here tried to connect.</source>
        <translation>Ein Gerät, dem hier nicht vertraut wird, wollte sich verbinden.</translation>
    </message>
    <message>
        <source>Its fingerprint is %1.</source>
        <translation>Sein Fingerabdruck ist %1.</translation>
    </message>
    <message>
        <source>If it is yours, trust it first.</source>
        <translation>Gehört es Ihnen, vertrauen Sie ihm zuerst.</translation>
    </message>
    <message>
        <source>A device that is ignored here tried to pair.</source>
        <translation>Ein hier ignoriertes Gerät wollte koppeln.</translation>
    </message>
    <message>
        <source>The run has begun already.</source>
        <translation>Der Lauf hat schon begonnen.</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>Der Lauf ist zu Ende.</translation>
    </message>
    <message>
        <source>%1 is the identity of this very device.</source>
        <translation>%1 ist die Identität eben dieses Geräts.</translation>
    </message>
    <message>
        <source>There is no command &quot;%1&quot;.</source>
        <translation>Es gibt keinen Befehl „%1“.</translation>
    </message>
    <message>
        <source>The file to trust is missing.</source>
        <translation>Die Datei, der vertraut werden soll, fehlt.</translation>
    </message>
    <message>
        <source>Write: trust FILE.</source>
        <translation>Schreiben Sie: trust DATEI.</translation>
    </message>
    <message>
        <source>The argument &quot;%1&quot; is one too many.</source>
        <translation>Das Argument „%1“ ist eines zu viel.</translation>
    </message>
    <message>
        <source>The option --%1 is unknown.</source>
        <translation>Die Option --%1 ist unbekannt.</translation>
    </message>
    <message>
        <source>--ephemeral needs a folder that holds nothing else.</source>
        <translation>--ephemeral braucht einen Ordner, in dem nichts anderes liegt.</translation>
    </message>
    <message>
        <source>Give a new one with --state; it is removed at the end.</source>
        <translation>Geben Sie mit --state einen neuen an; er wird am Ende entfernt.</translation>
    </message>
    <message>
        <source>--threads takes a number from 1 to 4096.</source>
        <translation>--threads nimmt eine Zahl von 1 bis 4096.</translation>
    </message>
    <message>
        <source>--memory takes a number of bytes.</source>
        <translation>--memory nimmt eine Anzahl von Bytes.</translation>
    </message>
    <message>
        <source>This worker was started before.</source>
        <translation>Dieser Worker wurde schon gestartet.</translation>
    </message>
    <message>
        <source>Interrupted.</source>
        <translation>Unterbrochen.</translation>
    </message>
    <message>
        <source>The option &quot;%1&quot; is unknown here.</source>
        <translation>Die Option „%1“ ist hier unbekannt.</translation>
    </message>
    <message>
        <source>The option --%1 does not take &quot;%2&quot;.</source>
        <translation>Die Option --%1 nimmt „%2“ nicht an.</translation>
    </message>
    <message>
        <source>Give a number above 0, at most %1.</source>
        <translation>Geben Sie eine Zahl über 0 an, höchstens %1.</translation>
    </message>
    <message>
        <source>Name it by the digits of its key: see &quot;hearth devices&quot;.</source>
        <translation>Nennen Sie es mit den Ziffern seines Schlüssels: siehe „hearth devices“.</translation>
    </message>
    <message>
        <source>There is none.</source>
        <translation>Es gibt keines.</translation>
    </message>
    <message>
        <source>There are: %1.</source>
        <translation>Es gibt: %1.</translation>
    </message>
    <message>
        <source>Give a name or the digits of a key, as &quot;hearth devices&quot; lists them.</source>
        <translation>Geben Sie einen Namen oder die Ziffern eines Schlüssels an, wie „hearth devices“ sie aufführt.</translation>
    </message>
    <message>
        <source>--undo needs a device.</source>
        <translation>--undo braucht ein Gerät.</translation>
    </message>
    <message>
        <source>&quot;hearth ignore&quot; lists those that are ignored.</source>
        <translation>„hearth ignore“ führt die ignorierten auf.</translation>
    </message>
    <message>
        <source>No device that is ignored is called &quot;%1&quot;.</source>
        <translation>Kein ignoriertes Gerät heißt „%1“.</translation>
    </message>
    <message>
        <source>No device that was found nearby is called &quot;%1&quot;.</source>
        <translation>Kein in der Nähe gefundenes Gerät heißt „%1“.</translation>
    </message>
    <message>
        <source>--memory takes an amount, not &quot;%1&quot;.</source>
        <translation>--memory nimmt eine Menge, nicht „%1“.</translation>
    </message>
    <message>
        <source>Write for instance 6GiB, 512MiB, or all.</source>
        <translation>Schreiben Sie zum Beispiel 6GiB, 512MiB oder all.</translation>
    </message>
    <message>
        <source>--pause and --resume contradict each other.</source>
        <translation>--pause und --resume widersprechen einander.</translation>
    </message>
    <message>
        <source>--init and --save belong together.</source>
        <translation>--init und --save gehören zusammen.</translation>
    </message>
    <message>
        <source>For instance: hearth model fashion-cnn --init 1 --save w.safetensors</source>
        <translation>Zum Beispiel: hearth model fashion-cnn --init 1 --save w.safetensors</translation>
    </message>
    <message>
        <source>Several devices nearby are called &quot;%1&quot;.</source>
        <translation>Mehrere Geräte in der Nähe heißen „%1“.</translation>
    </message>
    <message>
        <source>Name it by its address, or by its digits: see &quot;hearth devices&quot;.</source>
        <translation>Nennen Sie es mit seiner Adresse oder seinen Ziffern: siehe „hearth devices“.</translation>
    </message>
    <message>
        <source>This program cannot ask a home for a plan.</source>
        <translation>Dieses Programm kann kein Zuhause nach einem Plan fragen.</translation>
    </message>
    <message>
        <source>Give a problem file or an environment instead.</source>
        <translation>Geben Sie stattdessen eine Problemdatei oder eine Umgebung an.</translation>
    </message>
    <message>
        <source>--%1 does not go with --%2.</source>
        <translation>--%1 passt nicht zu --%2.</translation>
    </message>
    <message>
        <source>The run ended before there was a plan.</source>
        <translation>Der Lauf endete, bevor es einen Plan gab.</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>Er wurde angehalten.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The plan came without a prediction.</source>
        <translation>Der Plan kam ohne Vorhersage.</translation>
    </message>
    <message>
        <source>The option --duplex does not take &quot;%1&quot;.</source>
        <translation>Die Option --duplex nimmt „%1“ nicht an.</translation>
    </message>
    <message>
        <source>--pipedream needs --profiled-batch.</source>
        <translation>--pipedream braucht --profiled-batch.</translation>
    </message>
    <message>
        <source>A profile does not say how many samples it was measured with: give their number.</source>
        <translation>Ein Profil sagt nicht, mit wie vielen Beispielen es gemessen wurde: Geben Sie ihre Zahl an.</translation>
    </message>
    <message>
        <source>Give one of PROBLEM, --job and --environment.</source>
        <translation>Geben Sie eines von PROBLEM, --job und --environment an.</translation>
    </message>
    <message>
        <source>--%1 goes with --environment only.</source>
        <translation>--%1 passt nur zu --environment.</translation>
    </message>
    <message>
        <source>--%1 goes with --pipedream only.</source>
        <translation>--%1 passt nur zu --pipedream.</translation>
    </message>
    <message>
        <source>Give one of --model and --pipedream.</source>
        <translation>Geben Sie eines von --model und --pipedream an.</translation>
    </message>
    <message>
        <source>--state goes with --job only.</source>
        <translation>--state passt nur zu --job.</translation>
    </message>
    <message>
        <source>The events can no longer be written to standard output.</source>
        <translation>Die Ereignisse lassen sich nicht mehr auf die Standardausgabe schreiben.</translation>
    </message>
    <message>
        <source>The program that reads it has ended, or the disk is full.</source>
        <translation>Das Programm, das sie liest, ist beendet, oder die Platte ist voll.</translation>
    </message>
    <message>
        <source>--%1 does not take &quot;%2&quot;.</source>
        <translation>--%1 nimmt „%2“ nicht an.</translation>
    </message>
    <message>
        <source>Name rounds (50), seconds (90s), minutes (5m), or 0 for none; not more than a thousand million rounds or seconds.</source>
        <translation>Nennen Sie Runden (50), Sekunden (90s), Minuten (5m) oder 0 für keine; höchstens eine Milliarde Runden oder Sekunden.</translation>
    </message>
    <message>
        <source>--resume and %1 do not go together.</source>
        <translation>--resume und %1 passen nicht zusammen.</translation>
    </message>
    <message>
        <source>Leave one of them out.</source>
        <translation>Lassen Sie eines davon weg.</translation>
    </message>
    <message>
        <source>--partial needs --weights.</source>
        <translation>--partial braucht --weights.</translation>
    </message>
    <message>
        <source>Name a file with --weights.</source>
        <translation>Nennen Sie mit --weights eine Datei.</translation>
    </message>
    <message>
        <source>Choose another file with %1.</source>
        <translation>Wählen Sie mit %1 eine andere Datei.</translation>
    </message>
    <message>
        <source>The weights %1 cannot be read.</source>
        <translation>Die Gewichte %1 sind nicht lesbar.</translation>
    </message>
    <message>
        <source>Check the name; &quot;hearth model %1 --init SEED --save FILE&quot; makes such a file.</source>
        <translation>Prüfen Sie den Namen; „hearth model %1 --init SEED --save FILE“ macht eine solche Datei.</translation>
    </message>
    <message>
        <source>What this run measured is not known.</source>
        <translation>Was dieser Lauf gemessen hat, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The model &quot;%1&quot; takes no adapters.</source>
        <translation>Das Modell „%1“ nimmt keine Adapter auf.</translation>
    </message>
    <message>
        <source>It is described by layers and not by one graph of named ops.</source>
        <translation>Es ist durch Schichten beschrieben und nicht durch einen Graphen benannter Operationen.</translation>
    </message>
    <message>
        <source>Choose a network that is one, such as bert-small.</source>
        <translation>Wählen Sie ein Netz, das einer ist, etwa bert-small.</translation>
    </message>
    <message>
        <source>No op of &quot;%1&quot; gets an adapter.</source>
        <translation>Keine Operation von „%1“ bekommt einen Adapter.</translation>
    </message>
    <message>
        <source>No linear op has a name like %1.</source>
        <translation>Keine linear-Operation heißt wie %1.</translation>
    </message>
    <message>
        <source>The model &quot;%1&quot; has no options.</source>
        <translation>Das Modell „%1“ hat keine Optionen.</translation>
    </message>
    <message>
        <source>It is one network, which its description says in full.</source>
        <translation>Es ist ein einziges Netz, das seine Beschreibung ganz bestimmt.</translation>
    </message>
    <message>
        <source>Leave out &quot;%1&quot;.</source>
        <translation>Lassen Sie „%1“ weg.</translation>
    </message>
    <message>
        <source>%1 names a file that is not read.</source>
        <translation>%1 nennt eine Datei, die nicht gelesen wird.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no safetensors file of its folder.</source>
        <translation>„%1“ ist keine safetensors-Datei in ihrem Ordner.</translation>
    </message>
    <message>
        <source>Save the network again, all its files in one folder.</source>
        <translation>Speichern Sie das Netz noch einmal, alle Dateien in einem Ordner.</translation>
    </message>
    <message>
        <source>%1 does not say where the weights are.</source>
        <translation>%1 sagt nicht, wo die Gewichte sind.</translation>
    </message>
    <message>
        <source>Its &quot;weight_map&quot; names %1 files, 1 to %2 are allowed.</source>
        <translation>Ihre „weight_map“ nennt %1 Dateien, erlaubt sind 1 bis %2.</translation>
    </message>
    <message>
        <source>Save the network again.</source>
        <translation>Speichern Sie das Netz noch einmal.</translation>
    </message>
    <message>
        <source>%1 has no weights that can be read.</source>
        <translation>%1 hat keine Gewichte, die sich lesen lassen.</translation>
    </message>
    <message>
        <source>Its pytorch_model.bin is a program, not data, and Hearth does not run it.</source>
        <translation>Die pytorch_model.bin darin ist ein Programm, keine Daten, und Hearth führt es nicht aus.</translation>
    </message>
    <message>
        <source>There is neither %1 nor %2 in it.</source>
        <translation>Darin gibt es weder %1 noch %2.</translation>
    </message>
    <message>
        <source>Save it with save_pretrained(folder, safe_serialization=True), or download its model.safetensors.</source>
        <translation>Speichern Sie es mit save_pretrained(folder, safe_serialization=True), oder laden Sie seine model.safetensors herunter.</translation>
    </message>
    <message>
        <source>%1 is no folder of a Hugging Face network.</source>
        <translation>%1 ist kein Ordner eines Netzes von Hugging Face.</translation>
    </message>
    <message>
        <source>There is no config.json in it.</source>
        <translation>Darin gibt es keine config.json.</translation>
    </message>
    <message>
        <source>Choose the folder that save_pretrained() made.</source>
        <translation>Wählen Sie den Ordner, den save_pretrained() angelegt hat.</translation>
    </message>
    <message>
        <source>Choose a folder that you may write.</source>
        <translation>Wählen Sie einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>The folder %1 is not empty.</source>
        <translation>Der Ordner %1 ist nicht leer.</translation>
    </message>
    <message>
        <source>A network is only written to a folder of its own.</source>
        <translation>Ein Netz wird nur in einen eigenen Ordner geschrieben.</translation>
    </message>
    <message>
        <source>The function &quot;%1&quot; is not known.</source>
        <translation>Die Funktion „%1“ ist unbekannt.</translation>
    </message>
    <message>
        <source>Hearth computes gelu, gelu_new, relu, silu, tanh and sigmoid.</source>
        <translation>Hearth rechnet gelu, gelu_new, relu, silu, tanh und sigmoid.</translation>
    </message>
    <message>
        <source>Hearth does not compute what this value stands for.</source>
        <translation>Hearth rechnet nicht, wofür dieser Wert steht.</translation>
    </message>
    <message>
        <source>Networks with the value %1 can be trained.</source>
        <translation>Netze mit dem Wert %1 lassen sich trainieren.</translation>
    </message>
    <message>
        <source>%1 does not divide %2.</source>
        <translation>%1 teilt %2 nicht.</translation>
    </message>
    <message>
        <source>A sample of %1 tokens does not fit this network.</source>
        <translation>Ein Beispiel mit %1 Token passt nicht zu diesem Netz.</translation>
    </message>
    <message>
        <source>It takes 1 to %1: choose with &quot;sequence&quot;.</source>
        <translation>Es nimmt 1 bis %1: Wählen Sie mit „sequence“.</translation>
    </message>
    <message>
        <source>This kind of network has no head for %1 here.</source>
        <translation>Diese Art von Netz hat hier keinen Kopf für %1.</translation>
    </message>
    <message>
        <source>Choose one with &quot;head&quot;: %1.</source>
        <translation>Wählen Sie einen mit „head“: %1.</translation>
    </message>
    <message>
        <source>Rotary positions turn pairs of numbers, and %1 is odd.</source>
        <translation>Rotierende Positionen drehen Paare von Zahlen, und %1 ist ungerade.</translation>
    </message>
    <message>
        <source>Positions scaled as &quot;%1&quot; are not computed here.</source>
        <translation>Positionen, die wie „%1“ skaliert sind, werden hier nicht gerechnet.</translation>
    </message>
    <message>
        <source>Networks with plain rotary positions can be trained.</source>
        <translation>Netze mit einfachen rotierenden Positionen lassen sich trainieren.</translation>
    </message>
    <message>
        <source>An answer of %1 tokens does not fit this network.</source>
        <translation>Eine Antwort mit %1 Token passt nicht zu diesem Netz.</translation>
    </message>
    <message>
        <source>Patches of %1×%1 do not cover pictures of %2×%2.</source>
        <translation>Kacheln von %1×%1 decken Bilder von %2×%2 nicht ab.</translation>
    </message>
    <message>
        <source>%1: networks of this kind cannot be trained here.</source>
        <translation>%1: Netze dieser Art lassen sich hier nicht trainieren.</translation>
    </message>
    <message>
        <source>It does not say which kind it is (&quot;model_type&quot;).</source>
        <translation>Sie sagt nicht, welche Art es ist („model_type“).</translation>
    </message>
    <message>
        <source>Its &quot;model_type&quot; is &quot;%1&quot;.</source>
        <translation>Ihr „model_type“ ist „%1“.</translation>
    </message>
    <message>
        <source>Known are %1. Another may come as ONNX.</source>
        <translation>Bekannt sind %1. Ein anderes kann als ONNX kommen.</translation>
    </message>
    <message>
        <source>%1 has no weights for this network.</source>
        <translation>%1 hat keine Gewichte für dieses Netz.</translation>
    </message>
    <message>
        <source>No tensor has the name and the shape of one of the network&apos;s, such as &quot;%1&quot;.</source>
        <translation>Kein Tensor hat den Namen und die Form eines Tensors des Netzes, etwa „%1“.</translation>
    </message>
    <message>
        <source>Check that config.json and the weights belong together.</source>
        <translation>Prüfen Sie, ob config.json und die Gewichte zusammengehören.</translation>
    </message>
    <message>
        <source>%1 are new and begin at random: %2.</source>
        <translation>%1 sind neu und beginnen zufällig: %2.</translation>
    </message>
    <message>
        <source>%1 have another shape than the file&apos;s and begin at random: %2.</source>
        <translation>%1 haben eine andere Form als in der Datei und beginnen zufällig: %2.</translation>
    </message>
    <message>
        <source>%1 of the file are not used: %2.</source>
        <translation>%1 der Datei werden nicht gebraucht: %2.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; cannot be trained.</source>
        <translation>Der Tensor „%1“ lässt sich nicht trainieren.</translation>
    </message>
    <message>
        <source>Its elements are whole numbers (%1).</source>
        <translation>Seine Elemente sind ganze Zahlen (%1).</translation>
    </message>
    <message>
        <source>Save the network in float32, float16 or bfloat16.</source>
        <translation>Speichern Sie das Netz in float32, float16 oder bfloat16.</translation>
    </message>
    <message>
        <source>There is no momentum.</source>
        <translation>Es gibt kein Momentum.</translation>
    </message>
    <message>
        <source>Give a &quot;momentum&quot;, or leave &quot;nesterov&quot; out.</source>
        <translation>Geben Sie ein „momentum“ an, oder lassen Sie „nesterov“ weg.</translation>
    </message>
    <message>
        <source>It is not tied to an earlier layer.</source>
        <translation>Er ist an keine frühere Schicht gebunden.</translation>
    </message>
    <message>
        <source>It has more bytes than the layers that share it.</source>
        <translation>Er hat mehr Bytes als die Schichten, die ihn teilen.</translation>
    </message>
    <message>
        <source>There are no weights of &quot;%1&quot;.</source>
        <translation>Es gibt keine Gewichte von „%1“.</translation>
    </message>
    <message>
        <source>It is neither a file nor a run of this computer that has saved its weights.</source>
        <translation>Das ist weder eine Datei noch ein Lauf dieses Rechners, der seine Gewichte gespeichert hat.</translation>
    </message>
    <message>
        <source>&quot;hearth runs&quot; lists the runs; &quot;hearth save RUN FILE&quot; saves those of one under way.</source>
        <translation>„hearth runs“ listet die Läufe auf; „hearth save RUN FILE“ speichert die eines laufenden.</translation>
    </message>
    <message>
        <source>For instance: hearth export RUN --hugging-face new --from bert-base-uncased:classes=3</source>
        <translation>Zum Beispiel: hearth export RUN --hugging-face neu --from bert-base-uncased:classes=3</translation>
    </message>
    <message>
        <source>--adapters takes none, bottleneck or lora.</source>
        <translation>--adapters nimmt none, bottleneck oder lora.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is none of them.</source>
        <translation>„%1“ ist keines davon.</translation>
    </message>
    <message>
        <source>Check the permissions.</source>
        <translation>Prüfen Sie die Rechte.</translation>
    </message>
    <message>
        <source>Its input %1 is computed while the network runs, or is a weight.</source>
        <translation>Seine Eingabe %1 wird berechnet, während das Netz läuft, oder ist ein Gewicht.</translation>
    </message>
    <message>
        <source>Export with constants there.</source>
        <translation>Exportieren Sie es dort mit Konstanten.</translation>
    </message>
    <message>
        <source>Its weights are computed by the network itself.</source>
        <translation>Seine Gewichte berechnet das Netz selbst.</translation>
    </message>
    <message>
        <source>Export with do_constant_folding=True, or make them plain weights (for instance by torch.nn.utils.remove_weight_norm).</source>
        <translation>Exportieren Sie es mit do_constant_folding=True, oder machen Sie einfache Gewichte daraus (etwa mit torch.nn.utils.remove_weight_norm).</translation>
    </message>
    <message>
        <source>It works along the batch.</source>
        <translation>Er arbeitet entlang des Batches.</translation>
    </message>
    <message>
        <source>Samples must not see each other: use another dimension.</source>
        <translation>Beispiele dürfen einander nicht sehen: Verwenden Sie eine andere Dimension.</translation>
    </message>
    <message>
        <source>It takes whole numbers that depend on the samples.</source>
        <translation>Er nimmt ganze Zahlen, die von den Beispielen abhängen.</translation>
    </message>
    <message>
        <source>Its constant is no finite number.</source>
        <translation>Seine Konstante ist keine endliche Zahl.</translation>
    </message>
    <message>
        <source>Convert them to real numbers first.</source>
        <translation>Wandeln Sie sie zuerst in reelle Zahlen um.</translation>
    </message>
    <message>
        <source>Its second input is left out.</source>
        <translation>Seine zweite Eingabe fehlt.</translation>
    </message>
    <message>
        <source>Its exponent is not one number.</source>
        <translation>Sein Exponent ist nicht eine einzige Zahl.</translation>
    </message>
    <message>
        <source>Its bounds are not numbers.</source>
        <translation>Seine Grenzen sind keine Zahlen.</translation>
    </message>
    <message>
        <source>Its condition depends on the samples.</source>
        <translation>Seine Bedingung hängt von den Beispielen ab.</translation>
    </message>
    <message>
        <source>Multiply or add a mask instead, or leave the mask out.</source>
        <translation>Multiplizieren oder addieren Sie stattdessen eine Maske, oder lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Neither side is one number.</source>
        <translation>Keine der beiden Seiten ist eine einzige Zahl.</translation>
    </message>
    <message>
        <source>Multiply or add a mask instead.</source>
        <translation>Multiplizieren oder addieren Sie stattdessen eine Maske.</translation>
    </message>
    <message>
        <source>It drops everything.</source>
        <translation>Er lässt alles weg.</translation>
    </message>
    <message>
        <source>It has two graphs.</source>
        <translation>Sie hat zwei Graphen.</translation>
    </message>
    <message>
        <source>It is cut short or damaged.</source>
        <translation>Sie ist abgeschnitten oder beschädigt.</translation>
    </message>
    <message>
        <source>It holds no graph.</source>
        <translation>Sie enthält keinen Graphen.</translation>
    </message>
    <message>
        <source>%1 cannot be opened.</source>
        <translation>%1 lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>It uses version %1 of the ONNX operators; %2 to %3 are known here.</source>
        <translation>Sie verwendet Version %1 der ONNX-Operatoren; hier sind %2 bis %3 bekannt.</translation>
    </message>
    <message>
        <source>Export it again with opset_version=17.</source>
        <translation>Exportieren Sie sie noch einmal mit opset_version=17.</translation>
    </message>
    <message>
        <source>%1 is not a valid ONNX file.</source>
        <translation>%1 ist keine gültige ONNX-Datei.</translation>
    </message>
    <message>
        <source>Export it again, or choose another file.</source>
        <translation>Exportieren Sie sie noch einmal, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, at most %3 are allowed.</source>
        <translation>%1 hat %2 Bytes, höchstens %3 sind erlaubt.</translation>
    </message>
    <message>
        <source>%1 is damaged.</source>
        <translation>%1 ist beschädigt.</translation>
    </message>
    <message>
        <source>The list of operator sets</source>
        <translation>Die Liste der Operatoren</translation>
    </message>
    <message>
        <source>An output</source>
        <translation>Eine Ausgabe</translation>
    </message>
    <message>
        <source>It has too many outputs.</source>
        <translation>Sie hat zu viele Ausgaben.</translation>
    </message>
    <message>
        <source>It has sparse tensors, which are not supported.</source>
        <translation>Sie hat dünn besetzte Tensoren, die nicht unterstützt werden.</translation>
    </message>
    <message>
        <source>An input</source>
        <translation>Eine Eingabe</translation>
    </message>
    <message>
        <source>It has too many inputs.</source>
        <translation>Sie hat zu viele Eingaben.</translation>
    </message>
    <message>
        <source>An input has more than %1 dimensions.</source>
        <translation>Eine Eingabe hat mehr als %1 Dimensionen.</translation>
    </message>
    <message>
        <source>It has more than %1 tensors.</source>
        <translation>Sie hat mehr als %1 Tensoren.</translation>
    </message>
    <message>
        <source>A tensor is damaged.</source>
        <translation>Ein Tensor ist beschädigt.</translation>
    </message>
    <message>
        <source>A shape</source>
        <translation>Eine Form</translation>
    </message>
    <message>
        <source>The name of a tensor</source>
        <translation>Der Name eines Tensors</translation>
    </message>
    <message>
        <source>A large tensor is neither raw bytes nor a list of real numbers.</source>
        <translation>Ein großer Tensor besteht weder aus rohen Bytes noch aus einer Liste reeller Zahlen.</translation>
    </message>
    <message>
        <source>It has more than %1 nodes.</source>
        <translation>Sie hat mehr als %1 Knoten.</translation>
    </message>
    <message>
        <source>A node</source>
        <translation>Ein Knoten</translation>
    </message>
    <message>
        <source>Its nodes have more than %1 bytes.</source>
        <translation>Ihre Knoten haben mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>A node is damaged.</source>
        <translation>Ein Knoten ist beschädigt.</translation>
    </message>
    <message>
        <source>Its nodes have more than %1 inputs, outputs and numbers.</source>
        <translation>Ihre Knoten haben mehr als %1 Eingaben, Ausgaben und Zahlen.</translation>
    </message>
    <message>
        <source>It has more than 2 GiB, which no ONNX file may have.</source>
        <translation>Sie hat mehr als 2 GiB, was keine ONNX-Datei haben darf.</translation>
    </message>
    <message>
        <source>Export it with its weights in a file beside it (external data).</source>
        <translation>Exportieren Sie sie mit den Gewichten in einer Datei daneben (external data).</translation>
    </message>
    <message>
        <source>Its constants are too large to be computed here.</source>
        <translation>Seine Konstanten sind zu groß, um hier berechnet zu werden.</translation>
    </message>
    <message>
        <source>Export with do_constant_folding=True.</source>
        <translation>Exportieren Sie es mit do_constant_folding=True.</translation>
    </message>
    <message>
        <source>It gives more than %1 dimensions.</source>
        <translation>Er gibt mehr als %1 Dimensionen.</translation>
    </message>
    <message>
        <source>Its shape %1 is not valid.</source>
        <translation>Seine Form %1 ist nicht gültig.</translation>
    </message>
    <message>
        <source>%1 cannot take the shape %2.</source>
        <translation>%1 kann die Form %2 nicht annehmen.</translation>
    </message>
    <message>
        <source>Its permutation is not valid.</source>
        <translation>Seine Vertauschung ist nicht gültig.</translation>
    </message>
    <message>
        <source>Its inputs do not fit together.</source>
        <translation>Seine Eingaben passen nicht zusammen.</translation>
    </message>
    <message>
        <source>Its starts, ends, axes and steps are not equally many.</source>
        <translation>Seine starts, ends, axes und steps sind nicht gleich viele.</translation>
    </message>
    <message>
        <source>Its step is not valid.</source>
        <translation>Seine Schrittweite ist nicht gültig.</translation>
    </message>
    <message>
        <source>It takes element %1 of %2.</source>
        <translation>Er nimmt Element %1 von %2.</translation>
    </message>
    <message>
        <source>Constants are only reduced as a whole.</source>
        <translation>Konstanten werden nur als Ganzes zusammengefasst.</translation>
    </message>
    <message>
        <source>Its constants are empty or too large to be computed here.</source>
        <translation>Seine Konstanten sind leer oder zu groß, um hier berechnet zu werden.</translation>
    </message>
    <message>
        <source>Its range is too long, or depends on the batch.</source>
        <translation>Sein Bereich ist zu lang oder hängt vom Batch ab.</translation>
    </message>
    <message>
        <source>Its value cannot be read.</source>
        <translation>Sein Wert lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>Its inputs %1 and %2 do not fit together.</source>
        <translation>Seine Eingaben %1 und %2 passen nicht zusammen.</translation>
    </message>
    <message>
        <source>It works along dimension %1 of %2.</source>
        <translation>Er arbeitet entlang der Dimension %1 von %2.</translation>
    </message>
    <message>
        <source>Its output shape or its padding is not that of torch.nn.ConvTranspose2d.</source>
        <translation>Seine Ausgabeform oder sein Rand ist nicht die von torch.nn.ConvTranspose2d.</translation>
    </message>
    <message>
        <source>It gives nothing.</source>
        <translation>Er gibt nichts.</translation>
    </message>
    <message>
        <source>Its weights %1 do not fit.</source>
        <translation>Seine Gewichte %1 passen nicht.</translation>
    </message>
    <message>
        <source>It takes lists or whole numbers instead of matrices.</source>
        <translation>Er nimmt Listen oder ganze Zahlen statt Matrizen.</translation>
    </message>
    <message>
        <source>Its matrices do not fit together.</source>
        <translation>Seine Matrizen passen nicht zusammen.</translation>
    </message>
    <message>
        <source>It takes something else than matrices.</source>
        <translation>Er nimmt etwas anderes als Matrizen.</translation>
    </message>
    <message>
        <source>It scales its product or its sum.</source>
        <translation>Er skaliert sein Produkt oder seine Summe.</translation>
    </message>
    <message>
        <source>Scale by a separate product.</source>
        <translation>Skalieren Sie mit einem eigenen Produkt.</translation>
    </message>
    <message>
        <source>It does not take samples with channels.</source>
        <translation>Er nimmt keine Beispiele mit Kanälen.</translation>
    </message>
    <message>
        <source>Its input %1 is not one value for each channel.</source>
        <translation>Seine Eingabe %1 ist nicht ein Wert je Kanal.</translation>
    </message>
    <message>
        <source>Its weights do not fit.</source>
        <translation>Seine Gewichte passen nicht.</translation>
    </message>
    <message>
        <source>It takes more than %1 separate parts.</source>
        <translation>Er nimmt mehr als %1 getrennte Teile.</translation>
    </message>
    <message>
        <source>It takes nothing.</source>
        <translation>Er nimmt nichts.</translation>
    </message>
    <message>
        <source>It looks up something else than rows of a table by whole numbers.</source>
        <translation>Er schlägt etwas anderes nach als Zeilen einer Tabelle mit ganzen Zahlen.</translation>
    </message>
    <message>
        <source>It looks up values by others that both depend on the samples.</source>
        <translation>Er schlägt Werte mit anderen nach, und beide hängen von den Beispielen ab.</translation>
    </message>
    <message>
        <source>%1: the node &quot;%2&quot; (%3) cannot be imported.</source>
        <translation>%1: Der Knoten „%2“ (%3) lässt sich nicht importieren.</translation>
    </message>
    <message>
        <source>%1: the input &quot;%2&quot; cannot be imported.</source>
        <translation>%1: Die Eingabe „%2“ lässt sich nicht importieren.</translation>
    </message>
    <message>
        <source>Its elements are neither real numbers nor whole ones.</source>
        <translation>Ihre Elemente sind weder reelle noch ganze Zahlen.</translation>
    </message>
    <message>
        <source>Convert it in front of the network.</source>
        <translation>Wandeln Sie sie vor dem Netz um.</translation>
    </message>
    <message>
        <source>It has no batch dimension.</source>
        <translation>Sie hat keine Dimension für den Batch.</translation>
    </message>
    <message>
        <source>Give it one as its first dimension.</source>
        <translation>Geben Sie ihr eine als erste Dimension.</translation>
    </message>
    <message>
        <source>The file leaves its dimension &quot;%1&quot; open.</source>
        <translation>Die Datei lässt ihre Dimension „%1“ offen.</translation>
    </message>
    <message>
        <source>Say its size behind the file&apos;s name: %1:%2=N.</source>
        <translation>Nennen Sie ihre Größe hinter dem Dateinamen: %1:%2=N.</translation>
    </message>
    <message>
        <source>Its dimension %1 is not a number from 1 to %2.</source>
        <translation>Ihre Dimension %1 ist keine Zahl von 1 bis %2.</translation>
    </message>
    <message>
        <source>Export it for one size: only the batch may be in dynamic_axes.</source>
        <translation>Exportieren Sie sie für eine Größe: Nur der Batch darf in dynamic_axes stehen.</translation>
    </message>
    <message>
        <source>%1 cannot be imported.</source>
        <translation>%1 lässt sich nicht importieren.</translation>
    </message>
    <message>
        <source>No input of it leaves a dimension &quot;%1&quot; open.</source>
        <translation>Keine Eingabe darin lässt eine Dimension „%1“ offen.</translation>
    </message>
    <message>
        <source>Leave out that size.</source>
        <translation>Lassen Sie diese Größe weg.</translation>
    </message>
    <message>
        <source>Its graph takes nothing.</source>
        <translation>Ihr Graph nimmt nichts.</translation>
    </message>
    <message>
        <source>Export a network that has an input.</source>
        <translation>Exportieren Sie ein Netz, das eine Eingabe hat.</translation>
    </message>
    <message>
        <source>A constant has too many elements.</source>
        <translation>Eine Konstante hat zu viele Elemente.</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; is there twice.</source>
        <translation>Der Name „%1“ kommt zweimal vor.</translation>
    </message>
    <message>
        <source>%1: the tensor &quot;%2&quot; cannot be imported.</source>
        <translation>%1: Der Tensor „%2“ lässt sich nicht importieren.</translation>
    </message>
    <message>
        <source>Its value is neither a tensor nor a number.</source>
        <translation>Sein Wert ist weder ein Tensor noch eine Zahl.</translation>
    </message>
    <message>
        <source>What it does depends on values while the network runs.</source>
        <translation>Was er tut, hängt von Werten ab, während das Netz läuft.</translation>
    </message>
    <message>
        <source>Export with torch.jit.trace, so that branches and loops are unrolled.</source>
        <translation>Exportieren Sie es mit torch.jit.trace, damit Verzweigungen und Schleifen aufgelöst werden.</translation>
    </message>
    <message>
        <source>It is an operator of &quot;%1&quot;, not of ONNX.</source>
        <translation>Er ist ein Operator von „%1“, nicht von ONNX.</translation>
    </message>
    <message>
        <source>Export without fused or custom operators.</source>
        <translation>Exportieren Sie es ohne verschmolzene oder eigene Operatoren.</translation>
    </message>
    <message>
        <source>The constants of the network are too large to be computed here.</source>
        <translation>Die Konstanten des Netzes sind zu groß, um hier berechnet zu werden.</translation>
    </message>
    <message>
        <source>Hearth has no such operator.</source>
        <translation>Hearth hat keinen solchen Operator.</translation>
    </message>
    <message>
        <source>Write this part of the network with other operators, or leave it out.</source>
        <translation>Schreiben Sie diesen Teil des Netzes mit anderen Operatoren, oder lassen Sie ihn weg.</translation>
    </message>
    <message>
        <source>Its first input is left out.</source>
        <translation>Seine erste Eingabe fehlt.</translation>
    </message>
    <message>
        <source>It gives %1 for each sample, which is too large.</source>
        <translation>Er gibt %1 für jedes Beispiel, und das ist zu groß.</translation>
    </message>
    <message>
        <source>Its graph gives nothing.</source>
        <translation>Ihr Graph gibt nichts.</translation>
    </message>
    <message>
        <source>%1: the output &quot;%2&quot; cannot be trained.</source>
        <translation>%1: Die Ausgabe „%2“ lässt sich nicht trainieren.</translation>
    </message>
    <message>
        <source>Export a network whose first output are logits, one row per sample.</source>
        <translation>Exportieren Sie ein Netz, dessen erste Ausgabe Logits sind, eine Zeile je Beispiel.</translation>
    </message>
    <message>
        <source>No node gives it.</source>
        <translation>Kein Knoten gibt sie.</translation>
    </message>
    <message>
        <source>It does not depend on the samples, or its batch is not its first dimension.</source>
        <translation>Sie hängt nicht von den Beispielen ab, oder der Batch ist nicht ihre erste Dimension.</translation>
    </message>
    <message>
        <source>It is an input.</source>
        <translation>Sie ist eine Eingabe.</translation>
    </message>
    <message>
        <source>Its input &quot;%1&quot; comes from no node before it.</source>
        <translation>Seine Eingabe „%1“ kommt von keinem Knoten davor.</translation>
    </message>
    <message>
        <source>The file is damaged, or its nodes are not in order.</source>
        <translation>Die Datei ist beschädigt, oder ihre Knoten stehen nicht in der richtigen Reihenfolge.</translation>
    </message>
    <message>
        <source>The network has more than %1 ops.</source>
        <translation>Das Netz hat mehr als %1 Operationen.</translation>
    </message>
    <message>
        <source>The places of the largest values are asked for.</source>
        <translation>Verlangt sind die Stellen der größten Werte.</translation>
    </message>
    <message>
        <source>Its padding is uneven and not counted.</source>
        <translation>Sein Rand ist ungleich und wird nicht mitgezählt.</translation>
    </message>
    <message>
        <source>Pad evenly, or with count_include_pad.</source>
        <translation>Verwenden Sie einen gleichmäßigen Rand oder count_include_pad.</translation>
    </message>
    <message>
        <source>Its padding is uneven.</source>
        <translation>Sein Rand ist ungleich.</translation>
    </message>
    <message>
        <source>Name the dimensions of a sample.</source>
        <translation>Nennen Sie die Dimensionen eines Beispiels.</translation>
    </message>
    <message>
        <source>It does not take samples of channels×height×width.</source>
        <translation>Er nimmt keine Beispiele aus Kanälen×Höhe×Breite.</translation>
    </message>
    <message>
        <source>Its scales are not one for each dimension.</source>
        <translation>Seine Maßstäbe sind nicht einer je Dimension.</translation>
    </message>
    <message>
        <source>It changes the number of samples or channels, or gives nothing.</source>
        <translation>Er ändert die Zahl der Beispiele oder Kanäle, oder er gibt nichts.</translation>
    </message>
    <message>
        <source>It interpolates in a way that PyTorch&apos;s nearest and bilinear do not.</source>
        <translation>Er interpoliert anders als nearest und bilinear von PyTorch.</translation>
    </message>
    <message>
        <source>Use torch.nn.Upsample with mode nearest or bilinear.</source>
        <translation>Verwenden Sie torch.nn.Upsample mit mode nearest oder bilinear.</translation>
    </message>
    <message>
        <source>Its inputs have different numbers of dimensions.</source>
        <translation>Seine Eingaben haben verschieden viele Dimensionen.</translation>
    </message>
    <message>
        <source>It goes backwards.</source>
        <translation>Er geht rückwärts.</translation>
    </message>
    <message>
        <source>It has more parts than names for them.</source>
        <translation>Er hat mehr Teile als Namen dafür.</translation>
    </message>
    <message>
        <source>Its pads are not two for each dimension.</source>
        <translation>Seine Ränder sind nicht zwei je Dimension.</translation>
    </message>
    <message>
        <source>It cuts off instead of padding, or pads too much.</source>
        <translation>Er schneidet ab, statt einen Rand anzufügen, oder der Rand ist zu groß.</translation>
    </message>
    <message>
        <source>It repeats along the batch.</source>
        <translation>Er wiederholt entlang des Batches.</translation>
    </message>
    <message>
        <source>Its channels cannot be divided into blocks.</source>
        <translation>Seine Kanäle lassen sich nicht in Blöcke teilen.</translation>
    </message>
    <message>
        <source>What it gives is too large.</source>
        <translation>Was er gibt, ist zu groß.</translation>
    </message>
    <message>
        <source>It names a dimension twice.</source>
        <translation>Er nennt eine Dimension zweimal.</translation>
    </message>
    <message>
        <source>It removes a dimension of %1.</source>
        <translation>Er entfernt eine Dimension der Größe %1.</translation>
    </message>
    <message>
        <source>Its weights are said to be in &quot;%1&quot;. %2</source>
        <translation>Ihre Gewichte sollen in „%1“ sein. %2</translation>
    </message>
    <message>
        <source>There is no folder to look in.</source>
        <translation>Es gibt keinen Ordner, in dem gesucht werden kann.</translation>
    </message>
    <message>
        <source>Weights must lie in the folder of the ONNX file.</source>
        <translation>Gewichte müssen im Ordner der ONNX-Datei liegen.</translation>
    </message>
    <message>
        <source>A link is not followed.</source>
        <translation>Einem Link wird nicht gefolgt.</translation>
    </message>
    <message>
        <source>There is no such file.</source>
        <translation>Diese Datei gibt es nicht.</translation>
    </message>
    <message>
        <source>The place of the tensor &quot;%1&quot; is no number.</source>
        <translation>Die Stelle des Tensors „%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is said to have %2 bytes at %3 of &quot;%4&quot;, which has %5.</source>
        <translation>Der Tensor „%1“ soll %2 Bytes ab Stelle %3 von „%4“ haben; die Datei hat %5.</translation>
    </message>
    <message>
        <source>A name has more than %1 bytes.</source>
        <translation>Ein Name hat mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; has elements of type %2, which is not supported.</source>
        <translation>Der Tensor „%1“ hat Elemente vom Typ %2, der nicht unterstützt wird.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; has more than %2 dimensions.</source>
        <translation>Der Tensor „%1“ hat mehr als %2 Dimensionen.</translation>
    </message>
    <message>
        <source>The shape of the tensor &quot;%1&quot; is not valid or too large.</source>
        <translation>Die Form des Tensors „%1“ ist nicht gültig oder zu groß.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; has %2 bytes, but its type and shape %3 need %4.</source>
        <translation>Der Tensor „%1“ hat %2 Bytes, aber sein Typ und seine Form %3 brauchen %4.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; is in pieces.</source>
        <translation>Der Tensor „%1“ ist zerteilt.</translation>
    </message>
    <message>
        <source>A node has more than %1 inputs or outputs.</source>
        <translation>Ein Knoten hat mehr als %1 Eingaben oder Ausgaben.</translation>
    </message>
    <message>
        <source>It has become shorter since it was opened.</source>
        <translation>Sie ist kürzer geworden, seit sie geöffnet wurde.</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>Öffnen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>%1 cannot take the shape %2 with any batch.</source>
        <translation>%1 kann die Form %2 nicht mit jedem Batch annehmen.</translation>
    </message>
    <message>
        <source>Export with the batch in dynamic_axes, and without its size in the code.</source>
        <translation>Exportieren Sie es mit dem Batch in dynamic_axes und ohne seine Größe im Code.</translation>
    </message>
    <message>
        <source>The batch is not the same dimension of both of its inputs.</source>
        <translation>Der Batch ist nicht dieselbe Dimension beider Eingaben.</translation>
    </message>
    <message>
        <source>Samples must not see each other.</source>
        <translation>Beispiele dürfen einander nicht sehen.</translation>
    </message>
    <message>
        <source>Samples must not differ by their place in the batch.</source>
        <translation>Beispiele dürfen sich nicht nach ihrem Platz im Batch unterscheiden.</translation>
    </message>
    <message>
        <source>It does not take samples of channels×height×width or channels×length.</source>
        <translation>Er nimmt keine Beispiele aus Kanälen×Höhe×Breite oder Kanälen×Länge.</translation>
    </message>
    <message>
        <source>Three dimensions, and a batch that was joined with another dimension, are not supported.</source>
        <translation>Drei Dimensionen und ein Batch, der mit einer anderen Dimension verbunden wurde, werden nicht unterstützt.</translation>
    </message>
    <message>
        <source>Its kernel, strides, dilations or pads are not valid.</source>
        <translation>Seine kernel, strides, dilations oder pads sind nicht gültig.</translation>
    </message>
    <message>
        <source>Its kernel is larger than what it takes.</source>
        <translation>Sein Kern ist größer als das, was er nimmt.</translation>
    </message>
    <message>
        <source>Export it for a larger input.</source>
        <translation>Exportieren Sie es für eine größere Eingabe.</translation>
    </message>
    <message>
        <source>The model &quot;%1&quot; cannot be written as an ONNX file.</source>
        <translation>Das Modell „%1“ lässt sich nicht als ONNX-Datei schreiben.</translation>
    </message>
    <message>
        <source>ONNX has no operator for the op &quot;%1&quot; (%2).</source>
        <translation>ONNX hat keinen Operator für die Operation „%1“ (%2).</translation>
    </message>
    <message>
        <source>Save the weights as safetensors and build the network where it is used.</source>
        <translation>Speichern Sie die Gewichte als safetensors, und bauen Sie das Netz dort, wo es verwendet wird.</translation>
    </message>
    <message>
        <source>Free some space or choose another folder.</source>
        <translation>Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Copies of version %1 did not arrive in time.</source>
        <translation>Kopien der Version %1 kamen nicht rechtzeitig an.</translation>
    </message>
    <message>
        <source>They were on their way to %1.</source>
        <translation>Sie waren unterwegs zu %1.</translation>
    </message>
    <message>
        <source>The run tries again with a newer version and waits longer. Check the network to this device: until copies arrive, a lost device costs more rounds.</source>
        <translation>Der Lauf versucht es mit einer neueren Version noch einmal und wartet länger. Prüfen Sie das Netzwerk zu diesem Gerät: Bis Kopien ankommen, kostet ein verlorenes Gerät mehr Runden.</translation>
    </message>
    <message>
        <source>Say what to write.</source>
        <translation>Sagen Sie, was geschrieben werden soll.</translation>
    </message>
    <message>
        <source>Say where the network came from.</source>
        <translation>Sagen Sie, woher das Netz kam.</translation>
    </message>
    <message>
        <source>It has no slopes, or takes whole numbers.</source>
        <translation>Er hat keine Steigungen oder nimmt ganze Zahlen.</translation>
    </message>
    <message>
        <source>It repeats whole numbers %1 times.</source>
        <translation>Er wiederholt ganze Zahlen %1-mal.</translation>
    </message>
    <message>
        <source>It repeats something more than %1 times.</source>
        <translation>Er wiederholt etwas mehr als %1-mal.</translation>
    </message>
    <message>
        <source>Some of its weights are constants, others are not.</source>
        <translation>Einige seiner Gewichte sind Konstanten, andere nicht.</translation>
    </message>
    <message>
        <source>Make all of them parameters of the module, or none.</source>
        <translation>Machen Sie alle zu Parametern des Moduls oder keines.</translation>
    </message>
    <message>
        <source>Its labels have another shape or type than those of %1.</source>
        <translation>Ihre Labels haben eine andere Form oder einen anderen Typ als die von %1.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; fits nothing in &quot;%2&quot;.</source>
        <translation>„%1“ passt auf nichts in „%2“.</translation>
    </message>
    <message>
        <source>Choose among the names that &quot;hearth model&quot; lists; * stands for any letters.</source>
        <translation>Wählen Sie unter den Namen, die „hearth model“ auflistet; * steht für beliebige Zeichen.</translation>
    </message>
    <message>
        <source>No op with tensors has a name like this.</source>
        <translation>Keine Operation mit Tensoren heißt so.</translation>
    </message>
    <message>
        <source>No layer with tensors has a name like this.</source>
        <translation>Keine Schicht mit Tensoren heißt so.</translation>
    </message>
    <message>
        <source>No linear op has a name like this.</source>
        <translation>Keine linear-Operation heißt so.</translation>
    </message>
    <message>
        <source>Choose &quot;targets&quot; among the names that &quot;hearth model&quot; lists.</source>
        <translation>Wählen Sie „targets“ unter den Namen, die „hearth model“ auflistet.</translation>
    </message>
    <message>
        <source>It is not a list of patterns.</source>
        <translation>Das ist keine Liste von Mustern.</translation>
    </message>
    <message>
        <source>Give up to %1 texts such as &quot;*.query&quot;.</source>
        <translation>Geben Sie bis zu %1 Texte wie „*.query“ an.</translation>
    </message>
    <message>
        <source>Nothing of &quot;%1&quot; would be trained.</source>
        <translation>Nichts von „%1“ würde trainiert.</translation>
    </message>
    <message>
        <source>All its tensors are frozen.</source>
        <translation>Alle seine Tensoren sind eingefroren.</translation>
    </message>
    <message>
        <source>Take some back, as in &quot;freeze&quot;: [&quot;*&quot;, &quot;!head*&quot;], or add &quot;adapters&quot;.</source>
        <translation>Nehmen Sie einige aus, etwa mit &quot;freeze&quot;: [&quot;*&quot;, &quot;!head*&quot;], oder fügen Sie „adapters“ hinzu.</translation>
    </message>
    <message>
        <source>Between the two halves of &quot;%1&quot; is a ReLU.</source>
        <translation>Zwischen den beiden Hälften von „%1“ steht eine ReLU.</translation>
    </message>
    <message>
        <source>Only LoRA can be merged.</source>
        <translation>Nur LoRA lässt sich einrechnen.</translation>
    </message>
    <message>
        <source>It has none.</source>
        <translation>Es hat keine.</translation>
    </message>
    <message>
        <source>Its weights are those of the network already.</source>
        <translation>Seine Gewichte sind schon die des Netzes.</translation>
    </message>
    <message>
        <source>The adapters of &quot;%1&quot; cannot be merged.</source>
        <translation>Die Adapter von „%1“ lassen sich nicht einrechnen.</translation>
    </message>
    <message>
        <source>The weights have no matrix &quot;%1&quot;.</source>
        <translation>In den Gewichten gibt es keine Matrix „%1“.</translation>
    </message>
    <message>
        <source>Take the weights that the run saved.</source>
        <translation>Nehmen Sie die Gewichte, die der Lauf gespeichert hat.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no adapter of Hearth&apos;s.</source>
        <translation>„%1“ ist kein Adapter von Hearth.</translation>
    </message>
    <message>
        <source>Another op has the same weight as &quot;%1&quot;.</source>
        <translation>Eine andere Operation hat dasselbe Gewicht wie „%1“.</translation>
    </message>
    <message>
        <source>Leave it out of &quot;targets&quot;.</source>
        <translation>Lassen Sie sie in „targets“ weg.</translation>
    </message>
    <message>
        <source>The matrices of &quot;%1&quot; do not fit each other.</source>
        <translation>Die Matrizen von „%1“ passen nicht zueinander.</translation>
    </message>
    <message>
        <source>The loss &quot;%1&quot; knows no classes.</source>
        <translation>Der Verlust „%1“ kennt keine Klassen.</translation>
    </message>
    <message>
        <source>Leave it out, or choose &quot;%1&quot;.</source>
        <translation>Lassen Sie ihn weg, oder wählen Sie „%1“.</translation>
    </message>
    <message>
        <source>The numbers of an evaluation make no sense.</source>
        <translation>Die Zahlen einer Auswertung ergeben keinen Sinn.</translation>
    </message>
    <message>
        <source>Labels are real numbers, and the loss &quot;%1&quot; takes classes.</source>
        <translation>Die Labels sind reelle Zahlen, und der Verlust „%1“ nimmt Klassen.</translation>
    </message>
    <message>
        <source>Labels are whole numbers, and the loss &quot;%1&quot; takes real ones.</source>
        <translation>Die Labels sind ganze Zahlen, und der Verlust „%1“ nimmt reelle.</translation>
    </message>
    <message>
        <source>Choose another loss, or save the labels as int64.</source>
        <translation>Wählen Sie einen anderen Verlust, oder speichern Sie die Labels als int64.</translation>
    </message>
    <message>
        <source>Choose &quot;%1&quot;, or save the labels as float32.</source>
        <translation>Wählen Sie „%1“, oder speichern Sie die Labels als float32.</translation>
    </message>
    <message>
        <source>The length of the gradients is one 64-bit number.</source>
        <translation>Die Länge der Gradienten ist eine einzige 64-Bit-Zahl.</translation>
    </message>
    <message>
        <source>The length of the gradients does not come from there, or came twice.</source>
        <translation>Die Länge der Gradienten kommt nicht von dort oder kam zweimal.</translation>
    </message>
    <message>
        <source>The adapters of &quot;%1&quot; cannot be written for PEFT.</source>
        <translation>Die Adapter von „%1“ können nicht für PEFT geschrieben werden.</translation>
    </message>
    <message>
        <source>They are bottlenecks, and PEFT knows LoRA.</source>
        <translation>Sie sind Engpass-Adapter, und PEFT kennt LoRA.</translation>
    </message>
    <message>
        <source>An ONNX file has them as a part of the network: --onnx FILE.</source>
        <translation>Eine ONNX-Datei hat sie als Teil des Netzes: --onnx DATEI.</translation>
    </message>
    <message>
        <source>It has no LoRA, or its description does not say so.</source>
        <translation>Es hat kein LoRA, oder seine Beschreibung sagt nichts davon.</translation>
    </message>
    <message>
        <source>Name a run that trained with &quot;adapters&quot;; a whole network goes to --hugging-face FOLDER.</source>
        <translation>Nennen Sie einen Lauf, der mit &quot;adapters&quot; trainiert hat; ein ganzes Netz geht nach --hugging-face ORDNER.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; was trained itself and has an adapter, too.</source>
        <translation>„%1“ wurde selbst trainiert und hat auch einen Adapter.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; was trained or is new, and shares tensors with other modules.</source>
        <translation>„%1“ wurde trainiert oder ist neu und teilt Tensoren mit anderen Modulen.</translation>
    </message>
    <message>
        <source>Write the whole network: --hugging-face FOLDER --merge.</source>
        <translation>Schreiben Sie das ganze Netz: --hugging-face ORDNER --merge.</translation>
    </message>
    <message>
        <source>Its description does not know those of the weights.</source>
        <translation>Seine Beschreibung kennt die der Gewichte nicht.</translation>
    </message>
    <message>
        <source>Name the run in place of a file: it says how strong they are.</source>
        <translation>Nennen Sie statt einer Datei den Lauf: Er sagt, wie stark sie sind.</translation>
    </message>
    <message>
        <source>A Hugging Face folder has no place for adapters.</source>
        <translation>Ein Ordner von Hugging Face hat keinen Platz für Adapter.</translation>
    </message>
    <message>
        <source>These weights have bottlenecks, which cannot be merged.</source>
        <translation>Diese Gewichte haben Engpass-Adapter, die sich nicht einrechnen lassen.</translation>
    </message>
    <message>
        <source>These weights have LoRA beside the network&apos;s own.</source>
        <translation>Diese Gewichte haben LoRA neben denen des Netzes.</translation>
    </message>
    <message>
        <source>A Hugging Face folder has no place for it.</source>
        <translation>Ein Ordner von Hugging Face hat dafür keinen Platz.</translation>
    </message>
    <message>
        <source>An ONNX file has the network alone.</source>
        <translation>Eine ONNX-Datei hat nur das Netz.</translation>
    </message>
    <message>
        <source>Add --merge, which makes it a part of them, or write it for PEFT: --peft FOLDER.</source>
        <translation>Setzen Sie --merge hinzu, das es in sie einrechnet, oder schreiben Sie es für PEFT: --peft ORDNER.</translation>
    </message>
    <message>
        <source>The folder &quot;%1&quot; has no config.json.</source>
        <translation>Der Ordner „%1“ hat keine config.json.</translation>
    </message>
    <message>
        <source>That file says what network its weights belong to.</source>
        <translation>Diese Datei sagt, zu welchem Netz die Gewichte gehören.</translation>
    </message>
    <message>
        <source>Choose the folder that has config.json and model.safetensors.</source>
        <translation>Wählen Sie den Ordner, der config.json und model.safetensors enthält.</translation>
    </message>
    <message>
        <source>Choose the folder &quot;%1&quot; in it, which has one.</source>
        <translation>Wählen Sie den Ordner „%1“ darin, der eine hat.</translation>
    </message>
    <message>
        <source>A layer is listed twice or has no hash.</source>
        <translation>Eine Schicht ist zweimal aufgeführt oder hat keine Prüfsumme.</translation>
    </message>
    <message>
        <source>A holder is listed twice or is no peer.</source>
        <translation>Ein Besitzer ist zweimal aufgeführt oder fehlt unter den Gegenübern.</translation>
    </message>
    <message>
        <source>A device does not have the frozen tensors of a layer.</source>
        <translation>Einem Gerät fehlen die eingefrorenen Tensoren einer Schicht.</translation>
    </message>
    <message>
        <source>The frozen tensors of layer %1 are missing.</source>
        <translation>Die eingefrorenen Tensoren der Schicht %1 fehlen.</translation>
    </message>
    <message>
        <source>Neither another device of the run nor its coordinator gives those that training began with.</source>
        <translation>Weder ein anderes Gerät des Laufs noch sein Koordinator liefert die, mit denen das Training begann.</translation>
    </message>
    <message>
        <source>Start the run anew from its weights.</source>
        <translation>Starten Sie den Lauf neu mit seinen Gewichten.</translation>
    </message>
    <message>
        <source>The frozen tensors of layer %1 take %2 bytes.</source>
        <translation>Die eingefrorenen Tensoren der Schicht %1 belegen %2 Bytes.</translation>
    </message>
    <message>
        <source>Layer %1 has %2 bytes of frozen tensors.</source>
        <translation>Schicht %1 hat %2 Bytes an eingefrorenen Tensoren.</translation>
    </message>
    <message>
        <source>This link carries no tensors.</source>
        <translation>Diese Verbindung überträgt keine Tensoren.</translation>
    </message>
    <message>
        <source>It is no codec, or listed twice.</source>
        <translation>Es ist kein Codec, oder er ist doppelt genannt.</translation>
    </message>
    <message>
        <source>Codecs round numbers, and a job in float64 is there to be compared exactly.</source>
        <translation>Codecs runden Zahlen, und ein Auftrag in float64 ist für genaue Vergleiche da.</translation>
    </message>
    <message>
        <source>Choose &quot;none&quot;, or the precision float32.</source>
        <translation>Wählen Sie „none“ oder die Genauigkeit float32.</translation>
    </message>
    <message>
        <source>No device of this home has measured a network.</source>
        <translation>Kein Gerät dieses Zuhauses hat ein Netz gemessen.</translation>
    </message>
    <message>
        <source>Measure one with &quot;hearth profile&quot; first.</source>
        <translation>Messen Sie zuerst eines mit „hearth profile“.</translation>
    </message>
    <message>
        <source>The folder could not be made.</source>
        <translation>Der Ordner ließ sich nicht anlegen.</translation>
    </message>
    <message>
        <source>Give --onnx FILE or --csv FILE, for instance; --help names all forms.</source>
        <translation>Geben Sie zum Beispiel --onnx DATEI oder --csv DATEI an; --help nennt alle Formen.</translation>
    </message>
    <message>
        <source>A table with predictions must be complete.</source>
        <translation>Eine Tabelle mit Vorhersagen muss vollständig sein.</translation>
    </message>
    <message>
        <source>It must lie between 0 and %1.</source>
        <translation>Der Wert muss zwischen 0 und %1 liegen.</translation>
    </message>
    <message>
        <source>What a device measured cannot be read.</source>
        <translation>Was ein Gerät gemessen hat, lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>A time of a layer is none.</source>
        <translation>Die Zeit einer Schicht ist keine.</translation>
    </message>
    <message>
        <source>A unit is a layer of the model and a number of samples.</source>
        <translation>Eine Einheit ist eine Schicht des Modells und eine Anzahl von Beispielen.</translation>
    </message>
    <message>
        <source>Activations lost %1 % instead of at most %2 %.</source>
        <translation>Aktivierungen verloren %1 % statt höchstens %2 %.</translation>
    </message>
    <message>
        <source>Gradients lost %1 % instead of at most %2 %.</source>
        <translation>Gradienten verloren %1 % statt höchstens %2 %.</translation>
    </message>
    <message>
        <source>Twice running a micro-batch&apos;s loss was %1 % off.</source>
        <translation>Zweimal in Folge wich der Verlust eines Micro-Batch um %1 % ab.</translation>
    </message>
    <message>
        <source>Codecs cannot change now.</source>
        <translation>Die Kodierung kann jetzt nicht wechseln.</translation>
    </message>
    <message>
        <source>Round %1 has begun.</source>
        <translation>Runde %1 hat begonnen.</translation>
    </message>
    <message>
        <source>The data %1 have too few samples.</source>
        <translation>Die Daten %1 haben zu wenige Beispiele.</translation>
    </message>
    <message>
        <source>Of its training samples none would be set apart for validation, or none be left.</source>
        <translation>Von den Beispielen zum Trainieren käme keines in die Validierung, oder es bliebe keines übrig.</translation>
    </message>
    <message>
        <source>Choose another share for &quot;validation&quot; of the job, or leave it out.</source>
        <translation>Wählen Sie für „validation“ des Auftrags einen anderen Anteil, oder lassen Sie es weg.</translation>
    </message>
    <message>
        <source>The archive %1 cannot be read.</source>
        <translation>Das Archiv %1 kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Download or copy it again.</source>
        <translation>Laden oder kopieren Sie es noch einmal.</translation>
    </message>
    <message>
        <source>%1 is no part of CIFAR.</source>
        <translation>%1 ist kein Teil von CIFAR.</translation>
    </message>
    <message>
        <source>It has more than %1 bytes.</source>
        <translation>Es hat mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>%1 is cut short, or no part of CIFAR.</source>
        <translation>%1 ist abgeschnitten, oder kein Teil von CIFAR.</translation>
    </message>
    <message>
        <source>It has %1 bytes, which is no multiple of %2.</source>
        <translation>Es hat %1 Bytes, und das ist kein Vielfaches von %2.</translation>
    </message>
    <message>
        <source>%1 is damaged, or no part of CIFAR.</source>
        <translation>%1 ist beschädigt, oder kein Teil von CIFAR.</translation>
    </message>
    <message>
        <source>Picture %1 is of class %2; there are %3 (from 0).</source>
        <translation>Bild %1 ist von Klasse %2; es gibt %3 (ab 0).</translation>
    </message>
    <message>
        <source>%1 is not all of CIFAR.</source>
        <translation>%1 ist nicht alles von CIFAR.</translation>
    </message>
    <message>
        <source>It has no data_batch_1.bin … and no train.bin.</source>
        <translation>Es fehlen data_batch_1.bin … oder train.bin.</translation>
    </message>
    <message>
        <source>It has no test_batch.bin and no test.bin.</source>
        <translation>Es fehlt test_batch.bin oder test.bin.</translation>
    </message>
    <message>
        <source>The archives are called cifar-10-binary.tar.gz and cifar-100-binary.tar.gz.</source>
        <translation>Die Archive heißen cifar-10-binary.tar.gz und cifar-100-binary.tar.gz.</translation>
    </message>
    <message>
        <source>Correct it there; a text with quotation marks stands in such, each doubled.</source>
        <translation>Verbessern Sie sie dort; ein Text mit Anführungszeichen steht selbst in solchen, und jedes ist verdoppelt.</translation>
    </message>
    <message>
        <source>It has more than %1 fields or %2 bytes. Is a quotation mark not closed?</source>
        <translation>Sie hat mehr als %1 Felder oder %2 Bytes. Ist ein Anführungszeichen nicht geschlossen?</translation>
    </message>
    <message>
        <source>A quotation mark is opened and not closed.</source>
        <translation>Ein Anführungszeichen wird geöffnet und nicht geschlossen.</translation>
    </message>
    <message>
        <source>A quotation mark stands within a text that does not begin with one.</source>
        <translation>Ein Anführungszeichen steht in einem Text, der nicht mit einem beginnt.</translation>
    </message>
    <message>
        <source>Something follows a quotation mark that was closed.</source>
        <translation>Nach einem schließenden Anführungszeichen folgt noch etwas.</translation>
    </message>
    <message>
        <source>It is neither built in, nor registered, nor a file or folder.</source>
        <translation>Es ist weder eingebaut noch angemeldet, noch eine Datei oder ein Ordner.</translation>
    </message>
    <message>
        <source>There is nothing at %1.</source>
        <translation>Unter %1 ist nichts.</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>Nobody knows what kind of data %1 are.</source>
        <translation>Was für Daten %1 sind, ist nicht zu erkennen.</translation>
    </message>
    <message>
        <source>The manual&apos;s page &quot;Models and data&quot; says what can be read.</source>
        <translation>Was gelesen werden kann, sagt das Handbuch auf seiner Seite über Modelle und Daten.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name for data.</source>
        <translation>„%1“ ist kein Name für Daten.</translation>
    </message>
    <message>
        <source>Use up to 80 letters, digits, spaces, points and dashes; begin with a letter or digit.</source>
        <translation>Nehmen Sie bis zu 80 Buchstaben, Ziffern, Leerzeichen, Punkte und Striche; vorn steht ein Buchstabe oder eine Ziffer.</translation>
    </message>
    <message>
        <source>There is a data set &quot;%1&quot; already.</source>
        <translation>Einen Datensatz „%1“ gibt es schon.</translation>
    </message>
    <message>
        <source>Choose another name, or remove that one: hearth data remove &quot;%1&quot;</source>
        <translation>Wählen Sie einen anderen Namen, oder entfernen Sie jenen: hearth data remove &quot;%1&quot;</translation>
    </message>
    <message>
        <source>The file %1 could not be removed.</source>
        <translation>Die Datei %1 konnte nicht entfernt werden.</translation>
    </message>
    <message>
        <source>It names a file that names another one.</source>
        <translation>Es nennt eine Datei, die eine andere nennt.</translation>
    </message>
    <message>
        <source>%1 is no data set of pictures.</source>
        <translation>%1 ist kein Datensatz aus Bildern.</translation>
    </message>
    <message>
        <source>Make a folder of pictures for each class, or a CSV file with the columns file and label.</source>
        <translation>Legen Sie für jede Klasse einen Ordner mit Bildern an, oder eine CSV-Datei mit den Spalten file und label.</translation>
    </message>
    <message>
        <source>%1 is too large for one data set.</source>
        <translation>%1 ist zu groß für einen Datensatz.</translation>
    </message>
    <message>
        <source>It has more than %1 files or %2 classes.</source>
        <translation>Er hat mehr als %1 Dateien oder %2 Klassen.</translation>
    </message>
    <message>
        <source>Name a folder with less in it.</source>
        <translation>Nennen Sie einen Ordner, in dem weniger ist.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be read.</source>
        <translation>Der Ordner %1 kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>It is not yours to read.</source>
        <translation>Sie dürfen ihn nicht lesen.</translation>
    </message>
    <message>
        <source>Check its name and its permissions.</source>
        <translation>Prüfen Sie Namen und Rechte.</translation>
    </message>
    <message>
        <source>The folder is not yours to read.</source>
        <translation>Sie dürfen den Ordner nicht lesen.</translation>
    </message>
    <message>
        <source>It lies in the folder of no class.</source>
        <translation>Sie liegt im Ordner keiner Klasse.</translation>
    </message>
    <message>
        <source>It has no folders, one for each class.</source>
        <translation>Er hat keine Ordner, einen für jede Klasse.</translation>
    </message>
    <message>
        <source>Line %1 has no file or no label.</source>
        <translation>Zeile %1 hat keine Datei oder keine Klasse.</translation>
    </message>
    <message>
        <source>It lies outside the folder of the table.</source>
        <translation>Sie liegt außerhalb des Ordners der Tabelle.</translation>
    </message>
    <message>
        <source>There are no files in it.</source>
        <translation>Es sind keine Dateien darin.</translation>
    </message>
    <message>
        <source>None of the pictures to train with can be used.</source>
        <translation>Keines der Bilder zum Trainieren ist zu gebrauchen.</translation>
    </message>
    <message>
        <source>It is cut short.</source>
        <translation>Es ist abgeschnitten.</translation>
    </message>
    <message>
        <source>It is damaged: %1.</source>
        <translation>Es ist beschädigt: %1.</translation>
    </message>
    <message>
        <source>It has %1×%2 pixels and comes in passes, which takes too much memory.</source>
        <translation>Es hat %1×%2 Bildpunkte und kommt in Durchgängen, was zu viel Speicher braucht.</translation>
    </message>
    <message>
        <source>It has %1×%2 pixels, which take too much memory.</source>
        <translation>Es hat %1×%2 Bildpunkte, die zu viel Speicher brauchen.</translation>
    </message>
    <message>
        <source>%1 makes no data set.</source>
        <translation>%1 ergibt keinen Datensatz.</translation>
    </message>
    <message>
        <source>It should have the arrays x_train, y_train, x_test and y_test.</source>
        <translation>Darin sollten die Arrays x_train, y_train, x_test und y_test sein.</translation>
    </message>
    <message>
        <source>It has %1 bytes, more than is held in memory. Unpack it into a folder.</source>
        <translation>Es hat %1 Bytes, mehr als im Speicher gehalten wird. Entpacken Sie es in einen Ordner.</translation>
    </message>
    <message>
        <source>It has no array %1.</source>
        <translation>Es hat kein Array %1.</translation>
    </message>
    <message>
        <source>It has %1 bytes, more than is held in memory.</source>
        <translation>Es hat %1 Bytes, mehr als im Speicher gehalten wird.</translation>
    </message>
    <message>
        <source>x_train and x_test have other shapes or types.</source>
        <translation>x_train und x_test haben verschiedene Formen oder Typen.</translation>
    </message>
    <message>
        <source>The labels of pictures must be one whole number each, from 0 to 255.</source>
        <translation>Die Klassen von Bildern müssen je eine ganze Zahl sein, von 0 bis 255.</translation>
    </message>
    <message>
        <source>Nothing here reads %1; for WebP and TIFF there is the package qt6-image-formats-plugins.</source>
        <translation>Hier liest nichts %1; für WebP und TIFF gibt es das Paket qt6-image-formats-plugins.</translation>
    </message>
    <message>
        <source>It has %1×%2 pixels, more than the %3 million that a picture may have which is no JPEG.</source>
        <translation>Es hat %1×%2 Bildpunkte, mehr als die %3 Millionen, die ein Bild haben darf, das kein JPEG ist.</translation>
    </message>
    <message>
        <source>Check whether it is still there, and its permissions.</source>
        <translation>Prüfen Sie, ob sie noch da ist, und ihre Rechte.</translation>
    </message>
    <message>
        <source>It has %1 bytes; a picture may have %2.</source>
        <translation>Sie hat %1 Bytes; ein Bild darf %2 haben.</translation>
    </message>
    <message>
        <source>It is no picture: neither JPEG, PNG, WebP, BMP, GIF nor TIFF.</source>
        <translation>Es ist kein Bild: weder JPEG, PNG, WebP, BMP, GIF noch TIFF.</translation>
    </message>
    <message>
        <source>The picture %1 cannot be used.</source>
        <translation>Das Bild %1 ist nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>Repair or remove it, and check the data set again.</source>
        <translation>Reparieren oder entfernen Sie es, und prüfen Sie den Datensatz noch einmal.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a list of files.</source>
        <translation>„%1“ muss eine Liste von Dateien sein.</translation>
    </message>
    <message>
        <source>It names a class that &quot;classes&quot; does not.</source>
        <translation>Es nennt eine Klasse, die in „classes“ fehlt.</translation>
    </message>
    <message>
        <source>It is no absolute path.</source>
        <translation>Es ist kein absoluter Pfad.</translation>
    </message>
    <message>
        <source>It must be a list of 1 to %1 different names.</source>
        <translation>Es muss eine Liste von 1 bis %1 verschiedenen Namen sein.</translation>
    </message>
    <message>
        <source>&quot;mean&quot; and &quot;std&quot; are no numbers for each channel.</source>
        <translation>„mean“ und „std“ sind keine Zahlen für jeden Kanal.</translation>
    </message>
    <message>
        <source>Give both as lists of as many numbers as the input has channels, those of &quot;std&quot; above 0.</source>
        <translation>Geben Sie beide als Listen mit so vielen Zahlen an, wie die Eingabe Kanäle hat, die von „std“ über 0.</translation>
    </message>
    <message>
        <source>Only pictures can be augmented or made of another size.</source>
        <translation>Nur Bilder können verändert oder in eine andere Größe gebracht werden.</translation>
    </message>
    <message>
        <source>Leave &quot;augment&quot; and &quot;fit&quot; out, or choose other data.</source>
        <translation>Lassen Sie „augment“ und „fit“ weg, oder wählen Sie andere Daten.</translation>
    </message>
    <message>
        <source>The model takes %1, and pictures have 3 channels, or 1 in grey.</source>
        <translation>Das Modell nimmt %1, und Bilder haben 3 Kanäle, oder 1 in Grau.</translation>
    </message>
    <message>
        <source>No picture becomes the model&apos;s input of %1 as &quot;input&quot; says.</source>
        <translation>Kein Bild wird so, wie „input“ sagt, zur Eingabe %1 des Modells.</translation>
    </message>
    <message>
        <source>Choose another model, or correct &quot;input&quot; of the job.</source>
        <translation>Wählen Sie ein anderes Modell, oder verbessern Sie „input“ des Auftrags.</translation>
    </message>
    <message>
        <source>Say what to do with which data.</source>
        <translation>Sagen Sie, was mit welchen Daten geschehen soll.</translation>
    </message>
    <message>
        <source>--precision goes with --job alone.</source>
        <translation>--precision gehört nur zu --job.</translation>
    </message>
    <message>
        <source>A problem or an environment brings its own times, whatever the precision.</source>
        <translation>Ein Problem oder eine Umgebung bringt eigene Zeiten mit, gleich welche Genauigkeit.</translation>
    </message>
    <message>
        <source>--precision takes %1.</source>
        <translation>--precision nimmt %1.</translation>
    </message>
    <message>
        <source>Codecs change under another term.</source>
        <translation>Die Kodierung wechselt unter einer anderen Amtszeit.</translation>
    </message>
    <message>
        <source>It must be of %1 features.</source>
        <translation>Es muss %1 Merkmale haben.</translation>
    </message>
    <message>
        <source>No times of devices lead to that.</source>
        <translation>Keine Zeiten von Geräten führen dazu.</translation>
    </message>
    <message>
        <source>It is not the id of a device.</source>
        <translation>Das ist nicht die Kennung eines Geräts.</translation>
    </message>
    <message>
        <source>A device is no reference of its own.</source>
        <translation>Ein Gerät ist nicht sein eigener Maßstab.</translation>
    </message>
    <message>
        <source>Chunk %1 is damaged: its %2 bytes do not unpack to %3.</source>
        <translation>Stück %1 ist beschädigt: Seine %2 Bytes lassen sich nicht zu %3 entpacken.</translation>
    </message>
    <message>
        <source>A file of the class %1 is no path below the folder of the data.</source>
        <translation>Eine Datei der Klasse %1 ist kein Pfad unterhalb des Ordners der Daten.</translation>
    </message>
    <message>
        <source>The data set &quot;%1&quot; is built in.</source>
        <translation>Der Datensatz „%1“ ist eingebaut.</translation>
    </message>
    <message>
        <source>Only names that were added can be removed.</source>
        <translation>Nur Namen, die hinzugefügt wurden, lassen sich entfernen.</translation>
    </message>
    <message>
        <source>%1 has no columns to choose from.</source>
        <translation>%1 hat keine Spalten, unter denen zu wählen wäre.</translation>
    </message>
    <message>
        <source>Its label is no number.</source>
        <translation>Ihre Beschriftung ist keine Zahl.</translation>
    </message>
    <message>
        <source>It has no label, or one that no other row had when the data were looked at.</source>
        <translation>Sie hat keine Beschriftung, oder eine, die es nicht gab, als die Daten angesehen wurden.</translation>
    </message>
    <message>
        <source>The data %1 are not what they were.</source>
        <translation>Die Daten %1 sind nicht mehr, was sie waren.</translation>
    </message>
    <message>
        <source>Have them looked at again: hearth data check &quot;%1&quot;</source>
        <translation>Lassen Sie sie neu ansehen: hearth data check &quot;%1&quot;</translation>
    </message>
    <message>
        <source>There are no rows in %1.</source>
        <translation>In %1 sind keine Zeilen.</translation>
    </message>
    <message>
        <source>Name a file with a row of names, and rows of values below it.</source>
        <translation>Nennen Sie eine Datei mit einer Zeile von Namen und Zeilen von Werten darunter.</translation>
    </message>
    <message>
        <source>It is no JSON object.</source>
        <translation>Es ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a text nor a number.</source>
        <translation>„%1“ ist weder ein Text noch eine Zahl.</translation>
    </message>
    <message>
        <source>Correct it there: each line is an object such as {&quot;text&quot;: &quot;…&quot;, &quot;label&quot;: &quot;…&quot;}.</source>
        <translation>Berichtigen Sie es dort: Jede Zeile ist ein Objekt wie {&quot;text&quot;: &quot;…&quot;, &quot;label&quot;: &quot;…&quot;}.</translation>
    </message>
    <message>
        <source>It has no column &quot;%1&quot;.</source>
        <translation>Sie hat keine Spalte „%1“.</translation>
    </message>
    <message>
        <source>It is no valid UTF-8.</source>
        <translation>Es ist kein gültiges UTF-8.</translation>
    </message>
    <message>
        <source>Take a part of it.</source>
        <translation>Nehmen Sie einen Teil davon.</translation>
    </message>
    <message>
        <source>It is not what it was when it was opened.</source>
        <translation>Sie ist nicht mehr, was sie beim Öffnen war.</translation>
    </message>
    <message>
        <source>Begin again when nobody changes it.</source>
        <translation>Beginnen Sie noch einmal, wenn niemand sie ändert.</translation>
    </message>
    <message>
        <source>No training row has a value in this column.</source>
        <translation>Keine Zeile zum Trainieren hat einen Wert in dieser Spalte.</translation>
    </message>
    <message>
        <source>The column counts the rows.</source>
        <translation>Die Spalte zählt die Zeilen.</translation>
    </message>
    <message>
        <source>All rows have the same value in this column.</source>
        <translation>Alle Zeilen haben in dieser Spalte denselben Wert.</translation>
    </message>
    <message>
        <source>%1 is no table to learn from.</source>
        <translation>Aus der Tabelle %1 ist nichts zu lernen.</translation>
    </message>
    <message>
        <source>It has no label.</source>
        <translation>Sie hat keine Beschriftung.</translation>
    </message>
    <message>
        <source>Its label has more than %1 letters.</source>
        <translation>Ihre Beschriftung hat mehr als %1 Buchstaben.</translation>
    </message>
    <message>
        <source>The column &quot;%1&quot; has more than %2 different labels.</source>
        <translation>Die Spalte „%1“ hat mehr als %2 verschiedene Beschriftungen.</translation>
    </message>
    <message>
        <source>All training rows have the same label.</source>
        <translation>Alle Zeilen zum Trainieren haben dieselbe Beschriftung.</translation>
    </message>
    <message>
        <source>They make %1 numbers.</source>
        <translation>Sie ergeben %1 Zahlen.</translation>
    </message>
    <message>
        <source>%1 has no column &quot;%2&quot;.</source>
        <translation>%1 hat keine Spalte „%2“.</translation>
    </message>
    <message>
        <source>Of its rows %1 cannot be used; the first is %2: %3</source>
        <translation>Von ihren Zeilen sind %1 nicht zu gebrauchen; die erste ist %2: %3</translation>
    </message>
    <message>
        <source>No column but the label tells rows apart.</source>
        <translation>Keine Spalte außer der Beschriftung unterscheidet die Zeilen.</translation>
    </message>
    <message>
        <source>Its columns make more than %1 numbers.</source>
        <translation>Ihre Spalten ergeben mehr als %1 Zahlen.</translation>
    </message>
    <message>
        <source>For instance: hearth data add pets /home/me/pets, hearth data list, hearth data show pets, hearth data check pets, hearth data remove pets, hearth data add iris iris.csv --label species</source>
        <translation>Zum Beispiel: hearth data add pets /home/me/pets, hearth data list, hearth data show pets, hearth data check pets, hearth data remove pets, hearth data add iris iris.csv --label species</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a task.</source>
        <translation>„%1“ ist keine Aufgabe.</translation>
    </message>
    <message>
        <source>Say --task classification or --task regression.</source>
        <translation>Sagen Sie --task classification oder --task regression.</translation>
    </message>
    <message>
        <source>It is neither a folder of pictures, nor a table, nor texts, nor CIFAR, nor NumPy&apos;s.</source>
        <translation>Es ist weder ein Ordner mit Bildern noch eine Tabelle, weder Text noch CIFAR noch NumPy.</translation>
    </message>
    <message>
        <source>Leave out what is only for tables and texts.</source>
        <translation>Lassen Sie weg, was nur für Tabellen und Texte gilt.</translation>
    </message>
    <message>
        <source>All texts together have more than %1 bytes.</source>
        <translation>Alle Texte zusammen haben mehr als %1 Byte.</translation>
    </message>
    <message>
        <source>There is too little text in %1.</source>
        <translation>In %1 ist zu wenig Text.</translation>
    </message>
    <message>
        <source>It has a step &quot;%1&quot;, which nothing here does.</source>
        <translation>Er hat einen Schritt „%1“, den hier nichts ausführt.</translation>
    </message>
    <message>
        <source>Which column of %1 has the texts?</source>
        <translation>Welche Spalte von %1 enthält die Texte?</translation>
    </message>
    <message>
        <source>%1 is no tokenizer that can be used.</source>
        <translation>%1 ist kein Tokenizer, der zu gebrauchen ist.</translation>
    </message>
    <message>
        <source>Name the folder of a network of Hugging Face, its tokenizer.json or vocab.txt, a model of SentencePiece, or &quot;bytes&quot;.</source>
        <translation>Nennen Sie den Ordner eines Netzes von Hugging Face, dessen tokenizer.json oder vocab.txt, ein Modell von SentencePiece oder „bytes“.</translation>
    </message>
    <message>
        <source>The word &quot;%1&quot; has no id.</source>
        <translation>Das Wort „%1“ hat keine Nummer.</translation>
    </message>
    <message>
        <source>It has no vocabulary.</source>
        <translation>Er hat kein Vokabular.</translation>
    </message>
    <message>
        <source>Its vocabulary has no word &quot;%1&quot;.</source>
        <translation>Sein Vokabular hat kein Wort „%1“.</translation>
    </message>
    <message>
        <source>SentencePiece cannot read it.</source>
        <translation>SentencePiece kann ihn nicht lesen.</translation>
    </message>
    <message>
        <source>It has &quot;%1&quot;, which nothing here does.</source>
        <translation>Er hat „%1“, was hier nichts ausführt.</translation>
    </message>
    <message>
        <source>A merge is no pair of words.</source>
        <translation>Eine Verschmelzung ist kein Paar von Wörtern.</translation>
    </message>
    <message>
        <source>It has more than %1 words.</source>
        <translation>Er hat mehr als %1 Wörter.</translation>
    </message>
    <message>
        <source>Check the folder and its free space.</source>
        <translation>Prüfen Sie den Ordner und den freien Platz.</translation>
    </message>
    <message>
        <source>The run has no weights yet.</source>
        <translation>Der Lauf hat noch keine Gewichte.</translation>
    </message>
    <message>
        <source>It saves them at its end.</source>
        <translation>Er speichert sie an seinem Ende.</translation>
    </message>
    <message>
        <source>The program that answers</source>
        <translation>Das Programm, das antwortet,</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no type of numbers.</source>
        <translation>„%1“ ist kein Zahlentyp.</translation>
    </message>
    <message>
        <source>It is no shape of a sample.</source>
        <translation>Es ist keine Form einer Probe.</translation>
    </message>
    <message>
        <source>The run does not say how its network takes data.</source>
        <translation>Der Lauf sagt nicht, wie sein Netz Daten nimmt.</translation>
    </message>
    <message>
        <source>%1 is missing: an older version of Hearth trained it.</source>
        <translation>%1 fehlt: Eine ältere Version von Hearth hat es trainiert.</translation>
    </message>
    <message>
        <source>Train it again to try it; &quot;hearth export&quot; writes it for other programs.</source>
        <translation>Trainieren Sie es neu, um es auszuprobieren; „hearth export“ schreibt es für andere Programme.</translation>
    </message>
    <message>
        <source>They are not the inputs of a network.</source>
        <translation>Es sind nicht die Eingaben eines Netzes.</translation>
    </message>
    <message>
        <source>The samples do not fit the network.</source>
        <translation>Die Proben passen nicht zum Netz.</translation>
    </message>
    <message>
        <source>%1 bytes are no whole number of samples of %2.</source>
        <translation>%1 Bytes sind keine ganze Zahl von Proben zu %2.</translation>
    </message>
    <message>
        <source>No network was opened.</source>
        <translation>Es wurde kein Netz geöffnet.</translation>
    </message>
    <message>
        <source>There is no run &quot;%1&quot;.</source>
        <translation>Es gibt keinen Lauf „%1“.</translation>
    </message>
    <message>
        <source>There are no pictures in %1.</source>
        <translation>In %1 sind keine Bilder.</translation>
    </message>
    <message>
        <source>Name pictures, or a folder that has some.</source>
        <translation>Nennen Sie Bilder oder einen Ordner, der welche hat.</translation>
    </message>
    <message>
        <source>A tensor that was packed is damaged.</source>
        <translation>Ein gepackter Tensor ist beschädigt.</translation>
    </message>
    <message>
        <source>Its %1 bytes do not unpack to %2.</source>
        <translation>Seine %1 Bytes ergeben entpackt nicht %2.</translation>
    </message>
    <message>
        <source>It is packed into %1 bytes, of %2.</source>
        <translation>Er ist in %1 Bytes gepackt, von %2.</translation>
    </message>
    <message>
        <source>Values are missing that belong to the gradient of micro-batch %1.</source>
        <translation>Es fehlen Werte, die zum Gradienten von Micro-Batch %1 gehören.</translation>
    </message>
    <message>
        <source>A group of %1 devices does not round its gradients.</source>
        <translation>Eine Gruppe von %1 Geräten rundet ihre Gradienten nicht.</translation>
    </message>
    <message>
        <source>Every member sends its own to all others: among more than %1 that is more than an exact sum takes.</source>
        <translation>Jedes Mitglied schickt seine an alle anderen: Unter mehr als %1 ist das mehr, als eine exakte Summe braucht.</translation>
    </message>
    <message>
        <source>Choose a plan with smaller groups if the links are slow.</source>
        <translation>Wählen Sie einen Plan mit kleineren Gruppen, wenn die Verbindungen langsam sind.</translation>
    </message>
    <message>
        <source>Nobody writes piece %1 by &quot;%2&quot;.</source>
        <translation>Niemand schreibt Stück %1 mit „%2“.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be a run&apos;s name.</source>
        <translation>„%1“ kann kein Name eines Laufs sein.</translation>
    </message>
    <message>
        <source>Take one line of at most %1 printable characters.</source>
        <translation>Nehmen Sie eine Zeile von höchstens %1 druckbaren Zeichen.</translation>
    </message>
    <message>
        <source>This cannot be a run&apos;s note.</source>
        <translation>Das kann keine Notiz zu einem Lauf sein.</translation>
    </message>
    <message>
        <source>Take at most %1 printable characters.</source>
        <translation>Nehmen Sie höchstens %1 druckbare Zeichen.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be a tag.</source>
        <translation>„%1“ kann kein Schlagwort sein.</translation>
    </message>
    <message>
        <source>Take one word of at most %1 printable characters, without commas.</source>
        <translation>Nehmen Sie ein Wort von höchstens %1 druckbaren Zeichen, ohne Kommas.</translation>
    </message>
    <message>
        <source>A run cannot have %1 tags.</source>
        <translation>Ein Lauf kann keine %1 Schlagwörter haben.</translation>
    </message>
    <message>
        <source>Take at most %1.</source>
        <translation>Nehmen Sie höchstens %1.</translation>
    </message>
    <message>
        <source>It is not a text.</source>
        <translation>Es ist kein Text.</translation>
    </message>
    <message>
        <source>The label of the run in %1 could not be saved.</source>
        <translation>Die Beschriftung des Laufs in %1 konnte nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>Check that the folder is there and may be written.</source>
        <translation>Prüfen Sie, ob der Ordner da ist und beschrieben werden darf.</translation>
    </message>
    <message>
        <source>--star and --unstar do not go together.</source>
        <translation>--star und --unstar passen nicht zusammen.</translation>
    </message>
    <message>
        <source>A name is for one run.</source>
        <translation>Ein Name ist für einen einzigen Lauf.</translation>
    </message>
    <message>
        <source>Give several runs the same tag: --tag NAME.</source>
        <translation>Geben Sie mehreren Läufen dasselbe Schlagwort: --tag NAME.</translation>
    </message>
    <message>
        <source>%1 runs have this name.</source>
        <translation>%1 Läufe heißen so.</translation>
    </message>
    <message>
        <source>It is no id of a run.</source>
        <translation>Es ist keine Kennung eines Laufs.</translation>
    </message>
    <message>
        <source>They are too many.</source>
        <translation>Es sind zu viele.</translation>
    </message>
    <message>
        <source>This sweep changes nothing.</source>
        <translation>Diese Versuchsreihe ändert nichts.</translation>
    </message>
    <message>
        <source>Name values of the job to try: --set batch=32,64</source>
        <translation>Nennen Sie Werte des Auftrags, die versucht werden: --set batch=32,64</translation>
    </message>
    <message>
        <source>No run would be better than another.</source>
        <translation>Kein Lauf wäre besser als ein anderer.</translation>
    </message>
    <message>
        <source>The job is never evaluated: its &quot;evaluate_every&quot; is 0.</source>
        <translation>Der Auftrag wird nie ausgewertet: sein „evaluate_every“ ist 0.</translation>
    </message>
    <message>
        <source>Set it to a number of rounds.</source>
        <translation>Setzen Sie es auf eine Anzahl von Runden.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be a sweep&apos;s name.</source>
        <translation>„%1“ kann kein Name einer Versuchsreihe sein.</translation>
    </message>
    <message>
        <source>Take at most 60 letters, digits, dashes and dots.</source>
        <translation>Nehmen Sie höchstens 60 Buchstaben, Ziffern, Striche und Punkte.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be swept.</source>
        <translation>„%1“ kann nicht durchprobiert werden.</translation>
    </message>
    <message>
        <source>A range has two numbers.</source>
        <translation>Ein Bereich hat zwei Zahlen.</translation>
    </message>
    <message>
        <source>For instance: %1</source>
        <translation>Zum Beispiel: %1</translation>
    </message>
    <message>
        <source>The range is empty.</source>
        <translation>Der Bereich ist leer.</translation>
    </message>
    <message>
        <source>Give the lower end first.</source>
        <translation>Nennen Sie das untere Ende zuerst.</translation>
    </message>
    <message>
        <source>A logarithmic range begins above 0.</source>
        <translation>Ein logarithmischer Bereich beginnt über 0.</translation>
    </message>
    <message>
        <source>Leave out &quot;:log&quot;.</source>
        <translation>Lassen Sie „:log“ weg.</translation>
    </message>
    <message>
        <source>It is no value of a job with choices.</source>
        <translation>Es ist kein Wert eines Auftrags mit Möglichkeiten.</translation>
    </message>
    <message>
        <source>A job has no &quot;%1&quot;.</source>
        <translation>Ein Auftrag hat kein „%1“.</translation>
    </message>
    <message>
        <source>The format of a job never changes.</source>
        <translation>Das Format eines Auftrags ändert sich nie.</translation>
    </message>
    <message>
        <source>One of the choices is empty.</source>
        <translation>Eine der Möglichkeiten ist leer.</translation>
    </message>
    <message>
        <source>Leave out the comma that nothing follows.</source>
        <translation>Lassen Sie das Komma weg, auf das nichts folgt.</translation>
    </message>
    <message>
        <source>It is given twice.</source>
        <translation>Es ist zweimal angegeben.</translation>
    </message>
    <message>
        <source>Give all its values at once.</source>
        <translation>Geben Sie alle seine Werte auf einmal an.</translation>
    </message>
    <message>
        <source>A range has no end of values.</source>
        <translation>Ein Bereich hat unendlich viele Werte.</translation>
    </message>
    <message>
        <source>Say how many are drawn: --random N</source>
        <translation>Sagen Sie, wie viele gezogen werden: --random N</translation>
    </message>
    <message>
        <source>A sweep of %1 runs is too large.</source>
        <translation>Eine Versuchsreihe von %1 Läufen ist zu groß.</translation>
    </message>
    <message>
        <source>At most %1 are possible.</source>
        <translation>Höchstens %1 sind möglich.</translation>
    </message>
    <message>
        <source>Give fewer values, or draw some of them: --random N</source>
        <translation>Geben Sie weniger Werte an, oder ziehen Sie einige davon: --random N</translation>
    </message>
    <message>
        <source>FILE and --%1 do not go together.</source>
        <translation>FILE und --%1 passen nicht zusammen.</translation>
    </message>
    <message>
        <source>Write it into the file, or leave the file out.</source>
        <translation>Schreiben Sie es in die Datei, oder lassen Sie die Datei weg.</translation>
    </message>
    <message>
        <source>There is no sweep &quot;%1&quot;.</source>
        <translation>Es gibt keine Versuchsreihe „%1“.</translation>
    </message>
    <message>
        <source>There is a sweep &quot;%1&quot; already.</source>
        <translation>Es gibt schon eine Versuchsreihe „%1“.</translation>
    </message>
    <message>
        <source>Continue it with --resume %1, or choose another --name.</source>
        <translation>Führen Sie sie mit --resume %1 fort, oder nehmen Sie einen anderen --name.</translation>
    </message>
    <message>
        <source>No run of the sweep was evaluated.</source>
        <translation>Kein Lauf der Versuchsreihe wurde ausgewertet.</translation>
    </message>
    <message>
        <source>&quot;hearth runs --tag %1&quot; lists them.</source>
        <translation>„hearth runs --tag %1“ zählt sie auf.</translation>
    </message>
    <message>
        <source>The sweep %1 is under way already.</source>
        <translation>Die Versuchsreihe %1 läuft schon.</translation>
    </message>
    <message>
        <source>End the other &quot;hearth sweep&quot; first.</source>
        <translation>Beenden Sie zuerst das andere „hearth sweep“.</translation>
    </message>
    <message>
        <source>Name two to %1.</source>
        <translation>Nennen Sie zwei bis %1.</translation>
    </message>
    <message>
        <source>Check whether its disk is there, and whether somebody changes it.</source>
        <translation>Prüfen Sie, ob ihr Datenträger da ist und ob jemand sie ändert.</translation>
    </message>
    <message>
        <source>It is not as long as it was.</source>
        <translation>Sie ist nicht so lang, wie sie war.</translation>
    </message>
    <message>
        <source>The run waits until it can be read. Connect its disk, or stop the run.</source>
        <translation>Der Lauf wartet, bis sie gelesen werden kann. Schließen Sie den Datenträger an, oder beenden Sie den Lauf.</translation>
    </message>
    <message>
        <source>The data can be read again.</source>
        <translation>Die Daten können wieder gelesen werden.</translation>
    </message>
    <message>
        <source>The run goes on.</source>
        <translation>Der Lauf geht weiter.</translation>
    </message>
    <message>
        <source>The tokenizer %1 cannot be kept.</source>
        <translation>Der Tokenizer %1 lässt sich nicht aufheben.</translation>
    </message>
    <message>
        <source>It is not there any more.</source>
        <translation>Er ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Bring it back, and begin again.</source>
        <translation>Legen Sie ihn wieder dorthin, und beginnen Sie noch einmal.</translation>
    </message>
    <message>
        <source>The run does not say how rows and texts become samples.</source>
        <translation>Der Lauf sagt nicht, wie aus Zeilen und Texten Beispiele werden.</translation>
    </message>
    <message>
        <source>%1 is missing: an older version of Hearth trained it, or on arrays.</source>
        <translation>%1 fehlt: Eine ältere Version von Hearth hat ihn trainiert, oder er lernte aus Arrays.</translation>
    </message>
    <message>
        <source>%1 is a folder.</source>
        <translation>%1 ist ein Ordner.</translation>
    </message>
    <message>
        <source>This network takes rows of a file.</source>
        <translation>Dieses Netz nimmt Zeilen einer Datei.</translation>
    </message>
    <message>
        <source>Name the file.</source>
        <translation>Nennen Sie die Datei.</translation>
    </message>
    <message>
        <source>The network does not answer so.</source>
        <translation>So antwortet das Netz nicht.</translation>
    </message>
    <message>
        <source>Its output %1 has no row %2.</source>
        <translation>Seine Ausgabe %1 hat keine Zeile %2.</translation>
    </message>
    <message>
        <source>The run cannot be asked.</source>
        <translation>Der Lauf lässt sich nicht befragen.</translation>
    </message>
    <message>
        <source>Its network does not take what %1 says of its data.</source>
        <translation>Sein Netz nimmt nicht, was %1 über seine Daten sagt.</translation>
    </message>
    <message>
        <source>Train it again to try it.</source>
        <translation>Trainieren Sie noch einmal, um das Netz auszuprobieren.</translation>
    </message>
    <message>
        <source>This network continues texts, and takes no files.</source>
        <translation>Dieses Netz setzt Texte fort und nimmt keine Dateien.</translation>
    </message>
    <message>
        <source>Give it the beginning of one: hearth predict RUN --prompt TEXT</source>
        <translation>Geben Sie ihm einen Anfang: hearth predict RUN --prompt TEXT</translation>
    </message>
    <message>
        <source>There is nothing to continue.</source>
        <translation>Es gibt nichts fortzusetzen.</translation>
    </message>
    <message>
        <source>Give it the beginning of a text.</source>
        <translation>Geben Sie ihm den Anfang eines Textes.</translation>
    </message>
    <message>
        <source>The beginning is too long.</source>
        <translation>Der Anfang ist zu lang.</translation>
    </message>
    <message>
        <source>It has %1 tokens, and the network sees %2 at once.</source>
        <translation>Er hat %1 Token, und das Netz sieht %2 auf einmal.</translation>
    </message>
    <message>
        <source>Give it the end of that.</source>
        <translation>Geben Sie ihm das Ende davon.</translation>
    </message>
    <message>
        <source>There is nothing to ask in these files.</source>
        <translation>In diesen Dateien ist nichts zu fragen.</translation>
    </message>
    <message>
        <source>Name a file with rows of values below its row of names.</source>
        <translation>Nennen Sie eine Datei mit Zeilen voller Werte unter der Zeile mit den Namen.</translation>
    </message>
    <message>
        <source>This network takes no texts.</source>
        <translation>Dieses Netz nimmt keine Texte.</translation>
    </message>
    <message>
        <source>Name files: hearth predict RUN FILE …</source>
        <translation>Nennen Sie Dateien: hearth predict RUN FILE …</translation>
    </message>
    <message>
        <source>This network takes two texts at once.</source>
        <translation>Dieses Netz nimmt zwei Texte auf einmal.</translation>
    </message>
    <message>
        <source>Say --text twice.</source>
        <translation>Geben Sie --text zweimal an.</translation>
    </message>
    <message>
        <source>This network continues no texts.</source>
        <translation>Dieses Netz setzt keine Texte fort.</translation>
    </message>
    <message>
        <source>Only a network that was trained on plain texts does.</source>
        <translation>Das tut nur ein Netz, das mit reinen Texten trainiert wurde.</translation>
    </message>
    <message>
        <source>There is nothing to ask.</source>
        <translation>Es gibt nichts zu fragen.</translation>
    </message>
    <message>
        <source>That is more than one question.</source>
        <translation>Das ist mehr als eine Frage.</translation>
    </message>
    <message>
        <source>Name files, or say --text TEXT or --prompt TEXT.</source>
        <translation>Nennen Sie Dateien, oder geben Sie --text TEXT oder --prompt TEXT an.</translation>
    </message>
    <message>
        <source>The loss did not fall in the last evaluation.</source>
        <translation>Der Verlust ist in der letzten Auswertung nicht gesunken.</translation>
    </message>
    <message>
        <source>The accuracy did not rise in the last evaluation.</source>
        <translation>Die Genauigkeit ist in der letzten Auswertung nicht gestiegen.</translation>
    </message>
    <message>
        <source>The loss has not fallen for %1 evaluations.</source>
        <translation>Der Verlust ist seit %1 Auswertungen nicht gesunken.</translation>
    </message>
    <message>
        <source>The accuracy has not risen for %1 evaluations.</source>
        <translation>Die Genauigkeit ist seit %1 Auswertungen nicht gestiegen.</translation>
    </message>
    <message>
        <source>The run goes on. The best weights that were kept before stay as they are.</source>
        <translation>Der Lauf geht weiter. Die besten Gewichte, die zuvor gesichert wurden, bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>The run has kept no best weights.</source>
        <translation>Der Lauf hat keine besten Gewichte gesichert.</translation>
    </message>
    <message>
        <source>They are kept from its first evaluation on, where its job does not say otherwise.</source>
        <translation>Sie werden von der ersten Auswertung an gesichert, wenn der Auftrag nichts anderes sagt.</translation>
    </message>
    <message>
        <source>Take its last ones.</source>
        <translation>Nehmen Sie seine letzten.</translation>
    </message>
    <message>
        <source>Answers of the loss %1 have no accuracy.</source>
        <translation>Antworten des Verlusts %1 haben keine Genauigkeit.</translation>
    </message>
    <message>
        <source>Choose &quot;loss&quot;.</source>
        <translation>Wählen Sie „loss“.</translation>
    </message>
    <message>
        <source>Say after how many rounds it is.</source>
        <translation>Geben Sie an, nach wie vielen Runden ausgewertet wird.</translation>
    </message>
    <message>
        <source>Name a file with a text in each line.</source>
        <translation>Nennen Sie eine Datei mit einem Text in jeder Zeile.</translation>
    </message>
    <message>
        <source>Its numbers make no sense.</source>
        <translation>Die Zahlen darin ergeben keinen Sinn.</translation>
    </message>
    <message>
        <source>Nothing is known of what this run gets wrong.</source>
        <translation>Worin dieser Lauf irrt, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>%1 is missing: the run was not evaluated, or by an older version of Hearth.</source>
        <translation>%1 fehlt: Der Lauf wurde nicht ausgewertet oder von einer älteren Version von Hearth.</translation>
    </message>
    <message>
        <source>Evaluate it while it trains, or start it again with &quot;evaluate every&quot; above 0.</source>
        <translation>Werten Sie ihn aus, solange er trainiert, oder starten Sie ihn neu, mit „Auswerten alle … Runden“ über 0.</translation>
    </message>
    <message>
        <source>What it says of single samples makes no sense.</source>
        <translation>Was er über einzelne Beispiele sagt, ergibt keinen Sinn.</translation>
    </message>
    <message>
        <source>The data %1 are no longer those of this run.</source>
        <translation>Die Daten %1 sind nicht mehr die dieses Laufs.</translation>
    </message>
    <message>
        <source>Evaluate the run again to see samples of the data as they are.</source>
        <translation>Werten Sie den Lauf noch einmal aus, um Beispiele der jetzigen Daten zu sehen.</translation>
    </message>
    <message>
        <source>They are called %1 and %2.</source>
        <translation>Sie heißen %1 und %2.</translation>
    </message>
    <message>
        <source>--best is for runs that have ended.</source>
        <translation>--best ist für Läufe, die beendet sind.</translation>
    </message>
    <message>
        <source>Leave it out, or stop the run first.</source>
        <translation>Lassen Sie es weg, oder halten Sie den Lauf zuerst an.</translation>
    </message>
    <message>
        <source>Training waits for its data.</source>
        <translation>Das Training wartet auf seine Daten.</translation>
    </message>
    <message>
        <source>In %1 % of the time no device had a sample left: they are read and decoded too slowly.</source>
        <translation>In %1 % der Zeit hatte kein Gerät mehr ein Beispiel: Sie werden zu langsam gelesen und dekodiert.</translation>
    </message>
    <message>
        <source>Make the pictures smaller, about as large as the network takes them, or start the run on the device with the fastest processor.</source>
        <translation>Verkleinern Sie die Bilder etwa auf die Größe, in der das Netz sie nimmt, oder starten Sie den Lauf auf dem Gerät mit dem schnellsten Prozessor.</translation>
    </message>
    <message>
        <source>Keep the data on a faster disk.</source>
        <translation>Legen Sie die Daten auf einen schnelleren Datenträger.</translation>
    </message>
    <message>
        <source>Hearth&apos;s program for graphics cards</source>
        <translation>Hearths Programm für Grafikkarten</translation>
    </message>
    <message>
        <source>What %1 said cannot be read.</source>
        <translation>Was %1 sagte, ist nicht zu lesen.</translation>
    </message>
    <message>
        <source>Install the same version of Hearth completely.</source>
        <translation>Installieren Sie dieselbe Version von Hearth vollständig.</translation>
    </message>
    <message>
        <source>There is no graphics card to compute on.</source>
        <translation>Es gibt keine Grafikkarte, auf der gerechnet werden kann.</translation>
    </message>
    <message>
        <source>%1 does not start here.</source>
        <translation>%1 startet hier nicht.</translation>
    </message>
    <message>
        <source>Its limits say so.</source>
        <translation>Seine Grenzen wollen es so.</translation>
    </message>
    <message>
        <source>Hearth&apos;s program for graphics cards is not installed here.</source>
        <translation>Hearths Programm für Grafikkarten ist hier nicht installiert.</translation>
    </message>
    <message>
        <source>The card&apos;s power was not limited.</source>
        <translation>Die Leistung der Karte wurde nicht begrenzt.</translation>
    </message>
    <message>
        <source>Its driver knows no such limit.</source>
        <translation>Ihr Treiber kennt keine solche Grenze.</translation>
    </message>
    <message>
        <source>Its driver lets only the administrator do that.</source>
        <translation>Ihr Treiber erlaubt das nur der Systemverwaltung.</translation>
    </message>
    <message>
        <source>Set it there with &quot;sudo nvidia-smi --power-limit WATTS&quot;.</source>
        <translation>Setzen Sie sie dort mit „sudo nvidia-smi --power-limit WATT“.</translation>
    </message>
    <message>
        <source>Its driver refused (NVML error %1).</source>
        <translation>Ihr Treiber hat abgelehnt (NVML-Fehler %1).</translation>
    </message>
    <message>
        <source>%1 computes on its processor in this run, not on its graphics card.</source>
        <translation>%1 rechnet in diesem Lauf auf dem Prozessor, nicht auf der Grafikkarte.</translation>
    </message>
    <message>
        <source>Check the card&apos;s driver there. The next run tries the card again.</source>
        <translation>Prüfen Sie dort den Treiber der Karte. Der nächste Lauf versucht es wieder mit ihr.</translation>
    </message>
    <message>
        <source>Another program computes on its graphics card.</source>
        <translation>Ein anderes Programm rechnet auf seiner Grafikkarte.</translation>
    </message>
    <message>
        <source>Computes on the processor.</source>
        <translation>Rechnet auf dem Prozessor.</translation>
    </message>
    <message>
        <source>Computes on %1, %2.</source>
        <translation>Rechnet auf %1, %2.</translation>
    </message>
    <message>
        <source>Computes on %1, %2; driver %3.</source>
        <translation>Rechnet auf %1, %2; Treiber %3.</translation>
    </message>
    <message>
        <source>--%1 takes yes or no, not &quot;%2&quot;.</source>
        <translation>--%1 nimmt yes oder no, nicht „%2“.</translation>
    </message>
    <message>
        <source>The driver is older than this program needs, or there is none.</source>
        <translation>Der Treiber ist älter, als dieses Programm braucht, oder es gibt keinen.</translation>
    </message>
    <message>
        <source>There is no NVIDIA card.</source>
        <translation>Es gibt keine NVIDIA-Karte.</translation>
    </message>
    <message>
        <source>The driver says: %1.</source>
        <translation>Der Treiber sagt: %1.</translation>
    </message>
    <message>
        <source>There is no card %1 to compute on.</source>
        <translation>Es gibt keine Karte %1, auf der gerechnet werden kann.</translation>
    </message>
    <message>
        <source>This computer has %1.</source>
        <translation>Dieser Rechner hat %1.</translation>
    </message>
    <message>
        <source>Card %1 does not open.</source>
        <translation>Die Karte %1 lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The run %1 answers no questions.</source>
        <translation>Der Lauf %1 beantwortet keine Fragen.</translation>
    </message>
    <message>
        <source>It was started for something else.</source>
        <translation>Er wurde für etwas anderes gestartet.</translation>
    </message>
    <message>
        <source>The answers are too many for one message.</source>
        <translation>Es sind zu viele Antworten für eine Nachricht.</translation>
    </message>
    <message>
        <source>Ask about fewer samples at once.</source>
        <translation>Fragen Sie nach weniger Beispielen auf einmal.</translation>
    </message>
    <message>
        <source>The run has not begun yet.</source>
        <translation>Der Lauf hat noch nicht begonnen.</translation>
    </message>
    <message>
        <source>They are not as many as Hyperband&apos;s brackets have.</source>
        <translation>Es sind nicht so viele, wie die Klammern von Hyperband haben.</translation>
    </message>
    <message>
        <source>Hyperband cannot share out the training of this sweep.</source>
        <translation>Hyperband kann das Training dieser Versuchsreihe nicht aufteilen.</translation>
    </message>
    <message>
        <source>It counts evaluations, and this job does not say how many there are.</source>
        <translation>Es zählt Auswertungen, und dieser Auftrag sagt nicht, wie viele es sind.</translation>
    </message>
    <message>
        <source>Give the job rounds in place of epochs, and an evaluation after some of them.</source>
        <translation>Geben Sie dem Auftrag Runden statt Epochen, und nach einigen davon eine Auswertung.</translation>
    </message>
    <message>
        <source>Each run is evaluated less than three times.</source>
        <translation>Jeder Lauf wird weniger als dreimal ausgewertet.</translation>
    </message>
    <message>
        <source>Let &quot;evaluate_every&quot; be at most a third of the rounds.</source>
        <translation>Lassen Sie „evaluate_every“ höchstens ein Drittel der Runden sein.</translation>
    </message>
    <message>
        <source>Evaluate less often, with a larger &quot;evaluate_every&quot;.</source>
        <translation>Werten Sie seltener aus, mit einem größeren „evaluate_every“.</translation>
    </message>
    <message>
        <source>It decides itself how many combinations are drawn.</source>
        <translation>Es entscheidet selbst, wie viele Kombinationen gezogen werden.</translation>
    </message>
    <message>
        <source>Leave out &quot;random&quot;.</source>
        <translation>Lassen Sie „random“ weg.</translation>
    </message>
    <message>
        <source>It decides itself how long each run is trained.</source>
        <translation>Es entscheidet selbst, wie lange jeder Lauf trainiert wird.</translation>
    </message>
    <message>
        <source>Do not sweep &quot;%1&quot;.</source>
        <translation>Nehmen Sie „%1“ aus der Versuchsreihe heraus.</translation>
    </message>
    <message>
        <source>It is a list of at most %1 beginnings of texts.</source>
        <translation>Es ist eine Liste von höchstens %1 Anfängen von Texten.</translation>
    </message>
    <message>
        <source>Every token of theirs takes a pass through all devices.</source>
        <translation>Jedes ihrer Token braucht einen Durchlauf durch alle Geräte.</translation>
    </message>
    <message>
        <source>The network cannot continue prompts.</source>
        <translation>Das Netz kann keine Anfänge von Texten fortsetzen.</translation>
    </message>
    <message>
        <source>Only one that learns plain texts does.</source>
        <translation>Das tut nur eines, das aus reinen Texten lernt.</translation>
    </message>
    <message>
        <source>Take &quot;prompts&quot; out of the job, or train on plain texts.</source>
        <translation>Nehmen Sie „prompts“ aus dem Auftrag heraus, oder trainieren Sie mit reinen Texten.</translation>
    </message>
    <message>
        <source>The prompt &quot;%1&quot; of the job cannot be continued.</source>
        <translation>Der Textanfang „%1“ des Auftrags kann nicht fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Give ranges or more values, or stop runs early by &quot;halving&quot;.</source>
        <translation>Geben Sie Bereiche oder mehr Werte, oder beenden Sie Läufe früh durch „halving“.</translation>
    </message>
    <message>
        <source>Only samples with one class each can be mixed.</source>
        <translation>Nur Beispiele mit je einer Klasse lassen sich mischen.</translation>
    </message>
    <message>
        <source>Leave &quot;mixup&quot; and &quot;cutmix&quot; out, or choose other data.</source>
        <translation>Lassen Sie „mixup“ und „cutmix“ weg, oder wählen Sie andere Daten.</translation>
    </message>
    <message>
        <source>It was stopped before it began.</source>
        <translation>Er wurde angehalten, bevor er begann.</translation>
    </message>
    <message>
        <source>The key of the run&apos;s coordinator is missing.</source>
        <translation>Der Schlüssel des Koordinators dieses Laufs fehlt.</translation>
    </message>
    <message>
        <source>This run belongs to another device.</source>
        <translation>Dieser Lauf gehört einem anderen Gerät.</translation>
    </message>
    <message>
        <source>Another start for this run took the place.</source>
        <translation>Ein neuerer Start für diesen Lauf hat den Platz eingenommen.</translation>
    </message>
    <message>
        <source>The data process on %1</source>
        <translation>Der Datenprozess auf %1</translation>
    </message>
    <message>
        <source>%1 cannot serve its part of the data.</source>
        <translation>%1 kann seinen Teil der Daten nicht liefern.</translation>
    </message>
    <message>
        <source>Its version of Hearth is too old for that.</source>
        <translation>Seine Version von Hearth ist dafür zu alt.</translation>
    </message>
    <message>
        <source>Update Hearth on it.</source>
        <translation>Aktualisieren Sie dort Hearth.</translation>
    </message>
    <message>
        <source>What was started has no address.</source>
        <translation>Was gestartet wurde, hat keine Adresse.</translation>
    </message>
    <message>
        <source>The data %1 and %2 cannot be learnt from together.</source>
        <translation>Die Daten %1 und %2 lassen sich nicht gemeinsam lernen.</translation>
    </message>
    <message>
        <source>Join data of one form only.</source>
        <translation>Verbinden Sie nur Daten einer Form.</translation>
    </message>
    <message>
        <source>A sample of %1 has &quot;%2&quot; where one of %3 has &quot;%4&quot;.</source>
        <translation>Ein Beispiel von %1 hat „%2“, wo eines von %3 „%4“ hat.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2 in %3 and %4 in %5.</source>
        <translation>„%1“ ist in %3 %2 und in %5 %4.</translation>
    </message>
    <message>
        <source>Labels are %1 in %2 and %3 in %4.</source>
        <translation>Labels sind in %2 %1 und in %4 %3.</translation>
    </message>
    <message>
        <source>The classes of %1 have names, and those of %2 have none.</source>
        <translation>Die Klassen von %1 haben Namen, die von %2 haben keine.</translation>
    </message>
    <message>
        <source>Give the classes of both names, or those of neither.</source>
        <translation>Geben Sie den Klassen von beiden Namen oder von keinem.</translation>
    </message>
    <message>
        <source>Their rows or texts become samples in different ways: other columns, other means, or another tokenizer.</source>
        <translation>Ihre Zeilen oder Texte werden auf verschiedene Weise zu Beispielen: andere Spalten, andere Mittelwerte oder ein anderer Tokenizer.</translation>
    </message>
    <message>
        <source>Prepare both in the same way: with the same tokenizer, or as tables with the same columns.</source>
        <translation>Bereiten Sie beide gleich vor: mit demselben Tokenizer oder als Tabellen mit denselben Spalten.</translation>
    </message>
    <message>
        <source>The table %1 cannot be prepared as another one was.</source>
        <translation>Die Tabelle %1 lässt sich nicht so vorbereiten wie eine andere.</translation>
    </message>
    <message>
        <source>It does not teach the same: &quot;%1&quot; there, &quot;%2&quot; here, as classes or as quantities.</source>
        <translation>Sie lehrt nicht dasselbe: dort „%1“, hier „%2“, als Klassen oder als Größen.</translation>
    </message>
    <message>
        <source>Add it again with --label and --task as there.</source>
        <translation>Fügen Sie sie noch einmal hinzu, mit --label und --task wie dort.</translation>
    </message>
    <message>
        <source>A sample has at most %1 bytes.</source>
        <translation>Ein Beispiel hat höchstens %1 Bytes.</translation>
    </message>
    <message>
        <source>It must be two numbers, the least and the largest.</source>
        <translation>Es müssen zwei Zahlen sein, die kleinste und die größte.</translation>
    </message>
    <message>
        <source>It has more than %1 letters.</source>
        <translation>Es hat mehr als %1 Buchstaben.</translation>
    </message>
    <message>
        <source>There is not one for each class.</source>
        <translation>Es gibt nicht einen für jede Klasse.</translation>
    </message>
    <message>
        <source>The data %1 are too large to be used from another device.</source>
        <translation>Die Daten %1 sind zu groß, um von einem anderen Gerät aus benutzt zu werden.</translation>
    </message>
    <message>
        <source>One sample has more than %1 bytes.</source>
        <translation>Ein Beispiel hat mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>Choose a network for smaller samples.</source>
        <translation>Wählen Sie ein Netz für kleinere Beispiele.</translation>
    </message>
    <message>
        <source>The names of their classes and columns take more than %1 bytes.</source>
        <translation>Die Namen ihrer Klassen und Spalten brauchen mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>Use them on the device that holds them.</source>
        <translation>Benutzen Sie sie auf dem Gerät, auf dem sie liegen.</translation>
    </message>
    <message>
        <source>They are no counts of samples.</source>
        <translation>Es sind keine Anzahlen von Beispielen.</translation>
    </message>
    <message>
        <source>The data %1 are not all on this device.</source>
        <translation>Die Daten %1 liegen nicht alle auf diesem Gerät.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is on %2.</source>
        <translation>„%1“ liegt auf %2.</translation>
    </message>
    <message>
        <source>Only a run of several devices reads them.</source>
        <translation>Nur ein Lauf mehrerer Geräte liest sie.</translation>
    </message>
    <message>
        <source>%1 and %2 would enter it in different ways.</source>
        <translation>%1 und %2 würden auf verschiedene Weise hineingehen.</translation>
    </message>
    <message>
        <source>Set &quot;input&quot; of the job, or make them of one size with &quot;fit&quot;.</source>
        <translation>Setzen Sie „input“ des Auftrags, oder bringen Sie sie mit „fit“ auf eine Größe.</translation>
    </message>
    <message>
        <source>None of the texts of the job are on this device.</source>
        <translation>Keiner der Texte des Auftrags liegt auf diesem Gerät.</translation>
    </message>
    <message>
        <source>A run keeps their tokenizer, which is on other devices alone.</source>
        <translation>Ein Lauf bewahrt ihren Tokenizer auf, und den haben nur andere Geräte.</translation>
    </message>
    <message>
        <source>Start the run on a device that holds some of the texts.</source>
        <translation>Starten Sie den Lauf auf einem Gerät, auf dem ein Teil der Texte liegt.</translation>
    </message>
    <message>
        <source>This process was started before.</source>
        <translation>Dieser Prozess wurde schon gestartet.</translation>
    </message>
    <message>
        <source>This process serves another run.</source>
        <translation>Dieser Prozess dient einem anderen Lauf.</translation>
    </message>
    <message>
        <source>Samples were asked for that there are not.</source>
        <translation>Es wurden Beispiele verlangt, die es nicht gibt.</translation>
    </message>
    <message>
        <source>It is neither built in nor registered on the device that should hold it.</source>
        <translation>Er ist weder eingebaut noch auf dem Gerät eingetragen, auf dem er liegen soll.</translation>
    </message>
    <message>
        <source>Add it there: hearth data add NAME PATH</source>
        <translation>Fügen Sie ihn dort hinzu: hearth data add NAME PFAD</translation>
    </message>
    <message>
        <source>It has no number, or no split.</source>
        <translation>Es hat keine Nummer oder keine Menge.</translation>
    </message>
    <message>
        <source>Its samples have no such part.</source>
        <translation>Seine Beispiele haben keinen solchen Teil.</translation>
    </message>
    <message>
        <source>There is no such epoch.</source>
        <translation>Eine solche Epoche gibt es nicht.</translation>
    </message>
    <message>
        <source>A run has no such data set.</source>
        <translation>Einen solchen Datensatz hat ein Lauf nicht.</translation>
    </message>
    <message>
        <source>The run has opened another data set in its place.</source>
        <translation>Der Lauf hat an dieser Stelle einen anderen Datensatz geöffnet.</translation>
    </message>
    <message>
        <source>The data were not opened.</source>
        <translation>Die Daten wurden nicht geöffnet.</translation>
    </message>
    <message>
        <source>There is a request of this number already.</source>
        <translation>Eine Anfrage mit dieser Nummer gibt es schon.</translation>
    </message>
    <message>
        <source>The data &quot;%1&quot; of the job are on no device that is known here.</source>
        <translation>Die Daten „%1“ des Auftrags liegen auf keinem Gerät, das hier bekannt ist.</translation>
    </message>
    <message>
        <source>The job names %1.</source>
        <translation>Der Auftrag nennt %1.</translation>
    </message>
    <message>
        <source>A data set of the job is named twice.</source>
        <translation>Ein Datensatz des Auftrags ist zweimal genannt.</translation>
    </message>
    <message>
        <source>&quot;data&quot; is %1.</source>
        <translation>„data“ ist %1.</translation>
    </message>
    <message>
        <source>Name each once.</source>
        <translation>Nennen Sie jeden einmal.</translation>
    </message>
    <message>
        <source>The data %1 on %2 cannot be read now.</source>
        <translation>Die Daten %1 auf %2 lassen sich gerade nicht lesen.</translation>
    </message>
    <message>
        <source>Switch %1 on, and see that it is in the network; the run goes on by itself then.</source>
        <translation>Schalten Sie %1 ein, und sehen Sie nach, ob es im Netzwerk ist; dann geht der Lauf von selbst weiter.</translation>
    </message>
    <message>
        <source>The data %1 on %2 are not what they were.</source>
        <translation>Die Daten %1 auf %2 sind nicht mehr, was sie waren.</translation>
    </message>
    <message>
        <source>They were changed since the run began.</source>
        <translation>Sie wurden geändert, seit der Lauf begann.</translation>
    </message>
    <message>
        <source>Bring them back as they were and resume the run, or start a new one.</source>
        <translation>Stellen Sie sie wieder her, wie sie waren, und setzen Sie den Lauf fort, oder starten Sie einen neuen.</translation>
    </message>
    <message>
        <source>%1 sent more samples than it was asked for.</source>
        <translation>%1 hat mehr Beispiele geschickt als verlangt.</translation>
    </message>
    <message>
        <source>%1 does not answer.</source>
        <translation>%1 antwortet nicht.</translation>
    </message>
    <message>
        <source>Nothing came from it for %1 seconds.</source>
        <translation>%1 Sekunden lang kam nichts von ihm.</translation>
    </message>
    <message>
        <source>The data %1 on %2 cannot be used.</source>
        <translation>Die Daten %1 auf %2 sind nicht zu benutzen.</translation>
    </message>
    <message>
        <source>Switch %1 on, or take what it holds out of &quot;data&quot; of the job.</source>
        <translation>Schalten Sie %1 ein, oder nehmen Sie aus „data“ des Auftrags heraus, was dort liegt.</translation>
    </message>
    <message>
        <source>It has not been reached since the run was taken up.</source>
        <translation>Es wurde nicht erreicht, seit der Lauf wieder aufgenommen wurde.</translation>
    </message>
    <message>
        <source>The device is not trusted any more.</source>
        <translation>Dem Gerät wird nicht mehr vertraut.</translation>
    </message>
    <message>
        <source>Pair with it again, or take what it holds out of &quot;data&quot; of the job.</source>
        <translation>Koppeln Sie es noch einmal, oder nehmen Sie aus „data“ des Auftrags heraus, was dort liegt.</translation>
    </message>
    <message>
        <source>It is a name, or a list of 2 to %1 names.</source>
        <translation>Es ist ein Name oder eine Liste von 2 bis %1 Namen.</translation>
    </message>
    <message>
        <source>Write what is on another device as NAME@DEVICE.</source>
        <translation>Schreiben Sie, was auf einem anderen Gerät liegt, als NAME@GERÄT.</translation>
    </message>
    <message>
        <source>A data set of %1 is named twice.</source>
        <translation>Ein Datensatz von %1 ist zweimal genannt.</translation>
    </message>
    <message>
        <source>They have more than %1 samples.</source>
        <translation>Sie haben mehr als %1 Beispiele.</translation>
    </message>
    <message>
        <source>There is no sample to learn from.</source>
        <translation>Es gibt kein Beispiel, aus dem gelernt werden kann.</translation>
    </message>
    <message>
        <source>%1 cannot train asynchronously as it says.</source>
        <translation>%1 kann nicht asynchron trainieren, wie es dort steht.</translation>
    </message>
    <message>
        <source>&quot;clip_norm&quot; needs the gradients of all stages at once, and they never wait for each other.</source>
        <translation>„clip_norm“ braucht die Gradienten aller Stufen zugleich, und die warten nie aufeinander.</translation>
    </message>
    <message>
        <source>Leave &quot;clip_norm&quot; out, or train synchronously.</source>
        <translation>Lassen Sie „clip_norm“ weg, oder trainieren Sie synchron.</translation>
    </message>
    <message>
        <source>With &quot;relative_step&quot; there is no learning rate that &quot;correct_rate&quot; could divide.</source>
        <translation>Mit „relative_step“ gibt es keine Lernrate, die „correct_rate“ teilen könnte.</translation>
    </message>
    <message>
        <source>Leave one of the two out.</source>
        <translation>Lassen Sie eines von beiden weg.</translation>
    </message>
    <message>
        <source>Delays are whole numbers of updates.</source>
        <translation>Verzögerungen sind ganze Anzahlen von Aktualisierungen.</translation>
    </message>
    <message>
        <source>The &quot;mode&quot; of the job is %1.</source>
        <translation>Der Modus („mode“) des Auftrags ist %1.</translation>
    </message>
    <message>
        <source>Leave it out, or choose the mode &quot;%1&quot;.</source>
        <translation>Lassen Sie es weg, oder wählen Sie den Modus „%1“.</translation>
    </message>
    <message>
        <source>No weight would ever change.</source>
        <translation>Kein Gewicht würde sich je ändern.</translation>
    </message>
    <message>
        <source>Give a number above 0, at most 2; 1 takes the mean.</source>
        <translation>Geben Sie eine Zahl über 0 an, höchstens 2; 1 nimmt den Mittelwert.</translation>
    </message>
    <message>
        <source>The optimizer keeps a moving average (&quot;ema&quot;), which every device would have of its own weights alone.</source>
        <translation>Der Optimierer führt einen gleitenden Mittelwert („ema“), den jedes Gerät nur von seinen eigenen Gewichten hätte.</translation>
    </message>
    <message>
        <source>Leave &quot;ema&quot; out, or &quot;local_steps&quot;.</source>
        <translation>Lassen Sie „ema“ weg oder „local_steps“.</translation>
    </message>
    <message>
        <source>Asynchronous training has several stages that never wait for each other, and here every device holds the whole network.</source>
        <translation>Asynchrones Training hat mehrere Stufen, die nie aufeinander warten, und hier hält jedes Gerät das ganze Netz.</translation>
    </message>
    <message>
        <source>A round of so many steps is too long.</source>
        <translation>Eine Runde aus so vielen Schritten ist zu lang.</translation>
    </message>
    <message>
        <source>%1 batches of %2 are more than the %3 samples that a round may have.</source>
        <translation>%1 Batches zu je %2 sind mehr als die %3 Beispiele, die eine Runde haben darf.</translation>
    </message>
    <message>
        <source>Average the weights more often.</source>
        <translation>Mitteln Sie die Gewichte öfter.</translation>
    </message>
    <message>
        <source>&quot;every&quot; must lie in %1 to %2, &quot;copies&quot; in 1 to %3.</source>
        <translation>„every“ muss zwischen %1 und %2 liegen, „copies“ zwischen 1 und %3.</translation>
    </message>
    <message>
        <source>Every micro-batch is one step: the batch must be %1 of them.</source>
        <translation>Jeder Micro-Batch ist ein Schritt: Der Batch muss %1 davon haben.</translation>
    </message>
    <message>
        <source>Give a &quot;micro_batch&quot;, and &quot;every&quot; times as much as the &quot;batch&quot;.</source>
        <translation>Geben Sie „micro_batch“ an und als „batch“ das „every“-Fache davon.</translation>
    </message>
    <message>
        <source>The devices average their weights every %1 steps: each holds the whole network, in one stage, and computes micro-batch by micro-batch.</source>
        <translation>Die Geräte mitteln ihre Gewichte alle %1 Schritte: Jedes hält das ganze Netz, in einer Stufe, und rechnet Micro-Batch für Micro-Batch.</translation>
    </message>
    <message>
        <source>Make one stage of them, with the schedule &quot;1f1b&quot;, or leave &quot;local_steps&quot; out of the job.</source>
        <translation>Machen Sie eine Stufe aus ihnen, mit dem Ablauf „1f1b“, oder lassen Sie „local_steps“ im Auftrag weg.</translation>
    </message>
    <message>
        <source>The planner &quot;%1&quot; cuts the network.</source>
        <translation>Der Planer „%1“ zerschneidet das Netz.</translation>
    </message>
    <message>
        <source>With local steps every device holds all of it.</source>
        <translation>Mit lokalen Schritten hält jedes Gerät das ganze.</translation>
    </message>
    <message>
        <source>Choose %1.</source>
        <translation>Wählen Sie %1.</translation>
    </message>
    <message>
        <source>No devices can share the batches.</source>
        <translation>Keine Geräte können sich die Batches teilen.</translation>
    </message>
    <message>
        <source>With local steps every device holds the whole network and its share of a batch at once: %1 (%2 bytes) at least.</source>
        <translation>Mit lokalen Schritten hält jedes Gerät das ganze Netz und seinen Anteil an einem Batch auf einmal: mindestens %1 (%2 Byte).</translation>
    </message>
    <message>
        <source>Choose a smaller batch, average the weights more often, or leave local steps out.</source>
        <translation>Wählen Sie einen kleineren Batch, mitteln Sie die Gewichte öfter, oder lassen Sie lokale Schritte weg.</translation>
    </message>
    <message>
        <source>It does not go with &quot;asynchronous&quot;.</source>
        <translation>Es verträgt sich nicht mit „asynchronous“.</translation>
    </message>
    <message>
        <source>The micro-batch is %1: with &quot;local_steps&quot; it is the batch, of which every device takes its share at once.</source>
        <translation>Der Micro-Batch ist %1: Mit „local_steps“ ist er der Batch, von dem jedes Gerät seinen Anteil auf einmal nimmt.</translation>
    </message>
    <message>
        <source>Leave &quot;micro_batch&quot; out, or &quot;local_steps&quot;.</source>
        <translation>Lassen Sie „micro_batch“ weg oder „local_steps“.</translation>
    </message>
    <message>
        <source>So many batches of %1 are more than a round may have, which is %2 samples.</source>
        <translation>So viele Batches zu je %1 sind mehr, als eine Runde haben darf: %2 Beispiele.</translation>
    </message>
    <message>
        <source>Give at most %1, or a smaller batch.</source>
        <translation>Geben Sie höchstens %1 an oder einen kleineren Batch.</translation>
    </message>
    <message>
        <source>It is no list of terms and their first versions.</source>
        <translation>Es ist keine Liste von Amtszeiten und ihren ersten Versionen.</translation>
    </message>
    <message>
        <source>The origins of a halt are terms and their first versions.</source>
        <translation>Zu einem Halt gehören Amtszeiten und ihre ersten Versionen.</translation>
    </message>
    <message>
        <source>--local-steps does not go with a problem of asynchronous training.</source>
        <translation>--local-steps passt nicht zu einem Problem mit asynchronem Training.</translation>
    </message>
    <message>
        <source>Leave &quot;asynchronous&quot; out of the problem.</source>
        <translation>„asynchronous“ aus dem Problem lassen.</translation>
    </message>
    <message>
        <source>Leave relative_step out, or set correct_rate to false.</source>
        <translation>Lassen Sie relative_step weg, oder setzen Sie correct_rate auf false.</translation>
    </message>
    <message>
        <source>It does not go with average_every: leave one of them out.</source>
        <translation>Es passt nicht zu average_every: Lassen Sie eins von beiden weg.</translation>
    </message>
    <message>
        <source>A plan in which devices have several stages cannot be changed by hand.</source>
        <translation>Ein Plan, in dem Geräte mehrere Stufen haben, lässt sich nicht von Hand ändern.</translation>
    </message>
    <message>
        <source>Load a plan that gives each device one stage.</source>
        <translation>Laden Sie einen Plan, der jedem Gerät eine Stufe gibt.</translation>
    </message>
    <message>
        <source>A device has its place in one stage, or in several where every stage has one device alone.</source>
        <translation>Ein Gerät hat seinen Platz in einer Stufe, oder in mehreren, wenn jede Stufe nur ein Gerät hat.</translation>
    </message>
    <message>
        <source>The stage before it is of the same device.</source>
        <translation>Die Stufe davor gehört demselben Gerät.</translation>
    </message>
    <message>
        <source>Make one stage of the two.</source>
        <translation>Machen Sie eine Stufe aus beiden.</translation>
    </message>
    <message>
        <source>%1 has another stage with the same tied weights.</source>
        <translation>%1 hat eine weitere Stufe mit denselben gemeinsamen Gewichten.</translation>
    </message>
    <message>
        <source>Give these layers to different devices, or to one stage.</source>
        <translation>Geben Sie diese Schichten verschiedenen Geräten oder einer Stufe.</translation>
    </message>
    <message>
        <source>A device has several stages, and the job trains asynchronously.</source>
        <translation>Ein Gerät hat mehrere Stufen, und der Auftrag trainiert asynchron.</translation>
    </message>
    <message>
        <source>Give each device one stage, or train synchronously.</source>
        <translation>Geben Sie jedem Gerät eine Stufe, oder trainieren Sie synchron.</translation>
    </message>
    <message>
        <source>Moving borders alone does not replace a device that has several stages.</source>
        <translation>Verschobene Grenzen allein ersetzen kein Gerät, das mehrere Stufen hat.</translation>
    </message>
    <message>
        <source>Two of its stages have the same tied weights.</source>
        <translation>Zwei seiner Stufen haben dieselben gemeinsamen Gewichte.</translation>
    </message>
    <message>
        <source>The run %1 writes no checkpoint now.</source>
        <translation>Der Lauf %1 schreibt jetzt keinen Checkpoint.</translation>
    </message>
    <message>
        <source>It is paused, and a checkpoint is made between rounds.</source>
        <translation>Er pausiert, und ein Checkpoint entsteht zwischen Runden.</translation>
    </message>
    <message>
        <source>Go on with &quot;hearth pause %1 --resume&quot; first, or save its weights with &quot;hearth save %1 FILE&quot;.</source>
        <translation>Setzen Sie ihn zuerst mit „hearth pause %1 --resume“ fort, oder speichern Sie seine Gewichte mit „hearth save %1 FILE“.</translation>
    </message>
    <message>
        <source>Take a model of a shorter sequence, or add text.</source>
        <translation>Nehmen Sie ein Modell mit kürzerer Sequenz, oder fügen Sie Text hinzu.</translation>
    </message>
    <message>
        <source>Numbers of a table are scaled to 0 on average, and the loss &quot;%1&quot; takes 0 or 1.</source>
        <translation>Zahlen einer Tabelle werden auf den Mittelwert 0 skaliert, und der Verlust „%1“ nimmt 0 oder 1.</translation>
    </message>
    <message>
        <source>--memory cannot be %1.</source>
        <translation>--memory kann nicht %1 sein.</translation>
    </message>
    <message>
        <source>It may be from 1 MiB to 1024 TiB.</source>
        <translation>Möglich ist 1 MiB bis 1024 TiB.</translation>
    </message>
    <message>
        <source>The output could not be written.</source>
        <translation>Die Ausgabe konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>The window cannot open.</source>
        <translation>Das Fenster kann sich nicht öffnen.</translation>
    </message>
    <message>
        <source>There is no display here.</source>
        <translation>Hier gibt es keine Anzeige.</translation>
    </message>
    <message>
        <source>Try &quot;hearth demo --headless&quot;, or &quot;hearth --help&quot; for what the terminal can do.</source>
        <translation>Versuchen Sie „hearth demo --headless“, oder „hearth --help“ für das, was im Terminal geht.</translation>
    </message>
    <message>
        <source>It has no samples, or nothing in them.</source>
        <translation>Er hat keine Beispiele, oder sie sind leer.</translation>
    </message>
    <message>
        <source>A link to a folder is not followed: it may lead back.</source>
        <translation>Einem Link auf einen Ordner wird nicht gefolgt: Er könnte im Kreis führen.</translation>
    </message>
    <message>
        <source>Save the table once more, as UTF-8.</source>
        <translation>Speichern Sie die Tabelle noch einmal, als UTF-8.</translation>
    </message>
    <message>
        <source>The option --%1 is empty.</source>
        <translation>Die Option --%1 ist leer.</translation>
    </message>
    <message>
        <source>Give it a value, or leave it out.</source>
        <translation>Geben Sie einen Wert an, oder lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>The answers would overwrite %1, which is asked about.</source>
        <translation>Die Antworten würden %1 überschreiben, nach der gefragt wird.</translation>
    </message>
    <message>
        <source>A sweep that goes on keeps its name, its job and its runs; only its devices may change.</source>
        <translation>Eine Versuchsreihe, die fortgeführt wird, behält ihren Namen, ihren Auftrag und ihre Läufe; nur ihre Geräte dürfen sich ändern.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no number, as the column %2 has them. Write 1.5 for 1,5; what you do not know stays empty.</source>
        <translation>„%1“ ist keine Zahl, wie sie in der Spalte %2 stehen. Schreiben Sie 1.5 für 1,5; was Sie nicht wissen, bleibt leer.</translation>
    </message>
    <message>
        <source>The network&apos;s answer is no number: its training diverged. Train it again with a lower learning rate.</source>
        <translation>Die Antwort des Netzes ist keine Zahl: Sein Training ist divergiert. Trainieren Sie es noch einmal mit kleinerer Lernrate.</translation>
    </message>
    <message>
        <source>The argument %1 is empty.</source>
        <translation>Das Argument %1 ist leer.</translation>
    </message>
    <message>
        <source>Give names, separated by commas.</source>
        <translation>Geben Sie Namen an, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Close other programs there, and try again.</source>
        <translation>Schließen Sie dort andere Programme und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The run %1 could not be deleted.</source>
        <translation>Der Lauf %1 konnte nicht gelöscht werden.</translation>
    </message>
    <message>
        <source>It is as it was. Check that its folder %1, and what that lies in, may be written.</source>
        <translation>Er ist, wie er war. Prüfen Sie, ob in seinen Ordner %1 und in den darüber geschrieben werden darf.</translation>
    </message>
    <message>
        <source>The run %1 could not be brought back.</source>
        <translation>Der Lauf %1 ließ sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>It was removed for good meanwhile.</source>
        <translation>Er wurde inzwischen endgültig entfernt.</translation>
    </message>
    <message>
        <source>Until Hearth is started again it lies in %1; move it to %2 yourself.</source>
        <translation>Bis Hearth wieder gestartet wird, liegt er in %1; verschieben Sie ihn selbst nach %2.</translation>
    </message>
    <message>
        <source>A deleted run in %1 could not be removed from the disk.</source>
        <translation>Ein gelöschter Lauf in %1 ließ sich nicht von der Platte entfernen.</translation>
    </message>
    <message>
        <source>Check who owns what is in it, or remove it yourself.</source>
        <translation>Prüfen Sie, wem gehört, was darin liegt, oder entfernen Sie ihn selbst.</translation>
    </message>
    <message>
        <source>Alpa&apos;s inter-operator pass</source>
        <translation>Alpas Inter-Operator-Durchgang</translation>
    </message>
    <message>
        <source>Data parallelism, even shares</source>
        <translation>Datenparallel mit gleichen Anteilen</translation>
    </message>
    <message>
        <source>1F1B pipeline</source>
        <translation>Pipeline mit 1F1B</translation>
    </message>
    <message>
        <source>Best single device</source>
        <translation>Bestes Gerät allein</translation>
    </message>
    <message>
        <source>The run %1 is under way, and nothing was deleted.</source>
        <translation>Der Lauf %1 ist im Gange, und nichts wurde gelöscht.</translation>
    </message>
    <message>
        <source>Nothing was deleted.</source>
        <translation>Nichts wurde gelöscht.</translation>
    </message>
    <message>
        <source>Nobody is there to agree.</source>
        <translation>Niemand ist da, der zustimmt.</translation>
    </message>
    <message>
        <source>Where nobody can be asked, add --yes.</source>
        <translation>Wo niemand gefragt werden kann, ergänzen Sie --yes.</translation>
    </message>
    <message>
        <source>--delete takes the runs that are to be deleted.</source>
        <translation>--delete braucht die Läufe, die gelöscht werden sollen.</translation>
    </message>
    <message>
        <source>--delete takes runs by their ids or names, not by tags or stars.</source>
        <translation>--delete nimmt Läufe mit ihren Kennungen oder Namen, nicht nach Schlagwörtern oder Sternen.</translation>
    </message>
    <message>
        <source>Runs and --yes go with --delete alone.</source>
        <translation>Läufe und --yes gehören nur zu --delete.</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>about %1, between %2 and %3</source>
        <translation>etwa %1, zwischen %2 und %3</translation>
    </message>
    <message>
        <source>%1, without evaluations</source>
        <translation>%1, ohne Auswertungen</translation>
    </message>
    <message>
        <source>%1: by what graphics cards took and the usual power of the rest</source>
        <translation>%1: nach dem, was Grafikkarten aufnahmen, und der üblichen Leistung von allem Übrigen</translation>
    </message>
    <message>
        <source>%1: by the usual power of such devices, not measured</source>
        <translation>%1: nach der üblichen Leistung solcher Geräte, nicht gemessen</translation>
    </message>
    <message>
        <source>%1 takes most: %2</source>
        <translation>Am meisten braucht %1: %2</translation>
    </message>
    <message>
        <source>%1 is the fullest: %2 of %3</source>
        <translation>Am vollsten ist %1: %2 von %3</translation>
    </message>
    <message>
        <source>how long is not known: it counts passes over data whose samples nobody has counted</source>
        <translation>Dauer nicht bekannt: Der Auftrag zählt Durchläufe durch Daten, deren Beispiele noch niemand gezählt hat</translation>
    </message>
    <message>
        <source>rounds: %1 at most; evaluations: %2 at most</source>
        <translation>Runden: höchstens %1; Auswertungen: höchstens %2</translation>
    </message>
    <message>
        <source>rounds: %1; evaluations: %2</source>
        <translation>Runden: %1; Auswertungen: %2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>The run %1 was stopped before it began.</source>
        <translation>Der Lauf %1 wurde angehalten, bevor er begann.</translation>
    </message>
    <message>
        <source>It is a pickle, as PyTorch saves weights and networks; to open one may run a program.</source>
        <translation>Es ist ein Pickle, wie PyTorch Gewichte und Netze speichert; beim Öffnen könnte ein Programm ausgeführt werden.</translation>
    </message>
    <message>
        <source>Export the network as ONNX with torch.onnx.export(), or save it as a folder with save_pretrained().</source>
        <translation>Exportieren Sie das Netz mit torch.onnx.export() als ONNX, oder speichern Sie es mit save_pretrained() als Ordner.</translation>
    </message>
    <message>
        <source>It is a document of an office program.</source>
        <translation>Es ist ein Dokument eines Office-Programms.</translation>
    </message>
    <message>
        <source>Save a table as CSV there, or a text as plain text (.txt).</source>
        <translation>Speichern Sie dort eine Tabelle als CSV oder einen Text als reinen Text (.txt).</translation>
    </message>
    <message>
        <source>It is a PDF document.</source>
        <translation>Es ist ein PDF-Dokument.</translation>
    </message>
    <message>
        <source>Save its text as plain text (.txt), or its tables as CSV.</source>
        <translation>Speichern Sie seinen Text als reinen Text (.txt) oder seine Tabellen als CSV.</translation>
    </message>
    <message>
        <source>It is a HEIC picture, as many phones take them.</source>
        <translation>Es ist ein HEIC-Bild, wie viele Telefone sie aufnehmen.</translation>
    </message>
    <message>
        <source>Convert such pictures to JPEG; phones can also be set to take JPEGs.</source>
        <translation>Wandeln Sie solche Bilder in JPEG um; Telefone lassen sich auch so einstellen, dass sie JPEG aufnehmen.</translation>
    </message>
    <message>
        <source>It is an AVIF picture.</source>
        <translation>Es ist ein AVIF-Bild.</translation>
    </message>
    <message>
        <source>Convert such pictures to JPEG or PNG.</source>
        <translation>Wandeln Sie solche Bilder in JPEG oder PNG um.</translation>
    </message>
    <message>
        <source>It is a video.</source>
        <translation>Es ist ein Video.</translation>
    </message>
    <message>
        <source>Save single pictures of it as JPEG or PNG.</source>
        <translation>Speichern Sie einzelne Bilder daraus als JPEG oder PNG.</translation>
    </message>
    <message>
        <source>It is an HDF5 file, as Keras saves networks.</source>
        <translation>Es ist eine HDF5-Datei, wie Keras Netze speichert.</translation>
    </message>
    <message>
        <source>Export the network as ONNX, with tf2onnx for example.</source>
        <translation>Exportieren Sie das Netz als ONNX, zum Beispiel mit tf2onnx.</translation>
    </message>
    <message>
        <source>It is a network for llama.cpp (GGUF).</source>
        <translation>Es ist ein Netz für llama.cpp (GGUF).</translation>
    </message>
    <message>
        <source>Choose the folder of that network which has config.json and model.safetensors.</source>
        <translation>Wählen Sie den Ordner dieses Netzes, der config.json und model.safetensors enthält.</translation>
    </message>
    <message>
        <source>It has weights, and does not say of which network.</source>
        <translation>Sie enthält Gewichte und sagt nicht, von welchem Netz.</translation>
    </message>
    <message>
        <source>Put the config.json that belongs to it into its folder, and choose it again.</source>
        <translation>Legen Sie die zugehörige config.json in ihren Ordner, und wählen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>It is a picture.</source>
        <translation>Es ist ein Bild.</translation>
    </message>
    <message>
        <source>Choose the folder that has a folder of pictures for each class.</source>
        <translation>Wählen Sie den Ordner, der für jede Klasse einen Ordner mit Bildern enthält.</translation>
    </message>
    <message>
        <source>It is an archive.</source>
        <translation>Es ist ein Archiv.</translation>
    </message>
    <message>
        <source>Unpack it, and choose the folder or file that was in it.</source>
        <translation>Entpacken Sie es, und wählen Sie den Ordner oder die Datei daraus.</translation>
    </message>
    <message>
        <source>Hearth cannot read %1 as it is.</source>
        <translation>Hearth kann %1 so nicht lesen.</translation>
    </message>
    <message>
        <source>The data were not all looked at.</source>
        <translation>Die Daten wurden nicht bis zum Ende angesehen.</translation>
    </message>
    <message>
        <source>All its pictures are in one class, &quot;%1&quot;, and there is nothing to tell apart.</source>
        <translation>Alle Bilder darin gehören zu einer Klasse, „%1“, und es gibt nichts zu unterscheiden.</translation>
    </message>
    <message>
        <source>If the folders in %1 are the classes, choose that folder instead.</source>
        <translation>Wenn die Ordner in %1 die Klassen sind, wählen Sie stattdessen diesen Ordner.</translation>
    </message>
    <message>
        <source>The data %1 are gone.</source>
        <translation>Die Daten %1 sind nicht mehr da.</translation>
    </message>
    <message>
        <source>None of the files to test with is left: %1 and others.</source>
        <translation>Von den Dateien zum Testen ist keine mehr da: %1 und andere.</translation>
    </message>
    <message>
        <source>None of the files to train with is left: %1 and others.</source>
        <translation>Von den Dateien zum Trainieren ist keine mehr da: %1 und andere.</translation>
    </message>
    <message>
        <source>Bring them back, or have the data looked at again: &quot;Check again&quot; under &quot;Your data&quot;, or hearth data check.</source>
        <translation>Holen Sie sie zurück, oder lassen Sie die Daten neu ansehen: „Erneut prüfen“ unter „Ihre Daten“ oder hearth data check.</translation>
    </message>
    <message>
        <source>A run that is started or resumed leaves it out. For later runs take it off the list of the data: &quot;Check again&quot; under &quot;Your data&quot;, or hearth data check.</source>
        <translation>Ein Lauf, der beginnt oder fortgesetzt wird, lässt sie weg. Für spätere Läufe nehmen Sie sie von der Liste der Daten: „Erneut prüfen“ unter „Ihre Daten“ oder hearth data check.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has texts: to learn from them, choose it under &quot;Texts&quot;, or say --text &quot;%1&quot;.</source>
        <translation>„%1“ enthält Texte: Um daraus zu lernen, wählen Sie die Spalte unter „Texte“, oder geben Sie --text &quot;%1&quot; an.</translation>
    </message>
    <message>
        <source>Name a folder with more texts, or with folders or files called train and test.</source>
        <translation>Nennen Sie einen Ordner mit mehr Texten oder mit Ordnern oder Dateien, die train und test heißen.</translation>
    </message>
    <message>
        <source>Choose it under &quot;Texts&quot;, or say --text COLUMN, or two of them for pairs.</source>
        <translation>Wählen Sie sie unter „Texte“, oder geben Sie --text SPALTE an, für Paare zwei davon.</translation>
    </message>
    <message>
        <source>The column &quot;%1&quot; of %2 cannot be both a text and what is learnt.</source>
        <translation>Die Spalte „%1“ von %2 kann nicht zugleich ein Text sein und das, was gelernt wird.</translation>
    </message>
    <message>
        <source>Choose another column under &quot;Learn&quot;, or say --label COLUMN.</source>
        <translation>Wählen Sie unter „Lernen“ eine andere Spalte, oder geben Sie --label SPALTE an.</translation>
    </message>
    <message>
        <source>It is gone or empty.</source>
        <translation>Sie ist nicht mehr da oder leer.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>It is to train from %1 to %2.</source>
        <translation>Es soll von %1 bis %2 Uhr trainieren.</translation>
    </message>
    <message>
        <source>Make it with &quot;ninja -C build/release package&quot; in the folder that Hearth was built in, then try again.</source>
        <translation>Erzeugen Sie es mit „ninja -C build/release package“ in dem Ordner, in dem Hearth gebaut wurde, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Make a bundle, which brings its own libraries, with &quot;resources/packages/bundle build/release&quot; (for arm64: &quot;resources/packages/build-arm64&quot;) in the folder that Hearth was built in, then try again.</source>
        <translation>Erzeugen Sie ein Bündel, das seine Bibliotheken mitbringt, mit „resources/packages/bundle build/release“ (für arm64: „resources/packages/build-arm64“) in dem Ordner, in dem Hearth gebaut wurde, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>Hearth&apos;s package cannot be installed on that device.</source>
        <translation>Das Paket von Hearth lässt sich auf diesem Gerät nicht installieren.</translation>
    </message>
    <message>
        <source>It is made for Debian 12; %1 has other libraries.</source>
        <translation>Es ist für Debian 12 gemacht; %1 hat andere Bibliotheken.</translation>
    </message>
    <message>
        <source>The package hearth-agent %1 takes the place of another one of this version.</source>
        <translation>Das Paket hearth-agent %1 ersetzt ein anderes derselben Version.</translation>
    </message>
    <message>
        <source>Install the new versions of both there together (&quot;apt-get install&quot; with both packages), or install for this user only (--user).</source>
        <translation>Installieren Sie dort die neuen Versionen von beiden zusammen („apt-get install“ mit beiden Paketen), oder installieren Sie nur für diesen Benutzer (--user).</translation>
    </message>
    <message>
        <source>%1 has version %2, which is newer than %3 here: update this computer, too.</source>
        <translation>%1 hat Version %2, die neuer ist als %3 hier: Aktualisieren Sie auch diesen Rechner.</translation>
    </message>
    <message>
        <source>%1 keeps version %2: only root, or somebody with sudo, can install %3 there.</source>
        <translation>%1 behält Version %2: Nur root oder jemand mit sudo kann dort %3 installieren.</translation>
    </message>
    <message>
        <source>Forget the former device there (without a window by &quot;hearth-agent distrust NAME&quot;), or give this one another name.</source>
        <translation>Lassen Sie es dort das frühere Gerät vergessen (ohne Fenster mit „hearth-agent distrust NAME“), oder geben Sie diesem einen anderen Namen.</translation>
    </message>
    <message>
        <source>There is nothing to learn from the data %1.</source>
        <translation>Aus den Daten %1 ist nichts zu lernen.</translation>
    </message>
    <message>
        <source>All samples are in one class, &quot;%1&quot;, and there is nothing to tell apart.</source>
        <translation>Alle Beispiele gehören zu einer Klasse, „%1“, und es gibt nichts zu unterscheiden.</translation>
    </message>
    <message>
        <source>Add samples of at least one other class, or join the data with others in &quot;data&quot; of the job.</source>
        <translation>Fügen Sie Beispiele mindestens einer weiteren Klasse hinzu, oder verbinden Sie die Daten in „data“ des Auftrags mit anderen.</translation>
    </message>
    <message>
        <source>Choose a model for such pictures, or how they become its input (&quot;fit&quot; of the job).</source>
        <translation>Wählen Sie ein Modell für solche Bilder, oder wie sie zu seiner Eingabe werden („fit“ des Auftrags).</translation>
    </message>
    <message>
        <source>Take those of its best evaluation, with --best.</source>
        <translation>Nehmen Sie die seiner besten Auswertung, mit --best.</translation>
    </message>
    <message>
        <source>The loss is &quot;%1&quot;.</source>
        <translation>Der Verlust ist „%1“.</translation>
    </message>
    <message>
        <source>Labels are not smoothed.</source>
        <translation>Labels werden nicht geglättet.</translation>
    </message>
    <message>
        <source>The best evaluation is the one with the lowest loss.</source>
        <translation>Die beste Auswertung ist die mit dem niedrigsten Verlust.</translation>
    </message>
    <message>
        <source>Pictures are not mixed.</source>
        <translation>Bilder werden nicht gemischt.</translation>
    </message>
    <message>
        <source>Nothing is varied or made of another size, for the data are no pictures.</source>
        <translation>Nichts wird variiert oder auf eine andere Größe gebracht, denn die Daten sind keine Bilder.</translation>
    </message>
    <message>
        <source>The network answers as many numbers as a sample has labels: %1.</source>
        <translation>Das Netz antwortet mit so vielen Zahlen, wie ein Beispiel Labels hat: %1.</translation>
    </message>
    <message>
        <source>Press &quot;Fit to these data&quot; on the Job page, or write %1 in the job&apos;s file.</source>
        <translation>Drücken Sie auf der Seite „Auftrag“ „An diese Daten anpassen“, oder schreiben Sie %1 in die Datei des Auftrags.</translation>
    </message>
    <message>
        <source>New are: %1.</source>
        <translation>Neu sind: %1.</translation>
    </message>
    <message>
        <source>Gone are: %1.</source>
        <translation>Es fehlen: %1.</translation>
    </message>
    <message>
        <source>The classes of the data %1 are not those that the network learnt.</source>
        <translation>Die Klassen der Daten %1 sind nicht die, die das Netz gelernt hat.</translation>
    </message>
    <message>
        <source>Give folders and labels the names that they had, or start a new run.</source>
        <translation>Geben Sie Ordnern und Labels die Namen, die sie hatten, oder starten Sie einen neuen Lauf.</translation>
    </message>
    <message>
        <source>Update the older of the two: another device by &quot;Update …&quot; on Home or by &quot;hearth install&quot;, this one by its own package or &quot;app/run&quot;.</source>
        <translation>Aktualisieren Sie das ältere der beiden: ein anderes Gerät mit „Aktualisieren …“ unter „Zuhause“ oder mit „hearth install“, dieses hier mit seinem eigenen Paket oder „app/run“.</translation>
    </message>
    <message>
        <source>%1 has version %2 of Hearth, and this run has %3.</source>
        <translation>%1 hat Version %2 von Hearth, und dieser Lauf hat %3.</translation>
    </message>
    <message>
        <source>It takes part as far as the two understand each other.</source>
        <translation>Es nimmt teil, soweit die beiden einander verstehen.</translation>
    </message>
    <message>
        <source>The agent of %1 has version %2 of Hearth, and this run has %3.</source>
        <translation>Der Agent von %1 hat Version %2 von Hearth, und dieser Lauf hat %3.</translation>
    </message>
    <message>
        <source>It was started before Hearth was updated there, or differs from its worker.</source>
        <translation>Er wurde gestartet, bevor Hearth dort aktualisiert wurde, oder weicht von seinem Worker ab.</translation>
    </message>
    <message>
        <source>When the run is over, restart that computer, or its agent alone: &quot;systemctl restart hearth-agent&quot; where it is a service, else &quot;hearth-agent leave&quot;, and open Hearth again.</source>
        <translation>Starten Sie nach dem Lauf diesen Rechner neu, oder nur seinen Agenten: „systemctl restart hearth-agent“, wo er ein Dienst ist, sonst „hearth-agent leave“, und öffnen Sie Hearth wieder.</translation>
    </message>
    <message>
        <source>%1 cannot take part: it has version %2 of Hearth, and this run has %3.</source>
        <translation>%1 kann nicht teilnehmen: Es hat Version %2 von Hearth, und dieser Lauf hat %3.</translation>
    </message>
    <message>
        <source>It does not understand what it is to do: %1</source>
        <translation>Es versteht nicht, was es tun soll: %1</translation>
    </message>
    <message>
        <source>All devices of the run rest.</source>
        <translation>Alle Geräte des Laufs ruhen.</translation>
    </message>
    <message>
        <source>The run waits, and goes on as soon as one of them takes work again.</source>
        <translation>Der Lauf wartet und geht weiter, sobald eines davon wieder Arbeit annimmt.</translation>
    </message>
    <message>
        <source>No device takes work now.</source>
        <translation>Kein Gerät nimmt jetzt Arbeit an.</translation>
    </message>
    <message>
        <source>Start the run when one of them does, or change its limits.</source>
        <translation>Starten Sie den Lauf, wenn eines davon wieder Arbeit annimmt, oder ändern Sie seine Grenzen.</translation>
    </message>
    <message>
        <source>Or take &quot;Only those that fit&quot; on the Job page, or give --partial.</source>
        <translation>Oder wählen Sie „Nur passende“ auf der Seite „Auftrag“, oder geben Sie --partial an.</translation>
    </message>
    <message>
        <source>Files of the data %1 are gone, and the run goes on without them.</source>
        <translation>Dateien der Daten %1 sind nicht mehr da, und der Lauf kommt ohne sie aus.</translation>
    </message>
    <message>
        <source>Bring them back, or take them off the list of the data for later runs: &quot;Check again&quot; under &quot;Your data&quot;, or hearth data check.</source>
        <translation>Holen Sie sie zurück, oder nehmen Sie sie für spätere Läufe von der Liste der Daten: „Erneut prüfen“ unter „Ihre Daten“ oder hearth data check.</translation>
    </message>
    <message>
        <source>The data %1 are not those that the run began with.</source>
        <translation>Die Daten %1 sind nicht die, mit denen der Lauf begann.</translation>
    </message>
    <message>
        <source>It goes on with them in another order. Where the job sets samples apart for validation, some of these were trained before, and evaluations look better than they are: start a new run for such figures.</source>
        <translation>Er geht mit ihnen in anderer Reihenfolge weiter. Wo der Auftrag Beispiele zur Validierung beiseitelegt, wurden einige davon schon trainiert, und Auswertungen sehen besser aus, als sie sind: Beginnen Sie für solche Zahlen einen neuen Lauf.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; means several devices.</source>
        <translation>„%1“ kann mehrere Geräte meinen.</translation>
    </message>
    <message>
        <source>It is the fingerprint of %1, and the name of what has the fingerprint %2.</source>
        <translation>Es ist der Fingerabdruck von %1 und der Name des Geräts mit dem Fingerabdruck %2.</translation>
    </message>
    <message>
        <source>Name the first by its name, or the other by its fingerprint.</source>
        <translation>Nennen Sie das erste mit seinem Namen oder das andere mit seinem Fingerabdruck.</translation>
    </message>
    <message>
        <source>This device trusts none called &quot;%1&quot;.</source>
        <translation>Dieses Gerät vertraut keinem namens „%1“.</translation>
    </message>
    <message>
        <source>It trusts no device.</source>
        <translation>Es vertraut keinem Gerät.</translation>
    </message>
    <message>
        <source>Their fingerprints are %1.</source>
        <translation>Ihre Fingerabdrücke sind %1.</translation>
    </message>
    <message>
        <source>Name it by its fingerprint.</source>
        <translation>Nennen Sie es mit seinem Fingerabdruck.</translation>
    </message>
    <message>
        <source>The device is missing.</source>
        <translation>Das Gerät fehlt.</translation>
    </message>
    <message>
        <source>Write: distrust NAME, or its fingerprint.</source>
        <translation>Schreiben Sie: distrust NAME, oder seinen Fingerabdruck.</translation>
    </message>
    <message>
        <source>The device was not paused.</source>
        <translation>Das Gerät wurde nicht pausiert.</translation>
    </message>
    <message>
        <source>An agent there or here is older, and knows no pause that ends by itself.</source>
        <translation>Ein Agent dort oder hier ist älter und kennt keine Pause, die von selbst endet.</translation>
    </message>
    <message>
        <source>Pause it until you resume it, or update the older of the two.</source>
        <translation>Pausieren Sie es, bis Sie es fortsetzen, oder aktualisieren Sie den älteren der beiden.</translation>
    </message>
    <message>
        <source>The pause would have ended at %1.</source>
        <translation>Die Pause wäre um %1 zu Ende gewesen.</translation>
    </message>
    <message>
        <source>Give it an end that is still to come.</source>
        <translation>Geben Sie ihr ein Ende, das noch kommt.</translation>
    </message>
    <message>
        <source>A computer nearby has no address.</source>
        <translation>Ein Rechner in der Nähe hat keine Adresse.</translation>
    </message>
    <message>
        <source>Nothing is paused that could end then.</source>
        <translation>Nichts ist pausiert, was dann enden könnte.</translation>
    </message>
    <message>
        <source>It is paused until %1.</source>
        <translation>Es ist pausiert bis %1.</translation>
    </message>
    <message>
        <source>The plan was not taken.</source>
        <translation>Der Plan wurde nicht übernommen.</translation>
    </message>
    <message>
        <source>A run takes one between rounds, and none is under way yet.</source>
        <translation>Ein Lauf übernimmt Pläne zwischen Runden, und noch läuft keine.</translation>
    </message>
    <message>
        <source>Give it again when there are rounds.</source>
        <translation>Geben Sie ihn noch einmal, wenn es Runden gibt.</translation>
    </message>
    <message>
        <source>What %1 tells of its data &quot;%2&quot; does not fit the job.</source>
        <translation>Was %1 über seine Daten „%2“ angibt, passt nicht zum Auftrag.</translation>
    </message>
    <message>
        <source>Its samples have other parts than the model has inputs.</source>
        <translation>Die Beispiele dort haben andere Teile, als das Modell Eingaben hat.</translation>
    </message>
    <message>
        <source>Its samples would enter the model in another way.</source>
        <translation>Die Beispiele dort kämen auf andere Weise in das Modell.</translation>
    </message>
    <message>
        <source>The run begins without it.</source>
        <translation>Der Lauf beginnt ohne ihn.</translation>
    </message>
    <message>
        <source>The run cannot begin.</source>
        <translation>Der Lauf kann nicht beginnen.</translation>
    </message>
    <message>
        <source>Devices that it needs were taken out of it.</source>
        <translation>Geräte, die er braucht, wurden aus ihm herausgenommen.</translation>
    </message>
    <message>
        <source>Start the run again without them.</source>
        <translation>Starten Sie den Lauf noch einmal ohne sie.</translation>
    </message>
    <message>
        <source>Devices that the run&apos;s plan needs rest.</source>
        <translation>Geräte, die der Plan des Laufs braucht, ruhen.</translation>
    </message>
    <message>
        <source>The run waits, and begins as soon as all of them take work.</source>
        <translation>Der Lauf wartet und beginnt, sobald sie alle Arbeit annehmen.</translation>
    </message>
    <message>
        <source>The run waits, and begins as soon as one of them takes work.</source>
        <translation>Der Lauf wartet und beginnt, sobald eines davon Arbeit annimmt.</translation>
    </message>
    <message>
        <source>--for says how long --pause lasts, which is missing.</source>
        <translation>--for sagt, wie lange --pause dauert, und das fehlt.</translation>
    </message>
    <message>
        <source>--for takes a time, not &quot;%1&quot;.</source>
        <translation>--for nimmt eine Zeit, nicht „%1“.</translation>
    </message>
    <message>
        <source>Write for instance 30m, 1h, or 2d.</source>
        <translation>Schreiben Sie zum Beispiel 30m, 1h oder 2d.</translation>
    </message>
    <message>
        <source>Write %1 under &quot;Options of this model&quot;, or &quot;model&quot;: &quot;%2&quot; in the job&apos;s file.</source>
        <translation>Schreiben Sie %1 unter „Optionen dieses Modells“, oder &quot;model&quot;: &quot;%2&quot; in die Datei des Auftrags.</translation>
    </message>
    <message>
        <source>Choose the model %1 and write %2 under &quot;Options of this model&quot;, or %3 in the job&apos;s file.</source>
        <translation>Wählen Sie das Modell %1, und schreiben Sie %2 unter „Optionen dieses Modells“, oder %3 in die Datei des Auftrags.</translation>
    </message>
    <message>
        <source>Choose the model %1 and press &quot;Fit to these data&quot;, or write %2 in the job&apos;s file.</source>
        <translation>Wählen Sie das Modell %1, und drücken Sie „An diese Daten anpassen“, oder schreiben Sie %2 in die Datei des Auftrags.</translation>
    </message>
    <message>
        <source>%1 {1|window or terminal has|windows or terminals have} asked it to.</source>
        <translation>%1 Fenster oder {1|Terminal hat|Terminals haben} ihn darum gebeten.</translation>
    </message>
    <message>
        <source>The run %1 does not do that.</source>
        <translation>Der Lauf %1 tut das nicht.</translation>
    </message>
    <message>
        <source>It makes no rounds: it was started only to %1.</source>
        <translation>Er macht keine Runden: Er wurde nur hierfür begonnen: %1.</translation>
    </message>
    <message>
        <source>It can be stopped: hearth stop %1</source>
        <translation>Anhalten lässt er sich: hearth stop %1</translation>
    </message>
    <message>
        <source>It has %1 {1|sample|samples}, and %2 has %3 {3|label|labels}.</source>
        <translation>Sie hat %1 {1|Beispiel|Beispiele}, und %2 hat %3 {3|Label|Labels}.</translation>
    </message>
    <message>
        <source>There is a label %1, but there {2|is|are} %2 {2|class|classes} (from 0).</source>
        <translation>Es gibt ein Label %1, aber nur %2 {2|Klasse|Klassen} (ab 0).</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|class|classes}.</source>
        <translation>Es gibt %1 {1|Klasse|Klassen}.</translation>
    </message>
    <message>
        <source>{1|Its only file cannot be used, which is|None of its %1 files can be used; the first is} %2: %3</source>
        <translation>{1|Die einzige Datei ist nicht zu gebrauchen, nämlich|Keine der %1 Dateien ist zu gebrauchen; die erste ist} %2: %3</translation>
    </message>
    <message>
        <source>It has %1 {1|picture|pictures}, too few to set some apart for a test.</source>
        <translation>Er hat %1 {1|Bild|Bilder}, zu wenige, um einige für den Test beiseite zu legen.</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|label|labels} for the %2 {2|image|images} of %3.</source>
        <translation>Es gibt %1 {1|Label|Labels} zu {2|dem %2 Bild|den %2 Bildern} von %3.</translation>
    </message>
    <message>
        <source>Label %1 is %2, but there {3|is|are} %3 {3|class|classes} (from 0).</source>
        <translation>Label %1 ist %2, aber es gibt %3 {3|Klasse|Klassen} (ab 0).</translation>
    </message>
    <message>
        <source>A sample of %1 has %2 {2|part|parts}, and one of %3 has %4.</source>
        <translation>Ein Beispiel von %1 hat %2 {2|Teil|Teile}, eines von %3 hat %4.</translation>
    </message>
    <message>
        <source>A label is %1, and there {2|is|are} %2 {2|class|classes} (from 0).</source>
        <translation>Ein Label ist %1, und es gibt %2 {2|Klasse|Klassen} (ab 0).</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|byte|bytes} behind its numbers.</source>
        <translation>Hinter ihren Zahlen {1|folgt %1 Byte|folgen %1 Bytes}.</translation>
    </message>
    <message>
        <source>It has %1 {1|picture|pictures} and %2 {2|label|labels}.</source>
        <translation>Es hat %1 {1|Bild|Bilder} und %2 {2|Klasse|Klassen} dazu.</translation>
    </message>
    <message>
        <source>%1 more {1|row|rows} cannot be used.</source>
        <translation>%1 weitere {1|Zeile ist|Zeilen sind} nicht zu gebrauchen.</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|row|rows} to train with and %2 to test.</source>
        <translation>Es gibt %1 {1|Zeile|Zeilen} zum Trainieren und %2 zum Testen.</translation>
    </message>
    <message>
        <source>It has %1 {1|field|fields}, and the header has %2.</source>
        <translation>Sie hat %1 {1|Feld|Felder} und die Kopfzeile %2.</translation>
    </message>
    <message>
        <source>It has %1 {1|row|rows}, too few to set some apart for a test.</source>
        <translation>Sie hat %1 {1|Zeile|Zeilen}, zu wenige, um einige zum Testen beiseitezulegen.</translation>
    </message>
    <message>
        <source>It has %1 {1|text|texts} and not %2, with a tab between.</source>
        <translation>Sie hat %1 {1|Text|Texte} und nicht %2 mit einem Tabulator dazwischen.</translation>
    </message>
    <message>
        <source>It makes %1 {1|block|blocks} of %2 {2|token|tokens} to train with and %3 to test.</source>
        <translation>Er ergibt %1 {1|Block|Blöcke} von %2 Token zum Trainieren und %3 zum Testen.</translation>
    </message>
    <message>
        <source>{1|One other device answers.|%1 other devices answer.}</source>
        <translation>{1|Ein anderes Gerät antwortet.|%1 andere Geräte antworten.}</translation>
    </message>
    <message>
        <source>It was evaluated on %1 {1|sample|samples}; there {2|is|are} %2 now.</source>
        <translation>Er wurde an %1 {1|Beispiel|Beispielen} ausgewertet; jetzt {2|ist|sind} es %2.</translation>
    </message>
    <message>
        <source>%1 {1|package is|packages are} installed, too</source>
        <translation>%1 {1|Paket wird|Pakete werden} mit installiert</translation>
    </message>
    <message>
        <source>%1 {1|tensor|tensors} came with it.</source>
        <translation>%1 {1|Tensor kam|Tensoren kamen} mit.</translation>
    </message>
    <message>
        <source>%1 {1|input|inputs} of the network, which its output does not need, {1|was|were} left out.</source>
        <translation>%1 {1|Eingabe|Eingaben} des Netzes, die seine Ausgabe nicht braucht, {1|wurde|wurden} weggelassen.</translation>
    </message>
    <message>
        <source>Its weights %1 do not fit %2 {2|channel|channels}.</source>
        <translation>Seine Gewichte %1 passen nicht zu %2 {2|Kanal|Kanälen}.</translation>
    </message>
    <message>
        <source>Only the first output, &quot;%1&quot;, is trained; %2 {2|other was|others were} left out.</source>
        <translation>Nur die erste Ausgabe, „%1“, wird trainiert; %2 andere {2|wurde|wurden} weggelassen.</translation>
    </message>
    <message>
        <source>Its parts are not those of %1 {1|element|elements}.</source>
        <translation>Seine Teile sind nicht die von %1 {1|Element|Elementen}.</translation>
    </message>
    <message>
        <source>One of its inputs has %1 {1|value|values} where the other has the batch.</source>
        <translation>Eine seiner Eingaben hat %1 {1|Wert|Werte}, wo die andere den Batch hat.</translation>
    </message>
    <message>
        <source>It gives %1 but the loss expects one value for each of %2 {2|class|classes}.</source>
        <translation>Sie gibt %1, aber der Verlust erwartet einen Wert für jede von %2 {2|Klasse|Klassen}.</translation>
    </message>
    <message>
        <source>End with a linear op of %1 {1|feature|features}, or correct &quot;classes&quot;.</source>
        <translation>Enden Sie mit einer linear-Operation von %1 {1|Merkmal|Merkmalen}, oder berichtigen Sie „classes“.</translation>
    </message>
    <message>
        <source>%1 heads of keys do not divide %2 {2|head|heads}.</source>
        <translation>%1 Köpfe von Schlüsseln teilen %2 {2|Kopf|Köpfe} nicht.</translation>
    </message>
    <message>
        <source>keys and values of one shape, with %1 {1|feature|features} for each of %2 {2|head|heads}</source>
        <translation>Schlüssel und Werte gleicher Form, mit %1 {1|Merkmal|Merkmalen} für jeden von %2 {2|Kopf|Köpfen}</translation>
    </message>
    <message>
        <source>features that make an even number for each of %1 {1|head|heads}</source>
        <translation>Merkmale, die für jeden von %1 {1|Kopf|Köpfen} eine gerade Zahl ergeben</translation>
    </message>
    <message>
        <source>at least %1 {1|dimension|dimensions}</source>
        <translation>mindestens %1 {1|Dimension|Dimensionen}</translation>
    </message>
    <message>
        <source>%1 {1|dimension|dimensions}, as &quot;padding&quot; has</source>
        <translation>%1 {1|Dimension|Dimensionen} wie „padding“</translation>
    </message>
    <message>
        <source>The list has %1 {1|number|numbers}.</source>
        <translation>Die Liste hat %1 {1|Zahl|Zahlen}.</translation>
    </message>
    <message>
        <source>It has %1 {1|byte|bytes}, fewer than any such file.</source>
        <translation>Sie hat %1 {1|Byte|Bytes}, weniger als jede solche Datei.</translation>
    </message>
    <message>
        <source>From the file: %1 of the model&apos;s %2 {2|tensor|tensors}.</source>
        <translation>Aus der Datei: %1 {2|des einen Tensors|der %2 Tensoren} des Modells.</translation>
    </message>
    <message>
        <source>{1|The last attempt has|The last %1 attempts in a row have} failed, and the pause grows with each.</source>
        <translation>{1|Der letzte Versuch ist|Die letzten %1 Versuche nacheinander sind} gescheitert, und mit jedem wird die Pause länger.</translation>
    </message>
    <message>
        <source>Its neighbors hold %1 {1|layer|layers} in all and need one each.</source>
        <translation>Schichten der Nachbarn zusammen: %1, und jeder braucht eine.</translation>
    </message>
    <message>
        <source>The plan has %1 {1|stage|stages}.</source>
        <translation>Der Plan hat %1 {1|Stufe|Stufen}.</translation>
    </message>
    <message>
        <source>All shares must sum to the %1 {1|sample|samples} of a micro-batch.</source>
        <translation>Alle Anteile zusammen müssen den Micro-Batch ergeben: %1 {1|Beispiel|Beispiele}.</translation>
    </message>
    <message>
        <source>A micro-batch of %1 {1|sample|samples} is too small for the %2 {2|device|devices} of stage %3.</source>
        <translation>Ein Micro-Batch mit %1 {1|Beispiel|Beispielen} ist für {2|das %2 Gerät|die %2 Geräte} der Stufe %3 zu klein.</translation>
    </message>
    <message>
        <source>The shares sum to %1 {1|sample|samples}.</source>
        <translation>Die Anteile ergeben zusammen %1 {1|Beispiel|Beispiele}.</translation>
    </message>
    <message>
        <source>A round has %1 {1|micro-batch|micro-batches}.</source>
        <translation>Eine Runde hat %1 {1|Micro-Batch|Micro-Batches}.</translation>
    </message>
    <message>
        <source>Micro-batches cannot have %1 {1|sample|samples}.</source>
        <translation>Micro-Batches können nicht %1 {1|Beispiel|Beispiele} haben.</translation>
    </message>
    <message>
        <source>The micro-batch of %1 {1|sample|samples} is locked.</source>
        <translation>Der Micro-Batch mit %1 {1|Beispiel|Beispielen} ist festgehalten.</translation>
    </message>
    <message>
        <source>It has %1 {1|sample|samples} and would have %2.</source>
        <translation>Es hat %1 {1|Beispiel|Beispiele} und hätte %2.</translation>
    </message>
    <message>
        <source>They sum to %1 {1|sample|samples}; a micro-batch has %2.</source>
        <translation>Zusammen {1|ist es %1 Beispiel|sind es %1 Beispiele}; ein Micro-Batch hat %2.</translation>
    </message>
    <message>
        <source>They hold %1 {1|layer|layers}; the model has %2.</source>
        <translation>Sie enthalten %1 {1|Schicht|Schichten}; das Modell hat %2.</translation>
    </message>
    <message>
        <source>They hold %1 {1|layer|layers}; the problem has %2.</source>
        <translation>Sie enthalten %1 {1|Schicht|Schichten}; das Problem hat %2.</translation>
    </message>
    <message>
        <source>%1 has %2 {2|sample|samples}; a layer of the stage needs %3.</source>
        <translation>%1 hat %2 {2|Beispiel|Beispiele}; eine Schicht der Stufe braucht %3.</translation>
    </message>
    <message>
        <source>%1 {1|sample is|samples are} no whole number of micro-batches of %2.</source>
        <translation>%1 {1|Beispiel ist|Beispiele sind} keine ganze Zahl von Micro-Batches zu %2.</translation>
    </message>
    <message>
        <source>They take %1 {1|sample|samples} of a batch of %2.</source>
        <translation>Sie nehmen %1 {1|Beispiel|Beispiele} eines Batches von %2.</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|device|devices} for micro-batches of at most %2 {2|sample|samples}, or two devices cannot reach each other.</source>
        <translation>Es gibt %1 {1|Gerät|Geräte} für Micro-Batches von höchstens %2 {2|Beispiel|Beispielen}, oder zwei Geräte können einander nicht erreichen.</translation>
    </message>
    <message>
        <source>A micro-batch has at most %1 {1|sample|samples}; a layer needs %2 on each of its devices.</source>
        <translation>Ein Micro-Batch hat höchstens %1 {1|Beispiel|Beispiele}; eine Schicht braucht %2 auf jedem ihrer Geräte.</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|device|devices} and %2 {2|profile|profiles}.</source>
        <translation>Es gibt %1 {1|Gerät|Geräte} und %2 {2|Profil|Profile}.</translation>
    </message>
    <message>
        <source>It has %1 {1|row|rows}, the model has %2 {2|layer|layers}.</source>
        <translation>Es hat %1 {1|Zeile|Zeilen}, das Modell hat %2 {2|Schicht|Schichten}.</translation>
    </message>
    <message>
        <source>It has %1 {1|number|numbers} for %2 batch {2|size|sizes}.</source>
        <translation>Es hat %1 {1|Zahl|Zahlen} für %2 {2|Batchgröße|Batchgrößen}.</translation>
    </message>
    <message>
        <source>Codecs change in round %1 for %2 {2|cut|cuts}; after round %3, %4 {4|cut|cuts} can be changed.</source>
        <translation>Die Kodierung wechselt in Runde %1 für %2 {2|Schnitt|Schnitte}; nach Runde %3 {4|lässt sich %4 Schnitt|lassen sich %4 Schnitte} ändern.</translation>
    </message>
    <message>
        <source>The members take %1 of %2 {2|sample|samples}.</source>
        <translation>Die Mitglieder nehmen %1 von %2 {2|Beispiel|Beispielen}.</translation>
    </message>
    <message>
        <source>Its devices need one stage, and %1 {1|micro-batch|micro-batches, one after the other}.</source>
        <translation>Seine Geräte brauchen eine Stufe und %1 {1|Micro-Batch|Micro-Batches, einen nach dem anderen}.</translation>
    </message>
    <message>
        <source>All of them were taken out of the run.</source>
        <translation>Alle wurden aus dem Lauf genommen.</translation>
    </message>
    <message>
        <source>The run waits for another one. Add it to the home, or stop the run.</source>
        <translation>Der Lauf wartet auf ein anderes. Fügen Sie es dem Zuhause hinzu, oder halten Sie den Lauf an.</translation>
    </message>
    <message>
        <source>Stop the run: it can be resumed with other devices.</source>
        <translation>Halten Sie den Lauf an: Er kann mit anderen Geräten fortgesetzt werden.</translation>
    </message>
    <message>
        <source>The weights were not saved.</source>
        <translation>Die Gewichte wurden nicht gespeichert.</translation>
    </message>
    <message>
        <source>The run was stopped while no device could be asked for them.</source>
        <translation>Der Lauf wurde angehalten, als kein Gerät danach gefragt werden konnte.</translation>
    </message>
    <message>
        <source>Resume it, and save them then.</source>
        <translation>Setzen Sie ihn fort, und speichern Sie sie dann.</translation>
    </message>
    <message>
        <source>No plan was accepted.</source>
        <translation>Kein Plan wurde angenommen.</translation>
    </message>
    <message>
        <source>The run offers none now.</source>
        <translation>Der Lauf bietet gerade keinen an.</translation>
    </message>
    <message>
        <source>It tells when it offers one again.</source>
        <translation>Er sagt es, wenn er wieder einen anbietet.</translation>
    </message>
    <message>
        <source>It names a file, and only its own device has that.</source>
        <translation>Es nennt eine Datei, und die hat nur sein eigenes Gerät.</translation>
    </message>
    <message>
        <source>Its deviation is not above 0.</source>
        <translation>Seine Abweichung ist nicht größer als 0.</translation>
    </message>
    <message>
        <source>The data have %1 {1|class|classes} and the model knows %2.</source>
        <translation>Die Daten haben %1 {1|Klasse|Klassen}, das Modell kennt %2.</translation>
    </message>
    <message>
        <source>It names %1 {1|sample|samples}.</source>
        <translation>Es nennt %1 {1|Beispiel|Beispiele}.</translation>
    </message>
    <message>
        <source>There {1|is|are} %1 {1|sample|samples}, and %2 is none.</source>
        <translation>Es gibt %1 {1|Beispiel|Beispiele}, und %2 ist keines.</translation>
    </message>
    <message>
        <source>%1 (%2 {2|sample|samples})</source>
        <translation>%1 (%2 {2|Beispiel|Beispiele})</translation>
    </message>
    <message>
        <source>Have them looked at again on the device that holds them: hearth data check &quot;%1&quot;</source>
        <translation>Lassen Sie sie auf dem Gerät, das sie hat, neu ansehen: hearth data check &quot;%1&quot;</translation>
    </message>
    <message>
        <source>A number of &quot;%1&quot; is %2, and %3 to %4 were told.</source>
        <translation>Eine Zahl von „%1“ ist %2; gesagt waren %3 bis %4.</translation>
    </message>
    <message>
        <source>The texts to test with are too short for one sample of %1 {1|token|tokens}.</source>
        <translation>Die Texte zum Testen sind zu kurz für ein Beispiel von %1 Tokens.</translation>
    </message>
    <message>
        <source>The texts to train with are too short for one sample of %1 {1|token|tokens}.</source>
        <translation>Die Texte zum Trainieren sind zu kurz für ein Beispiel von %1 Tokens.</translation>
    </message>
    <message>
        <source>Together the data have %1 {1|class|classes}, and the model knows %2.</source>
        <translation>Zusammen haben die Daten %1 {1|Klasse|Klassen}, und das Modell kennt %2.</translation>
    </message>
    <message>
        <source>It does not tell between which whole numbers &quot;%1&quot; lies.</source>
        <translation>Es sagt nicht, zwischen welchen ganzen Zahlen „%1“ liegt.</translation>
    </message>
    <message>
        <source>The network tells %1 {1|class|classes} apart.</source>
        <translation>Das Netz unterscheidet %1 {1|Klasse|Klassen}.</translation>
    </message>
    <message>
        <source>The network takes %1 {1|number|numbers} of each row.</source>
        <translation>Das Netz nimmt %1 {1|Zahl|Zahlen} je Zeile.</translation>
    </message>
    <message>
        <source>The model tells %1 {1|class|classes} apart; the data have %2.</source>
        <translation>Das Modell unterscheidet %1 {1|Klasse|Klassen}; die Daten haben %2.</translation>
    </message>
    <message>
        <source>It is for a model of %1 {1|layer|layers}, and %2 has %3.</source>
        <translation>Er ist für ein Modell mit %1 {1|Schicht|Schichten}, und %2 hat %3.</translation>
    </message>
    <message>
        <source>It has %1 {1|layer|layers}, measured were %2.</source>
        <translation>Es hat %1 {1|Schicht|Schichten}, gemessen wurden %2.</translation>
    </message>
    <message>
        <source>%1 over the %2 {2|round|rounds} left, too little for the %3 that the change costs</source>
        <translation>%1 über die {2|restliche %2 Runde|restlichen %2 Runden}, zu wenig für die %3, die der Wechsel kostet</translation>
    </message>
    <message>
        <source>and the last change is only %1 of at least %2 {2|round|rounds} ago</source>
        <translation>und der letzte Wechsel liegt erst %1 von mindestens %2 {2|Runde|Runden} zurück</translation>
    </message>
    <message>
        <source>Another plan takes %1 instead of %2 a round (%3 % less); over the %4 {4|round|rounds} left that saves %5, and the change costs %6.</source>
        <translation>Ein anderer Plan braucht %1 statt %2 je Runde (%3 % weniger); über die {4|restliche %4 Runde|restlichen %4 Runden} spart das %5, und der Wechsel kostet %6.</translation>
    </message>
    <message>
        <source>%1 {1|sample has|samples have} %2 {2|number|numbers}{1|| each}.</source>
        <translation>%1 {1|Beispiel hat|Beispiele haben je} %2 {2|Zahl|Zahlen}.</translation>
    </message>
    <message>
        <source>{1|It is one file.|There are %1 of them.}</source>
        <translation>{1|Es ist eine Datei.|Es sind %1.}</translation>
    </message>
    <message>
        <source>{1|It is %2.|There are %1 of them. The first is %2.}</source>
        <translation>{1|Es ist %2.|Es sind %1. Die erste ist %2.}</translation>
    </message>
    <message>
        <source>It began with %1 {1|sample|samples} to train and %2 to evaluate; there are %3 and %4.</source>
        <translation>Er begann mit %1 {1|Beispiel|Beispielen} zum Trainieren und %2 zum Auswerten; es sind %3 und %4.</translation>
    </message>
    <message>
        <source>%1 {1|layer is|layers are} missing.</source>
        <translation>%1 {1|Schicht fehlt|Schichten fehlen}.</translation>
    </message>
    <message>
        <source>%1 {1|tensor is|tensors are} still missing and nothing came for %2 seconds.</source>
        <translation>%1 {1|Tensor fehlt|Tensoren fehlen} noch, und seit %2 Sekunden kam nichts.</translation>
    </message>
    <message>
        <source>For %1 {1|evaluation|evaluations} of a run it takes %2 {2|run|runs}, and at most %3 are possible.</source>
        <translation>Für %1 {1|Auswertung|Auswertungen} eines Laufs braucht es %2 {2|Lauf|Läufe}, und höchstens %3 sind möglich.</translation>
    </message>
    <message>
        <source>It takes %1 combinations, and there {2|is|are} only %2.</source>
        <translation>Es braucht %1 Kombinationen, und es gibt nur %2.</translation>
    </message>
    <message>
        <source>Samples have %1 {1|part|parts}, and the model takes %2.</source>
        <translation>Beispiele haben %1 {1|Teil|Teile}, und das Modell nimmt %2.</translation>
    </message>
    <message>
        <source>%1 {1|sample|samples} in micro-batches of %2; the plan&apos;s are of %3.</source>
        <translation>%1 {1|Beispiel|Beispiele} in Micro-Batches von %2; die des Plans haben %3.</translation>
    </message>
    <message>
        <source>Layer &quot;%1&quot; needs %2 {2|sample|samples} at least; the share is %3.</source>
        <translation>Die Schicht „%1“ braucht mindestens %2 {2|Beispiel|Beispiele}; der Anteil ist %3.</translation>
    </message>
    <message>
        <source>The address of one of its ends is gone.</source>
        <translation>Die Adresse eines ihrer Enden ist weg.</translation>
    </message>
    <message>
        <source>%1 {1|run|runs} cannot be compared.</source>
        <translation>%1 {1|Lauf kann|Läufe können} nicht verglichen werden.</translation>
    </message>
    <message>
        <source>Give it fewer layers or samples, or add a device to its stage.</source>
        <translation>Ihm weniger Schichten oder Beispiele geben oder ein Gerät zu seiner Stufe hinzunehmen.</translation>
    </message>
    <message>
        <source>It is negative.</source>
        <translation>Es ist negativ.</translation>
    </message>
    <message>
        <source>Nothing was heard of it for %1 s, and it did not answer when it was asked.</source>
        <translation>Seit %1 s war nichts von ihm zu hören, auch keine Antwort auf eine Nachfrage.</translation>
    </message>
    <message>
        <source>It is taken for the names of the columns, though half of it or more are numbers.</source>
        <translation>Sie gilt als Namen der Spalten, obwohl sie mindestens zur Hälfte aus Zahlen besteht.</translation>
    </message>
    <message>
        <source>The column &quot;%1&quot; has numbers, and fields that are none: %2</source>
        <translation>In der Spalte „%1“ stehen Zahlen und Felder, die keine sind: %2</translation>
    </message>
    <message>
        <source>The column &quot;%1&quot; has texts, which are no quantity: %2</source>
        <translation>In der Spalte „%1“ stehen Texte, die keine Größe sind: %2</translation>
    </message>
    <message>
        <source>The column &quot;%1&quot; has %2 {2|number|numbers}, too few to set some apart for a test.</source>
        <translation>Die Spalte „%1“ hat %2 {2|Zahl|Zahlen}, zu wenige, um einige zum Testen beiseitezulegen.</translation>
    </message>
    <message>
        <source>%1 has &quot;%2&quot;.</source>
        <translation>%1 enthält „%2“.</translation>
    </message>
    <message>
        <source>%1 {1|field is no number and counts|fields are no numbers and count} as missing: %2</source>
        <translation>%1 {1|Feld ist keine Zahl und zählt|Felder sind keine Zahlen und zählen} als fehlend: %2</translation>
    </message>
    <message>
        <source>All %1 different fields are categories, since some are no numbers: %2</source>
        <translation>Alle %1 verschiedenen Felder sind Kategorien, weil einige keine Zahlen sind: %2</translation>
    </message>
    <message>
        <source>The column has numbers, and fields that are none: %1 Correct such fields, or leave them empty.</source>
        <translation>In der Spalte stehen Zahlen und Felder, die keine sind: %1 Berichtigen Sie solche Felder, oder lassen Sie sie leer.</translation>
    </message>
    <message>
        <source>The column has more than %1 different texts: %2 To learn from it, choose it under &quot;Texts&quot;, or say --text.</source>
        <translation>Die Spalte enthält mehr als %1 verschiedene Texte: %2 Um daraus zu lernen, wählen Sie sie unter „Texte“, oder geben Sie --text an.</translation>
    </message>
    <message>
        <source>These are plain texts, which a language model learns to continue.</source>
        <translation>Das sind reine Texte, die ein Sprachmodell fortzusetzen lernt.</translation>
    </message>
    <message>
        <source>For classes, make a table with the columns text and label; else leave out what is only for tables.</source>
        <translation>Für Klassen legen Sie eine Tabelle mit den Spalten text und label an; sonst lassen Sie weg, was nur für Tabellen ist.</translation>
    </message>
    <message>
        <source>The run goes on with a plan that does not need it.</source>
        <translation>Der Lauf geht mit einem Plan weiter, der sie nicht braucht.</translation>
    </message>
    <message>
        <source>Where the model comes from a folder, write classes=%1 under &quot;Options of this model&quot;, or &quot;model&quot;: &quot;FOLDER:classes=%1&quot; in the job&apos;s file; else choose one with as many classes as the data.</source>
        <translation>Kommt das Modell aus einem Ordner, schreiben Sie classes=%1 unter „Optionen dieses Modells“, oder &quot;model&quot;: &quot;ORDNER:classes=%1&quot; in die Datei des Auftrags; sonst wählen Sie eines mit so vielen Klassen wie die Daten.</translation>
    </message>
    <message>
        <source>No checkpoint of round %1 was written.</source>
        <translation>Von Runde %1 wurde kein Checkpoint geschrieben.</translation>
    </message>
    <message>
        <source>There are layers whose state at its end no device holds.</source>
        <translation>Es gibt Schichten, deren Zustand an ihrem Ende kein Gerät hält.</translation>
    </message>
    <message>
        <source>Resumed, the run goes on from version %1 on the disk.</source>
        <translation>Wird der Lauf fortgesetzt, geht er ab Version %1 von der Platte weiter.</translation>
    </message>
    <message>
        <source>Its weights are saved. To go on from them, start a new run that begins with them.</source>
        <translation>Seine Gewichte sind gespeichert. Um von ihnen aus weiterzumachen, starten Sie einen neuen Lauf, der mit ihnen beginnt.</translation>
    </message>
    <message>
        <source>One of its ends confirms nothing that is sent.</source>
        <translation>Eines ihrer Enden bestätigt nichts, was gesendet wird.</translation>
    </message>
    <message>
        <source>The list of its files has more than %1 bytes.</source>
        <translation>Die Liste ihrer Dateien hat mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>Add rows, or make a folder with a train.csv and a test.csv.</source>
        <translation>Ergänzen Sie Zeilen, oder legen Sie einen Ordner mit einer train.csv und einer test.csv an.</translation>
    </message>
    <message>
        <source>Correct them, or choose another column under &quot;Learn&quot;, or say --label COLUMN.</source>
        <translation>Berichtigen Sie sie, oder wählen Sie unter „Lernen“ eine andere Spalte, oder geben Sie --label SPALTE an.</translation>
    </message>
    <message>
        <source>Correct such fields or leave them empty, or say whether labels are classes or a quantity: beside &quot;Learn&quot;, or with --task classification or --task regression.</source>
        <translation>Berichtigen Sie solche Felder, lassen Sie sie leer, oder sagen Sie, ob die Labels Klassen oder eine Größe sind: neben „Lernen“ oder mit --task classification oder --task regression.</translation>
    </message>
    <message>
        <source>Correct such fields or leave them empty.</source>
        <translation>Berichtigen Sie solche Felder oder lassen Sie sie leer.</translation>
    </message>
    <message>
        <source>Choose &quot;classes&quot; beside &quot;Learn&quot;, or say --task classification.</source>
        <translation>Wählen Sie neben „Lernen“ „Klassen“, oder geben Sie --task classification an.</translation>
    </message>
    <message>
        <source>Add columns of numbers or categories, or choose another column under &quot;Learn&quot;, or say --label COLUMN.</source>
        <translation>Ergänzen Sie Spalten mit Zahlen oder Kategorien, oder wählen Sie unter „Lernen“ eine andere Spalte, oder geben Sie --label SPALTE an.</translation>
    </message>
    <message>
        <source>Take columns out of the table: each different text of a category is a number.</source>
        <translation>Nehmen Sie Spalten aus der Tabelle heraus: Jeder verschiedene Text einer Kategorie ist eine Zahl.</translation>
    </message>
    <message>
        <source>Add the table again with &quot;classes&quot; beside &quot;Learn&quot;, or --task classification, and choose &quot;%1&quot;.</source>
        <translation>Fügen Sie die Tabelle noch einmal hinzu, mit „Klassen“ neben „Lernen“ oder --task classification, und wählen Sie „%1“.</translation>
    </message>
    <message>
        <source>Start hearth-agent, or, for the system&apos;s service, &quot;sudo systemctl start hearth-agent&quot;: its state folder is /var/lib/hearth (--state).</source>
        <translation>Starten Sie hearth-agent oder, für den Dienst des Systems, „sudo systemctl start hearth-agent“: sein Zustandsordner ist /var/lib/hearth (--state).</translation>
    </message>
    <message>
        <source>It belongs to another user, and you may not use it.</source>
        <translation>Er gehört einem anderen Benutzer, und Sie dürfen ihn nicht verwenden.</translation>
    </message>
    <message>
        <source>Join the group of the system&apos;s service (sudo adduser NAME hearth) and log in again, or choose a state folder of your own with --state.</source>
        <translation>Treten Sie der Gruppe des Dienstes des Systems bei (sudo adduser NAME hearth) und melden Sie sich neu an, oder wählen Sie mit --state einen eigenen Zustandsordner.</translation>
    </message>
    <message>
        <source>The runs of the demo lie in %1, which may be emptied when this computer starts again. Free some space, check who owns %2, and copy them there.</source>
        <translation>Die Läufe der Demo liegen in %1; der Ordner wird vielleicht geleert, wenn dieser Computer neu startet. Schaffen Sie Platz, prüfen Sie, wem %2 gehört, und kopieren Sie sie dorthin.</translation>
    </message>
    <message>
        <source>Name a file in a folder of your own.</source>
        <translation>Nennen Sie eine Datei in einem eigenen Ordner.</translation>
    </message>
    <message>
        <source>The firewall %1 is on; whether its rules let Hearth through cannot be told.</source>
        <translation>Die Firewall %1 ist aktiv; ob ihre Regeln Hearth durchlassen, lässt sich nicht sagen.</translation>
    </message>
    <message>
        <source>It belongs to the user %1; only an agent of that user can use it.</source>
        <translation>Er gehört dem Benutzer %1; nur ein Agent dieses Benutzers kann ihn verwenden.</translation>
    </message>
    <message>
        <source>If that is the system&apos;s service, start it (sudo systemctl start hearth-agent), or join its group (sudo adduser NAME %1) and log in again; else choose another folder with --state.</source>
        <translation>Wenn das der Dienst des Systems ist, starten Sie ihn (sudo systemctl start hearth-agent), oder treten Sie seiner Gruppe bei (sudo adduser NAME %1) und melden Sie sich neu an; sonst wählen Sie mit --state einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Others may write to it; whoever writes there decides whom this device trusts.</source>
        <translation>Andere dürfen hineinschreiben; wer dort schreibt, entscheidet, wem dieses Gerät vertraut.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be put on the list of trusted devices.</source>
        <translation>„%1“ kann nicht in die Liste der vertrauten Geräte aufgenommen werden.</translation>
    </message>
    <message>
        <source>Give the device another name there, then pair it again.</source>
        <translation>Geben Sie dem Gerät dort einen anderen Namen und koppeln Sie es dann erneut.</translation>
    </message>
    <message>
        <source>It is no temporary folder.</source>
        <translation>Es ist kein temporärer Ordner.</translation>
    </message>
    <message>
        <source>Free some space there, in %1.</source>
        <translation>Geben Sie dort Platz frei, in %1.</translation>
    </message>
    <message>
        <source>A copy of the package that an earlier installation made stays on %1: remove %2 there.</source>
        <translation>Eine Kopie des Pakets, die eine frühere Installation angelegt hat, bleibt auf %1: Entfernen Sie dort %2.</translation>
    </message>
    <message>
        <source>&quot;hearth save RUN FILE&quot; saves those of a run under way; one that broke off saves them when it is resumed and stopped.</source>
        <translation>„hearth save RUN FILE“ speichert die eines laufenden Laufs; ein abgebrochener speichert sie, wenn er fortgesetzt und angehalten wird.</translation>
    </message>
    <message>
        <source>There is no checkpoint of it in %1/checkpoints.</source>
        <translation>In %1/checkpoints liegt kein Checkpoint von ihm.</translation>
    </message>
    <message>
        <source>The checkpoints in %1 could not be removed.</source>
        <translation>Die Checkpoints in %1 ließen sich nicht entfernen.</translation>
    </message>
    <message>
        <source>Check who owns the folder.</source>
        <translation>Prüfen Sie, wem der Ordner gehört.</translation>
    </message>
    <message>
        <source>These runs cannot be compared by their loss.</source>
        <translation>Diese Läufe lassen sich nicht nach ihrem Verlust vergleichen.</translation>
    </message>
    <message>
        <source>The loss itself is swept: %1 and %2 are different measures.</source>
        <translation>Der Verlust selbst wird variiert: %1 und %2 sind verschiedene Maße.</translation>
    </message>
    <message>
        <source>Compare by accuracy: --by accuracy, or &quot;best_by&quot; in the job.</source>
        <translation>Vergleichen Sie nach der Genauigkeit: --by accuracy, oder „best_by“ im Auftrag.</translation>
    </message>
    <message>
        <source>It says how the runs of the sweep are compared.</source>
        <translation>Es sagt, wie die Läufe der Versuchsreihe verglichen werden.</translation>
    </message>
    <message>
        <source>Choose one of the two: --by accuracy, or &quot;best_by&quot; in the job.</source>
        <translation>Wählen Sie eines von beiden: --by accuracy, oder „best_by“ im Auftrag.</translation>
    </message>
    <message>
        <source>It belongs to the user %1.</source>
        <translation>Er gehört dem Benutzer %1.</translation>
    </message>
    <message>
        <source>Run this command as that user, with &quot;sudo -u %1&quot;.</source>
        <translation>Führen Sie diesen Befehl als dieser Benutzer aus, mit „sudo -u %1“.</translation>
    </message>
    <message>
        <source>&quot;hearth runs%1&quot; lists them.</source>
        <translation>„hearth runs%1“ listet sie auf.</translation>
    </message>
    <message>
        <source>No display answers: DISPLAY is &quot;%1&quot;, WAYLAND_DISPLAY is &quot;%2&quot;.</source>
        <translation>Kein Bildschirm antwortet: DISPLAY ist „%1“, WAYLAND_DISPLAY ist „%2“.</translation>
    </message>
    <message>
        <source>It names an axis twice.</source>
        <translation>Es nennt eine Achse zweimal.</translation>
    </message>
    <message>
        <source>A sample of it has too many elements.</source>
        <translation>Ein Beispiel davon hat zu viele Elemente.</translation>
    </message>
    <message>
        <source>Export it for a smaller size.</source>
        <translation>Exportieren Sie es für eine kleinere Größe.</translation>
    </message>
    <message>
        <source>Stop it first: hearth stop %1%2</source>
        <translation>Halten Sie ihn zuerst an: hearth stop %1%2</translation>
    </message>
    <message>
        <source>--%1 goes with a form of the weights only.</source>
        <translation>--%1 passt nur zu einer Form der Gewichte.</translation>
    </message>
    <message>
        <source>Give --onnx FILE, for instance, or leave it out.</source>
        <translation>Geben Sie zum Beispiel --onnx FILE an, oder lassen Sie es weg.</translation>
    </message>
    <message>
        <source>--%1 goes with --%2 only.</source>
        <translation>--%1 passt nur zu --%2.</translation>
    </message>
</context>
<context>
    <name>DataBox</name>
    <message>
        <source>Remove these data?</source>
        <translation>Diese Daten entfernen?</translation>
    </message>
    <message>
        <source>%1 is removed from the list.</source>
        <translation>%1 wird aus der Liste entfernt.</translation>
    </message>
    <message>
        <source>Its files stay where they are, but not what was chosen of them: columns, task and tokenizer. Runs that learn from it cannot be resumed then.</source>
        <translation>Die Dateien bleiben, wo sie sind; was dazu gewählt wurde, geht verloren: Spalten, Aufgabe und Tokenizer. Läufe, die davon lernen, können dann nicht fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>DeviceWords</name>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Leaving</source>
        <translation>Scheidet aus</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Wird gemessen</translation>
    </message>
    <message>
        <source>Does not answer</source>
        <translation>Antwortet nicht</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Gegangen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Resting</source>
        <translation>Ruht</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>runs on its battery</source>
        <translation>läuft auf Akku</translation>
    </message>
    <message>
        <source>not at this hour</source>
        <translation>nicht um diese Zeit</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>In this run</source>
        <translation>In diesem Lauf</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>a plan with it would take %1 longer</source>
        <translation>ein Plan mit ihm bräuchte %1 länger</translation>
    </message>
    <message>
        <source>a plan with it would take as long</source>
        <translation>ein Plan mit ihm bräuchte ebenso lange</translation>
    </message>
    <message>
        <source>your plan gives it no layers</source>
        <translation>Ihr Plan gibt ihm keine Schichten</translation>
    </message>
    <message>
        <source>the plan gives it no layers</source>
        <translation>der Plan gibt ihm keine Schichten</translation>
    </message>
    <message>
        <source>takes no work now</source>
        <translation>nimmt jetzt keine Arbeit an</translation>
    </message>
    <message>
        <source>Paired</source>
        <translation>Gekoppelt</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Langsam</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>has not answered yet</source>
        <translation>hat noch nie geantwortet</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>another program computes on its card</source>
        <translation>ein anderes Programm rechnet auf der Karte</translation>
    </message>
    <message>
        <source>Desktop computer</source>
        <translation>Desktop-PC</translation>
    </message>
    <message>
        <source>Laptop</source>
        <translation>Laptop</translation>
    </message>
    <message>
        <source>Single-board computer</source>
        <translation>Einplatinenrechner</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>%1, on battery</source>
        <translation>%1, auf Akku</translation>
    </message>
    <message>
        <source>%1, on mains power</source>
        <translation>%1, am Stromnetz</translation>
    </message>
    <message>
        <source>paused until %1</source>
        <translation>pausiert bis %1</translation>
    </message>
</context>
<context>
    <name>FactWords</name>
    <message>
        <source>SGD, learning rate %1, momentum %2</source>
        <translation>SGD, Rate %1, Momentum %2</translation>
    </message>
    <message>
        <source>%1, learning rate %2</source>
        <translation>%1, Lernrate %2</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n Epoche</numerusform>
            <numerusform>%n Epochen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n round(s)</source>
        <translation>
            <numerusform>%n Runde</numerusform>
            <numerusform>%n Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>First loss</source>
        <translation>Erster Verlust</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>Letzter Verlust</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>Kleinster Verlust</translation>
    </message>
    <message>
        <source>Last accuracy</source>
        <translation>Letzte Genauigkeit</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>Beste Genauigkeit</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Took part</source>
        <translation>Dabei waren</translation>
    </message>
    <message>
        <source>Lost devices</source>
        <translation>Verlorene Geräte</translation>
    </message>
    <message>
        <source>Recoveries</source>
        <translation>Erholungen</translation>
    </message>
    <message>
        <source>Repeated rounds</source>
        <translation>Wiederholte Runden</translation>
    </message>
    <message>
        <source>Moved by recoveries</source>
        <translation>Bei Erholungen bewegt</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Unreadable lines</source>
        <translation>Unlesbare Zeilen</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s) in between are left out here.</source>
        <translation>
            <numerusform>%n Plan dazwischen fehlt hier.</numerusform>
            <numerusform>%n Pläne dazwischen fehlen hier.</numerusform>
        </translation>
    </message>
    <message>
        <source>From round %1 on</source>
        <translation>Ab Runde %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>after round %1: loss %2, %3 correct</source>
        <translation>nach Runde %1: Verlust %2, %3 richtig</translation>
    </message>
    <message>
        <source>after round %1: loss %2</source>
        <translation>nach Runde %1: Verlust %2</translation>
    </message>
    <message>
        <source>Ended early</source>
        <translation>Vorzeitig beendet</translation>
    </message>
    <message>
        <source>Best weights</source>
        <translation>Beste Gewichte</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n Beispiel</numerusform>
            <numerusform>%n Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>those that its network came with</source>
        <translation>die, mit denen sein Netz kam</translation>
    </message>
    <message>
        <source>%1 of the run %2</source>
        <translation>%1 des Laufs %2</translation>
    </message>
    <message>
        <source>Begun with the weights</source>
        <translation>Begonnen mit den Gewichten</translation>
    </message>
</context>
<context>
    <name>ForgetBox</name>
    <message>
        <source>Forget this device?</source>
        <translation>Dieses Gerät vergessen?</translation>
    </message>
    <message>
        <source>%1 is removed from this home at once.</source>
        <translation>%1 wird sofort aus diesem Zuhause entfernt.</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>It no longer takes part in training, and the other devices of the home are told. To take it back, pair it again.</source>
        <translation>Es nimmt nicht mehr am Training teil, und die anderen Geräte des Zuhauses erfahren es. Um es zurückzuholen, koppeln Sie es neu.</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 MB/s</source>
        <translation>%1 MB/s</translation>
    </message>
    <message>
        <source>%1 kB/s</source>
        <translation>%1 kB/s</translation>
    </message>
    <message>
        <source>under %1 s</source>
        <translation>unter %1 s</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>percentage</comment>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 G</source>
        <comment>thousand million</comment>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%1 M</source>
        <comment>million</comment>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>%1 k</source>
        <comment>thousand</comment>
        <translation>%1 Tsd.</translation>
    </message>
</context>
<context>
    <name>InstallWords</name>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Check who answers</source>
        <translation>Prüfen, wer antwortet</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Look at the device</source>
        <translation>Das Gerät ansehen</translation>
    </message>
    <message>
        <source>Ask you</source>
        <translation>Sie fragen</translation>
    </message>
    <message>
        <source>Copy the package</source>
        <translation>Das Paket kopieren</translation>
    </message>
    <message>
        <source>Install the package</source>
        <translation>Das Paket installieren</translation>
    </message>
    <message>
        <source>Trust each other</source>
        <translation>Einander vertrauen</translation>
    </message>
    <message>
        <source>Start the agent</source>
        <translation>Den Agenten starten</translation>
    </message>
    <message>
        <source>Wait for the device</source>
        <translation>Auf das Gerät warten</translation>
    </message>
    <message>
        <source>Undo what was done</source>
        <translation>Rückgängig machen</translation>
    </message>
    <message>
        <source>Remove Hearth</source>
        <translation>Hearth entfernen</translation>
    </message>
    <message>
        <source>Operating system</source>
        <translation>Betriebssystem</translation>
    </message>
    <message>
        <source>Home folder</source>
        <translation>Persönlicher Ordner</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Service manager</source>
        <translation>Dienstverwaltung</translation>
    </message>
    <message>
        <source>Rights</source>
        <translation>Rechte</translation>
    </message>
    <message>
        <source>Earlier installation</source>
        <translation>Frühere Installation</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>C library</source>
        <translation>C-Bibliothek</translation>
    </message>
    <message>
        <source>Free space</source>
        <translation>Freier Platz</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>That was not accepted.</source>
        <translation>Das wurde nicht angenommen.</translation>
    </message>
    <message>
        <source>The password of %1:</source>
        <translation>Das Passwort von %1:</translation>
    </message>
    <message>
        <source>The password for sudo of %1. Without it Hearth is installed for this user only.</source>
        <translation>Das sudo-Passwort von %1. Ohne es wird Hearth nur für diesen Benutzer installiert.</translation>
    </message>
    <message>
        <source>Your key is locked. Its passphrase:</source>
        <translation>Ihr Schlüssel ist gesperrt. Seine Passphrase:</translation>
    </message>
</context>
<context>
    <name>JobBox</name>
    <message>
        <source>Start anyway?</source>
        <translation>Trotzdem starten?</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>Save this job?</source>
        <translation>Diesen Auftrag speichern?</translation>
    </message>
    <message>
        <source>This job has changes that are not saved.</source>
        <translation>Dieser Auftrag hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>JobValueWords</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Gewichtsabnahme</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Teilstapel</translation>
    </message>
    <message>
        <source>Planned rounds</source>
        <translation>Geplante Runden</translation>
    </message>
    <message>
        <source>Planned passes</source>
        <translation>Geplante Durchgänge</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit der Zahlen</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>Rate over the run</source>
        <translation>Lernrate im Verlauf</translation>
    </message>
    <message>
        <source>Kind of loss</source>
        <translation>Art des Verlusts</translation>
    </message>
    <message>
        <source>Part for validation</source>
        <translation>Anteil zur Validierung</translation>
    </message>
    <message>
        <source>Evaluated every</source>
        <translation>Ausgewertet alle</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>Geduld</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>Bestes nach</translation>
    </message>
    <message>
        <source>Fitted by</source>
        <translation>Eingepasst durch</translation>
    </message>
    <message>
        <source>Random part</source>
        <translation>Zufälliger Ausschnitt</translation>
    </message>
    <message>
        <source>Moved by pixels</source>
        <translation>Um Bildpunkte verschoben</translation>
    </message>
    <message>
        <source>Mirrored</source>
        <translation>Gespiegelt</translation>
    </message>
    <message>
        <source>Colours changed</source>
        <translation>Farben verändert</translation>
    </message>
    <message>
        <source>RandAugment&apos;s changes</source>
        <translation>Änderungen von RandAugment</translation>
    </message>
    <message>
        <source>RandAugment&apos;s strength</source>
        <translation>Stärke von RandAugment</translation>
    </message>
    <message>
        <source>Mixup</source>
        <translation>Mixup</translation>
    </message>
    <message>
        <source>CutMix</source>
        <translation>CutMix</translation>
    </message>
    <message>
        <source>Kind of adapters</source>
        <translation>Art der Adapter</translation>
    </message>
    <message>
        <source>Rank of adapters</source>
        <translation>Rang der Adapter</translation>
    </message>
    <message>
        <source>Alpha of adapters</source>
        <translation>Alpha der Adapter</translation>
    </message>
    <message>
        <source>Dropout of adapters</source>
        <translation>Dropout der Adapter</translation>
    </message>
    <message>
        <source>Features of adapters</source>
        <translation>Merkmale der Adapter</translation>
    </message>
    <message>
        <source>Ops with an adapter</source>
        <translation>Operationen mit Adapter</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>Local steps</source>
        <translation>Lokale Schritte</translation>
    </message>
    <message>
        <source>Outer rate</source>
        <translation>Äußere Rate</translation>
    </message>
    <message>
        <source>Outer momentum</source>
        <translation>Äußeres Momentum</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Betriebsart</translation>
    </message>
    <message>
        <source>Update after each</source>
        <translation>Aktualisiert nach</translation>
    </message>
    <message>
        <source>One version everywhere</source>
        <translation>Überall eine Version</translation>
    </message>
    <message>
        <source>Versions averaged every</source>
        <translation>Versionen gemittelt alle</translation>
    </message>
    <message>
        <source>Rate divided by delay</source>
        <translation>Rate durch Verzögerung geteilt</translation>
    </message>
    <message>
        <source>Prediction of weights</source>
        <translation>Vorhersage der Gewichte</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>Label-Glättung</translation>
    </message>
    <message>
        <source>Nesterov&apos;s momentum</source>
        <translation>Momentum nach Nesterov</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Steps in proportion to the weights</source>
        <translation>Schritte im Verhältnis zu den Gewichten</translation>
    </message>
    <message>
        <source>Rate of at most 1/√round</source>
        <translation>Rate von höchstens 1/√Runde</translation>
    </message>
    <message>
        <source>What decays</source>
        <translation>Was abnimmt</translation>
    </message>
    <message>
        <source>Largest norm of gradients</source>
        <translation>Größte Norm der Gradienten</translation>
    </message>
    <message>
        <source>Averaging of weights</source>
        <translation>Mittelung der Gewichte</translation>
    </message>
    <message>
        <source>Rounds of warm-up</source>
        <translation>Runden zum Aufwärmen</translation>
    </message>
    <message>
        <source>Part of the rate at the end</source>
        <translation>Anteil der Rate am Ende</translation>
    </message>
    <message>
        <source>Rounds between steps</source>
        <translation>Runden zwischen Stufen</translation>
    </message>
    <message>
        <source>Factor of each step</source>
        <translation>Faktor jeder Stufe</translation>
    </message>
    <message>
        <source>Gradients inside groups</source>
        <translation>Gradienten in Gruppen</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>Gemischt</translation>
    </message>
    <message>
        <source>Best weights kept</source>
        <translation>Beste Gewichte behalten</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Tokens per prompt</source>
        <translation>Token je Prompt</translation>
    </message>
    <message>
        <source>Scale of the input</source>
        <translation>Faktor der Eingabe</translation>
    </message>
    <message>
        <source>Border of the input</source>
        <translation>Rand der Eingabe</translation>
    </message>
    <message>
        <source>Channels repeated</source>
        <translation>Kanäle wiederholt</translation>
    </message>
    <message>
        <source>Mean of the channels</source>
        <translation>Mittel der Kanäle</translation>
    </message>
    <message>
        <source>Deviation of the channels</source>
        <translation>Abweichung der Kanäle</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>Adafactor</source>
        <translation>Adafactor</translation>
    </message>
    <message>
        <source>All that is trained</source>
        <translation>Alles, was trainiert wird</translation>
    </message>
    <message>
        <source>All but biases and norms</source>
        <translation>Alles außer Biases und Normierungen</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstant</translation>
    </message>
    <message>
        <source>Falls in a straight line</source>
        <translation>Fällt geradlinig</translation>
    </message>
    <message>
        <source>Falls along a cosine</source>
        <translation>Fällt entlang eines Kosinus</translation>
    </message>
    <message>
        <source>Falls in steps</source>
        <translation>Fällt in Stufen</translation>
    </message>
    <message>
        <source>One cycle up and down</source>
        <translation>Ein Zyklus auf und ab</translation>
    </message>
    <message>
        <source>32 bits (float32)</source>
        <translation>32 Bit (float32)</translation>
    </message>
    <message>
        <source>16 bits in large products (bfloat16)</source>
        <translation>16 Bit in großen Produkten (bfloat16)</translation>
    </message>
    <message>
        <source>64 bits (float64)</source>
        <translation>64 Bit (float64)</translation>
    </message>
    <message>
        <source>To 16 or 8 bits where links are slow</source>
        <translation>Auf 16 oder 8 Bit, wo es sich lohnt</translation>
    </message>
    <message>
        <source>To 4 bits as well</source>
        <translation>Auch auf 4 Bit</translation>
    </message>
    <message>
        <source>As they are</source>
        <translation>Wie sie sind</translation>
    </message>
    <message>
        <source>Rounded to 8 bits</source>
        <translation>Auf 8 Bit gerundet</translation>
    </message>
    <message>
        <source>Cut to their middle</source>
        <translation>Auf die Mitte zugeschnitten</translation>
    </message>
    <message>
        <source>Whole, on black</source>
        <translation>Ganz, auf Schwarz</translation>
    </message>
    <message>
        <source>Stretched</source>
        <translation>Gestreckt</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>Kleinster Verlust</translation>
    </message>
    <message>
        <source>Highest accuracy</source>
        <translation>Höchste Genauigkeit</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Bottleneck</source>
        <translation>Engpass</translation>
    </message>
    <message>
        <source>Synchronous</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>Asynchron</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>Runde</translation>
    </message>
</context>
<context>
    <name>LeftBox</name>
    <message>
        <source>Runs were left behind</source>
        <translation>Läufe sind zurückgeblieben</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>LimitWords</name>
    <message>
        <source>The models differ (%1, %2): losses and speeds cannot be compared directly.</source>
        <translation>Die Modelle sind verschieden (%1, %2): Verluste und Geschwindigkeiten lassen sich nicht direkt vergleichen.</translation>
    </message>
    <message>
        <source>The data differ (%1, %2): losses and accuracies cannot be compared.</source>
        <translation>Die Daten sind verschieden (%1, %2): Verluste und Genauigkeiten lassen sich nicht vergleichen.</translation>
    </message>
    <message>
        <source>A round has %1 samples in one run and %2 in the other: compare by time, not by round.</source>
        <translation>Eine Runde hat in einem Lauf %1 Beispiele und im anderen %2: Vergleichen Sie nach Zeit, nicht nach Runden.</translation>
    </message>
    <message>
        <source>%1 finished no round: it has no curves.</source>
        <translation>%1 hat keine Runde beendet: Es gibt keine Kurven.</translation>
    </message>
    <message>
        <source>%1 was never evaluated: there is no accuracy to compare.</source>
        <translation>%1 wurde nie ausgewertet: Es gibt keine Genauigkeit zu vergleichen.</translation>
    </message>
</context>
<context>
    <name>LinkWords</name>
    <message>
        <source>%1, %2 delay</source>
        <translation>%1, %2 Latenz</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 an %2: %3</translation>
    </message>
    <message>
        <source>%1, half duplex</source>
        <translation>%1, halbduplex</translation>
    </message>
    <message>
        <source>%1 shares the air with %2</source>
        <translation>%1 teilt sich das Funknetz mit %2</translation>
    </message>
    <message>
        <source>Shares the air with %1</source>
        <translation>Teilt sich das Funknetz mit %1</translation>
    </message>
</context>
<context>
    <name>Marker</name>
    <message>
        <source>paused</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>recovering</source>
        <translation>Wiederherstellung</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>new plan</source>
        <translation>neuer Plan</translation>
    </message>
    <message>
        <source>%1 silent</source>
        <translation>%1 schweigt</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>%1 verloren</translation>
    </message>
    <message>
        <source>%1 back</source>
        <translation>%1 zurück</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>%1 gegangen</translation>
    </message>
    <message>
        <source>recovered</source>
        <translation>wiederhergestellt</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>compression</source>
        <translation>Komprimierung</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
</context>
<context>
    <name>ModelFamilies</name>
    <message>
        <source>To begin with</source>
        <translation>Für den Anfang</translation>
    </message>
    <message>
        <source>learns small pictures in minutes</source>
        <translation>lernt kleine Bilder in Minuten</translation>
    </message>
    <message>
        <source>MobileNet</source>
        <translation>MobileNet</translation>
    </message>
    <message>
        <source>pictures, made for phones</source>
        <translation>Bilder, für Telefone gemacht</translation>
    </message>
    <message>
        <source>ResNet</source>
        <translation>ResNet</translation>
    </message>
    <message>
        <source>pictures, the usual choice</source>
        <translation>Bilder, die übliche Wahl</translation>
    </message>
    <message>
        <source>EfficientNet</source>
        <translation>EfficientNet</translation>
    </message>
    <message>
        <source>pictures, accurate for its size</source>
        <translation>Bilder, genau für seine Größe</translation>
    </message>
    <message>
        <source>Vision transformer</source>
        <translation>Vision-Transformer</translation>
    </message>
    <message>
        <source>pictures, by attention</source>
        <translation>Bilder, mit Attention</translation>
    </message>
    <message>
        <source>BERT</source>
        <translation>BERT</translation>
    </message>
    <message>
        <source>sorts texts and their words</source>
        <translation>ordnet Texte und ihre Wörter ein</translation>
    </message>
    <message>
        <source>GPT-2</source>
        <translation>GPT-2</translation>
    </message>
    <message>
        <source>goes on writing a text</source>
        <translation>schreibt einen Text weiter</translation>
    </message>
    <message>
        <source>T5</source>
        <translation>T5</translation>
    </message>
    <message>
        <source>turns one text into another</source>
        <translation>macht aus einem Text einen anderen</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Perceptron</source>
        <translation>Perzeptron</translation>
    </message>
    <message>
        <source>rows of a table</source>
        <translation>Zeilen einer Tabelle</translation>
    </message>
</context>
<context>
    <name>Moment</name>
    <message>
        <source>Measuring the devices: %1 of %2 steps</source>
        <translation>Messung: %1 von %2 Schritten</translation>
    </message>
    <message>
        <source>%1, until about %2</source>
        <translation>%1, bis etwa %2</translation>
    </message>
</context>
<context>
    <name>Narrator</name>
    <message numerus="yes">
        <source>%n earlier event(s) are not listed; the file events.jsonl of the run has them all.</source>
        <translation>
            <numerusform>%n früheres Ereignis steht nicht mehr in der Liste: Die Datei events.jsonl des Laufs hat alle.</numerusform>
            <numerusform>%n frühere Ereignisse stehen nicht mehr in der Liste: Die Datei events.jsonl des Laufs hat alle.</numerusform>
        </translation>
    </message>
    <message>
        <source>The run began.</source>
        <translation>Der Lauf hat begonnen.</translation>
    </message>
    <message>
        <source>The run began: %1 on %2.</source>
        <translation>Der Lauf hat begonnen: %1 mit %2.</translation>
    </message>
    <message>
        <source>Measuring how fast each device computes.</source>
        <translation>Es wird gemessen, wie schnell jedes Gerät rechnet.</translation>
    </message>
    <message>
        <source>Working out who computes what.</source>
        <translation>Es wird ermittelt, wer was rechnet.</translation>
    </message>
    <message>
        <source>Training.</source>
        <translation>Das Training läuft.</translation>
    </message>
    <message>
        <source>Paused after round %1.</source>
        <translation>Pause nach Runde %1.</translation>
    </message>
    <message>
        <source>The run was interrupted.</source>
        <translation>Der Lauf wurde unterbrochen.</translation>
    </message>
    <message>
        <source>Stopped after round %1.</source>
        <translation>Angehalten nach Runde %1.</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>Der Lauf ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>%1 is ready.</source>
        <translation>%1 ist bereit.</translation>
    </message>
    <message>
        <source>%1 is about to leave.</source>
        <translation>%1 ist dabei zu gehen.</translation>
    </message>
    <message>
        <source>%1 cannot be reached.</source>
        <translation>%1 ist nicht erreichbar.</translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n Stufe</numerusform>
            <numerusform>%n Stufen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was lost in round %2. %3</source>
        <translation>%1 ging in Runde %2 verloren. %3</translation>
    </message>
    <message>
        <source>Evaluated after round %1: %2 correct.</source>
        <translation>Ausgewertet nach Runde %1: %2 richtig.</translation>
    </message>
    <message>
        <source>Evaluated before the first round: %1 correct.</source>
        <translation>Ausgewertet vor der ersten Runde: %1 richtig.</translation>
    </message>
    <message>
        <source>Recovering: the remaining devices go back to the newest complete state and share the layers.</source>
        <translation>Wiederherstellung: Die übrigen Geräte kehren zum neuesten vollständigen Stand zurück und teilen sich die Schichten.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>The plan is ready: %1.</source>
        <translation>Der Plan steht: %1.</translation>
    </message>
    <message>
        <source>A new plan from round %1 on: %2.</source>
        <translation>Ein neuer Plan ab Runde %1: %2.</translation>
    </message>
    <message>
        <source>A new plan from round %1 on, %2: %3.</source>
        <translation>Ein neuer Plan ab Runde %1, %2: %3.</translation>
    </message>
    <message>
        <source>%1 does not answer in round %2. It is asked again.</source>
        <translation>%1 antwortet in Runde %2 nicht. Es wird noch einmal gefragt.</translation>
    </message>
    <message>
        <source>%1 joined after round %2.</source>
        <translation>%1 ist nach Runde %2 dazugekommen.</translation>
    </message>
    <message>
        <source>%1 left after round %2.</source>
        <translation>%1 ist nach Runde %2 gegangen.</translation>
    </message>
    <message>
        <source>The layers of %1 moved to %2.</source>
        <translation>Die Schichten von %1 gingen an %2.</translation>
    </message>
    <message numerus="yes">
        <source>%n round(s) were repeated</source>
        <translation>
            <numerusform>%n Runde wurde wiederholt</numerusform>
            <numerusform>%n Runden wurden wiederholt</numerusform>
        </translation>
    </message>
    <message>
        <source>Resumed after %1; %2.</source>
        <translation>Fortgesetzt nach %1; %2.</translation>
    </message>
    <message>
        <source>Detected in %1, planned in %2, moved %3 in %4, rebuilt in %5, first round in %6.</source>
        <translation>Erkannt in %1, geplant in %2, %3 verschoben in %4, aufgebaut in %5, erste Runde in %6.</translation>
    </message>
    <message>
        <source>The state came from the disk, as it was after round %1.</source>
        <translation>Der Stand kam von der Platte, wie er nach Runde %1 war.</translation>
    </message>
    <message>
        <source>All layers were assigned again.</source>
        <translation>Alle Schichten wurden neu zugeteilt.</translation>
    </message>
    <message>
        <source>Training goes on after round %1.</source>
        <translation>Das Training geht nach Runde %1 weiter.</translation>
    </message>
    <message numerus="yes">
        <source>Backed up weights on other devices %n time(s), last after round %1.</source>
        <translation>
            <numerusform>Die Gewichte wurden %n Mal auf anderen Geräten gespeichert, nach Runde %1.</numerusform>
            <numerusform>Die Gewichte wurden %n Mal auf anderen Geräten gespeichert, zuletzt nach Runde %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %n checkpoint(s), the last after round %1 (%2).</source>
        <translation>
            <numerusform>%n Checkpoint wurde gespeichert, nach Runde %1 (%2).</numerusform>
            <numerusform>%n Checkpoints wurden gespeichert, der letzte nach Runde %1 (%2).</numerusform>
        </translation>
    </message>
    <message>
        <source>Detected in %1, planned in %2, rebuilt in %3, first round in %4; nothing had to be moved.</source>
        <translation>Erkannt in %1, geplant in %2, aufgebaut in %3, erste Runde in %4; nichts musste verschoben werden.</translation>
    </message>
    <message>
        <source>no round was repeated</source>
        <translation>keine Runde wurde wiederholt</translation>
    </message>
    <message>
        <source>Evaluated before the first round: mean absolute error %1.</source>
        <translation>Vor der ersten Runde ausgewertet: mittlerer absoluter Fehler %1.</translation>
    </message>
    <message>
        <source>Evaluated after round %1: mean absolute error %2.</source>
        <translation>Nach Runde %1 ausgewertet: mittlerer absoluter Fehler %2.</translation>
    </message>
    <message>
        <source>Among the five likeliest: %1.</source>
        <translation>Unter den fünf wahrscheinlichsten: %1.</translation>
    </message>
    <message>
        <source>F1: %1.</source>
        <translation>F1: %1.</translation>
    </message>
    <message>
        <source>Perplexity: %1.</source>
        <translation>Perplexität: %1.</translation>
    </message>
    <message>
        <source>Compression lost too much: %1 From round %2 on more bits cross between stages %3 and %4: activations %5, gradients %6.</source>
        <translation>Die Komprimierung verlor zu viel: %1 Ab Runde %2 wandern zwischen Stufe %3 und %4 mehr Bits: Aktivierungen %5, Gradienten %6.</translation>
    </message>
    <message>
        <source>The run ended early. %1</source>
        <translation>Der Lauf endete vorzeitig. %1</translation>
    </message>
    <message>
        <source>The weights after round %1 are kept as the best so far (loss %2).</source>
        <translation>Die Gewichte nach Runde %1 sind als die bisher besten gesichert (Verlust %2).</translation>
    </message>
    <message>
        <source>Evaluated: mean absolute error %1.</source>
        <translation>Ausgewertet: mittlerer absoluter Fehler %1.</translation>
    </message>
    <message>
        <source>Evaluated: %1 correct.</source>
        <translation>Ausgewertet: %1 richtig.</translation>
    </message>
    <message>
        <source>“%1” goes on: “%2”.</source>
        <translation>„%1“ geht weiter: „%2“.</translation>
    </message>
    <message>
        <source>The run waits for devices that rest.</source>
        <translation>Der Lauf wartet auf Geräte, die ruhen.</translation>
    </message>
    <message>
        <source>%1, predicted %2</source>
        <translation>%1, vorhergesagt %2</translation>
    </message>
    <message>
        <source>Finished: %1 rounds at %2.</source>
        <translation>Fertig: %1 Runden, %2.</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 Beispiele/s</translation>
    </message>
    <message>
        <source>Training rests for some seconds: devices measure the network, for a better plan.</source>
        <translation>Das Training ruht einige Sekunden: Geräte messen das Netz, für einen besseren Plan.</translation>
    </message>
</context>
<context>
    <name>PauseWords</name>
    <message>
        <source>For 1 hour</source>
        <translation>Für 1 Stunde</translation>
    </message>
    <message>
        <source>Until the morning (%1)</source>
        <translation>Bis zum Morgen (%1)</translation>
    </message>
    <message>
        <source>Until I resume it</source>
        <translation>Bis ich es fortsetze</translation>
    </message>
</context>
<context>
    <name>PhoneWords</name>
    <message>
        <source>%1 done</source>
        <translation>%1 fertig</translation>
    </message>
    <message>
        <source>%1 · %2 epochs</source>
        <translation>%1 · %2 Epochen</translation>
    </message>
    <message numerus="yes">
        <source>Loss, smoothed over %n round(s)</source>
        <translation>
            <numerusform>Verlust, über %n Runde geglättet</numerusform>
            <numerusform>Verlust, über %n Runden geglättet</numerusform>
        </translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Nothing is training</source>
        <translation>Nichts wird trainiert</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Last data %1 s ago</source>
        <translation>Letzte Daten vor %1 s</translation>
    </message>
    <message>
        <source>Last data %1 min ago</source>
        <translation>Letzte Daten vor %1 min</translation>
    </message>
    <message>
        <source>The computer does not answer. It shows the run no longer, or this phone is in another network.</source>
        <translation>Der Rechner antwortet nicht. Er zeigt den Lauf nicht mehr, oder dieses Telefon ist in einem anderen Netz.</translation>
    </message>
    <message>
        <source>This page was stopped.</source>
        <translation>Diese Seite wurde beendet.</translation>
    </message>
    <message>
        <source>This page needs JavaScript.</source>
        <translation>Diese Seite braucht JavaScript.</translation>
    </message>
</context>
<context>
    <name>PlanWords</name>
    <message numerus="yes">
        <source>%1 (%n sample(s))</source>
        <translation>
            <numerusform>%1 (%n Beispiel)</numerusform>
            <numerusform>%1 (%n Beispiele)</numerusform>
        </translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>layers %1 to %2</source>
        <translation>Schichten %1 bis %2</translation>
    </message>
    <message>
        <source>This plan was made by a later version of Hearth.</source>
        <translation>Diesen Plan hat eine neuere Version von Hearth gemacht.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Made by the planner “%1”, %2 × %3 samples.</source>
        <translation>Gemacht vom Planer „%1“, %2 × %3 Beispiele.</translation>
    </message>
</context>
<context>
    <name>ReasonWords</name>
    <message>
        <source>because a device was lost</source>
        <translation>weil ein Gerät verloren ging</translation>
    </message>
    <message>
        <source>better than the one the recovery made</source>
        <translation>besser als der der Wiederherstellung</translation>
    </message>
    <message>
        <source>because devices became slower or faster</source>
        <translation>weil Geräte langsamer oder schneller wurden</translation>
    </message>
    <message>
        <source>because a device joined</source>
        <translation>weil ein Gerät dazukam</translation>
    </message>
    <message>
        <source>because a device left</source>
        <translation>weil ein Gerät ging</translation>
    </message>
    <message>
        <source>as you wished</source>
        <translation>wie gewünscht</translation>
    </message>
    <message>
        <source>because cuts are compressed less or more</source>
        <translation>weil Schnitte weniger oder mehr komprimiert werden</translation>
    </message>
    <message>
        <source>because devices have measured the network</source>
        <translation>weil Geräte das Netz vermessen haben</translation>
    </message>
    <message>
        <source>because rounds were shorter with it</source>
        <translation>weil Runden damit kürzer waren</translation>
    </message>
</context>
<context>
    <name>SampleWords</name>
    <message>
        <source>Row %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>Picture %1: %2</source>
        <translation>Bild %1: %2</translation>
    </message>
</context>
<context>
    <name>SaveBox</name>
    <message>
        <source>Replace the file?</source>
        <translation>Datei ersetzen?</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 gibt es schon.</translation>
    </message>
    <message>
        <source>What it holds now is lost.</source>
        <translation>Was sie jetzt enthält, geht verloren.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>Slots</name>
    <message>
        <source>%1: %2 %3, %4, and its gradient back</source>
        <translation>%1: %2 %3, %4, und sein Gradient zurück</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4</source>
        <translation>%1: %2 %3, %4</translation>
    </message>
</context>
<context>
    <name>StateWords</name>
    <message>
        <source>Measuring</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>Plant</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation>Stellt wieder her</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Asking the home …</source>
        <translation>Das Zuhause wird gefragt …</translation>
    </message>
    <message>
        <source>The network answers …</source>
        <translation>Das Netz antwortet …</translation>
    </message>
    <message>
        <source>The home&apos;s devices get ready: %1 …</source>
        <translation>Die Geräte des Zuhauses machen sich bereit: %1 …</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
</context>
<context>
    <name>TitleWords</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>VerdictWords</name>
    <message>
        <source>Looking …</source>
        <translation>Sehe nach …</translation>
    </message>
    <message>
        <source>All right</source>
        <translation>In Ordnung</translation>
    </message>
    <message>
        <source>May be the reason</source>
        <translation>Vielleicht der Grund</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
</context>
<context>
    <name>WindowMemory</name>
    <message>
        <source>The changes of the job could not be kept.</source>
        <translation>Die Änderungen am Auftrag konnten nicht behalten werden.</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>%1 kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Save the job as a file, or free some space. Closing the window again discards the changes.</source>
        <translation>Speichern Sie den Auftrag als Datei, oder schaffen Sie Platz. Wer das Fenster noch einmal schließt, verwirft die Änderungen.</translation>
    </message>
    <message>
        <source>The changes of the job that were not saved could not be read.</source>
        <translation>Die nicht gespeicherten Änderungen des Auftrags konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Make them again.</source>
        <translation>Nehmen Sie sie noch einmal vor.</translation>
    </message>
</context>
<context>
    <name>hearth::AboutDialog</name>
    <message>
        <source>About Hearth</source>
        <translation>Über Hearth</translation>
    </message>
    <message>
        <source>Trains neural networks on the devices of a household, together.</source>
        <translation>Trainiert neuronale Netze gemeinsam auf den Geräten eines Haushalts.</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</source>
        <translation>Freie Software unter der GNU General Public License, Version 3 oder neuer. Ohne jede Gewährleistung.</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>Versionen kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>Gemacht mit</translation>
    </message>
</context>
<context>
    <name>hearth::AddDataDialog</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add data</source>
        <translation>Daten hinzufügen</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Folder or file</source>
        <translation>Ordner oder Datei</translation>
    </message>
    <message>
        <source>Folder …</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>File …</source>
        <translation>Datei …</translation>
    </message>
    <message>
        <source>Choose a folder of pictures</source>
        <translation>Ordner mit Bildern wählen</translation>
    </message>
    <message>
        <source>Choose data</source>
        <translation>Daten wählen</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv);;All files (*)</source>
        <translation>Tabellen (*.csv *.tsv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Looking at the data …</source>
        <translation>Die Daten werden angesehen …</translation>
    </message>
    <message numerus="yes">
        <source>%1 pictures to train and %2 to test are added. %n file(s) cannot be used and are left out:</source>
        <translation>
            <numerusform>%1 Bilder zum Trainieren und %2 zum Prüfen sind hinzugefügt. %n Datei ist nicht zu gebrauchen und bleibt weg:</numerusform>
            <numerusform>%1 Bilder zum Trainieren und %2 zum Testen sind hinzugefügt. %n Dateien sind nicht zu gebrauchen und bleiben weg:</numerusform>
        </translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Column to learn</source>
        <translation>Spalte, die gelernt wird</translation>
    </message>
    <message>
        <source>The first rows</source>
        <translation>Die ersten Zeilen</translation>
    </message>
    <message>
        <source>%1 rows to train and %2 to test are added. Columns and rows that are left out:</source>
        <translation>%1 Zeilen zum Trainieren und %2 zum Testen sind hinzugefügt. Ausgelassene Spalten und Zeilen:</translation>
    </message>
    <message>
        <source>A folder with a folder of pictures for each class, a table, or texts. The data stay where they are.</source>
        <translation>Ein Ordner mit einem Ordner voller Bilder für jede Klasse, eine Tabelle oder Texte. Die Daten bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>Folder of a network, whose tokenizer is taken</source>
        <translation>Ordner eines Netzes, dessen Tokenizer genommen wird</translation>
    </message>
    <message>
        <source>the bytes of the texts</source>
        <translation>die Bytes der Texte</translation>
    </message>
    <message>
        <source>Choose the folder of a network</source>
        <translation>Ordner eines Netzes wählen</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>Column of the texts</source>
        <translation>Spalte der Texte</translation>
    </message>
    <message>
        <source>A language model learns to continue these texts. Folders called train, validation and test divide them; other folders mean nothing. For classes, make a table with the columns text and label.</source>
        <translation>Ein Sprachmodell lernt, diese Texte fortzusetzen. Ordner namens train, validation und test teilen sie auf; andere Ordner bedeuten nichts. Für Klassen legen Sie eine Tabelle mit den Spalten text und label an.</translation>
    </message>
    <message>
        <source>none: numbers and categories</source>
        <translation>keine: Zahlen und Kategorien</translation>
    </message>
    <message>
        <source>All samples are in one class: a job learns from them only together with other data.</source>
        <translation>Alle Beispiele gehören zu einer Klasse: Ein Auftrag lernt von ihnen nur zusammen mit anderen Daten.</translation>
    </message>
    <message numerus="yes">
        <source>%1 samples to train and %2 to test are added. %n file(s) cannot be used and are left out:</source>
        <translation>
            <numerusform>%1 Beispiele zum Trainieren und %2 zum Testen sind hinzugefügt. %n Datei ist nicht zu gebrauchen und bleibt weg:</numerusform>
            <numerusform>%1 Beispiele zum Trainieren und %2 zum Testen sind hinzugefügt. %n Dateien sind nicht zu gebrauchen und bleiben weg:</numerusform>
        </translation>
    </message>
    <message>
        <source>What is in the column to learn</source>
        <translation>Was in der Spalte steht, die gelernt wird</translation>
    </message>
    <message>
        <source>what it looks like</source>
        <translation>das, wonach es aussieht</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>a quantity</source>
        <translation>eine Größe</translation>
    </message>
    <message>
        <source>as</source>
        <translation>als</translation>
    </message>
    <message>
        <source>%1 rows to train and %2 to test are added.</source>
        <translation>%1 Zeilen zum Trainieren und %2 zum Testen sind hinzugefügt.</translation>
    </message>
</context>
<context>
    <name>hearth::AddDevices</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Add a device</source>
        <translation>Ein Gerät hinzufügen</translation>
    </message>
    <message>
        <source>Devices can trust each other by files that hold no secrets: each makes one and imports the other’s.</source>
        <translation>Geräte können einander über Dateien vertrauen, die keine Geheimnisse enthalten: Jedes erzeugt eine und importiert die des anderen.</translation>
    </message>
    <message>
        <source>1. On the device, where Hearth is installed:</source>
        <translation>1. Auf dem Gerät, auf dem Hearth installiert ist:</translation>
    </message>
    <message>
        <source>2. In a terminal of this computer:</source>
        <translation>2. In einem Terminal dieses Rechners:</translation>
    </message>
    <message>
        <source>3. Carry computer.json to the device, and there:</source>
        <translation>3. Bringen Sie computer.json auf das Gerät, und dort:</translation>
    </message>
    <message>
        <source>4. Carry device.json to this computer and choose it here. Give an address only if it is not the one in that file.</source>
        <translation>4. Bringen Sie device.json auf diesen Rechner und wählen Sie die Datei hier. Eine Adresse geben Sie nur an, wenn das Gerät eine andere hat, als in seiner Datei steht.</translation>
    </message>
    <message>
        <source>Address of the device, host:port</source>
        <translation>Adresse des Geräts, Host:Port</translation>
    </message>
    <message>
        <source>host:port, may be left empty</source>
        <translation>Host:Port, darf leer bleiben</translation>
    </message>
    <message>
        <source>Import trust file …</source>
        <translation>Vertrauensdatei importieren …</translation>
    </message>
    <message>
        <source>%1 is trusted now. It appears as soon as its agent runs.</source>
        <translation>%1 wird jetzt vertraut. Es erscheint, sobald sein Agent läuft.</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Den Befehl kopieren</translation>
    </message>
    <message>
        <source>Trust a device</source>
        <translation>Einem Gerät vertrauen</translation>
    </message>
    <message>
        <source>Identities of devices (*.json);;All files (*)</source>
        <translation>Identitäten von Geräten (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Install Hearth over SSH on a computer that you can log in to. It then joins this home.</source>
        <translation>Hearth über SSH auf einem Rechner installieren, auf dem Sie sich anmelden können. Er gehört dann zu diesem Zuhause.</translation>
    </message>
    <message>
        <source>Install on a computer …</source>
        <translation>Auf einem Rechner installieren …</translation>
    </message>
    <message>
        <source>By files, without comparing digits</source>
        <translation>Über Dateien, ohne Ziffern zu vergleichen</translation>
    </message>
    <message>
        <source>Add by address</source>
        <translation>Über die Adresse hinzufügen</translation>
    </message>
    <message>
        <source>Hearth has to run on the device (“hearth-agent”). Both devices then show six digits, which you compare.</source>
        <translation>Auf dem Gerät muss Hearth laufen („hearth-agent“). Beide Geräte zeigen dann sechs Ziffern, die Sie vergleichen.</translation>
    </message>
    <message>
        <source>Address of the device to pair with</source>
        <translation>Adresse des Geräts, das gekoppelt werden soll</translation>
    </message>
    <message>
        <source>Pair …</source>
        <translation>Koppeln …</translation>
    </message>
    <message>
        <source>nano-1 or 192.168.1.5</source>
        <translation>nano-1 oder 192.168.1.5</translation>
    </message>
</context>
<context>
    <name>hearth::AgentNotice</name>
    <message>
        <source>Restart agent</source>
        <translation>Agent neu starten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The agent on this computer is still version %1, Hearth is %2.</source>
        <translation>Der Agent auf diesem Rechner hat noch die Version %1, Hearth die Version %2.</translation>
    </message>
    <message>
        <source>%1 To use the new one, restart the service when nothing trains: “sudo systemctl restart hearth-agent”.</source>
        <translation>%1 Um den neuen zu verwenden, starten Sie den Dienst neu, wenn nichts trainiert: „sudo systemctl restart hearth-agent“.</translation>
    </message>
    <message>
        <source>%1 It was started by hand. To use the new one, end it when nothing trains, by “hearth-agent leave%2”, and start it again.</source>
        <translation>%1 Er wurde von Hand gestartet. Um den neuen zu verwenden, beenden Sie ihn mit „hearth-agent leave%2“, wenn nichts trainiert, und starten Sie ihn wieder.</translation>
    </message>
    <message>
        <source>%1 Restart it to use the new one.</source>
        <translation>%1 Starten Sie ihn neu, um den neuen zu verwenden.</translation>
    </message>
    <message>
        <source>Something trains here, or is led from here: restart it when that is over.</source>
        <translation>Hier wird trainiert, oder von hier wird ein Lauf geleitet: Starten Sie ihn neu, wenn das vorbei ist.</translation>
    </message>
</context>
<context>
    <name>hearth::AppMenu</name>
    <message>
        <source>Getting started</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>Open a recorded run …</source>
        <translation>Aufgezeichneten Lauf öffnen …</translation>
    </message>
    <message>
        <source>End the demo</source>
        <translation>Demo beenden</translation>
    </message>
    <message>
        <source>Notify me when Hearth is in the background</source>
        <translation>Benachrichtigen, wenn Hearth im Hintergrund ist</translation>
    </message>
    <message>
        <source>Save support bundle …</source>
        <translation>Support-Paket speichern …</translation>
    </message>
    <message>
        <source>About Hearth</source>
        <translation>Über Hearth</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie die Arbeitsumgebung</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
</context>
<context>
    <name>hearth::AssistantDialog</name>
    <message>
        <source>Copy the command</source>
        <translation>Den Befehl kopieren</translation>
    </message>
    <message>
        <source>Command for a terminal</source>
        <translation>Befehl für ein Terminal</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal nachsehen</translation>
    </message>
    <message>
        <source>Why can’t I see my device?</source>
        <translation>Warum sehe ich mein Gerät nicht?</translation>
    </message>
    <message>
        <source>What was looked at</source>
        <translation>Was angesehen wurde</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Looking at this computer and its network …</source>
        <translation>Sehe diesen Rechner und sein Netz an …</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) found. Each has a fix below.</source>
        <translation>
            <numerusform>%n Problem gefunden. Die Lösung steht dabei.</numerusform>
            <numerusform>%n Probleme gefunden. Bei jedem steht die Lösung.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No clear problem found. %n note(s) below may explain it.</source>
        <translation>
            <numerusform>Kein klares Problem gefunden. %n Hinweis unten kann es erklären.</numerusform>
            <numerusform>Kein klares Problem gefunden. %n Hinweise unten können es erklären.</numerusform>
        </translation>
    </message>
    <message>
        <source>No problems found on this computer. Check the other device, too: hearth devices --diagnose</source>
        <translation>Auf diesem Rechner wurden keine Probleme gefunden. Prüfen Sie auch das andere Gerät: hearth devices --diagnose</translation>
    </message>
</context>
<context>
    <name>hearth::CodecCard</name>
    <message>
        <source>Between stages</source>
        <translation>Zwischen den Stufen</translation>
    </message>
    <message>
        <source>Compression between stages</source>
        <translation>Komprimierung zwischen den Stufen</translation>
    </message>
    <message>
        <source>Send numbers as they are</source>
        <translation>Zahlen unverändert senden</translation>
    </message>
    <message>
        <source>Compress to 16 or 8 bits where links are slow</source>
        <translation>Auf 16 oder 8 Bit, wo es sich lohnt</translation>
    </message>
    <message>
        <source>Compress to 4 bits as well</source>
        <translation>Auch auf 4 Bit</translation>
    </message>
    <message>
        <source>Exact: nothing is rounded on its way between devices.</source>
        <translation>Exakt: Nichts wird auf dem Weg zwischen Geräten gerundet.</translation>
    </message>
    <message>
        <source>Rounds what crosses slow links, up to four times fewer bytes. Numbers change by less than 1 %, which training hardly notices.</source>
        <translation>Rundet, was über langsame Verbindungen geht: bis zu viermal weniger Bytes. Zahlen ändern sich um weniger als 1 %, was das Training kaum merkt.</translation>
    </message>
    <message>
        <source>Up to eight times fewer bytes. Numbers change by about a tenth: the trained network may be a little less accurate.</source>
        <translation>Bis zu achtmal weniger Bytes. Zahlen ändern sich um etwa ein Zehntel: Das trainierte Netz kann etwas ungenauer werden.</translation>
    </message>
    <message>
        <source>Round gradients inside groups</source>
        <translation>Gradienten innerhalb von Gruppen runden</translation>
    </message>
    <message>
        <source>To 8 bits, in groups of up to four devices. What rounding takes is added to the next round&apos;s gradients, so nothing is lost.</source>
        <translation>Auf 8 Bit, in Gruppen von bis zu vier Geräten. Was das Runden wegnimmt, kommt zu den Gradienten der nächsten Runde: Nichts geht verloren.</translation>
    </message>
    <message>
        <source>Exact: devices of a group sum their gradients as they are.</source>
        <translation>Exakt: Geräte einer Gruppe summieren ihre Gradienten, wie sie sind.</translation>
    </message>
</context>
<context>
    <name>hearth::CompareTable</name>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>Letzter Verlust</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>Kleinster Verlust</translation>
    </message>
    <message>
        <source>Last accuracy</source>
        <translation>Letzte Genauigkeit</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>Beste Genauigkeit</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>Läufe nebeneinander</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
</context>
<context>
    <name>hearth::ComputerPicker</name>
    <message>
        <source>%1 · has Hearth</source>
        <translation>%1 · hat Hearth</translation>
    </message>
    <message>
        <source>%1 · does not announce SSH</source>
        <translation>%1 · meldet kein SSH</translation>
    </message>
    <message>
        <source>Computers found in this network</source>
        <translation>In diesem Netz gefundene Rechner</translation>
    </message>
    <message>
        <source>Found in this network</source>
        <translation>In diesem Netz gefunden</translation>
    </message>
    <message>
        <source>No computer here announces SSH. Type its address below.</source>
        <translation>Kein Rechner hier meldet SSH. Geben Sie seine Adresse unten ein.</translation>
    </message>
    <message>
        <source>Looking for computers …</source>
        <translation>Rechner werden gesucht …</translation>
    </message>
    <message>
        <source>Type its address below.</source>
        <translation>Geben Sie seine Adresse unten ein.</translation>
    </message>
</context>
<context>
    <name>hearth::ConfusionMatrix</name>
    <message>
        <source>Which classes are taken for which</source>
        <translation>Welche Klassen für welche gehalten werden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1: %2 are right</source>
        <comment>a class, a count</comment>
        <translation>%1: %2 sind richtig</translation>
    </message>
    <message>
        <source>%1 taken for %2: %3</source>
        <comment>two classes, a count</comment>
        <translation>%1 für %2 gehalten: %3</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
</context>
<context>
    <name>hearth::CurvePlot</name>
    <message>
        <source>Nothing was measured.</source>
        <translation>Nichts wurde gemessen.</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceCard</name>
    <message>
        <source>This computer · %1</source>
        <translation>Dieser Rechner · %1</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s) · %1</source>
        <translation>
            <numerusform>%n Thread · %1</numerusform>
            <numerusform>%n Threads · %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>Had stage %1</source>
        <translation>Hatte Stufe %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Stages %1</source>
        <translation>Stufen %1</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceChip</name>
    <message>
        <source>Device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>Lock %1 in its place</source>
        <translation>%1 an seinem Platz festhalten</translation>
    </message>
    <message>
        <source>Lock it in its place</source>
        <translation>An seinem Platz festhalten</translation>
    </message>
    <message>
        <source>What to do with %1</source>
        <translation>Was mit %1 geschehen soll</translation>
    </message>
    <message>
        <source>Samples of each micro-batch for %1</source>
        <translation>Beispiele je Micro-Batch für %1</translation>
    </message>
    <message>
        <source>Change the share of %1</source>
        <translation>Anteil von %1 ändern</translation>
    </message>
    <message>
        <source>Rests</source>
        <translation>Ruht</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n sample(s)</source>
        <translation>
            <numerusform>%1 von %n Beispiel</numerusform>
            <numerusform>%1 von %n Beispielen</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory: %1 of %2</source>
        <translation>Speicher: %1 von %2</translation>
    </message>
    <message>
        <source>Memory: %1</source>
        <translation>Speicher: %1</translation>
    </message>
    <message>
        <source>Move to stage %1</source>
        <translation>Zu Stufe %1</translation>
    </message>
    <message>
        <source>New first stage</source>
        <translation>Neue erste Stufe</translation>
    </message>
    <message>
        <source>New stage after stage %1</source>
        <translation>Neue Stufe nach Stufe %1</translation>
    </message>
    <message>
        <source>New stage for %1</source>
        <translation>Neue Stufe für %1</translation>
    </message>
    <message>
        <source>Let it rest</source>
        <translation>Ruhen lassen</translation>
    </message>
    <message>
        <source>Lock in its place</source>
        <translation>An seinem Platz festhalten</translation>
    </message>
    <message>
        <source>Lock its share</source>
        <translation>Anteil festhalten</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 bewegen</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation>%1 festhalten</translation>
    </message>
    <message>
        <source>Lock the share of %1</source>
        <translation>Anteil von %1 festhalten</translation>
    </message>
    <message>
        <source>Unlock %1</source>
        <translation>%1 freigeben</translation>
    </message>
    <message>
        <source>Unlock the share of %1</source>
        <translation>Anteil von %1 freigeben</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceDetail</name>
    <message>
        <source>Close details</source>
        <translation>Details schließen</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Threads for training</source>
        <translation>Threads für das Training</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Speicher für das Training</translation>
    </message>
    <message>
        <source>Work in this run</source>
        <translation>Arbeit in diesem Lauf</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>Letzter Fehler</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>Noch nicht bekannt</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n core(s)</source>
        <translation>
            <numerusform>%1 von %n Kern</numerusform>
            <numerusform>%1 von %n Kernen</numerusform>
        </translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Forget this device …</source>
        <translation>Dieses Gerät vergessen …</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message numerus="yes">
        <source>at most %n thread(s)</source>
        <translation>
            <numerusform>höchstens %n Thread</numerusform>
            <numerusform>höchstens %n Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>only on mains power</source>
        <translation>nur am Stromnetz</translation>
    </message>
    <message>
        <source>only from %1 to %2</source>
        <translation>nur von %1 bis %2</translation>
    </message>
    <message>
        <source>Change limits …</source>
        <translation>Grenzen ändern …</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Let this device take work again</source>
        <translation>Dieses Gerät wieder Arbeit annehmen lassen</translation>
    </message>
    <message>
        <source>Update …</source>
        <translation>Aktualisieren …</translation>
    </message>
    <message>
        <source>Install again …</source>
        <translation>Erneut installieren …</translation>
    </message>
    <message>
        <source>This computer has version %1. It is installed over SSH.</source>
        <translation>Dieser Rechner hat Version %1. Sie wird über SSH installiert.</translation>
    </message>
    <message>
        <source>Installs the agent again over SSH. Its key and runs stay.</source>
        <translation>Installiert den Agenten über SSH neu. Schlüssel und Läufe bleiben.</translation>
    </message>
    <message>
        <source>Set by another version of Hearth. Update this computer to see them here.</source>
        <translation>Von einer anderen Version von Hearth gesetzt. Aktualisieren Sie Hearth auf diesem Rechner, um sie hier zu sehen.</translation>
    </message>
    <message>
        <source>Devices that know this computer keep the name that they have for it.</source>
        <translation>Geräte, die diesen Rechner kennen, behalten den Namen, den sie für ihn haben.</translation>
    </message>
    <message>
        <source>Changes the name on this computer only.</source>
        <translation>Ändert den Namen nur auf diesem Rechner.</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>not on the graphics card</source>
        <translation>nicht auf der Grafikkarte</translation>
    </message>
    <message>
        <source>at most %1 % of the card&apos;s memory</source>
        <translation>höchstens %1 % vom Speicher der Karte</translation>
    </message>
    <message>
        <source>the card at most %1 W</source>
        <translation>die Karte höchstens %1 W</translation>
    </message>
    <message>
        <source>not while another program computes on the card</source>
        <translation>nicht, während ein anderes Programm auf der Karte rechnet</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>%1 (in use)</source>
        <translation>%1 (wird benutzt)</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Pause …</source>
        <translation>Pausieren …</translation>
    </message>
    <message>
        <source>Let this device leave its runs and rest for a time</source>
        <translation>Dieses Gerät seine Läufe verlassen und eine Zeit lang ruhen lassen</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceLayers</name>
    <message>
        <source>Measured links</source>
        <translation>Gemessene Verbindungen</translation>
    </message>
    <message>
        <source>Forward (plain) and backward (hatched) of each layer; the line is this computer</source>
        <translation>Vorwärts (glatt) und rückwärts (schraffiert) je Schicht; die Linie ist dieser Rechner</translation>
    </message>
    <message>
        <source>Forward (plain) and backward (hatched) of each layer</source>
        <translation>Vorwärts (glatt) und rückwärts (schraffiert) je Schicht</translation>
    </message>
    <message>
        <source>to %1: %2</source>
        <translation>an %1: %2</translation>
    </message>
    <message>
        <source>from %1: %2</source>
        <translation>von %1: %2</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceMeasured</name>
    <message>
        <source>Measured speed</source>
        <translation>Gemessenes Tempo</translation>
    </message>
    <message>
        <source>%1 GFLOP/s while training</source>
        <translation>%1 GFLOP/s beim Training</translation>
    </message>
    <message>
        <source>Not measured yet</source>
        <translation>Noch nicht gemessen</translation>
    </message>
    <message>
        <source>Measuring this device: %1 of %2</source>
        <translation>Dieses Gerät wird gemessen: %1 von %2</translation>
    </message>
    <message>
        <source>Cancel measuring</source>
        <translation>Messung abbrechen</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Neu messen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Measurements so far are kept.</source>
        <translation>Was schon gemessen ist, bleibt.</translation>
    </message>
    <message>
        <source>Measures the layers of the job’s model and the links, without training.</source>
        <translation>Misst die Schichten des Modells und die Verbindungen, ohne zu trainieren.</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceTableModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>%1 (this computer)</source>
        <translation>%1 (dieser Rechner)</translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
</context>
<context>
    <name>hearth::DeviceTile</name>
    <message>
        <source>%1 (this computer)</source>
        <translation>%1 (dieser Rechner)</translation>
    </message>
    <message>
        <source>Plug in</source>
        <translation>Einstecken</translation>
    </message>
    <message>
        <source>Unplug</source>
        <translation>Abziehen</translation>
    </message>
    <message>
        <source>Plug in %1</source>
        <translation>%1 einstecken</translation>
    </message>
    <message>
        <source>Unplug %1</source>
        <translation>%1 abziehen</translation>
    </message>
    <message>
        <source>Its processes run again.</source>
        <translation>Seine Prozesse laufen wieder.</translation>
    </message>
    <message>
        <source>Stops all processes of this device, as if its cable were pulled.</source>
        <translation>Hält alle Prozesse dieses Geräts an, als wäre sein Kabel gezogen.</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Volles Tempo</translation>
    </message>
    <message>
        <source>Slow down</source>
        <translation>Bremsen</translation>
    </message>
    <message>
        <source>Full speed for %1</source>
        <translation>Volles Tempo für %1</translation>
    </message>
    <message>
        <source>Slow down %1</source>
        <translation>%1 bremsen</translation>
    </message>
    <message>
        <source>Plug the device in first.</source>
        <translation>Erst das Gerät einstecken.</translation>
    </message>
    <message>
        <source>It computes at full speed again.</source>
        <translation>Es rechnet wieder mit vollem Tempo.</translation>
    </message>
    <message>
        <source>Its worker gets a quarter of its time, as if another program were busy there.</source>
        <translation>Sein Arbeitsprozess bekommt ein Viertel der Zeit, als wäre dort ein anderes Programm beschäftigt.</translation>
    </message>
    <message>
        <source>Unplugged</source>
        <translation>Abgezogen</translation>
    </message>
    <message>
        <source>Slowed down</source>
        <translation>Gebremst</translation>
    </message>
    <message>
        <source>Had no work</source>
        <translation>Hatte keine Arbeit</translation>
    </message>
</context>
<context>
    <name>hearth::ErrorPanel</name>
    <message>
        <source>Copy details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>hearth::EvaluationCard</name>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Keep the weights of the best evaluation, too</source>
        <translation>Auch die Gewichte der besten Auswertung behalten</translation>
    </message>
    <message>
        <source>The best evaluation</source>
        <translation>Die beste Auswertung</translation>
    </message>
    <message>
        <source>Best is the lowest loss</source>
        <translation>Am besten ist der kleinste Verlust</translation>
    </message>
    <message>
        <source>Best is the highest accuracy</source>
        <translation>Am besten ist die höchste Genauigkeit</translation>
    </message>
    <message>
        <source>Evaluate every … rounds</source>
        <translation>Auswerten alle … Runden</translation>
    </message>
    <message>
        <source>0: only when asked.</source>
        <translation>0: nur auf Wunsch.</translation>
    </message>
    <message>
        <source>End after … evaluations without a better one</source>
        <translation>Ende nach … Auswertungen ohne bessere</translation>
    </message>
    <message>
        <source>0: the run does all its rounds.</source>
        <translation>0: Alle Runden werden gemacht.</translation>
    </message>
    <message>
        <source>Part of the training samples to set aside for it</source>
        <translation>Teil der Trainingsbeispiele, der dafür beiseitegelegt wird</translation>
    </message>
    <message>
        <source>0: on the test set, or the data&apos;s own for validation.</source>
        <translation>0: mit der Testmenge, oder der eigenen Validierungsmenge der Daten.</translation>
    </message>
</context>
<context>
    <name>hearth::EventListModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>hearth::EventListView</name>
    <message>
        <source>Events of the run</source>
        <translation>Ereignisse des Laufs</translation>
    </message>
</context>
<context>
    <name>hearth::FactsView</name>
    <message>
        <source>Facts about the run</source>
        <translation>Angaben zum Lauf</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>hearth::FileCard</name>
    <message>
        <source>Only in the job&apos;s file</source>
        <translation>Nur in der Datei des Auftrags</translation>
    </message>
    <message>
        <source>These count as well. Change them with a text editor; the manual lists all keys.</source>
        <translation>Auch das zählt. Zu ändern ist es mit einem Texteditor; alle Schlüssel stehen im Handbuch.</translation>
    </message>
    <message>
        <source>Asynchronous training: stages do not wait for each other</source>
        <translation>Asynchrones Training: Stufen warten nicht aufeinander</translation>
    </message>
    <message>
        <source>Local steps: devices average their weights every %1 batches</source>
        <translation>Lokale Schritte: Geräte mitteln ihre Gewichte alle %1 Batches</translation>
    </message>
    <message>
        <source>Loss: %1</source>
        <translation>Verlust: %1</translation>
    </message>
    <message>
        <source>Label smoothing: %1</source>
        <translation>Label-Glättung: %1</translation>
    </message>
    <message>
        <source>Gradients are clipped to a norm of %1</source>
        <translation>Gradienten werden auf die Norm %1 begrenzt</translation>
    </message>
    <message>
        <source>Weights are averaged over time (ema %1)</source>
        <translation>Gewichte werden über die Zeit gemittelt (ema %1)</translation>
    </message>
    <message>
        <source>Prompts that are continued: %1</source>
        <translation>Fortgesetzte Prompts: %1</translation>
    </message>
    <message>
        <source>Border and repeated channels of the input were made for other data and are left out.</source>
        <translation>Rand und wiederholte Kanäle der Eingabe waren für andere Daten gedacht und sind weggelassen.</translation>
    </message>
    <message>
        <source>scaled by %1</source>
        <translation>skaliert mit %1</translation>
    </message>
    <message>
        <source>a border of %1 and %2 pixels</source>
        <translation>ein Rand von %1 und %2 Pixeln</translation>
    </message>
    <message>
        <source>channels repeated %1 times</source>
        <translation>Kanäle %1-mal wiederholt</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittelwert %1</translation>
    </message>
    <message>
        <source>standard deviation %1</source>
        <translation>Standardabweichung %1</translation>
    </message>
    <message>
        <source>Input, not fitted to the data: %1</source>
        <translation>Eingabe, nicht an die Daten angepasst: %1</translation>
    </message>
    <message>
        <source>Local steps: outer rate %1, outer momentum %2</source>
        <translation>Lokale Schritte: äußere Rate %1, äußeres Momentum %2</translation>
    </message>
    <message>
        <source>Weight decay applies to biases and norms, too</source>
        <translation>Die Gewichtsabnahme gilt auch für Biases und Normierungen</translation>
    </message>
    <message>
        <source>Tokens that each prompt is continued by: %1</source>
        <translation>Tokens, um die jeder Prompt fortgesetzt wird: %1</translation>
    </message>
</context>
<context>
    <name>hearth::FirstMeasurement</name>
    <message>
        <source>Skip measuring</source>
        <translation>Messung überspringen</translation>
    </message>
    <message>
        <source>Progress of the measurement</source>
        <translation>Fortschritt der Messung</translation>
    </message>
    <message>
        <source>%1 is measured: %2, with the model %3.</source>
        <translation>%1 ist gemessen: %2, mit dem Modell %3.</translation>
    </message>
    <message>
        <source>%1 was not measured. You can measure it on Home at any time.</source>
        <translation>%1 wurde nicht gemessen. Das geht jederzeit auf der Seite Zuhause.</translation>
    </message>
    <message>
        <source>%1 was not measured: %2</source>
        <translation>%1 wurde nicht gemessen: %2</translation>
    </message>
    <message>
        <source>%1 is measured as soon as it answers …</source>
        <translation>%1 wird gemessen, sobald es antwortet …</translation>
    </message>
    <message>
        <source>Measuring how fast %1 is …</source>
        <translation>Es wird gemessen, wie schnell %1 ist …</translation>
    </message>
</context>
<context>
    <name>hearth::FirstStartPage</name>
    <message>
        <source>Welcome to Hearth</source>
        <translation>Willkommen bei Hearth</translation>
    </message>
    <message>
        <source>Try it now</source>
        <translation>Jetzt ausprobieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Train a neural network on the devices that you already own. Three ways to begin:</source>
        <translation>Trainieren Sie ein neuronales Netz auf Geräten, die Sie schon haben. Drei Wege hinein:</translation>
    </message>
    <message>
        <source>The demo home is starting</source>
        <translation>Das Demo-Zuhause startet</translation>
    </message>
    <message>
        <source>Add my devices</source>
        <translation>Meine Geräte hinzufügen</translation>
    </message>
    <message>
        <source>Open a run …</source>
        <translation>Lauf öffnen …</translation>
    </message>
    <message>
        <source>Choose its folder instead …</source>
        <translation>Stattdessen seinen Ordner wählen …</translation>
    </message>
    <message>
        <source>Three small devices inside this computer share the training of one network.</source>
        <translation>Drei kleine Geräte in diesem Rechner teilen sich das Training eines Netzes.</translation>
    </message>
    <message>
        <source>Real training: pictures of clothes, ten classes.</source>
        <translation>Echtes Training: Bilder von Kleidung, zehn Klassen.</translation>
    </message>
    <message>
        <source>Unplug a device during the run and watch training continue.</source>
        <translation>Ziehen Sie mittendrin bei einem Gerät den Stecker und sehen Sie, wie das Training weitergeht.</translation>
    </message>
    <message>
        <source>Nothing leaves this computer; the demo ends with this window.</source>
        <translation>Nichts verlässt diesen Rechner; die Demo endet mit diesem Fenster.</translation>
    </message>
    <message>
        <source>Your laptop and the small computers of your home train together.</source>
        <translation>Ihr Laptop und die kleinen Rechner Ihres Zuhauses trainieren gemeinsam.</translation>
    </message>
    <message>
        <source>Devices that you trust, and no others, take part.</source>
        <translation>Nur Geräte, denen Sie vertrauen, machen mit.</translation>
    </message>
    <message>
        <source>Hearth measures them and works out who computes what.</source>
        <translation>Hearth misst sie und rechnet aus, wer was berechnet.</translation>
    </message>
    <message>
        <source>Training continues when a device goes away.</source>
        <translation>Das Training geht weiter, wenn ein Gerät wegfällt.</translation>
    </message>
    <message>
        <source>Open a run</source>
        <translation>Einen Lauf öffnen</translation>
    </message>
    <message>
        <source>Replay a run that was recorded here or elsewhere, as it looked live.</source>
        <translation>Einen Lauf, der hier oder anderswo aufgezeichnet wurde, so ansehen, wie er live aussah.</translation>
    </message>
    <message>
        <source>Choose the file events.jsonl, or the folder of the run.</source>
        <translation>Wählen Sie die Datei events.jsonl oder den Ordner des Laufs.</translation>
    </message>
    <message>
        <source>Read only: nothing is changed or started.</source>
        <translation>Nur lesen: Nichts wird geändert oder gestartet.</translation>
    </message>
</context>
<context>
    <name>hearth::FitNote</name>
    <message>
        <source>Fit to these data</source>
        <translation>An diese Daten anpassen</translation>
    </message>
    <message>
        <source>Only those of the chosen weights that fit are taken.</source>
        <translation>Von den gewählten Gewichten werden nur die passenden genommen.</translation>
    </message>
    <message>
        <source>Fitted to these data: %1</source>
        <translation>An diese Daten angepasst: %1</translation>
    </message>
</context>
<context>
    <name>hearth::HistoryDetails</name>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) in the middle are left out here; opening the run shows more of them.</source>
        <translation>
            <numerusform>%n Ereignis in der Mitte fehlt hier; geöffnet zeigt der Lauf mehr davon.</numerusform>
            <numerusform>%n Ereignisse in der Mitte fehlen hier; geöffnet zeigt der Lauf mehr davon.</numerusform>
        </translation>
    </message>
    <message>
        <source>What cannot be compared</source>
        <translation>Was sich nicht vergleichen lässt</translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation>Irrtümer</translation>
    </message>
</context>
<context>
    <name>hearth::HistoryPage</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>Lauf öffnen</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>Start the first run</source>
        <translation>Den ersten Lauf starten</translation>
    </message>
    <message>
        <source>Choose a run first</source>
        <translation>Zuerst einen Lauf wählen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Erneut starten</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Runs are listed here, interrupted ones too, and can be opened again.</source>
        <translation>Läufe stehen hier, auch unterbrochene, und lassen sich wieder öffnen.</translation>
    </message>
    <message>
        <source>The rounds are in %1.</source>
        <translation>Die Runden stehen in %1.</translation>
    </message>
    <message>
        <source>Export rounds (CSV) …</source>
        <translation>Runden exportieren (CSV) …</translation>
    </message>
    <message>
        <source>Export devices in each round (CSV) …</source>
        <translation>Geräte in jeder Runde exportieren (CSV) …</translation>
    </message>
    <message>
        <source>Export picture (PNG) …</source>
        <translation>Bild exportieren (PNG) …</translation>
    </message>
    <message>
        <source>Search in the runs</source>
        <translation>In den Läufen suchen</translation>
    </message>
    <message>
        <source>Which runs are shown</source>
        <translation>Welche Läufe gezeigt werden</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>Alle Zustände</translation>
    </message>
    <message>
        <source>Under way</source>
        <translation>Im Gange</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Ended early</source>
        <translation>Vorzeitig beendet</translation>
    </message>
    <message>
        <source>Choose a run to see its job, its devices, its curves and what happened.</source>
        <translation>Wählen Sie einen Lauf: Dann stehen hier sein Auftrag, seine Geräte, seine Kurven und was geschah.</translation>
    </message>
    <message>
        <source>Shows the run on the Train page, as it looked live</source>
        <translation>Zeigt den Lauf auf der Seite „Training“, wie er live aussah</translation>
    </message>
    <message>
        <source>Choose one run first</source>
        <translation>Zuerst einen Lauf wählen</translation>
    </message>
    <message>
        <source>A run is under way; stop it first.</source>
        <translation>Ein Lauf ist im Gange; halten Sie ihn zuerst an.</translation>
    </message>
    <message>
        <source>The job of this run was written by a later version of Hearth.</source>
        <translation>Den Auftrag dieses Laufs hat eine neuere Version von Hearth geschrieben.</translation>
    </message>
    <message>
        <source>Does the remaining rounds, from the newest checkpoint</source>
        <translation>Macht die restlichen Runden, vom neuesten Checkpoint an</translation>
    </message>
    <message>
        <source>Reading the events of the runs: %1</source>
        <translation>Die Ereignisse der Läufe werden gelesen: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) shown</source>
        <translation>
            <numerusform>%1 von %n Lauf gezeigt</numerusform>
            <numerusform>%1 von %n Läufen gezeigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Export rounds</source>
        <translation>Runden exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Writing the rounds to %1 …</source>
        <translation>Die Runden werden nach %1 geschrieben …</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>The picture is in %1.</source>
        <translation>Das Bild ist in %1.</translation>
    </message>
    <message>
        <source>Writing the rounds to %1: %2</source>
        <translation>Die Runden werden nach %1 geschrieben: %2</translation>
    </message>
    <message>
        <source>Export rounds (JSON Lines) …</source>
        <translation>Runden exportieren (JSON Lines) …</translation>
    </message>
    <message>
        <source>Export for TensorBoard …</source>
        <translation>Für TensorBoard exportieren …</translation>
    </message>
    <message>
        <source>Export for TensorBoard</source>
        <translation>Für TensorBoard exportieren</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>This run has saved no weights.</source>
        <translation>Dieser Lauf hat keine Gewichte gespeichert.</translation>
    </message>
    <message>
        <source>Label …</source>
        <translation>Beschriften …</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>Mit Stern</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Search: model, device, tag … or batch&gt;64, optimizer=adam</source>
        <translation>Suche: Modell, Gerät, Schlagwort … oder batch&gt;64, optimizer=adam</translation>
    </message>
    <message numerus="yes">
        <source>“Compare” lays these %n run(s) over each other.</source>
        <translation>
            <numerusform>„Vergleichen“ braucht noch einen zweiten Lauf.</numerusform>
            <numerusform>„Vergleichen“ legt diese %n Läufe übereinander.</numerusform>
        </translation>
    </message>
    <message>
        <source>Up to ten runs can be compared; more can be exported as one table of rounds.</source>
        <translation>Bis zu zehn Läufe können verglichen werden; mehr lassen sich als eine Tabelle von Runden exportieren.</translation>
    </message>
    <message>
        <source>Choose two to ten runs: click further ones with Ctrl held down</source>
        <translation>Wählen Sie zwei bis zehn Läufe: klicken Sie weitere mit gedrückter Strg-Taste an</translation>
    </message>
    <message>
        <source>What differs between the runs</source>
        <translation>Was sich zwischen den Läufen unterscheidet</translation>
    </message>
    <message>
        <source>Asks the trained network about your pictures, rows or texts</source>
        <translation>Fragt das trainierte Netz nach Ihren Bildern, Zeilen oder Texten</translation>
    </message>
    <message>
        <source>Take along …</source>
        <translation>Mitnehmen …</translation>
    </message>
    <message>
        <source>What you take along is in %1.</source>
        <translation>Was Sie mitnehmen, ist in %1.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Deletes the chosen runs with all their files; “Undo” brings them back</source>
        <translation>Löscht die gewählten Läufe mit allen ihren Dateien; „Rückgängig“ bringt sie zurück</translation>
    </message>
    <message>
        <source>A run that is under way cannot be deleted; stop it first.</source>
        <translation>Ein Lauf, der im Gange ist, kann nicht gelöscht werden; halten Sie ihn zuerst an.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted (%1).</source>
        <translation>
            <numerusform>%n Lauf gelöscht (%1).</numerusform>
            <numerusform>%n Läufe gelöscht (%1).</numerusform>
        </translation>
    </message>
    <message>
        <source>Train further …</source>
        <translation>Weiter trainieren …</translation>
    </message>
    <message>
        <source>Search: model, tag, batch&gt;64 …</source>
        <translation>Suche: Modell, Tag, batch&gt;64 …</translation>
    </message>
    <message>
        <source>Trains the same job with the same settings and new weights</source>
        <translation>Trainiert denselben Auftrag mit denselben Einstellungen und neuen Gewichten</translation>
    </message>
    <message>
        <source>Opens its job, to begin with its weights: for more rounds, or with other data</source>
        <translation>Öffnet seinen Auftrag, um mit seinen Gewichten zu beginnen: für weitere Runden oder mit anderen Daten</translation>
    </message>
    <message>
        <source>This home does not know the run; only the home that trained it can resume it.</source>
        <translation>Dieses Zuhause kennt den Lauf nicht; nur das Zuhause, das ihn trainiert hat, kann ihn fortsetzen.</translation>
    </message>
    <message>
        <source>This home has not found the checkpoint of the run yet.</source>
        <translation>Dieses Zuhause hat den Checkpoint des Laufs noch nicht gefunden.</translation>
    </message>
    <message>
        <source>“Train further …” begins a new run with its weights.</source>
        <translation>„Weiter trainieren …“ beginnt einen neuen Lauf mit seinen Gewichten.</translation>
    </message>
    <message>
        <source>“Start again” trains its job from the beginning.</source>
        <translation>„Erneut starten“ trainiert seinen Auftrag von Anfang an.</translation>
    </message>
    <message>
        <source>This run is under way; stop it first.</source>
        <translation>Dieser Lauf ist im Gange; halten Sie ihn zuerst an.</translation>
    </message>
</context>
<context>
    <name>hearth::HomePage</name>
    <message>
        <source>Home</source>
        <translation>Zuhause</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>No devices yet</source>
        <translation>Noch keine Geräte</translation>
    </message>
    <message>
        <source>Devices of your home appear here as soon as the agent on this computer answers.</source>
        <translation>Die Geräte des Zuhauses erscheinen hier, sobald der Agent dieses Rechners antwortet.</translation>
    </message>
    <message>
        <source>Devices of the home</source>
        <translation>Geräte des Zuhauses</translation>
    </message>
    <message>
        <source>Watch training</source>
        <translation>Training ansehen</translation>
    </message>
    <message numerus="yes">
        <source>A demo home of %n device(s) inside this computer. It ends with this window.</source>
        <translation>
            <numerusform>Demo-Zuhause: %n Gerät in diesem Rechner. Es endet mit dem Fenster.</numerusform>
            <numerusform>Demo-Zuhause: %n Geräte in diesem Rechner. Es endet mit dem Fenster.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s) that trust each other</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n gekoppelte Geräte</numerusform>
        </translation>
    </message>
    <message>
        <source>Only this computer so far</source>
        <translation>Bisher nur dieser Rechner</translation>
    </message>
    <message>
        <source>Add a device …</source>
        <translation>Gerät hinzufügen …</translation>
    </message>
    <message>
        <source>Ways to get started</source>
        <translation>Wege zum Anfangen</translation>
    </message>
    <message>
        <source>The agent of this computer has to answer first.</source>
        <translation>Erst muss der Agent dieses Rechners antworten.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>%1 · speeds with %2</source>
        <translation>%1 · Tempo mit %2</translation>
    </message>
    <message>
        <source>Cancel measuring</source>
        <translation>Messung abbrechen</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Neu messen</translation>
    </message>
    <message>
        <source>Measurements so far are kept.</source>
        <translation>Was schon gemessen ist, bleibt.</translation>
    </message>
    <message>
        <source>How fast the devices and their links are, with the model of the job.</source>
        <translation>Wie schnell die Geräte und ihre Verbindungen sind, mit dem Modell des Auftrags.</translation>
    </message>
</context>
<context>
    <name>hearth::HomeView</name>
    <message>
        <source>Picture of the home</source>
        <translation>Bild des Zuhauses</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>Anordnen</translation>
    </message>
    <message>
        <source>Puts the cards that were dragged back to their places</source>
        <translation>Legt verschobene Karten an ihre Plätze zurück</translation>
    </message>
</context>
<context>
    <name>hearth::IgnoredDialog</name>
    <message>
        <source>Ignored devices</source>
        <translation>Ignorierte Geräte</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No device is ignored.</source>
        <translation>Kein Gerät wird ignoriert.</translation>
    </message>
    <message>
        <source>These devices are hidden from the list of devices nearby, and cannot ask to pair. One that you stop ignoring appears as soon as it is found.</source>
        <translation>Diese Geräte stehen nicht in der Liste der Geräte in der Nähe und können nicht um Kopplung bitten. Eines, das Sie nicht mehr ignorieren, erscheint, sobald es gefunden wird.</translation>
    </message>
    <message>
        <source>Device without a name</source>
        <translation>Gerät ohne Namen</translation>
    </message>
    <message>
        <source>First digits of its key: %1</source>
        <translation>Erste Ziffern seines Schlüssels: %1</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>Stop ignoring</source>
        <translation>Nicht mehr ignorieren</translation>
    </message>
    <message>
        <source>Stop ignoring %1</source>
        <translation>%1 nicht mehr ignorieren</translation>
    </message>
</context>
<context>
    <name>hearth::InstallDialog</name>
    <message>
        <source>Install on a computer</source>
        <translation>Auf einem Rechner installieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The demo home cannot take other devices.</source>
        <translation>Das Demo-Zuhause kann keine anderen Geräte aufnehmen.</translation>
    </message>
    <message>
        <source>%1 is a device of this home now.</source>
        <translation>%1 ist jetzt ein Gerät dieses Zuhauses.</translation>
    </message>
    <message>
        <source>Cancelled. What was done there is undone.</source>
        <translation>Abgebrochen. Was dort getan wurde, ist rückgängig gemacht.</translation>
    </message>
    <message>
        <source>Undoing what was done …</source>
        <translation>Wird rückgängig gemacht …</translation>
    </message>
    <message>
        <source>Another computer …</source>
        <translation>Anderer Rechner …</translation>
    </message>
    <message>
        <source>%1 has version %2 now.</source>
        <translation>%1 hat jetzt Version %2.</translation>
    </message>
    <message>
        <source>%1 had version %2 already. Nothing new was installed.</source>
        <translation>%1 hatte Version %2 schon. Nichts Neues wurde installiert.</translation>
    </message>
</context>
<context>
    <name>hearth::InstallForm</name>
    <message>
        <source>For this user only, without the rights of an administrator</source>
        <translation>Nur für diesen Benutzer, ohne Verwaltungsrechte</translation>
    </message>
    <message>
        <source>Install Hearth over SSH on a computer that you can log in to. Hearth checks the computer first, shows what it would change, and asks.</source>
        <translation>Hearth über SSH auf einem Rechner installieren, auf dem Sie sich anmelden können. Hearth prüft den Rechner zuerst, zeigt, was sich ändern würde, und fragt.</translation>
    </message>
    <message>
        <source>Log in at</source>
        <translation>Anmelden bei</translation>
    </message>
    <message>
        <source>anna@nano-1 or anna@192.168.1.7:22</source>
        <translation>anna@nano-1 oder anna@192.168.1.7:22</translation>
    </message>
    <message>
        <source>Private key</source>
        <translation>Privater Schlüssel</translation>
    </message>
    <message>
        <source>those that SSH uses by default</source>
        <translation>die, die SSH ohnehin benutzt</translation>
    </message>
    <message>
        <source>Choose a private key</source>
        <translation>Einen privaten Schlüssel wählen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Hearth asks for a password when it needs one, and does not store it.</source>
        <translation>Hearth fragt nach einem Passwort, wenn es eines braucht, und speichert es nicht.</translation>
    </message>
    <message>
        <source>Name in the home</source>
        <translation>Name im Zuhause</translation>
    </message>
    <message>
        <source>the one that the computer has</source>
        <translation>der des Rechners</translation>
    </message>
    <message>
        <source>Port of the agent</source>
        <translation>Port des Agenten</translation>
    </message>
    <message>
        <source>Package</source>
        <translation>Paket</translation>
    </message>
    <message>
        <source>the one that fits</source>
        <translation>das passende</translation>
    </message>
    <message>
        <source>Choose a package of hearth-agent</source>
        <translation>Ein Paket von hearth-agent wählen</translation>
    </message>
    <message>
        <source>Packages (*.deb *.tar.gz);;All files (*)</source>
        <translation>Pakete (*.deb *.tar.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>Advanced …</source>
        <translation>Erweitert …</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>The port of the agent is a number from 1 to %1.</source>
        <translation>Der Port des Agenten ist eine Zahl von 1 bis %1.</translation>
    </message>
    <message>
        <source>47600, or that of an earlier installation</source>
        <translation>47600 oder der einer früheren Installation</translation>
    </message>
</context>
<context>
    <name>hearth::InstallList</name>
    <message>
        <source>Steps of the installation</source>
        <translation>Schritte der Installation</translation>
    </message>
    <message>
        <source>All is well</source>
        <translation>Alles in Ordnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Under way</source>
        <translation>Im Gange</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>hearth::InstallQuestion</name>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Keys are the same</source>
        <translation>Schlüssel sind gleich</translation>
    </message>
    <message>
        <source>Keys differ: cancel</source>
        <translation>Schlüssel verschieden: abbrechen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>What will change on the device:</source>
        <translation>Was sich auf dem Gerät ändert:</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>This is the first connection to this computer. Compare its key with the one that it prints itself:
ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub</source>
        <translation>Dies ist die erste Verbindung zu diesem Rechner. Vergleichen Sie seinen Schlüssel mit dem, den er selbst ausgibt:
ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub</translation>
    </message>
    <message>
        <source>Do not install</source>
        <translation>Nicht installieren</translation>
    </message>
</context>
<context>
    <name>hearth::JobDraft</name>
    <message>
        <source>This is not a whole number.</source>
        <translation>Das ist keine ganze Zahl.</translation>
    </message>
    <message>
        <source>This is not a number.</source>
        <translation>Das ist keine Zahl.</translation>
    </message>
    <message>
        <source>Must lie between %1 and %2.</source>
        <translation>Muss zwischen %1 und %2 liegen.</translation>
    </message>
    <message>
        <source>Must be above %1 and at most %2.</source>
        <translation>Muss über %1 liegen und höchstens %2 sein.</translation>
    </message>
    <message>
        <source>Must divide the %1 samples of a round.</source>
        <translation>Muss die %1 Beispiele einer Runde teilen.</translation>
    </message>
    <message>
        <source>The job was not saved.</source>
        <translation>Der Auftrag wurde nicht gespeichert.</translation>
    </message>
    <message>
        <source>Some of its values cannot be used.</source>
        <translation>Einige seiner Werte sind nicht brauchbar.</translation>
    </message>
    <message>
        <source>Correct what is marked first.</source>
        <translation>Berichtigen Sie zuerst, was markiert ist.</translation>
    </message>
    <message>
        <source>Nesterov&apos;s form needs momentum.</source>
        <translation>Die Form von Nesterov braucht ein Momentum.</translation>
    </message>
    <message>
        <source>The run is never evaluated.</source>
        <translation>Der Lauf wird nie ausgewertet.</translation>
    </message>
    <message>
        <source>Too small: not one sample would be set aside.</source>
        <translation>Der Teil ist zu klein: Kein Beispiel würde beiseitegelegt.</translation>
    </message>
    <message>
        <source>With local steps a micro-batch is a whole batch: leave this empty.</source>
        <translation>Bei lokalen Schritten ist ein Micro-Batch ein ganzer Batch: leer lassen.</translation>
    </message>
    <message>
        <source>At most %2 with %1 local steps.</source>
        <translation>Bei %1 lokalen Schritten höchstens %2.</translation>
    </message>
</context>
<context>
    <name>hearth::JobDrop</name>
    <message>
        <source>Let go to open it.</source>
        <translation>Zum Öffnen loslassen.</translation>
    </message>
    <message>
        <source>Looking at it …</source>
        <translation>Wird angesehen …</translation>
    </message>
    <message>
        <source>Or drop a file or a folder here.</source>
        <translation>Oder Datei oder Ordner hierher ziehen.</translation>
    </message>
</context>
<context>
    <name>hearth::JobFieldEdit</name>
    <message>
        <source>%1 · changed</source>
        <translation>%1 · geändert</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
</context>
<context>
    <name>hearth::JobPage</name>
    <message>
        <source>Job</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>What to train, on which data, and for how long</source>
        <translation>Was womit und wie lange trainiert wird</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Watch training</source>
        <translation>Training ansehen</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Fashion-MNIST</source>
        <translation>Fashion-MNIST</translation>
    </message>
    <message>
        <source>Data from a file …</source>
        <translation>Daten aus einer Datei …</translation>
    </message>
    <message>
        <source>Open a job</source>
        <translation>Auftrag öffnen</translation>
    </message>
    <message>
        <source>Jobs (*.json);;All files (*)</source>
        <translation>Aufträge (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the job</source>
        <translation>Auftrag speichern</translation>
    </message>
    <message>
        <source>Jobs (*.json)</source>
        <translation>Aufträge (*.json)</translation>
    </message>
    <message>
        <source>Choose data</source>
        <translation>Daten wählen</translation>
    </message>
    <message>
        <source>Data sets (*.json);;All files (*)</source>
        <translation>Datensätze (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1, in %2 on this computer</source>
        <translation>%1, in %2 auf diesem Rechner</translation>
    </message>
    <message>
        <source>%1 on this computer</source>
        <translation>%1 auf diesem Rechner</translation>
    </message>
    <message>
        <source>A copy that is not saved yet</source>
        <translation>Eine Kopie, noch nicht gespeichert</translation>
    </message>
    <message>
        <source>A job of yours that is not saved yet</source>
        <translation>Ihr Auftrag, noch nicht gespeichert</translation>
    </message>
    <message>
        <source>%1 · changed, not saved</source>
        <translation>%1 · geändert, nicht gespeichert</translation>
    </message>
    <message>
        <source>%1 · saved</source>
        <translation>%1 · gespeichert</translation>
    </message>
    <message>
        <source>There is nothing to save.</source>
        <translation>Es gibt nichts zu speichern.</translation>
    </message>
    <message>
        <source>Correct what is marked first.</source>
        <translation>Berichtigen Sie zuerst, was markiert ist.</translation>
    </message>
    <message>
        <source>Open a model …</source>
        <translation>Modell öffnen …</translation>
    </message>
    <message>
        <source>Open a model: an ONNX file, config.json of a Hugging Face folder, or a model of Hearth</source>
        <translation>Modell öffnen: eine ONNX-Datei, config.json eines Ordners von Hugging Face oder ein Modell von Hearth</translation>
    </message>
    <message>
        <source>Models (*.onnx *.json *.safetensors);;All files (*)</source>
        <translation>Modelle (*.onnx *.json *.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>An ONNX file, config.json of a Hugging Face folder, or a model of Hearth</source>
        <translation>Eine ONNX-Datei, config.json eines Ordners von Hugging Face oder ein Modell von Hearth</translation>
    </message>
    <message>
        <source>This job trains</source>
        <translation>Dieser Auftrag trainiert</translation>
    </message>
    <message>
        <source>Add data …</source>
        <translation>Daten hinzufügen …</translation>
    </message>
    <message>
        <source>A folder with a folder of pictures for each class, or a table of files and labels</source>
        <translation>Ein Ordner mit je einem Ordner voller Bilder für jede Klasse, oder eine Tabelle aus Dateien und Klassen</translation>
    </message>
    <message>
        <source>Your data …</source>
        <translation>Ihre Daten …</translation>
    </message>
    <message>
        <source>Add to this job&apos;s data</source>
        <translation>Zu den Daten dieses Auftrags hinzufügen</translation>
    </message>
    <message>
        <source>Make a plan on the Plan page to see, before the start, what all devices together would take.</source>
        <translation>Erstellen Sie auf der Seite „Plan“ einen Plan, um vor dem Start zu sehen, was alle Geräte zusammen brauchen würden.</translation>
    </message>
    <message>
        <source>The plan on the Plan page is for another job than this one.</source>
        <translation>Der Plan auf der Seite „Plan“ ist für einen anderen Auftrag als diesen.</translation>
    </message>
    <message>
        <source>Check or remove …</source>
        <translation>Prüfen oder entfernen …</translation>
    </message>
    <message>
        <source>The job cannot be used as it is.</source>
        <translation>So ist der Auftrag nicht zu gebrauchen.</translation>
    </message>
</context>
<context>
    <name>hearth::KnownDataDialog</name>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Your data</source>
        <translation>Ihre Daten</translation>
    </message>
    <message>
        <source>“Check again” finds what was added, changed or deleted since. “Remove” takes a name off this list; the files stay where they are.</source>
        <translation>„Erneut prüfen“ findet, was seither dazukam, sich änderte oder gelöscht wurde. „Entfernen“ nimmt einen Namen von dieser Liste; die Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Looking at %1 …</source>
        <translation>%1 wird angesehen …</translation>
    </message>
    <message>
        <source>%1 was checked: %2 samples to train and %3 to test.</source>
        <translation>%1 wurde geprüft: %2 Beispiele zum Trainieren und %3 zum Testen.</translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation>Weggelassen:</translation>
    </message>
    <message>
        <source>%1 was removed from the list. Its files are where they were.</source>
        <translation>%1 wurde aus der Liste entfernt. Die Dateien sind, wo sie waren.</translation>
    </message>
</context>
<context>
    <name>hearth::LabelDialog</name>
    <message>
        <source>Starred</source>
        <translation>Mit Stern</translation>
    </message>
    <message>
        <source>Label the run</source>
        <translation>Lauf beschriften</translation>
    </message>
    <message numerus="yes">
        <source>Label %n run(s)</source>
        <translation>
            <numerusform>%n Lauf beschriften</numerusform>
            <numerusform>%n Läufe beschriften</numerusform>
        </translation>
    </message>
    <message>
        <source>Words, with commas between</source>
        <translation>Wörter, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Tags of all</source>
        <translation>Schlagwörter aller</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>hearth::LayerChart</name>
    <message>
        <source>Time of each layer</source>
        <translation>Zeit je Schicht</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s); longest: %1, %2</source>
        <translation>
            <numerusform>%n Schicht: %1, %2</numerusform>
            <numerusform>%n Schichten; am längsten: %1, %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: forward %2, backward %3</source>
        <translation>%1: vorwärts %2, rückwärts %3</translation>
    </message>
    <message>
        <source>%1 (this computer: %2, %3)</source>
        <translation>%1 (dieser Rechner: %2, %3)</translation>
    </message>
    <message>
        <source>%1; %2 predicted (outlined)</source>
        <translation>%1; %2 vorhergesagt (nur umrandet)</translation>
    </message>
    <message>
        <source>%1, predicted, ± %2 %</source>
        <translation>%1, vorhergesagt, ± %2 %</translation>
    </message>
</context>
<context>
    <name>hearth::LayerStrip</name>
    <message>
        <source>Layers and stages</source>
        <translation>Schichten und Stufen</translation>
    </message>
    <message>
        <source>Stage %1: layers %2 to %3</source>
        <translation>Stufe %1: Schichten %2 bis %3</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Stage %1 · %2</source>
        <translation>Stufe %1 · %2</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>%1 per sample</source>
        <translation>%1 je Beispiel</translation>
    </message>
    <message>
        <source>Layers and stages: border between stages %1 and %2, before layer %3</source>
        <translation>Schichten und Stufen: Grenze zwischen Stufe %1 und %2, vor Schicht %3</translation>
    </message>
    <message>
        <source>Layer %1: %2 (%3)
%4 million operations per sample
%5 parameters</source>
        <translation>Schicht %1: %2 (%3)
%4 Millionen Operationen je Beispiel
%5 Parameter</translation>
    </message>
    <message>
        <source>Layers %1 to %2: %3
%4 million operations per sample
%5 parameters</source>
        <translation>Schichten %1 bis %2: %3
%4 Millionen Operationen je Beispiel
%5 Parameter</translation>
    </message>
    <message>
        <source>%1 per sample to the next layer</source>
        <translation>%1 je Beispiel zur nächsten Schicht</translation>
    </message>
    <message>
        <source>Click to unfold</source>
        <translation>Klicken, um aufzuklappen</translation>
    </message>
    <message>
        <source>Click to fold %1</source>
        <translation>Klicken, um %1 zuzuklappen</translation>
    </message>
    <message>
        <source>Crosses behind layer %1, of each sample %2:</source>
        <translation>Hinter Schicht %1 wird übertragen, je Beispiel %2:</translation>
    </message>
    <message>
        <source>Sent as %1, gradients as %2</source>
        <translation>Gesendet als %1, Gradienten als %2</translation>
    </message>
    <message>
        <source>%1 per sample, forward and backward: the mean of the devices</source>
        <translation>%1 je Beispiel, vorwärts und rückwärts: das Mittel der Geräte</translation>
    </message>
</context>
<context>
    <name>hearth::LeftOutList</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>What is left out or doubtful</source>
        <translation>Was weggelassen wird oder zweifelhaft ist</translation>
    </message>
    <message>
        <source>Used, but doubtful:</source>
        <translation>Verwendet, aber zweifelhaft:</translation>
    </message>
</context>
<context>
    <name>hearth::LengthCard</name>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Shuffle the samples anew in each pass</source>
        <translation>Beispiele in jedem Durchgang neu mischen</translation>
    </message>
    <message>
        <source>A number of rounds</source>
        <translation>Eine Anzahl von Runden</translation>
    </message>
    <message>
        <source>A number of passes over the data</source>
        <translation>Eine Anzahl von Durchgängen durch die Daten</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>One round is one step of the optimizer.</source>
        <translation>Eine Runde ist ein Schritt des Optimierers.</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>Each sample is seen once in a pass.</source>
        <translation>In einem Durchgang kommt jedes Beispiel einmal dran.</translation>
    </message>
    <message>
        <source>Samples per round</source>
        <translation>Beispiele je Runde</translation>
    </message>
    <message>
        <source>Split automatically.</source>
        <translation>Wird automatisch aufgeteilt.</translation>
    </message>
    <message>
        <source>Samples per micro-batch</source>
        <translation>Beispiele je Micro-Batch</translation>
    </message>
    <message>
        <source>Empty: the planner chooses.</source>
        <translation>Leer: der Planer wählt.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed gives the same run on any devices.</source>
        <translation>Gleicher Startwert, gleicher Lauf, auf beliebigen Geräten.</translation>
    </message>
    <message>
        <source>The same seed gives the same run with the same plan.</source>
        <translation>Derselbe Startwert ergibt mit demselben Plan denselben Lauf.</translation>
    </message>
</context>
<context>
    <name>hearth::LimitsDialog</name>
    <message>
        <source>At most this much memory for a run:</source>
        <translation>Höchstens so viel Arbeitsspeicher je Lauf:</translation>
    </message>
    <message>
        <source>At most this many threads for a run:</source>
        <translation>Höchstens so viele Threads je Lauf:</translation>
    </message>
    <message>
        <source>Only on mains power, never on the battery</source>
        <translation>Nur am Stromnetz, nie auf Akku</translation>
    </message>
    <message>
        <source>Only at these hours, in the time of that device:</source>
        <translation>Nur zu diesen Zeiten, nach der Uhr dieses Geräts:</translation>
    </message>
    <message>
        <source>Set limits</source>
        <translation>Grenzen setzen</translation>
    </message>
    <message>
        <source>Limits of %1</source>
        <translation>Grenzen von %1</translation>
    </message>
    <message>
        <source>Memory in GiB</source>
        <translation>Arbeitsspeicher in GiB</translation>
    </message>
    <message>
        <source>Number of threads</source>
        <translation>Anzahl der Threads</translation>
    </message>
    <message>
        <source>Beginning of the hours</source>
        <translation>Beginn der Zeiten</translation>
    </message>
    <message>
        <source>End of the hours</source>
        <translation>Ende der Zeiten</translation>
    </message>
    <message>
        <source>What training may use of %1. Memory and threads apply from the next run on. A device that may not train now leaves its runs without losing a round, and comes back by itself.</source>
        <translation>Was das Training von %1 nehmen darf. Arbeitsspeicher und Threads gelten ab dem nächsten Lauf. Ein Gerät, das gerade nicht trainieren darf, verlässt seine Läufe, ohne dass eine Runde verloren geht, und kommt von selbst zurück.</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Both times are the same: choose two different ones, or lift this limit.</source>
        <translation>Beide Zeiten sind gleich: Wählen Sie zwei verschiedene, oder heben Sie diese Grenze auf.</translation>
    </message>
    <message>
        <source>Compute on the graphics card</source>
        <translation>Auf der Grafikkarte rechnen</translation>
    </message>
    <message>
        <source>At most this part of the card&apos;s memory for a run:</source>
        <translation>Höchstens dieser Teil vom Speicher der Karte für einen Lauf:</translation>
    </message>
    <message>
        <source>At most this power for the card while it trains:</source>
        <translation>Höchstens diese Leistung für die Karte beim Training:</translation>
    </message>
    <message>
        <source>Not while another program computes on the card</source>
        <translation>Nicht, während ein anderes Programm auf der Karte rechnet</translation>
    </message>
    <message>
        <source>Part of the card&apos;s memory in per cent</source>
        <translation>Teil vom Speicher der Karte in Prozent</translation>
    </message>
    <message>
        <source>Power of the card in watts</source>
        <translation>Leistung der Karte in Watt</translation>
    </message>
</context>
<context>
    <name>hearth::LivePlot</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiteres</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>name and value of a curve</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation>Runde %1</translation>
    </message>
    <message>
        <source>Epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
</context>
<context>
    <name>hearth::LookProgress</name>
    <message>
        <source>Files looked at</source>
        <translation>Angesehene Dateien</translation>
    </message>
</context>
<context>
    <name>hearth::MainWindow</name>
    <message>
        <source>Hearth – demo home</source>
        <translation>Hearth – Demo-Zuhause</translation>
    </message>
    <message>
        <source>Hearth</source>
        <translation>Hearth</translation>
    </message>
    <message>
        <source>No device is ready.</source>
        <translation>Kein Gerät ist bereit.</translation>
    </message>
    <message>
        <source>The job has values that cannot be used; correct them first.</source>
        <translation>Der Auftrag enthält unbrauchbare Werte; diese zuerst berichtigen.</translation>
    </message>
    <message>
        <source>Open a recorded run</source>
        <translation>Aufgezeichneten Lauf öffnen</translation>
    </message>
    <message>
        <source>Events of runs (events.jsonl *.jsonl);;All files (*)</source>
        <translation>Ereignisse von Läufen (events.jsonl *.jsonl);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The devices are being measured; wait for the end, or cancel it on Home.</source>
        <translation>Die Geräte werden gerade gemessen; warten Sie das Ende ab oder brechen Sie es auf der Seite Zuhause ab.</translation>
    </message>
    <message>
        <source>A run is under way; stop it first.</source>
        <translation>Ein Lauf ist im Gange; halten Sie ihn zuerst an.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The demo ends once the weights are saved.</source>
        <translation>Die Demo endet, sobald die Gewichte gespeichert sind.</translation>
    </message>
    <message>
        <source>The window closes once the weights are saved.</source>
        <translation>Das Fenster schließt sich, sobald die Gewichte gespeichert sind.</translation>
    </message>
</context>
<context>
    <name>hearth::ManualWindow</name>
    <message>
        <source>Hearth: manual</source>
        <translation>Hearth: Handbuch</translation>
    </message>
    <message>
        <source>Pages of the manual</source>
        <translation>Seiten des Handbuchs</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>Seite des Handbuchs</translation>
    </message>
    <message>
        <source>Find in this page (Return: next)</source>
        <translation>Auf dieser Seite suchen (Eingabe: weiter)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
</context>
<context>
    <name>hearth::Measurements</name>
    <message>
        <source>%1 % of this computer</source>
        <translation>%1 % dieses Rechners</translation>
    </message>
    <message>
        <source>%1 × this computer</source>
        <translation>%1 × dieser Rechner</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 Beispiele/s</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n Thread</numerusform>
            <numerusform>%n Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2, %3, %4 samples at a time. Measured %5.</source>
        <translation>%1, %2, %3, je %4 Beispiele. Gemessen %5.</translation>
    </message>
    <message>
        <source>Stopping the measurement …</source>
        <translation>Die Messung endet …</translation>
    </message>
    <message>
        <source>Starting the measurement …</source>
        <translation>Die Messung beginnt …</translation>
    </message>
    <message>
        <source>Measuring the links …</source>
        <translation>Die Verbindungen werden gemessen …</translation>
    </message>
    <message>
        <source>A run is under way; measured now, devices would look slower than they are.</source>
        <translation>Ein Lauf ist im Gang; jetzt gemessen sähen Geräte langsamer aus, als sie sind.</translation>
    </message>
    <message>
        <source>It is training; measured now, it would look slower than it is.</source>
        <translation>Es trainiert; jetzt gemessen sähe es langsamer aus, als es ist.</translation>
    </message>
    <message>
        <source>It takes no work now.</source>
        <translation>Es nimmt gerade keine Arbeit an.</translation>
    </message>
    <message>
        <source>No device is ready.</source>
        <translation>Kein Gerät ist bereit.</translation>
    </message>
    <message>
        <source>The job has values that cannot be used; correct them first.</source>
        <translation>Der Auftrag enthält unbrauchbare Werte; diese zuerst berichtigen.</translation>
    </message>
    <message>
        <source>%1 Not all of it: the rest is predicted, ± %2 %.</source>
        <translation>%1 Nicht alles davon: Der Rest ist vorhergesagt, ± %2 %.</translation>
    </message>
</context>
<context>
    <name>hearth::MistakesView</name>
    <message>
        <source>Hardest</source>
        <translation>Schwerste</translation>
    </message>
    <message>
        <source>Followed</source>
        <translation>Verfolgte</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>The samples with the highest loss</source>
        <translation>Die Beispiele mit dem höchsten Verlust</translation>
    </message>
    <message>
        <source>What the network said of the same samples, evaluation by evaluation</source>
        <translation>Was das Netz zu denselben Beispielen sagte, Auswertung für Auswertung</translation>
    </message>
    <message>
        <source>Reading the results …</source>
        <translation>Ergebnisse werden gelesen …</translation>
    </message>
    <message>
        <source>After round %1, of %2 samples of the validation set.</source>
        <translation>Nach Runde %1, an %2 Beispielen der Validierungsmenge.</translation>
    </message>
    <message>
        <source>After round %1, of %2 samples of the test set.</source>
        <translation>Nach Runde %1, an %2 Beispielen der Testmenge.</translation>
    </message>
    <message>
        <source>The samples cannot be shown:</source>
        <translation>Die Beispiele lassen sich nicht zeigen:</translation>
    </message>
    <message>
        <source>The %1 classes with the most mistakes are shown.</source>
        <translation>Gezeigt werden die %1 Klassen mit den meisten Irrtümern.</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <comment>two numbers</comment>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>%1, taken for %2 (%3)</source>
        <comment>two classes, how certain</comment>
        <translation>%1, für %2 gehalten (%3)</translation>
    </message>
    <message>
        <source>%1, right (%2)</source>
        <comment>a class, how certain</comment>
        <translation>%1, richtig (%2)</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a class and how likely it is</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a class, and what was answered</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The highest losses</source>
        <translation>Die höchsten Verluste</translation>
    </message>
    <message numerus="yes">
        <source>The last %n evaluation(s)</source>
        <translation>
            <numerusform>Die letzte Auswertung</numerusform>
            <numerusform>Die letzten %n Auswertungen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 are right</source>
        <comment>a class, a count</comment>
        <translation>%1: %2 sind richtig</translation>
    </message>
    <message>
        <source>%1 is never taken for %2</source>
        <comment>two classes</comment>
        <translation>%1 wird nie für %2 gehalten</translation>
    </message>
    <message>
        <source>%1, taken for %2: %3 of them</source>
        <comment>two classes, a count</comment>
        <translation>%1, für %2 gehalten: %3</translation>
    </message>
</context>
<context>
    <name>hearth::ModelDetails</name>
    <message>
        <source>Options of this model</source>
        <translation>Optionen dieses Modells</translation>
    </message>
    <message>
        <source>For example sequence=64,classes=3</source>
        <translation>Zum Beispiel sequence=64,classes=3</translation>
    </message>
    <message>
        <source>Write options as name=value, with commas between them.</source>
        <translation>Schreiben Sie Optionen als Name=Wert, mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>%1, %2 parameters</source>
        <translation>%1, %2 Parameter</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Takes %1; gives %2</source>
        <translation>Nimmt %1; gibt %2</translation>
    </message>
    <message>
        <source>%1 of memory to train on this computer alone</source>
        <translation>%1 Speicher, um allein auf diesem Rechner zu trainieren</translation>
    </message>
    <message>
        <source>about %1 of memory to train on this computer alone</source>
        <translation>etwa %1 Speicher, um allein auf diesem Rechner zu trainieren</translation>
    </message>
    <message>
        <source>about %1 for one round on this computer alone</source>
        <translation>etwa %1 je Runde allein auf diesem Rechner</translation>
    </message>
    <message>
        <source>Time for one round: not measured here yet</source>
        <translation>Zeit für eine Runde: hier noch nicht gemessen</translation>
    </message>
    <message>
        <source>%1 ± %2 % for one round on this computer alone: predicted, not measured</source>
        <translation>%1 ± %2 % für eine Runde allein auf diesem Rechner: vorhergesagt, nicht gemessen</translation>
    </message>
    <message>
        <source>about %1 ± %2 % for the whole job on this computer alone (rounds: %3; without evaluations)</source>
        <translation>etwa %1 ± %2 % für den ganzen Auftrag allein auf diesem Rechner (Runden: %3; ohne Auswertungen)</translation>
    </message>
    <message>
        <source>at most about %1 ± %2 % for the whole job on this computer alone (rounds: %3; without evaluations)</source>
        <translation>höchstens etwa %1 ± %2 % für den ganzen Auftrag allein auf diesem Rechner (Runden: %3; ohne Auswertungen)</translation>
    </message>
</context>
<context>
    <name>hearth::ModelList</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Opened by you</source>
        <translation>Von Ihnen geöffnet</translation>
    </message>
    <message>
        <source>Memory to train, at least</source>
        <translation>Speicher zum Trainieren, mindestens</translation>
    </message>
    <message>
        <source>For one device that trains the model alone, one sample at a time</source>
        <translation>Eines Geräts, das das Modell allein trainiert, ein Beispiel nach dem anderen</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>All weights are trained</source>
        <translation>Alle Gewichte werden trainiert</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Small matrices beside those of attention are trained, of rank 8</source>
        <translation>Kleine Matrizen neben denen der Attention werden trainiert, vom Rang 8</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>The last layer alone is trained</source>
        <translation>Allein die letzte Schicht wird trainiert</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>Unbrauchbar</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>at least %1 of memory to train</source>
        <translation>mindestens %1 Speicher zum Trainieren</translation>
    </message>
    <message>
        <source>%1 with LoRA</source>
        <translation>%1 mit LoRA</translation>
    </message>
    <message>
        <source>%1 for its head alone</source>
        <translation>%1 für den Kopf allein</translation>
    </message>
    <message>
        <source>Not there</source>
        <translation>Nicht da</translation>
    </message>
</context>
<context>
    <name>hearth::NameEdit</name>
    <message>
        <source>Name of the device</source>
        <translation>Name des Geräts</translation>
    </message>
    <message>
        <source>Rename (F2)</source>
        <translation>Umbenennen (F2)</translation>
    </message>
    <message>
        <source>Rename (F2). %1</source>
        <translation>Umbenennen (F2). %1</translation>
    </message>
    <message>
        <source>Another device has this name already.</source>
        <translation>Ein anderes Gerät hat diesen Namen schon.</translation>
    </message>
</context>
<context>
    <name>hearth::NearbyList</name>
    <message>
        <source>Device without a name</source>
        <translation>Gerät ohne Namen</translation>
    </message>
    <message>
        <source>Several computers say they are this one: %1</source>
        <translation>Mehrere Rechner sagen, sie seien dieses: %1</translation>
    </message>
    <message>
        <source>It says it is this computer: %1</source>
        <translation>Es sagt, es sei dieser Rechner: %1</translation>
    </message>
    <message>
        <source>It runs another version of Hearth</source>
        <translation>Darauf läuft eine andere Version von Hearth</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
</context>
<context>
    <name>hearth::NearbyView</name>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>Pair …</source>
        <translation>Koppeln …</translation>
    </message>
    <message>
        <source>First digits of its key: %1</source>
        <translation>Erste Ziffern seines Schlüssels: %1</translation>
    </message>
    <message>
        <source>Pair %1</source>
        <translation>%1 koppeln</translation>
    </message>
    <message>
        <source>Ignore %1</source>
        <translation>%1 ignorieren</translation>
    </message>
    <message>
        <source>Why can’t I see my device?</source>
        <translation>Warum sehe ich mein Gerät nicht?</translation>
    </message>
    <message>
        <source>Found nearby</source>
        <translation>In der Nähe gefunden</translation>
    </message>
    <message>
        <source>Devices found nearby</source>
        <translation>In der Nähe gefundene Geräte</translation>
    </message>
    <message>
        <source>Not looking for devices: discovery is turned off in the agent of this computer.</source>
        <translation>Es wird nicht nach Geräten gesucht: Im Agenten dieses Rechners ist die Suche abgeschaltet.</translation>
    </message>
    <message>
        <source>Can&apos;t look for devices: network discovery (Avahi) is off.</source>
        <translation>Geräte können nicht gesucht werden: Die Netzwerksuche (Avahi) ist aus.</translation>
    </message>
    <message>
        <source>Can&apos;t look for devices: network discovery (Avahi) refuses.</source>
        <translation>Geräte können nicht gesucht werden: Die Netzwerksuche (Avahi) lehnt ab.</translation>
    </message>
    <message>
        <source>No devices yet. They appear here as soon as Hearth runs on them.</source>
        <translation>Noch keine Geräte. Sie erscheinen hier, sobald Hearth auf ihnen läuft.</translation>
    </message>
    <message>
        <source>Hidden from now on; “Ignored devices” shows it again</source>
        <translation>Wird nicht mehr gezeigt; „Ignorierte Geräte“ zeigt es wieder</translation>
    </message>
    <message numerus="yes">
        <source>Ignored devices (%n) …</source>
        <translation>
            <numerusform>Ignorierte Geräte (%n) …</numerusform>
            <numerusform>Ignorierte Geräte (%n) …</numerusform>
        </translation>
    </message>
    <message>
        <source>Install …</source>
        <translation>Installieren …</translation>
    </message>
    <message>
        <source>Install Hearth on a computer of this network</source>
        <translation>Hearth auf einem Rechner in diesem Netz installieren</translation>
    </message>
    <message numerus="yes">
        <source>%n computer(s) in this network offer(s) SSH</source>
        <translation>
            <numerusform>%n Rechner in diesem Netz bietet SSH an</numerusform>
            <numerusform>%n Rechner in diesem Netz bieten SSH an</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::OptimizerCard</name>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Nesterov&apos;s form of momentum</source>
        <translation>Momentum nach Nesterov</translation>
    </message>
    <message>
        <source>Steps in proportion to the weights</source>
        <translation>Schritte im Verhältnis zu den Gewichten</translation>
    </message>
    <message>
        <source>A rate of at most 1/√round</source>
        <translation>Eine Rate von höchstens 1/√Runde</translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation>SGD mit Momentum</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>AdamW (weight decay apart)</source>
        <translation>AdamW (Gewichtsabnahme getrennt)</translation>
    </message>
    <message>
        <source>Adafactor (for large models)</source>
        <translation>Adafactor (für große Modelle)</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>The rate is multiplied by the root mean square of each tensor.</source>
        <translation>Die Rate wird mit dem quadratischen Mittel jedes Tensors multipliziert.</translation>
    </message>
    <message>
        <source>Comes before what is chosen for the rate over the run.</source>
        <translation>Gilt vor dem, was für die Rate im Lauf gewählt ist.</translation>
    </message>
    <message>
        <source>Decay of the mean (beta 1)</source>
        <translation>Abklingen des Mittels (beta 1)</translation>
    </message>
    <message>
        <source>Decay of the variance (beta 2)</source>
        <translation>Abklingen der Varianz (beta 2)</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Gewichtsabnahme</translation>
    </message>
    <message>
        <source>Learning rate over the run</source>
        <translation>Lernrate im Lauf</translation>
    </message>
    <message>
        <source>Rounds of warm-up</source>
        <translation>Runden zum Aufwärmen</translation>
    </message>
    <message>
        <source>Part of the rate at the end</source>
        <translation>Anteil der Rate am Ende</translation>
    </message>
    <message>
        <source>Rounds between steps</source>
        <translation>Runden zwischen Stufen</translation>
    </message>
    <message>
        <source>Factor of each step</source>
        <translation>Faktor jeder Stufe</translation>
    </message>
</context>
<context>
    <name>hearth::PairingDialog</name>
    <message>
        <source>Paired devices compute for each other and see the training data. Pair only your own devices.</source>
        <translation>Gekoppelte Geräte rechnen füreinander und sehen die Trainingsdaten. Koppeln Sie nur eigene Geräte.</translation>
    </message>
    <message>
        <source>Pair a device</source>
        <translation>Ein Gerät koppeln</translation>
    </message>
    <message>
        <source>Fingerprint of the other device</source>
        <translation>Fingerabdruck des anderen Geräts</translation>
    </message>
    <message>
        <source>Waiting for the other device</source>
        <translation>Es wird auf das andere Gerät gewartet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>They don’t match</source>
        <translation>Sie sind verschieden</translation>
    </message>
    <message>
        <source>They match</source>
        <translation>Sie sind gleich</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>the other device</source>
        <translation>das andere Gerät</translation>
    </message>
    <message>
        <source>Do both devices show these digits?</source>
        <translation>Zeigen beide Geräte diese Ziffern?</translation>
    </message>
    <message>
        <source>%1 shows six digits, too. Compare them, and answer on both devices.</source>
        <translation>Auch %1 zeigt sechs Ziffern. Vergleichen Sie sie und antworten Sie auf beiden Geräten.</translation>
    </message>
    <message>
        <source>Confirmed here</source>
        <translation>Hier bestätigt</translation>
    </message>
    <message>
        <source>Waiting until somebody confirms the digits on %1 …</source>
        <translation>Es wird gewartet, bis jemand die Ziffern auf %1 bestätigt …</translation>
    </message>
    <message>
        <source>Asking %1</source>
        <translation>%1 wird gefragt</translation>
    </message>
    <message>
        <source>Accept on that device: on Home in its window, or with “hearth-agent pair” in its terminal.</source>
        <translation>Nehmen Sie auf jenem Gerät an: in seinem Fenster unter „Zuhause“ oder mit „hearth-agent pair“ in seinem Terminal.</translation>
    </message>
    <message>
        <source>%1 is paired</source>
        <translation>%1 ist gekoppelt</translation>
    </message>
    <message>
        <source>It belongs to this home now, and takes part in the next training.</source>
        <translation>Es gehört jetzt zu diesem Zuhause und nimmt am nächsten Training teil.</translation>
    </message>
    <message>
        <source>Not paired</source>
        <translation>Nicht gekoppelt</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindung wird aufgebaut</translation>
    </message>
    <message>
        <source>Connecting to %1 …</source>
        <translation>Verbindung zu %1 wird aufgebaut …</translation>
    </message>
    <message>
        <source>Digits: %1</source>
        <translation>Ziffern: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>Noch %n Sekunde</numerusform>
            <numerusform>Noch %n Sekunden</numerusform>
        </translation>
    </message>
    <message>
        <source>The other device has given up.</source>
        <translation>Das andere Gerät hat aufgegeben.</translation>
    </message>
    <message>
        <source>The pairing was cancelled.</source>
        <translation>Das Koppeln wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Start again when you like.</source>
        <translation>Beginnen Sie neu, wann Sie wollen.</translation>
    </message>
</context>
<context>
    <name>hearth::PairingEntry</name>
    <message>
        <source>Pair …</source>
        <translation>Koppeln …</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>“%1” wants to pair</source>
        <translation>„%1“ möchte gekoppelt werden</translation>
    </message>
    <message>
        <source>The name is its own claim. Address: %1, fingerprint: %2 …</source>
        <translation>So nennt es sich selbst. Adresse: %1, Fingerabdruck: %2 …</translation>
    </message>
    <message>
        <source>Pair with %1</source>
        <translation>Mit %1 koppeln</translation>
    </message>
    <message>
        <source>Ignore %1</source>
        <translation>%1 ignorieren</translation>
    </message>
    <message>
        <source>It is hidden from now on. “Ignored devices” below, or pairing with it, shows it again.</source>
        <translation>Es wird nicht mehr gezeigt. „Ignorierte Geräte“ unten, oder Koppeln mit ihm, zeigt es wieder.</translation>
    </message>
</context>
<context>
    <name>hearth::PhoneDialog</name>
    <message>
        <source>Show on phone</source>
        <translation>Am Telefon zeigen</translation>
    </message>
    <message>
        <source>This computer has left its network. Connect it again, and open this dialog anew.</source>
        <translation>Dieser Rechner hat sein Netz verlassen. Verbinden Sie ihn wieder und öffnen Sie diesen Dialog neu.</translation>
    </message>
    <message>
        <source>Point the phone&apos;s camera at the code, or type the address into its browser. The phone must be in the same network as this computer.</source>
        <translation>Richten Sie die Kamera des Telefons auf den Code oder geben Sie die Adresse in seinem Browser ein. Das Telefon muss im selben Netz wie dieser Rechner sein.</translation>
    </message>
    <message>
        <source>Whoever has this address can read speed, loss, device names and events of the run that Train shows, and can change nothing. The connection is not encrypted.</source>
        <translation>Wer diese Adresse hat, kann Geschwindigkeit, Verlust, Gerätenamen und Ereignisse des Laufs lesen, den „Training“ zeigt, und nichts ändern. Die Verbindung ist nicht verschlüsselt.</translation>
    </message>
    <message>
        <source>If the phone finds nothing, a firewall on this computer may have to let TCP port %1 in.</source>
        <translation>Findet das Telefon nichts, muss vielleicht eine Firewall auf diesem Rechner den TCP-Port %1 hereinlassen.</translation>
    </message>
    <message>
        <source>Address of this computer in the phone&apos;s network</source>
        <translation>Adresse dieses Rechners im Netz des Telefons</translation>
    </message>
    <message>
        <source>Address of the page</source>
        <translation>Adresse der Seite</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Stop showing</source>
        <translation>Nicht mehr zeigen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>It ends with “Stop showing”, or when a demo begins or ends or the window closes, and then this address is void for ever. It goes on when you close this dialog.</source>
        <translation>Es endet mit „Nicht mehr zeigen“ oder wenn eine Demo beginnt oder endet oder das Fenster geschlossen wird; dann gilt diese Adresse nie wieder. Wenn Sie diesen Dialog schließen, geht es weiter.</translation>
    </message>
</context>
<context>
    <name>hearth::PhonePage</name>
    <message>
        <source>The run cannot be shown on a phone.</source>
        <translation>Der Lauf kann nicht am Telefon gezeigt werden.</translation>
    </message>
    <message>
        <source>This computer is in no network that a phone could be in, too.</source>
        <translation>Dieser Rechner ist in keinem Netz, in dem auch ein Telefon sein könnte.</translation>
    </message>
    <message>
        <source>Connect it by Wi-Fi or cable to the phone&apos;s network, then try again.</source>
        <translation>Verbinden Sie ihn über WLAN oder Kabel mit dem Netz des Telefons und versuchen Sie es dann noch einmal.</translation>
    </message>
</context>
<context>
    <name>hearth::PhoneServer</name>
    <message>
        <source>The run cannot be shown on a phone.</source>
        <translation>Der Lauf kann nicht am Telefon gezeigt werden.</translation>
    </message>
    <message>
        <source>None of the ports %1 to %2 of this computer is free.</source>
        <translation>Von den Ports %1 bis %2 dieses Rechners ist keiner frei.</translation>
    </message>
    <message>
        <source>End a program that uses one of them, then try again.</source>
        <translation>Beenden Sie ein Programm, das einen davon benutzt, und versuchen Sie es dann noch einmal.</translation>
    </message>
</context>
<context>
    <name>hearth::PictureFile</name>
    <message>
        <source>The picture could not be written to %1.</source>
        <translation>Das Bild konnte nicht nach %1 geschrieben werden.</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>Wählen Sie einen anderen Ort.</translation>
    </message>
</context>
<context>
    <name>hearth::PicturesCard</name>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Mirror every second one, left to right</source>
        <translation>Jedes zweite seitlich spiegeln</translation>
    </message>
    <message>
        <source>How pictures become the network&apos;s input</source>
        <translation>Wie Bilder zur Eingabe des Netzes werden</translation>
    </message>
    <message>
        <source>How training pictures are varied</source>
        <translation>Wie Trainingsbilder abgewandelt werden</translation>
    </message>
    <message>
        <source>Not for letters and digits.</source>
        <translation>Nicht für Buchstaben und Ziffern.</translation>
    </message>
    <message>
        <source>Not varied</source>
        <translation>Nicht abgewandelt</translation>
    </message>
    <message>
        <source>Varied lightly</source>
        <translation>Leicht abgewandelt</translation>
    </message>
    <message>
        <source>Varied as is usual</source>
        <translation>Wie üblich abgewandelt</translation>
    </message>
    <message>
        <source>Varied strongly</source>
        <translation>Stark abgewandelt</translation>
    </message>
    <message>
        <source>Varied as this job says</source>
        <translation>Abgewandelt, wie dieser Auftrag es sagt</translation>
    </message>
    <message>
        <source>a random part of %1 at least</source>
        <translation>ein zufälliger Ausschnitt von mindestens %1</translation>
    </message>
    <message numerus="yes">
        <source>moved by %n pixel(s) at most</source>
        <translation>
            <numerusform>um höchstens %n Bildpunkt verschoben</numerusform>
            <numerusform>um höchstens %n Bildpunkte verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>colours changed by %1 at most</source>
        <translation>Farben um höchstens %1 verändert</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) of RandAugment</source>
        <translation>
            <numerusform>%n Änderung von RandAugment</numerusform>
            <numerusform>%n Änderungen von RandAugment</numerusform>
        </translation>
    </message>
    <message>
        <source>mixed with another one</source>
        <translation>mit einem anderen gemischt</translation>
    </message>
    <message>
        <source>with a part of another one</source>
        <translation>mit einem Teil eines anderen</translation>
    </message>
    <message>
        <source>The network sees each picture the same every time.</source>
        <translation>Das Netz sieht jedes Bild jedes Mal gleich.</translation>
    </message>
    <message>
        <source>In every pass anew: %1. Test pictures are not varied.</source>
        <translation>In jedem Durchgang neu: %1. Testbilder werden nicht abgewandelt.</translation>
    </message>
    <message>
        <source>Fitted as the data need it</source>
        <translation>Eingepasst, wie die Daten es brauchen</translation>
    </message>
</context>
<context>
    <name>hearth::PlanBoard</name>
    <message>
        <source>Devices at rest</source>
        <translation>Ruhende Geräte</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>At rest</source>
        <translation>Ruhend</translation>
    </message>
    <message>
        <source>Drag a device here to leave it out, or from here to a stage.</source>
        <translation>Ein Gerät hierher ziehen, um es auszulassen, oder von hier zu einer Stufe.</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Layers %1 to %2</source>
        <translation>Schichten %1 bis %2</translation>
    </message>
    <message numerus="yes">
        <source>At most %n micro-batch(es) in flight</source>
        <translation>
            <numerusform>Höchstens %n Micro-Batch unterwegs</numerusform>
            <numerusform>Höchstens %n Micro-Batches unterwegs</numerusform>
        </translation>
    </message>
    <message>
        <source>Computes activations again to save memory</source>
        <translation>Rechnet Aktivierungen neu, um Speicher zu sparen</translation>
    </message>
    <message>
        <source>New stage for %1</source>
        <translation>Neue Stufe für %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 bewegen</translation>
    </message>
    <message>
        <source>Passes on %1 (%2 per sample)</source>
        <translation>Gibt %1 weiter (%2 je Beispiel)</translation>
    </message>
    <message numerus="yes">
        <source>Weights are %n update(s) old</source>
        <translation>
            <numerusform>Gewichte sind %n Aktualisierung alt</numerusform>
            <numerusform>Gewichte sind %n Aktualisierungen alt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanCompare</name>
    <message>
        <source>Load this plan</source>
        <translation>Diesen Plan laden</translation>
    </message>
    <message>
        <source>What each planner would do</source>
        <translation>Was jeder Planer täte</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>Vergleicht …</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>Plan of the planner “%1”</source>
        <translation>Plan des Planers „%1“</translation>
    </message>
    <message>
        <source>Zero-bubble</source>
        <translation>Zero-Bubble</translation>
    </message>
    <message>
        <source>Zero-bubble, eager</source>
        <translation>Zero-Bubble, vorauseilend</translation>
    </message>
    <message>
        <source>Fill and drain</source>
        <translation>Füllen und leeren</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>Asynchron</translation>
    </message>
    <message>
        <source>Local steps</source>
        <translation>Lokale Schritte</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message numerus="yes">
        <source>by gradients that are %n update(s) old</source>
        <translation>
            <numerusform>mit Gradienten, die %n Update alt sind</numerusform>
            <numerusform>mit Gradienten, die %n Updates alt sind</numerusform>
        </translation>
    </message>
    <message>
        <source>averaged every %1 batches</source>
        <translation>alle %1 Batches gemittelt</translation>
    </message>
    <message>
        <source>Write &quot;local_steps&quot; into the job&apos;s file for this</source>
        <translation>Dafür „local_steps“ in die Datei des Auftrags schreiben</translation>
    </message>
    <message>
        <source>Write &quot;mode&quot;: &quot;asynchronous&quot; into the job&apos;s file for this</source>
        <translation>Dafür „mode“: „asynchronous“ in die Datei des Auftrags schreiben</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>What each schedule would make of the plan</source>
        <translation>Was jeder Zeitplan aus dem Plan machen würde</translation>
    </message>
    <message>
        <source>By other schedules</source>
        <translation>Mit anderen Zeitplänen</translation>
    </message>
    <message>
        <source>What would other planners and schedules do?</source>
        <translation>Was täten andere Planer und Zeitpläne?</translation>
    </message>
    <message>
        <source>Choose a planner that found a plan, or a schedule</source>
        <translation>Einen Planer, der einen Plan gefunden hat, oder einen Zeitplan wählen</translation>
    </message>
    <message>
        <source>%1, does not fit</source>
        <translation>%1, passt nicht</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Zeitplan</translation>
    </message>
    <message>
        <source>Time of a batch</source>
        <translation>Zeit je Batch</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Schedule “%1”</source>
        <translation>Zeitplan „%1“</translation>
    </message>
    <message>
        <source>Leave &quot;mode&quot; out of the job&apos;s file for this</source>
        <translation>Dafür „mode“ aus der Datei des Auftrags lassen</translation>
    </message>
    <message>
        <source>Interleaved</source>
        <translation>Verschränkt</translation>
    </message>
</context>
<context>
    <name>hearth::PlanCuts</name>
    <message>
        <source>Compress</source>
        <translation>Komprimieren</translation>
    </message>
    <message>
        <source>All cuts</source>
        <translation>Alle Schnitte</translation>
    </message>
    <message>
        <source>The planner chooses cuts and their compression anew</source>
        <translation>Der Planer wählt Schnitte und ihre Komprimierung neu</translation>
    </message>
    <message>
        <source>Between stages</source>
        <translation>Zwischen den Stufen</translation>
    </message>
    <message>
        <source>Stage %1 → %2</source>
        <translation>Stufe %1 → %2</translation>
    </message>
    <message>
        <source>%1, activations</source>
        <translation>%1, Aktivierungen</translation>
    </message>
    <message>
        <source>%1, gradients</source>
        <translation>%1, Gradienten</translation>
    </message>
    <message>
        <source>How activations are sent</source>
        <translation>Wie Aktivierungen gesendet werden</translation>
    </message>
    <message>
        <source>How their gradients are sent back</source>
        <translation>Wie ihre Gradienten zurückgesendet werden</translation>
    </message>
    <message numerus="yes">
        <source>%n more cut(s) are in the picture of the layers.</source>
        <translation>
            <numerusform>%n weiterer Schnitt steht im Bild der Schichten.</numerusform>
            <numerusform>%n weitere Schnitte stehen im Bild der Schichten.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 a round, exact</source>
        <translation>%1 je Runde, exakt</translation>
    </message>
    <message>
        <source>%1 a round instead of %2</source>
        <translation>%1 je Runde statt %2</translation>
    </message>
    <message>
        <source>the round takes as long</source>
        <translation>die Runde dauert ebenso lang</translation>
    </message>
    <message>
        <source>saves %1 of each round</source>
        <translation>spart %1 jeder Runde</translation>
    </message>
    <message>
        <source>costs %1 of each round</source>
        <translation>kostet %1 jeder Runde</translation>
    </message>
    <message>
        <source>Compression behind stage %1</source>
        <translation>Komprimierung hinter Stufe %1</translation>
    </message>
    <message>
        <source>Compression of all cuts</source>
        <translation>Komprimierung aller Schnitte</translation>
    </message>
    <message>
        <source>Compress cuts</source>
        <translation>Schnitte komprimieren</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Plan with it here, or allow it in the job.</source>
        <translation>Planen Sie hier damit, oder erlauben Sie sie im Auftrag.</translation>
    </message>
</context>
<context>
    <name>hearth::PlanDraft</name>
    <message>
        <source>This plan has several pipelines side by side.</source>
        <translation>Dieser Plan hat mehrere Pipelines nebeneinander.</translation>
    </message>
    <message>
        <source>A run has one.</source>
        <translation>Ein Lauf hat eine.</translation>
    </message>
    <message>
        <source>Take another plan.</source>
        <translation>Nehmen Sie einen anderen Plan.</translation>
    </message>
    <message numerus="yes">
        <source>Memory lets stage %1 hold %n micro-batch(es) in flight instead of %2.</source>
        <translation>
            <numerusform>Der Speicher der Stufe %1 reicht für %n statt %2 Micro-Batches unterwegs.</numerusform>
            <numerusform>Der Speicher der Stufe %1 reicht für %n statt %2 Micro-Batches unterwegs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::PlanFigures</name>
    <message>
        <source>Predicted round</source>
        <translation>Vorhergesagte Runde</translation>
    </message>
    <message>
        <source>Predicted speed</source>
        <translation>Vorhergesagtes Tempo</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>One round</source>
        <translation>Eine Runde</translation>
    </message>
    <message>
        <source>Bottleneck</source>
        <translation>Engpass</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>± %1 %: not all measured</source>
        <translation>± %1 %: nicht alles gemessen</translation>
    </message>
    <message>
        <source>estimate: %1</source>
        <translation>Schätzung: %1</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>of the devices’ time</source>
        <translation>der Zeit der Geräte</translation>
    </message>
    <message>
        <source>computes stage %1</source>
        <translation>rechnet Stufe %1</translation>
    </message>
    <message>
        <source>compute stage %1</source>
        <translation>rechnen Stufe %1</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>the link between stages %1 and %2</source>
        <translation>die Verbindung zwischen Stufe %1 und %2</translation>
    </message>
    <message>
        <source>the links between stages %1 and %2</source>
        <translation>die Verbindungen zwischen Stufe %1 und %2</translation>
    </message>
    <message>
        <source>micro-batches × size</source>
        <translation>Micro-Batches × Größe</translation>
    </message>
    <message>
        <source>serves inputs and labels</source>
        <translation>liefert Eingaben und Labels</translation>
    </message>
    <message>
        <source>its network card</source>
        <translation>seine Netzwerkkarte</translation>
    </message>
    <message>
        <source>computes %1 stages</source>
        <translation>rechnet %1 Stufen</translation>
    </message>
</context>
<context>
    <name>hearth::PlanPage</name>
    <message>
        <source>A round would take %1, as before.</source>
        <translation>Eine Runde würde %1 dauern, wie vorher.</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Watch training</source>
        <translation>Training ansehen</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>Noch kein Plan</translation>
    </message>
    <message>
        <source>Hearth measures the devices and works out who computes which layers. You can look at the plan, and change it, before anything is trained.</source>
        <translation>Hearth misst die Geräte und berechnet, wer welche Schichten übernimmt. Sie können den Plan ansehen und ändern, bevor etwas trainiert wird.</translation>
    </message>
    <message>
        <source>Who computes which layers</source>
        <translation>Wer welche Schichten rechnet</translation>
    </message>
    <message numerus="yes">
        <source>on %n device(s)</source>
        <translation>
            <numerusform>auf %n Gerät</numerusform>
            <numerusform>auf %n Geräten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n Stufe</numerusform>
            <numerusform>%n Stufen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2 %3, by the planner “%4”</source>
        <translation>%1 in %2 %3, vom Planer „%4“</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Move the border behind stage %1</source>
        <translation>Grenze hinter Stufe %1 verschieben</translation>
    </message>
    <message>
        <source>Lock a border</source>
        <translation>Eine Grenze festhalten</translation>
    </message>
    <message>
        <source>Your changes</source>
        <translation>Eigene Änderungen</translation>
    </message>
    <message>
        <source>Apply at the next round</source>
        <translation>Ab der nächsten Runde anwenden</translation>
    </message>
    <message>
        <source>Takes effect at the next round</source>
        <translation>Gilt ab der nächsten Runde</translation>
    </message>
    <message>
        <source>Your plan takes effect after the current round.</source>
        <translation>Ihr Plan gilt nach der laufenden Runde.</translation>
    </message>
    <message>
        <source>Train with this plan</source>
        <translation>Mit diesem Plan trainieren</translation>
    </message>
    <message>
        <source>This plan does not fit into the memory of its devices.</source>
        <translation>Dieser Plan passt nicht in den Speicher seiner Geräte.</translation>
    </message>
    <message>
        <source>%1 in %2 %3, changed by you</source>
        <translation>%1 in %2 %3, selbst geändert</translation>
    </message>
    <message>
        <source>%1; in force from round %2, %3</source>
        <translation>%1; gilt ab Runde %2, %3</translation>
    </message>
    <message>
        <source>This plan can be viewed, not changed: the measurements of its run are missing.</source>
        <translation>Dieser Plan kann angesehen, aber nicht geändert werden: Die Messungen seines Laufs fehlen.</translation>
    </message>
    <message>
        <source>Drag the border between two stages, or a device to another stage: the numbers follow.</source>
        <translation>Die Grenze zwischen zwei Stufen ziehen, oder ein Gerät zu einer anderen Stufe: Die Zahlen folgen.</translation>
    </message>
    <message>
        <source>A round would take %1 instead of %2: %3 less.</source>
        <translation>Eine Runde würde %1 statt %2 dauern: %3 weniger.</translation>
    </message>
    <message>
        <source>A round would take %1 instead of %2: %3 more.</source>
        <translation>Eine Runde würde %1 statt %2 dauern: %3 mehr.</translation>
    </message>
    <message>
        <source>The change would move %1 of weights and states in about %2.</source>
        <translation>Der Wechsel würde %1 an Gewichten und Ständen in etwa %2 bewegen.</translation>
    </message>
    <message>
        <source>The run under way keeps its plan; the next one can take yours.</source>
        <translation>Der laufende Lauf behält seinen Plan; der nächste kann diesen nehmen.</translation>
    </message>
    <message>
        <source>Unlock a border</source>
        <translation>Eine Grenze freigeben</translation>
    </message>
    <message>
        <source>Drag a device to the edge of its stage for a new one, or out to rest: the numbers follow.</source>
        <translation>Ein Gerät an den Rand seiner Stufe ziehen für eine neue, oder hinaus, damit es ruht: Die Zahlen folgen.</translation>
    </message>
    <message>
        <source>The plan is on its way</source>
        <translation>Der Plan ist unterwegs</translation>
    </message>
    <message>
        <source>Hearth measures the devices, and works out who computes which layers. The plan appears here as soon as it is made.</source>
        <translation>Hearth misst die Geräte und rechnet aus, wer welche Schichten rechnet. Der Plan erscheint hier, sobald er steht.</translation>
    </message>
    <message>
        <source>%1 needs %2 and has %3</source>
        <translation>%1 braucht %2 und hat %3</translation>
    </message>
    <message>
        <source>This plan does not fit into the memory of its devices: %1.</source>
        <translation>Dieser Plan passt nicht in den Speicher seiner Geräte: %1.</translation>
    </message>
    <message>
        <source>Proven optimal among the plans that the planner knows.</source>
        <translation>Unter den Plänen, die der Planer kennt, bewiesen optimal.</translation>
    </message>
    <message>
        <source>Not proven optimal.</source>
        <translation>Nicht als optimal bewiesen.</translation>
    </message>
    <message>
        <source>Proven optimal for the home as it was; it has changed since.</source>
        <translation>Für das Zuhause, wie es war, bewiesen optimal; es hat sich seither geändert.</translation>
    </message>
    <message>
        <source>Expect up to %1 a round (%2 more): links carry transfers of several stages at once.</source>
        <translation>Rechnen Sie mit bis zu %1 je Runde (%2 mehr): Verbindungen tragen Übertragungen mehrerer Stufen zugleich.</translation>
    </message>
    <message>
        <source>It may take only %1 a round (%2 less): devices of a stage need not wait for each other.</source>
        <translation>Es könnten nur %1 je Runde werden (%2 weniger): Geräte einer Stufe müssen nicht aufeinander warten.</translation>
    </message>
    <message>
        <source>Averaging weights only every %1 batches would train %2 times as fast: &quot;local_steps&quot; in the job&apos;s file. It changes the mathematics: each device trains by its own samples in between.</source>
        <translation>Die Gewichte nur alle %1 Batches zu mitteln würde %2-mal so schnell trainieren: „local_steps“ in der Datei des Auftrags. Es ändert die Mathematik: Dazwischen trainiert jedes Gerät nach seinen eigenen Beispielen.</translation>
    </message>
    <message>
        <source>Make a plan</source>
        <translation>Plan erstellen</translation>
    </message>
    <message>
        <source>For the job of the Job page; what is not known yet is measured first</source>
        <translation>Für den Auftrag der Seite „Auftrag“; was noch nicht bekannt ist, wird zuerst gemessen</translation>
    </message>
    <message>
        <source>This plan was made for another job than that of the Job page.</source>
        <translation>Dieser Plan wurde für einen anderen Auftrag als den der Seite „Auftrag“ gemacht.</translation>
    </message>
    <message>
        <source>It would take the place of your changes: save them, or go back to the automatic plan, first.</source>
        <translation>Er würde Ihre Änderungen ersetzen: Speichern Sie sie zuerst, oder kehren Sie zum automatischen Plan zurück.</translation>
    </message>
    <message>
        <source>This plan is not for the job of the Job page; a run of that one gets a plan of its own.</source>
        <translation>Dieser Plan ist nicht für den Auftrag der Seite „Auftrag“; ein Lauf jenes Auftrags bekommt einen eigenen Plan.</translation>
    </message>
</context>
<context>
    <name>hearth::PlanTools</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Plan the rest</source>
        <translation>Rest planen</translation>
    </message>
    <message>
        <source>Automatic plan</source>
        <translation>Automatischer Plan</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Back to the automatic plan</source>
        <translation>Zurück zum automatischen Plan</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Rückgängig: %1</translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Wiederholen: %1</translation>
    </message>
    <message>
        <source>Nothing was undone</source>
        <translation>Nichts wurde rückgängig gemacht</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>The planner finds the best plan around what you have locked</source>
        <translation>Der Planer findet den besten Plan um das herum, was festgehalten ist</translation>
    </message>
    <message>
        <source>Back to the plan that the run has</source>
        <translation>Zurück zum Plan des Laufs</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>Einen Plan öffnen</translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation>Pläne (*.json)</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Den Plan speichern</translation>
    </message>
</context>
<context>
    <name>hearth::PlanTraffic</name>
    <message>
        <source>Sent per round</source>
        <translation>Gesendet pro Runde</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
</context>
<context>
    <name>hearth::PlanWhatIf</name>
    <message>
        <source>Without %1 a round of the best known plan would still take %2.</source>
        <translation>Ohne %1 würde eine Runde nach dem besten bekannten Plan %2 dauern, so lange wie jetzt.</translation>
    </message>
    <message>
        <source>%1 Gbit/s</source>
        <translation>%1 Gbit/s</translation>
    </message>
    <message>
        <source>Ask …</source>
        <translation>Fragen …</translation>
    </message>
    <message>
        <source>Ask what if</source>
        <translation>Fragen, was wäre, wenn</translation>
    </message>
    <message>
        <source>What if …?</source>
        <translation>Was wäre, wenn …?</translation>
    </message>
    <message>
        <source>See how the time of a round changes if a device leaves or a link gets faster.</source>
        <translation>Wie sich die Zeit einer Runde ändert, wenn ein Gerät geht oder eine Verbindung schneller wird.</translation>
    </message>
    <message>
        <source>What if %1 left?</source>
        <translation>Und wenn %1 ginge?</translation>
    </message>
    <message>
        <source>What if %1 – %2 had %3?</source>
        <translation>Und wenn %1 – %2 %3 hätte?</translation>
    </message>
    <message>
        <source>Planning without %1 …</source>
        <translation>Plant ohne %1 …</translation>
    </message>
    <message>
        <source>Without %1 there is no plan. %2</source>
        <translation>Ohne %1 gibt es keinen Plan. %2</translation>
    </message>
    <message>
        <source>Without %1 a round of the best known plan would take %2 instead of %3: %4 less.</source>
        <translation>Ohne %1 bräuchte der beste bekannte Plan %2 statt %3 für eine Runde: %4 weniger.</translation>
    </message>
    <message>
        <source>Without %1 a round of the best known plan would take %2 instead of %3: %4 more.</source>
        <translation>Ohne %1 bräuchte der beste bekannte Plan %2 statt %3 für eine Runde: %4 mehr.</translation>
    </message>
    <message>
        <source>Simulating …</source>
        <translation>Simuliert …</translation>
    </message>
    <message>
        <source>%1 between %2 and %3: a faster link would not help.</source>
        <translation>%1 zwischen %2 und %3: Eine schnellere Verbindung würde nicht helfen.</translation>
    </message>
    <message>
        <source>With %1 between %2 and %3 a round of this plan would take %4 instead of %5: %6 less.</source>
        <translation>Mit %1 zwischen %2 und %3 bräuchte dieser Plan %4 statt %5 für eine Runde: %6 weniger.</translation>
    </message>
</context>
<context>
    <name>hearth::PrecisionCard</name>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>What networks are usually trained in.</source>
        <translation>Worin Netze üblicherweise trainiert werden.</translation>
    </message>
    <message>
        <source>Devices that are faster in bfloat16 use it for large products; others compute in float32. Weights, gradients and what is sent stay float32.</source>
        <translation>Geräte, die in bfloat16 schneller sind, rechnen große Produkte darin; die anderen rechnen in float32. Gewichte, Gradienten und was gesendet wird, bleiben float32.</translation>
    </message>
    <message>
        <source>To compare results exactly: slower, and twice the memory.</source>
        <translation>Um Ergebnisse genau zu vergleichen: langsamer und doppelter Speicher.</translation>
    </message>
</context>
<context>
    <name>hearth::ProcessSwitches</name>
    <message>
        <source>%1 leads the run and serves the data: the run cannot continue without it.</source>
        <translation>%1 führt den Lauf und liefert die Daten: Ohne dieses Gerät geht der Lauf nicht weiter.</translation>
    </message>
    <message>
        <source>%1 cannot be switched.</source>
        <translation>%1 lässt sich nicht schalten.</translation>
    </message>
    <message>
        <source>Its agent does not run any more.</source>
        <translation>Sein Agent läuft nicht mehr.</translation>
    </message>
    <message>
        <source>Start the demo again.</source>
        <translation>Die Demo neu starten.</translation>
    </message>
</context>
<context>
    <name>hearth::QrCode</name>
    <message>
        <source>QR code of %1</source>
        <translation>QR-Code von %1</translation>
    </message>
</context>
<context>
    <name>hearth::Rail</name>
    <message>
        <source>Hearth</source>
        <translation>Hearth</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Zuhause</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>hearth::ReachedWords</name>
    <message numerus="yes">
        <source>%1 has learnt %2 in %3 rounds and %4, on %n device(s).</source>
        <translation>
            <numerusform>%1 hat %2 in %3 Runden und %4 auf einem Gerät gelernt.</numerusform>
            <numerusform>%1 hat %2 in %3 Runden und %4 auf %n Geräten gelernt.</numerusform>
        </translation>
    </message>
    <message>
        <source>It is right in %1 of the samples that it was evaluated on.</source>
        <translation>Es liegt bei %1 der Beispiele richtig, an denen es ausgewertet wurde.</translation>
    </message>
    <message>
        <source>It is right in %1 of the samples that it was evaluated on; at its best it was right in %2.</source>
        <translation>Es liegt bei %1 der Beispiele richtig, an denen es ausgewertet wurde; im besten Fall waren es %2.</translation>
    </message>
    <message>
        <source>Its loss went from %1 to %2.</source>
        <translation>Sein Verlust ging von %1 auf %2.</translation>
    </message>
    <message>
        <source>Always answering &quot;%1&quot; would be right in %2 of the samples.</source>
        <translation>Wer immer „%1“ antwortet, läge bei %2 der Beispiele richtig.</translation>
    </message>
    <message numerus="yes">
        <source>Most often it takes %1 for %2: %n time(s).</source>
        <translation>
            <numerusform>Am häufigsten hält es %1 für %2: einmal.</numerusform>
            <numerusform>Am häufigsten hält es %1 für %2: %n-mal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Devices were lost %n time(s) on the way; the run went on without them.</source>
        <translation>
            <numerusform>Einmal fiel unterwegs ein Gerät aus; der Lauf ging ohne es weiter.</numerusform>
            <numerusform>%n-mal fielen unterwegs Geräte aus; der Lauf ging ohne sie weiter.</numerusform>
        </translation>
    </message>
    <message>
        <source>Training was stopped (planned: %1).</source>
        <translation>Das Training wurde angehalten (geplant: %1).</translation>
    </message>
    <message>
        <source>Training was interrupted (planned: %1).</source>
        <translation>Das Training wurde unterbrochen (geplant: %1).</translation>
    </message>
    <message>
        <source>Training failed (planned: %1). %2</source>
        <translation>Das Training ist gescheitert (geplant: %1). %2</translation>
    </message>
    <message>
        <source>Training ended early (planned: %1). %2</source>
        <translation>Das Training endete vorzeitig (geplant: %1). %2</translation>
    </message>
</context>
<context>
    <name>hearth::RoundChart</name>
    <message>
        <source>One round, drawn</source>
        <translation>Eine Runde, gezeichnet</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>AllReduce</source>
        <translation>AllReduce</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>limits the plan</source>
        <translation>begrenzt den Plan</translation>
    </message>
    <message>
        <source>Stage %1, forward of micro-batch %2: %3, from %4 on</source>
        <translation>Stufe %1, vorwärts von Micro-Batch %2: %3, ab %4</translation>
    </message>
    <message>
        <source>Stage %1, backward of micro-batch %2: %3, from %4 on</source>
        <translation>Stufe %1, rückwärts von Micro-Batch %2: %3, ab %4</translation>
    </message>
    <message>
        <source>AllReduce of stage %1: %2 in %3, from %4 on</source>
        <translation>AllReduce von Stufe %1: %2 in %3, ab %4</translation>
    </message>
    <message>
        <source>Optimizer step of stage %1</source>
        <translation>Optimierungsschritt von Stufe %1</translation>
    </message>
    <message>
        <source>gradients of weights</source>
        <translation>Gradienten der Gewichte</translation>
    </message>
    <message>
        <source>Stage %1, gradients of weights of micro-batch %2: %3, from %4 on</source>
        <translation>Stufe %1, Gradienten der Gewichte von Micro-Batch %2: %3, ab %4</translation>
    </message>
    <message>
        <source>Transfer of micro-batch %1 between stages %2 and %3: %4 in %5, from %6 on</source>
        <translation>Übertragung von Micro-Batch %1 zwischen Stufe %2 und %3: %4 in %5, ab %6</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: busy %2 of the round, limits the plan</source>
        <translation>%1: %2 der Runde beschäftigt, begrenzt den Plan</translation>
    </message>
    <message>
        <source>%1: busy %2 of the round</source>
        <translation>%1: %2 der Runde beschäftigt</translation>
    </message>
</context>
<context>
    <name>hearth::RunCurvesView</name>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Accuracy, %</source>
        <translation>Genauigkeit, %</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>By round</source>
        <translation>Nach Runde</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>Nach Zeit</translation>
    </message>
    <message>
        <source>by round</source>
        <translation>nach Runde</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>nach Zeit</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
</context>
<context>
    <name>hearth::RunNews</name>
    <message>
        <source>%1 is lost</source>
        <translation>%1 ist verloren</translation>
    </message>
    <message>
        <source>Training goes on</source>
        <translation>Das Training geht weiter</translation>
    </message>
    <message>
        <source>The run has failed</source>
        <translation>Der Lauf ist gescheitert</translation>
    </message>
    <message>
        <source>Training is finished</source>
        <translation>Das Training ist fertig</translation>
    </message>
    <message numerus="yes">
        <source>%n round(s) are done.</source>
        <translation>
            <numerusform>%n Runde ist geschafft.</numerusform>
            <numerusform>%n Runden sind geschafft.</numerusform>
        </translation>
    </message>
    <message>
        <source>The run was interrupted</source>
        <translation>Der Lauf wurde unterbrochen</translation>
    </message>
    <message>
        <source>It can resume from its last checkpoint.</source>
        <translation>Er kann vom letzten Checkpoint aus fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Hearth: %1</source>
        <translation>Hearth: %1</translation>
    </message>
    <message>
        <source>Hearth: %1, round %2</source>
        <translation>Hearth: %1, Runde %2</translation>
    </message>
</context>
<context>
    <name>hearth::RunsTable</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>hearth::RunsTableModel</name>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>Mit Stern</translation>
    </message>
    <message>
        <source>Not starred</source>
        <translation>Ohne Stern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Starred: a click takes the star away</source>
        <translation>Mit Stern: ein Klick nimmt ihn weg</translation>
    </message>
    <message>
        <source>A click gives the run a star</source>
        <translation>Ein Klick gibt dem Lauf einen Stern</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Not readable</source>
        <translation>Nicht lesbar</translation>
    </message>
</context>
<context>
    <name>hearth::SampleSheet</name>
    <message>
        <source>Samples of the data</source>
        <translation>Beispiele aus den Daten</translation>
    </message>
    <message>
        <source>Reading the data …</source>
        <translation>Die Daten werden gelesen …</translation>
    </message>
    <message>
        <source>%1 samples to train, %2 to test, of %3</source>
        <translation>%1 Beispiele zum Trainieren, %2 zum Testen, von %3</translation>
    </message>
    <message>
        <source>of any size</source>
        <translation>verschieden groß</translation>
    </message>
    <message>
        <source>%1×%2 pixels</source>
        <translation>%1×%2 Bildpunkte</translation>
    </message>
    <message numerus="yes">
        <source>%1 pictures to train, %2 to test, %3, in %n class(es): %4</source>
        <translation>
            <numerusform>%1 Bilder zum Trainieren, %2 zum Prüfen, %3, in %n Klasse: %4</numerusform>
            <numerusform>%1 Bilder zum Trainieren, %2 zum Testen, %3, in %n Klassen: %4</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 rows to train, %2 to test, with a quantity to learn</source>
        <translation>%1 Zeilen zum Trainieren, %2 zum Testen, mit einer Größe, die gelernt wird</translation>
    </message>
    <message numerus="yes">
        <source>%1 rows to train, %2 to test, in %n class(es): %3</source>
        <translation>
            <numerusform>%1 Zeilen zum Trainieren, %2 zum Testen, in %n Klasse: %3</numerusform>
            <numerusform>%1 Zeilen zum Trainieren, %2 zum Testen, in %n Klassen: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are gone. “Check again” removes them from the list (“Your data …” → “Check or remove …”).</source>
        <translation>
            <numerusform>%n Datei ist nicht mehr da. „Erneut prüfen“ entfernt sie aus der Liste („Ihre Daten …“ → „Prüfen oder entfernen …“).</numerusform>
            <numerusform>%n Dateien sind nicht mehr da. „Erneut prüfen“ entfernt sie aus der Liste („Ihre Daten …“ → „Prüfen oder entfernen …“).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are left out. “Check again” names them (“Your data …” → “Check or remove …”).</source>
        <translation>
            <numerusform>%n Datei bleibt weg. „Erneut prüfen“ nennt sie („Ihre Daten …“ → „Prüfen oder entfernen …“).</numerusform>
            <numerusform>%n Dateien bleiben weg. „Erneut prüfen“ nennt sie („Ihre Daten …“ → „Prüfen oder entfernen …“).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hearth::SearchButton</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>hearth::StatusLine</name>
    <message numerus="yes">
        <source>%1 of %n device(s) ready</source>
        <translation>
            <numerusform>%1 von %n Gerät bereit</numerusform>
            <numerusform>%1 von %n Geräten bereit</numerusform>
        </translation>
    </message>
    <message>
        <source>No devices</source>
        <translation>Keine Geräte</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Kein Lauf</translation>
    </message>
    <message>
        <source>%1 · round %2 of %3</source>
        <translation>%1 · Runde %2 von %3</translation>
    </message>
    <message>
        <source>%1 · round %2</source>
        <translation>%1 · Runde %2</translation>
    </message>
</context>
<context>
    <name>hearth::SupportDialog</name>
    <message>
        <source>Save …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Save support bundle</source>
        <translation>Support-Paket speichern</translation>
    </message>
    <message>
        <source>These files help to find out what went wrong. You decide whom you give them to: nothing is sent.</source>
        <translation>Diese Dateien helfen herauszufinden, was schiefging. Sie entscheiden, wem Sie sie geben: nichts wird gesendet.</translation>
    </message>
    <message>
        <source>Never in it: keys, certificates, passwords, weights, and your user name. Your home folder is written as ~. Names and addresses of your devices are in it.</source>
        <translation>Nie darin: Schlüssel, Zertifikate, Passwörter, Gewichte und Ihr Benutzername. Ihr persönlicher Ordner erscheint als ~. Namen und Adressen Ihrer Geräte sind darin.</translation>
    </message>
    <message>
        <source>Files of the bundle</source>
        <translation>Dateien des Pakets</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Progress of the support bundle</source>
        <translation>Fortschritt des Support-Pakets</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Collecting …</source>
        <translation>Wird gesammelt …</translation>
    </message>
    <message>
        <source>%1 (without its middle)</source>
        <translation>%1 (ohne die Mitte)</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s), %1 before they are packed</source>
        <translation>
            <numerusform>%n Datei, ungepackt %1</numerusform>
            <numerusform>%n Dateien, ungepackt %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Support bundles (*.tar.gz)</source>
        <translation>Support-Pakete (*.tar.gz)</translation>
    </message>
    <message>
        <source>Saving …</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>Gespeichert als %1</translation>
    </message>
</context>
<context>
    <name>hearth::TakeAlongDialog</name>
    <message>
        <source>As it was in its best evaluation</source>
        <translation>Wie es bei seiner besten Auswertung war</translation>
    </message>
    <message>
        <source>Take %1 along</source>
        <translation>%1 mitnehmen</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>A page for people, with plots. Any browser shows it.</source>
        <translation>Eine Seite für Menschen, mit Kurven. Jeder Browser zeigt sie.</translation>
    </message>
    <message>
        <source>Pages (*.html)</source>
        <translation>Seiten (*.html)</translation>
    </message>
    <message>
        <source>Model card</source>
        <translation>Modellkarte</translation>
    </message>
    <message>
        <source>Data, job and figures, to go with the network.</source>
        <translation>Daten, Auftrag und Zahlen, als Beilage zum Netz.</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>This run has saved no weights.</source>
        <translation>Dieser Lauf hat keine Gewichte gespeichert.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>For PyTorch, under the names that they came with.</source>
        <translation>Für PyTorch, unter den Namen, mit denen sie kamen.</translation>
    </message>
    <message>
        <source>Weights (*.safetensors)</source>
        <translation>Gewichte (*.safetensors)</translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>The network as it is used, for other programs.</source>
        <translation>Das Netz, wie es benutzt wird, für andere Programme.</translation>
    </message>
    <message>
        <source>ONNX files (*.onnx)</source>
        <translation>ONNX-Dateien (*.onnx)</translation>
    </message>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging-Face-Ordner</translation>
    </message>
    <message>
        <source>The folder that it came from, with new weights.</source>
        <translation>Der Ordner, aus dem es kam, mit neuen Gewichten.</translation>
    </message>
    <message>
        <source>This network did not come from one.</source>
        <translation>Dieses Netz kam nicht aus einem solchen.</translation>
    </message>
    <message>
        <source>Save …</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Save: %1</source>
        <translation>Speichern: %1</translation>
    </message>
    <message>
        <source>Writing %1 …</source>
        <translation>%1 wird geschrieben …</translation>
    </message>
    <message>
        <source>It is in %1.</source>
        <translation>Es liegt in %1.</translation>
    </message>
    <message>
        <source>The run has saved no others.</source>
        <translation>Der Lauf hat keine anderen gespeichert.</translation>
    </message>
    <message>
        <source>%1 is not there.</source>
        <translation>%1 ist nicht da.</translation>
    </message>
    <message>
        <source>The weights are those after round %1.</source>
        <translation>Die Gewichte sind die nach Runde %1.</translation>
    </message>
</context>
<context>
    <name>hearth::TimeSplit</name>
    <message>
        <source>computing</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>sending</source>
        <translation>sendet</translation>
    </message>
    <message>
        <source>Time of each device</source>
        <translation>Zeit jedes Geräts</translation>
    </message>
    <message>
        <source>computing %1, waiting %2, sending %3 per round</source>
        <translation>rechnet %1, wartet %2, sendet %3 je Runde</translation>
    </message>
</context>
<context>
    <name>hearth::TrainDevices</name>
    <message>
        <source>Devices of the home</source>
        <translation>Geräte des Zuhauses</translation>
    </message>
</context>
<context>
    <name>hearth::TrainFigures</name>
    <message>
        <source>Round</source>
        <translation>Runde</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>vorhergesagt %1</translation>
    </message>
    <message>
        <source>first %1</source>
        <translation>zuerst %1</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>%1 bisher</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>%1 insgesamt</translation>
    </message>
    <message>
        <source>after round %1</source>
        <translation>nach Runde %1</translation>
    </message>
    <message>
        <source>before the first round</source>
        <translation>vor der ersten Runde</translation>
    </message>
    <message>
        <source>evaluating: %1</source>
        <translation>wertet aus: %1</translation>
    </message>
    <message>
        <source>after round %1, best after %2</source>
        <translation>nach Runde %1, beste nach %2</translation>
    </message>
</context>
<context>
    <name>hearth::TrainFiles</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the weights …</source>
        <translation>Gewichte speichern …</translation>
    </message>
    <message>
        <source>Record a trace of the next run …</source>
        <translation>Nächsten Lauf aufzeichnen …</translation>
    </message>
    <message>
        <source>A file that says what every device did when; ui.perfetto.dev shows it. A trace begins with its run.</source>
        <translation>Eine Datei, die sagt, was jedes Gerät wann tat; ui.perfetto.dev zeigt sie. Eine Aufzeichnung beginnt mit ihrem Lauf.</translation>
    </message>
    <message>
        <source>weights saved as %1</source>
        <translation>Gewichte gespeichert als %1</translation>
    </message>
    <message>
        <source>Weights can be saved after the first round.</source>
        <translation>Gewichte können nach der ersten Runde gespeichert werden.</translation>
    </message>
    <message>
        <source>Save the weights</source>
        <translation>Gewichte speichern</translation>
    </message>
    <message>
        <source>Weights (*.safetensors)</source>
        <translation>Gewichte (*.safetensors)</translation>
    </message>
    <message>
        <source>saving the weights after this round …</source>
        <translation>die Gewichte werden nach dieser Runde gespeichert …</translation>
    </message>
    <message>
        <source>saving the weights …</source>
        <translation>die Gewichte werden gespeichert …</translation>
    </message>
    <message>
        <source>Record a trace</source>
        <translation>Lauf aufzeichnen</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>Aufzeichnungen (*.json)</translation>
    </message>
    <message>
        <source>The next run writes a trace to %1</source>
        <translation>Der nächste Lauf wird in %1 aufgezeichnet</translation>
    </message>
    <message>
        <source>Save the plots as a picture …</source>
        <translation>Diagramme als Bild speichern …</translation>
    </message>
    <message>
        <source>picture saved as %1</source>
        <translation>Bild gespeichert als %1</translation>
    </message>
    <message>
        <source>All plots, with the time that they show now</source>
        <translation>Alle Diagramme, mit der Zeit, die sie gerade zeigen</translation>
    </message>
    <message>
        <source>The plots begin after the first round.</source>
        <translation>Die Diagramme beginnen nach der ersten Runde.</translation>
    </message>
    <message>
        <source>Save the plots as a picture</source>
        <translation>Diagramme als Bild speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Save the best weights …</source>
        <translation>Beste Gewichte speichern …</translation>
    </message>
    <message>
        <source>After round %1, with a loss of %2</source>
        <translation>Nach Runde %1, mit einem Verlust von %2</translation>
    </message>
    <message>
        <source>They can be saved after the first evaluation.</source>
        <translation>Sie können nach der ersten Auswertung gesichert werden.</translation>
    </message>
    <message>
        <source>Save the best weights</source>
        <translation>Beste Gewichte speichern</translation>
    </message>
    <message>
        <source>Nothing was saved.</source>
        <translation>Es wurde nichts gespeichert.</translation>
    </message>
    <message>
        <source>While you chose the file, another run took the place of the one on this page.</source>
        <translation>Während Sie die Datei auswählten, ist ein anderer Lauf an die Stelle des Laufs auf dieser Seite getreten.</translation>
    </message>
    <message>
        <source>Save it once more; a run that is over is on the History page.</source>
        <translation>Speichern Sie noch einmal; ein Lauf, der vorbei ist, steht auf der Seite „Verlauf“.</translation>
    </message>
</context>
<context>
    <name>hearth::TrainPage</name>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation>Jetzt auswerten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Nothing is training</source>
        <translation>Nichts wird trainiert</translation>
    </message>
    <message>
        <source>“Start training” measures the devices, makes a plan and trains the model of your job. You can watch every step here.</source>
        <translation>„Training starten“ misst die Geräte, macht einen Plan und trainiert das Modell des Auftrags. Jeder Schritt ist hier zu sehen.</translation>
    </message>
    <message>
        <source>Check the job first</source>
        <translation>Zuerst den Auftrag prüfen</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Preparing the first round …</source>
        <translation>Die erste Runde wird vorbereitet …</translation>
    </message>
    <message>
        <source>Preparing the devices …</source>
        <translation>Die Geräte werden vorbereitet …</translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation>Bereit zum Start</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 mit %2</translation>
    </message>
    <message>
        <source>%1 · %2 · last data %3 ago</source>
        <translation>%1 · %2 · letzte Daten vor %3</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Reading the record of this run: %1</source>
        <translation>Die Aufzeichnung dieses Laufs wird gelesen: %1</translation>
    </message>
    <message>
        <source>Does the remaining rounds, from the newest checkpoint</source>
        <translation>Macht die restlichen Runden, vom neuesten Checkpoint an</translation>
    </message>
    <message>
        <source>The job of this run was written by a later version of Hearth.</source>
        <translation>Den Auftrag dieses Laufs hat eine neuere Version von Hearth geschrieben.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Leaves this recording, for the run that was shown before</source>
        <translation>Verlässt diese Aufzeichnung, zurück zum Lauf, der vorher zu sehen war</translation>
    </message>
    <message>
        <source>Recording: %1</source>
        <translation>Aufzeichnung: %1</translation>
    </message>
    <message>
        <source>Evaluating …</source>
        <translation>Wertet aus …</translation>
    </message>
    <message>
        <source>It begins after the current round.</source>
        <translation>Sie beginnt nach der laufenden Runde.</translation>
    </message>
    <message>
        <source>This run was interrupted: the computer that led it, or its agent, ended. “Resume” does the remaining rounds, from its newest checkpoint.</source>
        <translation>Dieser Lauf wurde unterbrochen: Der Rechner, der ihn führte, oder dessen Agent ist ausgefallen. „Fortsetzen“ macht die restlichen Runden, vom neuesten Checkpoint an.</translation>
    </message>
    <message>
        <source>This run was interrupted: the computer that led it, or its agent, ended. There is no checkpoint to resume from.</source>
        <translation>Dieser Lauf wurde unterbrochen: Der Rechner, der ihn führte, oder dessen Agent ist ausgefallen. Es gibt keinen Checkpoint, von dem aus er fortgesetzt werden könnte.</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <source>It stops after the current round, and saves the weights.</source>
        <translation>Er hält nach der laufenden Runde an und speichert die Gewichte.</translation>
    </message>
    <message>
        <source>Pausing …</source>
        <translation>Pausiert gleich …</translation>
    </message>
    <message>
        <source>It pauses after the current round.</source>
        <translation>Er pausiert nach der laufenden Runde.</translation>
    </message>
    <message>
        <source>Making a plan …</source>
        <translation>Ein Plan wird gemacht …</translation>
    </message>
    <message>
        <source>Take along …</source>
        <translation>Mitnehmen …</translation>
    </message>
    <message>
        <source>What the run reached, and what you can keep of it</source>
        <translation>Was der Lauf erreicht hat, und was Sie davon behalten können</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Shows a card of each device above the plots</source>
        <translation>Zeigt über den Diagrammen eine Karte jedes Geräts</translation>
    </message>
    <message>
        <source>Trains the same job with the same settings and new weights</source>
        <translation>Trainiert denselben Auftrag mit denselben Einstellungen und neuen Gewichten</translation>
    </message>
    <message>
        <source>Shown on phone</source>
        <translation>Am Telefon gezeigt</translation>
    </message>
    <message>
        <source>Show on phone …</source>
        <translation>Am Telefon zeigen …</translation>
    </message>
    <message>
        <source>Waiting for devices that rest. %1</source>
        <translation>Es wird auf Geräte gewartet, die ruhen. %1</translation>
    </message>
    <message>
        <source>Devices measure for some seconds; training then goes on by itself.</source>
        <translation>Geräte messen einige Sekunden; das Training geht von selbst weiter.</translation>
    </message>
    <message>
        <source>It pauses at once, and measures when it is resumed.</source>
        <translation>Er pausiert sofort und misst, wenn er fortgesetzt wird.</translation>
    </message>
</context>
<context>
    <name>hearth::TrainPlots</name>
    <message>
        <source>Plots of the run</source>
        <translation>Diagramme des Laufs</translation>
    </message>
    <message numerus="yes">
        <source>Last %n minute(s)</source>
        <translation>
            <numerusform>Letzte Minute</numerusform>
            <numerusform>Letzte %n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Last %n hour(s)</source>
        <translation>
            <numerusform>Letzte Stunde</numerusform>
            <numerusform>Letzte %n Stunden</numerusform>
        </translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ganzer Lauf</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep the newest data in sight (End). Drag a plot to look back.</source>
        <translation>Die neuesten Daten im Blick behalten (Ende). Ziehen Sie ein Diagramm, um zurückzublicken.</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>geglättet</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>Loss and accuracy</source>
        <translation>Verlust und Genauigkeit</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>accuracy, % (right)</source>
        <translation>Genauigkeit, % (rechts)</translation>
    </message>
    <message>
        <source>Computing, % of the round</source>
        <translation>Rechnen, % der Runde</translation>
    </message>
    <message>
        <source>Waiting, % of the round</source>
        <translation>Warten, % der Runde</translation>
    </message>
    <message>
        <source>Sending, % of the round</source>
        <translation>Senden, % der Runde</translation>
    </message>
    <message>
        <source>Memory, MiB</source>
        <translation>Speicher, MiB</translation>
    </message>
    <message>
        <source>Link traffic, MB/s</source>
        <translation>Verkehr der Verbindungen, MB/s</translation>
    </message>
    <message numerus="yes">
        <source>%n device(s), a line each</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräte, je eine Linie</numerusform>
        </translation>
    </message>
    <message>
        <source>all links</source>
        <translation>alle Verbindungen</translation>
    </message>
    <message>
        <source>other links</source>
        <translation>weitere Verbindungen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 zu %2</translation>
    </message>
    <message numerus="yes">
        <source>all of them, and %n link(s), a line each</source>
        <translation>
            <numerusform>alle zusammen, und %n Verbindung</numerusform>
            <numerusform>alle zusammen, und %n Verbindungen, je eine Linie</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, run %2</source>
        <translation>%1, Lauf %2</translation>
    </message>
    <message>
        <source>Compression, error in %</source>
        <translation>Komprimierungsfehler, %</translation>
    </message>
    <message>
        <source>activations %1 → %2</source>
        <translation>Aktivierungen %1 → %2</translation>
    </message>
    <message>
        <source>gradients %1 → %2</source>
        <translation>Gradienten %1 → %2</translation>
    </message>
    <message numerus="yes">
        <source>the loss, and %n way(s) across cuts</source>
        <translation>
            <numerusform>der Verlust und %n Weg über einen Schnitt</numerusform>
            <numerusform>der Verlust und %n Wege über Schnitte</numerusform>
        </translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespart</translation>
    </message>
    <message numerus="yes">
        <source>all, what compression saves, and %n link(s)</source>
        <translation>
            <numerusform>alle, das Gesparte und %n Verbindung</numerusform>
            <numerusform>alle, das Gesparte und %n Verbindungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>Log-Skala</translation>
    </message>
    <message>
        <source>Show the loss on a logarithmic scale</source>
        <translation>Den Verlust logarithmisch zeigen</translation>
    </message>
    <message>
        <source>loss, smoothed</source>
        <translation>Verlust, geglättet</translation>
    </message>
    <message>
        <source>loss, evaluated</source>
        <translation>Verlust, ausgewertet</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Length of the gradients, before they are clipped</source>
        <translation>Länge der Gradienten vor dem Kürzen</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>Graphics cards at work, % of the time</source>
        <translation>Grafikkarten bei der Arbeit, % der Zeit</translation>
    </message>
    <message>
        <source>Memory of the graphics cards, GiB</source>
        <translation>Speicher der Grafikkarten, GiB</translation>
    </message>
    <message>
        <source>Temperature of the graphics cards, °C</source>
        <translation>Temperatur der Grafikkarten, °C</translation>
    </message>
    <message>
        <source>Power of the graphics cards, W</source>
        <translation>Leistung der Grafikkarten, W</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>How strongly the loss is smoothed</source>
        <translation>Wie stark der Verlust geglättet wird</translation>
    </message>
    <message>
        <source>Over about how many rounds the loss is smoothed</source>
        <translation>Über ungefähr wie viele Runden der Verlust geglättet wird</translation>
    </message>
    <message numerus="yes">
        <source>over %n round(s)</source>
        <translation>
            <numerusform>über %n Runde</numerusform>
            <numerusform>über %n Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>not smoothed</source>
        <translation>nicht geglättet</translation>
    </message>
    <message>
        <source>What the plots go by</source>
        <translation>Wonach die Diagramme gehen</translation>
    </message>
    <message>
        <source>By time</source>
        <translation>Nach Zeit</translation>
    </message>
    <message>
        <source>By round</source>
        <translation>Nach Runde</translation>
    </message>
    <message>
        <source>By epoch</source>
        <translation>Nach Epoche</translation>
    </message>
    <message>
        <source>How much of the run the plots show</source>
        <translation>Wie viel vom Lauf die Diagramme zeigen</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Show less (+, or Ctrl and the mouse wheel)</source>
        <translation>Weniger zeigen (+, oder Strg und Mausrad)</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr zeigen</translation>
    </message>
    <message>
        <source>Show more (−, or Ctrl and the mouse wheel)</source>
        <translation>Mehr zeigen (−, oder Strg und Mausrad)</translation>
    </message>
    <message>
        <source>This run does not tell how many samples an epoch has.</source>
        <translation>Dieser Lauf sagt nicht, wie viele Beispiele eine Epoche hat.</translation>
    </message>
    <message>
        <source>Last %1 rounds</source>
        <translation>Letzte %1 Runden</translation>
    </message>
    <message>
        <source>Last %1 epochs</source>
        <translation>Letzte %1 Epochen</translation>
    </message>
    <message>
        <source>Last epoch</source>
        <translation>Letzte Epoche</translation>
    </message>
    <message>
        <source>%1 rounds</source>
        <translation>%1 Runden</translation>
    </message>
    <message>
        <source>%1 epochs</source>
        <translation>%1 Epochen</translation>
    </message>
    <message>
        <source>%1, run %2, by round</source>
        <translation>%1, Lauf %2, nach Runde</translation>
    </message>
    <message>
        <source>%1, run %2, by epoch</source>
        <translation>%1, Lauf %2, nach Epoche</translation>
    </message>
    <message>
        <source>learning rate; stages now take %1 of it</source>
        <translation>Lernrate; die Stufen nehmen davon jetzt %1</translation>
    </message>
</context>
<context>
    <name>hearth::TrainedPartEdit</name>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Linear ops that get an adapter</source>
        <translation>Lineare Operationen, die einen Adapter bekommen</translation>
    </message>
    <message>
        <source>What stays as it is</source>
        <translation>Was bleibt, wie es ist</translation>
    </message>
    <message>
        <source>Names as “hearth model” lists them. * stands for any text; ! before a name makes an exception.</source>
        <translation>Namen, wie „hearth model“ sie aufzählt. * steht für beliebigen Text; ! vor einem Namen macht eine Ausnahme.</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>Was trainiert wird</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>What one device needs at least to train the model alone, one sample at a time</source>
        <translation>Mindestens, auf einem Gerät, das das Modell allein trainiert, ein Beispiel nach dem anderen</translation>
    </message>
    <message>
        <source>All weights</source>
        <translation>Alle Gewichte</translation>
    </message>
    <message>
        <source>LoRA adapters</source>
        <translation>LoRA-Adapter</translation>
    </message>
    <message>
        <source>Bottleneck adapters</source>
        <translation>Engpass-Adapter</translation>
    </message>
    <message>
        <source>Only the head</source>
        <translation>Nur der Kopf</translation>
    </message>
    <message>
        <source>For example *.query, *.value</source>
        <translation>Zum Beispiel *.query, *.value</translation>
    </message>
    <message>
        <source>As usual: %1</source>
        <translation>Wie üblich: %1</translation>
    </message>
    <message>
        <source>All but classifiers</source>
        <translation>Alles außer Klassifikatoren</translation>
    </message>
    <message>
        <source>%1 · as in the file</source>
        <translation>%1 · wie in der Datei</translation>
    </message>
    <message>
        <source>%1 parameters, at least %2 of memory to train</source>
        <translation>%1 Parameter, mindestens %2 Speicher zum Trainieren</translation>
    </message>
    <message>
        <source>Weights %1, gradients %2, optimizer %3, and %4 for each sample.</source>
        <translation>Gewichte %1, Gradienten %2, Optimierer %3 und %4 je Beispiel.</translation>
    </message>
</context>
<context>
    <name>hearth::TrayMenu</name>
    <message>
        <source>Show Hearth</source>
        <translation>Hearth zeigen</translation>
    </message>
    <message>
        <source>Close Hearth</source>
        <translation>Hearth schließen</translation>
    </message>
    <message>
        <source>Resume training on this computer</source>
        <translation>Training auf diesem Rechner fortsetzen</translation>
    </message>
    <message>
        <source>Pause training on this computer</source>
        <translation>Training auf diesem Rechner pausieren</translation>
    </message>
    <message>
        <source>This computer · %1</source>
        <translation>Dieser Rechner · %1</translation>
    </message>
    <message>
        <source>This computer · %1 · %2</source>
        <translation>Dieser Rechner · %1 · %2</translation>
    </message>
</context>
<context>
    <name>hearth::TryAnswers</name>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>Otherwise</source>
        <translation>Sonst</translation>
    </message>
    <message>
        <source>Label</source>
        <comment>what the row itself says</comment>
        <translation>Kennzeichnung</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a class and how likely it is</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
</context>
<context>
    <name>hearth::TryDialog</name>
    <message>
        <source>Folder …</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>Save table …</source>
        <translation>Tabelle speichern …</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>%1 ausprobieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose a folder of pictures</source>
        <translation>Ordner mit Bildern wählen</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) answered, as the network sees them.</source>
        <translation>
            <numerusform>%n Bild beantwortet, wie das Netz es sieht.</numerusform>
            <numerusform>%n Bilder beantwortet, wie das Netz sie sieht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the answers</source>
        <translation>Antworten speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>The answers are in %1.</source>
        <translation>Die Antworten stehen in %1.</translation>
    </message>
    <message>
        <source>File …</source>
        <translation>Datei …</translation>
    </message>
    <message>
        <source>Reading the run …</source>
        <translation>Der Lauf wird gelesen …</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Drop pictures here, or a folder of them.</source>
        <translation>Ziehen Sie Bilder oder einen Ordner davon hierher.</translation>
    </message>
    <message>
        <source>Type the beginning of a text, and the network goes on with it.</source>
        <translation>Schreiben Sie den Anfang eines Textes; das Netz setzt ihn fort.</translation>
    </message>
    <message>
        <source>Fill in a row, or drop a table here that has these columns.</source>
        <translation>Füllen Sie eine Zeile aus, oder ziehen Sie eine Tabelle mit diesen Spalten hierher.</translation>
    </message>
    <message>
        <source>Type two texts, or drop a file here: a table, or two texts in each line with a tab between.</source>
        <translation>Schreiben Sie zwei Texte, oder ziehen Sie eine Datei hierher: eine Tabelle, oder in jeder Zeile zwei Texte mit einem Tabulator dazwischen.</translation>
    </message>
    <message>
        <source>Type a text, or drop a file here: a table, or a text in each line.</source>
        <translation>Schreiben Sie einen Text, oder ziehen Sie eine Datei hierher: eine Tabelle, oder in jeder Zeile einen Text.</translation>
    </message>
    <message>
        <source>This computer answers; nothing leaves it.</source>
        <translation>Dieser Rechner antwortet; nichts verlässt ihn.</translation>
    </message>
    <message>
        <source>Looking at the files …</source>
        <translation>Die Dateien werden angesehen …</translation>
    </message>
    <message>
        <source>The network answers …</source>
        <translation>Das Netz antwortet …</translation>
    </message>
    <message numerus="yes">
        <source>%n text(s) answered.</source>
        <translation>
            <numerusform>%n Text beantwortet.</numerusform>
            <numerusform>%n Texte beantwortet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) answered.</source>
        <translation>
            <numerusform>%n Zeile beantwortet.</numerusform>
            <numerusform>%n Zeilen beantwortet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On average they are %1 off what the %n label(s) say.</source>
        <translation>
            <numerusform>Im Mittel liegt sie um %1 neben der %n Kennzeichnung.</numerusform>
            <numerusform>Im Mittel liegen sie um %1 neben den %n Kennzeichnungen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n with a label are right (%2).</source>
        <translation>
            <numerusform>%1 von %n mit einer Kennzeichnung ist richtig (%2).</numerusform>
            <numerusform>%1 von %n mit einer Kennzeichnung sind richtig (%2).</numerusform>
        </translation>
    </message>
    <message>
        <source>The first %1 are kept; &quot;hearth predict RUN FILE --csv TABLE&quot; writes all.</source>
        <translation>Die ersten %1 bleiben hier; „hearth predict RUN FILE --csv TABLE“ schreibt alle.</translation>
    </message>
    <message>
        <source>Try %1 as it was in its best evaluation</source>
        <translation>%1 ausprobieren, wie bei der besten Auswertung</translation>
    </message>
    <message>
        <source>With the last weights</source>
        <translation>Mit den letzten Gewichten</translation>
    </message>
    <message>
        <source>With the best weights</source>
        <translation>Mit den besten Gewichten</translation>
    </message>
    <message numerus="yes">
        <source>Drop a table here that has the %n column(s) which the network takes.</source>
        <translation>
            <numerusform>Ziehen Sie eine Tabelle mit der %n Spalte hierher, die das Netz nimmt.</numerusform>
            <numerusform>Ziehen Sie eine Tabelle mit den %n Spalten hierher, die das Netz nimmt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The network has answered %n time(s) …</source>
        <translation>
            <numerusform>Das Netz hat %n-mal geantwortet …</numerusform>
            <numerusform>Das Netz hat %n-mal geantwortet …</numerusform>
        </translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>On the home&apos;s devices</source>
        <translation>Auf den Geräten des Zuhauses</translation>
    </message>
    <message>
        <source>The home&apos;s devices answer together.</source>
        <translation>Die Geräte des Zuhauses antworten gemeinsam.</translation>
    </message>
    <message>
        <source>Its weights are those after round %1.</source>
        <translation>Seine Gewichte sind die nach Runde %1.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>hearth::TryForm</name>
    <message>
        <source>a number, on average %1</source>
        <translation>eine Zahl, im Mittel %1</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number. Leave the field empty if you do not know the value.</source>
        <translation>„%1“ ist keine Zahl. Lassen Sie das Feld leer, wenn Sie den Wert nicht kennen.</translation>
    </message>
</context>
<context>
    <name>hearth::TryPrompt</name>
    <message>
        <source>Beginning of a text</source>
        <translation>Anfang eines Textes</translation>
    </message>
    <message>
        <source>What the network makes of it</source>
        <translation>Was das Netz daraus macht</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token. 1 draws each token with the probability that the network gives it, so every text is different.</source>
        <translation>0 nimmt immer das wahrscheinlichste Token. 1 zieht jedes Token mit der Wahrscheinlichkeit, die das Netz ihm gibt; so wird jeder Text ein anderer.</translation>
    </message>
    <message>
        <source>Tokens at most:</source>
        <translation>Höchstens so viele Token:</translation>
    </message>
    <message>
        <source>Temperature:</source>
        <translation>Temperatur:</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) added.</source>
        <translation>
            <numerusform>%n Token hinzugefügt.</numerusform>
            <numerusform>%n Token hinzugefügt.</numerusform>
        </translation>
    </message>
    <message>
        <source>The network goes on with it …</source>
        <translation>Das Netz setzt ihn fort …</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>hearth::WeightsCard</name>
    <message>
        <source>Begins with trained weights</source>
        <translation>Beginnt mit trainierten Gewichten</translation>
    </message>
    <message>
        <source>Its last weights</source>
        <translation>Seine letzten Gewichte</translation>
    </message>
    <message>
        <source>Its best weights</source>
        <translation>Seine besten Gewichte</translation>
    </message>
    <message>
        <source>Only those that fit</source>
        <translation>Nur passende</translation>
    </message>
    <message>
        <source>By name and shape; the others are initialised from the seed. The run tells which.</source>
        <translation>Nach Name und Form; die anderen werden mit dem Startwert initialisiert. Der Lauf sagt, welche.</translation>
    </message>
    <message>
        <source>Rounds, passes and the learning-rate schedule start again. The job&apos;s file does not hold this choice.</source>
        <translation>Runden, Durchgänge und der Plan der Lernrate beginnen von vorn. In der Datei des Auftrags steht diese Wahl nicht.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove these weights</source>
        <translation>Diese Gewichte entfernen</translation>
    </message>
    <message>
        <source>Training starts from the weights of the run %1.</source>
        <translation>Das Training beginnt mit den Gewichten des Laufs %1.</translation>
    </message>
    <message>
        <source>The weights that training is to begin with are not there.</source>
        <translation>Die Gewichte, mit denen das Training beginnen soll, sind nicht da.</translation>
    </message>
    <message>
        <source>%1 is gone.</source>
        <translation>%1 ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Remove these weights on the Job page, or choose a run in History again.</source>
        <translation>Entfernen Sie diese Gewichte auf der Seite „Auftrag“, oder wählen Sie im Verlauf erneut einen Lauf.</translation>
    </message>
    <message>
        <source>The run has none.</source>
        <translation>Der Lauf hat keine.</translation>
    </message>
    <message>
        <source>After round %1</source>
        <translation>Nach Runde %1</translation>
    </message>
</context>
<context>
    <name>hearth::WholeJobLines</name>
    <message>
        <source>Whole job</source>
        <translation>Ganzer Auftrag</translation>
    </message>
    <message>
        <source>Without measuring before the first round, copies for recovery, and losses of devices</source>
        <translation>Ohne Messungen vor der ersten Runde, Kopien für die Wiederherstellung und Ausfälle von Geräten</translation>
    </message>
</context>
<context>
    <name>hearth::WindowHomes</name>
    <message>
        <source>Looking for the agent of this computer …</source>
        <translation>Der Agent dieses Rechners wird gesucht …</translation>
    </message>
    <message numerus="yes">
        <source>Starting %n device(s) inside this computer …</source>
        <translation>
            <numerusform>%n Gerät wird in diesem Rechner gestartet …</numerusform>
            <numerusform>%n Geräte werden in diesem Rechner gestartet …</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent of this computer was stopped.</source>
        <translation>Der Agent dieses Rechners wurde beendet.</translation>
    </message>
    <message>
        <source>Open the window again to let this computer take part.</source>
        <translation>Öffnen Sie das Fenster wieder, damit dieser Rechner mitmacht.</translation>
    </message>
    <message>
        <source>The agent of this computer has ended. Starting it again …</source>
        <translation>Der Agent dieses Rechners ist ausgefallen. Er wird wieder gestartet …</translation>
    </message>
    <message>
        <source>Restarting the agent of this computer …</source>
        <translation>Der Agent dieses Rechners wird neu gestartet …</translation>
    </message>
</context>
<context>
    <name>hearth::WindowShell</name>
    <message>
        <source>The support bundle is in %1.</source>
        <translation>Das Support-Paket ist in %1.</translation>
    </message>
    <message>
        <source>Hearth stays beside the clock</source>
        <translation>Hearth bleibt neben der Uhr</translation>
    </message>
    <message>
        <source>Its icon shows the window again, pauses training on this computer or closes Hearth.</source>
        <translation>Das Symbol zeigt das Fenster wieder, pausiert das Training auf diesem Rechner oder schließt Hearth.</translation>
    </message>
</context>
</TS>
