import type { Issue } from '../../shared/issue';
import { isHostName } from '../../shared/domain-name';
import { JsonObject, present } from '../json-object';
import { readTemplateRecord } from './read-template-record';
import type { Template, TemplateRecord } from './template';
import { TemplateRejected } from './template-errors';

const MAX_ID_LENGTH = 100;
const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;
const MAX_URL_LENGTH = 1_000;
const MAX_RECORDS = 100;
/** Of a redirect domain: `*.` stands for all names below. */
const WILDCARD = /^\*\./;
/** As the reference implementation and the file names of the public collection have them. */
const ID = /^[A-Za-z0-9._-]+$/;

/**
 * Reads a template from JSON and checks it against the schema of the draft. Members that the schema does not have are ignored.
 * @throws TemplateRejected (INVALID_TEMPLATE) whose issues name every invalid part
 */
export function readTemplate(json: unknown): Template {
  const issues: Issue[] = [];
  const template = templateOf(JsonObject.at('', json, issues), issues);
  if (issues.length > 0) throw new TemplateRejected('INVALID_TEMPLATE', issues);
  return template;
}

function templateOf(object: JsonObject, issues: Issue[]): Template {
  const syncPubKeyDomain = object.optionalText('syncPubKeyDomain', MAX_NAME_LENGTH)?.toLowerCase();
  if (syncPubKeyDomain !== undefined && !isHostName(syncPubKeyDomain))
    issues.push({ path: 'syncPubKeyDomain', message: 'must be a domain name' });
  const records = recordsOf(object, issues);
  const hostRequired = object.flag('hostRequired');
  if (!hostRequired) issues.push(...recordsThatNeedHost(records));
  return {
    providerId: idOf(object, 'providerId', issues),
    providerName: object.text('providerName', MAX_NAME_LENGTH),
    serviceId: idOf(object, 'serviceId', issues),
    serviceName: object.text('serviceName', MAX_NAME_LENGTH),
    ...present('version', object.optionalInteger('version')),
    ...present('logoUrl', logoUrlOf(object, issues)),
    ...present('description', object.optionalText('description', MAX_TEXT_LENGTH)),
    ...present('variableDescription', object.optionalText('variableDescription', MAX_TEXT_LENGTH)),
    syncBlock: object.flag('syncBlock'),
    // Version 2.1 of the draft had `shared` for what is `sharedProviderName` since.
    sharedProviderName: object.flag('sharedProviderName') || object.flag('shared'),
    sharedServiceName: object.flag('sharedServiceName'),
    ...present('syncPubKeyDomain', syncPubKeyDomain),
    syncRedirectDomains: redirectDomainsOf(object, issues),
    multiInstance: object.flag('multiInstance'),
    warnPhishing: object.flag('warnPhishing'),
    hostRequired,
    records,
  };
}

function idOf(object: JsonObject, field: string, issues: Issue[]): string {
  const id = object.text(field, MAX_ID_LENGTH);
  if (id !== '' && !ID.test(id))
    issues.push({ path: field, message: 'may contain letters, digits, dots, hyphens and underscores only' });
  return id;
}

function logoUrlOf(object: JsonObject, issues: Issue[]): string | undefined {
  const url = object.optionalText('logoUrl', MAX_URL_LENGTH);
  if (url === undefined) return undefined;
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWeb) issues.push({ path: 'logoUrl', message: 'must be a URL that starts with https:// or http://' });
  return url;
}

function redirectDomainsOf(object: JsonObject, issues: Issue[]): readonly string[] {
  const text = object.optionalText('syncRedirectDomain', MAX_TEXT_LENGTH) ?? '';
  const domains = text
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean);
  if (!domains.every((each) => isHostName(each.replace(WILDCARD, ''))))
    issues.push({ path: 'syncRedirectDomain', message: 'must be a list of domain names with commas between them' });
  return domains;
}

function recordsOf(object: JsonObject, issues: Issue[]): readonly TemplateRecord[] {
  const items = object.list('records');
  if (items.length > MAX_RECORDS) {
    issues.push({ path: 'records', message: `must have at most ${MAX_RECORDS} items` });
    return [];
  }
  return items.map((item, index) => readTemplateRecord(JsonObject.at(`records[${index}]`, item, issues)));
}

/** The schema: with these at the applied name itself, a template cannot be applied to the apex. */
function recordsThatNeedHost(records: readonly TemplateRecord[]): readonly Issue[] {
  return records.flatMap(({ type, host }, index): Issue[] => {
    const needsHost = (type === 'CNAME' || type === 'NS') && (host === '@' || host === '');
    return needsHost
      ? [{ path: `records[${index}].host`, message: `can be @ for ${type} only if hostRequired is true` }]
      : [];
  });
}
