import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { ProposalPlan } from '../../../domain/access/proposals/proposal';
import { formatLine } from '../zone/change-view';
import { describeStep } from './describe-write';

type Members = Readonly<Record<string, unknown>>;

/** A change before and after, by field. */
export interface PlannedFields {
  readonly title: string;
  readonly before: Members;
  readonly after: Members;
}

export interface PlannedRecords {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Of those that the page has room for. */
  readonly lines: readonly { readonly before: string | null; readonly after: string | null }[];
}

/** The zone file of a name, among those of a bulk job. */
export interface PlannedZone extends PlannedRecords {
  readonly name: string;
}

/** What a bulk job does to each of some names, of which the page has room for these. */
export interface PlannedStep extends PlannedFields {
  readonly domains: readonly string[];
}

/** What a page shows of a plan. */
export interface ReadPlan {
  readonly operations: readonly PlannedFields[];
  readonly changes: readonly PlannedFields[];
  readonly records: PlannedRecords | undefined;
  readonly zones: readonly PlannedZone[];
  readonly steps: readonly PlannedStep[];
  /** What the dry run says beyond records. */
  readonly result: Members;
  readonly warnings: readonly string[];
  readonly cost: { readonly amount: number; readonly currency: string } | undefined;
  /** Why the write would be refused. */
  readonly error: string | undefined;
  /** How many operations, changes, records, fields and warnings are left out. */
  readonly more: number;
  /** A long plan is stored shortened. */
  readonly isWhole: boolean;
}

const MAX_FIELDS = 20;
const MAX_VALUE = 300;
const MAX_LINE = 160;
/** More are not formatted: no page has room for them. */
const MAX_LINES = 200;
/** Characters of markup around an item. */
const MARKUP = 150;

const OPERATIONS: Readonly<Record<string, string>> = {
  register: 'Register',
  transfer: 'Transfer here',
  renew: 'Renew',
  set_nameservers: 'Change the nameservers of',
  update_glue: 'Send the registry the nameserver addresses of',
  set_registrant: 'Change the registrant of',
  set_transfer_lock: 'Change the transfer lock of',
  set_delegation_signers: 'Set the DS records of',
  set_registrar_renewal: 'Change renewal by the registrar of',
  issue_auth_code: 'Issue an auth code for',
  withdraw_auth_code: 'Withdraw the auth code of',
  approve_transfer: 'Approve the transfer to another registrar of',
  reject_transfer: 'Reject the transfer to another registrar of',
  release: 'Release to another registrar',
  restore: 'Restore',
  delete: 'Delete',
};

/** @param budget how many characters of the page it may take */
export function readPlan(plan: ProposalPlan, budget: number): ReadPlan {
  const given = membersOf(plan['result']);
  const { added, changed, removed, warnings: _warnings, version: _version, ...others } = given;
  const isZone = Array.isArray(added) && Array.isArray(changed) && Array.isArray(removed);
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !COUNTS.includes(name)));
  const page = new Page(budget);
  const zones = listOf(plan['zones']);
  const names = page.take(zones.map(({ domain }) => String(domain)));
  return {
    operations: page.take(listOf(plan['operations']).map(readOperation)),
    changes: page.take(listOf(plan['changes']).map(readChange)),
    result: Object.fromEntries(page.take(Object.entries(clipMembers(isZone ? rest : given)))),
    warnings: page.take((Array.isArray(plan['warnings']) ? plan['warnings'] : []).map(clipWarning)),
    records: isZone ? readRecords(given, page) : undefined,
    zones: names.map((name, index) => ({ name, ...readRecords(zones[index] ?? {}, page) })),
    steps: readSteps(plan, page),
    cost: readCost(plan),
    error: readError(plan),
    more: page.leftOut,
    isWhole: plan['whole'] === undefined,
  };
}

/** Takes the items that fit, and counts the others. */
class Page {
  leftOut = 0;

  constructor(private budget: number) {}

  get room(): number {
    return this.budget > 0 ? MAX_LINES : 0;
  }

  take<T>(items: readonly T[]): T[] {
    return items.filter((item) => {
      if (this.budget > 0) this.budget -= MARKUP + JSON.stringify(item).length;
      const isTaken = this.budget > 0;
      if (!isTaken) this.leftOut += 1;
      return isTaken;
    });
  }
}

