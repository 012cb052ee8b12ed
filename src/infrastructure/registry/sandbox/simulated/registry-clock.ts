import type { Clock } from '../../../../application/ports/system/clock';
import type { RegistryRecords } from './registry-store';

/** Real time plus what the registry was moved ahead by. The offset is the store's; what is kept here is what was last seen of it. */
export class RegistryClock implements Clock {
  private offset = 0;

  constructor(private readonly real: Clock) {}

  /** As of the last look at the store: another process may have moved the clock since. */
  now(): Date {
    return new Date(this.real.now().getTime() + this.offset);
  }

  async read(records: RegistryRecords): Promise<Date> {
    this.offset = await records.clockOffset();
    return this.now();
  }
}
