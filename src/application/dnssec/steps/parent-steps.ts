import { inject, injectable } from '../../ports/inject';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { matchesDsRecords, type DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { SigningProblem } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { Domain } from '../../../domain/registration/domain';
import { type PublishedDsRecords, ParentalAgent } from '../../ports/dns/other-nameservers';
import { LifecycleClock } from '../../ports/system';
import { DnssecSettings } from '../dnssec-settings';
import { DsPlan, failure, type CdsToPublish } from './ds-plan';
import { ServedBySecondaries } from './served-by-secondaries';
import type { ClaimedZone, StepEffect } from './step-effect';

const HOUR_MS = 60 * 60_000;

const NOT_ASKED: SigningProblem = {
  reason: 'The nameservers of the parent zone do not answer, or were not found',
  remedy:
    'The service asks them again and again, and continues when they have the DS records. If it lasts, ask the operator whether DNSSEC_RESOLVER works.',
};

/**
 * The steps of a zone whose DS records the service cannot set: publishes CDS records, notifies the parent when every secondary has
 * them (RFC 9859), and asks the parent's nameservers until they have the DS records, however these came there.
 */
@injectable()
export class ParentSteps {
  constructor(
    @inject(DsPlan) private readonly plan: DsPlan,
    @inject(ParentalAgent) private readonly agent: ParentalAgent,
    @inject(ServedBySecondaries) private readonly secondaries: Pick<ServedBySecondaries, 'missing'>,
    @inject(DnssecSettings) private readonly settings: Pick<DnssecSettings, 'dsTtlSeconds'>,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async set(zone: ClaimedZone, cds: CdsToPublish): Promise<StepEffect> {
    const { serial } = zone.signing.toState();
    if (serial === null)
      return (
        (cds === 'delete' ? undefined : (await this.delegation(zone.domain)).obstacle) ??
        (await this.plan.obstacle(zone, cds)) ??
        this.publish(zone, cds)
      );
    const missing = await this.secondaries.missing(zone, serial);
    if (missing) return missing;
    const published = await this.agent.queryDsRecords(zone.domain.name.value);
    if (published && isFollowed(zone, published)) return this.confirm(zone, published);
    if (zone.signing.isNoticeDue(this.clock.now())) {
      const result = await this.agent.notify(zone.domain.name.value, 'CDS');
      return { apply: async (_stores, current, now) => current.recordNotice(result, now) };
    }
    return {
      apply: async (_stores, current, now) =>
        current.recordDsAwaited(published ? notFollowed(current) : NOT_ASKED, now),
    };
  }

  /** Compares the parent's DS records of an active zone with those that it should have. */
  async check({ signing, domain }: ClaimedZone): Promise<StepEffect> {
    const { obstacle } = await this.delegation(domain);
    if (obstacle) return obstacle;
    const { dsRecords, notice } = signing.toState();
    const published = await this.agent.queryDsRecords(domain.name.value);
    return {
      apply: async (_stores, current, now) => {
        if (!published) current.schedule(new Date(now.getTime() + HOUR_MS));
        else if (!isEverywhere(domain.name.value, dsRecords ?? [], published)) current.recordDsMismatch(now);
        // A person who copies DS records chooses the time of a rollover.
        else current.recordChecked(notice?.outcome === 'accepted' ? this.plan.rollOverAt(current) : null, now);
      },
    };
  }

  /**
   * What hinders DS records: the keys are at the nameservers of this service only. For how many seconds resolvers may have other ones is
   * not known before the parent delegates the name to these.
   */
  async delegation(domain: Domain): Promise<{ readonly obstacle?: StepEffect; readonly cachedSeconds: number }> {
    if (!domain.isHosted) {
      const problem = this.plan.delegationProblem(domain);
      return { ...(problem && { obstacle: failure(problem) }), cachedSeconds: 0 };
    }
    const { nameservers, name } = domain.toState();
    const found = await this.agent.queryDelegation(name);
    const isOurs = found?.sets.every((hosts) => delegationOf(hosts, nameservers) === 'ours');
    if (isOurs) return { cachedSeconds: found?.ttl ?? 0 };
    return { obstacle: failure(found ? notDelegated(nameservers) : NOT_ASKED), cachedSeconds: 0 };
  }

  private async publish(zone: ClaimedZone, cds: CdsToPublish): Promise<StepEffect> {
    const dsRecords = await this.plan.dsRecords(zone, cds);
    const present = await this.agent.queryDsRecords(zone.domain.name.value);
    const cachedSeconds = present?.ttl ?? this.settings.dsTtlSeconds;
    return {
      apply: async (stores, signing, now) => {
        await this.plan.publishCds(stores, signing, cds);
        const serial = (await stores.zones.lock(signing.domainId))?.serial ?? 0;
        signing.recordCdsPublished({ dsRecords, serial, cachedSeconds }, now);
      },
    };
  }

  private confirm({ signing }: ClaimedZone, { ttl = 0, isComplete }: PublishedDsRecords): StepEffect {
    const seen = Math.max(signing.toState().cachedSeconds, ttl);
    // Nameservers that do not answer may serve the former ones: the setting has a reserve for the time until they follow.
    const cachedSeconds = isComplete ? seen : Math.max(seen, this.settings.dsTtlSeconds);
    return { apply: async (_stores, current, now) => current.recordDsConfirmed(cachedSeconds, now) };
  }
}

function notDelegated(nameservers: readonly string[]): SigningProblem {
  return {
    reason:
      'The parent zone delegates the name to nameservers that do not serve its signatures, or does not delegate it',
    remedy: `Set the nameservers ${nameservers.join(', ')} where the name is managed. The service asks every hour, or when you switch DNSSEC on again.`,
  };
}

/** Also if a person has replaced the DS records of the old key by those of the new one at once: caches have both keys. */
function isFollowed({ signing, domain }: ClaimedZone, published: PublishedDsRecords): boolean {
  const { dsRecords, step } = signing.toState();
  const wanted = dsRecords ?? [];
  return (
    isEverywhere(domain.name.value, wanted, published) ||
    (step === 'add_second_ds' && isEverywhere(domain.name.value, wanted.slice(1), published))
  );
}

function isEverywhere(zoneName: string, wanted: readonly DsRecord[], { sets }: PublishedDsRecords): boolean {
  return sets.every((set) => matchesDsRecords(zoneName, wanted, set));
}

function notFollowed(signing: ZoneSigning): SigningProblem {
  const { dsRecords, stepSince } = signing.toState();
  const since = stepSince.toISOString();
  if (!dsRecords?.length)
    return {
      reason: `The zone has asked its parent to remove the DS records since ${since}, but the nameservers of the parent zone still have DS records`,
      remedy:
        'Remove them where the domain is managed, if the parent does not follow CDS records. Do not change the nameservers of the domain before DNSSEC is off. The service asks every hour, and continues when they are gone.',
    };
  return {
    reason: `The zone has asked its parent for its DS records since ${since}, but the nameservers of the parent zone have others or none`,
    remedy:
      'Set them where the domain is managed, if the parent does not follow CDS records. The service asks every hour, and continues when they are there.',
  };
}
