const TERMS = {
  'auth-code': {
    title: 'Auth code',
    text: 'A password of the domain that its present registrar issues. Who has it can transfer the domain to another registrar. Also called EPP code or transfer code.',
  },
  caa: {
    title: 'CAA',
    text: 'Names the certificate authorities that may issue certificates for the domain. Others refuse.',
  },
  cds: {
    title: 'CDS',
    text: 'A record with which a zone tells its parent the DS records that it should publish.',
  },
  delegation: {
    title: 'Delegation',
    text: 'The NS records of the parent zone, such as .com, which send resolvers to the nameservers of the domain.',
  },
  dmarc: {
    title: 'DMARC',
    text: 'Tells receivers what to do with mail that claims to be from the domain but fails SPF and DKIM, and where to report it.',
  },
  dnssec: {
    title: 'DNSSEC',
    text: 'Signatures on the records of a domain. With them, resolvers notice if someone changed a response on its way.',
  },
  ds: {
    title: 'DS record',
    text: 'A fingerprint of the key of a zone. The parent zone publishes it, so that resolvers trust the signatures.',
  },
  lifecycle: {
    title: 'After the expiry',
    text: 'A domain that is not renewed can still be renewed for some days, then be restored for a higher price (redemption). Then the registry deletes it, and anyone may register it.',
  },
  mx: { title: 'MX', text: 'The servers that receive mail for the domain. The lowest priority is tried first.' },
  secondary: {
    title: 'Secondary',
    text: 'A nameserver that copies the zones from this service and answers resolvers. Its serial number tells which version of a zone it has.',
  },
  spf: { title: 'SPF', text: 'A TXT record with the servers that may send mail for the domain.' },
  'transfer-lock': {
    title: 'Transfer lock',
    text: 'While it is on, the registry refuses every transfer to another registrar, even with the right auth code.',
  },
  tsig: {
    title: 'TSIG',
    text: 'A secret that two servers share and sign their messages with, so that each knows the other.',
  },
  ttl: {
    title: 'TTL',
    text: 'How many seconds resolvers may keep a record before they ask again. A change is seen everywhere after that time.',
  },
} as const;
export type Term = keyof typeof TERMS;

export function isTerm(name: string): name is Term {
  return Object.hasOwn(TERMS, name);
}

/** A button that explains a term in a popover, which needs no scripts. Once on a page for each term. */
export function Explain({ term }: { readonly term: Term }) {
  const { title, text } = TERMS[term];
  return (
    <>
      <button type="button" class="explain" popovertarget={`term-${term}`}>
        <span aria-hidden="true">?</span>
        <span class="visually-hidden">Explain {title}</span>
      </button>
      <span class="explanation" id={`term-${term}`} popover="auto">
        <strong>{title}</strong> {text}
      </span>
    </>
  );
}
