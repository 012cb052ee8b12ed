import { compare, hash } from 'bcrypt';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../../../epp/codec/xml-element';
import { EppError } from '../epp-error';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import type { BackendStore } from '../backend-store';

const { epp: EPP, loginSec: LOGIN_SECURITY } = NAMESPACES;

/** Replaces a password that is sent by RFC 8807. */
const LOGIN_SECURITY_PASSWORD = '[LOGIN-SECURITY]';
/** Low, because passwords are random and clients open many sessions. */
const BCRYPT_COST = 8;
const PASSWORD_BYTES = { min: 6, max: 72 };

export interface LoggedIn {
  readonly registrar: string;
  readonly services: readonly string[];
}

export class LoginCommands {
  constructor(
    private readonly store: BackendStore,
    private readonly offered: readonly string[],
  ) {}

  /** @throws EppError */
  async login(request: EppRequest, now: Date): Promise<LoggedIn> {
    const { element } = request;
    const options = childOf(element, EPP, 'options');
    if (required(options, EPP, 'version') !== '1.0') throw new EppError(2100);
    if (!/^en\b/i.test(required(options, EPP, 'lang'))) throw new EppError(2102, 'lang must be en');
    const services = servicesIn(childOf(element, EPP, 'svcs'));
    const unknown = services.find((uri) => !this.offered.includes(uri));
    if (unknown !== undefined) throw new EppError(2307, `${unknown.slice(0, 64)} is not offered`);

    const registrar = required(element, EPP, 'clID');
    const security = extensionOf(request, LOGIN_SECURITY);
    const stored = await this.store.passwordHash(registrar);
    const matches = await compare(passwordIn(element, security, 'pw') ?? '', stored ?? UNKNOWN_REGISTRAR_HASH);
    if (!matches || stored === undefined) throw new EppError(2200);
    const changed = passwordIn(element, security, 'newPW');
    if (changed !== undefined) await this.setPassword(registrar, changed, now);
    return { registrar, services };
  }

  /** @throws EppError */
  async setPassword(registrar: string, password: string, now: Date): Promise<void> {
    const length = Buffer.byteLength(password);
    if (length < PASSWORD_BYTES.min || length > PASSWORD_BYTES.max)
      throw new EppError(2306, `A password must have ${PASSWORD_BYTES.min} to ${PASSWORD_BYTES.max} bytes`);
    await this.store.setPassword(registrar, await hash(password, BCRYPT_COST), now);
  }
}

/** Compared for an unknown registrar, so that the response time does not reveal which registrars exist. */
const UNKNOWN_REGISTRAR_HASH = '$2b$08$Ve1H4xYwFk59PKKfpHHCR.N2rt5tCjvA2xf68Fj2yxnaPJz/TuCDK';

function passwordIn(login: XmlElement, security: XmlElement | undefined, name: 'pw' | 'newPW'): string | undefined {
  const plain = tokenOf(childOf(login, EPP, name));
  return plain === LOGIN_SECURITY_PASSWORD ? tokenOf(childOf(security, LOGIN_SECURITY, name)) : plain;
}

function servicesIn(svcs: XmlElement | undefined): readonly string[] {
  const texts = (parent: XmlElement | undefined, name: string) =>
    childrenOf(parent, EPP, name).map((element) => tokenOf(element) ?? '');
  return [...texts(svcs, 'objURI'), ...texts(childOf(svcs, EPP, 'svcExtension'), 'extURI')];
}
