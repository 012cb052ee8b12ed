import type { EntityManager } from 'typeorm';
import type {
  ListedProposal,
  PlannedCost,
  ProposalFilter,
  ProposalKey,
  ProposalReader,
  ProposalRepository,
} from '../../../../application/ports/access/proposals';
import { waitForNextSlice } from '../../../../application/shared/run-cooperatively';
import type { ListPosition } from '../../../../application/ports/storage/page';
import { Proposal } from '../../../../domain/access/proposals/proposal';
import type { Queries } from '../../database/database';
import { columnsOf, insertRows, placeholders, rowOf, stateOf } from '../../database/table';
import { ProposalTable, type ProposalRow } from './proposal-tables';

/** A plan takes up to 3 ms to be searched. */
const PLANS_AT_ONCE = 10;
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

  async undecidedCosts(accountId: string, proposer: string, now: Date): Promise<readonly PlannedCost[]> {
    const found = await this.database.query<{ readonly id: string }>(
      `SELECT id FROM proposals WHERE account_id = ? AND ${UNDECIDED} AND proposer = ?`,
      [accountId, now.getTime(), proposer],
    );
    const ids = found.map(({ id }) => id);
    const sums = new Map<string, number>();
    for (let start = 0; start < ids.length; start += PLANS_AT_ONCE) {
      if (start > 0) await waitForNextSlice(accountId);
      for (const { amount, currency } of await this.costsOf(ids.slice(start, start + PLANS_AT_ONCE)))
        sums.set(currency, (sums.get(currency) ?? 0) + amount);
    }
    // Sums of fractions are not exact.
    return [...sums].map(([currency, amount]) => ({ amount: Math.round(amount * 1_000) / 1_000, currency }));
  }

  private async costsOf(ids: readonly string[]): Promise<readonly PlannedCost[]> {
    const rows = await this.database.query<{ readonly amount: number | string | null; readonly currency: string }>(
      `SELECT json_extract(plan, '$.cost.amount') AS amount, json_extract(plan, '$.cost.currency') AS currency
        FROM proposals WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    const costs = rows.map(({ amount, currency }) => ({ amount: Number(amount ?? 0), currency }));
    return costs
      .filter(({ amount }) => amount > 0)
      .map(({ amount, currency }) => ({ amount, currency: currency.replaceAll('"', '') }));
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
