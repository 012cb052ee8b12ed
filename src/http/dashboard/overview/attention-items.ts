import { inject, injectable } from '../../../application/ports/inject';
import { ListDrifted, type DriftedState } from '../../../application/desired-state/list-drifted';
import { ApiKeyReader } from '../../../application/ports/access/accounts-and-api-keys';
import { AuditReader } from '../../../application/ports/access/audit-and-events';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import {
  OperationQueries,
  OperationReader,
  type NamedOperation,
} from '../../../application/ports/registration/operations-and-transfers';
import type { OperationState } from '../../../domain/registration/operations/operation';
import { LifecyclePlan } from '../../../application/operations/lifecycle-plan';
import {
  ReconciliationReader,
  type FoundDifference,
} from '../../../application/ports/registration/imports-and-reconciliation';
import { DeadLetterReader, type DeadLetter } from '../../../application/ports/registry/registries';
import { RenewalPriceStore } from '../../../application/ports/registration/domain-repository';
import type { Money } from '../../../domain/shared/money';
import { Clock, LifecycleClock } from '../../../application/ports/system';
import { ImportableRegistries } from '../../../application/registrar/imports/importable-registries';
import { isSupported } from '../../../application/operations/assert-supported';
import type { Requester } from '../../../domain/access/actor';
import { limitsOf, seesSomeDomains } from '../../../domain/access/key-permissions';
import { MAX_ACTIVE_KEYS, type ApiKey } from '../../../domain/access/api-key';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { DomainName } from '../../../domain/shared/domain-name';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { addDays } from '../../../domain/shared/time/calendar';

const SOON_DAYS = 30;
const RECENT_DAYS = 14;
const MAX_ITEMS = 5;
/** How many domains with problems are counted. */
const MAX_COUNTED = 99;
/** How many dead letters are searched for low-balance warnings. */
const MAX_MESSAGES = 20;
/** An operation that stays uncertain for longer is shown, because someone must contact the registry. */
const UNCERTAIN_ALERT_MS = 10 * 60_000;

/** The latest low-balance warning of a registry. */
export interface LowBalance {
  readonly registry: string;
  readonly text: string;
  readonly at: Date;
}

/** A domain whose transfer another registrar has requested. */
export interface LeavingDomain {
  readonly domain: DomainState;
  /** Whether its registrar lets us approve or reject the transfer. */
  readonly decidable: boolean;
}

/** A domain that ends unless it is renewed or restored. */
export interface LapsedDomain {
  readonly domain: DomainState;
  /** Until when that is possible, if known. */
  readonly until: Date | null;
}

/** A domain with auto-renewal off that ends soon. */
export interface EndingDomain {
  readonly domain: DomainState;
  readonly deadline: Date;
  /** The service deletes it before the registry would renew it. */
  readonly isDeletedHere: boolean;
  /** Whether the registrar renews it when it is asked to. */
  readonly isRenewable: boolean;
}

export interface RefusedRegistration extends AuditEntry {
  /** Undefined if it is no longer stored. */
  readonly operation: Pick<OperationState, 'id' | 'error'> | undefined;
}

/** What an account has to act upon, besides the numbers of its domains by status. */
export interface AttentionItems {
  /** Domains whose transfer another registrar has requested. */
  readonly leaving: readonly LeavingDomain[];
  /** Domains that have expired or are in redemption. */
  readonly lapsed: readonly LapsedDomain[];
  readonly ending: readonly EndingDomain[];
  /** How many domains have a problem, or “more than N”. */
  readonly unhealthy: number | string;
  readonly uncertain: readonly NamedOperation[];
  readonly failedRenewals: readonly NamedOperation[];
  readonly refused: readonly RefusedRegistration[];
  /** Registered domains whose registrant the registry did not take. */
  readonly registrants: readonly AuditEntry[];
  readonly keys: readonly ApiKey[];
  /** Names whose records were changed past their desired state. */
  readonly drifted: readonly DriftedState[];
  readonly balances: readonly LowBalance[];
  /** Differences between a registrar's data and ours. */
  readonly differences: readonly FoundDifference[];
  /** What renewing those that can be renewed costs, as far as it is known, by the id of the domain. */
  readonly prices: ReadonlyMap<string, Money>;
}

