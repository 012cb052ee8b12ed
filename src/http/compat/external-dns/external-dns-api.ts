import { inject, injectable } from '../../../application/ports/inject';
import { ZoneLimitSettings } from '../../../application/dns/dns-settings';
import { FindZones } from '../../../application/dns/dynamic/find-zones';
import { ChangeRecordSets } from '../../../application/dns/records/change-record-sets';
import { ListRecords } from '../../../application/dns/records/list-records';
import { Log } from '../../../application/ports/system';
import { ListDomains } from '../../../application/registration/list-domains';
import type { ListedDomain } from '../../../application/ports/registration/domain-repository';
import { waitForNextSlice } from '../../../application/shared/run-cooperatively';
import { settleAll } from '../../../application/shared/settle-all';
import { actorText } from '../../../domain/access/actor';
import type { RecordSetChange } from '../../../domain/dns/update/record-set-changes';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import type { ErrorCode } from '../../../domain/shared/error-code';
import type { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { Caller } from '../../api/api-authentication';
import { UNTYPED_JSON_BODY } from '../../api/request-body';
import { STATUS } from '../../shared/error-codes';
import { errorHeaders } from '../../shared/error-handler';
import type { CompatApi, CompatHandler, CompatRequest, CompatResult, CompatRoute } from '../compat-api';
import { okStream, type StreamResult } from '../../shared/result';
import { bearerKey } from '../key-in-request';
import { membersOf } from '../request-members';
import { adjusted, EndpointList, readChanges, type ExternalDnsEndpoint } from './endpoints';

const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';
/** Versions before 0.14.1 compare Vary. */
const HEADERS = { 'Content-Type': MEDIA_TYPE, Vary: 'Content-Type' };
/** The cost of a request that reads or changes any number of zones. */
const WIDE = 5;
const LARGE = { body: UNTYPED_JSON_BODY, cost: WIDE };
const KEPT: ReadonlySet<ErrorCode> = new Set([
  'INVALID_API_KEY',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'SERVICE_UNAVAILABLE',
]);

/**
 * A webhook provider of external-dns. external-dns sends no credentials: a proxy beside it adds the API key as a bearer token.
 * https://kubernetes-sigs.github.io/external-dns/latest/docs/tutorials/webhook-provider/
 */
@injectable()
export class ExternalDnsApi implements CompatApi {
  readonly prefix = '/compat/external-dns';
  readonly keyOf = bearerKey;
  readonly presentError = presentError;
  readonly routes: readonly CompatRoute[] = [
    ['get', '/', 'READ', negotiated((request) => this.negotiate(request))],
    ['get', '/records', 'READ', negotiated((request) => this.records(request)), { cost: WIDE }],
    ['post', '/records', 'WRITE', negotiated((request) => this.apply(request)), LARGE],
    ['post', '/adjustendpoints', 'READ', negotiated((request) => this.adjust(request)), LARGE],
  ];

  constructor(
    @inject(ListDomains) private readonly domains: ListDomains,
    @inject(ListRecords) private readonly listRecords: ListRecords,
    @inject(FindZones) private readonly zones: FindZones,
    @inject(ChangeRecordSets) private readonly changeRecordSets: ChangeRecordSets,
    @inject(ZoneLimitSettings) private readonly limits: Pick<ZoneLimitSettings, 'types'>,
    @inject(Log) private readonly log: Log,
  ) {}

  /** The published document names the list `filters`; external-dns reads `include`. */
  private async negotiate(request: CompatRequest): Promise<CompatResult> {
    const names: string[] = [];
    for await (const { name } of this.eachZone(request.caller)) names.push(name);
    return ok({ filters: names, include: names });
  }

  private async records(request: CompatRequest): Promise<StreamResult> {
    return okStream(this.endpoints(request), (endpoint) => endpoint, HEADERS);
  }

  /** Those of one zone at a time. A zone that is removed meanwhile is left out. */
  private async *endpoints({ caller }: CompatRequest): AsyncGenerator<readonly ExternalDnsEndpoint[]> {
    for await (const { id, name } of this.eachZone(caller)) {
      const list = new EndpointList(name);
      try {
        const { pages } = await this.listRecords.all(caller, id, {});
        for await (const page of pages) for (const record of page) list.add(record);
      } catch (error) {
        if (!(error instanceof DomainNotFound)) throw error;
      }
      yield list.endpoints();
      await waitForNextSlice(caller.accountId);
    }
  }

  /** The changes of a zone are made together, without those that are refused; those of different zones are independent. */
  private async apply({ caller, body }: CompatRequest): Promise<CompatResult> {
    const { changes, refusal } = readChanges(body);
    const places = await this.zones.execute(caller, [...new Set(changes.map(({ dnsName }) => dnsName))]);
    const byZone = new Map<
      string,
      { readonly domainId: string; readonly zoneName: string; changes: RecordSetChange[] }
    >();
    const outside = new Set<string>();
    for (const { dnsName, change } of changes) {
      const place = places.get(dnsName);
      if (!place) {
        outside.add(dnsName);
        continue;
      }
      const { domainId, zoneName } = place;
      const zone = byZone.get(domainId) ?? { domainId, zoneName, changes: [] };
      zone.changes.push(this.stored(change, zoneName));
      byZone.set(domainId, zone);
    }
    if (outside.size > 0)
      this.log.warn(
        { by: actorText(caller.actor), names: [...outside].slice(0, 20) },
        'external-dns names outside of the domains ignored',
      );
    await settleAll([...byZone.values()].map((zone) => this.changeRecordSets.executeAllowed({ ...caller, ...zone })));
    if (refusal) throw refusal;
    return { status: 204, headers: { Vary: 'Content-Type' } };
  }

  /** Where ALIAS is switched on, a CNAME at the apex is one. */
  private stored(change: RecordSetChange, zoneName: string): RecordSetChange {
    const isApexCname = change.type === 'CNAME' && change.name === `${zoneName}.`;
    return isApexCname && this.limits.types.includes('ALIAS') ? { ...change, type: 'ALIAS' } : change;
  }

  private async adjust({ body }: CompatRequest): Promise<CompatResult> {
    if (!Array.isArray(body)) throw ValidationError.of('', 'The body must be an array');
    return ok(body.map((each: unknown, index) => adjusted(membersOf(each, `[${index}]`))));
  }

  /** Names of unverified zones are still others'. */
  private async *eachZone(caller: Caller): AsyncGenerator<ListedDomain> {
    for await (const page of this.domains.all(caller, { of: 'zones' }))
      for (const zone of page) if (zone.status !== 'unverified') yield zone;
  }
}

function ok(body: object): CompatResult {
  return { status: 200, headers: HEADERS, body };
}

/** Only version 1 of the media type exists. */
function negotiated(handler: CompatHandler): CompatHandler {
  return async (request) => {
    const { accept = '*/*', 'content-type': contentType = MEDIA_TYPE } = request.headers;
    if (!/\*\/\*|application\/\*/.test(accept) && !isOurs(accept)) return { status: 406, body: `Only ${MEDIA_TYPE}\n` };
    if (contentType.includes('external.dns') && !isOurs(contentType))
      return { status: 415, body: `Only ${MEDIA_TYPE}\n` };
    return handler(request);
  };
}

function isOurs(header: string): boolean {
  return header.replaceAll(' ', '').toLowerCase().includes(MEDIA_TYPE);
}

/** The published document has only 500 for a refusal, and after most other statuses external-dns stops permanently. */
function presentError(error: ServiceError): CompatResult {
  const { code, message, details } = error;
  const status = KEPT.has(code) ? STATUS[code] : 500;
  const text = details === undefined ? message : `${message}: ${details}`;
  return { status, headers: errorHeaders(error), body: `${text}\n` };
}
