import type { SerialRaise, ZoneChange } from '../../../application/ports/dns/zone-repository';
import type { TouchedZone } from '../../../application/ports/dns/touched-zones';
import { ROOT } from '../../../domain/dns/records/record-name';

interface Touched {
  isSigned: boolean | undefined;
  isChanged: boolean;
  isWhole: boolean;
  readonly names: Set<string>;
  readonly cuts: Set<string>;
  readonly expiring: Set<string>;
}

/** Collects what a unit of work changes in zones that may be signed, so that they are signed before it commits. */
export class TouchedZones {
  private readonly zones = new Map<string, Touched>();

  /** What a locked zone says about itself. */
  know(domainId: string, isSigned: boolean): void {
    this.at(domainId).isSigned = isSigned;
  }

  /** The apex is touched. */
  raise(domainId: string, { names = [], isWhole = false, expiring = [] }: SerialRaise = {}): void {
    const zone = this.at(domainId);
    zone.isChanged = true;
    if (isWhole) [zone.isWhole, zone.isSigned] = [true, undefined];
    for (const name of names) zone.names.add(name);
    for (const id of expiring) {
      zone.expiring.add(id);
      zone.names.add(id.slice(0, id.indexOf(' ')));
    }
  }

  change(domainId: string, { added, changed, removed }: ZoneChange): void {
    const zone = this.at(domainId);
    if (zone.isSigned === false) return;
    zone.isChanged = true;
    for (const { name, type } of [...added, ...removed, ...changed.flatMap(({ before, after }) => [before, after])]) {
      zone.names.add(name);
      if ((type === 'NS' && name !== ROOT) || CUTS.has(type)) zone.cuts.add(name);
    }
  }

  /** Those to sign: known to be signed, or not known. */
  toSign(): ReadonlyMap<string, TouchedZone> {
    return new Map([...this.zones].filter(([, { isChanged, isSigned }]) => isChanged && isSigned !== false));
  }

  private at(domainId: string): Touched {
    const known = this.zones.get(domainId);
    if (known) return known;
    const zone: Touched = {
      isSigned: undefined,
      isChanged: false,
      isWhole: false,
      names: new Set(),
      cuts: new Set(),
      expiring: new Set(),
    };
    this.zones.set(domainId, zone);
    return zone;
  }
}

const CUTS: ReadonlySet<string> = new Set(['DNAME']);
