import type { EntityManager } from 'typeorm';
import type {
  ListedProposal,
  PlannedCost,
  ProposalFilter,
  ProposalKey,
  ProposalReader,
  ProposalRepository,
} from '../../../../application/ports/access/proposals';
import type { ListPosition } from '../../../../application/ports/storage/page';
import { Proposal } from '../../../../domain/access/proposals/proposal';
import type { Queries } from '../../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../../database/table';
import { ProposalTable, type ProposalRow } from './proposal-tables';

const UNDECIDED = "status IN ('open', 'accepting') AND expires_at > ?";
/** The others may be megabytes long. */
const LISTED = `${columnsOf(ProposalTable, { except: ['sealed_body', 'plan', 'current_plan'] })}, NULL AS sealed_body, '{}' AS plan, NULL AS current_plan`;

function toProposal(row: ProposalRow | undefined): Proposal | undefined {
  return row && Proposal.fromState(stateOf(ProposalTable, row));
}

export class SqlProposalReader implements ProposalReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<Proposal | undefined> {
    const sql = 'SELECT * FROM proposals WHERE id = ? AND account_id = ?';
    const [row] = await this.database.query<ProposalRow>(sql, [id, accountId]);
    return toProposal(row);
  }

  async page(
    accountId: string,
    { undecided, proposer }: ProposalFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ListedProposal[]> {
    const decided = !undecided ? '' : undecided.is ? ` AND ${UNDECIDED}` : ` AND NOT (${UNDECIDED})`;
    const own = proposer === undefined ? '' : ' AND proposer = ?';
    const place = after ? ' AND created_at <= ? AND (created_at < ? OR id < ?)' : '';
    const rows = await this.database.query<ProposalRow>(
      `SELECT ${LISTED} FROM proposals WHERE account_id = ?${decided}${own}${place} ORDER BY created_at DESC, id DESC LIMIT ?`,
      [
        accountId,
        ...(undecided ? [undecided.at.getTime()] : []),
        ...(proposer === undefined ? [] : [proposer]),
        ...(after ? [after.createdAt.getTime(), after.createdAt.getTime(), after.id] : []),
        limit,
      ],
    );
    return rows.map((row) => stateOf(ProposalTable, row));
  }

  async expired(now: Date, limit: number): Promise<readonly ProposalKey[]> {
    const rows = await this.database.query<Pick<ProposalRow, 'account_id' | 'id'>>(
      "SELECT account_id, id FROM proposals WHERE expires_at <= ? AND status IN ('open', 'accepting') ORDER BY expires_at LIMIT ?",
      [now.getTime(), limit],
    );
    return rows.map(({ account_id: accountId, id }) => ({ accountId, id }));
  }

  async countUndecided(accountId: string, now: Date): Promise<number> {
    const [row] = await this.database.query<{ count: number | string }>(
      `SELECT COUNT(*) AS count FROM proposals WHERE account_id = ? AND ${UNDECIDED}`,
      [accountId, now.getTime()],
    );
    return Number(row?.count ?? 0);
  }

  /** Sums of fractions are not exact. */
  async undecidedCosts(accountId: string, proposer: string, now: Date): Promise<readonly PlannedCost[]> {
    const rows = await this.database.query<{ amount: number | string; currency: string }>(
      `SELECT SUM(json_extract(plan, '$.cost.amount')) AS amount, json_extract(plan, '$.cost.currency') AS currency
        FROM proposals WHERE account_id = ? AND ${UNDECIDED} AND proposer = ? AND json_extract(plan, '$.cost.amount') > 0
        GROUP BY json_extract(plan, '$.cost.currency')`,
      [accountId, now.getTime(), proposer],
    );
    return rows.map(({ amount, currency }) => ({
      amount: Math.round(Number(amount) * 1_000) / 1_000,
      currency: currency.replaceAll('"', ''),
    }));
  }
}

export class SqlProposalRepository implements ProposalRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(accountId: string, id: string): Promise<Proposal | undefined> {
    const sql = `SELECT * FROM proposals WHERE id = ? AND account_id = ?${this.forUpdate}`;
    const [row] = await this.manager.query<ProposalRow[]>(sql, [id, accountId]);
    return toProposal(row);
  }

  async add(proposal: Proposal): Promise<void> {
    await insertRows(this.manager, ProposalTable, [rowOf(ProposalTable, proposal.toState())]);
  }

  async save(proposal: Proposal): Promise<void> {
    const { id, ...row } = rowOf(ProposalTable, proposal.toState());
    await this.manager.update(ProposalTable, { id }, row);
  }
}
