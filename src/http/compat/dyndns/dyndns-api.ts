import type { Request } from 'express';
import { inject, injectable, token } from '../../../application/ports/inject';
import { ApiKeyPrefix } from '../../../application/access/api-keys/authenticate';
import { UpdateHosts, type HostOutcome } from '../../../application/dns/dynamic/update-hosts';
import { Log } from '../../../application/ports/system';
import { actorText } from '../../../domain/access/actor';
import { assertActionAllowed, limitsOf } from '../../../domain/access/key-permissions';
import type { ServiceError } from '../../../domain/shared/service-error';
import { FORM_BODY } from '../../api/request-body';
import { STATUS } from '../../shared/error-codes';
import { errorHeaders } from '../../shared/error-handler';
import type { CompatApi, CompatRequest, CompatResult, CompatRoute } from '../compat-api';
import { BASIC_CHALLENGE, basicKeyReader } from '../key-in-request';
import { parseDynDnsRequest } from './dyndns-request';

export interface DynDnsSettings {
  /** Whether requests may come without TLS. */
  readonly allowsPlainHttp: boolean;
}
export const DynDnsSettings = token<DynDnsSettings>('DynDnsSettings');

/**
 * Updates of host addresses by routers and clients such as ddclient: the DynDNS2 protocol, Dyn's remote access API.
 * https://help.dyn.com/remote-access-api/
 */
@injectable()
export class DynDnsApi implements CompatApi {
  /** Many routers only let the host name of the service be set. */
  readonly prefix = '/nic';
  readonly keyOf: (req: Request) => string | undefined;
  readonly presentError = dynDnsError;
  readonly routes: readonly CompatRoute[] = [
    ['get', '/update', 'WRITE', this.update.bind(this)],
    ['post', '/update', 'WRITE', this.update.bind(this), { body: FORM_BODY }],
  ];

  constructor(
    @inject(UpdateHosts) private readonly updateHosts: UpdateHosts,
    @inject(DynDnsSettings) private readonly settings: DynDnsSettings,
    @inject(Log) private readonly log: Log,
    @inject(ApiKeyPrefix) prefix: string,
  ) {
    this.keyOf = basicKeyReader(prefix);
  }

  private async update({ caller, query, body, clientAddress, isSecure }: CompatRequest): Promise<CompatResult> {
    if (!isSecure && !this.settings.allowsPlainHttp) {
      this.log.warn(
        { by: actorText(caller.actor) },
        'address update without TLS refused: set DYNDNS_PLAIN_HTTP to allow it',
      );
      return reply('badauth', 403);
    }
    // It can change no host at all, so its client is to give up.
    if (limitsOf(caller.actor)?.propose) assertActionAllowed(caller.actor, 'write');
    const request = parseDynDnsRequest({ ...query, ...formOf(body) }, clientAddress);
    if (request.kind === 'no_address') {
      this.log.warn({ clientAddress }, 'address of a client not known: is TRUST_PROXY set?');
      return reply('911');
    }
    if (request.kind !== 'update') return reply(request.kind);
    const { hosts, update } = request;
    const outcomes = await this.updateHosts.execute({
      ...caller,
      hosts: hosts.filter((host) => host !== undefined),
      update,
    });
    return reply(hosts.map((host) => replyLine(host === undefined ? undefined : outcomes.get(host))).join('\n'));
  }
}

/** The parameters of a POST are in its URL or its body. */
function formOf(body: unknown): Readonly<Record<string, string>> {
  return typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {};
}

/** The reply to the request as a whole. Clients give up after `badauth` and `abuse`, and try again after 911. */
function dynDnsError(error: ServiceError): CompatResult {
  const { code } = error;
  const headers = { ...errorHeaders(error), ...(code === 'INVALID_API_KEY' && BASIC_CHALLENGE) };
  return { ...reply(wordOf(STATUS[code]), STATUS[code]), headers };
}

function wordOf(status: number): string {
  if (status === 401 || status === 403) return 'badauth';
  return status === 429 ? 'abuse' : '911';
}

function reply(text: string, status = 200): CompatResult {
  return { status, body: `${text}\n` };
}

const REPLIES: Record<HostOutcome['kind'], string> = {
  changed: 'good',
  unchanged: 'nochg',
  not_found: 'nohost',
  invalid_name: 'notfqdn',
  refused: 'dnserr',
  failed: '911',
};

/** The line that replies for one host: `good 192.0.2.1`. Undefined is a host that is no full domain name. */
export function replyLine(outcome: HostOutcome | undefined): string {
  if (!outcome) return REPLIES.invalid_name;
  const reply = REPLIES[outcome.kind];
  return 'addresses' in outcome ? `${reply} ${outcome.addresses.join(',')}` : reply;
}
