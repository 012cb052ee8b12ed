// Starts the slowest test files first, so that no worker idles at the end. A fresh clone has no durations, and jest then
// goes by file size; these files are small and run others.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Those with the most seconds of the processor, and some that wait long; longest first. */
const SLOWEST = [
  'integration/command-line/command-line',
  'integration/processes/crash-dnssec',
  'integration/processes/crash-webhooks',
  'browser/dashboard-pages',
  'integration/client-examples/client-examples',
  'api-on-epp/epp-api',
  'contract/registry/epp-profiles',
  'integration/processes/operator-commands',
  'browser/portfolio',
  'integration/processes/service-process',
  'integration/database/mysql-processes',
  'integration/nameserver/knot',
  'integration/processes/crash',
  'integration/processes/crash-moves',
  'integration/client-examples/ansible',
  'integration/processes/crash-events',
  'api/access/sign-in-roles',
  'integration/zones/zone-model',
  'integration/nameserver/alias',
  'integration/nameserver/knot-and-powerdns-killed',
  'integration/processes/crash-transfers',
  'integration/processes/shutdown',
  'api/sandbox/sandbox-years',
  'api/bad-input',
  'api/domains/lifecycle',
  'integration/processes/crash-backup',
  'integration/processes/crash-lagging-reads',
  'browser/dashboard',
  'browser/registrar-transfer',
  'integration/dnssec/dnssec-signatures',
  'api/dns/zones/zone-lives',
  'browser/sign-in',
  'browser/dashboard-record-tools',
  'integration/nameserver/powerdns',
  'integration/epp/epp-poll-lease',
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
