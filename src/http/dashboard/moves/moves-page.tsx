import { moveStatusAt, type AccountMoveState } from '../../../domain/registration/account-move';
import { Cell, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { formatTimeAgo } from '../layout/dates';
import { displayName } from '../layout/domain/domain-labels';
import { usePage } from '../layout/page-context';
import { Pager } from '../layout/pager';
import type { ListPage } from '../list-page';
import { MoveBadge } from './move-parts';

interface MovesPageProps {
  readonly accountId: string;
  /** Newest first. */
  readonly moves: ListPage<AccountMoveState>;
}

export function MovesPage({ accountId, moves }: MovesPageProps) {
  const { now } = usePage();
  return (
    <>
      <PageHeading
        title="Moves between accounts"
        lead="Names that other accounts of this service offer to this one, and that this one offers to them."
      />
      <section class="card flush">
        {moves.items.length === 0 ? (
          <Empty title="No moves">
            <p>To give a name to another account, choose “Move” in the danger zone on its page.</p>
          </Empty>
        ) : (
          <Table caption="Moves" columns={['Name', 'Direction', 'Offered', 'Status']}>
            {moves.items.map(({ id, name, toAccountId, createdAt, ...state }) => (
              <Row key={id}>
                <Cell class="main-cell">
                  <a href={`/moves/${id}`}>{displayName(name)}</a>
                </Cell>
                <Cell label="Direction">{toAccountId === accountId ? 'to this account' : 'to another account'}</Cell>
                <Cell label="Offered">
                  <Time at={createdAt}>{formatTimeAgo(createdAt, now)}</Time>
                </Cell>
                <Cell label="Status">
                  <MoveBadge status={moveStatusAt(state, now)} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        <Pager page={moves} />
      </section>
    </>
  );
}
