import { KNOT_MISSING, startKnot } from '../support/nameservers/knot';
import { servesWhatWePublish } from '../support/nameservers/secondary-suite';
import { describeIf } from '../support/skip-aloud';

describeIf(KNOT_MISSING === undefined, KNOT_MISSING ?? '')('Knot as a secondary', () => {
  servesWhatWePublish({
    kind: 'one that serves and one that signs',
    start: async (admin) => [await startKnot(admin, 'plain'), await startKnot(admin, 'signing', { signs: true })],
    manyZones: 1_000,
  });
});
