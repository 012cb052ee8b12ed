import type { OperationRepository } from '../../../src/application/ports/registration/operation-repository';
import type { Stores, UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { reached } from './crash-point';

type Moment = 'intent' | 'outcome';

/** Tells what a unit of work is about from what it writes, and dies around its commit. */
export class CrashingUnitOfWork implements UnitOfWork {
  constructor(private readonly inner: UnitOfWork) {}

  async run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    const seen: { moment?: Moment } = {};
    const result = await this.inner.run(async (stores) => {
      delete seen.moment;
      const done = await work({ ...stores, operations: watched(stores.operations, (moment) => (seen.moment = moment)) });
      if (seen.moment === 'intent') reached('before the intent');
      if (seen.moment === 'outcome') reached('before the commit');
      return done;
    });
    if (seen.moment === 'intent') reached('after the intent');
    if (seen.moment === 'outcome') reached('after the commit');
    return result;
  }
}

function watched(operations: OperationRepository, tell: (moment: Moment) => void): OperationRepository {
  return new Proxy(operations, {
    get: (target, name) => {
      if (name === 'add') tell('intent');
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]) => {
        if (name === 'save' && (given[0] as { readonly finished: boolean }).finished) tell('outcome');
        return Reflect.apply(method, target, given) as unknown;
      };
    },
  });
}
