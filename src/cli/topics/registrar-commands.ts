import { quantityText } from '../../domain/shared/text/quantity-text';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountReader } from '../../application/ports/access/accounts-and-api-keys';
import type { FindImport, ImportReport } from '../../application/registrar/imports/find-import';
import type { ImportRunner } from '../../application/registrar/imports/import-runner';
import type { PlanImport, PlannedImport } from '../../application/registrar/imports/plan-import';
import type { ReconcileRegistries } from '../../application/registrar/reconciliation/reconcile-registries';
import type { ReconcileReport } from '../../application/registrar/reconciliation/reconcile-registry';
import type { StartImport } from '../../application/registrar/imports/start-import';
import { OPERATOR, type Requester } from '../../domain/access/actor';
import { parseNameList, type InvalidLine } from '../../domain/registrar/name-list';
import { isImportFinished } from '../../domain/registrar/name-import';
import { ValidationError } from '../../domain/shared/validation-error';
import { table, type CommandOutput, type CommandSpec } from '../command-spec';

export const REGISTRAR_USAGE = `  domain import --registry NAME --account ID [--names FILE] [--dry-run]
                                        imports the names that your account at a registry holds, and changes nothing
                                        there; --names: only the names in FILE, one a line; --dry-run: lists what would
                                        be imported. Can be repeated and interrupted: the service continues it
  domain reconcile [--registry NAME] [--fix] [--account ID]
                                        compares registries with the service and lists the differences: kind, ours,
                                        theirs and name; --fix: adopts the registry's data, and the names that are
                                        missing here into the account ID (default: the only account);
                                        domains that the registry does not know end here`;

const POLL_EVERY_MS = 500;

/** The services that commands about a registrar's names use. */
export interface RegistrarServices {
  readonly accounts: Pick<AccountReader, 'find'>;
  readonly registrar: {
    readonly startImport: Pick<StartImport, 'execute'>;
    readonly findImport: Pick<FindImport, 'execute'>;
    readonly planImport: Pick<PlanImport, 'execute'>;
    readonly importRunner: Pick<ImportRunner, 'run'>;
    readonly reconcile: Pick<ReconcileRegistries, 'execute'>;
    /** Shows progress, separately from the output. */
    readonly showProgress: (line: string) => void;
  };
}

export const REGISTRAR_COMMANDS: Readonly<Record<string, CommandSpec<RegistrarServices>>> = {
  'domain import': {
    required: ['registry', 'account'],
    optional: ['names', 'dry-run'],
    prepare: ({ registry = '', account: accountId = '', names: file, 'dry-run': dryRun = false }) => {
      const { names, invalid } = file === undefined ? { names: undefined, invalid: [] } : readNames(file);
      return async ({ accounts, registrar }) => {
        if (!(await accounts.find(accountId))) throw ValidationError.of('account', 'is not known');
        const query = { accountId, actor: OPERATOR, registry };
        if (dryRun) return withInvalidLines(await presentPlan(registrar.planImport.execute(query, names)), invalid);
        const { id: importId } = await registrar.startImport.execute({ ...query, names });
        return withInvalidLines(presentReport(await finish(registrar, { ...query, importId })), invalid);
      };
    },
  },
  'domain reconcile': {
    required: [],
    optional: ['registry', 'fix', 'account'],
    prepare:
      ({ registry, fix = false, account: accountId }) =>
      async ({ registrar }) =>
        presentReconciliation(await registrar.reconcile.execute({ registry, fix, accountId })),
  },
};

function presentReconciliation(reports: readonly ReconcileReport[]): CommandOutput {
  const shown = reports.map(({ reconciliation: { registry, compared, listed, differences }, left, fixedCount }) => ({
    registry,
    compared,
    listed,
    differences,
    fixed: fixedCount,
    left: left.map(({ name, kind, ours, theirs }) => ({ name, kind, ours, theirs })),
  }));
  const lines = shown.flatMap(({ registry, compared, listed, differences, fixed, left }) => [
    `${registry}: ${quantityText(compared, 'domain')} compared, ${quantityText(fixed, 'difference')} fixed, ${differences} left${listed ? '' : '; it does not list its names, so names that are missing here are unknown'}`,
    ...left.map(({ name, kind, ours, theirs }) => table([[kind, ours, theirs, name]])),
  ]);
  return { json: shown, text: lines.join('\n') };
}

/** Runs the import in this process, unless the service does. */
async function finish(
  { findImport, importRunner, showProgress }: RegistrarServices['registrar'],
  query: Requester & { readonly importId: string },
): Promise<ImportReport> {
  const showing = setInterval(() => {
    void findImport.execute(query).then(
      (report) => showProgress(progressOf(report)),
      () => undefined,
    );
  }, 2_000);
  try {
    for (;;) {
      await importRunner.run();
      const report = await findImport.execute(query);
      if (isImportFinished(report.nameImport)) return report;
      await sleep(POLL_EVERY_MS);
    }
  } finally {
    clearInterval(showing);
  }
}

function progressOf({ counts: { waiting, imported, present, failed } }: ImportReport): string {
  const done = imported + present + failed;
  return `${done} of ${quantityText(done + waiting, 'name')}`;
}

function presentReport({ nameImport, counts, failures }: ImportReport): CommandOutput {
  const { id, status, error } = nameImport;
  const { imported, present, failed } = counts;
  const summary = error ?? `${id}: ${imported} imported, ${present} were here already, ${failed} could not be imported`;
  return {
    json: {
      id,
      status,
      imported,
      present,
      failed,
      failures: failures.map(({ name, reason }) => ({ name, reason })),
      error,
    },
    text: [summary, ...failures.map(({ name, reason }) => table([[reason ?? '', name]]))].join('\n'),
  };
}

async function presentPlan(plan: AsyncIterable<PlannedImport>): Promise<CommandOutput> {
  const planned: {
    readonly name: string;
    readonly outcome: string;
    readonly expires_at: string | null;
    readonly reason?: string;
  }[] = [];
  for await (const { name, outcome, expiresAt, reason } of plan)
    planned.push({
      name,
      outcome,
      expires_at: expiresAt?.toISOString() ?? null,
      ...(reason !== undefined && { reason }),
    });
  return {
    json: planned,
    text: table(
      planned.map(({ name, outcome, expires_at: expiresAt, reason }) => [outcome, expiresAt ?? reason ?? '-', name]),
    ),
  };
}

/** One name a line. @throws ValidationError for a file without any valid name */
function readNames(file: string): ReturnType<typeof parseNameList> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw ValidationError.of('names', `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parseNameList(text);
}

/** Invalid lines by number, before what became of the others. */
function withInvalidLines({ json, text }: CommandOutput, invalid: readonly InvalidLine[]): CommandOutput {
  return { json, text: [...invalid.map(({ line, message }) => `line ${line}: ${message}`), text].join('\n') };
}
