import { ulid } from 'ulid';
import type { Log } from '../../../../application/ports/system';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf } from '../codec/xml-element';
import { ConnectionLost } from './connection-errors';
import { EppConnection, type EppEndpoint, type EppTimeouts, type ReceivedFrame } from './epp-connection';
import { commandDocument, helloDocument, type EppCommand } from '../mapping/commands/command';
import { fromFeeDraft, toFeeDraft } from '../mapping/fee-drafts';
import { servicesOf, type FurtherServices, type Services } from '../mapping/greeting';
import { instantOf } from '../mapping/data-types';
import { ProtocolError } from '../mapping/protocol-error';
import { responseOf, type EppResponse } from '../mapping/response';
import { endsSession, RESULT, isSuccess } from '../mapping/result-codes';
import { fitsPlainLogin, login, logout } from '../mapping/commands/session-commands';
import { UnreadableResponse } from './connection-errors';

export interface EppCredentials {
  readonly clientId: string;
  readonly password: string;
  /** Replaces `password` by this login (RFC 5730 `newPW`). */
  readonly newPassword?: string | undefined;
}

export interface SessionSettings {
  /** The registry's name, for logs. */
  readonly registry: string;
  readonly endpoint: EppEndpoint;
  readonly credentials: EppCredentials;
  readonly timeouts: EppTimeouts;
  /** What the registry's profile adds to the login and to commands. */
  readonly profile?: SessionProfile | undefined;
}

export interface SessionProfile extends FurtherServices {
  complete(command: EppCommand, services: Services): EppCommand;
}

/** `session_limit`: too many sessions (2502). `permanent`: another attempt could lock the account. `temporary`: retry later. */
export type LoginRefusal = 'session_limit' | 'permanent' | 'temporary';

export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';

  constructor(
    readonly refusal: LoginRefusal,
    readonly resultCode: number | undefined,
    message: string,
  ) {
    super(message);
  }
}

const USER_AGENT = 'Namewright';
/** A logout must not delay the shutdown. */
const LOGOUT_MS = 2_000;
const LOGIN_REFUSALS: ReadonlyMap<number, LoginRefusal> = new Map([
  [RESULT.sessionLimitClosing, 'session_limit'],
  [RESULT.failed, 'temporary'],
  [RESULT.failedClosing, 'temporary'],
]);

/** Unique per process, because random bytes for each command would cost more than the command. */
const PROCESS = ulid().toLowerCase();
let serial = 0;

/** A unique clTRID for queries and session commands. */
export function newTransactionId(): string {
  serial += 1;
  return `nw-${PROCESS}-${serial.toString(36)}`;
}

/** A connection after login. */
export class EppSession {
  readonly openedAt = performance.now();
  private ended = false;
  /** When the registry ends the password, if it warned of that at this login (RFC 8807). */
  passwordUntil: Date | undefined;

  private constructor(
    private readonly connection: EppConnection,
    /** The objects and extensions of this login. */
    readonly services: Services,
    private readonly registry: string,
    private readonly log: Log,
    private readonly profile: SessionProfile | undefined,
  ) {}

