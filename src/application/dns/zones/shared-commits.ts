import { inject, injectable } from 'inversify';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { ZoneCommit, type Committed, type ZoneWriting } from './zone-commit';

interface Waiting {
  readonly writing: ZoneWriting<unknown>;
  readonly since: number;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_SIZE = 64;
/** Those of one zone take a round of statements each, for which the other zones wait. */
const OF_ONE_ZONE = 8;
/** As for a connection to the database: whoever has waited for so long is told so, and may come again. */
const WAIT_WITHIN_MS = 5_000;

/**
 * Commits small changes that arrive while another is being written in one transaction: what costs is the transaction and
 * its place on the disk, and they share it. The first does not wait for company. Those of one zone are made one after the
 * other, in the order of arrival: docs/decisions/0009.
 */
@injectable()
export class SharedCommits {
  private waiting: Waiting[] = [];
  /** Ids of the domains whose zones are waited for alone. */
  private readonly alone = new Set<string>();
  private isAtWork = false;

  constructor(@inject(ZoneCommit) private readonly commit: ZoneCommit) {}

  /** @throws as `ZoneCommit.alone`, StorageUnavailable */
  write<T>(writing: ZoneWriting<T>): Promise<Committed<T>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ writing, since: performance.now(), resolve: resolve as Waiting['resolve'], reject });
      if (!this.isAtWork) void this.work();
    });
  }

  /** One group at a time: while it is at the database, the next gathers. */
  private async work(): Promise<void> {
    this.isAtWork = true;
    for (let group = this.nextGroup(); group.length > 0; group = this.nextGroup()) {
      // Whoever waits for a zone that another process has in hand keeps no other zone waiting.
      for (const [domainId, each] of byZone(await this.together(group))) void this.eachAlone(domainId, each);
    }
    this.isAtWork = false;
  }

  private nextGroup(): readonly Waiting[] {
    const counts = new Map<string, number>();
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const each of this.waiting) {
      const { domainId } = each.writing.request;
      const count = counts.get(domainId) ?? 0;
      if (isTooLate(each)) each.reject(new StorageUnavailable());
      else if (group.length < GROUP_SIZE && count < OF_ONE_ZONE && !this.alone.has(domainId)) {
        counts.set(domainId, count + 1);
        group.push(each);
      } else {
        left.push(each);
      }
    }
    this.waiting = left;
    return group;
  }

  /** Answers those that are to be tried alone. */
  private async together(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      const outcomes = await this.commit.together(group.map(({ writing }) => writing));
      return group.filter(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome?.kind === 'committed') resolve(outcome.committed);
        else if (outcome?.kind === 'refused') reject(outcome.error);
        return outcome === undefined || outcome.kind === 'busy';
      });
    } catch (error) {
      // Whether it was committed may be unknown; to write it again could be once too often.
      if (!(error instanceof StorageUnavailable)) return group;
      for (const { reject } of group) reject(error);
      return [];
    }
  }

  private async eachAlone(domainId: string, group: readonly Waiting[]): Promise<void> {
    this.alone.add(domainId);
    for (const each of group) {
      if (isTooLate(each)) each.reject(new StorageUnavailable());
      else await this.commit.alone(each.writing).then(each.resolve, each.reject);
    }
    this.alone.delete(domainId);
    if (!this.isAtWork) void this.work();
  }
}

function isTooLate({ since }: Waiting): boolean {
  return performance.now() - since > WAIT_WITHIN_MS;
}

function byZone(group: readonly Waiting[]): ReadonlyMap<string, readonly Waiting[]> {
  const zones = new Map<string, Waiting[]>();
  for (const each of group) {
    const { domainId } = each.writing.request;
    zones.set(domainId, [...(zones.get(domainId) ?? []), each]);
  }
  return zones;
}
