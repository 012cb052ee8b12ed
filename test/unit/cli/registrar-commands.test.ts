import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import type { ImportReport } from '../../../src/application/registrar/imports/find-import';
import { openAccount } from '../../../src/domain/access/account';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { NameImport } from '../../../src/domain/registrar/name-import';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const IMPORT: NameImport = {
  id: 'imp_1',
  accountId: 'acc_1',
  actor: OPERATOR,
  registry: 'sandbox',
  status: 'finished',
  cursor: null,
  error: null,
  createdAt: NOW,
  updatedAt: NOW,
  finishedAt: NOW,
};
const REPORT: ImportReport = {
  nameImport: IMPORT,
  counts: { waiting: 0, imported: 2, present: 1, failed: 1 },
  failures: [{ name: 'd.com', state: 'failed', attempts: 0, reason: 'Not held' }],
};

function services(started: unknown[] = []): CommandServices {
  return {
    accounts: { find: async (id: string) => (id === 'acc_1' ? openAccount('acc_1', 'Acme', NOW) : undefined) },
    registrar: {
      startImport: {
        execute: async (command: unknown) => {
          started.push(command);
          return IMPORT;
        },
      },
      findImport: { execute: async () => REPORT },
      planImport: {
        execute: async function* () {
          yield { name: 'a.com', outcome: 'import', expiresAt: NOW };
          yield { name: 'b.com', outcome: 'not held', expiresAt: null };
        },
      },
      importRunner: { run: async () => undefined },
      reconcile: {
        execute: async ({ fix }: { readonly fix: boolean }) => [
          {
            reconciliation: {
              registry: 'sandbox',
              finishedAt: NOW,
              compared: 3,
              listed: false,
              differences: fix ? 0 : 1,
            },
            left: fix
              ? []
              : [{ name: 'a.com', kind: 'lock', accountId: 'acc_1', domainId: 'dom_1', ours: 'on', theirs: 'off' }],
            fixed: [],
            fixedCount: fix ? 1 : 0,
          },
        ],
      },
      showProgress: () => undefined,
    },
  } as unknown as CommandServices;
}

async function run(given: CommandServices, ...argv: readonly string[]): Promise<string> {
  const command = parseCommand(argv);
  if (command.kind === 'help') throw new Error('help was asked for');
  return command.run(given);
}

describe('the operator’s commands about names at a registrar', () => {
  const IMPORT_COMMAND = ['domain', 'import', '--registry', 'sandbox', '--account', 'acc_1'] as const;

  it('import all names that the registry lists, and print counts and failures', async () => {
    const started: unknown[] = [];

    expect(await run(services(started), ...IMPORT_COMMAND)).toBe(
      'imp_1: 2 imported, 1 were here already, 1 could not be imported\nNot held\td.com',
    );
    expect(started).toEqual([{ accountId: 'acc_1', actor: OPERATOR, registry: 'sandbox', names: undefined }]);
  });

  it('import the names of a file, without comments and empty lines', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-names-'));
    try {
      writeFileSync(join(folder, 'names'), '# ours\na.com\n\n b.com \n');
      const started: { names?: unknown }[] = [];
      await run(services(started), ...IMPORT_COMMAND, '--names', join(folder, 'names'));

      expect(started[0]?.names).toEqual(['a.com', 'b.com']);
      expect(() => parseCommand([...IMPORT_COMMAND, '--names', join(folder, 'missing')])).toThrow(ValidationError);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['an import', [], 'imp_1: 2 imported'],
    ['a dry run', ['--dry-run'], 'import\t'],
  ])('report invalid lines of a file by number in %s', async (_what, options, next) => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-names-'));
    try {
      writeFileSync(join(folder, 'names'), 'a.com\nnot a name\nb.com\n');

      const output = await run(services(), ...IMPORT_COMMAND, '--names', join(folder, 'names'), ...options);

      const [first, second] = output.split('\n');
      expect(first).toMatch(/^line 2: must be a domain name/);
      expect(second).toContain(next);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('print skipped entries of the list with the reason in a dry run and in a reconciliation', async () => {
    const reason = 'the registrar tells no expiry of this name';
    const given = services();
    const planImport = {
      execute: async function* () {
        yield { name: 'c.com', outcome: 'skipped', expiresAt: null, reason };
      },
    };
    const left = [{ name: 'c.com', kind: 'expiry', accountId: null, domainId: null, ours: 'skipped', theirs: reason }];
    const reconciliation = { registry: 'sandbox', finishedAt: NOW, compared: 0, listed: true, differences: 1 };
    const reconcile = { execute: async () => [{ reconciliation, left, fixed: [], fixedCount: 0 }] };
    const changed = {
      ...given,
      registrar: { ...given.registrar, planImport, reconcile },
    } as unknown as CommandServices;

    expect(await run(changed, ...IMPORT_COMMAND, '--dry-run')).toBe(`skipped\t${reason}\tc.com`);
    expect(await run(changed, 'domain', 'reconcile')).toContain(`\nexpiry\tskipped\t${reason}\tc.com`);
  });

  it('start nothing in a dry run', async () => {
    const started: unknown[] = [];

    expect(await run(services(started), ...IMPORT_COMMAND, '--dry-run')).toBe(
      'import\t2026-03-01T12:00:00.000Z\ta.com\nnot held\t-\tb.com',
    );
    expect(started).toEqual([]);
  });

  it('import into an account that exists only', async () => {
    const command = ['domain', 'import', '--registry', 'sandbox', '--account', 'acc_2'];

    await expect(run(services(), ...command)).rejects.toMatchObject({ details: 'account is not known' });
  });

  it('list the differences to registries, and fix them only with --fix', async () => {
    expect(await run(services(), 'domain', 'reconcile')).toBe(
      'sandbox: 3 domains compared, 0 differences fixed, 1 left; it does not list its names, so names that are missing here are unknown\nlock\ton\toff\ta.com',
    );
    expect(await run(services(), 'domain', 'reconcile', '--registry', 'sandbox', '--fix')).toContain(
      '1 difference fixed, 0 left',
    );
  });
});
