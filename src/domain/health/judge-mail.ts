import type { Finding } from './health-check';
import { DMARC_POLICIES, isDmarcText, parseDmarcPolicy, resemblesDmarc } from '../dns/mail/dmarc-policy';
import { isSpfText, MAX_SPF_LOOKUPS, parseSpf } from '../dns/mail/spf';
import { failureOf, recordsOf, type Lookup } from './lookup';
import { followSpf } from './spf-tree';

/** A host that an MX record names. */
interface MailHost {
  readonly preference: number;
  /** Empty for a null MX (RFC 7505). */
  readonly host: string;
  readonly addresses: { readonly A: Lookup; readonly AAAA: Lookup };
}

export interface MailEvidence {
  /** Undefined if they could not be read. */
  readonly hosts: readonly MailHost[] | undefined;
  readonly failure?: string;
}

/** MX targets have addresses and are no aliases (RFC 2181 section 10.3). No SMTP connection is made. */
export function judgeMx({ hosts, failure = '' }: MailEvidence): Finding {
  if (!hosts) return { state: 'unknown', summary: 'The MX records could not be read.', evidence: [failure] };
  if (hosts.length === 0)
    return { state: 'not_applicable', summary: 'The domain has no MX records, so it receives no mail.' };
  const nulls = hosts.filter(({ host }) => host === '');
  if (nulls.length > 0)
    return hosts.length === nulls.length
      ? { state: 'ok', summary: 'The domain receives no mail (null MX).' }
      : {
          state: 'problem',
          summary: 'A null MX record stands beside other MX records (RFC 7505).',
          evidence: hosts.map(({ preference, host }) => `${preference} ${host || '.'}`),
          advice: 'Remove the null MX record, or all others.',
          action: 'edit_records',
        };
  const judged = hosts.map((host) => ({ ...host, ...judgeHost(host) }));
  const evidence = judged.map(({ preference, host, text }) => `${preference} ${host}: ${text}`);
  const broken = judged.filter(({ state }) => state === 'problem').map(({ host }) => host);
  if (broken.length > 0)
    return {
      state: 'problem',
      summary: `Mail servers that cannot receive mail: ${broken.join(', ')}.`,
      evidence,
      advice: 'An MX record must name a host that has A or AAAA records and is no CNAME.',
      action: 'edit_records',
    };
  const unknown = judged.some(({ state }) => state === 'unknown');
  return {
    state: unknown ? 'unknown' : 'ok',
    summary: unknown ? 'Not every mail server could be looked up.' : 'Every mail server has an address.',
    evidence,
  };
}

function judgeHost({ addresses: { A: ipv4, AAAA: ipv6 } }: MailHost): {
  readonly state: 'ok' | 'problem' | 'unknown';
  readonly text: string;
} {
  const [alias] = [ipv4, ipv6].flatMap((lookup) => ('via' in lookup ? lookup.via : []));
  if (alias !== undefined) return { state: 'problem', text: `is a CNAME to ${alias}` };
  const found = [...recordsOf(ipv4), ...recordsOf(ipv6)];
  if (found.length > 0) return { state: 'ok', text: found.join(', ') };
  const failure = failureOf(ipv4) ?? failureOf(ipv6);
  if (failure !== undefined) return { state: 'unknown', text: failure };
  return { state: 'problem', text: ipv4.kind === 'no_name' ? 'does not exist' : 'has no address' };
}

export interface SpfEvidence {
  /** The TXT records of the domain. */
  readonly texts: Lookup;
  /** Those of the names that the record includes. */
  readonly included: ReadonlyMap<string, Lookup>;
  readonly receivesMail: boolean;
}

