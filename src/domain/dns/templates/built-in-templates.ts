import type { RecordTemplate } from './record-template';

/** Receivers of mail for the domain refuse all that claims to be from it: RFC 7208, RFC 7489, RFC 6376 section 3.6.1. */
const SENDS_NO_MAIL = [
  '@ TXT "v=spf1 -all"',
  '_dmarc TXT "v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s"',
  '*._domainkey TXT "v=DKIM1; p="',
];

/** The records page links to it. */
export const WEBSITE_TEMPLATE = 'website';

/** The templates that every account has. Providers change their values: users are asked to compare them with the page of the source. */
export const BUILT_IN_TEMPLATES: readonly RecordTemplate[] = [
  {
    id: 'google-workspace',
    name: 'Google Workspace',
    description:
      'Mail with Gmail. Add the DKIM key that the Admin console shows (Apps, Gmail, Authenticate email) afterwards.',
    source: { url: 'https://support.google.com/a/answer/174125' },
    variables: [
      {
        name: 'verification',
        label: 'Verification code (optional)',
        hint: 'The text that starts with google-site-verification=',
        isOptional: true,
      },
    ],
    records: ['@ TXT "{verification}"', '@ MX 1 smtp.google.com.', '@ TXT "v=spf1 include:_spf.google.com ~all"'].join(
      '\n',
    ),
  },
  {
    id: 'microsoft-365',
    name: 'Microsoft 365',
    description: 'Mail with Exchange Online. Add the two DKIM records that the Defender portal shows afterwards.',
    source: {
      url: 'https://learn.microsoft.com/microsoft-365/admin/get-help-with-domains/create-dns-records-at-any-dns-hosting-provider',
    },
    variables: [
      {
        name: 'mx_host',
        label: 'Mail server',
        hint: 'As the admin center shows it, such as example-com.mail.protection.outlook.com',
      },
      {
        name: 'verification',
        label: 'Verification code (optional)',
        hint: 'The text that starts with MS=',
        isOptional: true,
      },
    ],
    records: [
      '@ TXT "{verification}"',
      '@ MX 0 {mx_host}.',
      '@ TXT "v=spf1 include:spf.protection.outlook.com -all"',
      'autodiscover CNAME autodiscover.outlook.com.',
    ].join('\n'),
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    description: 'Mail with Fastmail, with DKIM.',
    source: { url: 'https://www.fastmail.help/hc/en-us/articles/360060591153' },
    variables: [],
    records: [
      '@ MX 10 in1-smtp.messagingengine.com.',
      '@ MX 20 in2-smtp.messagingengine.com.',
      '@ TXT "v=spf1 include:spf.messagingengine.com ?all"',
      'fm1._domainkey CNAME fm1.{domain}.dkim.fmhosted.com.',
      'fm2._domainkey CNAME fm2.{domain}.dkim.fmhosted.com.',
      'fm3._domainkey CNAME fm3.{domain}.dkim.fmhosted.com.',
    ].join('\n'),
  },
  {
    id: 'proton',
    name: 'Proton Mail',
    description: 'Mail with Proton. Settings, Domain names shows the two values. A DMARC record stays as it is.',
    source: { url: 'https://proton.me/support/custom-domain' },
    variables: [
      {
        name: 'verification',
        label: 'Verification code (optional)',
        hint: 'The text that starts with protonmail-verification=',
        isOptional: true,
      },
      {
        name: 'dkim_token',
        label: 'DKIM token (optional)',
        hint: 'The part between “domainkey.” and “.domains.proton.ch” of the DKIM records',
        isOptional: true,
      },
    ],
    records: [
      '@ TXT "{verification}"',
      '@ MX 10 mail.protonmail.ch.',
      '@ MX 20 mailsec.protonmail.ch.',
      '@ TXT "v=spf1 include:_spf.protonmail.ch ~all"',
      'protonmail._domainkey CNAME protonmail.domainkey.{dkim_token}.domains.proton.ch.',
      'protonmail2._domainkey CNAME protonmail2.domainkey.{dkim_token}.domains.proton.ch.',
      'protonmail3._domainkey CNAME protonmail3.domainkey.{dkim_token}.domains.proton.ch.',
    ].join('\n'),
  },
  {
    id: WEBSITE_TEMPLATE,
    name: 'Website',
    description: 'A site at an address of your own, at the domain and at www.',
    source: { url: 'https://www.rfc-editor.org/rfc/rfc1034#section-3.6.2' },
    variables: [
      { name: 'address', label: 'IPv4 address', hint: 'Of the web server, such as 192.0.2.10' },
      { name: 'address6', label: 'IPv6 address (optional)', hint: 'Such as 2001:db8::10', isOptional: true },
    ],
    records: ['@ A {address}', '@ AAAA {address6}', 'www CNAME {domain}.'].join('\n'),
  },
  {
    id: 'github-pages',
    name: 'GitHub Pages',
    description: 'A site at the domain and at www.',
    source: {
      url: 'https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/managing-a-custom-domain-for-your-github-pages-site',
    },
    variables: [{ name: 'owner', label: 'User or organization', hint: 'The part before .github.io' }],
    records: [
      ...[108, 109, 110, 111].map((octet) => `@ A 185.199.${octet}.153`),
      ...[8000, 8001, 8002, 8003].map((group) => `@ AAAA 2606:50c0:${group}::153`),
      'www CNAME {owner}.github.io.',
    ].join('\n'),
  },
  {
    id: 'netlify',
    name: 'Netlify',
    description: 'A site at the domain and at www, while DNS stays here.',
    source: {
      url: 'https://docs.netlify.com/domains-https/custom-domains/configure-external-dns/',
    },
    variables: [{ name: 'site', label: 'Site name', hint: 'The part before .netlify.app' }],
    records: ['@ A 75.2.60.5', 'www CNAME {site}.netlify.app.'].join('\n'),
  },
  {
    id: 'vercel',
    name: 'Vercel',
    description:
      'A project at the domain and at www. If the project shows other values, change the records afterwards.',
    source: { url: 'https://vercel.com/docs/domains/working-with-domains/add-a-domain' },
    variables: [
      {
        name: 'verification',
        label: 'Verification code (optional)',
        hint: 'The text that starts with vc-domain-verify=',
        isOptional: true,
      },
    ],
    records: ['_vercel TXT "{verification}"', '@ A 76.76.21.21', 'www CNAME cname.vercel-dns.com.'].join('\n'),
  },
  {
    id: 'no-mail',
    name: 'No mail',
    description: 'The domain neither receives nor sends mail, so that forged mail is refused. Other records stay.',
    source: {
      url: 'https://www.m3aawg.org/sites/default/files/m3aawg_parked_domains_bp-2015-12.pdf',
    },
    variables: [],
    records: ['@ MX 0 .', ...SENDS_NO_MAIL].join('\n'),
  },
  {
    id: 'parked',
    name: 'Parked',
    description:
      'A name that is only held: no mail, and no authority may issue certificates for it. Other records stay.',
    source: {
      url: 'https://www.m3aawg.org/sites/default/files/m3aawg_parked_domains_bp-2015-12.pdf',
    },
    variables: [],
    records: ['@ MX 0 .', ...SENDS_NO_MAIL, '@ CAA 0 issue ";"'].join('\n'),
  },
];
