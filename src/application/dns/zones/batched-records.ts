import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { ZonePlaces } from '../../ports/dns/zone-repository';
import type { RecordsOfZones } from './zone-draft';

type Found = ReadonlyMap<string, readonly DnsRecord[]>;

/** Reads what several changes ask for at the same time in one statement. */
export function batchedRecords(reader: RecordsOfZones): RecordsOfZones {
  let asked = new Map<string, Set<string>>();
  let reading: Promise<Found> | undefined;
  const readAsked = async (): Promise<Found> => {
    // Those that ask in the same turn of the event loop have asked by then.
    await Promise.resolve();
    const places = [...asked].map(([domainId, names]) => ({ domainId, names: [...names] }));
    [asked, reading] = [new Map(), undefined];
    return reader.recordsAt(places);
  };
  return {
    prepare: (change) => reader.prepare(change),
    findRecords: (domainId, ids) => reader.findRecords(domainId, ids),
    past: (zone) => reader.past(zone),
    namesBelow: (domainId, name) => reader.namesBelow(domainId, name),
    isSigned: (domainId) => reader.isSigned(domainId),
    recordsAt: async (places) => {
      for (const { domainId, names } of places)
        asked.set(domainId, new Set([...(asked.get(domainId) ?? []), ...names]));
      return only(places, await (reading ??= readAsked()));
    },
  };
}

function only(places: readonly ZonePlaces[], found: Found): Found {
  return new Map(
    places.map(({ domainId, names }) => {
      const wanted = new Set(names);
      return [domainId, (found.get(domainId) ?? []).filter(({ name }) => wanted.has(name))];
    }),
  );
}
