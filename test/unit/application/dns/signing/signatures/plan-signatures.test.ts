import type { Denial } from '../../../../../../src/domain/dns/dnssec/zone-signing-state';
import { ROOT } from '../../../../../../src/domain/dns/records/record-name';
import { changeAtRandom, fillApex, randomFrom } from '../../../../../support/dnssec/random-zones';
import { ModelZone } from '../../../../../support/dnssec/model-zone';
import { SEED, TIMES } from '../../../../../support/seeded';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const ZONES = Math.ceil(100 * TIMES);
const CHANGES = 12;

/** What is published of it, without signatures: those differ each time. */
function contentOf(zone: ModelZone): readonly string[] {
  return [...zone.rows.values()]
    .map(({ name, type, ttl, rdata, digest, chainKey }) =>
      [name, type, ttl, rdata?.map((data) => data.toString('hex')).join(), digest, chainKey].join(' '),
    )
    .toSorted();
}

/** A zone with the same RRsets that is signed from scratch. */
async function signedFromScratch(zone: ModelZone): Promise<ModelZone> {
  const scratch = new ModelZone(zone.zoneName, zone.denial, [], NOW);
  for (const [name, types] of zone.rrsets) for (const rrset of types.values()) scratch.set(name, rrset);
  scratch.serial = zone.serial;
  await scratch.sign('all');
  return scratch;
}

describe.each<Denial>(['nsec', 'nsec3'])('the signatures of a zone with %s', (denial) => {
  it(`are after any series of changes those of the zone signed from scratch (${ZONES} zones)`, async () => {
    for (let number = 0; number < ZONES; number += 1) {
      const seed = SEED + number;
      const random = randomFrom(seed);
      const zone = new ModelZone('example.com', denial, [], NOW);
      fillApex(zone);
      await zone.sign('all');
      for (let step = 0; step < CHANGES; step += 1) {
        const changes = Array.from({ length: 1 + Math.floor(random() * 4) }, () => changeAtRandom(zone, random));
        zone.serial += 1;
        const names = new Set(changes.flatMap(({ name }) => [name, `ns.${name}`]));
        const cuts = new Set(changes.filter(({ isCut }) => isCut).map(({ name }) => name));
        await zone.sign({ names, cuts });
      }

      const expected = contentOf(await signedFromScratch(zone));
      expect({ seed, content: contentOf(zone) }).toEqual({ seed, content: expected });
    }
  });

  it('change only around the names of a change', async () => {
    const zone = new ModelZone('example.com', denial, [], NOW);
    fillApex(zone);
    for (let host = 0; host < 500; host += 1)
      zone.set(`h${host}`, { type: 1, ttl: 300, rdata: [Buffer.from([192, 0, 2, 1])] });
    await zone.sign('all');

    zone.set('new', { type: 1, ttl: 300, rdata: [Buffer.from([192, 0, 2, 1])] });
    zone.serial += 1;
    const changes = await zone.sign({ names: new Set(['new']), cuts: new Set() });

    const link = denial === 'nsec' ? 47 : 50;
    const written = changes.map(({ after }) => [after?.name, after?.type]);
    expect(written).toHaveLength(4);
    expect(written).toEqual(
      expect.arrayContaining([
        [ROOT, 6],
        ['new', 1],
        ['new', link],
      ]),
    );
  });
});
