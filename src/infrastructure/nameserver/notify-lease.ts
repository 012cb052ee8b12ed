import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Leases, LeaseState } from '../../application/ports/storage/leases';
import { endpointText, type Endpoint } from '../../domain/dns/secondary';

const LEASE = 'dns-notify';
const BEAT_EVERY_MS = 1_000;
/** More than two beats: a holder that misses one is late, and not gone. */
const STOPPED_AFTER_MS = 2_500;

/** Which of several processes sends NOTIFY for changes that it did not make itself. Measures beats on this process's monotonic clock. */
export class NotifyLease {
  private readonly owner: string;
  private readonly place: string;
  private beatAt = -Infinity;
  private seen: { readonly state: LeaseState; readonly at: number } | undefined;
  private isFirstLook = true;
  private isHeld = false;

  /** @param listens where this process answers nameservers; an earlier process that did so on this host has ended */
  constructor(
    private readonly leases: Leases,
    listens: Endpoint,
  ) {
    this.place = `${createHash('sha256')
      .update(`${hostname()} ${endpointText(listens)}`)
      .digest('hex')
      .slice(0, 16)}-`;
    this.owner = `${this.place}${randomBytes(8).toString('hex')}`;
  }

  /** Whether this process is the holder. Beats if it is due, and takes the lease if it is free or its holder has stopped. */
  async hold(): Promise<boolean> {
    const now = performance.now();
    if (this.isHeld && now - this.beatAt < BEAT_EVERY_MS) return true;
    try {
      const lease = await this.leases.find(LEASE);
      const mayBeTaken = !lease || lease.owner === this.owner || lease.owner === '' || this.isStopped(lease, now);
      this.isHeld = mayBeTaken && (await this.leases.hold(LEASE, this.owner, lease)).owner === this.owner;
      this.isFirstLook = false;
      if (this.isHeld) this.beatAt = now;
      return this.isHeld;
    } catch (error) {
      // While the database is away, the holder cannot beat either.
      this.seen = undefined;
      throw error;
    }
  }

  async release(): Promise<void> {
    if (this.isHeld) await this.leases.release(LEASE, this.owner);
    this.isHeld = false;
  }

  private isStopped(lease: LeaseState, now: number): boolean {
    // Only at the first look: two hosts of one name would otherwise take the lease from each other for ever.
    if (this.isFirstLook && lease.owner.startsWith(this.place)) return true;
    if (this.seen?.state.owner !== lease.owner || this.seen.state.beats !== lease.beats)
      this.seen = { state: lease, at: now };
    return now - this.seen.at >= STOPPED_AFTER_MS;
  }
}
