import { inject, injectable } from '../../ports/inject';
import type { SigningProblem, ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import { serialOf } from '../../../domain/dns/zone-serial';
import { isServed } from '../../../domain/registration/domain-status';
import type { SecondaryReport } from '../../ports/dns/published-zones';
import { ZoneReader } from '../../ports/dns/zone-repository';
import type { Stores } from '../../ports/storage/unit-of-work';
import { PublicationWait } from '../../dns/publishing/publication-wait';
import { CacheTimes } from './cache-times';
import { DsSteps } from './ds-steps';
import type { ClaimedZone, StepEffect } from './step-effect';
import { hasSignerRecords } from '../signer-records';
import { ZoneSigner } from '../../dns/signing/zone-signer';

/** How long one attempt waits for the secondaries. */
const PUBLICATION_MS = 1_000;
/** How often a domain that is not served, as in redemption, is checked for whether it is served again. */
const PAUSED_MS = 60 * 60_000;

const NO_SECONDARY: SigningProblem = {
  reason: 'This service has no secondary nameserver, so resolvers do not see the signed zone',
  remedy: 'Its operator can add one. The service tries again every hour, or when you switch DNSSEC on again.',
};

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
    const { step, dsRecordsToSet, waitsFor } = signing;
    if (dsRecordsToSet) return this.dsSteps.set(zone, dsRecordsToSet);
    if (waitsFor === 'secondaries') return this.awaitSecondaries(zone);
    if (step === 'check') return this.dsSteps.check(zone);
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
    const key = await this.signer.createKey();
    await this.signer.prepare(domainId, step === 'sign' ? { denial, addedKey: key } : { addedKey: key });
    // Last: records that are published while a large zone is signed count, too.
    const cachedSeconds = await this.cacheTimes.longest(domain);
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

  private async awaitSecondaries({ signing, domain }: ClaimedZone): Promise<StepEffect> {
    const { id: domainId, name: zoneName } = domain.toState();
    const serial = signing.toState().serial ?? (await this.zones.find(domainId))?.serial ?? 0;
    const zone = { domainId, zoneName, serial };
    const outcome = await this.publication.wait(zone, PUBLICATION_MS);
    const behind = outcome === 'late' ? await this.publication.behind(zone) : [];
    return {
      apply: async (_stores, current, now) => {
        if (outcome === 'no_secondaries' && current.isWanted) current.fail(NO_SECONDARY, now);
        else if (behind.length > 0) current.recordNotServed(serial, notServed(current, serial, behind), now);
        else if (outcome === 'late') current.pollLater(now, serial);
        else if (current.served(now)) return 'off';
        return 'on';
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

async function storedSerial({ zones }: Pick<Stores, 'zones'>, domainId: string): Promise<number> {
  return (await zones.lock(domainId))?.serial ?? 0;
}
