import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { IdGenerator, IdPrefix } from '../../application/ports/system/id-generator';

/** Of random octets in store: the library takes one a character, which is dear when each is asked of the system. */
const STORE = 4_096;
const VALUES = 256;

/** ULIDs in lower case: sorted by time, and within a millisecond by their order in this process. */
export class RandomIds implements IdGenerator {
  private readonly ulid = monotonicFactory(() => this.fraction());
  private readonly store = Buffer.alloc(STORE);
  private used = STORE;

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.ulid().toLowerCase()}`;
  }

  private fraction(): number {
    if (this.used === STORE) {
      randomFillSync(this.store);
      this.used = 0;
    }
    const octet = this.store.readUInt8(this.used);
    this.used += 1;
    return octet / VALUES;
  }
}
