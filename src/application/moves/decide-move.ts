import { inject, injectable } from '../ports/inject';
import { SERVICE, type Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed, assertWholeZoneAllowed } from '../../domain/access/key-permissions';
import { ProposalNotFound, ProposerDecides } from '../../domain/access/proposals/proposal-errors';
import type { AccountMove } from '../../domain/registration/account-move';
import type { Domain } from '../../domain/registration/domain';
import type { Registrant } from '../../domain/registration/registrant';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { DomainStatusConflict, ZoneExists } from '../../domain/shared/domain-errors';
import { moveFacts, movedFacts } from '../audit/move-audit';
import { ZoneCommit } from '../dns/zones/zone-commit';
import { OperationQueue } from '../operations/operation-queue';
import { ZonePublisher, type ZoneState } from '../ports/dns/publishing';
import { AccountMoveReader } from '../ports/registration/operations-and-transfers';
import { UnitOfWork, type Stores, type TransactionHook, type CommitStore } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';
import { registrantChange } from '../registration/settings/change-registrant';
import { FindMovableNames, type MovableNames } from './movable-names';
import { maySeeMove } from './find-moves';
import { sortedNames } from './propose-move';

export interface DecideMoveCommand extends Requester {
  readonly moveId: string;
  readonly comment: string | null;
}

export interface AcceptMoveCommand extends DecideMoveCommand {
  /** Sent to the registry as the new registrant; undefined: the present one stays. */
  readonly registrant?: Registrant | undefined;
}

export interface AcceptedMove {
  readonly move: AccountMove;
  /** Of the change of the registrant. */
  readonly operationId: string | null;
}

type DecidingStores = Pick<Stores, CommitStore> & Pick<Stores, 'accountMoves'>;

/**
 * Accepts, rejects and withdraws moves of names between accounts. An acceptance is one transaction: after it, the name, its zone and the
 * zones below are the other account's, or nothing has changed.
 */
@injectable()
export class DecideMove {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore | 'accountMoves'>,
    @inject(AccountMoveReader) private readonly moves: Pick<AccountMoveReader, 'find'>,
    @inject(FindMovableNames) private readonly movable: FindMovableNames,
    @inject(ZoneCommit) private readonly commit: Pick<ZoneCommit, 'withdrawPtrs'>,
    @inject(ZonePublisher) private readonly publisher: Pick<ZonePublisher, 'notifySecondaries'>,
    @inject(OperationQueue) private readonly operations: Pick<OperationQueue, 'queue' | 'wake'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /**
   * @throws ProposalNotFound, ProposalClosed, ProposerDecides, LimitedKey, DomainStatusConflict, OperationInProgress, ZoneExists,
   *   ValidationError, ApprovalNeeded
   */
  async accept(command: AcceptMoveCommand, hook?: TransactionHook<AcceptedMove>): Promise<AcceptedMove> {
    const { accountId, actor } = command;
    const { domainId, accountId: from } = await this.findToDecide(command);
    const done = await this.unitOfWork.run(async (stores) => {
      // The domain first, as all that change it do: otherwise they could wait for each other.
      const domain = await stores.domains.lock(from, domainId);
      await stores.zones.lock(domainId);
      const move = await this.lock(stores, command);
      const at = this.clock.now();
      move.accept(accountId, { actor, comment: command.comment, at });
      if (!domain) throw new DomainStatusConflict('The account that offers it no longer has it');
      const moved = await this.movable.execute(stores, domain);
      await this.assertAsOffered(stores, move, moved);
      const reverseZones: ZoneState[] = [];
      for (const each of moved) reverseZones.push(...(await this.moveOne(stores, each, move, command)));
      await stores.accountMoves.save(move);
      const operation = await this.changeRegistrant(stores, domain, command);
      const accepted = { move, operationId: operation?.id ?? null };
      await hook?.(stores, accepted);
      return { accepted, domain, reverseZones };
    }, accountId);
    for (const zone of done.reverseZones) this.publisher.notifySecondaries(zone);
    if (done.accepted.operationId !== null) this.operations.wake(done.domain);
    return done.accepted;
  }

  /** @throws ProposalNotFound, ProposalClosed, ProposerDecides, LimitedKey */
  async reject(command: DecideMoveCommand, hook?: TransactionHook<AccountMove>): Promise<AccountMove> {
    const { accountId, actor, comment } = command;
    await this.findToDecide(command);
    return this.close(command, 'move.rejected', hook, (move, at) => move.reject(accountId, { actor, comment, at }));
  }

