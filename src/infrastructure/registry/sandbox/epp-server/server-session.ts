import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { Log } from '../../../../application/ports/system';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import { randomFractions } from '../../../system/random/random-fractions';
import type { Mutex } from './mutex';
import { NAMESPACES } from '../../epp/codec/namespaces';
import { parseXml } from '../../epp/codec/parse-xml';
import { childOf, tokenOf, type XmlElement } from '../../epp/codec/xml-element';
import { XmlError } from '../../epp/codec/xml-error';
import type { CommandContext } from './commands/command-context';
import { EppError } from './epp-error';
import { greetingDocument, responseDocument, type ResponseData } from './xml/epp-response';
import { clientTransactionId, isHello, requestOf, type EppRequest } from './xml/epp-request';
import { toEppError, type RegistryBackend } from './registry-backend';
import type { CommandDispatcher } from './commands/command-dispatcher';
import type { LoggedIn, LoginCommands } from './commands/login-commands';
import type { PollCommands } from './commands/poll-commands';
import type { SessionLimit } from './session-limit';
import type { WireFaults } from './wire-faults';

const SERVER_ID = 'Namewright sandbox registry';
const MAX_FAILED_LOGINS = 3;
const fraction = randomFractions();

/** Shared by the server's sessions. */
export interface CommandHandlers {
  readonly backend: RegistryBackend;
  readonly dispatcher: CommandDispatcher;
  readonly login: LoginCommands;
  readonly poll: PollCommands;
  readonly faults: WireFaults;
  readonly sessions: SessionLimit;
  readonly oneAtATime: Mutex;
  readonly offered: { readonly objects: readonly string[]; readonly extensions: readonly string[] };
  readonly log: Log;
}

/** Without a document, a fault drops the response. */
interface SessionOutput {
  readonly document?: string;
  /** Whether the connection closes afterwards. */
  readonly closes: boolean;
}

/** An EPP session, independent of the transport. */
export class ServerSession {
  private loggedIn: LoggedIn | undefined;
  private failedLogins = 0;

  constructor(private readonly handlers: CommandHandlers) {}

  async greeting(): Promise<string> {
    return greetingDocument(SERVER_ID, await this.handlers.backend.core.time(), this.handlers.offered);
  }

  /** Handles one document. Calls must not overlap. */
  async handle(bytes: Uint8Array): Promise<SessionOutput> {
    const ids = { clTRID: undefined as string | undefined, svTRID: `NWSB-${ulid(undefined, fraction)}` };
    let root: XmlElement;
    try {
      root = parseXml(bytes);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return { document: responseDocument(new EppError(2001, error.message), ids), closes: false };
    }
    if (isHello(root)) return { document: await this.greeting(), closes: false };
    ids.clTRID = clientTransactionId(root);
    return this.execute(root, ids);
  }

  /** Called after the connection has closed. */
  end(): void {
    if (this.loggedIn) this.handlers.sessions.leave(this.loggedIn.registrar);
    this.loggedIn = undefined;
  }

  private async execute(
    root: XmlElement,
    ids: { readonly clTRID: string | undefined; readonly svTRID: string },
  ): Promise<SessionOutput> {
    const outcome = await this.attempt(async () => requestOf(root));
    if (outcome instanceof EppError) return { document: responseDocument(outcome, ids), closes: false };
    const faults = await this.handlers.faults.consume({
      targets: targetsOf(outcome),
      transforms: this.handlers.dispatcher.transforms(outcome.verb),
    });
    if (faults.has('drop_before')) return { closes: true };
    await sleep(faults.get('delay')?.milliseconds ?? 0);
    if (faults.has('session_limit')) return { document: responseDocument(new EppError(2502), ids), closes: true };
    if (faults.has('refusal'))
      return {
        document: responseDocument(new EppError(2308, 'Rejected by a sandbox fault (refusal)'), ids),
        closes: false,
      };
    const reply = faults.has('failure')
      ? new EppError(2400)
      : await this.attempt(() => this.dispatch(outcome, ids.svTRID, faults.has('redeliver')));
    if (faults.has('drop_after')) return { closes: true };
    const document = responseDocument(reply, ids);
    const closes = faults.has('idle_close') || (reply instanceof EppError ? reply.code >= 2500 : reply.code === 1500);
    return { document: faults.has('malformed') ? document.replace('</epp>', '') : document, closes };
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T | EppError> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EppError) return error;
      if (error instanceof RegistryRejected) return toEppError(error);
      this.handlers.log.error({ err: error }, 'EPP command failed with an unexpected error');
      return new EppError(2400);
    }
  }

  private async dispatch(request: EppRequest, svTRID: string, redelivers: boolean): Promise<ResponseData> {
    const now = await this.handlers.backend.core.time();
    if (request.verb === 'login') return this.logIn(request, now);
    if (!this.loggedIn) throw new EppError(2002, 'Login required');
    const { registrar, services } = this.loggedIn;
    const context: CommandContext = { request, received: request, registrar, svTRID, now };
    const { personality } = this.handlers.backend;
    if (request.verb === 'logout') return { code: 1500 };
    if (request.verb === 'poll') return this.pollFor(context, redelivers);
    const handler = this.handlers.dispatcher.handlerFor(context, services);
    const accepted = { ...context, request: personality.accept(request) };
    const reply = this.handlers.dispatcher.transforms(request.verb)
      ? await this.handlers.oneAtATime.run(() => handler(accepted))
      : await handler(accepted);
    const { extensions = [], ...rest } = personality.respond?.(request, reply) ?? reply;
    return {
      ...rest,
      extensions: extensions.filter((each) => each && personality.extensions.includes(each.namespace)),
    };
  }

  private async logIn(request: EppRequest, now: Date): Promise<ResponseData> {
    if (this.loggedIn) throw new EppError(2002, 'Already logged in');
    try {
      const loggedIn = await this.handlers.login.login(request, now);
      if (!this.handlers.sessions.enter(loggedIn.registrar)) throw new EppError(2502);
      this.loggedIn = loggedIn;
      return {};
    } catch (error) {
      if (!(error instanceof EppError) || error.code !== 2200) throw error;
      this.failedLogins += 1;
      throw this.failedLogins < MAX_FAILED_LOGINS ? error : new EppError(2501);
    }
  }

  private async pollFor(context: CommandContext, redelivers: boolean): Promise<ResponseData> {
    const op = context.request.element.attributes.get('op');
    if (op === 'req') return this.handlers.poll.request(context);
    if (op === 'ack')
      return this.handlers.oneAtATime.run(() => this.handlers.poll.acknowledge(context, { keep: redelivers }));
    throw new EppError(2001, 'op must be req or ack');
  }
}

/** What a fault's target can be for this command: the verb, `object:verb`, `verb:op`, the domain name, or its TLD. */
function targetsOf({ verb, element, body }: EppRequest): readonly string[] {
  const object = Object.entries(NAMESPACES).find(([, namespace]) => namespace === body.namespace)?.[0];
  const name = tokenOf(childOf(body, NAMESPACES.domain, 'name'))?.toLowerCase();
  return [
    verb,
    `${object}:${verb}`,
    `${verb}:${element.attributes.get('op')}`,
    ...(name === undefined ? [] : [name, name.slice(name.indexOf('.') + 1)]),
  ];
}
