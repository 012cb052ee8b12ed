// A test environment that writes the processor seconds of each test file: for loading its modules, for its tests, and for the
// programs that it has started and waited for. `npx jest -w 1 --env=./.ci/processor-seconds.cjs PATTERN` writes them to
// standard error, the gate to the file that PROCESSOR_TIMES names.
const fs = require('node:fs');
const path = require('node:path');
const SharedContextEnvironment = require('../test/support/jest/shared-context-environment.cjs');

const TICKS_PER_SECOND = 100;

/** Fields of /proc/PID/stat after the name of the program: user and system time, then those of ended children. */
function processorSeconds() {
  const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15).map(Number);
  const [user, system, childUser, childSystem] = fields.map((ticks) => ticks / TICKS_PER_SECOND);
  return { own: user + system, programs: childUser + childSystem };
}

module.exports = class ProcessorSeconds extends SharedContextEnvironment {
  constructor(config, context) {
    super(config, context);
    this.file = path.relative(process.cwd(), context.testPath);
    this.started = processorSeconds();
  }

  handleTestEvent({ name }) {
    if (name === 'run_start') this.loaded = processorSeconds();
  }

  async teardown() {
    await super.teardown();
    const [now, { started, loaded = started }] = [processorSeconds(), this];
    const seconds = [loaded.own - started.own, now.own - loaded.own, now.programs - started.programs];
    const line = `${seconds.map((each) => each.toFixed(2)).join('\t')}\t${this.file}\n`;
    const { PROCESSOR_TIMES } = process.env;
    if (PROCESSOR_TIMES === undefined) process.stderr.write(line);
    else fs.appendFileSync(PROCESSOR_TIMES, line);
  }
};
