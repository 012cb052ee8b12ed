import type { SearchFailure, SearchResult } from '../../../application/registration/search-domains';
import { displayName } from '../domains/domain-words';
import { price } from '../layout/money';
import { Cell, Row } from '../layout/parts';

export interface OfferRowProps {
  readonly name: string;
  readonly offer: SearchResult | undefined;
  readonly failure: SearchFailure | undefined;
}

/** One name of a search, as its registry answered. */
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
            {years > 1 ? `${price(quote.registration)} a year, for ${years} years or more` : price(quote.registration)}
          </Cell>
          <Cell label="Renewal">{price(quote.renewal)} a year</Cell>
          <Cell class="row-actions">
            <a class="button" href={`/register/details?${new URLSearchParams({ name }).toString()}`}>
              Register<span class="unseen"> {shown}</span>
            </a>
          </Cell>
        </>
      ) : (
        <td role="cell" colSpan={3} class="wide">
          {failure ? `Could not be asked: ${failure.error.message}` : 'Not available'}
        </td>
      )}
    </Row>
  );
}
