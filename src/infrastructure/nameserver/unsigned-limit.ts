import { networkOf } from '../system/network-of';
import type { Transport } from './wire/response-channel';

/** TCP proves the address, so it allows more. */
const TIMES_OVER_TCP = 5;
const MAX_NETWORKS = 10_000;

/** `truncate`: an empty response with TC=1, after which a client whose address is not forged retries over TCP. */
export type Verdict = 'respond' | 'truncate' | 'refuse' | 'drop';

interface Count {
  readonly second: number;
  count: number;
}

/** Limits the responses to requests without a valid signature, so that the listener is of no use for reflection or load. */
export class UnsignedLimit {
  private readonly counts: Readonly<Record<Transport, Map<string, Count>>> = { udp: new Map(), tcp: new Map() };

  /** @param perSecond responses over UDP to one network without a valid signature */
  constructor(private readonly perSecond: number) {}

  /** Counts one response. Over the limit, every second one over UDP is truncated and the others are dropped. */
  judge(transport: Transport, address: string, second: number): Verdict {
    const most = transport === 'tcp' ? TIMES_OVER_TCP * this.perSecond : this.perSecond;
    const excess = this.count(this.counts[transport], networkOf(address), second) - most;
    if (excess <= 0) return 'respond';
    if (transport === 'tcp') return 'refuse';
    return excess % 2 === 1 ? 'truncate' : 'drop';
  }

  private count(counts: Map<string, Count>, network: string, second: number): number {
    const known = counts.get(network);
    if (known?.second === second) return (known.count += 1);
    if (counts.size >= MAX_NETWORKS) counts.clear();
    counts.set(network, { second, count: 1 });
    return 1;
  }
}
