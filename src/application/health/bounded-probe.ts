import { isAtOrBelow } from '../../domain/shared/name-relation';
import type { Lookup } from '../../domain/health/lookup';
import type { DnsProbe, LookupQuestion } from '../ports/health/health-repository';

/** Of one check of a domain. */
const MAX_QUERIES = 150;
const MAX_DURATION_MS = 15_000;
const LIMIT_REACHED = 'the check had reached its limit';

/** Answers that several domains share, by question. */
export type SharedLookups = Map<string, Promise<Lookup>>;

/** A probe for one check of a domain: asks each question once, and no more after its limit of queries or time. */
export class BoundedProbe implements DnsProbe {
  private readonly own: SharedLookups = new Map();
  private readonly deadline = performance.now() + MAX_DURATION_MS;
  private queries = 0;

  /** @param shared for names outside the domain */
  constructor(
    private readonly probe: DnsProbe,
    private readonly domainName: string,
    private readonly shared: SharedLookups = new Map(),
  ) {}

  resolve(question: LookupQuestion): Promise<Lookup> {
    const { name, type, withoutValidation = false } = question;
    const isOwn = isAtOrBelow(name, this.domainName);
    const lookups = isOwn ? this.own : this.shared;
    const key = `${name} ${type} ${withoutValidation}`;
    const known = lookups.get(key);
    if (known) return known;
    if (!this.take()) return Promise.resolve({ kind: 'failed', reason: LIMIT_REACHED });
    const asked = this.probe.resolve(question);
    lookups.set(key, asked);
    return asked;
  }

  async querySoa(zoneName: string, address: string): ReturnType<DnsProbe['querySoa']> {
    return this.take() ? this.probe.querySoa(zoneName, address) : { kind: 'unknown', reason: LIMIT_REACHED };
  }

  mayAsk(address: string): boolean {
    return this.probe.mayAsk(address);
  }

  private take(): boolean {
    this.queries += 1;
    return this.queries <= MAX_QUERIES && performance.now() < this.deadline;
  }
}
