import { inject, injectable } from '../../../ports/inject';
import { assertRecordsAllowed } from '../../../../domain/access/key-permissions';
import type { Requester } from '../../../../domain/access/actor';
import { isApexNs } from '../../../../domain/dns/delegation/apex-ns';
import { recordWarnings } from '../../../../domain/dns/records/record-warnings';
import type { DnsRecord } from '../../../../domain/dns/records/dns-record';
import { includesType, withUpdateTypes } from '../../../../domain/dns/records/types/record-types';
import { isKeptForZone } from '../../../../domain/dns/delegation/sub-zone';
import { MAX_NOTES, type LineNote, type ZoneFileReading } from '../../../../domain/dns/zone-file/read-zone-file';
import { isOfOtherProvider } from '../../../../domain/dns/zone-warnings';
import { Clock } from '../../../ports/system';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import { runCooperatively, type CooperativeTask } from '../../../shared/run-cooperatively';
import type { TransactionHook } from '../../../ports/storage/unit-of-work';
import type { ZonePlan } from '../zone-plan';
import { withoutProviderRecords } from '../provider-records';
import { apartFromKept, replacement } from '../zone-replacement';
import type { CurrentZone } from '../zone-loader';
import type { Decide, ZoneDecision, ZoneRequest } from '../zone-request';
import { NameserverSettings } from '../../dns-settings';
import { ZoneTextReader, type ReadZoneText } from './zone-text-reader';
import { ZoneWriter } from '../zone-writer';
import type { Written } from '../zone-request';

export const IMPORT_MODES = ['replace', 'add'] as const;
/** `replace`: the zone consists of the file afterwards. `add`: the records that it has stay, and those of the file are added. */
export type ImportMode = (typeof IMPORT_MODES)[number];

const MAX_WARNINGS = 100;

interface PlannedImport {
  readonly change: ZoneChange;
  /** What cannot stand beside the delegations to zones below. */
  readonly leftOut: readonly DnsRecord[];
}

export interface ImportZoneFileCommand extends ZoneRequest {
  /** In pieces of any length, read once. */
  readonly text: string | Iterable<string>;
  /** Default: `replace`. */
  readonly mode?: ImportMode;
  /** Nameservers at the registry, if the stored delegation may be older: NS records of these hosts at the apex are not imported. */
  readonly delegatedTo?: readonly string[];
  /**
   * Import what belongs to another DNS provider, too: NS records at the apex for hosts of others, and the keys of its signer.
   * By default they are left out, unless the zone has them already.
   */
  readonly withProviderRecords?: boolean;
}

export interface ImportedZone {
  readonly change: ZoneChange;
  /** What of the file was left out or adapted: the first thousand lines of that. */
  readonly notes: readonly LineNote[];
  /** What is probably not as it was meant: the first hundred. */
  readonly warnings: readonly string[];
  readonly skippedTypes: ZoneFileReading['skippedTypes'];
}

/**
 * Imports a zone file: all or nothing, in one version, and only what differs is changed.
 * @throws what `ZoneWriter` throws, ItemsRejected naming every faulty line
 */
