// Jest loads each module again for each test file. This runtime loads those of src and node_modules once for all test files of a
// worker, which run in one context (shared-context-environment.cjs): they keep no state of their own, as
// test/architecture/module-state.test.ts proves, and V8 keeps what it has optimized. Test files that replace modules by others have their own.
const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const REPLACES_MODULES = /\bjest\.(?:mock|isolateModules)\(/;

/** Of the worker. */
const sharedModules = new Map();
/** By file name: code and script. A script belongs to no context. */
const compiled = new Map();
let current;

/** Every storage that was used makes each promise slower, until it is disabled. Using it enables it again. */
const storages = new Set();
class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
}
const ASYNC_HOOKS = { ...asyncHooks, AsyncLocalStorage };

/** Modules by path: shared ones, and those of one test file. */
class Modules extends Map {
  constructor(isShared) {
    super();
    this.isShared = isShared;
  }
  get(file) {
    return this.isShared(file) ? sharedModules.get(file) : super.get(file);
  }
  has(file) {
    return this.isShared(file) ? sharedModules.has(file) : super.has(file);
  }
  set(file, module) {
    return this.isShared(file) ? sharedModules.set(file, module) : super.set(file, module);
  }
  delete(file) {
    return this.isShared(file) ? sharedModules.delete(file) : super.delete(file);
  }
}

/** src/testing.ts and its folder call Jest's functions: each test file has its own of both. */
function sharedIn(rootDir) {
  const [source, packages] = ['src', 'node_modules'].map((name) => path.join(rootDir, name, path.sep));
  const testing = `${source}testing`;
  return (file) => file.startsWith(packages) || (file.startsWith(source) && !file.startsWith(testing));
}

function scriptOf(code, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.code === code) return known.script;
  const script = new Script(`(function (${parameters.join(', ')}) {\n${code}\n})`, { filename, lineOffset: -1 });
  compiled.set(filename, { code, script });
  return script;
}

module.exports = class SharedModulesRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const [{ rootDir }, , , , , , testPath] = options;
    current = this;
    if (!REPLACES_MODULES.test(readFileSync(testPath, 'utf8'))) {
      this.registries.moduleRegistry = new Modules(sharedIn(rootDir));
    }
    const { coreModule, executor } = this;
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (name) => (/^(?:node:)?async_hooks$/.test(name) ? ASYNC_HOOKS : requireCore(name));
    const compileAgain = executor.compile.bind(executor);
    executor.compile = (code, filename) => {
      const context = executor.environment.getVmContext();
      try {
        return context && scriptOf(code, filename, executor.injectedModuleParameters).runInContext(context);
      } catch {
        // Jest explains the syntax error.
        return compileAgain(code, filename);
      }
    };
  }

  /** A shared module requires others later, too: then through the runtime of the present test file. */
  requireModuleOrMock(from, moduleName) {
    return current === this
      ? super.requireModuleOrMock(from, moduleName)
      : current.requireModuleOrMock(from, moduleName);
  }

  teardown() {
    super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
