import { isDeepStrictEqual } from 'node:util';
import type { DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { planTemplate } from '../../../src/domain/domain-connect/templates/plan-template';
import { readTemplate } from '../../../src/domain/domain-connect/templates/read-template';
import { resolveTemplate, type ResolvedTemplate } from '../../../src/domain/domain-connect/templates/resolve-template';
import type { Template } from '../../../src/domain/domain-connect/templates/template';
import { TemplateRejected } from '../../../src/domain/domain-connect/templates/template-errors';
import { variableNames } from '../../../src/domain/domain-connect/templates/template-values';
import { recordMaking, templateJson } from '../../support/data/domain-connect-templates';
import { runToCompletion } from '../../support/run-to-completion';
import type { Campaign, CampaignResult } from '../campaign';
import { readReferenceCases, type ReferenceCase } from './reference-cases';
import { ReferenceZone, serviceLabel } from './reference-zone';

const CHECKOUT = 'DOMAIN_CONNECT_REFERENCE';

/** How this service differs from the reference on purpose, and why. A case that differs otherwise fails. */
const REASONS = {
  redirects: 'redirects are refused: the service has none, and a template that needs one cannot work',
  'SRV at the applied name': 'the draft lets the name of an SRV record be @, which the reference refuses at the apex',
  'APEXCNAME beside MX and TXT': 'APEXCNAME becomes ALIAS, which stands beside mail; the draft does not have the type',
  'NS at the apex': 'a template cannot take a zone from its nameservers',
  'record rules':
    'no record that cannot work: an address as a name or half an address, a CNAME to itself, NS at a wildcard, wrong RDATA',
} as const;
type Reason = keyof typeof REASONS;

/**
 * Applies the templates of the cases of the reference implementation to their zones. The cases are not part of this repository: the
 * environment variable names a checkout of github.com/Domain-Connect/DomainConnectApplyZone.
 */
export const domainConnectReferenceCampaign: Campaign = {
  name: 'domain-connect-reference',
  unit: `cases at least, of the checkout that ${CHECKOUT} names`,
  ciSize: 0,
  fullSize: 291,
  run(size) {
    return Promise.resolve(run(size));
  },
};

function run(size: number): CampaignResult {
  const checkout = process.env[CHECKOUT];
  if (checkout === undefined) return { summary: 'nothing compared', failures: [`${CHECKOUT} names no checkout`] };
  const cases = readReferenceCases(checkout);
  const failures = cases.length < size ? [`there are ${cases.length} cases only`] : [];
  const found = new Map<Reason, string[]>();
  for (const each of cases) {
    const outcome = outcomeOf(each);
    const difference = differenceOf(each, outcome);
    if (difference === undefined) continue;
    const reason = reasonOf(outcome, each);
    if (reason === undefined) failures.push(`${each.id} ${difference}`);
    else found.set(reason, [...(found.get(reason) ?? []), `${each.id} ${difference}`]);
  }
  for (const [reason, lines] of found)
    process.stdout.write(
      `${lines.length} different, ${REASONS[reason]}\n${lines.map((line) => `  ${line}\n`).join('')}`,
    );
  const listed = [...found.values()].flat().length;
  const equal = cases.length - listed - failures.length;
  return {
    summary: `${cases.length} cases: ${equal} equal, ${listed} different for ${found.size} listed reasons`,
    failures,
  };
}

interface Applied {
  readonly zone: ReferenceZone;
  readonly resolved: ResolvedTemplate;
  readonly added: number;
  readonly deleted: number;
  readonly records: readonly string[];
}

function outcomeOf(each: ReferenceCase): Applied | TemplateRejected {
  try {
    return apply(each);
  } catch (error) {
    if (error instanceof TemplateRejected) return error;
    throw new Error(`case ${each.id}`, { cause: error });
  }
}

function apply({ input, template: json }: ReferenceCase): Applied {
  const template = templateOf({ input, template: json });
  const zone = new ReferenceZone(input.domain.toLowerCase(), input.zone_records ?? [], srvOf(template));
  const request = {
    zoneName: input.domain.toLowerCase(),
    host: input.host ?? '',
    variables: variablesOf(template, input.params ?? {}),
    groups: input.group_ids ?? [],
  };
  const making = recordMaking();
  const resolved = resolveTemplate(template, request, making);
  const plan = runToCompletion(planTemplate(resolved, zone, input.unique_id ?? '<test only: random>', making));
  const ended = new Set([...plan.replaced, ...plan.disabled]);
  const instances = [...zone.instances.filter((instance) => !ended.has(instance)), plan.instance];
  const shown = (record: DnsRecord): string => zone.show(record, input.multi_aware === true ? instances : []);
  const gone = new Set(plan.superseded);
  return {
    zone,
    resolved,
    added: plan.wanted.length,
    deleted: plan.superseded.length,
    records: [...zone.records.filter((record) => !gone.has(record)), ...plan.wanted].map(shown).toSorted(),
  };
}

function templateOf({ input, template: json }: Pick<ReferenceCase, 'input' | 'template'>): Template {
  const { provider_id: providerId, service_id: serviceId, multi_instance: multiInstance = false } = input;
  const ids = providerId && serviceId ? { providerId, serviceId } : {};
  // Without a template, a case does not tell whether it needs a host.
  const { records, ...members } = json ?? {
    records: input.template_records,
    ...ids,
    multiInstance,
    hostRequired: true,
  };
  const labelled = (records as readonly Readonly<Record<string, unknown>>[]).map((record) =>
    typeof record['service'] === 'string' ? { ...record, service: `_${serviceLabel(record['service'])}` } : record,
  );
  const template = readTemplate(templateJson(labelled, members));
  return json ? template : { ...template, hostRequired: false };
}

function srvOf({ records }: Template): { service: string; protocol: string } {
  const { service = '', protocol = '' } = records.find(({ type }) => type === 'SRV') ?? {};
  return { service, protocol };
}

/** Names of variables have no case in the reference, and those that the template does not use are refused here. */
function variablesOf(
  { records }: Template,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const values = new Map(Object.entries(params).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const known = variableNames(records).map((name) => [name, values.get(name.toLowerCase())] as const);
  return Object.fromEntries(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function differenceOf({ expect, input }: ReferenceCase, outcome: Applied | TemplateRejected): string | undefined {
  if (outcome instanceof TemplateRejected)
    return expect.exception === undefined ? `is refused: ${describe(outcome)}` : undefined;
  if (expect.exception !== undefined) return `is not refused with ${expect.exception}`;
  const { zone, added, deleted, records } = outcome;
  const expected = expect.records?.map((record) => zone.showExpected(record, input.multi_aware === true)).toSorted();
  const wanted = {
    added: expect.new_count ?? added,
    deleted: expect.delete_count ?? deleted,
    records: expected ?? records,
  };
  const actual = { added, deleted, records };
  if (isDeepStrictEqual(actual, wanted)) return undefined;
  return `becomes ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`;
}

function reasonOf(outcome: Applied | TemplateRejected, { expect }: ReferenceCase): Reason | undefined {
  if (!(outcome instanceof TemplateRejected)) {
    const { records, host } = outcome.resolved;
    const isAtApex = host === '@' && records.some(({ source, record }) => source.type === 'SRV' && isSrvAtApex(record));
    if (expect.exception !== undefined) return isAtApex ? 'SRV at the applied name' : undefined;
    const wanted = expect.records?.map((record) => outcome.zone.showExpected(record, false)) ?? [];
    const more = outcome.records.filter((record) => !wanted.includes(record));
    const isMail = more.length > 0 && more.every((record) => /^@ \d+ (MX|TXT) /.test(record));
    return isMail && records.some(({ source }) => source.type === 'APEXCNAME')
      ? 'APEXCNAME beside MX and TXT'
      : undefined;
  }
  const text = describe(outcome);
  if (outcome.problem === 'NOT_SUPPORTED' && text.includes('has no redirects')) return 'redirects';
  if (outcome.problem === 'NOT_SUPPORTED' && text.includes('nameservers a template cannot change'))
    return 'NS at the apex';
  return outcome.problem === 'INVALID_RECORD' && RECORD_RULES.test(text) ? 'record rules' : undefined;
}

const RECORD_RULES =
  /is an IP address, but a name is expected|must be an IPv4 address|is the name of the record itself|cannot have a wildcard name|the uri "" is invalid/;

/** Two labels, the service and its protocol. */
function isSrvAtApex({ name }: DnsRecord): boolean {
  return name.split('.').length === 2;
}

function describe({ problem, issues }: TemplateRejected): string {
  return `${problem}: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`;
}
