import { IsObject, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { inject, injectable } from '../../../../application/ports/inject';
import { Clock } from '../../../../application/ports/system';
import { DecideMove, type AcceptedMove } from '../../../../application/moves/decide-move';
import { FindMoves, maySeeMove, type MoveParties } from '../../../../application/moves/find-moves';
import { ProposeMove } from '../../../../application/moves/propose-move';
import { assertActionAllowed, limitsOf } from '../../../../domain/access/key-permissions';
import type { Reader } from '../../../../domain/access/actor';
import { moveStatusAt, type AccountMove, type AccountMoveState } from '../../../../domain/registration/account-move';
import { domainIdOfZone, zoneIdOf } from '../../../../domain/dns/zone-id';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { pageOf } from '../../../shared/page-of';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { DEFAULT_LIMIT, pageRequest, pageResult, positionCursor } from '../../list-query';
import { Optional, parameter, switchParameter, validated } from '../../validated';
import { RegistrantBody, toRegistrant } from './contacts';

class MoveBody {
  @IsString() domain_id!: string;
  @IsString() account_id!: string;
  @IsString() reason!: string;
}

class DecisionBody {
  @Optional() @IsString() comment?: string;
}

class AcceptanceBody extends DecisionBody {
  @Optional() @IsObject() @ValidateNested() @Type(() => RegistrantBody) registrant?: RegistrantBody;
}

interface Listed {
  readonly state: AccountMoveState;
  readonly shown: object;
}

/** Domains and zones that move to another account of this installation. */
@injectable()
export class MovesController {
  constructor(
    @inject(ProposeMove) private readonly proposeMove: ProposeMove,
    @inject(DecideMove) private readonly decide: DecideMove,
    @inject(FindMoves) private readonly moves: FindMoves,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async propose(request: WriteRequest): Promise<JsonResult> {
    const { caller, body } = request;
    const { domain_id: id, account_id: toAccountId, reason } = validated(MoveBody, body);
    const domainId = id.startsWith('zone_') ? domainIdOfZone(id) : id;
    // The name of the other account is read before the transaction, in which the response is stored.
    const parties = await this.moves.namesOf(caller.accountId, toAccountId);
    const toResult = (made: AccountMove): JsonResult => ({
      status: 201,
      headers: { Location: `/api/moves/${made.id}` },
      body: this.shown(made.toState(), caller, parties),
    });
    return toResult(
      await this.proposeMove.execute({ ...caller, domainId, toAccountId, reason }, request.storing(toResult)),
    );
  }

  async list(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = pageRequest(request) ?? { limit: DEFAULT_LIMIT };
    const filter = { direction: directionOf(request), isOpen: switchParameter(request, 'open') };
    const found = pageOf(await this.moves.page(request.caller, filter, limit + 1, after), limit);
    const visible = found.items.filter((state) => maySeeMove(request.caller.actor, state));
    const items: Listed[] = [];
    for (const state of visible) items.push({ state, shown: await this.withParties(state, request.caller) });
    return pageResult(
      { request, filters: ['direction', 'open'], items, last: found.last, limit, cursorOf: positionCursor },
      ({ shown }) => shown,
    );
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(await this.withParties((await this.moves.byId({ ...caller, moveId: params.id })).toState(), caller));
  }

  async accept(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { comment = null, registrant } = validated(AcceptanceBody, request.body ?? {});
    const command = await this.commandOf(request, comment);
    const toResult = ({ move, operationId }: AcceptedMove): JsonResult =>
      ok({ ...this.shown(move.toState(), request.caller, command.parties), operation_id: operationId });
    return toResult(
      await this.decide.accept(
        { ...command, registrant: registrant && toRegistrant(registrant) },
        request.storing(toResult),
      ),
    );
  }

  async reject(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { comment = null } = validated(DecisionBody, request.body ?? {});
    const command = await this.commandOf(request, comment);
    const toResult = (move: AccountMove): JsonResult => ok(this.shown(move.toState(), request.caller, command.parties));
    return toResult(await this.decide.reject(command, request.storing(toResult)));
  }

  async withdraw(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { comment = null } = validated(DecisionBody, request.body ?? {});
    const command = await this.commandOf(request, comment);
    const toResult = (move: AccountMove): JsonResult => ok(this.shown(move.toState(), request.caller, command.parties));
    return toResult(await this.decide.withdraw(command, request.storing(toResult)));
  }

  private async commandOf({ caller, params }: WriteRequest<'id'>, comment: string | null) {
    // Before anything is looked for: who may not decide learns of no move.
    assertActionAllowed(caller.actor, 'transfer');
    const { accountId, toAccountId } = (await this.moves.byId({ ...caller, moveId: params.id })).toState();
    const parties = await this.moves.namesOf(accountId, toAccountId);
    return { ...caller, moveId: params.id, comment, parties };
  }

  private async withParties(state: AccountMoveState, caller: Pick<Reader, 'accountId' | 'actor'>): Promise<object> {
    return this.shown(state, caller, await this.moves.namesOf(state.accountId, state.toAccountId));
  }

  /** Each account sees its own people only, and what the move means for itself. */
  private shown(
    state: AccountMoveState,
    { accountId, actor }: Pick<Reader, 'accountId' | 'actor'>,
    parties: MoveParties,
  ): object {
    const { id, domainId, name, zones, effects, proposer, reason, decision, createdAt, expiresAt, updatedAt } = state;
    const isOut = accountId === state.accountId;
    const decidedHere = state.status === 'withdrawn' ? isOut : !isOut;
    return {
      id,
      state: moveStatusAt(state, this.clock.now()),
      direction: isOut ? 'out' : 'in',
      domain_id: domainId,
      zone_id: zoneIdOf(domainId),
      name,
      zones,
      from: { id: state.accountId, name: parties.from },
      to: { id: state.toAccountId, name: parties.to },
      // Names keys and other names of the account.
      effects: isOut ? (limitsOf(actor) ? [] : effects.ends) : effects.comes,
      reason,
      proposed_by: isOut ? shownActor(proposer) : null,
      decision: decision && {
        by: decidedHere ? shownActor(decision.actor) : null,
        comment: decision.comment,
        at: decision.at.toISOString(),
      },
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    };
  }
}

function shownActor(actor: Reader['actor']): object {
  return { kind: actor.kind, id: 'id' in actor ? actor.id : null };
}

/** @throws ValidationError */
function directionOf(request: Pick<ApiRequest, 'query'>): 'in' | 'out' | undefined {
  const value = parameter(request, 'direction');
  if (value === undefined || value === 'in' || value === 'out') return value;
  throw ValidationError.of('direction', 'must be in or out');
}
