import { ChangeChallenge } from '../../../src/application/dns/dynamic/change-challenge';
import { FindZones } from '../../../src/application/dns/dynamic/find-zones';
import { ProgramWriter } from '../../../src/application/dns/dynamic/program-writer';
import { UpdateHosts } from '../../../src/application/dns/dynamic/update-hosts';
import { AddRecord } from '../../../src/application/dns/records/add-record';
import { ChangeRecord } from '../../../src/application/dns/records/change-record';
import { EditRecords } from '../../../src/application/dns/records/edit-records';
import { ExportZoneFile } from '../../../src/application/dns/zones/zone-files/export-zone-file';
import { ImportZoneFile } from '../../../src/application/dns/zones/zone-files/import-zone-file';
import { ListRecords } from '../../../src/application/dns/records/list-records';
import { PublicationWait } from '../../../src/application/dns/publishing/publication-wait';
import { ReadPublication } from '../../../src/application/dns/publishing/read-publication';
import { ReadZoneHistory } from '../../../src/application/dns/zones/history/read-zone-history';
import { RemoveRecord } from '../../../src/application/dns/records/remove-record';
import { RollBackZone } from '../../../src/application/dns/zones/history/roll-back-zone';
import { UpdateReports } from '../../../src/application/dns/records/update-reports';
import { UpdateZone } from '../../../src/application/dns/records/update-zone';
import { ZoneTextReader } from '../../../src/application/dns/zones/zone-files/zone-text-reader';
import { ApplyTemplate } from '../../../src/application/dns/templates/apply-template';
import { TemplateLibrary } from '../../../src/application/dns/templates/template-library';
import { PtrWritings } from '../../../src/application/dns/zones/ptr-writings';
import { ZoneCommit } from '../../../src/application/dns/zones/zone-commit';
import { WriteChanges } from '../../../src/application/dns/zones/write-changes';
import { ZoneWriter, SharedCommits } from '../../../src/application/dns/zones/zone-writer';
import type { AuthoritySettings } from '../../../src/application/dns/dns-settings';
import { DEFAULT_ZONE_LIMITS, type ZoneLimits } from '../../../src/domain/dns/zone-rules';
import { GlueUpdates } from '../../../src/application/publishing/glue-updates';
import { ScriptedSigner } from '../fakes/scripted-signer';
import type { UseCaseContext } from './use-case-context';

/** This service's nameservers; `aDomain()` is delegated to them. */
const OUR_NAMESERVERS = ['ns1.example.net', 'ns2.example.net'];

export interface DnsUseCases {
  readonly addRecord: AddRecord;
  readonly changeRecord: ChangeRecord;
  readonly removeRecord: RemoveRecord;
  readonly listRecords: ListRecords;
  readonly editRecords: EditRecords;
  readonly restoreVersion: RollBackZone;
  readonly readZoneHistory: ReadZoneHistory;
  readonly importZoneFile: ImportZoneFile;
  readonly applyTemplate: ApplyTemplate;
  readonly exportZoneFile: ExportZoneFile;
  readonly readPublication: ReadPublication;
  readonly updateZone: UpdateZone;
  readonly changeChallenge: ChangeChallenge;
  readonly updateHosts: UpdateHosts;
  readonly zoneWriter: ZoneWriter;
  readonly zoneCommit: ZoneCommit;
}

/** Longer than any test waits; tests without publication set a shorter limit. */
const PUBLICATION_WAIT_MS = 60_000;

const AUTHORITY: AuthoritySettings = {
  primaryName: undefined,
  contact: undefined,
  timers: { refresh: 3600, retry: 600, expire: 604_800, negative: 300 },
};

export function dnsUseCases(
  { storage, clock, lifecycleClock, ids, publisher, quotas, log, tlds }: UseCaseContext,
  limits: ZoneLimits = DEFAULT_ZONE_LIMITS,
  publicationWaitMs = PUBLICATION_WAIT_MS,
): DnsUseCases {
  const glue = new GlueUpdates(tlds, ids, clock, lifecycleClock);
  const commit = new ZoneCommit(
    storage,
    storage.zones,
    storage.hostedNames,
    limits,
    new ScriptedSigner(),
    glue,
    new PtrWritings(ids, clock),
    new WriteChanges(clock, glue),
  );
  const publication = new PublicationWait(publisher, publicationWaitMs);
  const zones = new ZoneWriter(commit, new SharedCommits(commit), publisher, publication, quotas);
  const texts = new ZoneTextReader(storage.hostedNames, storage.records, ids, clock, limits);
  const findZones = new FindZones(storage.hostedNames);
  const reports = new UpdateReports(storage, clock, log);
  const programs = new ProgramWriter(zones, publication, reports);
  return {
    addRecord: new AddRecord(zones, ids, clock),
    changeRecord: new ChangeRecord(zones, clock),
    removeRecord: new RemoveRecord(zones),
    listRecords: new ListRecords(storage.records, storage.aliases),
    editRecords: new EditRecords(zones, ids, clock),
    restoreVersion: new RollBackZone(zones, clock, ids),
    readZoneHistory: new ReadZoneHistory(storage.hostedNames, storage.zoneHistory),
    importZoneFile: new ImportZoneFile(zones, texts, clock, { defaultNameservers: OUR_NAMESERVERS }),
    applyTemplate: new ApplyTemplate(zones, texts, new TemplateLibrary(storage.templates), clock),
    exportZoneFile: new ExportZoneFile(storage.hostedNames, storage.zoneHistory, AUTHORITY),
    readPublication: new ReadPublication(storage.hostedNames, storage.records, storage.aliases, publisher, {
      defaultNameservers: OUR_NAMESERVERS,
    }),
    updateZone: new UpdateZone(zones, storage.publishedZones, publication, ids, clock, reports),
    changeChallenge: new ChangeChallenge(findZones, programs, ids, clock),
    updateHosts: new UpdateHosts(findZones, programs, ids, clock),
    zoneWriter: zones,
    zoneCommit: commit,
  };
}
