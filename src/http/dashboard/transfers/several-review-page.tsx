import type { TransfersReview } from '../../../application/portfolio/transfers/review-transfers';
import { plus, type Money } from '../../../domain/shared/money';
import { quantityText } from '../../../domain/shared/text/quantity-text';
import type { Registrant } from '../../../domain/registration/registrant';
import { displayName } from '../layout/domain/domain-labels';
import { Card, Cell, PageHeading, Row, Table } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { formatPrice, PriceFields } from '../layout/money';
import { describeContact } from '../registrant/contact-choice';

export const SEALED_FIELD = 'sealed';
const MAX_SHOWN = 100;

interface SeveralReviewPageProps {
  readonly review: TransfersReview;
  readonly registrant: Registrant;
  readonly autoRenew: boolean;
}

/** What the transfers cost, and the lines that cannot be ordered. */
export function SeveralReviewPage({ review, registrant, autoRenew }: SeveralReviewPageProps) {
  const { accepted, refused, total, sealed } = review;
  const label = `Transfer ${quantityText(accepted.length, 'domain')}`;
  return (
    <>
      <PageHeading title="Review the transfers" />
      <Card title={total ? `${label} for ${formatPrice(total)}` : 'No domain can be transferred'}>
        <PostForm action="/transfers/several">
          <input type="hidden" name={SEALED_FIELD} value={sealed} />
          {total && <PriceFields price={total} />}
          <dl class="details">
            <dt>Registrant</dt>
            <dd>{describeContact(registrant)}</dd>
            <dt>Auto-renewal</dt>
            <dd>{autoRenew ? 'on' : 'off: the domains expire unless you renew them'}</dd>
            {groupsOf(accepted).map(({ label: group, count, price }) => (
              <>
                <dt>{group}</dt>
                <dd>
                  {quantityText(count, 'domain')}, {formatPrice(price)}
                </dd>
              </>
            ))}
          </dl>
          {accepted.length > 0 && <Names names={accepted.map(({ name }) => displayName(name))} />}
          <p class="small">
            The price includes the years that each transfer adds. The nameservers stay as they are. The review holds for
            15 minutes.
          </p>
          <FormActions submit={total && `${label} for ${formatPrice(total)}`} cancel="/transfers/several" />
        </PostForm>
      </Card>
      {refused.length > 0 && (
        <section class="card flush">
          <Table
            caption={
              refused.length > MAX_SHOWN
                ? `The first ${MAX_SHOWN} of ${refused.length} lines that cannot be ordered`
                : `${quantityText(refused.length, 'line')} cannot be ordered`
            }
            columns={['Line', 'Domain', 'Reason']}
          >
            {refused.slice(0, MAX_SHOWN).map(({ line, name, reason }) => (
              <Row key={line}>
                <Cell class="main-cell">{line}</Cell>
                <Cell label="Domain">{name === '' ? 'not readable' : displayName(name)}</Cell>
                <Cell label="Reason" class="wide">
                  {reason}
                </Cell>
              </Row>
            ))}
          </Table>
        </section>
      )}
    </>
  );
}

const NAMES_SHOWN = 10;

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <p class="small">
      {names.slice(0, NAMES_SHOWN).join(', ')}
      {names.length > NAMES_SHOWN && ` and ${names.length - NAMES_SHOWN} more`}
    </p>
  );
}

/** By the years that are added and the price of each, the most expensive group first. */
function groupsOf(accepted: TransfersReview['accepted']) {
  const groups = new Map<string, { readonly count: number; readonly price: Money }>();
  for (const { name, years, price } of accepted) {
    const label = `.${name.slice(name.indexOf('.') + 1)}, ${quantityText(years, 'year')}`;
    const group = groups.get(label);
    groups.set(label, group ? { count: group.count + 1, price: plus(group.price, price) } : { count: 1, price });
  }
  return [...groups]
    .map(([label, group]) => ({ label, ...group }))
    .toSorted((one, other) => other.price.minor - one.price.minor);
}
