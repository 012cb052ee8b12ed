import type { SecondaryAnswer } from '../../application/ports/dns/zone-publisher';
import type { VersionAnswer } from './nameserver-client';

const REMEMBERED = 100_000;

/** Remembers when each nameserver was first seen to serve what it serves. */
export class Sightings {
  /** The least recently seen first. */
  private readonly seen = new Map<string, { readonly version: number; readonly since: Date }>();

  record(secondary: string, zoneName: string, answer: VersionAnswer, now: Date): SecondaryAnswer {
    if (answer.kind !== 'serves') return answer;
    const place = `${secondary} ${zoneName}`;
    const before = this.seen.get(place);
    const sighting = before?.version === answer.version ? before : { version: answer.version, since: now };
    this.seen.delete(place);
    this.seen.set(place, sighting);
    const [oldest] = this.seen.size > REMEMBERED ? this.seen.keys() : [];
    if (oldest !== undefined) this.seen.delete(oldest);
    return { kind: 'serves', ...sighting };
  }
}
