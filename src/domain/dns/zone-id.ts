const DOMAIN = 'dom_';
const ZONE = 'zone_';

/** The id of a name's zone, which stays the same whether the name is registered or not. */
export function zoneIdOf(domainId: string): string {
  return `${ZONE}${domainId.slice(DOMAIN.length)}`;
}

/** The id of the name whose zone it is; of what is no id of a zone, one that no name has. */
export function domainIdOfZone(zoneId: string): string {
  return zoneId.startsWith(ZONE) ? `${DOMAIN}${zoneId.slice(ZONE.length)}` : '';
}
