import type { SerialRaise, PlannedSignatures, TouchedZone } from '../../../application/ports/dns/zone-repository';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { ROOT } from '../../../domain/dns/records/record-name';
import { touchedNames } from '../../../application/dns/signing/signatures/touched-names';

interface Touched {
  isSigned: boolean | undefined;
  isChanged: boolean;
  isWhole: boolean;
  /** The serial rose without a change of records. */
  isRaised: boolean;
  readonly names: Set<string>;
  readonly cuts: Set<string>;
  readonly expiring: Set<string>;
  readonly changes: ZoneChange[];
}

/** Collects what a unit of work changes in zones that may be signed, so that they are signed before it commits. */
export class TouchedZones {
  private readonly zones = new Map<string, Touched>();
  private planned: readonly PlannedSignatures[] = [];

  /** What a locked zone says about itself. A zone that is no longer signed still has rows, which are to be removed. */
  know(domainId: string, isSigned: boolean): void {
    const zone = this.at(domainId);
    if (!zone.isWhole) zone.isSigned = isSigned;
  }

  isKnownSigned(domainId: string): boolean {
    return this.zones.get(domainId)?.isSigned === true;
  }

  plan(signatures: readonly PlannedSignatures[]): void {
    this.planned = signatures;
  }

  /** The planned signatures of zones with exactly the planned changes, which then are no longer to be signed. */
  takePlanned(): readonly PlannedSignatures[] {
    const planned = this.planned.filter(({ domainId, changes }) => {
      const zone = this.zones.get(domainId);
      return zone && !zone.isRaised && isSame(zone.changes, changes);
    });
    this.planned = [];
    for (const { domainId } of planned) {
      this.zones.delete(domainId);
      this.know(domainId, true);
    }
    return planned;
  }

  /** The apex is touched. */
  raise(domainId: string, { names = [], isWhole = false, expiring = [] }: SerialRaise = {}): void {
    const zone = this.at(domainId);
    zone.isChanged = true;
    zone.isRaised = true;
    zone.names.add(ROOT);
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
    const { names, cuts } = touchedNames([change]);
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
      isRaised: false,
      names: new Set(),
      cuts: new Set(),
      expiring: new Set(),
      changes: [],
    };
    this.zones.set(domainId, zone);
    return zone;
  }
}

function isSame(some: readonly ZoneChange[], others: readonly ZoneChange[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
