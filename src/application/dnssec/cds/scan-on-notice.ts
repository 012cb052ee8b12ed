import { inject, injectable } from '../../ports/inject';
import { TldPolicies } from '../../../domain/registration/tld-policy';
import { levelOf } from '../../shared/level-of';
import { CdsScanReader } from '../../ports/dns/parent-and-child-zones';
import { Log } from '../../ports/system';
import { cdsPolicyOf } from './cds-policy-of';
import { ScanChild } from './scan-child';
import { ScanDelegation } from './scan-delegation';

/** A domain is not scanned more often, however many notifications arrive. */
const EVERY_MS = 60_000;
const CONCURRENT_SCANS = 8;
const BUSY_MS = 1_000;
const MAX_NAMES = 1_000;

interface NotifiedName {
  /** When its last scan began, in milliseconds of `performance.now`. */
  scannedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Scans a domain for CDS records when its operator sends NOTIFY(CDS) (RFC 9859), instead of once a day, and what a zone here delegates
 * to. Anyone can send it: a scan is limited as one of the daily ones, and decides as they do. What waits is in memory only.
 */
@injectable()
export class ScanOnNotice {
  private readonly names = new Map<string, NotifiedName>();
  private readonly running = new Set<Promise<void>>();

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
    if (!(await this.scanOf(name))) return 'unknown';
    this.forgetOld();
    const known = this.names.get(name);
    if (known?.timer) return 'accepted';
    if (!known && this.names.size >= MAX_NAMES) return 'busy';
    const waitMs = known ? Math.max(0, known.scannedAt + EVERY_MS - performance.now()) : 0;
    this.schedule(name, known ?? { scannedAt: 0, timer: undefined }, waitMs);
    return 'accepted';
  }

  /** Drops what waits, and waits for running scans. */
  async stop(): Promise<void> {
    for (const { timer } of this.names.values()) clearTimeout(timer);
    this.names.clear();
    await Promise.all(this.running);
  }

  private schedule(name: string, notified: NotifiedName, waitMs: number): void {
    notified.timer = setTimeout(() => this.begin(name, notified), waitMs).unref();
    this.names.set(name, notified);
  }

  private begin(name: string, notified: NotifiedName): void {
    if (this.running.size >= CONCURRENT_SCANS) return this.schedule(name, notified, BUSY_MS);
    notified.timer = undefined;
    notified.scannedAt = performance.now();
    const running: Promise<void> = this.scan(name)
      .catch((error: unknown) =>
        this.log[levelOf(error)]({ err: error, name }, 'a notified scan for CDS records failed'),
      )
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async scan(name: string): Promise<void> {
    await (
      await this.scanOf(name)
    )?.();
  }

  /** Undefined if the name is not scanned. */
  private async scanOf(name: string): Promise<(() => Promise<void>) | undefined> {
    const policy = cdsPolicyOf(this.policies, name);
    const candidate = policy && (await this.scans.candidate(name));
    if (policy && candidate && this.scanChild.isForeign(candidate.nameservers))
      return () => this.scanChild.execute(candidate, policy);
    const delegation = await this.scanDelegation.find(name);
    return delegation && (() => this.scanDelegation.execute(delegation));
  }

  private forgetOld(): void {
    const before = performance.now() - EVERY_MS;
    for (const [name, { scannedAt, timer }] of this.names) if (!timer && scannedAt <= before) this.names.delete(name);
  }
}
