import { inject, injectable } from '../../ports/inject';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainName } from '../../../domain/shared/domain-name';
import { MAX_DIFFERENCES, type Difference, type Reconciliation } from '../../../domain/registrar/reconciliation';
import { differencesFound } from '../../audit/registry-events';
import { DomainReader } from '../../ports/registration/domain-repository';
import { type RegistryNameListing, RegistryDirectory } from '../../ports/registry/registries';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, Log } from '../../ports/system';
import { settleAll } from '../../shared/settle-all';
import { CompareDomain, UNREGISTERED } from './compare-domain';
import { FixDifference } from './fix-difference';
import { retryQuery } from './retry-query';

const BATCH_SIZE = 200;
const CONCURRENT_NAMES = 8;
/** More domains than this, and than a tenth of all, do not end: the credentials may be those of another account. */
const MAX_UNKNOWN = 10;

interface ReconcileOptions {
  /** Adopts the registry's data. Domains that it does not know end, unless they are many. */
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

interface Unknown {
  readonly domain: Pick<DomainState, 'id' | 'name'>;
  readonly found: readonly Difference[];
}

/** What one run has found. */
interface Findings {
  readonly left: Differences;
  readonly fixed: Differences;
  /** Domains to end that the registry does not know, by name. */
  readonly unknown: Map<string, Unknown>;
}

/**
 * Compares what a registry holds with what the service holds: one call for each domain here, and the registry's list for names
 * that are missing here. Changes nothing at the registry. @throws RegistryUnavailable, and then nothing is stored
 */
@injectable()
export class ReconcileRegistry {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RegistryDirectory) private readonly directory: RegistryDirectory,
    @inject(CompareDomain) private readonly compareDomain: CompareDomain,
    @inject(FixDifference) private readonly fixDifference: FixDifference,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'events' | 'reconciliations'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  async execute(listing: RegistryNameListing, options: ReconcileOptions): Promise<ReconcileReport> {
    const { registry } = listing;
    const findings: Findings = { left: new Differences(), fixed: new Differences(), unknown: new Map() };
    const { left, fixed } = findings;
    const compared = await this.compareOurs(registry, options, findings);
    const listed = await this.findMissingHere(listing, options, findings);
    await this.endUnknown(findings, { registry, compared });
    const reconciliation = { registry, finishedAt: this.clock.now(), compared, listed, differences: left.count };
    await this.unitOfWork.run(async ({ events, reconciliations }) => {
      const found = await reconciliations.replace(reconciliation, left.kept);
      await events.append(...differencesFound(reconciliation, found));
    });
    const facts = { registry, compared, listed, differences: left.count, fixed: fixed.count };
    if (left.count > 0) this.log.warn(facts, 'the registry holds other data than the service: see domain reconcile');
    else this.log.info(facts, 'the registry was compared with the service');
    return { reconciliation, left: left.kept, fixed: fixed.kept, fixedCount: fixed.count };
  }

  /** Returns how many domains were compared. */
  private async compareOurs(registry: string, { fix, signal }: ReconcileOptions, findings: Findings): Promise<number> {
    let compared = 0;
    let after: string | undefined;
    for (;;) {
      const page = await this.domains.livePage(BATCH_SIZE, after);
      const waiting = page.filter(({ name }) => this.isServedBy(registry, name));
      compared += waiting.length;
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          signal?.throwIfAborted();
          await this.reconcile(next, fix, findings);
        }
      };
      await settleAll(Array.from({ length: CONCURRENT_NAMES }, worker));
      after = page.at(-1)?.id;
      if (page.length < BATCH_SIZE) return compared;
    }
  }

  private async reconcile(
    domain: Pick<DomainState, 'id' | 'name'>,
    fix: boolean,
    { left, fixed, unknown }: Findings,
  ): Promise<void> {
    const found = await this.compareDomain.execute(domain);
    if (found.length === 0) return;
    const remaining = fix && (await this.fixDifference.sync(domain)) ? await this.compareDomain.execute(domain) : found;
    if (remaining.length === 0) fixed.add(found);
    else if (fix && remaining.some(({ theirs }) => theirs === UNREGISTERED) && unknown.size < MAX_DIFFERENCES)
      unknown.set(domain.name, { domain, found: remaining });
    else left.add(remaining);
  }

  private isServedBy(registry: string, name: string): boolean {
    return this.directory.registryFor(DomainName.fromState(name))?.registry === registry;
  }

  /** A domain that the registry does not know, and does not list either, was deleted there while the service did not know. */
  private async endUnknown(
    { left, fixed, unknown }: Findings,
    { registry, compared }: { readonly registry: string; readonly compared: number },
  ): Promise<void> {
    const isPlausible = unknown.size <= Math.max(MAX_UNKNOWN, compared / 10);
    if (!isPlausible)
      this.log.error(
        { registry, compared, unknown: unknown.size },
        'the registry does not know too many domains, which are left unchanged: check the credentials',
      );
    for (const { domain, found } of unknown.values()) {
      const isEnded = isPlausible && (await this.fixDifference.sync(domain, { endsUnknown: true }));
      const remaining = isEnded ? await this.compareDomain.execute(domain) : found;
      if (remaining.length === 0) fixed.add(found);
      else left.add(remaining);
    }
  }

  /** Returns whether the registry lists its names. */
  private async findMissingHere(
    listing: RegistryNameListing,
    { fix, accountId, signal }: ReconcileOptions,
    { left, fixed, unknown }: Findings,
  ): Promise<boolean> {
    let cursor: string | undefined;
    do {
      signal?.throwIfAborted();
      const page = await this.page(listing, cursor);
      if (!page) return false;
      const here = await this.domains.liveAmong(page.names.map(({ name }) => name.value));
      const known = new Set(here.map(({ name }) => name));
      for (const { name, expiresAt } of page.names) {
        const listed = unknown.get(name.value);
        if (listed && unknown.delete(name.value)) left.add(listed.found);
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
        const isAdopted = fix && accountId !== undefined && (await this.fixDifference.adopt(name, accountId));
        (isAdopted ? fixed : left).add([found]);
      }
      for (const { name, reason } of page.skipped ?? []) {
        // Listed, thus not deleted there.
        const listed = unknown.get(name);
        if (listed && unknown.delete(name)) left.add(listed.found);
        else left.add([{ name, kind: 'expiry', accountId: null, domainId: null, ours: 'skipped', theirs: reason }]);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return true;
  }

  private async page(listing: RegistryNameListing, cursor: string | undefined) {
    try {
      return await retryQuery(() => listing.list(cursor));
    } catch (error) {
      if (error instanceof RegistryRejected && error.reason === 'unsupported') return undefined;
      throw error;
    }
  }
}
