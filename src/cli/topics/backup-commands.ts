import type { ReconcileReport } from '../../application/registrar/reconciliation/reconcile-registry';
import type { Config } from '../../config';
import type { Restored, RestoreOptions } from '../../container/restore-backup';
import { parseInstant } from '../../domain/shared/time/calendar';
import { ValidationError } from '../../domain/shared/validation-error';
import type { BackupOptions } from '../../infrastructure/backup/create-backup';
import type { BackupManifest } from '../../infrastructure/backup/manifest';
import { table, type CommandOutput, type Options } from '../command-spec';

export const BACKUP_USAGE = `  backup FOLDER [--with-key]            backs up the database to a new folder while the service runs, with a manifest and
                                        checksums; --with-key: also copies the secret key
  backup verify FOLDER                  reads a whole backup and compares it with its checksums and row counts
  backup restore FOLDER [--at TIME] [--binlogs DIR] [--replace] [--fix] [--account ID]
                                        restores a backup beside the database, compares it with registries and secondaries,
                                        raises all zone serials, and takes the database's place; stop all processes first.
                                        --at: MySQL, a time in UTC as 2026-11-23T10:00:00Z, from the binary logs of the
                                        server, or copies in DIR; --replace: moves a database that is not empty aside;
                                        --fix: adopts what the registries and the secondaries have since the backup, and
                                        missing names into the account ID (default: the only account)`;

/** What the commands do. They open no configured database, which would migrate it. */
export interface BackupServices {
  readonly createBackup: (config: Config, folder: string, options: BackupOptions) => Promise<BackupManifest>;
  readonly verifyBackup: (folder: string) => Promise<BackupManifest>;
  readonly restoreBackup: (config: Config, folder: string, options: RestoreOptions) => Promise<Restored>;
  /** Writes a line to the terminal, beside the result. */
  readonly showProgress: (line: string) => void;
}

/** A command that runs without the services of the database. */
interface OfflineSpec {
  readonly required: readonly (keyof Options)[];
  readonly optional: readonly (keyof Options)[];
  readonly operands: readonly string[];
  readonly prepare: (
    options: Options,
    folder?: string,
  ) => (services: BackupServices, config: Config) => Promise<CommandOutput>;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export const BACKUP_COMMANDS: Readonly<Record<string, OfflineSpec>> = {
  'backup verify': {
    required: [],
    optional: [],
    operands: ['FOLDER'],
    prepare:
      (_options, folder = '') =>
      async ({ verifyBackup }) => {
        const manifest = await verifyBackup(folder);
        return {
          json: manifest,
          text: `The backup of ${manifest.taken_at} is complete and intact\n${rowsOf(manifest)}`,
        };
      },
  },
  'backup restore': {
    required: [],
    optional: ['at', 'binlogs', 'replace', 'fix', 'account'],
    operands: ['FOLDER'],
    prepare: ({ at: text, binlogs, replace = false, fix = false, account: accountId }, folder = '') => {
      const at = text === undefined ? undefined : parseTime(text);
      if (binlogs !== undefined && at === undefined) throw ValidationError.of('binlogs', 'needs --at');
      return async ({ restoreBackup }, config) =>
        presentRestored(await restoreBackup(config, folder, { at, binlogs, replace, fix, accountId }));
    },
  },
  backup: {
    required: [],
    optional: ['with-key'],
    operands: ['FOLDER'],
    prepare:
      ({ 'with-key': withKey = false }, folder = '') =>
      async ({ createBackup, showProgress }, config) => {
        const manifest = await createBackup(config, folder, { withKey, warn: showProgress });
        const key = withKey
          ? 'It has a copy of the secret key: keep it apart from what it opens'
          : `It needs the secret key with the fingerprint ${manifest.secret_key_fingerprint}, which it does not have`;
        return { json: manifest, text: `${folder} has the backup of ${manifest.taken_at}. ${key}` };
      },
  },
};

/** Binary logs have whole seconds. @throws ValidationError */
function parseTime(text: string): Date {
  const time = TIME.test(text) ? parseInstant(text) : undefined;
  if (!time) throw ValidationError.of('at', 'must be a time in UTC, in whole seconds: 2026-11-23T10:00:00Z');
  return time;
}

function rowsOf({ rows }: BackupManifest): string {
  return table(
    Object.entries(rows)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [String(count), name]),
  );
}

function presentRestored({ manifest, at, former, leftovers, registries, zones, unread }: Restored): CommandOutput {
  const reports = registries.map(presentRegistry);
  const left =
    reports.reduce((sum, report) => sum + report.left.length, 0) + zones.filter((each) => !each.isFixed).length;
  const lines = [
    `The database is restored as of ${at.toISOString()}, and all zone serials are raised`,
    ...(former === undefined ? [] : [`The former database is now ${former}`]),
    ...leftovers.map((name) => `An earlier restore that was interrupted has left the database ${name}: drop it`),
    ...reports.map(({ registry, fixed, left: open }) => `${registry}: ${fixed} differences fixed, ${open.length} left`),
    ...reports.flatMap(({ left: open }) => open.map((each) => table([[each.kind, each.ours, each.theirs, each.name]]))),
    ...zones.map((zone) =>
      table([[zone.isFixed ? 'records fixed' : 'records', zone.secondary, zone.records, zone.name]]),
    ),
    ...unread.map(({ source, reason }) => `${source} could not be read: ${reason}`),
    'Clients may repeat renewals from after that time: for 24 hours, those of renewed domains need current_expiry',
    left + unread.length === 0
      ? 'Start the service, and back up again'
      : `Differences left: ${left}. Sources that could not be read: ${unread.length}. A restore with --fix adopts what it reads. Once the service runs, secondaries transfer the restored zones`,
  ];
  return {
    json: {
      taken_at: manifest.taken_at,
      restored_to: at.toISOString(),
      former: former ?? null,
      leftovers,
      registries: reports,
      zones,
      unread,
    },
    text: lines.join('\n'),
  };
}

function presentRegistry({ reconciliation: { registry }, fixedCount, left }: ReconcileReport) {
  return {
    registry,
    fixed: fixedCount,
    left: left.map(({ name, kind, ours, theirs }) => ({ name, kind, ours, theirs })),
  };
}
