import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertRecordsAllowed } from '../../../domain/access/key-permissions';
import { DnsRecord, MIN_TTL } from '../../../domain/dns/records/dns-record';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { Clock, IdGenerator } from '../../ports/system';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { FindZones } from './find-zones';
import { ProgramWriter } from './program-writer';

interface ChangeChallengeCommand extends Requester {
  /** Full owner name: lower-case ASCII without trailing dot. */
  readonly name: string;
  /** The value of the challenge's TXT record (RFC 8555, section 8.4). */
  readonly value: string;
}

/** What to do with the TXT record of a challenge, given the TXT records at its name, oldest first. */
type Change = (present: readonly DnsRecord[], record: DnsRecord) => ZoneChange;

const UNCHANGED: ZoneChange = { added: [], changed: [], removed: [] };
/** For a domain and its wildcard, which share a name (RFC 8555, section 8.4). */
const KEPT_VALUES = 2;

/**
 * Changes the TXT record of an ACME challenge. Each repeats without effect.
 * @throws DomainNotFound, the errors of `ProgramWriter`
 */
@injectable()
export class ChangeChallenge {
  constructor(
    @inject(FindZones) private readonly zones: FindZones,
    @inject(ProgramWriter) private readonly writer: ProgramWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Adds the value beside the others of the name. */
  async add(command: ChangeChallengeCommand): Promise<void> {
    await this.change(command, (present, record) =>
      find(present, record) ? UNCHANGED : { ...UNCHANGED, added: [record] },
    );
  }

  async remove(command: ChangeChallengeCommand): Promise<void> {
    await this.change(command, (present, record) => {
      const stored = find(present, record);
      return stored ? { ...UNCHANGED, removed: [stored] } : UNCHANGED;
    });
  }

  /** Adds the value and keeps the latest other value of the name. */
  async addLatest(command: ChangeChallengeCommand): Promise<void> {
    await this.change(command, (present, record) => {
      const stored = find(present, record);
      const others = present.filter((other) => other !== stored);
      const removed = others.slice(0, Math.max(0, others.length - KEPT_VALUES + 1));
      if (!stored) return { added: [record], changed: [], removed };
      const after = DnsRecord.fromState({ ...stored.toState(), updatedAt: record.toState().updatedAt });
      return { added: [], changed: [{ before: stored, after }], removed };
    });
  }

  private async change({ name, value, ...requester }: ChangeChallengeCommand, change: Change): Promise<void> {
    const place = (await this.zones.execute(requester, [name])).get(name);
    if (!place) throw new DomainNotFound();
    const { domainId, zoneName } = place;
    const draft = { type: 'TXT', name: place.name, content: value, ttl: MIN_TTL };
    const id = this.ids.next('rec');
    await this.writer.write({ ...requester, domainId, zoneName }, async (zone) => {
      assertRecordsAllowed(requester.actor, [draft]);
      const present = (await zone.recordsAt([place.name])).filter(({ type }) => type === 'TXT').toSorted(byAge);
      const record = DnsRecord.create(draft, zoneName, id, laterThan(present.at(-1), this.clock.now()));
      return { change: change(present, record), result: undefined };
    });
  }
}

function find(present: readonly DnsRecord[], record: DnsRecord): DnsRecord | undefined {
  return present.find((other) => other.identity() === record.identity());
}

function byAge(one: DnsRecord, other: DnsRecord): number {
  return one.toState().updatedAt.getTime() - other.toState().updatedAt.getTime();
}

/** Two updates within a millisecond keep their order. */
function laterThan(latest: DnsRecord | undefined, now: Date): Date {
  return new Date(Math.max(now.getTime(), (latest?.toState().updatedAt.getTime() ?? 0) + 1));
}
