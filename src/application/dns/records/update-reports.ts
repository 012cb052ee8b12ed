import { inject, injectable } from '../../ports/inject';
import { actorText, type Actor, type Requester } from '../../../domain/access/actor';
import type { ApiKeyState } from '../../../domain/access/api-key';
import type { ServiceError } from '../../../domain/shared/service-error';
import { updateRefused } from '../../audit/zone-audit';
import type { ZoneState } from '../../ports/dns/publishing';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, Log } from '../../ports/system';

/** A client that repeats a refused update fills the log of its account otherwise. */
const QUIET_MS = 10 * 60_000;
const MAX_KNOWN = 10_000;

/** Reports changes of DNS by programs (dynamic updates and compatibility APIs) that are refused or not yet published. */
@injectable()
export class UpdateReports {
  /** When the same refusal is written to the activity log again, in milliseconds since 1970; oldest first. */
  private readonly quietUntil = new Map<string, number>();

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Logs every refusal. The activity log gets one entry in ten minutes for each key, zone and reason. Never throws. */
  async reportRefused(
    { accountId, actor }: Requester,
    { domainId, zoneName }: Pick<ZoneState, 'domainId' | 'zoneName'>,
    error: ServiceError,
  ): Promise<void> {
    const who = actorText(actor);
    const reason = error.details ?? error.message;
    this.log.warn({ actor: who, zone: zoneName, code: error.code, reason }, 'DNS update refused');
    const at = this.clock.now();
    const isNew = this.noteIfNew(`${who} ${zoneName} ${error.code} ${reason}`, at.getTime());
    if (error.code === 'SERVICE_UNAVAILABLE' || !isNew) return;
    const domain = { id: domainId, name: zoneName };
    const fact = updateRefused({ at, requester: { accountId, actor }, domain, error });
    await this.unitOfWork
      .run(({ audit }) => audit.append(fact), accountId)
      .catch((err: unknown) =>
        this.log.warn({ err, zone: zoneName }, 'a refused DNS update is not in the activity log'),
      );
  }

  reportRefusedAddress({ keyId }: ApiKeyState, { details }: ServiceError): void {
    this.log.warn({ key: keyId, reason: details }, 'DNS request refused');
  }

  reportLate(actor: Actor, { zoneName, serial }: ZoneState): void {
    this.log.warn(
      { actor: actorText(actor), zone: zoneName, serial },
      'responded to a DNS update before every secondary serves it',
    );
  }

  private noteIfNew(refusal: string, now: number): boolean {
    for (const [oldest, until] of this.quietUntil) {
      if (until > now && this.quietUntil.size < MAX_KNOWN) break;
      this.quietUntil.delete(oldest);
    }
    if (this.quietUntil.has(refusal)) return false;
    this.quietUntil.set(refusal, now + QUIET_MS);
    return true;
  }
}
