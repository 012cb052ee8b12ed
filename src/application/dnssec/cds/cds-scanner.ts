import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable } from '../../ports/inject';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { LeasedLoop } from '../../shared/leases/leased-loop';
import { Outage } from '../../shared/outage';
import { CdsScanReader, type ScanCandidate } from '../../ports/dns/other-nameservers';
import { Leases } from '../../ports/storage/replicas';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { Clock, Log } from '../../ports/system';
import { settleAll } from '../../shared/settle-all';
import { cdsPolicyOf } from './cds-policy-of';
import { ScanChild } from './scan-child';

const CHECK_EVERY_MS = 10 * 60_000;
const CANDIDATES_AT_ONCE = 500;
/** A scan waits for slow nameservers, so several run at once. */
const CONCURRENT_SCANS = 8;
/** A million domains take less than a day: each is scanned once a day. */
const SCANS_PER_SECOND = 20;

/** Scans the domains with foreign nameservers of all TLDs that have a CDS policy, at a steady rate, in one process at a time. */
@injectable()
export class CdsScanner extends LeasedLoop {
  private readonly scanOutage: Outage;

  constructor(
    @inject(CdsScanReader) private readonly scans: CdsScanReader,
    @inject(ScanChild) private readonly scanChild: Pick<ScanChild, 'execute' | 'isForeign'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    super(leases, 'cds-scan', CHECK_EVERY_MS, new Outage(log, 'reading domains to scan for CDS records'));
    this.scanOutage = new Outage(log, 'scanning domains for CDS records');
  }

  /** Does nothing if no TLD has a CDS policy. */
  override start(): void {
    if (this.policies.all().some(({ cds }) => cds !== undefined)) super.start();
  }

  protected async hasDue(): Promise<boolean> {
    return true;
  }

  protected async runDue(stopping: AbortSignal): Promise<void> {
    let after = '';
    for (let isMore = true; isMore && !stopping.aborted;) {
      const candidates = await this.scans.candidates(this.clock.now(), after, CANDIDATES_AT_ONCE);
      await this.scanSome(candidates, stopping);
      after = candidates.at(-1)?.id ?? after;
      isMore = candidates.length === CANDIDATES_AT_ONCE;
    }
  }

  private async scanSome(candidates: readonly ScanCandidate[], stopping: AbortSignal): Promise<void> {
    const waiting = candidates.filter(
      (candidate) => this.policyOf(candidate) && this.scanChild.isForeign(candidate.nameservers),
    );
    let nextAt = performance.now();
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !stopping.aborted; next = waiting.shift()) {
        const now = performance.now();
        const turn = Math.max(nextAt, now);
        nextAt = turn + 1_000 / SCANS_PER_SECOND;
        if (turn > now) await sleep(turn - now, undefined, { ref: false });
        await this.scan(next);
      }
    };
    await settleAll(Array.from({ length: CONCURRENT_SCANS }, worker));
  }

  /** A domain that cannot be scanned does not hold up the others; it stays due. */
  private async scan(candidate: ScanCandidate): Promise<void> {
    const policy = this.policyOf(candidate);
    try {
      if (policy) await this.scanChild.execute(candidate, policy);
      this.scanOutage.recordSuccess();
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      this.scanOutage.recordFailure(error);
    }
  }

  private policyOf({ name }: ScanCandidate) {
    return cdsPolicyOf(this.policies, name);
  }
}