  /** @throws ProposalNotFound, ProposalClosed, ProposerDecides, LimitedKey */
  async withdraw(command: DecideMoveCommand, hook?: TransactionHook<AccountMove>): Promise<AccountMove> {
    const { accountId, actor, comment } = command;
    assertActionAllowed(actor, 'transfer');
    return this.close(command, 'move.withdrawn', hook, (move, at) => move.withdraw(accountId, { actor, comment, at }));
  }

  private async findToDecide({ accountId, actor, moveId }: DecideMoveCommand) {
    assertActionAllowed(actor, 'transfer');
    assertWholeZoneAllowed(actor);
    const move = (await this.moves.find(accountId, moveId))?.toState();
    if (!move || !maySeeMove(actor, move)) throw new ProposalNotFound();
    if (move.toAccountId !== accountId) throw new ProposerDecides('decide');
    assertNameAllowed(actor, move.name);
    for (const zone of move.zones) assertNameAllowed(actor, zone);
    return move;
  }

  private async lock(
    { accountMoves }: Pick<Stores, 'accountMoves'>,
    { accountId, actor, moveId }: DecideMoveCommand,
  ): Promise<AccountMove> {
    const move = await accountMoves.lock(accountId, moveId);
    if (!move || !maySeeMove(actor, move.toState())) throw new ProposalNotFound();
    return move;
  }

  private async close(
    command: DecideMoveCommand,
    action: 'move.rejected' | 'move.withdrawn',
    hook: TransactionHook<AccountMove> | undefined,
    decide: (move: AccountMove, at: Date) => void,
  ): Promise<AccountMove> {
    const { accountId, actor } = command;
    return this.unitOfWork.run(async (stores) => {
      const move = await this.lock(stores, command);
      const at = this.clock.now();
      decide(move, at);
      await stores.accountMoves.save(move);
      await stores.audit.append(...moveFacts(move, action, { accountId, actor, at }));
      await hook?.(stores, move);
      return move;
    }, accountId);
  }

  /** Who accepts has seen which zones come along, and has no other zone of these names. @throws DomainStatusConflict, ZoneExists */
  private async assertAsOffered({ domains }: DecidingStores, move: AccountMove, moved: MovableNames): Promise<void> {
    const { zones, toAccountId } = move.toState();
    const present = sortedNames(moved.slice(1));
    if (present.join() !== zones.join())
      throw new DomainStatusConflict(
        `The zones below it are others than when it was offered: ${present.join(', ') || 'none'}. It has to be offered again`,
      );
    for (const { name } of moved)
      if (await domains.lockOwn(toAccountId, name)) throw new ZoneExists(`${name.value} is in your account already`);
  }

  /** Returns the reverse zones of the former account that no longer lead to its addresses. */
  private async moveOne(stores: DecidingStores, domain: Domain, move: AccountMove, { accountId, actor }: Requester) {
    const { audit, domains, zones } = stores;
    const former = { accountId: domain.hostedName.accountId, actor: SERVICE };
    const reverseZones = await this.commit.withdrawPtrs(stores, former, domain.hostedName);
    const at = this.clock.now();
    const zone = await zones.lock(domain.id);
    // A version to go back to: the earlier ones are not the new account's.
    const nothing = { added: [], changed: [], removed: [] };
    if (zone) await zones.apply([{ zone, change: nothing, by: { actor, at } }]);
    domain.moveTo(accountId, this.lifecycleClock.now());
    await domains.saveMoved(domain);
    await audit.append(...movedFacts(move.toState(), domain.toState(), { accountId, actor, at }));
    return reverseZones;
  }

  private async changeRegistrant(
    stores: DecidingStores,
    domain: Domain,
    { accountId, actor, operationId, registrant }: AcceptMoveCommand,
  ) {
    if (!registrant) return undefined;
    if (domain.isHosted) throw new DomainStatusConflict('A zone without a registration here has no registrant');
    const change = registrantChange(registrant, this.policies);
    const queued = await this.operations.queue(stores, {
      accountId,
      actor,
      operationId,
      domainId: domain.id,
      ...change,
    });
    return queued.operation;
  }
}
