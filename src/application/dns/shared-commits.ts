import { inject, injectable } from 'inversify';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { ZoneCommit, type Committed, type ZoneWriting } from './zone-commit';

interface Waiting {
  readonly writing: ZoneWriting<unknown>;
  readonly since: number;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_SIZE = 64;
/** As for a connection to the database: whoever has waited for so long is told so, and may come again. */
const WAIT_WITHIN_MS = 5_000;

/**
 * Commits small changes of different zones that arrive at the same time in one transaction: what costs is the transaction
 * and its place on the disk, and they share it. The first does not wait for company. Changes of one zone are made one after the
 * other, in the order of arrival.
 */
@injectable()
export class SharedCommits {
  private waiting: Waiting[] = [];
  /** Ids of the domains whose zones are being written. */
  private readonly inHand = new Set<string>();
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
      // Whoever waits for a zone that another process has in hand keeps nobody else waiting.
      for (const each of await this.together(group)) void this.alone(each);
    }
    this.isAtWork = false;
  }

  /** Whose zones nobody has in hand, one of each zone. */
  private nextGroup(): readonly Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const each of this.waiting) {
      const { domainId } = each.writing.request;
      if (performance.now() - each.since > WAIT_WITHIN_MS) {
        each.reject(new StorageUnavailable());
      } else if (group.length < GROUP_SIZE && !this.inHand.has(domainId)) {
        this.inHand.add(domainId);
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
      return group.filter((each, index) => {
        const outcome = outcomes[index];
        if (outcome?.kind === 'committed') this.settle(each, () => each.resolve(outcome.committed));
        else if (outcome?.kind === 'refused') this.settle(each, () => each.reject(outcome.error));
        return outcome === undefined || outcome.kind === 'busy';
      });
    } catch (error) {
      // Whether it was committed may be unknown; to write it again could be once too often.
      if (!(error instanceof StorageUnavailable)) return group;
      for (const each of group) this.settle(each, () => each.reject(error));
      return [];
    }
  }

  private async alone(each: Waiting): Promise<void> {
    try {
      const committed = await this.commit.alone(each.writing);
      this.settle(each, () => each.resolve(committed));
    } catch (error) {
      this.settle(each, () => each.reject(error));
    }
    if (!this.isAtWork) void this.work();
  }

  private settle({ writing }: Waiting, tell: () => void): void {
    this.inHand.delete(writing.request.domainId);
    tell();
  }
}
