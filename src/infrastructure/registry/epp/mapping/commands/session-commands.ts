import { NAMESPACES } from '../../codec/namespaces';
import { elementFactory } from '../../codec/xml-element';
import { RESULT } from '../result-codes';
import { epp, query, type EppCommand } from './command';

const loginSec = elementFactory(NAMESPACES.loginSec);

/** Replaces a password that is sent by RFC 8807. */
const LOGIN_SECURITY_PASSWORD = '[LOGIN-SECURITY]';
const PLAIN_PASSWORD = { min: 6, max: 16 };

export interface Login {
  readonly clientId: string;
  readonly password: string;
  readonly newPassword?: string | undefined;
  readonly language: string;
  readonly objects: readonly string[];
  readonly extensions: readonly string[];
  /** For registries that look for outdated clients (RFC 8807). */
  readonly userAgent: string;
}

/** Whether `<pw>` allows the password (RFC 5730 pwType: a token of 6 to 16 characters). Others need RFC 8807. */
export function fitsPlainLogin(password: string): boolean {
  const { length } = Array.from(password);
  const isToken = !/^ | $| {2}|[\t\n\r]/.test(password);
  return (
    isToken && length >= PLAIN_PASSWORD.min && length <= PLAIN_PASSWORD.max && password !== LOGIN_SECURITY_PASSWORD
  );
}

export function login(options: Login): EppCommand {
  const { clientId, password, newPassword, language, objects, extensions, userAgent } = options;
  const offersSecurity = extensions.includes(NAMESPACES.loginSec);
  const isSecure = (pw: string | undefined) => pw !== undefined && offersSecurity && !fitsPlainLogin(pw);
  const plainOf = (pw: string | undefined) => (isSecure(pw) ? LOGIN_SECURITY_PASSWORD : pw);
  const services = [
    objects.map((uri) => epp('objURI', uri)),
    extensions.length > 0
      ? epp(
          'svcExtension',
          extensions.map((uri) => epp('extURI', uri)),
        )
      : undefined,
  ];
  const body = epp('login', [
    epp('clID', clientId),
    epp('pw', plainOf(password)),
    newPassword === undefined ? undefined : epp('newPW', plainOf(newPassword)),
    epp('options', [epp('version', '1.0'), epp('lang', language)]),
    epp('svcs', services),
  ]);
  const secured = [
    isSecure(password) ? loginSec('pw', password) : undefined,
    isSecure(newPassword) ? loginSec('newPW', newPassword) : undefined,
  ].filter((element) => element !== undefined);
  const security = loginSec('loginSec', [loginSec('userAgent', loginSec('app', userAgent)), secured]);
  return query('login', body, { extensions: [secured.length > 0 ? security : undefined] });
}

export function logout(): EppCommand {
  return query('logout', epp('logout'));
}

export function pollRequest(): EppCommand {
  return query('poll:req', epp('poll', undefined, { op: 'req' }));
}

/** 2303 is expected: the message was acknowledged before. */
export function pollAcknowledgement(messageId: string): EppCommand {
  return query('poll:ack', epp('poll', undefined, { op: 'ack', msgID: messageId }), { expected: [RESULT.missing] });
}
