import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Leases, LeaseState } from '../../../application/ports/storage/replicas';
import { endpointText, type Endpoint } from '../../../domain/dns/secondaries/secondary';

const LEASE = 'dns-notify';
const HEARTBEAT_INTERVAL_MS = 1_000;
/** More than two heartbeats: a holder that misses one is late, not dead. */
const HOLDER_TIMEOUT_MS = 2_500;

/**
 * Elects the process that sends NOTIFY for changes of other processes. Measures heartbeats on this process's monotonic
 * clock, so that a correction of a wall clock does not matter.
 */
export class NotifyLease {
  private readonly owner: string;
  private readonly ownerPrefix: string;
  private lastHeartbeat = -Infinity;
  private lastSeen: { readonly state: LeaseState; readonly at: number } | undefined;
  private isFirstCheck = true;
  private isHeld = false;

  /** @param listenEndpoint an earlier process with this endpoint on this host must have ended */
  constructor(
    private readonly leases: Leases,
    listenEndpoint: Endpoint,
  ) {
    this.ownerPrefix = `${createHash('sha256')
      .update(`${hostname()} ${endpointText(listenEndpoint)}`)
      .digest('hex')
      .slice(0, 16)}-`;
    this.owner = `${this.ownerPrefix}${randomBytes(8).toString('hex')}`;
  }

  /** Sends a due heartbeat, or takes the lease if it is free or its holder is dead. Returns whether this process holds it. */
  async hold(): Promise<boolean> {
    const now = performance.now();
    if (this.isHeld && now - this.lastHeartbeat < HEARTBEAT_INTERVAL_MS) return true;
    try {
      const lease = await this.leases.find(LEASE);
      const canTake = !lease || lease.owner === this.owner || lease.owner === '' || this.isHolderDead(lease, now);
      this.isHeld = canTake && (await this.leases.hold(LEASE, this.owner, lease)).owner === this.owner;
      this.isFirstCheck = false;
      if (this.isHeld) this.lastHeartbeat = now;
      return this.isHeld;
    } catch (error) {
      // During a database outage, the holder cannot send heartbeats either.
      this.lastSeen = undefined;
      throw error;
    }
  }

  async release(): Promise<void> {
    if (this.isHeld) await this.leases.release(LEASE, this.owner);
    this.isHeld = false;
  }

  private isHolderDead(lease: LeaseState, now: number): boolean {
    // Only at the first check: two hosts with the same name would otherwise take the lease from each other forever.
    if (this.isFirstCheck && lease.owner.startsWith(this.ownerPrefix)) return true;
    if (this.lastSeen?.state.owner !== lease.owner || this.lastSeen.state.beats !== lease.beats)
      this.lastSeen = { state: lease, at: now };
    return now - this.lastSeen.at >= HOLDER_TIMEOUT_MS;
  }
}
