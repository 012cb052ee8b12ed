import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { maySeeDomain } from '../../../domain/access/key-permissions';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { relativeOwnerName } from '../../../domain/dns/records/record-name';
import { isZoneName, MAX_ZONE_LABELS } from '../../../domain/dns/zone-names/zone-name';
import { HostedNameReader } from '../../ports/dns/hosted-names';

/** A name and the zone of an account that it belongs to. */
export interface NameInZone {
  readonly domainId: string;
  readonly zoneName: string;
  /** Relative to the zone; `@` for the apex. */
  readonly name: string;
}

/** Finds the zones of full names, for clients that do not know where a zone begins. */
@injectable()
export class FindZones {
  constructor(@inject(HostedNameReader) private readonly names: HostedNameReader) {}

  /** @param names lower-case ASCII without trailing dot. Returns those at or below a zone of the account that the key may see. */
  async execute({ accountId, actor }: Requester, names: readonly string[]): Promise<ReadonlyMap<string, NameInZone>> {
    const candidates = [...new Set(names.flatMap(namesAbove))].filter(isZoneName);
    const found = new Map<string, HostedName>();
    for (const each of await this.names.among(candidates)) if (each.accountId === accountId) found.set(each.name, each);
    return new Map(
      names.flatMap((name) => {
        const zoneName = namesAbove(name).find((each) => found.has(each));
        const domain = zoneName === undefined ? undefined : found.get(zoneName);
        if (zoneName === undefined || !domain || !maySeeDomain(actor, domain)) return [];
        return [[name, { domainId: domain.id, zoneName, name: relativeOwnerName(name, zoneName) }] as const];
      }),
    );
  }
}

/** The name itself and the names above it, longest first, without those that have too many labels for a zone. */
function namesAbove(name: string): readonly string[] {
  const labels = name.split('.').slice(-MAX_ZONE_LABELS);
  return labels.map((_, index) => labels.slice(index).join('.'));
}
