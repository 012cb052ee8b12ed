import { inject, injectable } from '../../../ports/inject';
import type { Actor, Reader } from '../../../../domain/access/actor';
import { maySeeRecord, seesSomeRecords } from '../../../../domain/access/key-permissions';
import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { VersionNotFound } from '../../../../domain/dns/dns-errors';
import { DomainNotFound } from '../../../../domain/shared/domain-errors';
import { requireName } from '../../../access/require-domain';
import { HostedNameReader } from '../../../ports/dns/hosted-names';
import { ZoneHistory, type LastChange, type ZoneVersions } from '../../../ports/dns/zone-queries';
import type { RecordTouched, ZonePast, ZoneVersion } from '../../../ports/dns/zone-repository';
import { readInTurn } from '../../../shared/pages-of';
import { waitForNextSlice } from '../../../shared/run-cooperatively';
import { recordsAtVersion } from './records-at-version';

/** A zone at an earlier version, and the change that led to it. */
export interface FormerZone extends ZoneVersion {
  readonly records: readonly DnsRecordState[];
  readonly changes: readonly RecordTouched[];
}

interface VersionQuery {
  readonly limit: number;
  /** Only versions below. */
  readonly before?: number | undefined;
  /** Only versions that changed this record, with the counts of its changes. */
  readonly recordId?: string | undefined;
}

/** Newest first. */
export interface VersionPage {
  readonly versions: readonly ZoneVersion[];
  /** The next page is below this version; undefined if there is none. */
  readonly next: number | undefined;
}

/** For a record, and for a key that may see some records: a page can then have fewer versions than were asked for, and another page after it. */
const MAX_VERSIONS_READ = 500;
const READ_AT_ONCE = 50;

/**
 * The earlier versions of a domain's zone. For a key that may see some records, versions count and show the changes of those, and
 * the list leaves out versions that changed only others.
 */
@injectable()
export class ReadZoneHistory {
  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(ZoneHistory) private readonly history: ZoneHistory,
  ) {}

  /** Newest first. @throws DomainNotFound, LimitedKey */
  async page(requester: Reader, domainId: string, { limit, before, recordId }: VersionQuery): Promise<VersionPage> {
    await this.assertVisible(requester, domainId);
    const { accountId, actor } = requester;
    if (recordId === undefined && !seesSomeRecords(actor))
      return pageOf(await this.history.page(domainId, limit + 1, before), limit);
    const visible: ZoneVersion[] = [];
    let below = before ?? (await this.afterLastChange(domainId, recordId));
    for (let read = 0; read < MAX_VERSIONS_READ; read += READ_AT_ONCE) {
      const versions = await this.history.page(domainId, READ_AT_ONCE, below);
      below = versions.at(-1)?.version;
      visible.push(...(await this.visibleAmong(versions, { accountId, actor, domainId, recordId })));
      if (visible.length > limit || versions.length < READ_AT_ONCE) return pageOf(visible, limit);
    }
    return { versions: visible, next: below };
  }

  /** The changes of small versions, by version, as far as the requester may see them. @throws DomainNotFound, LimitedKey */
  async smallChanges(
    requester: Reader,
    domainId: string,
    versions: readonly ZoneVersion[],
  ): Promise<ReadonlyMap<number, readonly RecordTouched[]>> {
    await this.assertVisible(requester, domainId);
    const changes = await this.history.smallChanges(
      domainId,
      versions.map(({ version }) => version),
    );
    return new Map([...changes].map(([version, made]) => [version, visibleChanges(requester.actor, made)]));
  }

  /** @throws DomainNotFound, LimitedKey, VersionNotFound */
  async version(requester: Reader, domainId: string, version: number): Promise<FormerZone> {
    await this.assertVisible(requester, domainId);
    const { accountId, actor } = requester;
    const read = async (past: ZonePast & ZoneVersions) => {
      const records = await recordsAtVersion(past, version);
      const made = await past.find(version);
      if (!made) throw new VersionNotFound({ oldest: past.oldestVersion, newest: past.version });
      const all = await past.changesOf(version);
      if (!seesSomeRecords(actor)) return { ...made, records, changes: all };
      const changes = visibleChanges(actor, all);
      const visible = records.filter((record) => maySeeRecord(actor, record));
      return { ...made, ...countsOf(changes), records: visible, changes };
    };
    const zone = await readInTurn(accountId, () => this.history.withPast({ accountId, domainId }, read));
    if (!zone) throw new DomainNotFound();
    return zone;
  }

  /** With the counts of the changes that the key may see. */
  private async visibleAmong(
    versions: readonly ZoneVersion[],
    {
      accountId,
      actor,
      domainId,
      recordId,
    }: Reader & { readonly domainId: string; readonly recordId: string | undefined },
  ): Promise<readonly ZoneVersion[]> {
    const read = async (past: ZonePast & ZoneVersions) => {
      const seen: ZoneVersion[] = [];
      for (const version of versions) {
        await waitForNextSlice(accountId);
        const touched = await past.changesOf(version.version);
        const changes = visibleChanges(
          actor,
          touched.filter(({ before, after }) => isOf(recordId, before ?? after)),
        );
        if (changes.length > 0) seen.push({ ...version, ...countsOf(changes) });
      }
      return seen;
    };
    return (await readInTurn(accountId, () => this.history.withPast({ accountId, domainId }, read))) ?? [];
  }

  /** The versions from there on did not change the record. Undefined if that is not known. */
  private async afterLastChange(domainId: string, recordId: string | undefined): Promise<number | undefined> {
    if (recordId === undefined) return undefined;
    const last = (await this.history.lastChanges(domainId, [recordId])).get(recordId);
    return last && last.version + 1;
  }

  /** By record id. @throws DomainNotFound, LimitedKey */
  async lastChanges(
    requester: Reader,
    domainId: string,
    records: readonly DnsRecordState[],
  ): Promise<ReadonlyMap<string, LastChange>> {
    await this.assertVisible(requester, domainId);
    const visible = records.filter((record) => maySeeRecord(requester.actor, record));
    return this.history.lastChanges(
      domainId,
      visible.map(({ id }) => id),
    );
  }

  private async assertVisible({ accountId, actor }: Reader, domainId: string): Promise<void> {
    requireName(await this.names.find(accountId, domainId), { actor }, 'read');
  }
}

function isOf(recordId: string | undefined, record: DnsRecordState | null): boolean {
  return recordId === undefined || record?.id === recordId;
}

function pageOf(versions: readonly ZoneVersion[], limit: number): VersionPage {
  const page = versions.slice(0, limit);
  return { versions: page, next: versions.length > limit ? page.at(-1)?.version : undefined };
}

/** A record that was renamed is added or removed for a key that may see one of its names. */
function visibleChanges(actor: Actor, changes: readonly RecordTouched[]): readonly RecordTouched[] {
  const visible = (record: DnsRecordState | null) => (record && maySeeRecord(actor, record) ? record : null);
  return changes
    .map(({ before, after }) => ({ before: visible(before), after: visible(after) }))
    .filter(({ before, after }) => before !== null || after !== null);
}

function countsOf(changes: readonly RecordTouched[]): Pick<ZoneVersion, 'added' | 'changed' | 'removed'> {
  const added = changes.filter(({ before }) => before === null).length;
  const removed = changes.filter(({ after }) => after === null).length;
  return { added, removed, changed: changes.length - added - removed };
}
