import type {
  ParentZone,
  PublishedDsRecords,
  PublishedDelegation,
} from '../../../application/ports/dns/other-nameservers';
import type { DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { ask, isAnswered, query } from './dns-query';
import { MAX_NAMESERVERS, OperatorResolvers, type ResolverSettings } from './operator-resolvers';

/** Finds the parent's nameservers with the operator's resolvers, and asks each of them itself: caches would tell the past. */
export class NetworkParentZone implements ParentZone {
  private readonly resolvers: OperatorResolvers;

  constructor(settings: ResolverSettings) {
    this.resolvers = new OperatorResolvers(settings);
  }

  async queryDsRecords(name: string): Promise<PublishedDsRecords | undefined> {
    const nameservers = await this.nameserversAbove(name);
    const endpoints = nameservers.flatMap((endpoint) => endpoint ?? []);
    const answers = await Promise.all(endpoints.map((endpoint) => ask(endpoint, { name, type: 'DS' })));
    const sets: (readonly DsRecord[])[] = [];
    const ttls: number[] = [];
    for (const answer of answers) {
      if (!answer) continue;
      const records = answer.answers.flatMap((record) => (record.type === 'DS' ? [record] : []));
      sets.push(records.map(({ data }) => ({ ...data, digest: data.digest.toString('hex').toUpperCase() })));
      ttls.push(...records.map(({ ttl = 0 }) => ttl));
    }
    if (sets.length === 0) return undefined;
    return {
      sets,
      isComplete: sets.length === nameservers.length,
      ttl: ttls.length > 0 ? Math.max(...ttls) : undefined,
    };
  }

  async queryDelegation(name: string): Promise<PublishedDelegation | undefined> {
    const nameservers = await this.nameserversAbove(name);
    const endpoints = nameservers.flatMap((endpoint) => endpoint ?? []);
    const responses = await Promise.all(endpoints.map((endpoint) => query(endpoint, { name, type: 'NS' })));
    const answered = responses.filter(isAnswered);
    if (answered.length === 0) return undefined;
    // A nameserver that also serves the name itself answers with its NS records, others refer to them.
    const sets = answered.map(({ answers = [], authorities = [] }) =>
      [...answers, ...authorities].flatMap((each) =>
        each.type === 'NS' && each.name.toLowerCase() === name ? [each] : [],
      ),
    );
    const ttls = sets.flat().map(({ ttl = 0 }) => ttl);
    return {
      sets: sets.map((records) => [
        ...new Set(records.slice(0, MAX_NAMESERVERS).map(({ data }) => data.toLowerCase())),
      ]),
      isComplete: sets.length === nameservers.length,
      ttl: ttls.length > 0 ? Math.max(...ttls) : undefined,
    };
  }

  /** Of the closest zone above the name; undefined for one that cannot be asked. */
  private async nameserversAbove(name: string): Promise<readonly (Endpoint | undefined)[]> {
    const hosts = (await this.resolvers.nameserversAbove(name)) ?? [];
    return Promise.all(hosts.map((host) => this.resolvers.endpointOf(host)));
  }
}
