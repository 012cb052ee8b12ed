import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, elementFactory, inNamespace, tokenOf, type XmlElement } from '../codec/xml-element';
import type { EppCommand } from './commands/command';

const { domain: DOMAIN, fee: FEE } = NAMESPACES;
const fee = elementFactory(FEE);

/** How a draft names the object of a fee in commands, and its name in commands and responses. */
interface PerObject {
  readonly object: string;
  readonly id: string;
}

const BY_DOMAIN: PerObject = { object: 'domain', id: 'name' };

/**
 * Drafts of RFC 8748, newest first. Those without `PerObject` have the elements of the RFC. The older ones ask for each command of
 * each name by itself. Sources: Net::DRI at deabb619, t/…/Fee/Fee-0.*.t, with the examples of draft-brown-epp-fees-06 for 0.9.
 * fee-0.11 to 0.19 have one command in a check, and are not used.
 */
const DRAFTS: ReadonlyMap<string, PerObject | undefined> = new Map([
  ['urn:ietf:params:xml:ns:fee-0.23', undefined],
  ['urn:ietf:params:xml:ns:fee-0.21', undefined],
  ['urn:ietf:params:xml:ns:fee-0.9', { object: 'object', id: 'objID' }],
  ['urn:ietf:params:xml:ns:fee-0.8', BY_DOMAIN],
  ['urn:ietf:params:xml:ns:fee-0.7', BY_DOMAIN],
  ['urn:ietf:params:xml:ns:fee-0.6', BY_DOMAIN],
]);

/** The draft to use at a registry without the RFC's extension. */
export function feeDraftAmong(offered: readonly string[]): string | undefined {
  return offered.includes(FEE) ? undefined : [...DRAFTS.keys()].find((uri) => offered.includes(uri));
}

/** The command with its fees in the form of `draft`. */
export function toFeeDraft(command: EppCommand, draft: string): EppCommand {
  const form = DRAFTS.get(draft);
  const extensions = command.extensions
    .map((each) => (form && each.namespace === FEE && each.name === 'check' ? checkOf(each, command, form) : each))
    .map((each) => inNamespace(each, FEE, draft));
  return { ...command, extensions };
}

/** The extension of a response with its fees in the form of the RFC. */
export function fromFeeDraft(extension: XmlElement, draft: string): XmlElement {
  const form = DRAFTS.get(draft);
  const { children, ...rest } = inNamespace(extension, draft, FEE);
  return {
    ...rest,
    children: children.map((each) =>
      form && each.namespace === FEE && each.name === 'chkData' ? chkDataOf(each, form) : each,
    ),
  };
}

function checkOf(check: XmlElement, { body }: EppCommand, { object, id }: PerObject): XmlElement {
  const names = childrenOf(childOf(body, DOMAIN, 'check'), DOMAIN, 'name').map(({ text }) => text);
  const commands = childrenOf(check, FEE, 'command');
  return fee(
    'check',
    names.flatMap((name) =>
      commands.map((command) =>
        fee(object, [
          fee(id, name),
          childOf(check, FEE, 'currency'),
          fee('command', command.attributes.get('name')),
          childOf(command, FEE, 'period'),
        ]),
      ),
    ),
  );
}

/** Fees in another currency than the first one are left out: the RFC has one for all. */
function chkDataOf(chkData: XmlElement, { id }: PerObject): XmlElement {
  const currencyOf = (cd: XmlElement) => tokenOf(childOf(cd, FEE, 'currency'));
  const all = childrenOf(chkData, FEE, 'cd');
  const currency = all.map(currencyOf).find((each) => each !== undefined);
  const byName = new Map<string, XmlElement[]>();
  for (const cd of all) {
    const name = tokenOf(childOf(cd, FEE, id))?.toLowerCase();
    if (name !== undefined && currencyOf(cd) === currency) byName.set(name, [...(byName.get(name) ?? []), cd]);
  }
  return fee('chkData', [
    currency === undefined ? undefined : fee('currency', currency),
    [...byName].map(([name, cds]) =>
      fee('cd', [fee('objID', name), childOf(cds[0], FEE, 'class'), cds.map(commandOf)], { avail: '1' }),
    ),
  ]);
}

function commandOf(cd: XmlElement): XmlElement {
  const parts = ['period', 'fee', 'credit', 'class'].flatMap((name) => childrenOf(cd, FEE, name));
  return fee('command', parts, { name: tokenOf(childOf(cd, FEE, 'command')) });
}
