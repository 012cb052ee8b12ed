import { toAsciiName } from '../shared/idna';
import { isHostName } from './domain-name';
import { InvalidNameservers } from './errors';
import type { TldPolicy } from './tld-policy';

const MIN = 2;
const MAX = 13;
const MAX_INPUT_LENGTH = 1_000;

/** The delegation of a domain: 2 to 13 different host names, lower case, without trailing dot, in the order given. */
export class Nameservers {
  private constructor(readonly hosts: readonly string[]) {}

  /** @throws InvalidNameservers saying which entry is wrong and why. */
  static of(hosts: readonly string[], policy?: TldPolicy): Nameservers {
    assertCount(hosts.length, { min: MIN, max: MAX }, '');
    const normalised = hosts.map(normaliseHost);
    normalised.forEach((host, index) => {
      if (normalised.indexOf(host) !== index) throw new InvalidNameservers(`nameservers[${index}] repeats ${host}`);
    });
    if (policy) assertCount(hosts.length, policy.nameservers, ` for .${policy.suffix}`);
    return new Nameservers(normalised);
  }

  static restore(hosts: readonly string[]): Nameservers {
    return new Nameservers(hosts);
  }
}

function assertCount(count: number, { min, max }: TldPolicy['nameservers'], where: string): void {
  if (count < min) throw new InvalidNameservers(`At least ${min} nameservers are required${where}, ${count} given`);
  if (count > max) throw new InvalidNameservers(`At most ${max} nameservers are allowed${where}, ${count} given`);
}

function normaliseHost(host: string, index: number): string {
  const name = host.length <= MAX_INPUT_LENGTH ? toAsciiName(host.replace(/\.$/, '')) : undefined;
  if (name === undefined || !isHostName(name)) {
    throw new InvalidNameservers(`nameservers[${index}] must be a host name such as ns1.example.com, not an IP address or a single label`);
  }
  return name;
}
