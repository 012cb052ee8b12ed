import type { BulkStep } from '../../../../../src/domain/portfolio/bulk-job';
import type { Codec } from '../../../../../src/infrastructure/persistence/database/columns';
import { bulkStep } from '../../../../../src/infrastructure/persistence/portfolio/bulk-step-column';
import { A_REGISTRANT } from '../../../../support/data/a-domain';

const codec = bulkStep<BulkStep>().codec as Codec<string, BulkStep>;
const stored = (step: BulkStep) => JSON.parse(codec.write(step)) as { readonly kind: string };

describe('a step of a bulk job in the database', () => {
  it.each<BulkStep>([
    { kind: 'transfer', registrant: A_REGISTRANT, autoRenew: true },
    { kind: 'transfer_order', years: 1 },
    { kind: 'registration', registrant: A_REGISTRANT, autoRenew: true },
    { kind: 'registration_order', years: 1 },
  ])('is the lock of a domain for versions that know no $kind', (step) => {
    expect(stored(step)).toMatchObject({ kind: 'transfer_lock', locked: true });
    expect(codec.read(codec.write(step))).toEqual(step);
  });

  it.each<BulkStep>([
    { kind: 'zone_files', mode: 'add', withProviderRecords: false },
    { kind: 'zone_file', mode: 'replace', withProviderRecords: true, text: 'www A 192.0.2.1', version: 3 },
  ])('is a record template that does not exist for versions that know no $kind', (step) => {
    expect(stored(step)).toMatchObject({ kind: 'template', templateId: '', values: {} });
    expect(codec.read(codec.write(step))).toEqual(step);
  });

  it('is as it is otherwise', () => {
    const step: BulkStep = { kind: 'transfer_lock', locked: false };

    expect(stored(step)).toEqual(step);
    expect(codec.read(codec.write(step))).toEqual(step);
  });
});
