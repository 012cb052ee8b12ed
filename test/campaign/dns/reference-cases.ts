import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A record of the cases, relative to the domain. */
export interface CaseRecord {
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly ttl?: number;
  readonly priority?: number;
  readonly weight?: number;
  readonly port?: number;
  /** Of SRV records; their names do not have them. */
  readonly service?: string;
  readonly protocol?: string;
  /** The connected service that the record belongs to. */
  readonly _dc?: CaseService;
}

interface CaseService {
  readonly id: string;
  readonly providerId: string;
  readonly serviceId: string;
  readonly host: string;
  readonly essential: 'Always' | 'OnApply';
}

type Json = Readonly<Record<string, unknown>>;

interface CaseInput {
  readonly zone_records: readonly CaseRecord[] | null;
  readonly domain: string;
  readonly host?: string | null;
  readonly params: Json | null;
  readonly group_ids?: readonly string[] | null;
  /** Whether records are known to belong to services. */
  readonly multi_aware?: boolean;
  readonly multi_instance?: boolean;
  readonly provider_id?: string | null;
  readonly service_id?: string | null;
  readonly unique_id?: string | null;
  readonly template_records?: readonly Json[];
}

/** A zone, a template with its values, and either the zone afterwards or the refusal that is expected. */
export interface ReferenceCase {
  readonly id: string;
  readonly input: CaseInput;
  readonly expect: {
    readonly exception?: string;
    readonly new_count?: number;
    readonly delete_count?: number;
    readonly records?: readonly CaseRecord[] | null;
  };
  /** Undefined if the case has records only. */
  readonly template: Json | undefined;
}

interface Suite {
  readonly suite_type?: string;
  readonly tests: readonly Omit<ReferenceCase, 'template'>[];
}

const DEFINITIONS = 'test/test_definitions';
const SUITES: ReadonlySet<string | undefined> = new Set(['process_records', 'apply_template']);

/** The cases in a checkout of Domain-Connect/DomainConnectApplyZone. */
export function readReferenceCases(checkout: string): readonly ReferenceCase[] {
  const folder = join(checkout, DEFINITIONS);
  if (!existsSync(folder))
    throw new Error(`${checkout} is no checkout of DomainConnectApplyZone: it has no ${DEFINITIONS}`);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => parse(readFileSync(join(folder, file), 'utf8')) as Suite)
    .filter(({ suite_type: type }) => SUITES.has(type))
    .flatMap(({ tests }) => tests)
    .map((each) => ({ ...each, template: each.input.template_records ? undefined : templateOf(folder, each.input) }));
}

function templateOf(folder: string, { provider_id: provider, service_id: service }: CaseInput): Json {
  const file = `${provider}.${service}.json`.toLowerCase();
  return JSON.parse(readFileSync(join(folder, 'templates', file), 'utf8')) as Json;
}
