// Starts the slowest test files first, so that no worker idles at the end. A fresh clone has no durations, and jest then
// goes by file size; these files are small and run others.
const { default: Sequencer } = require('@jest/test-sequencer');

/** By duration in CI, longest first. */
const SLOWEST = [
  'api-on-epp/epp-api',
  'integration/nameserver/knot',
  'api/bad-input',
  'integration/processes/operator-commands',
  'integration/nameserver/powerdns',
  'browser/dashboard-pages',
  'integration/domain-search',
  'integration/processes/service-process',
  'integration/zone-model',
  'api/dns/zone-file',
  'integration/database/mysql-processes',
  'browser/dashboard',
  'integration/processes/shutdown',
  'integration/nameserver/knot-and-powerdns-killed',
  'integration/processes/crash-transfers',
  'integration/processes/crash-dnssec',
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
