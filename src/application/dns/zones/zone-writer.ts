import { inject, injectable } from 'inversify';
import { ZonePublisher } from '../../ports/dns/zone-publisher';
import { DailyCeilings } from '../../ceilings/daily-ceilings';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { PublicationWait } from '../publishing/publication-wait';
import { SharedCommits } from './shared-commits';
import { ZoneCommit } from './zone-commit';
import type { Committed, ZoneWriting } from './zone-draft';
import type { ZonePlan } from './zone-plan';
import type { Decide, ZoneRequest } from './zone-request';

export interface Written<T> {
  readonly result: T;
  /** The zone's version with this change. */
  readonly zoneVersion: number;
  /** Whether every secondary serves it; undefined unless the request waits for that. */
  readonly published?: boolean;
}

/** The one way to change a zone: one writer at a time, the zone's rules are checked, and its version rises by one. */
@injectable()
export class ZoneWriter {
  constructor(
    @inject(ZoneCommit) private readonly commit: ZoneCommit,
    @inject(SharedCommits) private readonly sharedCommits: SharedCommits,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(PublicationWait) private readonly publication: PublicationWait,
    @inject(DailyCeilings) private readonly ceilings: DailyCeilings,
  ) {}

  /**
   * Changes many records in its own transaction. A decision that changes nothing leaves the version as it is and notifies no
   * secondary. If the request waits for publication, `hook` sees the change as not published yet.
   * @throws DomainNotFound, DomainStatusConflict, ZoneVersionMismatch, RecordConflict, LimitExceeded, ItemsRejected,
   *   DailyCeilingReached
   */
  async write<T>(request: ZoneRequest, decide: Decide<T>, hook?: TransactionHook<Written<T>>): Promise<Written<T>> {
    await this.ceilings.assertBelow(request.accountId, 'zone history');
    return this.announced(request, await this.commit.alone(writing(request, decide, hook)));
  }

  /** Changes a record or two, in one transaction with the changes of other requests that arrive meanwhile. @throws as `write` */
  async writeFew<T>(request: ZoneRequest, decide: Decide<T>, hook?: TransactionHook<Written<T>>): Promise<Written<T>> {
    await this.ceilings.assertBelow(request.accountId, 'zone history');
    return this.announced(request, await this.sharedCommits.write(writing(request, decide, hook)));
  }

  /** Dry run: the same checks, and warnings about the result; nothing is changed. @throws as `write` */
  async plan<T>(request: ZoneRequest, decide: Decide<T>): Promise<ZonePlan<T>> {
    return this.commit.plan({ request, decide });
  }

  private async announced<T>(request: ZoneRequest, committed: Committed<T>): Promise<Written<T>> {
    const { isChanged, zone, historyBytes } = committed;
    if (isChanged) {
      this.ceilings.count(request.accountId, 'zone history', historyBytes);
      this.publisher.notifySecondaries(zone);
    }
    const written = unpublished(request, committed);
    return request.waitsForPublication ? { ...written, published: await this.publication.reached(zone) } : written;
  }
}

function writing<T>(request: ZoneRequest, decide: Decide<T>, hook?: TransactionHook<Written<T>>): ZoneWriting<T> {
  return { request, decide, ...(hook && { hook: (stores, each) => hook(stores, unpublished(request, each)) }) };
}

function unpublished<T>({ waitsForPublication }: ZoneRequest, { result, zone }: Committed<T>): Written<T> {
  return { result, zoneVersion: zone.version, ...(waitsForPublication && { published: false }) };
}
