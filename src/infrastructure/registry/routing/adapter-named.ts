import { resolve } from 'node:path';
import type { RegistryFactory } from '../registry-adapter';
import { REGISTRY_ADAPTERS } from '../registry-factory';

/** The factory that an operator means: one of ours, a module by its path from `folder`, or an installed npm package. @throws Error where there is none */
export async function adapterNamed(adapter: string, folder: string): Promise<RegistryFactory> {
  if (Object.hasOwn(REGISTRY_ADAPTERS, adapter)) return REGISTRY_ADAPTERS[adapter as keyof typeof REGISTRY_ADAPTERS];
  const module: unknown = await import(/^\.{0,2}\//.test(adapter) ? resolve(folder, adapter) : adapter);
  const factory = factoryIn(module);
  if (!factory) throw new TypeError('it exports no factory by default');
  return factory;
}

/** A CommonJS module's `exports.default` arrives one level deeper than an ECMAScript module's default export. */
function factoryIn(module: unknown, depth = 2): RegistryFactory | undefined {
  if (typeof module === 'function') return module as RegistryFactory;
  return depth > 0 && typeof module === 'object' && module !== null && 'default' in module
    ? factoryIn(module.default, depth - 1)
    : undefined;
}