  /** @throws LoginRefused, ConnectionLost, ProtocolError */
  static async open(
    { registry, endpoint, credentials, timeouts, profile }: SessionSettings,
    log: Log,
  ): Promise<EppSession> {
    const connection = await EppConnection.open(endpoint, timeouts);
    try {
      const services = servicesOf(await connection.greeting(), profile);
      const { password, newPassword = password } = credentials;
      if (!services.extensions.includes(NAMESPACES.loginSec) && ![password, newPassword].every(fitsPlainLogin)) {
        throw new LoginRefused(
          'permanent',
          undefined,
          'the password needs RFC 8807, which the registry does not offer; plain EPP allows 6 to 16 characters without leading, trailing or double spaces',
        );
      }
      const session = new EppSession(connection, services, registry, log, profile);
      await session.logIn(credentials);
      return session;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Until when the registry's certificate is valid. */
  get certificateUntil(): Date | undefined {
    return this.connection.certificateUntil;
  }

  get usable(): boolean {
    return !this.ended && this.connection.usable;
  }

  /** Sends a command and returns the response, success or failure. @throws ConnectionLost, UnreadableResponse, ProtocolError; XmlError if nothing was sent */
  async send(command: EppCommand, clTRID: string, milliseconds?: number): Promise<EppResponse> {
    const completed = this.profile?.complete(command, this.services) ?? command;
    const { feeDraft } = this.services;
    const startedAt = performance.now();
    const response =
      feeDraft === undefined
        ? await this.exchange(completed, clTRID, milliseconds)
        : await this.exchangeInDraft(toFeeDraft(completed, feeDraft), feeDraft, clTRID, milliseconds);
    const facts = {
      registry: this.registry,
      command: command.title,
      clTRID,
      svTRID: response.svTRID,
      result: response.code,
      milliseconds: Math.round(performance.now() - startedAt),
    };
    if (!isSuccess(response) && !command.expected.includes(response.code))
      this.log.warn(facts, 'registry rejected an EPP command');
    else if (command.transforms) this.log.info(facts, 'EPP command completed');
    if (endsSession(response.code)) this.end();
    return response;
  }

  /** Sends `<hello/>`. @throws ConnectionLost, ProtocolError */
  async keepAlive(): Promise<void> {
    const { document } = await this.connection.exchange(helloDocument());
    try {
      servicesOf(document);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Tries to log out, and closes the connection. */
  async close(): Promise<void> {
    if (this.usable) await this.send(logout(), newTransactionId(), LOGOUT_MS).catch(() => undefined);
    this.end();
  }

  private async logIn({ clientId, password, newPassword }: EppCredentials): Promise<void> {
    const response = await this.send(
      login({
        clientId,
        password,
        newPassword,
        userAgent: USER_AGENT,
        ...this.services,
        extensions: offeredExtensions(this.services),
      }),
      newTransactionId(),
    );
    if (!isSuccess(response))
      throw new LoginRefused(
        LOGIN_REFUSALS.get(response.code) ?? 'permanent',
        response.code,
        `the registry refused the login with result code ${response.code}`,
      );
    for (const { attributes } of childrenOf(
      childOf(response.extension, NAMESPACES.loginSec, 'loginSecData'),
      NAMESPACES.loginSec,
      'event',
    )) {
      const facts = {
        registry: this.registry,
        type: attributes.get('type'),
        level: attributes.get('level'),
        exDate: attributes.get('exDate'),
      };
      this.log.warn(facts, 'login security warning from the registry');
      if (facts.type === 'password') this.passwordUntil = endOf(facts.exDate);
    }
  }

  /** One after the other. Only a check of fees takes several commands. */
  private async exchangeInDraft(
    [first, ...others]: readonly [EppCommand, ...EppCommand[]],
    draft: string,
    clTRID: string,
    milliseconds?: number,
  ): Promise<EppResponse> {
    const responses: [EppResponse, ...EppResponse[]] = [await this.exchange(first, clTRID, milliseconds)];
    for (const other of others)
      if (responses.every(isSuccess)) responses.push(await this.exchange(other, newTransactionId(), milliseconds));
    return fromFeeDraft(responses, draft);
  }

  /** An invalid response, or one to another command, ends the session. */
  private async exchange(command: EppCommand, clTRID: string, milliseconds?: number): Promise<EppResponse> {
    const frame = await this.connection.exchange(commandDocument(command, clTRID), milliseconds);
    try {
      const response = toResponse(frame);
      if (response.clTRID !== undefined && response.clTRID !== clTRID)
        throw new ProtocolError('response to another command');
      return response;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  private end(): void {
    this.ended = true;
    this.connection.close();
  }
}

/** The extensions of the login as the registry names them. */
function offeredExtensions({ extensions, feeDraft }: Services): readonly string[] {
  return extensions.map((uri) => (uri === NAMESPACES.fee ? (feeDraft ?? uri) : uri));
}

function toResponse({ document, bytes }: ReceivedFrame): EppResponse {
  try {
    return responseOf(document);
  } catch (error) {
    throw new UnreadableResponse(bytes, { cause: error });
  }
}

export function isTransportFailure(error: unknown): error is ConnectionLost | ProtocolError {
  return error instanceof ConnectionLost || error instanceof ProtocolError;
}

/** Undefined for a date that cannot be read: the warning is in the log. */
function endOf(exDate: string | undefined): Date | undefined {
  try {
    return exDate === undefined ? undefined : instantOf(exDate);
  } catch {
    return undefined;
  }
}
