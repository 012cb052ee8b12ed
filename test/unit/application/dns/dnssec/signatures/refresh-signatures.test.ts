import { RefreshSignatures } from '../../../../../../src/application/dns/dnssec/signatures/refresh-signatures';
import type { SigningReader } from '../../../../../../src/application/ports/dns/signing/signing-repository';
import { StorageUnavailable } from '../../../../../../src/application/ports/storage/storage-unavailable';
import type { Stores, UnitOfWork } from '../../../../../../src/application/ports/storage/unit-of-work';
import { UseCaseContext } from '../../../../../support/use-cases/use-case-context';

/** Runs the loop once over due zones, of which some throw an error. Returns what was renewed, cleared and logged. */
async function refreshed(
  zones: readonly string[],
  { failing, unsigned }: { failing?: Map<string, Error>; unsigned?: string } = {},
) {
  const { clock, log, storage } = new UseCaseContext();
  const due = new Set(zones);
  const done: string[] = [];
  const reader: Pick<SigningReader, 'due'> = {
    // Two zones are read at once.
    due: async (_now, _limit, except = []) => [...due].filter((id) => !except.includes(id)).slice(0, 2),
  };
  const stores = {
    signing: {
      expiring: async () => [{ name: '@', type: 6, refreshAt: new Date(0) }],
      find: async (id: string) => (id === unsigned ? undefined : {}),
      clear: async (id: string) => {
        due.delete(id);
        done.push(`${id} cleared`);
      },
    },
    zones: {
      lockFree: async ([id]: readonly string[]) => new Map([[id, {}]]),
      raiseSerial: async (id: string) => {
        const error = failing?.get(id);
        if (error) throw error;
        due.delete(id);
        done.push(id);
      },
    },
  } as unknown as Stores;
  const unitOfWork = { run: (work: (all: Stores) => unknown) => work(stores) } as unknown as UnitOfWork;

  await new RefreshSignatures(reader as SigningReader, unitOfWork, storage.leases, clock, log).run();

  return { done, errors: log.entries.filter(({ level }) => level === 'error' || level === 'warn') };
}

describe('signatures', () => {
  it('of other zones are renewed if those of some cannot be, and the log names these', async () => {
    const failing = new Map(['dom_1', 'dom_2'].map((id) => [id, new Error(`the key of ${id} cannot be read`)]));

    const { done, errors } = await refreshed(['dom_1', 'dom_2', 'dom_3', 'dom_4'], { failing });

    expect(done).toEqual(['dom_3', 'dom_4']);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      level: 'error',
      facts: {
        err: {
          message: 'the signatures of 2 zones cannot be renewed: dom_1, dom_2',
          cause: { message: 'the key of dom_1 cannot be read' },
        },
      },
    });
  });

  it('are left to the next run if the database is away', async () => {
    const { done, errors } = await refreshed(['dom_1', 'dom_2'], {
      failing: new Map([['dom_1', new StorageUnavailable()]]),
    });

    expect(done).toEqual([]);
    expect(errors).toMatchObject([{ level: 'warn' }]);
  });

  it('of a zone that is no longer signed are removed and not renewed', async () => {
    expect((await refreshed(['dom_1', 'dom_2'], { unsigned: 'dom_1' })).done).toEqual(['dom_1 cleared', 'dom_2']);
  });
});
