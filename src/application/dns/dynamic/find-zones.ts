import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { maySeeDomain } from '../../../domain/access/key-permissions';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { isHostName } from '../../../domain/shared/domain-name';
import { ROOT } from '../../../domain/dns/records/record-name';
import { HostedNameReader } from '../../ports/dns/hosted-names';

/** A name and the zone of an account that it belongs to. */
export interface NameInZone {
  readonly domainId: string;
  readonly zoneName: string;
  /** Relative to the zone; `@` for the apex. */
  readonly name: string;
}

/** No suffix under which names are registered has nearly as many. Bounds the look-ups for one name. */
const MAX_DOMAIN_LABELS = 10;

/** Finds the zones of full names, for clients that do not know where a zone begins. */
@injectable()
export class FindZones {
  constructor(@inject(HostedNameReader) private readonly names: HostedNameReader) {}

  /** @param names lower-case ASCII without trailing dot. Returns those at or below a domain of the account that the key may see. */
  async execute({ accountId, actor }: Requester, names: readonly string[]): Promise<ReadonlyMap<string, NameInZone>> {
    const candidates = [...new Set(names.flatMap(namesAbove))].filter(isHostName);
    const found = new Map<string, HostedName>();
    for (const each of await this.names.among(candidates)) if (each.accountId === accountId) found.set(each.name, each);
    return new Map(
      names.flatMap((name) => {
        const zoneName = namesAbove(name).find((each) => found.has(each));
        const domain = zoneName === undefined ? undefined : found.get(zoneName);
        if (zoneName === undefined || !domain || !maySeeDomain(actor, domain)) return [];
        return [[name, { domainId: domain.id, zoneName, name: relativeName(name, zoneName) }] as const];
      }),
    );
  }
}

/** The name itself and the names above it, longest first, without those that have too many labels for a domain. */
function namesAbove(name: string): readonly string[] {
  const labels = name.split('.').slice(-MAX_DOMAIN_LABELS);
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function relativeName(name: string, zoneName: string): string {
  return name === zoneName ? ROOT : name.slice(0, -zoneName.length - 1);
}
