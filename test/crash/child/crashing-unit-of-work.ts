import type { Stores, UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { reached } from './crash-point';

type Moment = 'intent' | 'outcome' | 'change';

const BEFORE = { intent: 'before the intent', outcome: 'before the commit', change: 'before the change' } as const;
const AFTER = { intent: 'after the intent', outcome: 'after the commit', change: 'after the change' } as const;

/** Tells what a unit of work is about from what it writes, and dies around its commit. */
export class CrashingUnitOfWork implements UnitOfWork {
  constructor(private readonly inner: UnitOfWork) {}

  async run<T>(work: (stores: Stores) => Promise<T>, accountId?: string): Promise<T> {
    const seen: { moment?: Moment } = {};
    const result = await this.inner.run(async (stores) => {
      delete seen.moment;
      const see = (moment: Moment | undefined) => {
        if (moment) seen.moment = moment;
      };
      const operations = watched(stores.operations, (name, [given]) => see(momentOf(name, given)));
      const zones = watched(stores.zones, (name) => see(name === 'apply' ? 'change' : undefined));
      const done = await work({ ...stores, operations, zones });
      if (seen.moment) reached(BEFORE[seen.moment]);
      return done;
    }, accountId);
    if (seen.moment) reached(AFTER[seen.moment]);
    return result;
  }
}

function momentOf(name: string | symbol, given: unknown): Moment | undefined {
  if (name === 'add') return 'intent';
  return name === 'save' && (given as { readonly finished: boolean }).finished ? 'outcome' : undefined;
}

function watched<R extends object>(repository: R, tell: (name: string | symbol, given: readonly unknown[]) => void): R {
  return new Proxy(repository, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]) => {
        tell(name, given);
        return Reflect.apply(method, target, given) as unknown;
      };
    },
  });
}
