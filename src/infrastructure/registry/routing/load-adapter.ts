import { resolve } from 'node:path';
import type { RegistryFactory } from '../registry-adapter';
import { REGISTRY_ADAPTERS } from '../registry-factory';

/** Loads a built-in adapter, a module by its path relative to `folder`, or an installed npm package. @throws Error if it cannot be loaded */
export async function loadAdapter(adapter: string, folder: string): Promise<RegistryFactory> {
  if (Object.hasOwn(REGISTRY_ADAPTERS, adapter)) return REGISTRY_ADAPTERS[adapter as keyof typeof REGISTRY_ADAPTERS];
  const module: unknown = await import(/^\.{0,2}\//.test(adapter) ? resolve(folder, adapter) : adapter);
  const factory = findFactory(module);
  if (!factory) throw new TypeError('the module has no default export that is a function');
  return factory;
}

/** `import()` of a CommonJS module nests its `exports.default` one level deeper than an ES module's default export. */
function findFactory(module: unknown, depth = 2): RegistryFactory | undefined {
  if (typeof module === 'function') return module as RegistryFactory;
  return depth > 0 && typeof module === 'object' && module !== null && 'default' in module
    ? findFactory(module.default, depth - 1)
    : undefined;
}
