import { ulid } from 'ulid';
import type { Log } from '../../../../application/ports/system/log';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf } from '../codec/xml-element';
import { ConnectionLost } from './connection-lost';
import { EppConnection, type EppEndpoint, type EppTimeouts, type Received } from './epp-connection';
import { commandDocument, helloDocument, type EppCommand } from '../mapping/command';
import { servicesOf, type Services } from '../mapping/greeting';
import { ProtocolError } from '../mapping/protocol-error';
import { responseOf, type EppResponse } from '../mapping/response';
import { endsSession, RESULT, succeeded } from '../mapping/result-codes';
import { fitsPlainLogin, login, logout } from '../mapping/session-commands';
import { UnreadableAnswer } from '../unreadable-answer';

export interface Credentials {
  readonly clientId: string;
  readonly password: string;
}

export interface SessionSettings {
  /** The registry's name, for logs. */
  readonly registry: string;
  readonly endpoint: EppEndpoint;
  readonly credentials: Credentials;
  readonly timeouts: EppTimeouts;
}

/** Why there is no session: `crowded` where the registry has enough of ours, `refused` where trying again would only lock us out. */
export type LoginRefusal = 'crowded' | 'refused' | 'passing';

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
/** Parting must not hold up a stop of the service. */
const LOGOUT_MS = 2_000;
const LOGIN_REFUSALS: ReadonlyMap<number, LoginRefusal> = new Map([
  [RESULT.sessionLimitClosing, 'crowded'],
  [RESULT.failed, 'passing'],
  [RESULT.failedClosing, 'passing'],
]);

/** No other process has it, and randomness for each command would cost more than the command. */
const PROCESS = ulid().toLowerCase();
let serial = 0;

/** A clTRID that no operation has: unique for ever by the process and its count. */
export function newTransactionId(): string {
  serial += 1;
  return `nw-${PROCESS}-${serial.toString(36)}`;
}

/** A connection on which we are logged in. */
export class EppSession {
  readonly openedAt = Date.now();
  private ended = false;

  private constructor(
    private readonly connection: EppConnection,
    /** What this session was logged in with. */
    readonly services: Services,
    private readonly registry: string,
    private readonly log: Log,
  ) {}

  /** @throws LoginRefused, ConnectionLost, ProtocolError */
  static async open({ registry, endpoint, credentials, timeouts }: SessionSettings, log: Log): Promise<EppSession> {
    const connection = await EppConnection.open(endpoint, timeouts);
    try {
      const services = servicesOf(await connection.greeting());
      if (!services.extensions.includes(NAMESPACES.loginSec) && !fitsPlainLogin(credentials.password)) {
        throw new LoginRefused(
          'refused',
          undefined,
          'the password is not one that plain EPP carries (6 to 16 characters, no space at either end or twice running), and the registry does not offer RFC 8807',
        );
      }
      const session = new EppSession(connection, services, registry, log);
      await session.logIn(credentials);
      return session;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get usable(): boolean {
    return !this.ended && this.connection.usable;
  }

  /** Sends a command and answers the registry's response, success or not. @throws ConnectionLost, UnreadableAnswer, ProtocolError; XmlError where it cannot be sent */
  async send(command: EppCommand, clTRID: string, milliseconds?: number): Promise<EppResponse> {
    const document = commandDocument(command, clTRID);
    const began = performance.now();
    const response = await this.understood(() => this.connection.exchange(document, milliseconds), clTRID);
    const facts = {
      registry: this.registry,
      command: command.title,
      clTRID,
      svTRID: response.svTRID,
      result: response.code,
      milliseconds: Math.round(performance.now() - began),
    };
    if (!succeeded(response) && !command.expected.includes(response.code))
      this.log.warn(facts, 'the registry refused an EPP command');
    else if (command.transforms) this.log.info(facts, 'the registry answered an EPP command');
    if (endsSession(response.code)) this.end();
    return response;
  }

  /** Tells the registry that we are still there. @throws ConnectionLost, ProtocolError */
  async keepAlive(): Promise<void> {
    const { document } = await this.connection.exchange(helloDocument());
    try {
      servicesOf(document);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Logs out as far as the registry lets us, and closes. */
  async close(): Promise<void> {
    if (this.usable) await this.send(logout(), newTransactionId(), LOGOUT_MS).catch(() => undefined);
    this.end();
  }

  private async logIn({ clientId, password }: Credentials): Promise<void> {
    const response = await this.send(
      login({ clientId, password, userAgent: USER_AGENT, ...this.services }),
      newTransactionId(),
    );
    if (!succeeded(response))
      throw new LoginRefused(
        LOGIN_REFUSALS.get(response.code) ?? 'refused',
        response.code,
        `the registry refused the login with ${response.code}`,
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
      this.log.warn(facts, 'the registry warns about our login');
    }
  }

  /** An answer that makes no sense, or belongs to another command, is the session's last. */
  private async understood(
    exchange: () => ReturnType<EppConnection['exchange']>,
    clTRID: string,
  ): Promise<EppResponse> {
    const received = await exchange();
    try {
      const response = readResponse(received);
      if (response.clTRID !== undefined && response.clTRID !== clTRID)
        throw new ProtocolError('an answer to another command');
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

function readResponse({ document, bytes }: Received): EppResponse {
  try {
    return responseOf(document);
  } catch (error) {
    throw new UnreadableAnswer(bytes, { cause: error });
  }
}

export function isTransportFailure(error: unknown): error is ConnectionLost | ProtocolError {
  return error instanceof ConnectionLost || error instanceof ProtocolError;
}
