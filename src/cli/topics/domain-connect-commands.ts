import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  SyncedTemplate,
  SyncTemplates,
  TemplateFile,
  TemplateSync,
} from '../../application/dns/domain-connect/catalog/sync-templates';
import { isTemplateOn } from '../../application/dns/domain-connect/catalog/connect-catalog';
import type { TryTemplate } from '../../application/dns/domain-connect/try-template';
import type { ConnectTemplateReader } from '../../application/ports/dns/templates-and-domain-connect';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { ValidationError } from '../../domain/shared/validation-error';
import { table, type CommandSpec } from '../command-spec';
import { printableText } from '../printable';
import { UsageError } from '../usage-error';

export const CONNECT_USAGE = `  domain-connect sync DIRECTORY [--dry-run]
                                        reads the templates of service providers (*.json) in a directory, checks each,
                                        and lists which are new, changed and refused; others stay as they are
  domain-connect list                   lists state (on, off), whether requests are signed, provider and service of all
                                        templates; those with signed requests are on unless their provider is off
  domain-connect provider ID on|off     switches all templates of a provider on or off
  domain-connect apply FILE QUERY --dry-run
                                        lists what a template would change, with a query as in a provider's link:
                                        "domain=example.com&host=&ip=192.0.2.1"; a signature is not needed`;

/** What Domain Connect commands use. */
export interface ConnectServices {
  readonly templates: Pick<ConnectTemplateReader, 'all' | 'choices'>;
  readonly sync: Pick<SyncTemplates, 'execute' | 'chooseProvider'>;
  readonly tryTemplate: Pick<TryTemplate, 'execute'>;
}

const MAX_FILES = 20_000;
const MAX_OCTETS = 1_048_576;

export const CONNECT_COMMANDS: Readonly<Record<string, CommandSpec<{ readonly connect: ConnectServices }>>> = {
  'domain-connect sync': {
    required: [],
    optional: ['dry-run'],
    operands: ['DIRECTORY'],
    prepare:
      ({ 'dry-run': isDryRun = false }, directory = '') =>
      async ({ connect }) => {
        const sync = await connect.sync.execute(await readDirectory(directory), { isDryRun });
        return { json: presentSync(sync), text: describeSync(sync, isDryRun) };
      },
  },
  'domain-connect list': {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ connect }) => {
        const choices = await connect.templates.choices();
        const all = (await connect.templates.all()).map((each) => ({
          provider: each.providerId,
          service: each.serviceId,
          on: isTemplateOn(each, choices.get(each.providerId)),
          signed: each.isSigned,
          version: each.templateVersion,
          changed_at: each.changedAt.toISOString(),
        }));
        const rows = all.map(({ on, signed, provider, service }) => [
          on ? 'on' : 'off',
          signed ? 'signed' : 'unsigned',
          provider,
          service,
        ]);
        return { json: all, text: table(rows) };
      },
  },
  'domain-connect provider': {
    required: [],
    optional: [],
    operands: ['ID', 'on|off'],
    prepare: (_options, id = '', state = '') => {
      if (state !== 'on' && state !== 'off') throw new UsageError('domain-connect provider requires on or off');
      return async ({ connect }) => {
        await connect.sync.chooseProvider(id, state === 'on');
        return { json: { provider: id, on: state === 'on' }, text: `All templates of ${id} are ${state}` };
      };
    },
  },
  'domain-connect apply': {
    required: ['dry-run'],
    optional: [],
    operands: ['FILE', 'QUERY'],
    prepare:
      (_options, file = '', query = '') =>
      async ({ connect }) => {
        const { change, warnings } = await connect.tryTemplate.execute(await readTemplateFile(file), query);
        const lines = [
          ...[...change.removed, ...change.changed.map(({ before }) => before)].map((each) => `- ${lineOf(each)}`),
          ...[...change.changed.map(({ after }) => after), ...change.added].map((each) => `+ ${lineOf(each)}`),
        ];
        const text = [...(lines.length > 0 ? lines : ['No changes']), ...warnings.map((each) => `; ${each}`)];
        return { json: { changes: lines, warnings }, text: text.map(printableText).join('\n') };
      },
  },
};

function lineOf(record: DnsRecord): string {
  return `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`;
}

/** @throws ValidationError */
async function readTemplateFile(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > MAX_OCTETS) throw ValidationError.of('FILE', `is larger than ${MAX_OCTETS} octets`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    throw ValidationError.of('FILE', `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The templates of a checkout, in the order of their names. @throws ValidationError */
async function readDirectory(directory: string): Promise<readonly TemplateFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw ValidationError.of('DIRECTORY', `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const files = names.filter((name) => name.endsWith('.json')).toSorted();
  if (files.length === 0) throw ValidationError.of('DIRECTORY', 'has no file that ends with .json');
  if (files.length > MAX_FILES) throw ValidationError.of('DIRECTORY', `has over ${MAX_FILES} templates`);
  const read: TemplateFile[] = [];
  for (const name of files) read.push({ name, text: await readTemplateFile(join(directory, name)) });
  return read;
}

function presentSync({ added, changed, unchanged, refused }: TemplateSync) {
  return { new: added.map(presentTemplate), changed: changed.map(presentTemplate), unchanged, refused };
}

function presentTemplate({ file, providerId, serviceId, isOn }: SyncedTemplate) {
  return { file, provider: providerId, service: serviceId, on: isOn };
}

function describeSync({ added, changed, unchanged, refused }: TemplateSync, isDryRun: boolean): string {
  const rows = [
    ...added.map((each) => rowOf('new', each)),
    ...changed.map((each) => rowOf('changed', each)),
    ...refused.map(({ file, reasons }) => ['refused', '-', printableText(file), printableText(reasons.join('; '))]),
  ];
  const sum = `${added.length} new, ${changed.length} changed, ${unchanged} unchanged, ${refused.length} refused`;
  return [table(rows), `${sum}${isDryRun ? '; nothing was stored' : ''}`].filter(Boolean).join('\n');
}

function rowOf(kind: string, { isOn, providerId, serviceId }: SyncedTemplate): readonly string[] {
  return [kind, isOn ? 'on' : 'off', providerId, serviceId];
}
