// Starts the slowest test files first, so that no worker idles at the end. A fresh clone has no durations, and jest then
// goes by file size; these files are small and run others.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Those over 25 seconds in CI, longest first. */
const SLOWEST = [
  'api-on-epp/epp-api',
  'api/bad-input',
  'integration/processes/crash-dnssec',
  'browser/portfolio',
  'contract/registry/epp-profiles',
  'integration/zone-model',
  'integration/processes/crash',
  'integration/nameserver/knot',
  'browser/registrar-transfer',
  'integration/processes/service-process',
  'browser/dashboard-pages',
  'integration/processes/operator-commands',
  'integration/processes/shutdown',
  'integration/nameserver/alias',
  'integration/database/mysql-processes',
  'api/domains/portfolio-bulk',
  'browser/dashboard',
  'integration/nameserver/knot-and-powerdns-killed',
  'browser/sign-in',
  'integration/nameserver/powerdns',
  'integration/processes/crash-transfers',
  'integration/processes/crash-backup',
  'integration/epp/epp-poll-lease',
  'integration/processes/crash-lagging-reads',
];

const rank = ({ path }) => {
  const found = SLOWEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return found === -1 ? SLOWEST.length : found;
};

module.exports = class SlowFirst extends Sequencer {
  static SLOWEST = SLOWEST;

  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is jest's method, which returns another array
    return super.sort(tests).toSorted((left, right) => rank(left) - rank(right));
  }
};
