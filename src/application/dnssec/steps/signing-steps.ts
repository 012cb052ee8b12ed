import { inject, injectable } from '../../ports/inject';
import type { SigningProblem } from '../../../domain/dns/dnssec/zone-signing-state';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { isServed } from '../../../domain/registration/domain-status';
import { ZoneReader } from '../../ports/dns/zone-repository';
import type { Stores } from '../../ports/storage/unit-of-work';
import { CacheTimes } from './cache-times';
import { isDsWithParent } from '../ds-with-parent';
import { DsSteps } from './ds-steps';
import { ParentSteps } from './parent-steps';
import { ServedBySecondaries } from './served-by-secondaries';
import type { ClaimedZone, StepEffect } from './step-effect';
import { hasSignerRecords } from '../signer-records';
import { ZoneSigner } from '../../dns/signing/zone-signer';

/** How often a domain that is not served, as in redemption, is checked for whether it is served again. */
const PAUSED_MS = 60 * 60_000;

/** A change that an older version of the service wrote while DNSSEC was switched on. */
const SIGNER_RECORDS: SigningProblem = {
  reason: 'The apex has DNSKEY, CDS or CDNSKEY records of the account, which the service publishes while DNSSEC is on',
  remedy: 'Remove these records. The service tries again every hour, or when you switch DNSSEC on again.',
};

/** Takes the next step of a zone. */
@injectable()
export class SigningSteps {
  constructor(
    @inject(ZoneSigner) private readonly signer: ZoneSigner,
    @inject(CacheTimes) private readonly cacheTimes: CacheTimes,
    @inject(DsSteps) private readonly dsSteps: DsSteps,
    @inject(ParentSteps) private readonly parentSteps: ParentSteps,
    @inject(ServedBySecondaries) private readonly secondaries: Pick<ServedBySecondaries, 'missing'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(ZoneReader) private readonly zones: Pick<ZoneReader, 'find'>,
  ) {}

  /** @throws RegistryUnavailable, StorageUnavailable: the step is repeated */
  async take(zone: ClaimedZone): Promise<StepEffect> {
    const { signing, domain } = zone;
    if (domain.status === 'gone' || domain.status === 'transferred_out') return this.end(domain.id);
    if (!isServed(domain.status))
      return {
        apply: async (_stores, current, now) => current.schedule(new Date(now.getTime() + PAUSED_MS)),
      };
    const { step, cdsToPublish, waitsFor } = signing;
    const ds = isDsWithParent(this.policies, domain) ? this.parentSteps : this.dsSteps;
    if (cdsToPublish) return ds.set(zone, cdsToPublish);
    if (waitsFor === 'secondaries') return this.awaitSecondaries(zone);
    if (step === 'check') return ds.check(zone);
    if (waitsFor === 'service') return this.changeKeys(zone);
    return { apply: async (_stores, current, now) => current.endWait(now) };
  }

  /** The domain does not come back: without its keys, its signatures are not renewed. */
  private end(domainId: string): StepEffect {
    return {
      apply: async (stores) => {
        await this.signer.stop(stores, domainId);
        return 'off';
      },
    };
  }

  /** Changes keys and signatures, which raises the serial. Keys and signatures are computed before the transaction. */
  private async changeKeys({ signing, domain }: ClaimedZone): Promise<StepEffect> {
    const { step } = signing;
    const { id: domainId } = domain;
    const { denial, keyId } = signing.toState();
    if (step === 'retire_key') {
      if (keyId !== null) await this.signer.prepare(domainId, { removedKeyId: keyId });
      return {
        apply: async (stores, current, now) => {
          if (keyId !== null) await this.signer.removeKey(stores, domainId, keyId);
          current.recordKeyRetired(now);
        },
      };
    }
    if (step === 'unsign')
      return {
        apply: async (stores, current, now) => {
          await this.signer.stop(stores, domainId);
          current.recordUnsigned(await storedSerial(stores, domainId), now);
        },
      };
    const delegation = step === 'sign' && domain.isHosted ? await this.parentSteps.delegation(domain) : undefined;
    if (delegation?.obstacle) return delegation.obstacle;
    const key = await this.signer.createKey();
    await this.signer.prepare(domainId, step === 'sign' ? { denial, addedKey: key } : { addedKey: key });
    // Last: records that are published while a large zone is signed count, too.
    const cachedSeconds = Math.max(await this.cacheTimes.longest(domain), delegation?.cachedSeconds ?? 0);
    return {
      apply: async (stores, current, now) => {
        if (step === 'sign' && (await hasSignerRecords(stores.zones, domainId))) {
          current.fail(SIGNER_RECORDS, now);
          return;
        }
        if (step === 'sign') await this.signer.start(stores, domainId, { denial, key });
        else await this.signer.addKey(stores, domainId, key);
        const added = { keyId: key.id, serial: await storedSerial(stores, domainId), cachedSeconds };
        if (step === 'sign') current.recordSigned(added, now);
        else current.recordKeyAdded(added, now);
      },
    };
  }

  private async awaitSecondaries(zone: ClaimedZone): Promise<StepEffect> {
    const serial = zone.signing.toState().serial ?? (await this.zones.find(zone.domain.id))?.serial ?? 0;
    return (
      (await this.secondaries.missing(zone, serial)) ?? {
        apply: async (_stores, current, now) => (current.served(now) ? 'off' : 'on'),
      }
    );
  }
}

async function storedSerial({ zones }: Pick<Stores, 'zones'>, domainId: string): Promise<number> {
  return (await zones.lock(domainId))?.serial ?? 0;
}
