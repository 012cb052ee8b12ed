import { isDmarcText, parseDmarcPolicy } from '../../../../src/domain/dns/mail/dmarc-policy';
import { joinTxt } from '../../../../src/domain/dns/records/text/txt-content';
import { judgeDmarc, judgeSpf } from '../../../../src/domain/health/judge-mail';
import type { Lookup } from '../../../../src/domain/health/lookup';
import { publicCase } from '../../../support/data/public-cases';

const linesOf = (file: string) => publicCase(file).trim().split('\n').slice(1);
/** The last line names two, which are no errors. */
const SPF = linesOf('12-spf-permerrors.txt').map((line) => /\(right: a warning\): (.+)/.exec(line)?.[1] ?? line);
const DMARC = linesOf('13-dmarc.txt').map((line) => line.split('   ')[0] ?? '');
const [, WITH_REPORTS = ''] = /TXT: (.+?) {2}/.exec(publicCase('49-dmarc-form-adds-second.txt')) ?? [];

const found = (content: string): Lookup => ({
  kind: 'found',
  records: [joinTxt(content)],
  via: [],
  isAuthentic: false,
});
const spfState = (content: string) =>
  judgeSpf({ texts: found(content), included: new Map(), receivesMail: true }).state;
const dmarcState = (content: string) => judgeDmarc({ texts: found(content), receivesMail: true }).state;
const formOf = (content: string) => (isDmarcText(content) ? parseDmarcPolicy(content).policy : null);

describe('mail policies of public bug reports', () => {
  it.each(SPF.slice(0, 7))('the SPF record %s is a problem', (content) => {
    expect(spfState(content)).toBe('problem');
  });

  it.each(SPF.slice(7).flatMap((line) => line.split('   and   ')))('the SPF record %s is a warning', (content) => {
    expect(spfState(content)).toBe('warning');
  });

  it('of DMARC are the same for health and for the form', () => {
    expect([...DMARC, WITH_REPORTS].map((content) => [content, dmarcState(content), formOf(content)])).toEqual([
      ['v=dmarc1; p=reject', 'warning', null],
      ['v = DMARC1; p=reject', 'ok', 'reject'],
      ['v = DMARC1; p=reject; rua=mailto:a@example.net', 'ok', 'reject'],
    ]);
  });
});
