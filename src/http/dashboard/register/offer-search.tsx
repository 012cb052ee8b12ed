import { inject, injectable } from 'inversify';
import type { VNode } from 'preact';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { SearchDomains } from '../../../application/registration/search-domains';
import { DomainName, parseLabel } from '../../../domain/registration/domain-name';
import { parseSuffix } from '../../../domain/registration/suffix';
import { ValidationError } from '../../../domain/shared/validation-error';
import { OfferRow } from './offer-row';

/** Asks for one label under every TLD at once. */
@injectable()
export class OfferSearch {
  constructor(
    @inject(SearchDomains) private readonly searchDomains: SearchDomains,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** One row for each TLD, in the order in which the registries answer. Of `shop.co.uk` the TLD is asked for, too. @throws ValidationError, before anything is asked */
  find(accountId: string, query: string): AsyncIterable<VNode> {
    const [text = '', ...rest] = query.toLowerCase().split('.');
    const label = parseLabel(text, 'q');
    const wanted = rest.join('.');
    const tlds = [
      ...new Set([...(wanted === '' ? [] : [suffixOf(label, wanted)]), ...this.settings.defaultSearchTlds]),
    ];
    return asTheyCome(tlds.map((tld) => this.ask(accountId, label, tld)));
  }

  private async ask(accountId: string, label: string, tld: string): Promise<VNode> {
    const { results, failures } = await this.searchDomains.execute({ accountId, query: label, tlds: [tld] });
    return <OfferRow name={results[0]?.name.value ?? `${label}.${tld}`} offer={results[0]} failure={failures[0]} />;
  }
}

/** @throws ValidationError */
function suffixOf(label: string, text: string): string {
  const suffix = parseSuffix(text);
  if (suffix === undefined)
    throw ValidationError.of('q', 'must be a name, or a name with its ending, such as shop.co.uk');
  DomainName.parse(`${label}.${suffix}`, 'q');
  return suffix;
}

async function* asTheyCome<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const waiting = new Map(promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]));
  while (waiting.size > 0) {
    const { index, value } = await Promise.race(waiting.values());
    waiting.delete(index);
    yield value;
  }
}