/** The domains of an account that it may lose. */
@injectable()
export class DomainAttention {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async find(requester: Requester): Promise<Pick<AttentionItems, 'leaving' | 'lapsed' | 'ending' | 'unhealthy'>> {
    const [leaving, lost, expired, ending, unhealthy] = await Promise.all([
      this.domains.leaving(requester, MAX_ITEMS + 1),
      this.lapsed(requester, 'redemption'),
      this.lapsed(requester, 'expired'),
      this.ending(requester),
      this.domains.count(requester, { of: 'names', health: 'problem' }, MAX_COUNTED),
    ]);
    const decidable = ({ name }: DomainState) =>
      isSupported(this.policies, DomainName.fromState(name), 'decide_transfer');
    return {
      leaving: leaving.map((domain) => ({ domain, decidable: decidable(domain) })),
      lapsed: [...lost, ...expired],
      ending,
      unhealthy: unhealthy ?? `more than ${MAX_COUNTED}`,
    };
  }

  /** The earliest deadline first. */
  private async ending(requester: Requester): Promise<readonly EndingDomain[]> {
    const soon = addDays(this.lifecycleClock.now(), SOON_DAYS);
    const found = await Promise.all([
      this.domains.ending(requester, soon, MAX_ITEMS + 1),
      ...this.plan
        .unrenewedDeletions()
        .map((deletion) => this.domains.ending(requester, addDays(soon, deletion.days), MAX_ITEMS + 1, deletion)),
    ]);
    return [...new Map(found.flat().map((domain) => [domain.id, domain])).values()]
      .map((domain) => {
        const deletionDueAt = this.plan.dates(domain)?.deletionDueAt;
        const isRenewable = this.plan.supports(domain, 'renewal');
        return {
          domain,
          deadline: deletionDueAt ?? domain.expiresAt,
          isDeletedHere: Boolean(deletionDueAt),
          isRenewable,
        };
      })
      .toSorted((one, other) => one.deadline.getTime() - other.deadline.getTime())
      .slice(0, MAX_ITEMS + 1);
  }

  /** The earliest expiry first, with the deadline. */
  private async lapsed(requester: Requester, status: DomainStatus): Promise<readonly LapsedDomain[]> {
    const list = { status, order: 'expiry', descending: false } as const;
    const { items } = await this.domains.filledPage(requester, list, MAX_ITEMS);
    return items.map((domain) => {
      const dates = this.plan.dates(domain);
      return { domain, until: dates?.redemptionEndsAt ?? dates?.renewableUntil ?? null };
    });
  }
}

/** What registries report to owners: low balances and names that may be imported; differences to all who see every domain. */
@injectable()
class RegistryAttention {
  constructor(
    @inject(DeadLetterReader) private readonly messages: DeadLetterReader,
    @inject(ReconciliationReader) private readonly reconciliations: ReconciliationReader,
    @inject(ImportableRegistries) private readonly importable: ImportableRegistries,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async find(requester: Requester, isOwner: boolean): Promise<Pick<AttentionItems, 'balances' | 'differences'>> {
    const open = isOwner ? await this.importable.of(requester) : [];
    const registries = open.map(({ registry }) => registry);
    const [messages, differences] = await Promise.all([
      isOwner ? this.messages.latest(MAX_MESSAGES) : [],
      seesSomeDomains(requester.actor)
        ? []
        : this.reconciliations.differences(requester.accountId, registries, MAX_ITEMS + 1),
    ]);
    return { balances: findLowBalances(messages, addDays(this.clock.now(), -RECENT_DAYS)), differences };
  }
}

/** Registrations whose registrant the registry did not take, until it is changed. */
@injectable()
class RefusedRegistrants {
  constructor(
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
  ) {}

