// One context for all test files of a worker, in place of one for each file: so that they can share modules (see
// shared-modules-runtime.cjs). Mocks and fake timers end with each file.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

/** What the globals of a test file, such as `it` and `expect`, keep in the context. */
const STATE_OF_JEST =
  /^Symbol\((?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_.*|\$\$jest-matchers-object)\)$/;

let environment;

module.exports = class SharedContextEnvironment {
  constructor(config, context) {
    environment ??= new NodeEnvironment(config, context);
    this.context = environment.context;
    this.global = environment.global;
    this.moduleMocker = new ModuleMocker(this.global);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: this.global });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern?.dispose();
    this.fakeTimersModern = null;
    for (const symbol of Object.getOwnPropertySymbols(this.global))
      if (STATE_OF_JEST.test(String(symbol))) delete this.global[symbol];
    // Jest keeps former values of globals until the end of the context.
    const { _globalProxy: globals } = environment;
    globals.leftovers = [];
    this.context = null;
  }

  exportConditions() {
    return environment.exportConditions();
  }

  getVmContext() {
    return this.context;
  }
};
