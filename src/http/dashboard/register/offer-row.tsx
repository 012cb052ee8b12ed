import type { SearchFailure, SearchResult } from '../../../application/registration/search-domains';
import { displayName } from '../domains/domain-labels';
import { formatPrice } from '../layout/money';
import { Cell, Row } from '../layout/components';

export interface OfferRowProps {
  readonly name: string;
  readonly offer: SearchResult | undefined;
  readonly failure: SearchFailure | undefined;
}

/** One name of a search with price and availability. */
export function OfferRow({ name, offer, failure }: OfferRowProps) {
  const quote = offer?.available ? offer.price : undefined;
  const years = offer?.years ?? 1;
  const shown = displayName(name);
  return (
    <Row class={quote ? undefined : 'muted'}>
      <Cell class="main-cell">
        <strong>{shown}</strong>
        {shown !== name && <span class="small">{name}</span>}
      </Cell>
      {quote ? (
        <>
          <Cell label="First year">
            {years > 1
              ? `${formatPrice(quote.registration)} per year, for at least ${years} years`
              : formatPrice(quote.registration)}
          </Cell>
          <Cell label="Renewal">{formatPrice(quote.renewal)} per year</Cell>
          <Cell class="row-actions">
            <a class="button" href={`/register/details?${new URLSearchParams({ name }).toString()}`}>
              Register<span class="visually-hidden"> {shown}</span>
            </a>
          </Cell>
        </>
      ) : (
        <td role="cell" colSpan={3} class="wide">
          {failure ? `Could not be checked: ${failure.error.message}` : 'Not available'}
        </td>
      )}
    </Row>
  );
}