/** In whole units of its currency. */
export function readCost({ cost }: ProposalPlan): ReadPlan['cost'] {
  const { amount, currency } = membersOf(cost);
  return typeof amount === 'number' && typeof currency === 'string' ? { amount, currency } : undefined;
}

function readError({ error }: ProposalPlan): string | undefined {
  const { message } = membersOf(error);
  return typeof message === 'string' ? clip(message, MAX_VALUE) : undefined;
}

/** What a request does not name, such as the expiry that a renewal is from, stays as it is: it has no value before. */
function readOperation({ kind, domain, before: given, request: sent }: Members): PlannedFields {
  const [present, request] = [membersOf(given), membersOf(sent)];
  const before = Object.fromEntries(Object.entries(present).filter(([name]) => request[name] !== null));
  const after = Object.entries(request).map(([name, value]) => [name, value ?? present[name]]);
  return {
    title: `${OPERATIONS[String(kind)] ?? String(kind)} ${typeof domain === 'string' ? domain : 'the name'}`,
    before: clipMembers(before),
    after: clipMembers(Object.fromEntries(after)),
  };
}

function readSteps(plan: ProposalPlan, page: Page): readonly PlannedStep[] {
  const steps = listOf(plan['steps']);
  const taken = page.take(steps.map(readStep));
  return taken.map((step, index) => {
    const domains = steps[index]?.['domains'];
    return { ...step, domains: page.take(Array.isArray(domains) ? domains.map(String) : []) };
  });
}

function readStep(step: Members): PlannedFields {
  const { action: _action, domains: _domains, ...after } = step;
  return { title: describeStep(step), before: {}, after: clipMembers(after) };
}

/** `domain.tags_changed` of example.com: `example.com: tags changed`. */
function readChange({ action, domain, subject, before, after }: Members): PlannedFields {
  const [what = '', done = ''] = String(action).replaceAll('_', ' ').split('.');
  const about = typeof domain === 'string' ? domain : `${what} ${typeof subject === 'string' ? subject : ''}`.trim();
  return {
    title: `${about}: ${done}`,
    before: clipMembers(membersOf(before)),
    after: clipMembers(membersOf(after)),
  };
}

/** How many a shortened list had. */
const COUNTS: readonly string[] = ['added_count', 'changed_count', 'removed_count'];

function readRecords(zone: Members, page: Page): PlannedRecords {
  const [added, changed, removed] = [listIn(zone, 'added'), listIn(zone, 'changed'), listIn(zone, 'removed')];
  const all = [
    ...removed.entries.map((record) => ({ before: record, after: null })),
    ...changed.entries.map(({ before, after }) => ({ before, after })),
    ...added.entries.map((record) => ({ before: null, after: record })),
  ];
  const shown = all.slice(0, page.room);
  page.leftOut += added.count + changed.count + removed.count - shown.length;
  const lines = shown.map(({ before, after }) => ({ before: lineOf(before), after: lineOf(after) }));
  return { added: added.count, changed: changed.count, removed: removed.count, lines: page.take(lines) };
}

function listIn(zone: Members, name: string): { readonly entries: readonly Members[]; readonly count: number } {
  const [entries, count] = [listOf(zone[name]), zone[`${name}_count`]];
  return { entries, count: typeof count === 'number' ? count : entries.length };
}

/** A record of the API as a line of a zone file, as zone changes show it. */
function lineOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null;
  const { managed_by: managedBy, ...members } = record as Members;
  const numbers = { priority: null, weight: null, port: null };
  const state = { ...numbers, ...members, managedBy } as unknown as DnsRecordState;
  return clip(formatLine(DnsRecord.fromState(state).toState()), MAX_LINE);
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function clipMembers(members: Members): Members {
  const entries = Object.entries(members).slice(0, MAX_FIELDS);
  return Object.fromEntries(entries.map(([name, value]) => [name, clipValue(value)]));
}

function clipWarning(warning: unknown): string {
  return clip(String(warning), MAX_VALUE);
}

function clipValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE ? clip(text, MAX_VALUE) : value;
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
