import { toAsciiName } from '../shared/idna';
import { isHostName } from '../shared/domain-name';
import { InvalidNameservers } from './registration-errors';
import type { TldPolicy } from './names/tld-policy';

const MIN = 2;
const MAX = 13;
const MAX_INPUT_LENGTH = 1_000;
const HOST_EXPECTATION =
  'must be a host name such as ns1.example.com (letters, digits and inner hyphens), not an IP address or a single label';

/** The nameservers of a delegation: 2 to 13 different host names, lower case, without trailing dot, in the given order. */
export class Nameservers {
  private constructor(readonly hosts: readonly string[]) {}

  /** @throws InvalidNameservers that lists the invalid entries and why they are invalid. */
  static of(hosts: readonly string[], policy?: TldPolicy): Nameservers {
    assertCount(hosts.length, { min: MIN, max: MAX }, '');
    const normalized = hosts.map(normalizeHost);
    const errors = normalized.flatMap((host, index) => {
      if (host === undefined) return [`nameservers[${index}] ${HOST_EXPECTATION}`];
      return normalized.indexOf(host) === index ? [] : [`nameservers[${index}] repeats ${host}`];
    });
    if (errors.length > 0) throw new InvalidNameservers(errors.join('; '));
    if (policy) assertCount(hosts.length, policy.nameservers, ` for .${policy.suffix}`);
    return new Nameservers(normalized.filter((host) => host !== undefined));
  }

  static fromState(hosts: readonly string[]): Nameservers {
    return new Nameservers(hosts);
  }
}

/** In any order. */
export function areSameHosts(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join();
}

/** The `hosts` that a registry returned, in the `known` order if they are the same: registries keep no order. */
export function inKnownOrder(hosts: readonly string[], known: readonly string[]): readonly string[] {
  return areSameHosts(hosts, known) ? known : hosts;
}

function assertCount(count: number, { min, max }: TldPolicy['nameservers'], where: string): void {
  if (count < min) throw new InvalidNameservers(`At least ${min} nameservers are required${where}, ${count} given`);
  if (count > max) throw new InvalidNameservers(`At most ${max} nameservers are allowed${where}, ${count} given`);
}

/** Undefined for text that is no host name. */
export function normalizeHost(host: string): string | undefined {
  const name = host.length <= MAX_INPUT_LENGTH ? toAsciiName(host.replace(/\.$/, '')) : undefined;
  return name !== undefined && isHostName(name) ? name : undefined;
}
