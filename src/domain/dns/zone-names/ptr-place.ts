import { isBelow } from '../../shared/name-relation';
import { ROOT } from '../records/record-name';
import { classlessLabels } from './classless-label';
import { addressOctets } from './network-octets';
import { IPV4_REVERSE, IPV6_REVERSE } from './reverse-tree';

/** A zone that can hold the PTR record of an address, and the record's owner name there. */
export interface PtrPlace {
  readonly zoneName: string;
  /** Relative to the zone. */
  readonly name: string;
}

/** The full owner name of the PTR record of a valid address, without trailing dot (RFC 1035, section 3.5; RFC 3596, section 2.5). */
export function ptrNameOf(address: string): string {
  const octets = addressOctets(address);
  return octets.length === 4
    ? [...Array.from(octets, String).toReversed(), IPV4_REVERSE].join('.')
    : [...Array.from(octets.toString('hex')).toReversed(), IPV6_REVERSE].join('.');
}

/** All zones that can hold the PTR record of a valid address, the smallest network first: about 25 for IPv4, 32 for IPv6. */
export function ptrPlaces(address: string): readonly PtrPlace[] {
  const labels = ptrNameOf(address).split('.');
  const places = labels.slice(0, -2).map((_label, index): PtrPlace => {
    return { zoneName: labels.slice(index).join('.'), name: labels.slice(0, index).join('.') || ROOT };
  });
  const [own, ...above] = places;
  const octets = addressOctets(address);
  const name = labels[0] ?? '';
  if (own === undefined || octets.length !== 4) return places;
  const network = labels.slice(1).join('.');
  const classless = classlessLabels(Number(name)).map((label) => ({ zoneName: `${label}.${network}`, name }));
  return [own, ...classless, ...above];
}

/** The place in the smallest network of some zones, by name; undefined if none of them holds the address. */
export function ptrPlaceIn(address: string, zones: Pick<ReadonlySet<string>, 'has'>): PtrPlace | undefined {
  return ptrPlaces(address).find(({ zoneName }) => zones.has(zoneName));
}

/** The owner name of the PTR record of an address, relative to a zone that holds it. */
export function ptrNameIn(address: string, zoneName: string): string {
  const name = ptrNameOf(address);
  if (name === zoneName) return ROOT;
  return isBelow(name, zoneName) ? name.slice(0, -zoneName.length - 1) : name.slice(0, name.indexOf('.'));
}
