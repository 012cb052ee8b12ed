import type { DomainName } from '../../../src/domain/shared/domain-name';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';

const READS = ['info', 'registrant', 'transferStatus'] as const;
type Shown = { readonly [R in (typeof READS)[number]]: Awaited<ReturnType<RegistryAdapter[R]>> };

/** For registries whose own reads never lag: the port's reads of chosen names show an earlier state. */
export class LaggingReads {
  private readonly shown = new Map<string, Shown>();
  private port: RegistryAdapter | undefined;

  /** The adapter with these reads. */
  of(port: RegistryAdapter): RegistryAdapter {
    this.port = port;
    return new Proxy(port, {
      get: (target, property) => {
        const read = READS.find((each) => each === property);
        const method: unknown = Reflect.get(target, property);
        if (typeof method !== 'function') return method;
        const original = method.bind(target) as (...given: readonly unknown[]) => Promise<unknown>;
        if (!read) return original;
        return async (name: DomainName) => {
          const shown = this.shown.get(name.value);
          return shown ? shown[read] : original(name);
        };
      },
    });
  }

  /** As the control of the registry contract. */
  readonly lagReads = async (name: DomainName): Promise<() => Promise<void>> => {
    const { port } = this;
    if (!port) throw new TypeError('of() comes first');
    const info = await port.info(name);
    const registrant = info?.sponsoredByUs ? await port.registrant(name) : undefined;
    const transferStatus = await port.transferStatus(name).catch(() => undefined);
    this.shown.set(name.value, { info, registrant, transferStatus });
    return async () => void this.shown.delete(name.value);
  };
}
