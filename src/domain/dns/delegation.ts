/** Where a domain's delegation sends resolvers: to this service's nameservers only, to others as well, or to others only. */
export type Delegation = 'ours' | 'partly' | 'elsewhere';

/** @param ours the host names of this service's nameservers, in lower case as `nameservers` are */
export function delegationOf(nameservers: readonly string[], ours: readonly string[]): Delegation {
  const among = nameservers.filter((host) => ours.includes(host)).length;
  if (among === 0) return 'elsewhere';
  return among === nameservers.length ? 'ours' : 'partly';
}
