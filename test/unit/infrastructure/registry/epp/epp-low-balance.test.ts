import { parseXml } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { NAMESPACES } from '../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { isLowBalance } from '../../../../../src/infrastructure/registry/epp/mapping/poll-data';
import { responseOf } from '../../../../../src/infrastructure/registry/epp/mapping/response';

const VERISIGN =
  '<pollData xmlns="http://www.verisign.com/epp/lowbalance-poll-1.0"><registrarName>Test</registrarName><availableCredit>10.00</availableCredit></pollData>';
const OTHER = '<infData xmlns="urn:example:maintenance-1.0"/>';

function message(text: string, data = '') {
  const resData = data === '' ? '' : `<resData>${data}</resData>`;
  return responseOf(
    parseXml(
      Buffer.from(
        `<epp xmlns="${NAMESPACES.epp}"><response><result code="1301"><msg>ok</msg></result><msgQ count="1" id="7"><msg>${text}</msg></msgQ>${resData}</response></epp>`,
      ),
    ),
  );
}

describe('low-balance messages', () => {
  it.each([
    ['are recognized by namespace', 'Something', VERISIGN, true],
    ['are recognized by text if they have no data', 'Your account balance is below the threshold', '', true],
    ['are recognized by text with the words in another order', 'Warning: low credit', '', true],
    ['are told apart from other messages', 'Scheduled maintenance on Sunday', '', false],
    ['are not recognized by text if the message has other data', 'low balance', OTHER, false],
  ])('%s', (_rule, text, data, expected) => {
    expect(isLowBalance(message(text, data))).toBe(expected);
  });
});
