import { inject, injectable } from '../../../application/ports/inject';
import type { Requester } from '../../../domain/access/actor';
import type { VNode } from 'preact';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { isSupported } from '../../../application/operations/assert-supported';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { SearchDomains } from '../../../application/registration/search-domains';
import { DomainName } from '../../../domain/shared/domain-name';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { OfferRow } from './offer-row';
import { parseSearch } from './parse-search';

/** Searches a name across TLDs. */
@injectable()
export class OfferSearch {
  constructor(
    @inject(SearchDomains) private readonly searchDomains: SearchDomains,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /**
   * Yields one row per name, in the order in which the registries respond. Of a name such as `shop.co.uk`, the TLD is searched too.
   * @throws ValidationError before any registry is queried
   */
  async search(requester: Requester, query: string): Promise<AsyncIterable<VNode>> {
    const { labels, suffix } = parseSearch(query, (each) => this.policies.serves(each));
    const tlds = [...new Set([...(suffix === undefined ? [] : [suffix]), ...this.settings.defaultSearchTlds])];
    const names = labels.flatMap((label) => tlds.map((tld) => ({ label, tld, name: `${label}.${tld}` })));
    const own = await this.ownAmong(
      requester,
      names.map(({ name }) => name),
    );
    return yieldAsResolved(
      names.map(async ({ label, tld, name }) => {
        const ownId = own.get(name);
        return ownId === undefined ? this.searchName(requester, label, tld) : <OfferRow name={name} ownId={ownId} />;
      }),
    );
  }

  /** The ids of the account's domains by name. */
  private async ownAmong(requester: Requester, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const list = { order: 'name', descending: false, names } as const;
    const { items } = await this.domains.page(requester, list, names.length);
    return new Map(
      items.flatMap(({ id, name, status }) => (status === 'transferred_out' ? [] : [[name, id] as const])),
    );
  }

  private async searchName(requester: Requester, label: string, tld: string): Promise<VNode> {
    const { results, failures } = await this.searchDomains.execute({ ...requester, query: label, tlds: [tld] });
    const name = DomainName.fromState(`${label}.${tld}`);
    const isSold = this.policies.forName(name) !== undefined;
    return (
      <OfferRow
        name={name.value}
        offer={results[0]}
        failure={failures[0]}
        isSold={isSold}
        isTransferable={isSold && isSupported(this.policies, name, 'transfer_in')}
      />
    );
  }
}

async function* yieldAsResolved<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const waiting = new Map(promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]));
  while (waiting.size > 0) {
    const { index, value } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield value;
  }
}
