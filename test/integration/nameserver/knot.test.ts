import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { testSecondary } from '../../support/nameservers/secondary-suite';
import { describeOrSkip } from '../../support/describe-or-skip';

describeOrSkip(KNOT_MISSING)('Knot as a secondary', () => {
  testSecondary({
    title: 'one that serves and one that signs',
    start: async (admin) => [await startKnot(admin, 'plain'), await startKnot(admin, 'signing', { signs: true })],
    manyZones: 200,
  });
});
