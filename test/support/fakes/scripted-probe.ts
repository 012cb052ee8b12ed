import type { DnsProbe, LookupQuestion } from '../../../src/application/ports/health/health-repository';
import type { Lookup } from '../../../src/domain/health/lookup';

/** Answers from what a test sets; other names do not exist, and other nameservers do not respond. */
export class ScriptedProbe implements DnsProbe {
  /** By `name type`. */
  readonly lookups = new Map<string, Lookup>();
  /** By zone and address. */
  readonly serials = new Map<string, number>();
  readonly questions: string[] = [];
  /** Runs during each query. */
  during: () => Promise<void> = () => Promise.resolve();

  set(name: string, type: LookupQuestion['type'], ...records: readonly string[]): void {
    this.lookups.set(`${name} ${type}`, { kind: 'found', records, via: [], isAuthentic: false });
  }

  async resolve({ name, type, withoutValidation }: LookupQuestion): Promise<Lookup> {
    this.questions.push(`${name} ${type}${withoutValidation ? ' CD' : ''}`);
    await this.during();
    return this.lookups.get(`${name} ${type}`) ?? { kind: 'no_name', via: [] };
  }

  async querySoa(zoneName: string, address: string): ReturnType<DnsProbe['querySoa']> {
    this.questions.push(`${zoneName} @${address}`);
    const serial = this.serials.get(`${zoneName} ${address}`);
    return serial === undefined ? { kind: 'unreachable' } : { kind: 'serves', serial };
  }

  mayAsk(address: string): boolean {
    return !address.startsWith('10.');
  }
}
