import { createHash } from 'node:crypto';
import type { Requester } from '../../../domain/access/actor';
import type { DomainFilters } from '../../../application/portfolio/domain-filters';
import type { BulkSelection, StartBulkJob } from '../../../application/portfolio/bulk/start-bulk-job';
import {
  KEY_ACTION_OF,
  type BulkDomainAction,
  type ZoneFilesAction,
  type SelectedDomain,
} from '../../../domain/portfolio/bulk-job';
import type { RecordTemplate, TemplateValues } from '../../../domain/dns/templates/record-template';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import { readFilter } from '../domains/domain-list-query';
import { listFormFields, readField, splitTags } from '../form-fields';
import type { FormIssues } from '../form-issues';
import { readRegistrant } from '../registrant/registrant-fields';
import { assertEveryTagAllowed, roleForbids } from '../../../domain/access/key-permissions';
import { actorOfUser } from '../../../domain/access/people/user';
import { allows } from '../user-session';
import {
  ACTION_LABELS,
  actionNameOf,
  countDomains,
  isOfRegistrations,
  needsEveryDomain,
  type ActionName,
} from '../domains/bulk-labels';

export const VALUE_PREFIX = 'values.';

type Fields = readonly (readonly [name: string, value: string])[];

/** All query parameters, as `listFormFields`. */
export function listParameters({ query }: DashboardRequest): Fields {
  return Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) =>
      typeof each === 'string' ? [[name, each] as const] : [],
    ),
  );
}

/**
 * The domains that the fields of a form or a URL select: those with their boxes checked, or all that match a filter and have what the
 * action changes.
 */
export async function readSelection(
  action: ActionName,
  fields: Fields,
  requester: Requester,
  filters: DomainFilters,
): Promise<BulkSelection> {
  const value = (wanted: string) => fields.find(([name]) => name === wanted)?.[1];
  if (value('which') !== 'all') return { ids: fields.flatMap(([name, id]) => (name === 'id' ? [id] : [])) };
  const query = Object.fromEntries(new URLSearchParams(value('matching')));
  const list = isOfRegistrations(action) ? 'domains' : 'names';
  const { filter, issues } = await filters.parse(requester, readFilter({ query }), list);
  if (issues.length > 0) throw new ValidationError(issues);
  return { filter };
}

/** @throws ValidationError if other domains match than the form showed */
export async function readShownSelection(
  action: ActionName,
  fields: Fields,
  requester: Requester,
  filters: DomainFilters,
  jobs: StartBulkJob,
): Promise<BulkSelection> {
  const selection = await readSelection(action, fields, requester, filters);
  if ('ids' in selection) return selection;
  const domains = await jobs.select(requester, selection);
  const [name, digest] = shownField(domains);
  if (!fields.some((field) => field[0] === name && field[1] === digest))
    throw ValidationError.of(
      '',
      `The list has changed since it was shown: ${countDomains(domains.length)} match now. Check it and confirm again`,
    );
  return { ids: domains.map(({ domainId }) => domainId) };
}

/** Which domains a form shows. */
export function shownField(domains: readonly SelectedDomain[]): readonly [name: string, digest: string] {
  const ids = domains.map(({ domainId }) => domainId).toSorted();
  return ['shown', createHash('sha256').update(ids.join('\n')).digest('base64url')];
}

/** Which records of a template a review shows. */
export function shownTemplateField({
  records,
}: Pick<RecordTemplate, 'records'>): readonly [name: string, digest: string] {
  return ['shown_template', createHash('sha256').update(records).digest('base64url')];
}

/** @throws ValidationError if the template has other records than its review showed */
export function assertShownTemplate(req: DashboardRequest, template: RecordTemplate): void {
  const [name, digest] = shownTemplateField(template);
  if (![digest, ''].includes(readField(req, name)))
    throw ValidationError.of(
      '',
      `The template ${template.name} has changed since the review. Review its records again`,
    );
}

/** The fields that select the domains, for the next form. */
export function selectionFields(fields: Fields): Fields {
  const isAll = fields.some(([name, value]) => name === 'which' && value === 'all');
  return fields.filter(([name]) => (isAll ? name === 'which' || name === 'matching' : name === 'id'));
}

/** What a form asks for. Renewals need their prices. */
export function readAction(name: Exclude<ActionName, 'renew' | 'csv'>, req: DashboardRequest): BulkDomainAction {
  if (name === 'nameservers')
    return { kind: 'nameservers', hosts: readField(req, 'nameservers').split(/\s+/).filter(Boolean) };
  if (name === 'registrant') return { kind: 'registrant', registrant: readRegistrant(req) };
  if (name === 'tags')
    return { kind: 'tags', add: splitTags(readField(req, 'add')), remove: splitTags(readField(req, 'remove')) };
  if (name === 'template')
    return { kind: 'template', templateId: readField(req, 'template'), values: readValues(listFormFields(req)) };
  if (name === 'lock' || name === 'unlock') return { kind: 'transfer_lock', locked: name === 'lock' };
  return { kind: 'auto_renewal', autoRenew: name === 'auto-renewal-on' };
}

/** The fields `values.NAME` of a record template. */
function readValues(fields: Fields): TemplateValues {
  return Object.fromEntries(
    fields.flatMap(([name, value]) =>
      name.startsWith(VALUE_PREFIX) ? [[name.slice(VALUE_PREFIX.length), value]] : [],
    ),
  );
}

/** What the form says about the action, for the form that confirms it. */
export function actionFields(fields: Fields): Fields {
  return fields.filter(([name]) => ['nameservers', 'template'].includes(name) || name.startsWith(VALUE_PREFIX));
}

/** @throws RoleForbids if the user's role has not what the action needs */
export function assertBulkActionAllowed({ locals: { userSession } }: DashboardResponse, name: ActionName): void {
  const { needs } = ACTION_LABELS[name];
  if (!allows(userSession, needs)) throw roleForbids(needs);
  if (needsEveryDomain(name)) assertEveryTagAllowed(actorOfUser(userSession.user, userSession.account));
}

/** To repeat or undo a job. @throws RoleForbids */
export function assertRepeatAllowed(res: DashboardResponse, action: BulkDomainAction | ZoneFilesAction): void {
  if (action.kind !== 'zone_files') return assertBulkActionAllowed(res, actionNameOf(action));
  const needs = KEY_ACTION_OF[action.kind];
  if (!allows(res.locals.userSession, needs)) throw roleForbids(needs);
}

export function describeSelectionIssue({ message, fields }: FormIssues): string {
  const [text = message] = fields.values();
  return text === undefined || text.startsWith('Must select')
    ? 'Select at least one domain first.'
    : `These domains cannot be changed together: ${text}.`;
}

/** The parameters of the CSV export for a selection. */
export function csvParameters(fields: Fields): [string, string][] {
  const matching = fields.find(([name]) => name === 'matching');
  if (matching && fields.some(([name]) => name === 'which')) return [...new URLSearchParams(matching[1])];
  return fields.filter(([name]) => name === 'id').map(([name, value]) => [name, value]);
}

/** The API's names of the tags are those of the form's fields. */
export function withTagFields(issues: FormIssues, action: ActionName): FormIssues {
  if (action !== 'tags') return issues;
  const fields = [...issues.fields].map(
    ([path, text]) => [path.startsWith('remove') ? 'remove' : 'add', text] as const,
  );
  return { ...issues, fields: new Map(fields) };
}
