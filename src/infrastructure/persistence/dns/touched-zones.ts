import type { SerialRaise, ZoneChange } from '../../../application/ports/dns/zone-repository';
import type { TouchedZone } from '../../../application/ports/dns/touched-zones';
import { touchedNames } from '../../../application/dns/dnssec/signatures/touched-names';

interface Touched {
  isSigned: boolean | undefined;
  isChanged: boolean;
  isWhole: boolean;
  readonly names: Set<string>;
  readonly cuts: Set<string>;
  readonly expiring: Set<string>;
  readonly changes: ZoneChange[];
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

  change(domainId: string, change: ZoneChange): void {
    const zone = this.at(domainId);
    if (zone.isSigned === false) return;
    zone.isChanged = true;
    zone.changes.push(change);
    const { names, cuts } = touchedNames(change);
    for (const name of names) zone.names.add(name);
    for (const name of cuts) zone.cuts.add(name);
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
      changes: [],
    };
    this.zones.set(domainId, zone);
    return zone;
  }
}
