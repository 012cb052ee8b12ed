import type { SecondaryAnswer } from '../../../application/ports/dns/publishing';
import type { SerialResult } from '../nameserver-client';

const MAX_ENTRIES = 100_000;

/** Records since when each nameserver has served its current serial of a zone, as seen by this process. */
export class ServedSerials {
  /** Least recently updated first. */
  private readonly entries = new Map<string, { readonly serial: number; readonly since: Date }>();

  record(secondary: string, zoneName: string, answer: SerialResult, now: Date): SecondaryAnswer {
    if (answer.kind !== 'serves') return answer;
    const key = `${secondary} ${zoneName}`;
    const previous = this.entries.get(key);
    const entry = previous?.serial === answer.serial ? previous : { serial: answer.serial, since: now };
    this.entries.delete(key);
    this.entries.set(key, entry);
    const [oldest] = this.entries.size > MAX_ENTRIES ? this.entries.keys() : [];
    if (oldest !== undefined) this.entries.delete(oldest);
    return { kind: 'serves', ...entry };
  }
}
