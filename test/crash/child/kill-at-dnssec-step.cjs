// Loaded before dist/main.js with `node --require`. Writes each committed DNSSEC step, and each change of DS records at the
// simulated registry, to the file STEPS_FILE; kills the process at the point KILL_AT: `STEP before`, `STEP after` (its
// commit), `DS before` or `DS after` (the registry's change).
const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { KILL_AT, STEPS_FILE } = process.env;

const load = (file) => require(path.join(process.cwd(), 'dist', file));
const { SigningRunner } = load('application/dnssec/steps/signing-runner.js');
const { SimulatedRegistry } = load('infrastructure/registry/sandbox/simulated/simulated-registry.js');

function reach(point) {
  if (point !== KILL_AT) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const write = (line) => appendFileSync(STEPS_FILE, `${line}\n`);

/** A step that sends DS records has two commits: the operation is stored, and the registry was read. */
function labelOf(signing) {
  return signing.toState().operationId === null ? signing.step : `${signing.step} confirmed`;
}

const { commit } = SigningRunner.prototype;
SigningRunner.prototype.commit = async function commitOrDie(claimed, effect) {
  /** @type {{ label?: string }} */
  const taken = {};
  const committed = await commit.call(this, claimed, {
    ...effect,
    apply: async (stores, signing, ...rest) => {
      const label = labelOf(signing);
      const outcome = await effect.apply(stores, signing, ...rest);
      if (outcome !== 'off' && labelOf(signing) === label) return outcome;
      taken.label = label;
      reach(`${label} before`);
      return outcome;
    },
  });
  if (!committed || taken.label === undefined) return committed;
  write(taken.label);
  reach(`${taken.label} after`);
  return committed;
};

const tagsOf = (signers) => signers.map(({ keyTag }) => keyTag).join(' ');
const { setDsRecords } = SimulatedRegistry.prototype;
SimulatedRegistry.prototype.setDsRecords = async function setOrDie(name, signers, transactionId) {
  reach('DS before');
  const before = tagsOf(await this.dsRecords(name));
  const after = await setDsRecords.call(this, name, signers, transactionId);
  if (tagsOf(after) !== before) write('DS');
  reach('DS after');
  return after;
};
