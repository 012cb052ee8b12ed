import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { thrownBy } from '../../../../support/thrown-by';

const problemOf = (type: string, content: string): unknown =>
  thrownBy(() => DnsRecord.create({ type, name: '_dns', content }, 'example.com', 'rec_1', new Date(0), ALL_TYPES));
const MANY = Array.from({ length: 65 }, (_, index) => `key${1_000 + index}`).join(' ');

describe('the error for the content of a record', () => {
  it.each([
    ['SVCB', '1 . port=443 ipv4hint=300.1.1.1', 'the parameter "ipv4hint=300.1.1.1" is invalid'],
    ['SVCB', '1 . port=443 alpn="h2,,h3" ohttp', 'the parameter "alpn=h2,,h3" is invalid'],
    ['HTTPS', '1 . alpn=h2 foo=1', 'the parameter "foo=1" is invalid'],
    ['HTTPS', '1 . port=443 key667=x port=444', 'the parameter "port=444" is given twice'],
    ['HTTPS', '1 . alpn=h2 mandatory=alpn,port', 'the parameter port is missing, which mandatory names'],
    ['HTTPS', '1 . port=443 no-default-alpn', 'the parameter alpn is missing, which no-default-alpn needs'],
    ['HTTPS', `1 . ${MANY}`, 'it has more than 64 parameters'],
    ['DS', '2371 13 2 2bb1 83zz', 'the digest in hexadecimal "2bb1 83zz" is invalid'],
    ['TLSA', '3 1 1', 'the data in hexadecimal is missing'],
  ])('%s %s names the part that is wrong: %s', (type, content, problem) => {
    expect(problemOf(type, content)).toMatchObject({
      details: expect.stringContaining(`${type} content is invalid: ${problem}. The form is <`),
    });
  });
});
