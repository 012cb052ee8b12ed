import { inject, injectable } from '../../ports/inject';
import { matchesDsRecords, type DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { SigningProblem } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { Domain } from '../../../domain/registration/domain';
import { ServiceOperations } from '../../operations/service-operations';
import { ParentZone } from '../../ports/dns/other-nameservers';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import { RegistryPort } from '../../ports/registry/registry-port';
import { DnssecSettings } from '../dnssec-settings';
import { DsPlan, failure, type CdsToPublish } from './ds-plan';
import type { ClaimedZone, StepEffect } from './step-effect';

/**
 * The steps at the registry: DS records are stored as an operation, sent, and read back before the zone moves on; also from the
 * parent's nameservers if they can be asked.
 */
@injectable()
export class DsSteps {
  constructor(
    @inject(DsPlan) private readonly plan: DsPlan,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(ParentZone) private readonly parent: ParentZone,
    @inject(ServiceOperations) private readonly operations: ServiceOperations,
    @inject(DnssecSettings) private readonly settings: Pick<DnssecSettings, 'dsTtlSeconds'>,
  ) {}

  /** Stores the operation first; when it has finished, compares the registry with what was promised. */
  async set(zone: ClaimedZone, cds: CdsToPublish): Promise<StepEffect> {
    const { operationId } = zone.signing.toState();
    if (operationId !== null) return this.confirm(zone, operationId);
    const obstacle = await this.plan.obstacle(zone, cds);
    if (obstacle) return obstacle;
    const cachedSeconds = (await this.parent.queryDsRecords(zone.domain.name.value))?.ttl ?? this.settings.dsTtlSeconds;
    return this.promise(cds, await this.plan.dsRecords(zone, cds), cachedSeconds);
  }

  /** Compares the DS records of an active zone with the registry's, and starts a rollover if the key's lifetime has ended. */
  async check({ signing, domain }: ClaimedZone): Promise<StepEffect> {
    const problem = this.plan.delegationProblem(domain);
    if (problem) return failure(problem);
    const { dsRecords } = signing.toState();
    return this.readPresent(domain, async (present) => {
      const isEqual = matchesDsRecords(domain.name.value, dsRecords ?? [], present);
      return {
        apply: async (_stores, current, now) => {
          if (isEqual) current.recordChecked(this.plan.rollOverAt(current), now);
          else current.recordDsMismatch(now);
        },
      };
    });
  }

  /** @param cachedSeconds how long caches may keep the present DS records */
  private promise(cds: CdsToPublish, dsRecords: readonly DsRecord[], cachedSeconds: number): StepEffect {
    const promised: { domain?: Domain; id?: string } = {};
    return {
      apply: async (stores, signing, now, domain) => {
        await this.plan.publishCds(stores, signing, cds);
        const id = await this.operations.add(stores, domain, { kind: 'set_delegation_signers', signers: dsRecords });
        signing.promise(dsRecords, id, now, cachedSeconds);
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
    const { dsRecords } = signing.toState();
    if (!matchesDsRecords(domain.name.value, dsRecords ?? [], present))
      return failure({
        reason: 'The registry accepted the DS records but has others now',
        remedy: 'The service sends them again every hour. If another party manages them, switch DNSSEC off here.',
      });
    const published = await this.parent.queryDsRecords(domain.name.value);
    if (published?.sets.some((set) => !matchesDsRecords(domain.name.value, dsRecords ?? [], set)))
      return { apply: async (_stores, current, now) => current.recordDsAwaited(notPublished(current), now) };
    const seen = Math.max(signing.toState().cachedSeconds, published?.ttl ?? 0);
    // Nameservers that do not answer may serve the former ones: the setting has a reserve for the time until they follow.
    const cachedSeconds = published?.isComplete ? seen : Math.max(seen, this.settings.dsTtlSeconds);
    return { apply: async (_stores, current, now) => current.recordDsConfirmed(cachedSeconds, now) };
  }
}

function notPublished(signing: ZoneSigning): SigningProblem {
  const { dsRecords, stepSince } = signing.toState();
  const sentAt = stepSince.toISOString();
  if (!dsRecords?.length)
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
