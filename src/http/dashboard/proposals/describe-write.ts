import { domainIdOfZone } from '../../../domain/dns/zone-id';
import type { ProposalPlan, ProposalState, ProposedWrite } from '../../../domain/access/proposals/proposal';
import { displayName } from '../layout/domain/domain-labels';

const ZONE = String.raw`/(?:domains|zones)/[^/]+`;

/** By method and path below the API's root; `…` stands for the name that it is about. */
const WRITES: readonly (readonly [write: string, words: string])[] = [
  ['POST /domains', 'Register …'],
  ['POST /domains/[^/]+/renew', 'Renew …'],
  ['POST /domains/[^/]+/restore', 'Restore …'],
  ['DELETE /domains/[^/]+', 'Delete …'],
  ['PUT /domains/[^/]+/nameservers', 'Change the nameservers of …'],
  ['PUT /domains/[^/]+/contacts', 'Change the registrant of …'],
  ['PUT /domains/[^/]+/autorenew', 'Change auto-renewal of …'],
  ['PUT /domains/[^/]+/keep-zone', 'Choose to keep or end the zone of …'],
  ['PUT /domains/[^/]+/transfer-lock', 'Change the transfer lock of …'],
  ['POST /domains/[^/]+/auth-code', 'Issue an auth code for …'],
  ['POST /domains/[^/]+/transfer-out/approve', 'Approve the transfer of … to another registrar'],
  ['POST /domains/[^/]+/transfer-out/reject', 'Reject the transfer of … to another registrar'],
  ['POST /domains/[^/]+/release', 'Release … to another registrar'],
  ['PUT /domains/[^/]+/dnssec/ds', 'Set the DS records of …'],
  ['POST /transfers', 'Transfer … here'],
  ['POST /transfers/[^/]+/cancel', 'Cancel a transfer'],
  ['POST /moves', 'Offer … to another account'],
  ['POST /moves/[^/]+/accept', 'Accept … from another account'],
  ['POST /moves/[^/]+/reject', 'Reject the move of a name'],
  ['POST /moves/[^/]+/withdraw', 'Withdraw the move of a name'],
  ['POST /bulk', 'Start a bulk job'],
  ['POST /bulk/[^/]+/retry', 'Retry a bulk job'],
  ['POST /bulk/[^/]+/undo', 'Undo a bulk job'],
  ['POST /zones', 'Host the zone of …'],
  ['POST /zones/[^/]+/verify', 'Verify the zone of …'],
  ['DELETE /zones/[^/]+', 'Delete the zone of …'],
  ['PUT /approval-rules', 'Change which changes need a second person'],
  ['POST /record-templates', 'Create a record template'],
  ['PUT /record-templates/[^/]+', 'Change a record template'],
  ['DELETE /record-templates/[^/]+', 'Delete a record template'],
  ['PUT /(?:domains|zones)/by-name/[^/]+/state', 'Set the state of …'],
  [`PUT ${ZONE}/tags`, 'Change the tags of …'],
  [`PUT ${ZONE}/dnssec`, 'Change DNSSEC of …'],
  [`POST ${ZONE}/dnssec/roll`, 'Roll a DNSSEC key of …'],
  [`POST ${ZONE}/health`, 'Check …'],
  [`POST ${ZONE}/dns/records`, 'Add a record to …'],
  [`POST ${ZONE}/dns/records/batch`, 'Change records of …'],
  [`PUT ${ZONE}/dns/records/[^/]+`, 'Change a record of …'],
  [`DELETE ${ZONE}/dns/records/[^/]+`, 'Delete a record of …'],
  [`POST ${ZONE}/dns/discover`, 'Find the records of …'],
  [`PUT ${ZONE}/dns/zonefile`, 'Import a zone file into …'],
  [`POST ${ZONE}/dns/history/[^/]+/restore`, 'Roll back the zone of …'],
  [`DELETE ${ZONE}/connected-services/[^/]+`, 'Disconnect a service from …'],
  [`PUT ${ZONE}/domain-connect`, 'Switch Domain Connect for …'],
  [`POST ${ZONE}/dns/template`, 'Apply a record template to …'],
];

/** The write in words, with the name that it is about if that is known. A list has no plans. */
export function describeWrite(
  { method, path }: ProposedWrite,
  name: string | undefined,
  plan: ProposalPlan = {},
): string {
  const write = `${method} ${routeOf(path)}`;
  const job = write === 'POST /bulk' && describeJob(plan);
  if (job) return job;
  const [, words] = WRITES.find(([pattern]) => new RegExp(`^${pattern}$`).test(write)) ?? [];
  return words?.replace('…', () => (name === undefined ? 'a name' : displayName(name))) ?? `${method} ${path}`;
}

/** What a bulk job does to its domains. */
const JOBS: Readonly<Record<string, string>> = {
  auto_renewal: 'Change auto-renewal of …',
  transfer_lock: 'Change the transfer lock of …',
  nameservers: 'Change the nameservers of …',
  renewal: 'Renew …',
  registrant: 'Change the registrant of …',
  template: 'Apply a record template to …',
  tags: 'Change the tags of …',
  roll_back: 'Roll back the zone of …',
};

/** A step of a bulk job, with the name if it is one. */
export function describeStep({ action, domains }: Readonly<Record<string, unknown>>): string {
  const names = Array.isArray(domains) ? domains : [];
  const which = names.length === 1 ? displayName(String(names[0])) : `${names.length} names`;
  return (JOBS[String(action)] ?? 'Change …').replace('…', () => which);
}

function describeJob({ operations, zones, steps }: ProposalPlan): string | undefined {
  const [step, ...others] = listOf(steps);
  if (step) return others.length === 0 ? describeStep(step) : undefined;
  const files = listOf(zones).length;
  if (files > 0) return `Import the zone ${files === 1 ? 'file of a name' : `files of ${files} names`}`;
  const kinds = listOf(operations).map(({ kind }) => kind);
  const names = kinds.length === 1 ? 'a name' : `${kinds.length} names`;
  if (kinds.length > 0 && kinds.every((kind) => kind === 'register')) return `Register ${names}`;
  return kinds.length > 0 && kinds.every((kind) => kind === 'transfer') ? `Transfer ${names} here` : undefined;
}

/** The path below the API's root, without its query. */
export function routeOf(path: string): string {
  return new URL(path, 'http://localhost').pathname.replace(/^\/api/, '');
}

/** The id of the domain, or of the name with a zone here, that the path has. */
export function domainIdOf({ path }: ProposedWrite): string | undefined {
  const [, kind, id] = /^\/(domains|zones)\/((?:dom|zone)_[^/]+)/.exec(routeOf(path)) ?? [];
  if (id === undefined) return undefined;
  return kind === 'zones' ? domainIdOfZone(id) : id;
}

/** The name that the write is about. A list has no plans. @param names of the account's domains, by id */
export function nameOf(
  { write, plan = {} }: Pick<ProposalState, 'write'> & Partial<Pick<ProposalState, 'plan'>>,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const [, byName] = /\/by-name\/([^/]+)/.exec(routeOf(write.path)) ?? [];
  return byName ?? names.get(domainIdOf(write) ?? '') ?? nameIn(plan);
}

function nameIn({ changes, operations, result }: ProposalPlan): string | undefined {
  const named = [...listOf(changes), ...listOf(operations)].map(({ domain }) => domain);
  return [...named, (result as Readonly<Record<string, unknown>> | undefined)?.['name']].find(
    (name) => typeof name === 'string',
  );
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}
