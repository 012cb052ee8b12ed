import { POWERDNS_MISSING, startPowerdns } from '../../support/nameservers/powerdns';
import { testSecondary } from '../../support/nameservers/secondary-suite';
import { describeOrSkip } from '../../support/describe-or-skip';

describeOrSkip(POWERDNS_MISSING)('PowerDNS as a secondary', () => {
  testSecondary({
    title: 'on SQLite',
    start: async (admin) => [await startPowerdns(admin, 'powerdns')],
    manyZones: 100,
  });
});
