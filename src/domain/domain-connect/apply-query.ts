import { ConnectRefused } from './connect-errors';

/** The query of a URL that asks to apply a template. */
export interface ApplyQuery {
  /** As in the request: not yet checked to be a name. */
  readonly domain: string;
  readonly host: string;
  readonly redirectUri: string | undefined;
  readonly state: string | undefined;
  readonly providerName: string | undefined;
  readonly serviceName: string | undefined;
  /** Undefined: all groups. */
  readonly groups: readonly string[] | undefined;
  /** All other parameters: the values of the template's variables. */
  readonly values: Readonly<Record<string, string>>;
  readonly signature: QuerySignature | undefined;
}

export interface QuerySignature {
  readonly octets: Buffer;
  /** Where the public key is, below the domain that the template names. */
  readonly key: string;
  /** The received octets without `sig` and `key`. */
  readonly signed: string;
}

/** Of the query; browsers and proxies carry it. */
export const MAX_QUERY = 7_000;
const MAX_PARAMETERS = 100;
const OWN = [
  'domain',
  'host',
  'redirect_uri',
  'state',
  'providerName',
  'serviceName',
  'groupId',
  'sig',
  'key',
] as const;
type OwnParameter = (typeof OWN)[number];
/** Of RSA keys with up to 8,192 bits. */
const MAX_SIGNATURE = 1_024;

/**
 * @param query what follows the question mark, as it was received
 * @throws ConnectRefused if a parameter is repeated, not well encoded, or the query is too long
 */
export function parseApplyQuery(query: string): ApplyQuery {
  if (query.length > MAX_QUERY)
    throw new ConnectRefused(`The link is too long: its query has over ${MAX_QUERY} characters`);
  const parameters = parametersOf(query);
  const own = (name: OwnParameter): string | undefined => parameters.get(name);
  const groups = own('groupId');
  return {
    domain: own('domain') ?? '',
    host: own('host') ?? '',
    redirectUri: filled(own('redirect_uri')),
    state: own('state'),
    providerName: filled(own('providerName')),
    serviceName: filled(own('serviceName')),
    groups: filled(groups) === undefined ? undefined : (groups ?? '').split(',').map((group) => group.trim()),
    values: Object.fromEntries([...parameters].filter(([name]) => !isOwn(name))),
    signature: signatureIn(query, own('sig'), own('key')),
  };
}

function isOwn(name: string): boolean {
  const own: readonly string[] = OWN;
  return own.includes(name);
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Two readers may take different ones of repeated parameters, so that what is signed is not what is applied. */
function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const [raw = '', ...rest] = pair.split('=');
    const name = decode(raw);
    if (raw !== name && isOwn(name)) throw new ConnectRefused(`The parameter ${name} of the link is encoded`);
    if (parameters.has(name)) throw new ConnectRefused(`The link repeats the parameter ${name.slice(0, 40)}`);
    parameters.set(name, decode(rest.join('=')));
    if (parameters.size > MAX_PARAMETERS) throw new ConnectRefused(`The link has over ${MAX_PARAMETERS} parameters`);
  }
  return parameters;
}

/** @throws ConnectRefused */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ConnectRefused('The link is not well encoded');
  }
}

function signatureIn(query: string, sig: string | undefined, key: string | undefined): QuerySignature | undefined {
  if (sig === undefined && key === undefined) return undefined;
  if (!sig || !key) throw new ConnectRefused('The link has only one of the parameters sig and key');
  // Some senders do not encode the plus sign.
  const base64 = sig.replaceAll(' ', '+');
  const octets = Buffer.from(base64, 'base64');
  if (octets.length > MAX_SIGNATURE || octets.toString('base64') !== base64)
    throw new ConnectRefused('The signature of the link is not Base64');
  return { octets, key, signed: withoutSignature(query) };
}

/** What the provider signs: everything after the question mark except the signature and the place of its key. */
export function withoutSignature(query: string): string {
  return query
    .split('&')
    .filter((pair) => !/^(?:sig|key)=/.test(pair))
    .join('&');
}
