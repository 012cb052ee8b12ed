import type { SearchFailure, SearchResult } from '../../../application/registration/search-domains';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { formatPrice } from '../layout/money';
import { Cell, Row } from '../layout/components';
import { MayDo } from '../layout/may-do';

interface OfferRowProps {
  readonly name: string;
  /** The id of the account's own domain of that name. */
  readonly ownId?: string;
  readonly offer?: SearchResult | undefined;
  readonly failure?: SearchFailure | undefined;
  /** Whether names under the TLD are sold here. */
  readonly isSold?: boolean;
  /** Whether a name that is taken can be transferred here. */
  readonly isTransferable?: boolean;
}

/** One name of a search: available with its price, the account's own, taken, or not sold here. */
export function OfferRow({ name, ownId, offer, failure, isSold = true, isTransferable = false }: OfferRowProps) {
  const quote = offer?.available ? offer.price : undefined;
  const years = offer?.years ?? 1;
  const shown = displayName(name);
  const about = <span class="visually-hidden"> {shown}</span>;
  return (
    <Row class={quote || ownId ? undefined : 'muted'}>
      <Cell class="select-cell">
        {quote && (
          <MayDo action="register">
            <input type="checkbox" name="name" value={name} aria-label={`Select ${shown}`} form="order" />
          </MayDo>
        )}
      </Cell>
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
            <MayDo action="register">
              <a class="button" href={buildUrl('/register/details', { name })}>
                Register{about}
              </a>
            </MayDo>
          </Cell>
        </>
      ) : (
        <>
          <td role="cell" colSpan={2} class="wide">
            {ownId ? 'Yours' : describeUnavailable(failure, isSold)}
          </td>
          <Cell class="row-actions">
            {ownId && (
              <a class="button quiet" href={`/domains/${ownId}`}>
                Manage{about}
              </a>
            )}
            {!ownId && !failure && isTransferable && (
              <MayDo action="transfer">
                <a class="button quiet" href={buildUrl('/transfers/new', { name })}>
                  Transfer it here{about}
                </a>
              </MayDo>
            )}
          </Cell>
        </>
      )}
    </Row>
  );
}

function describeUnavailable(failure: SearchFailure | undefined, isSold: boolean): string {
  if (failure) return `Could not be checked: ${failure.error.message}`;
  return isSold ? 'Taken' : 'Not sold here';
}
