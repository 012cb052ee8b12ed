// Starts the slowest test files first, so that no worker idles at the end. A fresh clone has no durations, and jest then
// goes by file size; these files are small and run others.
const { default: Sequencer } = require('@jest/test-sequencer');

/** By duration in CI, longest first. */
const SLOWEST = [
  'api-on-epp/epp-api',
  'integration/processes/crash',
  'api/bad-input',
  'browser/portfolio',
  'integration/processes/crash-dnssec',
  'contract/registry/epp-profiles',
  'integration/zone-model',
  'browser/registrar-transfer',
  'integration/processes/service-process',
  'integration/nameserver/knot',
  'integration/processes/shutdown',
  'browser/dashboard-pages',
  'integration/database/mysql-processes',
  'integration/processes/operator-commands',
  'api/domains/portfolio-bulk',
  'api/sandbox/sandbox-years',
];

const rank = ({ path }) => {
  const found = SLOWEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return found === -1 ? SLOWEST.length : found;
};

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is jest's method, which returns another array
    return super.sort(tests).toSorted((left, right) => rank(left) - rank(right));
  }
};
