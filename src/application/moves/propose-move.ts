import { inject, injectable } from '../ports/inject';
import type { Reader, Requester } from '../../domain/access/actor';
import { assertMayLetGo, assertWholeZoneAllowed } from '../../domain/access/key-permissions';
import { AccountMove, type AccountMoveState } from '../../domain/registration/account-move';
import type { Domain } from '../../domain/registration/domain';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { ValidationError } from '../../domain/shared/validation-error';
import { assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import { requireOwned } from '../access/require-domain';
import { moveFacts } from '../audit/move-audit';
import { AccountReader } from '../ports/access/accounts-and-api-keys';
import { UnitOfWork, type HookStore, type Stores, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../ports/system';
import { FindMovableNames } from './movable-names';
import { FindMoveEffects } from './move-effects';

export interface ProposeMoveCommand extends Requester {
  readonly domainId: string;
  readonly toAccountId: string;
  readonly reason: string;
}

type Offered = Pick<AccountMoveState, 'effects' | 'zones'>;
type Used = 'accountMoves' | 'audit' | 'domains' | 'operations' | 'zones' | HookStore;

/**
 * Offers a domain or zone, with the zones below it, to another account of this installation. Nothing changes until that accepts.
 * @throws LimitedKey, RoleForbids, DomainNotFound, DomainStatusConflict, OperationInProgress, ValidationError, ApprovalNeeded
 */
@injectable()
export class ProposeMove {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<Used>,
    @inject(AccountReader) private readonly accounts: Pick<AccountReader, 'find'>,
    @inject(FindMovableNames) private readonly movable: FindMovableNames,
    @inject(FindMoveEffects) private readonly effects: FindMoveEffects,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** What a move would mean now; nothing is changed. @throws as `execute`, but for what depends on the other account */
  async review({ accountId, actor, domainId }: Pick<ProposeMoveCommand, keyof Reader | 'domainId'>): Promise<Offered> {
    assertMayLetGo(actor);
    assertWholeZoneAllowed(actor);
    return this.unitOfWork.run(
      async (stores) =>
        this.offered(stores, requireOwned(await stores.domains.lock(accountId, domainId), { actor }, 'transfer')),
      accountId,
    );
  }

  async execute(command: ProposeMoveCommand, hook?: TransactionHook<AccountMove>): Promise<AccountMove> {
    const { accountId, actor, domainId, toAccountId, reason } = command;
    assertMayLetGo(actor);
    assertWholeZoneAllowed(actor);
    const now = this.clock.now();
    return this.unitOfWork.run(async (stores) => {
      const { accountMoves, audit, domains } = stores;
      const domain = requireOwned(await domains.lock(accountId, domainId), { actor }, 'transfer');
      if (!(await this.accounts.find(toAccountId)))
        throw ValidationError.of('account_id', 'must be an account of this service. Ask its owner for the id');
      const attempted = { kind: 'account_move', domainId, toAccountId, reason } as const;
      assertNoApprovalNeeded(actor, { kind: 'transfer_out', tags: domain.toState().tags }, () => attempted);
      const offer = await this.offered(stores, domain);
      const move = AccountMove.propose(
        {
          id: this.ids.next('move'),
          accountId,
          toAccountId,
          domainId,
          name: domain.name.value,
          ...offer,
          proposer: actor,
          reason,
        },
        now,
      );
      await accountMoves.add(move);
      await audit.append(...moveFacts(move, 'move.proposed', { accountId, actor, at: now }));
      await hook?.(stores, move);
      return move;
    }, accountId);
  }

  private async offered(stores: Pick<Stores, Used>, domain: Domain): Promise<Offered> {
    await stores.zones.lock(domain.id);
    const [first, ...others] = await this.movable.execute(stores, domain);
    if (await stores.accountMoves.openOf(domain.id, this.clock.now()))
      throw new DomainStatusConflict('It is offered to an account already. Withdraw that first');
    const effects = await this.effects.execute([first.toState(), ...others.map((each) => each.toState())]);
    return { zones: sortedNames(others), effects };
  }
}

export function sortedNames(domains: readonly Domain[]): readonly string[] {
  return domains.map(({ name }) => name.value).toSorted();
}
