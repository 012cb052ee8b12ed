import { randomBytes } from 'node:crypto';
import { inject, injectable } from '../../application/ports/inject';
import { Clock, SealBroken, SecretBox } from '../../application/ports/system';
import { actorText } from '../../domain/access/actor';
import { planDigest } from '../../domain/access/proposals/plan-effect';
import type { ProposalPlan } from '../../domain/access/proposals/proposal';
import { ValidationError } from '../../domain/shared/validation-error';
import type { ApiWrite } from '../api/proposals/api-writes';
import { requestFingerprint } from '../api/request-fingerprint';
import type { Caller } from '../api/api-authentication';

/** As long as a quote holds. */
const LIFETIME_MS = 15 * 60_000;
const NONCE_BYTES = 9;
const EFFECT_LENGTH = 22;

/** What a plan's id says about it. */
export interface KnownPlan {
  /** Of this plan and no other: the key by which its change is done once. */
  readonly nonce: string;
  /** A digest of what the plan changes. */
  readonly effect: string;
  /** Whether a person has to confirm it. */
  readonly confirm: boolean;
  /** The quote that binds its price. */
  readonly quoteId?: string | undefined;
  /** Where the write goes: what it is for may be gone when a call is repeated. */
  readonly target: Pick<ApiWrite, 'method' | 'path'>;
  /** A digest of what was asked for. */
  readonly fingerprint: string;
}

export interface NewPlan extends Pick<KnownPlan, 'confirm' | 'quoteId' | 'target'> {
  readonly plan: ProposalPlan;
}

type SealedPlan = readonly [
  nonce: string,
  expiresAt: number,
  effect: string,
  confirm: boolean,
  method: string,
  path: string,
  quoteId: string | null,
];

/**
 * Ids of plans, which no server stores: the id is what is known about the plan, encrypted for the key and for what was asked for, so
 * that it can be used for neither another key nor another change.
 */
@injectable()
export class PlanIds {
  constructor(
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param asked the arguments that say what to change */
  async issue(
    caller: Caller,
    asked: object,
    { plan, confirm, quoteId, target: { method, path } }: NewPlan,
  ): Promise<{ readonly id: string; readonly expiresAt: Date }> {
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const sealed: SealedPlan = [nonce, expiresAt.getTime(), effectOf(plan), confirm, method, path, quoteId ?? null];
    return { id: this.box.seal(JSON.stringify(sealed), purposeOf(caller, await digestOf(caller, asked))), expiresAt };
  }

  /** @throws ValidationError if it is not the id of a plan of this change and this key, or no longer valid */
  async open(caller: Caller, asked: object, id: string): Promise<KnownPlan> {
    const fingerprint = await digestOf(caller, asked);
    const [nonce, expiresAt, effect, confirm, method, path, quoteId] = this.read(id, purposeOf(caller, fingerprint));
    if (this.clock.now().getTime() >= expiresAt)
      throw ValidationError.of('plan_id', 'has expired: make the plan again');
    return { nonce, effect, confirm, quoteId: quoteId ?? undefined, target: { method, path }, fingerprint };
  }

  /** What a client sends back with the answer of the person whom it asked about a plan. */
  sealState(caller: Caller, id: string): string {
    return this.box.seal(id, statePurposeOf(caller));
  }

  /** @throws SealBroken */
  openState(caller: Caller, state: string): string {
    return this.box.open(state, statePurposeOf(caller));
  }

  private read(id: string, purpose: string): SealedPlan {
    try {
      return JSON.parse(this.box.open(id, purpose)) as SealedPlan;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw ValidationError.of(
        'plan_id',
        'must be that of a plan which this key made for the same change: make the plan again',
      );
    }
  }
}

export function effectOf(plan: ProposalPlan): string {
  return planDigest(plan, 'effect').slice(0, EFFECT_LENGTH);
}

async function digestOf(caller: Caller, asked: object): Promise<string> {
  return requestFingerprint({ caller, method: '', path: '', query: {}, headers: {}, body: asked });
}

function purposeOf({ accountId, actor }: Caller, fingerprint: string): string {
  return `plan of ${accountId}, ${actorText(actor)}: ${fingerprint}`;
}

function statePurposeOf({ accountId, actor }: Caller): string {
  return `question to a client of ${accountId}, ${actorText(actor)}`;
}
