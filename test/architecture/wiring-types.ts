import type { Container } from 'inversify';
import { inject, injectable, multiInject, token } from '../../src/application/ports/inject';
import {
  PasswordLimiter,
  SecondFactorLimiter,
  type RateLimiter,
} from '../../src/application/ports/access/rate-limits-and-usage';
import { Clock, LifecycleClock } from '../../src/application/ports/system';
import { DomainReader } from '../../src/application/ports/registration/domain-repository';
import type { HookStore, StoreName, Stores, UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { UserReader } from '../../src/application/ports/access/users';

// `npm run typecheck` is the test: it fails if a line below a `@ts-expect-error` compiles.

export function bindReaders(container: Container, domains: DomainReader, users: UserReader): void {
  container.bind(DomainReader).toConstantValue(domains);
  container.bind(UserReader).toConstantValue(users);
  // @ts-expect-error -- swapped
  container.bind(DomainReader).toConstantValue(users);
  // @ts-expect-error -- swapped
  container.bind(UserReader).toConstantValue(domains);
  // @ts-expect-error -- the service of the other token has another type
  container.bind(DomainReader).toService(UserReader);
}

export function bindSharedTypes(container: Container, clock: Clock, limiter: RateLimiter<'password'>): void {
  container.bind(Clock).toConstantValue(clock);
  // @ts-expect-error -- the lifecycle clock is another clock
  container.bind(LifecycleClock).toConstantValue(clock);
  container.bind(PasswordLimiter).toConstantValue(limiter);
  // @ts-expect-error -- limits passwords
  container.bind(SecondFactorLimiter).toConstantValue(limiter);
}

interface Lock {
  open(): void;
}
const Lock = token<Lock>('Lock');
interface Key {
  turn(): void;
}
const Key = token<Key>('Key');

@injectable()
class Door {
  constructor(
    @inject(Lock) readonly lock: Lock,
    @inject(Lock) readonly opener: Pick<Lock, 'open'>,
    @multiInject(Key) readonly keys: readonly Key[],
    // @ts-expect-error -- the parameter is a lock
    @inject(Key) readonly spareLock: Lock,
    // @ts-expect-error -- the parameters are locks
    @multiInject(Key) readonly spareLocks: readonly Lock[],
    // @ts-expect-error -- one parameter for all keys
    @multiInject(Key) readonly spareKey: Key,
  ) {}
}

export function bindDoor(container: Container): void {
  container.bind(Door).toSelf();
  container.bind(Door).toResolvedValue((lock, key) => new Door(lock, lock, [key], lock, [lock], key), [Lock, Key]);
  // @ts-expect-error -- a door has no key's method
  container.bind(Key).to(Door);
  // @ts-expect-error -- the dependencies are swapped
  container.bind(Lock).toResolvedValue((lock: Lock, _key: Key) => lock, [Key, Lock]);
}

export function nameRepositories(all: UnitOfWork<StoreName>, some: UnitOfWork<'audit' | 'domains'>): unknown[] {
  const fake: UnitOfWork<'audit'> = { run: (work) => work({ audit: { append: async () => undefined } }) };
  const narrower: UnitOfWork<'audit'> = some;
  const tooNarrow = [
    // @ts-expect-error -- zones are not named
    some.run(async ({ zones }) => zones),
    // @ts-expect-error -- a hook writes more than that
    some.run((stores: Pick<Stores, HookStore>) => Promise.resolve(stores)),
  ];
  // @ts-expect-error -- domains are not named
  const wider: UnitOfWork<'audit' | 'domains'> = fake;
  return [all satisfies UnitOfWork<'audit'>, narrower, tooNarrow, wider];
}
