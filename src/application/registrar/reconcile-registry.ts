import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { OPERATOR } from '../../domain/access/actor';
import { Domain, type DomainState } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import { MAX_DIFFERENCES, type Difference, type Reconciliation } from '../../domain/registrar/reconciliation';
import { sameDay } from '../../domain/shared/calendar';
import { DomainSync } from '../lifecycle/domain-sync';
import { LifecyclePlan } from '../lifecycle/lifecycle-plan';
import { DomainReader } from '../ports/registration/domain-repository';
import type { RegistryNameListing } from '../ports/registry/name-listings';
import { RegistryDirectory } from '../ports/registry/registry-directory';
import { RegistryRejected, RegistryUnavailable } from '../ports/registry/registry-errors';
import { RegistryPort, type RegistryDomain } from '../ports/registry/registry-port';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { Log } from '../ports/system/log';
import { settleAll } from '../settle-all';
import { AdoptName } from './adopt-name';

const BATCH_SIZE = 200;
const CONCURRENT_NAMES = 8;
/** Calls for a name, if the registry does not respond. */
const ATTEMPTS = 3;

export interface ReconcileOptions {
  /** Adopts the registry's data. */
  readonly fix: boolean;
  /** Which account gets the names that are missing here when they are fixed; none if absent. */
  readonly accountId?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface ReconcileReport {
  readonly reconciliation: Reconciliation;
  /** The differences that are left, at most `MAX_DIFFERENCES`. */
  readonly left: readonly Difference[];
  /** The differences that were fixed, at most `MAX_DIFFERENCES`. */
  readonly fixed: readonly Difference[];
  readonly fixedCount: number;
}

/** Collects differences in limited memory. */
class Differences {
  readonly kept: Difference[] = [];
  count = 0;

  add(found: readonly Difference[]): void {
    this.count += found.length;
    this.kept.push(...found.slice(0, Math.max(0, MAX_DIFFERENCES - this.kept.length)));
  }
}

/**
 * Compares what a registry holds with what the service holds: one call for each domain here, and the registry's list for names
 * that are missing here. Changes nothing at the registry. @throws RegistryUnavailable, and then nothing is stored
 */
@injectable()
export class ReconcileRegistry {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(RegistryDirectory) private readonly directory: RegistryDirectory,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(DomainSync) private readonly domainSync: DomainSync,
    @inject(AdoptName) private readonly adoptName: AdoptName,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  async execute(listing: RegistryNameListing, options: ReconcileOptions): Promise<ReconcileReport> {
    const { registry } = listing;
    const [left, fixed] = [new Differences(), new Differences()];
    const compared = await this.compareOurs(registry, options, { left, fixed });
    const listed = await this.findMissingHere(listing, options, { left, fixed });
    const reconciliation = { registry, finishedAt: this.clock.now(), compared, listed, differences: left.count };
    await this.unitOfWork.run(({ reconciliations }) => reconciliations.replace(reconciliation, left.kept));
    const facts = { registry, compared, listed, differences: left.count, fixed: fixed.count };
    if (left.count > 0) this.log.warn(facts, 'the registry holds other data than the service: see domain reconcile');
    else this.log.info(facts, 'the registry was compared with the service');
    return { reconciliation, left: left.kept, fixed: fixed.kept, fixedCount: fixed.count };
  }

