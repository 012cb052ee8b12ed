import { parseXml } from '../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { NAMESPACES } from '../../../../src/infrastructure/registry/epp/codec/namespaces';
import { isLowBalance } from '../../../../src/infrastructure/registry/epp/mapping/poll-data';
import { responseOf } from '../../../../src/infrastructure/registry/epp/mapping/response';

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

describe('a low-balance message', () => {
  it.each([
    ['is told by its namespace', 'Something', VERISIGN, true],
    ['is told by its text where it has no data', 'Your account balance is below the threshold', '', true],
    ['is told by its text, in the other order', 'Warning: low credit', '', true],
    ['is not any other message', 'Scheduled maintenance on Sunday', '', false],
    ['is not a message with other data, whatever its text', 'low balance', OTHER, false],
  ])('%s', (_rule, text, data, expected) => {
    expect(isLowBalance(message(text, data))).toBe(expected);
  });
});
