import { createSecretKey } from 'node:crypto';
import { ProposeWrite } from '../../../../src/application/proposals/propose-write';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND = {
  ...OURS,
  method: 'PUT',
  path: '/api/domains/dom_1/autorenew',
  body: { auto_renew: false },
  reason: 'Sold',
  plan: {},
};

describe('a proposal', () => {
  let around: UseCaseContext;
  let proposeWrite: ProposeWrite;
  const stored = () => [...around.storage.tables.proposals.keys()];

  beforeEach(() => {
    around = new UseCaseContext();
    const { storage, ids, clock } = around;
    const box = new AesSecretBox(createSecretKey(Buffer.alloc(32, 1)));
    proposeWrite = new ProposeWrite(storage, storage.proposals, box, ids, clock);
  });

  it('is stored together with the response to its request', async () => {
    const responses: string[] = [];

    const { id } = await proposeWrite.execute(COMMAND, async (_stores, proposal) => void responses.push(proposal.id));

    expect([stored(), responses]).toEqual([[id], [id]]);
  });

  it('is not stored if the response cannot be', async () => {
    const refused = proposeWrite.execute(COMMAND, () => Promise.reject(new Error('another run has taken over')));

    await expect(refused).rejects.toThrow('another run has taken over');

    expect(stored()).toEqual([]);
  });
});
