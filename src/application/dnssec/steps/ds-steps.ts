import { inject, injectable } from '../../ports/inject';
import { delegationOf } from '../../../domain/dns/delegation';
import { dsRecordOf, matchesDsRecords, type DsRecord } from '../../../domain/dns/ds-record';
import type { PromisedDsRecords } from '../../../domain/dns/dnssec/signing-step';
import type { SigningProblem, ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { Domain } from '../../../domain/registration/domain';
import { addDays } from '../../../domain/shared/calendar';
import { ServiceOperations } from '../../operations/service-operations';
import { ParentZone } from '../../ports/dns/parent-and-child-zones';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import { RegistryPort } from '../../ports/registry/registry-port';
import { LifecycleClock } from '../../ports/system';
import { RegistrationSettings } from '../../registration/registration-settings';
import { DnssecSettings } from '../dnssec-settings';
import { CacheTimes } from './cache-times';
import type { ClaimedZone, StepEffect } from './step-effect';
import { ZoneSigner } from '../../dns/signing/zone-signer';

/** Zone key and secure entry point (RFC 4034 section 2.1.1): one key signs everything. */
const KEY_FLAGS = 257;

/**
 * The steps at the registry: DS records are stored as an operation, sent, and read back before the zone moves on; also from the
 * parent's nameservers if they can be asked.
 */
@injectable()
export class DsSteps {
  constructor(
    @inject(ZoneSigner) private readonly signer: ZoneSigner,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(ParentZone) private readonly parent: ParentZone,
    @inject(CacheTimes) private readonly cacheTimes: Pick<CacheTimes, 'formerNameserversUntil'>,
    @inject(ServiceOperations) private readonly operations: ServiceOperations,
    @inject(RegistrationSettings) private readonly registration: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(DnssecSettings) private readonly settings: DnssecSettings,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** Stores the operation first; when it has finished, compares the registry with what was promised. */
  async set(zone: ClaimedZone, which: PromisedDsRecords): Promise<StepEffect> {
    const { operationId } = zone.signing.toState();
    if (operationId !== null) return this.confirm(zone, operationId);
    const problem = which === 'none' ? undefined : this.delegationProblem(zone.domain);
    if (problem) return failure(problem);
    if (zone.signing.step === 'add_ds') {
      // The nameservers may have changed, and changed back, since the zone was signed. In a sandbox, an advance of its clock counts.
      const until = await this.cacheTimes.formerNameserversUntil(zone.domain);
      if (until && until > this.clock.now())
        return { apply: async (_stores, current, now) => current.waitForNameservers(until, now) };
    }
    const cachedSeconds = (await this.parent.queryDsRecords(zone.domain.name.value))?.ttl ?? this.settings.dsTtlSeconds;
    return this.promise(which, await this.dsRecordsFor(zone, which), cachedSeconds);
  }

  /** Compares the DS records of an active zone with the registry's, and starts a rollover if the key's lifetime has ended. */
  async check({ signing, domain }: ClaimedZone): Promise<StepEffect> {
    const problem = this.delegationProblem(domain);
    if (problem) return failure(problem);
    const { signers } = signing.toState();
    return this.readPresent(domain, async (present) => {
      const isEqual = matchesDsRecords(domain.name.value, signers ?? [], present);
      return {
        apply: async (_stores, current, now) => {
          if (isEqual) current.recordChecked(this.rollOverAt(current), now);
          else current.recordDsMismatch(now);
        },
      };
    });
  }

  /** @param cachedSeconds how long caches may keep the present DS records */
  private promise(which: PromisedDsRecords, signers: readonly DsRecord[], cachedSeconds: number): StepEffect {
    const promised: { domain?: Domain; id?: string } = {};
    return {
      apply: async (stores, signing, now, domain) => {
        const { domainId } = signing;
        const { keyId } = signing.toState();
        if (which === 'new key' && keyId !== null) await this.signer.retireKey(stores, domainId, keyId);
        await this.signer.setCds(stores, domainId, which === 'none' ? 'delete' : 'keys');
        const id = await this.operations.add(stores, domain, { kind: 'set_delegation_signers', signers });
        signing.promise(signers, id, now, cachedSeconds);
        Object.assign(promised, { domain, id });
      },
      afterwards: async () => {
        if (promised.domain && promised.id) await this.operations.run(promised.domain, promised.id);
      },
    };
  }

  private async confirm({ signing, domain }: ClaimedZone, operationId: string): Promise<StepEffect> {
    const operation = await this.operations.findFinished(operationId);
    if (!operation)
      return {
        apply: async ({ operations }, current, now) => {
          if (await operations.find(operationId)) current.pollLater(now);
          // It was removed because of its age, while the domain was in redemption for example.
          else current.recordDsMismatch(now);
        },
      };
    const { status, error } = operation.toState();
    if (status === 'failed' && signing.step === 'add_second_ds')
      return { apply: async (_stores, current, now) => current.recordBothRefused(now) };
    if (status === 'failed')
      return failure({
        reason: `The registry refused the DS records: ${error?.message ?? 'no reason given'}`,
        remedy: 'The service tries again every hour. If it lasts, ask the operator to contact the registry.',
      });
    return this.readPresent(domain, (present) => this.compare({ signing, domain }, present));
  }

  /** The step that follows from the DS records at the registry. If it does not return them, the domain may no longer be ours. */
  private async readPresent(
    domain: Domain,
    next: (present: readonly DsRecord[]) => Promise<StepEffect>,
  ): Promise<StepEffect> {
    let present: readonly DsRecord[];
    try {
      present = await this.registry.dsRecords(domain.name);
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      return notReturned(error);
    }
    return next(present);
  }

  private async compare({ signing, domain }: ClaimedZone, present: readonly DsRecord[]): Promise<StepEffect> {
    const { signers } = signing.toState();
    if (!matchesDsRecords(domain.name.value, signers ?? [], present))
      return failure({
        reason: 'The registry accepted the DS records but has others now',
        remedy: 'The service sends them again every hour. If another party manages them, switch DNSSEC off here.',
      });
    const published = await this.parent.queryDsRecords(domain.name.value);
    if (published?.sets.some((set) => !matchesDsRecords(domain.name.value, signers ?? [], set)))
      return { apply: async (_stores, current, now) => current.recordDsAccepted(notPublished(current), now) };
    const seen = Math.max(signing.toState().cachedSeconds, published?.ttl ?? 0);
    // Nameservers that do not answer may serve the former ones: the setting has a reserve for the time until they follow.
    const cachedSeconds = published?.isComplete ? seen : Math.max(seen, this.settings.dsTtlSeconds);
    return { apply: async (_stores, current, now) => current.recordDsConfirmed(cachedSeconds, now) };
  }

  private async dsRecordsFor({ signing, domain }: ClaimedZone, which: PromisedDsRecords): Promise<readonly DsRecord[]> {
    if (which === 'none') return [];
    const { keyId, newKeyId } = signing.toState();
    const { keys = [] } = (await this.signer.find(signing.domainId)) ?? {};
    // As in the CDS records. An interrupted rollover may have retired the former key.
    const announced = keys.filter(({ retiredAt }) => retiredAt === null);
    const current = announced.some(({ id }) => id === keyId) ? keyId : newKeyId;
    const wanted = { 'current key': [current], 'new key': [newKeyId], 'both keys': [keyId, newKeyId] }[which];
    return announced
      .filter(({ id }) => wanted.includes(id))
      .map(({ algorithm, publicKey }) => dsRecordOf(domain.name.value, { flags: KEY_FLAGS, algorithm, publicKey }));
  }

  private rollOverAt(signing: ZoneSigning): Date | null {
    const { keySince } = signing.toState();
    const { keyLifetimeDays } = this.settings;
    return keySince && keyLifetimeDays > 0 ? addDays(keySince, keyLifetimeDays) : null;
  }

  /** DS records for nameservers that do not serve our signatures would make the domain disappear. */
  private delegationProblem(domain: Domain): SigningProblem | undefined {
    const { defaultNameservers } = this.registration;
    if (delegationOf(domain.toState().nameservers, defaultNameservers) === 'ours') return undefined;
    return {
      reason: 'The domain is delegated to nameservers that do not serve its signatures',
      remedy: `Change the nameservers to ${defaultNameservers.join(', ')}, or switch DNSSEC off before you use others.`,
    };
  }
}

function notPublished(signing: ZoneSigning): SigningProblem {
  const { signers, stepSince } = signing.toState();
  const sentAt = stepSince.toISOString();
  if (!signers?.length)
    return {
      reason: `The registry confirms the removal of the DS records that was sent at ${sentAt}, but the nameservers of the parent zone still have DS records`,
      remedy:
        'The service asks them every hour, and continues when they have none. Do not change the nameservers of the domain before DNSSEC is off. If it lasts, ask the operator to contact the registry.',
    };
  return {
    reason: `The registry confirms the DS records that were sent at ${sentAt}, but the nameservers of the parent zone do not have them yet`,
    remedy:
      'The service asks them every hour, and continues when they do. A registry does not publish a domain that is on hold. In other cases, ask the operator to contact the registry.',
  };
}

function failure(problem: SigningProblem): StepEffect {
  return { apply: async (_stores, signing, now) => signing.fail(problem, now) };
}

/** The domain is checked at once, but not again every hour. */
function notReturned({ details, message }: RegistryRejected): StepEffect {
  const problem = {
    reason: `The registry does not return the DS records: ${details ?? message}`,
    remedy: 'The service tries again every hour. If it lasts, ask the operator to contact the registry.',
  };
  return {
    apply: async ({ domains }, signing, now, domain) => {
      if (signing.toState().problem?.reason !== problem.reason) {
        domain.schedule(now);
        await domains.save(domain);
      }
      signing.fail(problem, now);
    },
  };
}
