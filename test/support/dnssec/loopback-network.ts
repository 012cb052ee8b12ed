import { randomInt } from 'node:crypto';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';

/** The port of a delegation's nameservers. */
const DNS_PORT = 53;

/** A network of 127.0.0.0/8 that no other test uses, so that every nameserver has an address with port 53. */
export class LoopbackNetwork {
  private readonly network = `127.${randomInt(64, 255)}.${randomInt(256)}`;
  private last = 0;

  /** The next address, with port 53. */
  next(): Endpoint {
    return { address: `${this.network}.${(this.last += 1)}`, port: DNS_PORT };
  }
}
