import { DMARC_POLICIES, isDmarcText, parseDmarcPolicy, writeDmarcPolicy } from '../../../domain/dns/mail/dmarc-policy';
import { lookupWarning, parseSenderPolicy, SPF_ALL, writeSenderPolicy } from '../../../domain/dns/mail/sender-policy';
import { isSpfText } from '../../../domain/dns/mail/spf';
import type { FormValues } from '../layout/forms/forms';

/** One of the two policies: where its record is, and how a form shows it. */
interface MailPolicy {
  readonly title: string;
  /** Relative to the zone. */
  readonly recordName: string;
  readonly fields: readonly string[];
  /** Whether the joined strings of a TXT record are such a record. */
  readonly matches: (text: string) => boolean;
  readonly toValues: (text: string | undefined) => FormValues;
  /** @throws ValidationError */
  readonly toContent: (values: FormValues) => { readonly content: string; readonly warning: string | undefined };
}

const NEW_SPF = 'v=spf1 mx ~all';
const NEW_DMARC = 'v=DMARC1; p=none';

const SPF: MailPolicy = {
  title: 'SPF: who may send mail for the domain',
  recordName: '@',
  fields: ['mx', 'a', 'includes', 'networks', 'others', 'all'],
  matches: isSpfText,
  toValues: (text = NEW_SPF) => {
    const { includes, networks, allowsMx, allowsAddresses, all, others } = parseSenderPolicy(text);
    return {
      mx: allowsMx ? 'on' : '',
      a: allowsAddresses ? 'on' : '',
      includes: includes.join('\n'),
      networks: networks.join('\n'),
      others: others.join(' '),
      all,
    };
  },
  toContent: (values) => {
    const policy = {
      includes: wordsOf(values['includes']),
      networks: wordsOf(values['networks']),
      others: wordsOf(values['others']),
      allowsMx: values['mx'] === 'on',
      allowsAddresses: values['a'] === 'on',
      all: SPF_ALL.find((each) => each === values['all']) ?? '~all',
    };
    return { content: writeSenderPolicy(policy), warning: lookupWarning(policy) };
  },
};

const DMARC: MailPolicy = {
  title: 'DMARC: what receivers do with forged mail',
  recordName: '_dmarc',
  fields: ['p', 'sp', 'reports', 'adkim', 'aspf', 'tags'],
  matches: isDmarcText,
  toValues: (text = NEW_DMARC) => {
    const { policy, subdomains, reports, hasStrictDkim, hasStrictSpf, others } = parseDmarcPolicy(text);
    return {
      p: policy,
      sp: subdomains ?? '',
      reports: reports.join('\n'),
      adkim: hasStrictDkim ? 'on' : '',
      aspf: hasStrictSpf ? 'on' : '',
      tags: others.join('; '),
    };
  },
  toContent: (values) => {
    const dispositionOf = (name: string) => DMARC_POLICIES.find((each) => each === values[name]);
    const content = writeDmarcPolicy({
      policy: dispositionOf('p') ?? 'none',
      subdomains: dispositionOf('sp'),
      reports: wordsOf(values['reports']),
      hasStrictDkim: values['adkim'] === 'on',
      hasStrictSpf: values['aspf'] === 'on',
      others: (values['tags'] ?? '')
        .split(';')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    });
    return { content, warning: undefined };
  },
};

export const MAIL_POLICIES = { spf: SPF, dmarc: DMARC } as const;
export type MailPolicyName = keyof typeof MAIL_POLICIES;

export function isMailPolicyName(text: string): text is MailPolicyName {
  return Object.hasOwn(MAIL_POLICIES, text);
}

function wordsOf(text = ''): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
