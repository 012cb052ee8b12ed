import type { ProposalPlan } from '../../domain/access/proposals/proposal';
import { limitsOf } from '../../domain/access/key-permissions';
import type { ApiWrite } from '../api/proposals/api-writes';
import type { JsonResult } from '../shared/result';
import type { ApiCall, ApiCaller, ApiCalls } from './api-calls';
import type { KnownPlan, NewPlan, PlanIds } from './plan-ids';

export type Json = Readonly<Record<string, unknown>>;

/** A response of the API that is an error. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';

  constructor(readonly response: JsonResult) {
    super('The API refused the request');
  }
}

/** A person is to confirm: the client asks, and repeats the call with their answer. */
export class ConfirmationNeeded extends Error {
  override readonly name = 'ConfirmationNeeded';

  constructor(
    readonly question: string,
    /** What the client sends back with the answer. */
    readonly state: string,
  ) {
    super('A person has to confirm');
  }
}

/** What the client sent besides the arguments. */
export interface ToolClient {
  /** Whether it can ask a person. */
  readonly asksPeople: boolean;
  /** Whether it polls tasks. */
  readonly takesTasks: boolean;
  /** The plan that the client asked a person about. */
  readonly askedPlanId: string | undefined;
  readonly answer: 'none' | 'confirmed' | 'declined';
  /** Aborted when it no longer waits. */
  readonly signal: AbortSignal;
  /** Tells it how far the call is, if it wants to know. */
  report(step: number, message: string): Promise<void>;
}

interface Page {
  readonly body: readonly Json[];
  readonly next_cursor: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const PAGE = 20;
const REPORT_MS = 2_000;

/** One call of a tool: requests to the API in the name of its key. */
export class ToolCall {
  constructor(
    readonly caller: ApiCaller,
    private readonly client: ToolClient,
    private readonly calls: ApiCalls,
    private readonly planIds: PlanIds,
  ) {}

  get signal(): AbortSignal {
    return this.client.signal;
  }

  get mayOnlyPropose(): boolean {
    return limitsOf(this.caller.actor)?.propose === true;
  }

  /** @throws ToolRefusal */
  async send(call: ApiCall): Promise<JsonResult> {
    const response = await this.calls.send(this.caller, call);
    if (response.status >= 400) throw new ToolRefusal(response);
    return response;
  }

  /** @throws ToolRefusal */
  async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<Json> {
    return (await this.send({ method: 'GET', path, query })).body as Json;
  }

  /** Undefined if it does not exist. @throws ToolRefusal */
  async find(path: string): Promise<Json | undefined> {
    const response = await this.calls.send(this.caller, { method: 'GET', path });
    if (response.status === 404) return undefined;
    if (response.status >= 400) throw new ToolRefusal(response);
    return response.body as Json;
  }

  /** @throws ToolRefusal */
  async post(path: string, body: object): Promise<Json> {
    return (await this.send({ method: 'POST', path, body })).body as Json;
  }

  /** A page of a list. Parameters that are undefined are left out. @throws ToolRefusal */
  async page(path: string, parameters: Readonly<Record<string, string | number | undefined>>): Promise<Page> {
    const given = Object.entries({ limit: PAGE, ...parameters }).filter(([, value]) => value !== undefined);
    const query = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    const { body, headers } = await this.send({ method: 'GET', path, query });
    const [, next] = /[?&](?:cursor|after)=([^&>]+)/.exec(headers['Link'] ?? '') ?? [];
    return {
      body: body as readonly Json[],
      next_cursor: next === undefined ? undefined : decodeURIComponent(next),
      headers,
    };
  }

  /** The zone of a name, and the domain if it is registered here. @throws ToolRefusal if the account has no such name */
  async resolve(name: string): Promise<{ readonly zone: Json; readonly domainId: string | undefined }> {
    const zone = await this.get(`/api/zones/by-name/${encodeURIComponent(name)}`);
    return { zone, domainId: typeof zone['domain_id'] === 'string' ? zone['domain_id'] : undefined };
  }

  /** What the write would do. @throws ServiceError */
  async plan(write: ApiWrite): Promise<ProposalPlan> {
    return (await this.calls.plan(this.caller, write)).plan;
  }

  /** @param asked the arguments that say what to change */
  async issuePlanId(asked: object, plan: NewPlan): Promise<{ readonly id: string; readonly expiresAt: Date }> {
    return this.planIds.issue(this.caller, asked, plan);
  }

  /** @throws ValidationError */
  async openPlan(asked: object, planId: string): Promise<KnownPlan> {
    return this.planIds.open(this.caller, asked, planId);
  }

  /** The plan that the client asked a person about, if it did. */
  get askedPlanId(): string | undefined {
    return this.client.askedPlanId;
  }

  get takesTasks(): boolean {
    return this.client.takesTasks;
  }

  get asksPeople(): boolean {
    return this.client.asksPeople;
  }

  /** Whether a person has confirmed the plan. @throws ConfirmationNeeded if the client is to ask one */
  isConfirmed(planId: string, question: string): boolean {
    const { asksPeople, askedPlanId, answer } = this.client;
    if (!asksPeople || this.mayOnlyPropose) return true;
    if (askedPlanId !== planId || answer === 'none')
      throw new ConfirmationNeeded(question, this.planIds.sealState(this.caller, planId));
    return answer === 'confirmed';
  }

  /** Does what was planned, once. Errors are responses. */
  async apply(write: ApiWrite, plan: KnownPlan): Promise<JsonResult> {
    return this.reporting('Waiting for the outcome', this.calls.apply(this.caller, write, plan));
  }

  private async reporting<T>(message: string, work: Promise<T>): Promise<T> {
    let step = 0;
    const timer = setInterval(() => void this.client.report((step += 1), message), REPORT_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  async report(step: number, message: string): Promise<void> {
    return this.client.report(step, message);
  }
}
