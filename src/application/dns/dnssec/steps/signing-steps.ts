import { inject, injectable } from 'inversify';
import type { SigningProblem } from '../../../../domain/dns/dnssec/zone-signing';
import { isServed } from '../../../../domain/registration/domain-status';
import { ZoneReader } from '../../../ports/dns/zone-repository';
import type { Stores } from '../../../ports/storage/unit-of-work';
import { PublicationWait } from '../../publishing/publication-wait';
import { CacheTimes } from './cache-times';
import { DsSteps } from './ds-steps';
import type { ClaimedZone, StepEffect } from './step-effect';
import { ZoneSigner } from '../zone-signer';

/** How long one attempt waits for the secondaries. */
const PUBLICATION_MS = 1_000;
/** How often a domain that is not served, as in redemption, is checked for whether it is served again. */
const PAUSED_MS = 60 * 60_000;

const NO_SECONDARY: SigningProblem = {
  reason: 'This service has no secondary nameserver, so resolvers do not see the signed zone',
  remedy: 'Its operator can add one. The service tries again every hour, or when you switch DNSSEC on again.',
};

/** Takes the next step of a zone. */
@injectable()
export class SigningSteps {
  constructor(
    @inject(ZoneSigner) private readonly signer: ZoneSigner,
    @inject(CacheTimes) private readonly cacheTimes: CacheTimes,
    @inject(DsSteps) private readonly dsSteps: DsSteps,
    @inject(PublicationWait) private readonly publication: PublicationWait,
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
    const { step, signersToSet, waitsFor } = signing;
    if (signersToSet) return this.dsSteps.set(zone, signersToSet);
    if (waitsFor === 'secondaries') return this.awaitSecondaries(zone);
    if (step === 'check') return this.dsSteps.check(zone);
    if (waitsFor === 'service') return this.changeKeys(zone);
    return { apply: async (_stores, current, now) => current.waited(now) };
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
    const { id: domainId, accountId } = domain.toState();
    const { denial, keyId } = signing.toState();
    if (step === 'retire_key') {
      if (keyId !== null) await this.signer.prepare(domainId, { removedKeyId: keyId });
      return {
        apply: async (stores, current, now) => {
          if (keyId !== null) await this.signer.removeKey(stores, domainId, keyId);
          current.keyRetired(now);
        },
      };
    }
    if (step === 'unsign')
      return {
        apply: async (stores, current, now) => {
          await this.signer.stop(stores, domainId);
          current.unsigned(await serialOf(stores, domainId), now);
        },
      };
    const key = await this.signer.createKey();
    await this.signer.prepare(domainId, step === 'sign' ? { denial, addedKey: key } : { addedKey: key });
    // Last: records that are published while a large zone is signed count, too.
    const cachedSeconds = await this.cacheTimes.longest({ accountId, domainId });
    return {
      apply: async (stores, current, now) => {
        if (step === 'sign') await this.signer.start(stores, domainId, { denial, key });
        else await this.signer.addKey(stores, domainId, key);
        const added = { keyId: key.id, serial: await serialOf(stores, domainId), cachedSeconds };
        if (step === 'sign') current.signed(added, now);
        else current.keyAdded(added, now);
      },
    };
  }

  private async awaitSecondaries({ signing, domain }: ClaimedZone): Promise<StepEffect> {
    const { id: domainId, name: zoneName } = domain.toState();
    const serial = signing.toState().serial ?? (await this.zones.find(domainId))?.serial ?? 0;
    const outcome = await this.publication.wait({ domainId, zoneName, serial }, PUBLICATION_MS);
    return {
      apply: async (_stores, current, now) => {
        if (outcome === 'no_secondaries' && current.isWanted) current.fail(NO_SECONDARY, now);
        else if (outcome === 'late') current.pollLater(now, serial);
        else if (current.served(now)) return 'off';
        return 'on';
      },
    };
  }
}

async function serialOf({ zones }: Stores, domainId: string): Promise<number> {
  return (await zones.lock(domainId))?.serial ?? 0;
}
