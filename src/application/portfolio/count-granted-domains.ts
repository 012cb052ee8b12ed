import { inject, injectable } from '../ports/inject';
import { tagTerm } from '../../domain/portfolio/domain-terms';
import { DomainQueries } from '../ports/registration/domain-repository';

/** More are not counted. */
export const MOST_COUNTED = 1_000;

export interface GrantedDomains {
  /** Domains with one of the tags now; undefined if they are more than `MOST_COUNTED`. */
  readonly domains: number | undefined;
  /** Tags that no domain has: misspelled, or given before the first domain. */
  readonly unused: readonly string[];
}

/** How many domains a role or a key that is limited to tags is for. */
@injectable()
export class CountGrantedDomains {
  constructor(@inject(DomainQueries) private readonly domains: Pick<DomainQueries, 'count'>) {}

  async execute(accountId: string, tags: readonly string[]): Promise<GrantedDomains> {
    const count = (some: readonly string[], most: number) =>
      this.domains.count(accountId, { terms: [{ anyOf: some.map(tagTerm) }] }, most);
    const counts = await Promise.all(tags.map(async (tag) => [tag, await count([tag], 1)] as const));
    const unused = counts.filter(([, domains]) => domains === 0).map(([tag]) => tag);
    return { domains: await count(tags, MOST_COUNTED), unused };
  }
}

/** `3 domains now`, `more than 1000 domains now` */
export function describeGranted({ domains }: GrantedDomains): string {
  if (domains === undefined) return `more than ${MOST_COUNTED} domains now`;
  return domains === 1 ? 'one domain now' : `${domains === 0 ? 'no' : domains} domains now`;
}

/** Undefined if each tag has a domain. */
export function describeUnused({ domains, unused }: GrantedDomains): string | undefined {
  if (unused.length === 0) return undefined;
  const tags = `${unused.length === 1 ? 'the tag' : 'the tags'} ${unused.join(', ')}`;
  return domains === 0
    ? `No domain has ${tags}: the user will see no domain until one has. Check the spelling.`
    : `No domain has ${tags}. Check the spelling.`;
}
