import { MayDo } from '../layout/may-do';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import { formatDate } from '../../../domain/shared/time/date-text';
import { displayName } from '../layout/domain/domain-labels';
import { Badge, Cell, Day, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { formatPrice } from '../layout/money';
import { Pager } from '../layout/pager';
import type { ListPage } from '../list-page';
import { TRANSFER_LABELS } from './transfer-labels';

export function TransfersPage({ page }: { readonly page: ListPage<TransferState> }) {
  return (
    <>
      <PageHeading title="Transfers" lead="Domains that come to this account from other registrars.">
        <MayDo action="transfer">
          <a class="button" href="/transfers/several">
            Transfer several
          </a>
          <a class="button primary" href="/transfers/new">
            Transfer a domain
          </a>
        </MayDo>
      </PageHeading>
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title="No transfers yet">
            <MayDo action="transfer">
              <p>
                <a href="/transfers/new">Transfer a domain from another registrar</a>
              </p>
            </MayDo>
          </Empty>
        ) : (
          <Table caption="Transfers" columns={['Domain', 'Status', 'Price', 'Ordered', 'Completes']}>
            {page.items.map((transfer) => (
              <TransferRow key={transfer.id} transfer={transfer} />
            ))}
          </Table>
        )}
        <Pager page={page} />
      </section>
    </>
  );
}

function TransferRow({ transfer }: { readonly transfer: TransferState }) {
  const { id, name, status, price, charged, createdAt, endsAt, error, finishedAt } = transfer;
  const { label, tone } = TRANSFER_LABELS[status];
  return (
    <Row>
      <Cell class="main-cell">
        <a href={`/transfers/${id}`}>
          <strong>{displayName(name)}</strong>
        </a>
        {finishedAt && error && <span class="small">{error.message}</span>}
      </Cell>
      <Cell label="Status">
        <Badge tone={tone}>{label}</Badge>
      </Cell>
      <Cell label="Price">{formatPrice(charged ?? price)}</Cell>
      <Cell label="Ordered">
        <Day at={createdAt} />
      </Cell>
      <Cell label="Completes">
        {status === 'pending' && endsAt ? <Time at={endsAt}>{formatDate(endsAt)}</Time> : '–'}
      </Cell>
    </Row>
  );
}
