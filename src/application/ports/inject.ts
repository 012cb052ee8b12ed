import { inject as injectUnchecked, multiInject as multiInjectUnchecked, type ServiceIdentifier } from 'inversify';

export { injectable, optional } from 'inversify';

/** Names a port or a setting. Only a value of its type can be bound to it, and only such a parameter gets it. */
export function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

type AnyClass = abstract new (...args: never) => unknown;
/** The compiler calls the decorator of a parameter with the class and the index, and so compares the types of both. */
type ParameterDecoratorFor<T> = <C extends AnyClass, Index extends number>(
  target: C,
  key: undefined,
  index: [T] extends [ConstructorParameters<C>[Index]] ? Index : never,
) => void;

/** Inversify's `@inject`, which does not compile at a parameter of another type. */
export function inject<T>(service: ServiceIdentifier<T>): ParameterDecoratorFor<T> {
  return injectUnchecked(service);
}

/** Inversify's `@multiInject`, which does not compile at a parameter of another type. */
export function multiInject<T>(service: ServiceIdentifier<T>): ParameterDecoratorFor<T[]> {
  return multiInjectUnchecked(service);
}
