import type { SettledOperation, SettleOperation } from '../../application/operations/settlement/settle-operation';
import type { NamedOperation, OperationQueries } from '../../application/ports/registration/operations-and-transfers';
import type { OperationState } from '../../domain/registration/operations/operation';
import { majorUnits, moneyText } from '../../domain/shared/money';
import { parseExpiry } from '../key-limit-options';
import { table, type CommandSpec } from '../command-spec';
import { UsageError } from '../usage-error';

export const OPERATION_USAGE = `  operation list [--uncertain]          lists the unfinished operations of all accounts: state, since when the outcome is
                                        unknown, id, kind, transaction id, account and name; --uncertain: only those
                                        whose outcome is unknown
  operation settle ID --as succeeded|failed [--expires TIME]
                                        ends an operation whose outcome stays unknown, after you have asked the registry;
                                        reads what it shows and refuses what contradicts that. --expires: the expiry
                                        after a renewal that the registry has confirmed and does not show`;

const PAGE = 500;

export interface OperationServices {
  readonly operations: {
    readonly queries: Pick<OperationQueries, 'unfinished'>;
    readonly settle: Pick<SettleOperation, 'execute'>;
  };
}

export const OPERATION_COMMANDS: Readonly<Record<string, CommandSpec<OperationServices>>> = {
  'operation list': {
    required: [],
    optional: ['uncertain'],
    prepare:
      ({ uncertain = false }) =>
      async ({ operations }) => {
        const all: ReturnType<typeof present>[] = [];
        for (let last: string | undefined; ;) {
          const page = await operations.queries.unfinished({ uncertain, after: last }, PAGE);
          all.push(...page.map(present));
          last = page.at(-1)?.operation.id;
          if (last === undefined) break;
        }
        const rows = all.map(({ state, uncertain_since, id, kind, transaction_id, account, name }) => [
          state,
          uncertain_since ?? '-',
          id,
          kind,
          transaction_id,
          account,
          name,
        ]);
        return { json: all, text: table(rows) };
      },
  },
  'operation settle': {
    required: ['as'],
    optional: ['expires'],
    operands: ['ID'],
    prepare: ({ as: outcome, ...options }, operationId = '') => {
      if (outcome !== 'succeeded' && outcome !== 'failed') throw new UsageError('--as must be succeeded or failed');
      const expiresAt = parseExpiry(options);
      return async ({ operations }) => {
        const settled = await operations.settle.execute({ operationId, outcome, expiresAt });
        return { json: presentSettled(settled), text: describe(settled) };
      };
    },
  },
};

function present({ domainName, operation }: NamedOperation) {
  const { id, accountId, request, status, transactionId, uncertainSince, nextAttemptAt, error } = operation;
  return {
    id,
    account: accountId,
    name: domainName,
    kind: request.kind,
    state: status,
    transaction_id: transactionId,
    uncertain_since: uncertainSince?.toISOString() ?? null,
    next_attempt_at: nextAttemptAt.toISOString(),
    reason: error?.message ?? null,
  };
}

function presentSettled({ operation, domain, charged }: SettledOperation) {
  const { id, request, status } = operation.toState();
  const { name, status: domainStatus, expiresAt } = domain.toState();
  return {
    id,
    kind: request.kind,
    state: status,
    name,
    status: domainStatus,
    expires_at: expiresAt.toISOString(),
    charged: charged && { amount: majorUnits(charged), currency: charged.currency },
  };
}

function describe({ operation, domain, charged }: SettledOperation): string {
  const { id, request, status }: OperationState = operation.toState();
  const { name, status: domainStatus, expiresAt } = domain.toState();
  const line = `${id} (${request.kind} of ${name}) has ${status}. The domain is ${domainStatus}, and its term ends ${expiresAt.toISOString()}`;
  return status === 'failed' && charged
    ? `${line}\nThe registry said that it charged ${moneyText(charged)}: claim it back`
    : line;
}
