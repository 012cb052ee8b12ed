import type { StoreName, Stores, UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { crashAt } from './crash-point';

type Moment = 'intent' | 'outcome' | 'change';

const BEFORE = { intent: 'before the intent', outcome: 'before the commit', change: 'before the change' } as const;
const AFTER = { intent: 'after the intent', outcome: 'after the commit', change: 'after the change' } as const;

/** Detects from the writes of a unit of work what it commits, and crashes before or after the commit. */
export class CrashingUnitOfWork implements UnitOfWork<StoreName> {
  constructor(private readonly inner: UnitOfWork<StoreName>) {}

  async run<T>(
    work: (stores: Stores) => Promise<T>,
    accountId?: string,
    options?: { readonly isLong?: boolean },
  ): Promise<T> {
    const seen: { moment?: Moment } = {};
    const result = await this.inner.run(
      async (stores) => {
        delete seen.moment;
        const record = (moment: Moment | undefined) => {
          if (moment) seen.moment = moment;
        };
        const operations = observeCalls(stores.operations, (name, [given]) => record(momentOf(name, given)));
        const zones = observeCalls(stores.zones, (name) => record(name === 'apply' ? 'change' : undefined));
        const done = await work({ ...stores, operations, zones });
        if (seen.moment) crashAt(BEFORE[seen.moment]);
        return done;
      },
      accountId,
      options,
    );
    if (seen.moment) crashAt(AFTER[seen.moment]);
    return result;
  }
}

function momentOf(name: string | symbol, given: unknown): Moment | undefined {
  if (name === 'add') return 'intent';
  return name === 'save' && (given as { readonly finished: boolean }).finished ? 'outcome' : undefined;
}

function observeCalls<R extends object>(
  repository: R,
  onCall: (name: string | symbol, given: readonly unknown[]) => void,
): R {
  return new Proxy(repository, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]) => {
        onCall(name, given);
        return Reflect.apply(method, target, given) as unknown;
      };
    },
  });
}
