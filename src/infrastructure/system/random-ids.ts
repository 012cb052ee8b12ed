import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { IdGenerator, IdPrefix } from '../../application/ports/system';

/** Random octets fetched at once: ulid uses one per character, and a system call for each is slow. */
const POOL_BYTES = 4_096;
const OCTET_VALUES = 256;

/** Lower-case ULIDs, sorted by time and, within a millisecond, by their order in this process. */
export class RandomIds implements IdGenerator {
  private readonly ulid = monotonicFactory(() => this.fraction());
  private readonly pool = Buffer.alloc(POOL_BYTES);
  private used = POOL_BYTES;

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.ulid().toLowerCase()}`;
  }

  private fraction(): number {
    if (this.used === POOL_BYTES) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    const octet = this.pool.readUInt8(this.used);
    this.used += 1;
    return octet / OCTET_VALUES;
  }
}