  /** Returns how many domains were compared. */
  private async compareOurs(
    registry: string,
    { fix, signal }: ReconcileOptions,
    { left, fixed }: { readonly left: Differences; readonly fixed: Differences },
  ): Promise<number> {
    let compared = 0;
    let after: string | undefined;
    for (;;) {
      const page = await this.domains.livePage(BATCH_SIZE, after);
      const waiting = page.filter(({ name }) => this.isServedBy(registry, name));
      compared += waiting.length;
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          signal?.throwIfAborted();
          const found = await this.compare(next);
          if (found.length === 0) continue;
          const isFixed = fix && (await this.sync(next)) && (await this.compare(next)).length === 0;
          (isFixed ? fixed : left).add(found);
        }
      };
      await settleAll(Array.from({ length: CONCURRENT_NAMES }, worker));
      after = page.at(-1)?.id;
      if (page.length < BATCH_SIZE) return compared;
    }
  }

  private isServedBy(registry: string, name: string): boolean {
    return this.directory.registryFor(DomainName.fromState(name))?.registry === registry;
  }

  /** Compares with the committed state after the call, so that a change in the meantime is no difference. */
  private async compare({ id, name }: Pick<DomainState, 'id' | 'name'>): Promise<readonly Difference[]> {
    const facts = await this.info(DomainName.fromState(name));
    return this.unitOfWork.run(async ({ domains, operations }) => {
      const domain = await domains.lockAny(id);
      const state = domain?.toState();
      if (!state || state.status === 'pending' || state.status === 'transferred_out') return [];
      const found = this.differencesOf(state, facts);
      return found.length > 0 && (await operations.unfinished(id)).length > 0 ? [] : found;
    });
  }

  /** What a check of the domain would change. */
  private differencesOf(state: DomainState, facts: RegistryDomain | undefined): readonly Difference[] {
    const { name, accountId, id: domainId } = state;
    const differ = (kind: Difference['kind'], ours: string, theirs: string): Difference[] =>
      ours === theirs ? [] : [{ name, kind, accountId, domainId, ours, theirs }];
    if (!facts) return differ('missing there', state.status, 'unregistered');
    if (!facts.sponsoredByUs) return differ('missing there', state.status, 'held by another registrar');
    const theirs = this.adopted(state, facts);
    if (!theirs) return differ('status', state.status, facts.phase);
    return [
      ...differ('status', state.status, theirs.status),
      ...(sameDay(state.expiresAt, theirs.expiresAt)
        ? []
        : differ('expiry', state.expiresAt.toISOString(), theirs.expiresAt.toISOString())),
      ...differ('lock', lockText(state), lockText(theirs)),
      ...differ('nameservers', hostsText(state), hostsText(theirs)),
    ];
  }

  /** The domain after a check; undefined if its status cannot become the registry's. */
  private adopted(state: DomainState, facts: RegistryDomain): DomainState | undefined {
    const domain = Domain.fromState(state);
    try {
      this.plan.adopt(domain, facts, this.lifecycleClock.now());
      return domain.toState();
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /** Returns whether the check ran. */
  private async sync({ id, name }: Pick<DomainState, 'id' | 'name'>): Promise<boolean> {
    const now = this.lifecycleClock.now();
    await this.unitOfWork.run(async ({ domains }) => {
      const domain = await domains.lockAny(id);
      domain?.schedule(now);
      if (domain) await domains.save(domain);
    });
    try {
      await this.domainSync.sync({ id, name });
      return true;
    } catch (error) {
      if (error instanceof RegistryUnavailable) throw error;
      this.log.error({ err: error, domainId: id }, 'the check of a domain failed and is retried');
      return false;
    }
  }

  /** Returns whether the registry lists its names. */
  private async findMissingHere(
    listing: RegistryNameListing,
    { fix, accountId, signal }: ReconcileOptions,
    { left, fixed }: { readonly left: Differences; readonly fixed: Differences },
  ): Promise<boolean> {
    let cursor: string | undefined;
    do {
      signal?.throwIfAborted();
      const page = await this.page(listing, cursor);
      if (!page) return false;
      const here = await this.domains.liveAmong(page.names.map(({ name }) => name.value));
      const known = new Set(here.map(({ name }) => name));
      for (const { name, expiresAt } of page.names) {
        if (known.has(name.value)) continue;
        const theirs = `held until ${expiresAt.toISOString()}`;
        const found = {
          name: name.value,
          kind: 'missing here',
          accountId: null,
          domainId: null,
          ours: 'missing',
          theirs,
        } as const;
        const isAdopted = fix && accountId !== undefined && (await this.adopt(name, accountId));
        (isAdopted ? fixed : left).add([found]);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return true;
  }

  private async page(listing: RegistryNameListing, cursor: string | undefined) {
    try {
      return await this.retrying(() => listing.list(cursor));
    } catch (error) {
      if (error instanceof RegistryRejected && error.reason === 'unsupported') return undefined;
      throw error;
    }
  }

  private async adopt(name: DomainName, accountId: string): Promise<boolean> {
    const held = await this.adoptName.read(name, accountId);
    if (!held) return false;
    const outcome = await this.unitOfWork.run((stores) =>
      this.adoptName.apply(stores, { accountId, actor: OPERATOR, held }),
    );
    return outcome !== 'taken';
  }

  private info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.retrying(() => this.registry.info(name));
  }

  private async retrying<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof RegistryUnavailable) || attempt >= ATTEMPTS) throw error;
        await sleep(error.retryAfterSeconds * 1_000);
      }
    }
  }
}

function lockText({ transferLocked }: DomainState): string {
  return transferLocked ? 'on' : 'off';
}

function hostsText({ nameservers }: DomainState): string {
  return nameservers
    .map((host) => host.toLowerCase())
    .toSorted()
    .join(', ');
}
