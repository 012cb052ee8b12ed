import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { Log } from '../../../../application/ports/system/log';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { Mutex } from '../../../persistence/database/mutex';
import { NAMESPACES } from '../../epp/codec/namespaces';
import { parseXml } from '../../epp/codec/parse-xml';
import { childOf, tokenOf, type XmlElement } from '../../epp/codec/xml-element';
import { XmlError } from '../../epp/codec/xml-error';
import type { CommandContext } from './commands/command-context';
import { EppFailure } from './epp-failure';
import { greetingDocument, replyDocument, type EppReply } from './xml/epp-reply';
import { clientTransactionId, isHello, requestOf, type EppRequest } from './xml/epp-request';
import { failureOf, type RegistryBackend } from './registry-backend';
import type { CommandDispatcher } from './commands/command-dispatcher';
import type { LoggedIn, LoginCommands } from './commands/login-commands';
import type { PollCommands } from './commands/poll-commands';
import type { SessionRegister } from './session-register';
import type { WireFaults } from './wire-faults';

const SERVER_ID = 'Namewright sandbox registry';
const MAX_FAILED_LOGINS = 3;

/** What the server's sessions share. */
export interface CommandHandlers {
  readonly backend: RegistryBackend;
  readonly desk: CommandDispatcher;
  readonly login: LoginCommands;
  readonly poll: PollCommands;
  readonly faults: WireFaults;
  readonly sessions: SessionRegister;
  readonly oneAtATime: Mutex;
  readonly offered: { readonly objects: readonly string[]; readonly extensions: readonly string[] };
  readonly log: Log;
}

/** What goes out: nothing where a fault swallowed it. */
export interface Answer {
  readonly document?: string;
  /** Whether the connection ends with it. */
  readonly ends: boolean;
}

/** One client's conversation, whatever carries it. */
export class ServerSession {
  private loggedIn: LoggedIn | undefined;
  private failedLogins = 0;

  constructor(private readonly desks: CommandHandlers) {}

  async greeting(): Promise<string> {
    return greetingDocument(SERVER_ID, await this.desks.backend.core.time(), this.desks.offered);
  }

  /** To be called for one document after the other. */
  async answer(bytes: Uint8Array): Promise<Answer> {
    const ids = { clTRID: undefined as string | undefined, svTRID: `NWSB-${ulid()}` };
    let root: XmlElement;
    try {
      root = parseXml(bytes);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return { document: replyDocument(new EppFailure(2001, error.message), ids), ends: false };
    }
    if (isHello(root)) return { document: await this.greeting(), ends: false };
    ids.clTRID = clientTransactionId(root);
    return this.carryOut(root, ids);
  }

  /** The connection is gone. */
  end(): void {
    if (this.loggedIn) this.desks.sessions.leave(this.loggedIn.registrar);
    this.loggedIn = undefined;
  }

  private async carryOut(
    root: XmlElement,
    ids: { readonly clTRID: string | undefined; readonly svTRID: string },
  ): Promise<Answer> {
    const outcome = await this.attempt(async () => requestOf(root));
    if (outcome instanceof EppFailure) return { document: replyDocument(outcome, ids), ends: false };
    const faults = await this.desks.faults.meet({
      marks: marksOf(outcome),
      transforms: this.desks.desk.transforms(outcome.verb),
    });
    if (faults.has('drop_before')) return { ends: true };
    await sleep(faults.get('delay')?.milliseconds ?? 0);
    if (faults.has('crowded')) return { document: replyDocument(new EppFailure(2502), ids), ends: true };
    if (faults.has('refusal'))
      return {
        document: replyDocument(new EppFailure(2308, 'The sandbox was told to refuse this command'), ids),
        ends: false,
      };
    const reply = faults.has('failure')
      ? new EppFailure(2400)
      : await this.attempt(() => this.dispatch(outcome, ids.svTRID, faults.has('twice')));
    if (faults.has('drop_after')) return { ends: true };
    const document = replyDocument(reply, ids);
    const ends = faults.has('idle_close') || (reply instanceof EppFailure ? reply.code >= 2500 : reply.code === 1500);
    return { document: faults.has('malformed') ? document.replace('</epp>', '') : document, ends };
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T | EppFailure> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EppFailure) return error;
      if (error instanceof RegistryRejected) return failureOf(error);
      this.desks.log.error({ err: error }, 'a command failed');
      return new EppFailure(2400);
    }
  }

  private async dispatch(request: EppRequest, svTRID: string, twice: boolean): Promise<EppReply> {
    const now = await this.desks.backend.core.time();
    if (request.verb === 'login') return this.logIn(request, now);
    if (!this.loggedIn) throw new EppFailure(2002, 'Log in first');
    const { registrar, services } = this.loggedIn;
    const asking: CommandContext = { request, registrar, svTRID, now };
    if (request.verb === 'logout') return { code: 1500 };
    if (request.verb === 'poll') return this.pollFor(asking, twice);
    const handler = this.desks.desk.handlerFor(asking, services);
    return this.desks.desk.transforms(request.verb)
      ? this.desks.oneAtATime.run(() => handler(asking))
      : handler(asking);
  }

  private async logIn(request: EppRequest, now: Date): Promise<EppReply> {
    if (this.loggedIn) throw new EppFailure(2002, 'You are logged in');
    try {
      const loggedIn = await this.desks.login.login(request, now);
      if (!this.desks.sessions.enter(loggedIn.registrar)) throw new EppFailure(2502);
      this.loggedIn = loggedIn;
      return {};
    } catch (error) {
      if (!(error instanceof EppFailure) || error.code !== 2200) throw error;
      this.failedLogins += 1;
      throw this.failedLogins < MAX_FAILED_LOGINS ? error : new EppFailure(2501);
    }
  }

  private async pollFor(asking: CommandContext, twice: boolean): Promise<EppReply> {
    const op = asking.request.element.attributes.get('op');
    if (op === 'req') return this.desks.poll.request(asking);
    if (op === 'ack') return this.desks.oneAtATime.run(() => this.desks.poll.acknowledge(asking, { keeping: twice }));
    throw new EppFailure(2001, 'A poll is req or ack');
  }
}

/** How a fault may name the command: by its verb, alone or with its object or operation, the name it is about, or that name's TLD. */
function marksOf({ verb, element, body }: EppRequest): readonly string[] {
  const object = Object.entries(NAMESPACES).find(([, namespace]) => namespace === body.namespace)?.[0];
  const name = tokenOf(childOf(body, NAMESPACES.domain, 'name'))?.toLowerCase();
  return [
    verb,
    `${object}:${verb}`,
    `${verb}:${element.attributes.get('op')}`,
    ...(name === undefined ? [] : [name, name.slice(name.indexOf('.') + 1)]),
  ];
}
