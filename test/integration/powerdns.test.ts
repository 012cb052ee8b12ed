import { POWERDNS_MISSING, startPowerdns } from '../support/powerdns';
import { servesWhatWePublish } from '../support/secondary-suite';
import { describeIf } from '../support/skip-aloud';

describeIf(POWERDNS_MISSING === undefined, POWERDNS_MISSING ?? '')('PowerDNS as a secondary', () => {
  servesWhatWePublish({ kind: 'on SQLite', start: async (admin) => [await startPowerdns(admin, 'powerdns')], manyZones: 100 });
});
