import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { maySeeRecord } from '../../domain/access/key-permissions';
import { DnsRecord } from '../../domain/dns/records/dns-record';
import type { DomainState } from '../../domain/registration/domain';
import { ZoneHistory } from '../ports/dns/zone-queries';
import type { RecordTouched } from '../ports/dns/zone-repository';

const MAX_LISTED = 20;

/** Tells in words what has changed in a zone since a version. */
@injectable()
export class ZoneChangesSince {
  constructor(@inject(ZoneHistory) private readonly history: Pick<ZoneHistory, 'withPast'>) {}

  async describe({ accountId, actor }: Reader, { id: domainId }: DomainState, version: number): Promise<string> {
    const told = await this.history.withPast({ accountId, domainId }, async (past) => {
      if (version > past.version) return `The zone is at version ${past.version}, not ${version}`;
      if (version < past.oldestVersion) return `The zone is at version ${past.version}`;
      const lines: string[] = [];
      for await (const piece of past.changesAfter(version)) {
        const visible = piece.filter(({ before, after }) => maySeeRecord(actor, (after ?? before) as DnsRecordKey));
        lines.push(...visible.slice(0, MAX_LISTED + 1 - lines.length).map(lineOf));
        if (lines.length > MAX_LISTED) break;
      }
      const more = lines.length > MAX_LISTED ? ' and more' : '';
      const changes = lines.length === 0 ? '' : `: ${lines.slice(0, MAX_LISTED).join(', ')}${more}`;
      return `The zone went from version ${version} to ${past.version}${changes}`;
    });
    return told ?? 'The zone has been deleted';
  }
}

type DnsRecordKey = { readonly name: string; readonly type: string };

function lineOf({ before, after }: RecordTouched): string {
  const shown = after ?? before;
  if (!shown) return '';
  const what = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return `${what} ${shown.name} ${shown.type} ${DnsRecord.fromState(shown).rdata().slice(0, 100)}`;
}
