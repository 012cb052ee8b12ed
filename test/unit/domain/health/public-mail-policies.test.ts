import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDmarcText, parseDmarcPolicy } from '../../../../src/domain/dns/mail/dmarc-policy';
import { joinTxt } from '../../../../src/domain/dns/records/text/txt-content';
import { judgeDmarc, judgeSpf } from '../../../../src/domain/health/judge-mail';
import type { Lookup } from '../../../../src/domain/health/lookup';

interface PublicCase {
  readonly content: string;
  readonly state: string;
  readonly form: string | null;
}

const CASES = JSON.parse(
  readFileSync(join(__dirname, '../../../fixtures/public-cases/mail-policies.json'), 'utf8'),
) as Readonly<Record<'spf' | 'dmarc', readonly PublicCase[]>>;
const found = (content: string): Lookup => ({
  kind: 'found',
  records: [joinTxt(content)],
  via: [],
  isAuthentic: false,
});

describe('mail policies of public bug reports', () => {
  it.each(CASES.spf)('the SPF record $content is a $state', ({ content, state }) => {
    expect(judgeSpf({ texts: found(content), included: new Map(), receivesMail: true }).state).toBe(state);
  });

  it.each(CASES.dmarc)('the DMARC record $content is $state for health', ({ content, state }) => {
    expect(judgeDmarc({ texts: found(content), receivesMail: true }).state).toBe(state);
  });

  it.each(CASES.dmarc)('the DMARC record $content is $form for the form', ({ content, form }) => {
    expect(isDmarcText(content) ? parseDmarcPolicy(content).policy : null).toBe(form);
  });
});