/** One record, valid, with at most 10 look-ups (RFC 7208). */
export function judgeSpf({ texts, included, receivesMail }: SpfEvidence): Finding {
  const failure = failureOf(texts);
  if (failure !== undefined)
    return { state: 'unknown', summary: 'The TXT records could not be read.', evidence: [failure] };
  const records = recordsOf(texts).filter(isSpfText);
  const [text] = records;
  if (text === undefined)
    return {
      state: receivesMail ? 'warning' : 'not_applicable',
      summary: 'The domain has no SPF record.',
      advice: receivesMail
        ? 'Add a TXT record that lists the servers that send mail for the domain.'
        : 'If the domain sends no mail, the TXT record "v=spf1 -all" says so.',
      action: 'edit_records',
    };
  const broken = { state: 'problem', evidence: records, action: 'edit_records' } as const;
  if (records.length > 1)
    return {
      ...broken,
      summary: `The domain has ${records.length} SPF records, which receivers treat as an error.`,
      advice: 'Merge them into one record.',
    };
  const record = parseSpf(text);
  const tree = followSpf(record, included);
  const evidence = [text, ...tree.errors, ...tree.failures];
  if (tree.errors.length > 0)
    return {
      ...broken,
      summary: 'The SPF record has an error, so receivers do not use it.',
      evidence,
      advice:
        'Correct the terms. A space separates them, also where one quoted string ends and the next begins (RFC 7208).',
    };
  if (tree.lookups > MAX_SPF_LOOKUPS)
    return {
      ...broken,
      summary: `The SPF record needs more than ${MAX_SPF_LOOKUPS} look-ups, so receivers do not use it.`,
      evidence,
      advice: 'Remove includes of services that send no mail for the domain, or replace them by addresses.',
    };
  const counted = [...evidence, `Look-ups: ${tree.lookups} of ${MAX_SPF_LOOKUPS}`];
  const all = record.terms.find(({ name }) => name === 'all');
  if (all?.qualifier === '+')
    return {
      ...broken,
      summary: 'The SPF record allows every server to send mail for the domain (+all).',
      evidence: counted,
      advice: 'End the record in -all or ~all.',
    };
  if (!all && !record.terms.some(({ name }) => name === 'redirect'))
    return {
      state: 'warning',
      summary: 'The SPF record does not say what holds for other servers.',
      evidence: counted,
      advice: 'End the record in -all or ~all.',
      action: 'edit_records',
    };
  if (record.warnings.length > 0)
    return {
      state: 'warning',
      summary: 'The SPF record has terms without effect.',
      evidence: [...counted, ...record.warnings],
      advice: 'Correct the terms, or remove them.',
      action: 'edit_records',
    };
  if (tree.failures.length > 0 || tree.missing.length > 0)
    return { state: 'unknown', summary: 'Not every included record could be looked up.', evidence: counted };
  return { state: 'ok', summary: 'The domain has one valid SPF record.', evidence: counted };
}

export interface DmarcEvidence {
  /** The TXT records of `_dmarc` below the domain. */
  readonly texts: Lookup;
  readonly receivesMail: boolean;
}

/** RFC 7489 sections 6.3 and 6.6.3. */
export function judgeDmarc({ texts, receivesMail }: DmarcEvidence): Finding {
  const failure = failureOf(texts);
  if (failure !== undefined)
    return { state: 'unknown', summary: 'The DMARC record could not be read.', evidence: [failure] };
  const records = recordsOf(texts).filter(isDmarcText);
  const [text] = records;
  const action = 'edit_records';
  const lookalikes = recordsOf(texts).filter(resemblesDmarc);
  if (text === undefined && lookalikes.length > 0)
    return {
      state: 'warning',
      summary: 'The domain has no DMARC record: receivers ignore one that does not begin with v=DMARC1.',
      evidence: lookalikes,
      advice: 'Write v=DMARC1 in capitals, as the first tag (RFC 7489, section 6.4).',
      action,
    };
  if (text === undefined)
    return {
      state: receivesMail ? 'warning' : 'not_applicable',
      summary: 'The domain has no DMARC record.',
      advice: receivesMail
        ? 'Add a TXT record at _dmarc, such as "v=DMARC1; p=none; rua=mailto:you@example.com", and read its reports.'
        : 'If the domain sends no mail, the TXT record "v=DMARC1; p=reject" at _dmarc says so.',
      action,
    };
  const evidence = records;
  if (records.length > 1)
    return {
      state: 'problem',
      summary: `The domain has ${records.length} DMARC records, so receivers use none.`,
      evidence,
      advice: 'Keep one record.',
      action,
    };
  const { policy, errors, warnings } = parseDmarcPolicy(text);
  const [error] = errors;
  if (error !== undefined)
    return {
      state: 'problem',
      summary: `${error}, so receivers do not apply it.`,
      evidence: [...evidence, ...errors],
      advice: `Set p to ${DMARC_POLICIES.join(', ')}, and sp, if it is there, to one of these.`,
      action,
    };
  if (warnings.length > 0)
    return {
      state: 'warning',
      summary: 'The DMARC record has tags that receivers ignore.',
      evidence: [...evidence, ...warnings],
      advice: 'Correct the tags. An address for reports is written as rua=mailto:you@example.com.',
      action,
    };
  if (policy === 'none')
    return {
      state: 'ok',
      summary: 'The domain has a DMARC record that only asks for reports (p=none).',
      evidence,
      advice: 'Change it to quarantine or reject once the reports show your own mail only.',
    };
  return { state: 'ok', summary: `Receivers are asked to ${policy} mail that fails DMARC.`, evidence };
}
