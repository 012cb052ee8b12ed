import { RegistryUnavailable } from '../../../../src/application/ports/registry/registry-errors';
import { ConnectionLost } from '../../../../src/infrastructure/registry/epp/session/connection-lost';
import { unreadableMessage } from '../../../../src/infrastructure/registry/epp/unreadable-message';
import { recordedRegistry, type Answer } from '../../../support/epp/recorded-registry';
import { resultOf } from '../../../support/epp/scripted-epp-server';

const NOW = new Date('2026-11-20T15:10:00Z');
const NAMELESS = 'unreadable:2026-11-20';
const idIn = (text: string) => unreadableMessage(Buffer.from(text), NOW).id;
const heard = (...answers: readonly Answer[]) => recordedRegistry(answers).registry.poll();
const broken = (msgQ: string, code = '1301') =>
  `<epp><response><result code="${code}"><msg>Command completed; ack to dequeue</msg></result>${msgQ}<resData><broken`;

describe('a message that cannot be read', () => {
  it.each([
    ['of plain EPP', broken('<msgQ count="3" id="12345">'), '12345'],
    ['with prefixes, other quotes and line breaks', `<e:result code='1301'><e:msgQ\n id = 'a-1'\tcount='3'>`, 'a-1'],
    ['with entities', broken('<msgQ id="a&amp;b&lt;" count="1">'), 'a&b<'],
    ['after bytes that are no UTF-8', broken('<msgQ id="9">').replace('Command', '\ufffd'), '9'],
  ])('is acknowledged by the id that stands in it: one %s', (_what, text, id) => {
    expect(idIn(text)).toBe(id);
  });

  it.each([
    ['it has none', broken('<msgQ count="3">')],
    ['it has an empty one', broken('<msgQ count="3" id="">')],
    ['it ends before it', broken('<msgQ count="3" id="12')],
    ['it is something else, beside which a queue is mentioned', broken('<msgQ count="3" id="12345"/>', '2400')],
    ['it is no answer at all', '<html>Bad gateway</html>'],
    ['another attribute ends in the same letters', broken('<msgQ valid="3">')],
  ])('has the id of the day where %s', (_what, text) => {
    expect(idIn(text)).toBe(NAMELESS);
  });

  it('is kept as it came, whether or not it is text', () => {
    const bytes = Buffer.from([0x3c, 0xff, 0x00]);

    expect(unreadableMessage(Buffer.from('<é'), NOW)).toEqual({
      id: NAMELESS,
      at: NOW,
      kind: 'other',
      text: 'A message that cannot be read',
      unreadable: '<é',
    });
    expect(unreadableMessage(bytes, NOW).unreadable).toBe(`base64:${bytes.toString('base64')}`);
  });
});

describe('the queue of a registry', () => {
  it('hands on a message that could not be read twice', async () => {
    const text = broken('<msgQ count="3" id="12345">');

    expect(await heard(text, text)).toMatchObject({ id: '12345', kind: 'other', unreadable: text });
  });

  it('hands on one that is well-formed and no answer, or has no id', async () => {
    const [other, nameless] = ['<other/>', resultOf(1301)];

    expect(await heard(other, other)).toMatchObject({ id: NAMELESS, unreadable: other });
    expect(await heard(nameless, nameless)).toMatchObject({ id: NAMELESS, unreadable: nameless });
  });

  it('reads at the second attempt what was spoilt at the first', async () => {
    expect(await heard('<epp', '28-poll')).toBeUndefined();
  });

  it('takes silence for silence', async () => {
    await expect(heard('<epp', new ConnectionLost('gone'))).rejects.toBeInstanceOf(RegistryUnavailable);
  });

  it('refuses to acknowledge what has no id', async () => {
    const { registry, sent } = recordedRegistry([]);

    await expect(registry.acknowledge(NAMELESS)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED', reason: 'policy' });
    expect(sent).toEqual([]);
  });
});
