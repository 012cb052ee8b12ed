import { POWERDNS_MISSING, startPowerdns } from '../support/nameservers/powerdns';
import { servesWhatWePublish } from '../support/nameservers/secondary-suite';
import { describeIf } from '../support/skip-aloud';

describeIf(POWERDNS_MISSING === undefined, POWERDNS_MISSING ?? '')('PowerDNS as a secondary', () => {
  servesWhatWePublish({
    kind: 'on SQLite',
    start: async (admin) => [await startPowerdns(admin, 'powerdns')],
    manyZones: 100,
  });
});
