import { inject, injectable } from '../../ports/inject';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { levelOf } from '../../shared/level-of';
import { CdsScanReader } from '../../ports/dns/other-nameservers';
import { Log } from '../../ports/system';
import { cdsPolicyOf } from './cds-policy-of';
import { ScanChild } from './scan-child';
import { ScanDelegation } from './scan-delegation';

/** A domain is not scanned more often, however many notifications arrive. */
const EVERY_MS = 60_000;
const CONCURRENT_SCANS = 8;
const BUSY_MS = 1_000;
const MAX_NAMES = 1_000;
/** Delegations cost nothing, so that one account could have all that wait, and all running scans, at nameservers that are slow. */
const MAX_DELEGATIONS_OF_ACCOUNT = 100;
const CONCURRENT_SCANS_OF_ACCOUNT = 2;

interface NotifiedName {
  /** Of the zone above, for a delegation. */
  readonly delegatedBy: string | undefined;
  /** When its last scan began, in milliseconds of `performance.now`. */
  scannedAt: number;
  timer: NodeJS.Timeout | undefined;
}

interface Scan extends Pick<NotifiedName, 'delegatedBy'> {
  readonly run: () => Promise<void>;
}

/**
 * Scans a domain for CDS records when its operator sends NOTIFY(CDS) (RFC 9859), instead of once a day, and what a zone here delegates
 * to. Anyone can send it: a scan is limited as one of the daily ones, and decides as they do. What waits is in memory only.
 */
@injectable()
export class ScanOnNotice {
  private readonly names = new Map<string, NotifiedName>();
  /** With the accounts that delegate the names. */
  private readonly running = new Map<Promise<void>, string | undefined>();

  constructor(
    @inject(CdsScanReader) private readonly scans: Pick<CdsScanReader, 'candidate'>,
    @inject(ScanChild) private readonly scanChild: Pick<ScanChild, 'execute' | 'isForeign'>,
    @inject(ScanDelegation) private readonly scanDelegation: Pick<ScanDelegation, 'execute' | 'find'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Log) private readonly log: Log,
  ) {}

  /** `unknown`: the service is not the parent's side of this name, or does not read its CDS records. @throws StorageUnavailable */
  async execute(name: string): Promise<'accepted' | 'unknown' | 'busy'> {
    if (this.names.get(name)?.timer) return 'accepted';
    const found = await this.findScan(name);
    if (!found) return 'unknown';
    const { delegatedBy } = found;
    this.forgetOld();
    const known = this.names.get(name);
    if (known?.timer) return 'accepted';
    if (!known && (this.names.size >= MAX_NAMES || this.hasManyNames(delegatedBy))) return 'busy';
    const waitMs = known ? Math.max(0, known.scannedAt + EVERY_MS - performance.now()) : 0;
    this.schedule(name, known ?? { scannedAt: 0, timer: undefined, delegatedBy }, waitMs);
    return 'accepted';
  }

  /** Drops what waits, and waits for running scans. */
  async stop(): Promise<void> {
    for (const { timer } of this.names.values()) clearTimeout(timer);
    this.names.clear();
    await Promise.all(this.running.keys());
  }

  private schedule(name: string, notified: NotifiedName, waitMs: number): void {
    notified.timer = setTimeout(() => this.begin(name, notified), waitMs).unref();
    this.names.set(name, notified);
  }

  private begin(name: string, notified: NotifiedName): void {
    const { delegatedBy } = notified;
    if (this.running.size >= CONCURRENT_SCANS || this.hasManyScans(delegatedBy))
      return this.schedule(name, notified, BUSY_MS);
    notified.timer = undefined;
    notified.scannedAt = performance.now();
    const running: Promise<void> = this.scan(name)
      .catch((error: unknown) =>
        this.log[levelOf(error)]({ err: error, name }, 'a notified scan for CDS records failed'),
      )
      .finally(() => this.running.delete(running));
    this.running.set(running, delegatedBy);
  }

  private async scan(name: string): Promise<void> {
    await (await this.findScan(name))?.run();
  }

  private hasManyNames(account: string | undefined): boolean {
    return (
      count(
        [...this.names.values()].map(({ delegatedBy }) => delegatedBy),
        account,
      ) >= MAX_DELEGATIONS_OF_ACCOUNT
    );
  }

  private hasManyScans(account: string | undefined): boolean {
    return count([...this.running.values()], account) >= CONCURRENT_SCANS_OF_ACCOUNT;
  }

  /** Undefined if the name is not scanned. */
  private async findScan(name: string): Promise<Scan | undefined> {
    const policy = cdsPolicyOf(this.policies, name);
    const candidate = policy && (await this.scans.candidate(name));
    if (policy && candidate && this.scanChild.isForeign(candidate.nameservers))
      return { delegatedBy: undefined, run: () => this.scanChild.execute(candidate, policy) };
    const delegation = await this.scanDelegation.find(name);
    if (!delegation) return undefined;
    return { delegatedBy: delegation.above.accountId, run: () => this.scanDelegation.execute(delegation) };
  }

  private forgetOld(): void {
    const before = performance.now() - EVERY_MS;
    for (const [name, { scannedAt, timer }] of this.names) if (!timer && scannedAt <= before) this.names.delete(name);
  }
}

/** How many are of the account; none if there is no account. */
function count(accounts: readonly (string | undefined)[], account: string | undefined): number {
  return account === undefined ? 0 : accounts.filter((each) => each === account).length;
}
