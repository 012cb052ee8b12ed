import { raisePublishedVersions } from '../../../src/application/publishing/raise-published-versions';
import { DailyQuotas } from '../../../src/application/quotas/daily-quotas';
import { LifecyclePlan } from '../../../src/application/operations/lifecycle-plan';
import type { ZoneWrite } from '../../../src/application/ports/dns/zone-repository';
import type { Requester } from '../../../src/domain/access/actor';
import type { AuditEntry } from '../../../src/domain/access/audit-entry';
import type { DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { Domain, type DomainState } from '../../../src/domain/registration/domain';
import { TldPolicies } from '../../../src/domain/registration/names/tld-policy';
import { aDomain } from '../data/a-domain';
import { InMemoryDailyUsage } from '../fakes/in-memory/access/in-memory-daily-usage';
import { InMemoryStorage } from '../fakes/in-memory/in-memory-storage';
import { MovableClock } from '../fakes/movable-clock';
import { PlainPasswords } from '../fakes/plain-passwords';
import { RecordingLog } from '../fakes/recording-log';
import { RecordingPublisher } from '../fakes/recording-publisher';
import { ScriptedRegistry } from '../fakes/scripted-registry';
import { SequentialIds } from '../fakes/sequential-ids';
import { SequentialKeys } from '../fakes/sequential-keys';
import { SequentialTokens } from '../fakes/sequential-tokens';

/** The requester of tests that do not depend on it. */
export const OURS: Requester = { accountId: 'acc_1', actor: { kind: 'key', id: 'AbC-dEf_0123' } };
/** A caller of another account. */
export const STRANGER: Requester = { accountId: 'acc_2', actor: { kind: 'key', id: 'ZyX-wVu_9876' } };

/**
 * All ports that a use case can need, without network, database or real time. Storage and registry pass the contracts in
 * test/contract, as the real ones do.
 */
export class UseCaseContext {
  readonly clock = new MovableClock('2026-06-01T00:00:00.000Z');
  readonly lifecycleClock = new MovableClock('2026-03-01T00:00:00.000Z');
  readonly ids = new SequentialIds();
  readonly keys = new SequentialKeys();
  readonly tokens = new SequentialTokens();
  readonly passwords = new PlainPasswords();
  readonly storage = new InMemoryStorage(this.ids, this.clock);
  readonly registry = new ScriptedRegistry(this.lifecycleClock);
  readonly tlds = new TldPolicies(this.registry.policies());
  /** Renewals are tried a month before expiry, and then every day. */
  readonly plan = new LifecyclePlan(this.tlds, { leadDays: 30, retryDays: 1 });
  readonly publisher = new RecordingPublisher();
  readonly log = new RecordingLog();
  readonly dailyUsage = new InMemoryDailyUsage();
  /** In bytes; off until a test sets them. */
  readonly quotaLimits = { 'zone history': 0, 'stored responses': 0 };
  readonly quotas = new DailyQuotas(this.dailyUsage, this.quotaLimits, this.clock, this.log);

  /** A domain with an empty zone. The registry holds it for us, too, if its status says so. */
  async givenDomain(overrides: Partial<DomainState> = {}): Promise<Domain> {
    const domain = aDomain({ accountId: OURS.accountId, ...overrides });
    const { id, name, status, createdAt, expiresAt, nameservers, transferLocked } = domain.toState();
    if (status === 'active' || status === 'expired')
      this.registry.hold(name, { createdAt, expiresAt, nameservers, transferLocked });
    await this.storage.run(async ({ domains, zones }) => {
      await domains.add(domain);
      await zones.create(id, this.byUs);
    });
    return domain;
  }

  async givenNameservers(domainId: string, nameservers: readonly string[]): Promise<void> {
    await this.storage.run(async ({ domains, zones }) => {
      const before = (await domains.lockAny(domainId))?.toState();
      if (!before) throw new Error(`there is no domain ${domainId}`);
      const after = { ...before, nameservers };
      await domains.save(Domain.fromState(after));
      await raisePublishedVersions({ domains, zones }, before, after, this.byUs, () => this.ids.next('rec'));
    });
  }

  /** Adds records to a zone without validation. */
  async givenRecords(domainId: string, added: readonly DnsRecord[]): Promise<void> {
    await this.storage.run(async ({ zones }) => {
      const zone = await zones.lock(domainId);
      if (zone) await zones.apply([{ zone, change: { added, changed: [], removed: [] }, by: this.byUs }]);
    });
  }

  get auditEntries(): readonly AuditEntry[] {
    return [...this.storage.tables.audit.values()];
  }

  private get byUs(): ZoneWrite['by'] {
    return { actor: OURS.actor, at: this.clock.now() };
  }
}
