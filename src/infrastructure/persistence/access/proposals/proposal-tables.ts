import type {
  ProposalDecision,
  ProposalPlan,
  ProposalState,
  ProposalStatus,
  ProposedWrite,
} from '../../../../domain/access/proposals/proposal';
import type { AccountMoveState, MoveStatus } from '../../../../domain/registration/account-move';
import { parseActor, actorText } from '../../../../domain/access/actor';
import { instant, json, key, longText, named, nullable, storedIn, text, varchar } from '../../database/columns';
import { table, type RowOf } from '../../database/table';
import { actor } from '../actor-column';

const decision = () =>
  storedIn(text(), {
    read: (stored): ProposalDecision => {
      const { actor: by, comment, at } = JSON.parse(stored) as { actor: string; comment: string | null; at: string };
      return { actor: parseActor(by), comment, at: new Date(at) };
    },
    write: ({ actor: by, comment, at }) => JSON.stringify({ actor: actorText(by), comment, at }),
  });

/** Writes of the API that wait until someone accepts them. */
export const ProposalTable = table(
  'proposals',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    proposer: actor(),
    proposed_write: named('write', json<ProposedWrite>(longText('mediumtext'))),
    sealed_body: nullable(longText('mediumtext')),
    reason: text(),
    plan: json<ProposalPlan>(longText('mediumtext')),
    status: varchar<ProposalStatus>(12),
    decision: nullable(decision()),
    current_plan: nullable(json<ProposalPlan>(longText('mediumtext'))),
    error: nullable(json<NonNullable<ProposalState['error']>>()),
    created_at: instant(),
    updated_at: instant(),
    expires_at: instant(),
  },
  {
    indices: {
      proposals_of_account: ['account_id', 'created_at', 'id'],
      proposals_by_status: ['account_id', 'status', 'created_at', 'id'],
      proposals_by_end: ['expires_at'],
      proposals_by_status_and_end: ['status', 'expires_at'],
    },
  },
);
export type ProposalRow = RowOf<typeof ProposalTable>;

/** Names that another account gets if it accepts. */
export const AccountMoveTable = table(
  'account_moves',
  {
    id: key(varchar(40)),
    /** The account that gives the name away. */
    account_id: varchar(40),
    to_account_id: varchar(40),
    domain_id: varchar(40),
    name: varchar(253),
    zones: json<AccountMoveState['zones']>(longText('mediumtext')),
    effects: json<AccountMoveState['effects']>(longText('mediumtext')),
    proposer: actor(),
    reason: text(),
    status: varchar<MoveStatus>(12),
    decision: nullable(decision()),
    created_at: instant(),
    updated_at: instant(),
    expires_at: instant(),
  },
  {
    indices: {
      account_moves_of_account: ['account_id', 'created_at', 'id'],
      account_moves_to_account: ['to_account_id', 'created_at', 'id'],
      account_moves_of_domain: ['domain_id', 'status'],
      account_moves_by_end: ['expires_at'],
    },
  },
);
export type AccountMoveRow = RowOf<typeof AccountMoveTable>;
