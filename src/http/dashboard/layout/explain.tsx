const TERMS = {
  caa: {
    title: 'CAA',
    text: 'Names the certificate authorities that may issue certificates for the domain. Others refuse.',
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
  spf: { title: 'SPF', text: 'A TXT record with the servers that may send mail for the domain.' },
  'transfer-lock': {
    title: 'Transfer lock',
    text: 'While it is on, the registry refuses every transfer to another registrar, even with the right auth code.',
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
