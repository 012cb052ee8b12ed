import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import type { VNode } from 'preact';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { SearchDomains } from '../../../application/registration/search-domains';
import { DomainName, parseLabel } from '../../../domain/registration/domain-name';
import { parseSuffix } from '../../../domain/registration/suffix';
import { ValidationError } from '../../../domain/shared/validation-error';
import { OfferRow } from './offer-row';

/** Searches a name across TLDs. */
@injectable()
export class OfferSearch {
  constructor(
    @inject(SearchDomains) private readonly searchDomains: SearchDomains,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /**
   * Yields one row per TLD, in the order in which the registries respond. Of a name such as `shop.co.uk`, the TLD is searched too.
   * @throws ValidationError before any registry is queried
   */
  search(requester: Requester, query: string): AsyncIterable<VNode> {
    const [text = '', ...rest] = query.toLowerCase().split('.');
    const label = parseLabel(text, 'q');
    const wanted = rest.join('.');
    const tlds = [
      ...new Set([...(wanted === '' ? [] : [parseQuerySuffix(label, wanted)]), ...this.settings.defaultSearchTlds]),
    ];
    return yieldAsResolved(tlds.map((tld) => this.searchTld(requester, label, tld)));
  }

  private async searchTld(requester: Requester, label: string, tld: string): Promise<VNode> {
    const { results, failures } = await this.searchDomains.execute({ ...requester, query: label, tlds: [tld] });
    return <OfferRow name={results[0]?.name.value ?? `${label}.${tld}`} offer={results[0]} failure={failures[0]} />;
  }
}

/** @throws ValidationError */
function parseQuerySuffix(label: string, text: string): string {
  const suffix = parseSuffix(text);
  if (suffix === undefined) throw ValidationError.of('q', 'must be a name, with or without a TLD, such as shop.co.uk');
  DomainName.parse(`${label}.${suffix}`, 'q');
  return suffix;
}

async function* yieldAsResolved<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const waiting = new Map(promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]));
  while (waiting.size > 0) {
    const { index, value } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield value;
  }
}
