import type { ListedProposal } from '../../../application/ports/access/proposals';
import { statusAt } from '../../../domain/access/proposals/proposal';
import { getActorName, type ActorNames } from '../activity/actor-names';
import { Card, Cell, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { formatRelativeDay, formatTimeAgo } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { Pager } from '../layout/pager';
import type { ListPage } from '../list-page';
import { describeWrite, nameOf } from './describe-write';
import { ProposalBadge } from './proposal-parts';

/** Characters. */
const MAX_REASON = 160;

interface ProposalsPageProps {
  /** Newest first, as the others. */
  readonly undecided: ListPage<ListedProposal>;
  readonly decided: ListPage<ListedProposal>;
  /** Of the domains that they are about, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly actors: ActorNames;
  /** Those that wait for a decision. */
  readonly incomingMoves: number;
}

export function ProposalsPage({ undecided, decided, incomingMoves, ...names }: ProposalsPageProps) {
  return (
    <>
      <PageHeading
        title="Proposals"
        lead="Changes that a program has proposed, or that need a second person. They are done when someone else accepts them."
      >
        <a class="button" href="/moves">
          Moves between accounts{incomingMoves > 0 ? ` (${incomingMoves})` : ''}
        </a>
        {usePage().userSession?.user.role === 'owner' ? (
          <a class="button" href="/approval-rules">
            Approval rules
          </a>
        ) : undefined}
      </PageHeading>
      <section class="card flush">
        {undecided.items.length === 0 ? (
          <Empty title="No proposals wait for a decision">
            <p>An API key that may only propose changes makes a proposal of each of its writes.</p>
          </Empty>
        ) : (
          <ProposalTable caption="Undecided" proposals={undecided.items} {...names} />
        )}
        <Pager page={undecided} />
      </section>
      {(decided.items.length > 0 || decided.first !== undefined) && (
        <Card title="Decided" id="decided" class="flush">
          <ProposalTable caption="Decided proposals" proposals={decided.items} {...names} />
          <Pager page={decided} />
        </Card>
      )}
    </>
  );
}

interface ProposalTableProps extends Pick<ProposalsPageProps, 'names' | 'actors'> {
  readonly caption: string;
  readonly proposals: readonly ListedProposal[];
}

function ProposalTable({ caption, proposals, names, actors }: ProposalTableProps) {
  const { now } = usePage();
  return (
    <Table caption={caption} columns={['Change', 'Proposed by', 'Proposed', 'Status']}>
      {proposals.map((proposal) => {
        const { id, write, reason, proposer, createdAt, expiresAt } = proposal;
        const status = statusAt(proposal, now);
        return (
          <Row key={id}>
            <Cell class="main-cell">
              <a href={`/proposals/${id}`}>{describeWrite(write, nameOf(proposal, names))}</a>
              <span class="small">{reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason}</span>
            </Cell>
            <Cell label="Proposed by">{getActorName(proposer, actors)}</Cell>
            <Cell label="Proposed">
              <Time at={createdAt}>{formatTimeAgo(createdAt, now)}</Time>
            </Cell>
            <Cell label="Status">
              <ProposalBadge status={status} />
              {status === 'open' && <small class="block">ends {formatRelativeDay(expiresAt, now)}</small>}
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}
