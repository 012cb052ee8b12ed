import type { Clock } from '../../../../application/ports/system';
import type { RegistryRecords } from './store/registry-store';

/** Real time plus the stored offset. Caches the offset that was last read. */
export class RegistryClock implements Clock {
  private offset = 0;

  constructor(private readonly real: Clock) {}

  /** With the cached offset: another process may have advanced the clock since. */
  now(): Date {
    return new Date(this.real.now().getTime() + this.offset);
  }

  async read(records: RegistryRecords): Promise<Date> {
    this.offset = await records.clockOffset();
    return this.now();
  }
}
