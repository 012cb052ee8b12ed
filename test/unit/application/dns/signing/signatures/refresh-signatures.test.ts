import { RefreshSignatures } from '../../../../../../src/application/dns/signing/signatures/refresh-signatures';
import type { SigningReader } from '../../../../../../src/application/ports/dns/signing-repository';
import { StorageUnavailable } from '../../../../../../src/application/ports/storage/storage-unavailable';
import type { Stores, UnitOfWork } from '../../../../../../src/application/ports/storage/unit-of-work';
import { UseCaseContext } from '../../../../../support/use-cases/use-case-context';

/** Runs the loop over due zones, of which some throw an error. Returns what was renewed, cleared, tried and logged. */
async function refreshed(
  zones: readonly string[],
  { failing, unsigned, pauses = [] }: { failing?: Map<string, Error>; unsigned?: string; pauses?: number[] } = {},
) {
  const { clock, lifecycleClock, log, storage } = new UseCaseContext();
  const due = new Set(zones);
  const done: string[] = [];
  const tried: string[] = [];
  const reader: Pick<SigningReader, 'due'> = {
    // Every zone has 500 due RRsets.
    due: async (_now, limit, except = []) => {
      const left = new Set(except);
      return [...due].filter((id) => !left.has(id)).slice(0, Math.ceil(limit / 500));
    },
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
        tried.push(id);
        const error = failing?.get(id);
        if (error) throw error;
        due.delete(id);
        done.push(id);
      },
    },
  } as unknown as Stores;
  const unitOfWork = { run: (work: (all: Stores) => unknown) => work(stores) } as unknown as UnitOfWork<
    'signing' | 'zones'
  >;

  const loop = new RefreshSignatures(reader as SigningReader, unitOfWork, storage.leases, lifecycleClock, log);
  await loop.run();
  for (const ms of pauses) {
    clock.advance({ ms });
    lifecycleClock.advance({ ms });
    await loop.run();
  }

  const messages = log.entries.map(({ message }) => message);
  return { done, tried, messages, errors: log.entries.filter(({ level }) => level === 'error' || level === 'warn') };
}

describe('signatures', () => {
  it('are renewed if those of other zones cannot be, and the log names these', async () => {
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

  it('are tried again after an hour if they cannot be renewed, and the log does not say before that that they are', async () => {
    const failing = new Map([['dom_1', new Error('no key')]]);

    const early = await refreshed(['dom_1', 'dom_2'], { failing, pauses: [10_000, 3_580_000] });
    const late = await refreshed(['dom_1', 'dom_2'], { failing, pauses: [10_000, 3_590_000] });

    expect(early.tried).toEqual(['dom_1', 'dom_2']);
    expect(late.tried).toEqual(['dom_1', 'dom_2', 'dom_1']);
    expect(late.messages).toEqual(['renewing signatures failed and is retried']);
  });

  it('are renewed if those of thousands of other zones cannot be, which are not tried again in the next run', async () => {
    const broken = Array.from({ length: 1_500 }, (_, index) => `dom_${index}`);
    const failing = new Map(broken.map((id) => [id, new Error('no key')]));

    const { done, tried } = await refreshed([...broken, 'dom_good'], { failing, pauses: [10_000] });

    expect(done).toEqual(['dom_good']);
    expect(tried).toHaveLength(1_501);
  });

  it('are left to the next run if the database is away', async () => {
    const { done, errors } = await refreshed(['dom_1', 'dom_2'], {
      failing: new Map([['dom_1', new StorageUnavailable()]]),
    });

    expect(done).toEqual([]);
    expect(errors).toMatchObject([{ level: 'warn' }]);
  });

  it('are removed and not renewed if their zone is no longer signed', async () => {
    expect((await refreshed(['dom_1', 'dom_2'], { unsigned: 'dom_1' })).done).toEqual(['dom_1 cleared', 'dom_2']);
  });
});
