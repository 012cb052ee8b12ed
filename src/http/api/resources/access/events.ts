import { inject, injectable } from '../../../../application/ports/inject';
import { eventDocument } from '../../../../application/events/event-document';
import { ReadEvents } from '../../../../application/events/read-events';
import { includesScope } from '../../../../domain/access/api-key';
import type { EventType } from '../../../../domain/access/events/account-event';
import { TYPES_EXPECTATION, typesMatching } from '../../../../domain/access/events/event-types';
import { eventIdOf, parseEventId, type EventPlace } from '../../../../domain/access/events/event-id';
import { domainIdOfZone } from '../../../../domain/dns/zone-id';
import { parseZoneName } from '../../../../domain/dns/zone-names/zone-name';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult } from '../../../shared/result';
import type { ApiRequest } from '../../api-request';
import { DOMAIN_ID } from '../../list-query';
import { parameter } from '../../validated';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const MAX_WAIT_SECONDS = 30;
const LATEST = 'latest';
const FILTERS = ['types', 'domain', 'wait'] as const;

/** What happened in the account, in order. */
@injectable()
export class EventsController {
  constructor(@inject(ReadEvents) private readonly readEvents: ReadEvents) {}

  async list(request: ApiRequest): Promise<ApiResult> {
    const { caller, scope } = request;
    const limit = wholeNumber(request, 'limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
    const after = afterOf(request);
    const { feed, events, readTo, more } = await this.readEvents.execute({
      ...caller,
      seesAccess: includesScope(scope, 'ADMIN'),
      after,
      types: typesOf(request),
      domain: domainOf(request),
      limit,
      waitMs: (wholeNumber(request, 'wait', 0, MAX_WAIT_SECONDS) ?? 0) * 1_000,
    });
    const position = eventIdOf({ feed, position: readTo });
    const next = nextQuery(request, limit, after === LATEST ? LATEST : position);
    const headers = {
      'Events-Position': position,
      ...(more && { Link: `<${request.path}?${next}>; rel="next"` }),
    };
    return ok(
      events.map((event) => eventDocument(event, feed)),
      headers,
    );
  }
}

function nextQuery(request: ApiRequest, limit: number, after: string): string {
  const query = new URLSearchParams({ limit: String(limit), after });
  for (const name of FILTERS) {
    const value = parameter(request, name);
    if (value !== undefined) query.set(name, value);
  }
  return query.toString();
}

/** @throws ValidationError */
function afterOf(request: ApiRequest): EventPlace | typeof LATEST | undefined {
  const text = parameter(request, 'after');
  if (text === undefined || text === LATEST) return text;
  const place = parseEventId(text);
  if (!place)
    throw ValidationError.of('after', 'must be the id of an event, the Events-Position of a response, or latest');
  return place;
}

/** Types, and groups of them such as `domain.*`. @throws ValidationError */
function typesOf(request: ApiRequest): readonly EventType[] | undefined {
  const text = parameter(request, 'types');
  if (text === undefined) return undefined;
  const types = [...new Set(text.split(','))].map((wanted) => {
    const matching = typesMatching(wanted);
    if (matching.length === 0) throw ValidationError.of('types', `${TYPES_EXPECTATION}, with commas between them`);
    return matching;
  });
  return [...new Set(types.flat())];
}

/** @throws ValidationError */
function domainOf(request: ApiRequest): { readonly id: string } | { readonly name: string } | undefined {
  const text = parameter(request, 'domain');
  if (text === undefined) return undefined;
  if (!DOMAIN_ID.test(text)) return { name: parseZoneName(text, 'domain') };
  return { id: text.startsWith('zone_') ? domainIdOfZone(text) : text };
}

/** @throws ValidationError */
function wholeNumber(request: ApiRequest, name: string, least: number, most: number): number | undefined {
  const text = parameter(request, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) throw ValidationError.of(name, `must be an integer from ${least} to ${most}`);
  return value;
}