  async find(requester: Requester): Promise<readonly AuditEntry[]> {
    const { accountId, actor } = requester;
    const { tags } = limitsOf(actor) ?? {};
    const entries = await this.audit.page(accountId, { action: 'domain.registrant_refused', tags }, MAX_ITEMS);
    if (entries.length === 0) return [];
    const held = await this.domains.held(
      requester,
      entries.flatMap(({ domain }) => domain?.id ?? []),
    );
    const isOpen = async ({ domain, at }: AuditEntry): Promise<boolean> => {
      if (!domain || !held.has(domain.id)) return false;
      const filter = { action: 'domain.registrant_changed', domainId: domain.id, since: at } as const;
      return (await this.audit.page(accountId, filter, 1)).length === 0;
    };
    const open = await Promise.all(entries.map(isOpen));
    return entries.filter((_entry, index) => open[index]);
  }
}

@injectable()
export class AttentionFinder {
  constructor(
    @inject(OperationQueries) private readonly operations: OperationQueries,
    @inject(OperationReader) private readonly history: Pick<OperationReader, 'page'>,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(DomainAttention) private readonly domains: DomainAttention,
    @inject(RegistryAttention) private readonly registries: RegistryAttention,
    @inject(RenewalPriceStore) private readonly prices: Pick<RenewalPriceStore, 'find'>,
    @inject(RefusedRegistrants) private readonly registrants: RefusedRegistrants,
    @inject(ListDrifted) private readonly drift: ListDrifted,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async find(requester: Requester, isOwner: boolean): Promise<AttentionItems> {
    const { accountId, actor } = requester;
    const tags = limitsOf(actor)?.tags;
    const now = this.clock.now();
    const since = addDays(now, -RECENT_DAYS);
    const [ofDomains, uncertain, failedRenewals, refused, keys, ofRegistries, registrants, drift] = await Promise.all([
      this.domains.find(requester),
      this.operations.uncertain(accountId, new Date(now.getTime() - UNCERTAIN_ALERT_MS), MAX_ITEMS, tags),
      this.operations.failedRenewals(accountId, since, MAX_ITEMS, tags),
      this.audit.page(accountId, { action: 'domain.refused', since, tags }, MAX_ITEMS),
      tags ? [] : this.keys.page(accountId, { activeAt: now }, MAX_ACTIVE_KEYS),
      this.registries.find(requester, isOwner),
      this.registrants.find(requester),
      this.drift.page(requester, MAX_ITEMS),
    ]);
    const explained = await Promise.all(refused.map((entry) => this.withOperation(accountId, entry)));
    const renewable = [
      ...ofDomains.lapsed.map(({ domain }) => domain.id),
      ...ofDomains.ending.map(({ domain }) => domain.id),
      ...failedRenewals.map(({ operation }) => operation.domainId),
    ];
    const known = await this.prices.find([...new Set(renewable)]);
    const prices = new Map(known.flatMap(({ domainId, price }) => (price ? [[domainId, price] as const] : [])));
    return {
      ...ofDomains,
      uncertain,
      failedRenewals,
      refused: explained,
      registrants,
      keys,
      prices,
      drifted: drift.items,
      ...ofRegistries,
    };
  }

  /** With the registration that was refused, which says why. */
  private async withOperation(accountId: string, entry: AuditEntry): Promise<RefusedRegistration> {
    const domainId = entry.domain?.id;
    const [operation] = domainId === undefined ? [] : await this.history.page({ accountId, domainId }, 1);
    return { ...entry, operation };
  }
}

/** The latest warning of each registry after `since`, newest first. @param messages newest first */
export function findLowBalances(messages: readonly DeadLetter[], since: Date): readonly LowBalance[] {
  const latest = new Map<string, LowBalance>();
  for (const { registry, message, receivedAt } of messages) {
    const { kind, text } = JSON.parse(message) as { readonly kind?: unknown; readonly text?: unknown };
    if (kind === 'low_balance' && receivedAt >= since && !latest.has(registry))
      latest.set(registry, { registry, text: typeof text === 'string' ? text : '', at: receivedAt });
  }
  return [...latest.values()];
}
