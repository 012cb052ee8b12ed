import { inject, injectable } from '../../ports/inject';
import type { SigningProblem } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import { serialOf } from '../../../domain/dns/zone-serial';
import type { SecondaryReport } from '../../ports/dns/publishing';
import { PublicationWait } from '../../dns/publishing/publication-wait';
import type { ClaimedZone, StepEffect } from './step-effect';

/** How long one attempt waits for the secondaries. */
const PUBLICATION_MS = 1_000;

const NO_SECONDARY: SigningProblem = {
  reason: 'This service has no secondary nameserver, so resolvers do not see the signed zone',
  remedy: 'Its operator can add one. The service tries again every hour, or when you switch DNSSEC on again.',
};

/** Waits until every secondary serves a change of a zone. */
@injectable()
export class ServedBySecondaries {
  constructor(@inject(PublicationWait) private readonly publication: PublicationWait) {}

  /** Undefined if every secondary serves the serial; otherwise what waits for them. */
  async missing({ signing, domain }: ClaimedZone, serial: number): Promise<StepEffect | undefined> {
    const { id: domainId, name: zoneName } = domain.toState();
    const zone = { domainId, zoneName, serial };
    const outcome = await this.publication.wait(zone, PUBLICATION_MS);
    if (outcome === 'published' || (outcome === 'no_secondaries' && !signing.isWanted)) return undefined;
    const behind = outcome === 'late' ? await this.publication.behind(zone) : [];
    return {
      apply: async (_stores, current, now) => {
        if (outcome === 'no_secondaries') current.fail(NO_SECONDARY, now);
        else if (behind.length > 0) current.recordNotServed(serial, notServed(current, serial, behind), now);
        else current.pollLater(now, serial);
      },
    };
  }
}

function notServed(signing: ZoneSigning, serial: number, behind: readonly SecondaryReport[]): SigningProblem {
  const secondaries = behind.map(({ secondary, answer }) => {
    if (answer.kind === 'serves') return `${secondary} (serves serial ${answer.serial}, not ${serialOf(serial)})`;
    return `${secondary} (${answer.kind === 'unreachable' ? 'does not respond' : 'does not have the zone'})`;
  });
  return {
    reason: `Not all nameservers serve the change of ${signing.toState().stepSince.toISOString()} yet: ${secondaries.join(', ')}`,
    remedy:
      'The service asks them every minute, and continues when they do. If it lasts, ask the operator to repair these nameservers, or to remove them from the secondaries.',
  };
}
