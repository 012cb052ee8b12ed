import { inject, injectable } from '../../ports/inject';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { dsRecordOf, type DsRecord } from '../../../domain/dns/delegation/ds-record';
import { announcedKeys } from '../../../domain/dns/dnssec/parent/cds-records';
import type { SigningProblem } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { Domain } from '../../../domain/registration/domain';
import { addDays } from '../../../domain/shared/time/calendar';
import type { Stores } from '../../ports/storage/unit-of-work';
import { LifecycleClock } from '../../ports/system';
import { dnsKeyOf } from '../../dns/signing/signatures/apex-content';
import { ZoneSigner } from '../../dns/signing/zone-signer';
import { RegistrationSettings } from '../../registration/registration-settings';
import { DnssecSettings } from '../dnssec-settings';
import { CacheTimes } from './cache-times';
import type { ClaimedZone, StepEffect } from './step-effect';

export type CdsToPublish = NonNullable<ZoneSigning['cdsToPublish']>;

/** What the steps at the registry and those at the parent share: which DS records a zone should have, and when they may be set. */
@injectable()
export class DsPlan {
  constructor(
    @inject(ZoneSigner) private readonly signer: ZoneSigner,
    @inject(CacheTimes) private readonly cacheTimes: Pick<CacheTimes, 'formerNameserversUntil'>,
    @inject(RegistrationSettings) private readonly registration: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(DnssecSettings) private readonly settings: DnssecSettings,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** What is to be done before the DS records of the step are set, if anything. */
  async obstacle({ signing, domain }: ClaimedZone, cds: CdsToPublish): Promise<StepEffect | undefined> {
    const problem = cds === 'delete' ? undefined : this.delegationProblem(domain);
    if (problem) return failure(problem);
    if (signing.step !== 'add_ds') return undefined;
    // The nameservers may have changed, and changed back, since the zone was signed. In a sandbox, an advance of its clock counts.
    const until = await this.cacheTimes.formerNameserversUntil(domain);
    if (!until || until <= this.clock.now()) return undefined;
    return { apply: async (_stores, current, now) => current.waitForNameservers(until, now) };
  }

  /** Those of the CDS records that the step publishes. */
  async dsRecords({ signing, domain }: ClaimedZone, cds: CdsToPublish): Promise<readonly DsRecord[]> {
    const { keys = [] } = (await this.signer.find(signing.domainId)) ?? {};
    const retired = retiredKey(signing);
    const kept = keys.filter(({ id }) => id !== retired);
    return announcedKeys(cds, kept).map((key) => dsRecordOf(domain.name.value, dnsKeyOf(key)));
  }

  async publishCds(stores: Pick<Stores, 'signing' | 'zones'>, signing: ZoneSigning, cds: CdsToPublish): Promise<void> {
    const retired = retiredKey(signing);
    if (retired !== null) await this.signer.retireKey(stores, signing.domainId, retired);
    await this.signer.setCds(stores, signing.domainId, cds);
  }

  rollOverAt(signing: ZoneSigning): Date | null {
    const { keySince } = signing.toState();
    const { keyLifetimeDays } = this.settings;
    return keySince && keyLifetimeDays > 0 ? addDays(keySince, keyLifetimeDays) : null;
  }

  /** DS records for nameservers that do not serve our signatures would make the domain disappear. */
  delegationProblem(domain: Domain): SigningProblem | undefined {
    const { defaultNameservers } = this.registration;
    if (delegationOf(domain.toState().nameservers, defaultNameservers) === 'ours') return undefined;
    return {
      reason: 'The domain is delegated to nameservers that do not serve its signatures',
      remedy: `Change the nameservers to ${defaultNameservers.join(', ')}, or switch DNSSEC off before you use others.`,
    };
  }
}

/** The key that the step takes out of the CDS records. */
function retiredKey(signing: ZoneSigning): string | null {
  return signing.step === 'replace_ds' ? signing.toState().keyId : null;
}

export function failure(problem: SigningProblem): StepEffect {
  return { apply: async (_stores, signing, now) => signing.fail(problem, now) };
}
