import type { Answer, DecodedPacket } from 'dns-packet';
import type { DelegationAnswer, ParentDelegations, TextAnswer } from '../../../application/ports/dns/other-nameservers';
import { ask, isAnswered, NAME_ERROR, query, rcodeOf } from './dns-query';
import { MAX_NAMESERVERS, namesIn, OperatorResolvers, type ResolverSettings } from './operator-resolvers';

/** Resolvers that do not answer for each of many labels cannot make one question last longer. */
const TOTAL_MS = 20_000;
const MAX_TEXTS = 20;

/** Finds nameservers with the operator's resolvers, and asks each of them itself. */
export class NetworkParentDelegations implements ParentDelegations {
  private readonly resolvers: OperatorResolvers;

  constructor(private readonly settings: ResolverSettings) {
    this.resolvers = new OperatorResolvers(settings);
  }

  async find(name: string): Promise<DelegationAnswer> {
    if (this.settings.resolvers.length === 0) return unknown('the service has no resolver to find its parent with');
    const deadline = performance.now() + TOTAL_MS;
    const parents = await this.resolvers.nameserversAbove(name, deadline);
    if (parents === undefined) return unknown('the nameservers of its parent cannot be found at the moment');
    // The resolver knows of no zone above: not even the TLD exists.
    if (parents.length === 0) return { kind: 'none', parents };
    const answers = await Promise.all(parents.map((host) => this.delegationAt(host, name, deadline)));
    const [first, ...others] = answers.filter((answer) => answer !== undefined);
    if (first === undefined) return unknown(`none of its parent’s nameservers answers: ${parents.join(', ')}`);
    if (others.some((other) => other.join() !== first.join()))
      return unknown(`its parent’s nameservers disagree: ${parents.join(', ')}`);
    return first.length > 0 ? { kind: 'delegated', nameservers: first } : { kind: 'none', parents };
  }

  async texts(name: string, nameservers: readonly string[]): Promise<readonly TextAnswer[]> {
    const deadline = performance.now() + TOTAL_MS;
    const some = nameservers.slice(0, MAX_NAMESERVERS);
    return Promise.all(
      some.map(async (nameserver) => {
        const endpoint = await this.resolvers.endpointOf(nameserver, deadline);
        const answer = endpoint && (await ask(endpoint, { name, type: 'TXT', overTcp: true }));
        return { nameserver, texts: answer?.answers.flatMap(textsOf).slice(0, MAX_TEXTS) };
      }),
    );
  }

  /** In order; none if the nameserver says that the name is not delegated, undefined if it does not say. */
  private async delegationAt(host: string, name: string, deadline: number): Promise<readonly string[] | undefined> {
    const endpoint = await this.resolvers.endpointOf(host, deadline);
    const response = endpoint && (await query(endpoint, { name, type: 'NS', overTcp: true }));
    if (!isAnswered(response)) return undefined;
    if (rcodeOf(response) === NAME_ERROR) return response.flag_aa ? [] : undefined;
    const hosts = nameserversIn(response, name);
    return hosts.length > 0 || response.flag_aa ? hosts : undefined;
  }
}

/** In a referral they are in the authority section; a nameserver of both zones answers with them. */
function nameserversIn({ answers, authorities }: DecodedPacket, name: string): readonly string[] {
  const found = [...namesIn(answers, name, 'NS'), ...namesIn(authorities, name, 'NS')];
  return [...new Set(found)].toSorted().slice(0, MAX_NAMESERVERS);
}

function textsOf(answer: Answer): readonly string[] {
  if (answer.type !== 'TXT') return [];
  const parts = Array.isArray(answer.data) ? answer.data : [answer.data];
  return [parts.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))).join('')];
}

function unknown(reason: string): DelegationAnswer {
  return { kind: 'unknown', reason };
}
