/** Whether all, some or none of a domain's nameservers are this service's. */
export type Delegation = 'ours' | 'partly' | 'elsewhere';

/** @param ours host names of this service's nameservers, in lower case like `nameservers` */
export function delegationOf(nameservers: readonly string[], ours: readonly string[]): Delegation {
  const among = nameservers.filter((host) => ours.includes(host)).length;
  if (among === 0) return 'elsewhere';
  return among === nameservers.length ? 'ours' : 'partly';
}