@injectable()
export class ImportZoneFile {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(ZoneTextReader) private readonly reader: ZoneTextReader,
    @inject(Clock) private readonly clock: Clock,
    @inject(NameserverSettings) private readonly settings: NameserverSettings,
  ) {}

  async execute(
    command: ImportZoneFileCommand,
    hook?: TransactionHook<Written<ImportedZone>>,
  ): Promise<Written<ImportedZone>> {
    return this.zones.writeWhole(command, () => this.planImport(command), hook);
  }

  async plan(command: ImportZoneFileCommand): Promise<ZonePlan<ImportedZone>> {
    const plan = await this.zones.planWhole(command, () => this.planImport(command));
    return { ...plan, warnings: [...new Set([...plan.result.warnings, ...plan.warnings])] };
  }

  /** For a zone that is created with the records of the file. @throws as `execute` */
  async decideNew(
    zoneName: string,
    command: Requester & Pick<ImportZoneFileCommand, 'text'>,
  ): Promise<Decide<ImportedZone>> {
    const { text, ...requester } = command;
    const read = await this.reader.readFor(zoneName, { requester, text, isWholeZone: true });
    return this.decideBy(read, { actor: requester.actor, mode: 'add' });
  }

  private async planImport(command: ImportZoneFileCommand): Promise<Decide<ImportedZone>> {
    const { domainId, text, mode = 'replace' } = command;
    const read = await this.reader.read({ requester: command, domainId, text, isWholeZone: mode === 'replace' });
    return this.decideBy(read, { ...command, mode });
  }

  private decideBy(
    read: ReadZoneText,
    command: Pick<ImportZoneFileCommand, 'actor' | 'mode' | 'delegatedTo' | 'withProviderRecords'>,
  ): Decide<ImportedZone> {
    const { mode, delegatedTo = [] } = command;
    return async (zone) => {
      if (mode === 'add') assertRecordsAllowed(command.actor, read.records);
      const { accountId, types, past, recordsAt } = zone;
      const current = { accountId, types, past, recordsAt, delegation: [...zone.delegation, ...delegatedTo] };
      const whole = withWholeDelegation(read, current.delegation);
      const wanted = command.withProviderRecords
        ? whole
        : await withoutProviderRecords(current, whole, this.settings.defaultNameservers);
      const { change, leftOut } = await (mode === 'add'
        ? this.planAddition(current, wanted)
        : this.planReplacement(current, wanted));
      const notes = [...wanted.notes, ...leftOut.map((record) => noteOnKept(record, wanted))].slice(0, MAX_NOTES);
      return decisionOn(
        change,
        { ...wanted, notes },
        await runCooperatively(gatherWarnings(change, zone.zoneName), zone.accountId),
      );
    };
  }

  private async planReplacement(
    { accountId, delegation, past, types: served }: Pick<CurrentZone, 'accountId' | 'delegation' | 'past' | 'types'>,
    { records }: ReadZoneText,
  ): Promise<PlannedImport> {
    const types = withUpdateTypes(served);
    // Records of types that are switched off stay as they are.
    const present = (await (await past()).records()).filter(({ type }) => includesType(types, type));
    const { current, wanted, leftOut } = await runCooperatively(apartFromKept(present, records), accountId);
    const replacing = replacement(current, wanted.map(withoutMark), delegation, this.clock.now());
    return { change: await runCooperatively(replacing, accountId), leftOut };
  }

  /** A record that the zone has with another TTL stays, and so does the delegation. */
  private async planAddition(
    { accountId, delegation, recordsAt }: Pick<CurrentZone, 'accountId' | 'delegation' | 'recordsAt'>,
    { records }: ReadZoneText,
  ): Promise<PlannedImport> {
    const present = await recordsAt([...new Set(records.map(({ name }) => name))]);
    const others = records.filter((record) => !isApexNs(record) || isOfOtherProvider(record, delegation));
    const wanted = (await runCooperatively(newAmong(others, present), accountId)).map(withoutMark);
    const change = await runCooperatively(replacement([], wanted, delegation, this.clock.now()), accountId);
    return { change, leftOut: [] };
  }
}

/** The zone that the service kept the record for may be another one, or none. */
function withoutMark(record: DnsRecord): DnsRecord {
  const state = record.toState();
  return isKeptForZone(state) ? record.annotated({ comment: state.comment, managedBy: null }) : record;
}

function noteOnKept(record: DnsRecord, { lineOf }: ReadZoneText): LineNote {
  const note = `skipped: ${record.type} at ${record.name}, because the service keeps the delegation to the zone below`;
  return { line: lineOf.get(record.identity()) ?? 1, note };
}

/** What a file with some of the delegation's NS records says of their TTL does not count. */
function withWholeDelegation(read: ReadZoneText, delegation: readonly string[]): ReadZoneText {
  const hosts = new Set(read.records.filter(isApexNs).map((record) => record.toState().content));
  if (delegation.every((host) => hosts.has(host))) return read;
  return {
    ...read,
    records: read.records.filter((record) => !isApexNs(record) || isOfOtherProvider(record, delegation)),
  };
}

/** The identity of a long record takes a tenth of a millisecond. */
function* newAmong(records: readonly DnsRecord[], present: readonly DnsRecord[]): CooperativeTask<DnsRecord[]> {
  const known = new Set<string>();
  for (const record of present) {
    known.add(record.identity());
    yield;
  }
  const wanted: DnsRecord[] = [];
  for (const record of records) {
    if (!known.has(record.identity())) wanted.push(record);
    yield;
  }
  return wanted;
}

function* gatherWarnings({ added, changed }: ZoneChange, zoneName: string): CooperativeTask<readonly string[]> {
  const warnings: string[] = [];
  for (const record of [...added, ...changed.map(({ after }) => after)]) {
    yield;
    if (warnings.length < MAX_WARNINGS) warnings.push(...recordWarnings(record, zoneName));
  }
  return warnings;
}

/** The decision to make a change that a text asks for. Errors name the text's lines. */
export function decisionOn(
  change: ZoneChange,
  { lineOf, notes, warnings, skippedTypes }: ReadZoneText,
  ofRecords: readonly string[] = [],
): ZoneDecision<ImportedZone> {
  const written = new Map(
    [...change.added, ...change.changed.map(({ after }) => after)].map((each) => [each.id, each]),
  );
  const placeOf = (recordId: string) => {
    const line = lineOf.get(written.get(recordId)?.identity() ?? '');
    return line === undefined ? undefined : `line ${line}`;
  };
  return {
    change,
    placeOf,
    result: { change, notes, skippedTypes, warnings: [...warnings, ...ofRecords].slice(0, MAX_WARNINGS) },
  };
}
