import type { Clock } from '../../../application/ports/system';
import { isSerialAtLeast, serialOf } from '../../../domain/dns/zone-serial';

/** Polls repeat a change for as long as clocks may differ. */
const REPEATED_FOR_MS = 300_000;
const MAX_ZONES = 50_000;

/** Recent serials that a secondary serves, so that repeated changes cost no query. */
export class ConfirmedSerials {
  /** Oldest first. */
  private readonly serials = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Whether the secondary is known to serve this serial, or a later one. */
  has(zoneName: string, serial: number): boolean {
    const known = this.serials.get(zoneName);
    return known !== undefined && isSerialAtLeast(serialOf(known), serialOf(serial));
  }

  add(zoneName: string, serial: number, changedAt: number): void {
    this.serials.delete(zoneName);
    if (changedAt < this.clock.now().getTime() - REPEATED_FOR_MS) return;
    this.serials.set(zoneName, serial);
    const [oldest] = this.serials.size > MAX_ZONES ? this.serials.keys() : [];
    if (oldest !== undefined) this.serials.delete(oldest);
  }

  delete(zoneName: string): void {
    this.serials.delete(zoneName);
  }

  clear(): void {
    this.serials.clear();
  }
}
