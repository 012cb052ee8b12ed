import { RegistryUnavailable } from '../../../../../../src/application/ports/registry/registry-errors';
import { ConnectionLost } from '../../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { unreadableMessage } from '../../../../../../src/infrastructure/registry/epp/session/unreadable-message';
import { recordedRegistry, type Answer } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';

const NOW = new Date('2026-11-20T15:10:00Z');
const PLACEHOLDER = 'unreadable:2026-11-20';
const idIn = (text: string) => unreadableMessage(Buffer.from(text), NOW).id;
const poll = (...responses: readonly Answer[]) => recordedRegistry(responses).registry.poll();
const broken = (msgQ: string, code = '1301') =>
  `<epp><response><result code="${code}"><msg>Command completed; ack to dequeue</msg></result>${msgQ}<resData><broken`;

describe('a poll message that cannot be parsed', () => {
  it.each([
    ['EPP without prefixes', broken('<msgQ count="3" id="12345">'), '12345'],
    ['with prefixes, other quotes and line breaks', `<e:result code='1301'><e:msgQ\n id = 'a-1'\tcount='3'>`, 'a-1'],
    ['with entities', broken('<msgQ id="a&amp;b&lt;" count="1">'), 'a&b<'],
    ['after bytes that are not UTF-8', broken('<msgQ id="9">').replace('Command', '\ufffd'), '9'],
  ])('has the id in its frame: %s', (_what, text, id) => {
    expect(idIn(text)).toBe(id);
  });

  it.each([
    ['without an id', broken('<msgQ count="3">')],
    ['with an empty id', broken('<msgQ count="3" id="">')],
    ['that ends within the id', broken('<msgQ count="3" id="12')],
    ['that is another response with msgQ', broken('<msgQ count="3" id="12345"/>', '2400')],
    ['that is not EPP', '<html>Bad gateway</html>'],
    ['with another attribute that ends in id', broken('<msgQ valid="3">')],
  ])('has the placeholder id of the day for a frame %s', (_what, text) => {
    expect(idIn(text)).toBe(PLACEHOLDER);
  });

  it('keeps its bytes as text or Base64', () => {
    const bytes = Buffer.from([0x3c, 0xff, 0x00]);

    expect(unreadableMessage(Buffer.from('<é'), NOW)).toEqual({
      id: PLACEHOLDER,
      at: NOW,
      kind: 'other',
      text: 'A message that cannot be parsed',
      unreadable: '<é',
    });
    expect(unreadableMessage(bytes, NOW).unreadable).toBe(`base64:${bytes.toString('base64')}`);
  });
});

describe('polling with the EPP adapter', () => {
  it('returns a message as unreadable if it cannot be parsed in two attempts', async () => {
    const text = broken('<msgQ count="3" id="12345">');

    expect(await poll(text, text)).toMatchObject({ id: '12345', kind: 'other', unreadable: text });
  });

  it('returns well-formed XML that is not a response, or a message without an id, as unreadable', async () => {
    const [other, withoutId] = ['<other/>', resultOf(1301)];

    expect(await poll(other, other)).toMatchObject({ id: PLACEHOLDER, unreadable: other });
    expect(await poll(withoutId, withoutId)).toMatchObject({ id: PLACEHOLDER, unreadable: withoutId });
  });

  it('parses a message at the second attempt if the first response was malformed', async () => {
    expect(await poll('<epp', '28-poll')).toBeUndefined();
  });

  it('throws RegistryUnavailable if the second attempt gets no response', async () => {
    await expect(poll('<epp', new ConnectionLost('gone'))).rejects.toBeInstanceOf(RegistryUnavailable);
  });

  it('rejects the acknowledgement of a message with a placeholder id', async () => {
    const { registry, sent } = recordedRegistry([]);

    await expect(registry.acknowledge(PLACEHOLDER)).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      reason: 'policy',
    });
    expect(sent).toEqual([]);
  });
});
