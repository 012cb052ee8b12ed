import { inject, injectable } from 'inversify';
import { ZonePublisher } from '../../ports/dns/zone-publisher';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { PublicationWait } from '../publishing/publication-wait';
import { SharedCommits } from './shared-commits';
import { ZoneCommit, type Committed } from './zone-commit';
import type { ZonePlan } from './zone-plan';
import type { Decide, ZoneRequest } from './zone-request';

export interface Written<T> {
  readonly result: T;
  /** The zone's version with this change. */
  readonly zoneVersion: number;
  /** Whether every secondary has it, where the request waits for that. */
  readonly published?: boolean;
}

/** The one way to change a zone: one writer at a time, the rules judge the outcome, and the version rises by one. */
@injectable()
export class ZoneWriter {
  constructor(
    @inject(ZoneCommit) private readonly commit: ZoneCommit,
    @inject(SharedCommits) private readonly sharedCommits: SharedCommits,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(PublicationWait) private readonly publication: PublicationWait,
  ) {}

  /**
   * Many records at once, in a transaction of their own. A decision that changes nothing leaves the version as it is and is
   * announced to nobody. Where the request waits for publication, what goes `alongside` sees the change as not published yet.
   * @throws DomainNotFound, DomainStatusConflict, ZoneChangedMeanwhile, RecordConflict, LimitExceeded, ItemsRefused
   */
  async write<T>(
    request: ZoneRequest,
    decide: Decide<T>,
    alongside?: TransactionHook<Written<T>>,
  ): Promise<Written<T>> {
    const committed = await this.commit.alone({ request, decide }, async (stores, each) =>
      alongside?.(stores, unpublished(request, each)),
    );
    return this.announced(request, committed);
  }

  /** A record or two, committed together with what is written to other zones meanwhile, unless something goes alongside. @throws as `write` */
  async writeFew<T>(
    request: ZoneRequest,
    decide: Decide<T>,
    alongside?: TransactionHook<Written<T>>,
  ): Promise<Written<T>> {
    if (alongside) return this.write(request, decide, alongside);
    return this.announced(request, await this.sharedCommits.write({ request, decide }));
  }

  /** What a write would do, by the same checks, and what would be odd about it; nothing is changed. @throws as `write` */
  async plan<T>(request: ZoneRequest, decide: Decide<T>): Promise<ZonePlan<T>> {
    return this.commit.plan({ request, decide });
  }

  private async announced<T>(request: ZoneRequest, committed: Committed<T>): Promise<Written<T>> {
    const { isChanged, zone } = committed;
    if (isChanged) this.publisher.notifySecondaries(zone);
    const written = unpublished(request, committed);
    return request.waitsForPublication ? { ...written, published: await this.publication.reached(zone) } : written;
  }
}

function unpublished<T>({ waitsForPublication }: ZoneRequest, { result, zone }: Committed<T>): Written<T> {
  return { result, zoneVersion: zone.version, ...(waitsForPublication && { published: false }) };
}
