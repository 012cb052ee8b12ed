import { randomUUID } from 'node:crypto';
import type { Leases, LeaseState } from '../../ports/storage/replicas';

/** A holder that has not confirmed its lease for this long is dead. Holders confirm it at least every 5 seconds. */
const HOLDER_TIMEOUT_MS = 15_000;

/** A lease by which one process at a time does some background work. */
export class ExclusiveLease {
  private readonly owner = randomUUID();
  private seen: { readonly state: LeaseState; readonly at: number } | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly name: string,
    private readonly timeoutMs = HOLDER_TIMEOUT_MS,
  ) {}

  /** Takes or confirms the lease. Returns whether this process holds it. */
  async hold(): Promise<boolean> {
    const lease = await this.leases.find(this.name);
    const canTake = !lease || lease.owner === this.owner || lease.owner === '' || this.detectDeadHolder(lease);
    return canTake && (await this.leases.hold(this.name, this.owner, lease)).owner === this.owner;
  }

  /** Returns whether this process still holds the lease. Never takes it. */
  confirm(): Promise<boolean> {
    return this.leases.confirm(this.name, this.owner);
  }

  async release(): Promise<void> {
    await this.leases.release(this.name, this.owner);
  }

  private detectDeadHolder(state: LeaseState): boolean {
    const now = performance.now();
    if (this.seen?.state.owner !== state.owner || this.seen.state.beats !== state.beats) this.seen = { state, at: now };
    return now - this.seen.at >= this.timeoutMs;
  }
}
