import { randomFillSync } from 'node:crypto';

/** Random octets fetched at once: ulid uses one per character, and a system call for each is slow. */
const POOL_BYTES = 4_096;
const OCTET_VALUES = 256;

/** Returns a function that returns fractions from 0 to below 1, with eight random bits each. */
export function randomFractions(): () => number {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const octet = pool.readUInt8(used);
    used += 1;
    return octet / OCTET_VALUES;
  };
}
