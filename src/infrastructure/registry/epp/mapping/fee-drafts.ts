import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, elementFactory, inNamespace, tokenOf, type XmlElement } from '../codec/xml-element';
import { booleanOf } from './data-types';
import type { EppCommand } from './commands/command';
import type { EppResponse } from './response';
import { isSuccess } from './result-codes';

const { domain: DOMAIN, fee: FEE } = NAMESPACES;
const fee = elementFactory(FEE);

/** How a draft differs from the RFC. */
interface DraftForm {
  /** `all`: one `<check>` for all commands; `command`: one `<check>` per command; an object: one `element` per name and command, with the name in `id`. */
  readonly check: 'all' | 'command' | { readonly element: string; readonly id: string };
  /** The element with the name in a response. `object` contains a `<domain:name>`. */
  readonly id: 'objID' | 'name' | 'object';
}

const LIKE_RFC: DraftForm = { check: 'all', id: 'objID' };
const BY_DOMAIN: DraftForm = { check: { element: 'domain', id: 'name' }, id: 'name' };

/**
 * Drafts of RFC 8748, the preferred first: newer ones, and last the one that needs a check for each command. Sources: the schemas in the
 * history of https://github.com/gbxyz/epp-fee-extension (0.5 to 0.12), in metaregistrar/php-epp-client at 5ce10e02 (0.11, 0.23), and Net::DRI at
 * deabb619, t/…/Fee/Fee-0.*.t. Without a source, so not used: 0.13 to 0.20, 0.22, 0.24 and 0.25. Not used: 0.10, which no published
 * draft had, and 0.3 and 0.4, whose check has one name.
 */
const DRAFTS: ReadonlyMap<string, DraftForm> = new Map([
  // https://datatracker.ietf.org/doc/draft-ietf-regext-epp-fees
  ['urn:ietf:params:xml:ns:fee-0.23', LIKE_RFC],
  ['urn:ietf:params:xml:ns:fee-0.21', LIKE_RFC],
  ['urn:ietf:params:xml:ns:fee-0.12', { check: 'all', id: 'object' }],
  // draft-brown-epp-fees-06 to -02
  ['urn:ietf:params:xml:ns:fee-0.9', { check: { element: 'object', id: 'objID' }, id: 'objID' }],
  ['urn:ietf:params:xml:ns:fee-0.8', BY_DOMAIN],
  ['urn:ietf:params:xml:ns:fee-0.7', BY_DOMAIN],
  ['urn:ietf:params:xml:ns:fee-0.6', BY_DOMAIN],
  ['urn:ietf:params:xml:ns:fee-0.5', BY_DOMAIN],
  // draft-brown-epp-fees-07, https://datatracker.ietf.org/doc/draft-ietf-regext-epp-fees/00
  ['urn:ietf:params:xml:ns:fee-0.11', { check: 'command', id: 'object' }],
]);

/** The draft to use at a registry without the RFC's extension. */
export function feeDraftAmong(offered: readonly string[]): string | undefined {
  return offered.includes(FEE) ? undefined : [...DRAFTS.keys()].find((uri) => offered.includes(uri));
}

/** The command with its fees in the form of `draft`; several for a check of several commands, if the draft has one `<check>` per command. */
export function toFeeDraft(command: EppCommand, draft: string): readonly [EppCommand, ...EppCommand[]] {
  const form = DRAFTS.get(draft) ?? LIKE_RFC;
  const check = childOf({ ...command.body, children: command.extensions }, FEE, 'check');
  const withCheck = (replaced: XmlElement | undefined): EppCommand => ({
    ...command,
    extensions: command.extensions.map((each) => inNamespace(replaced && each === check ? replaced : each, FEE, draft)),
  });
  const [first, ...others] = check ? checksOf(check, command, form) : [];
  return [withCheck(first), ...others.map(withCheck)];
}

/** The response to the command of all `responses`, with its fees in the form of the RFC. A failure is the response to all. */
export function fromFeeDraft(responses: readonly [EppResponse, ...EppResponse[]], draft: string): EppResponse {
  const form = DRAFTS.get(draft) ?? LIKE_RFC;
  const [first] = responses;
  const failure = responses.find((response) => !isSuccess(response));
  const { extension } = failure ?? first;
  if (!extension) return failure ?? first;
  const { children, ...rest } = inNamespace(extension, draft, FEE);
  const fees = responses.flatMap((response) => childOf(response.extension, draft, 'chkData')?.children ?? []);
  return {
    ...(failure ?? first),
    extension: {
      ...rest,
      children: children.map((each) =>
        each.namespace === FEE && each.name === 'chkData'
          ? chkDataOf(
              fees.map((cd) => inNamespace(cd, draft, FEE)),
              form,
            )
          : each,
      ),
    },
  };
}

function checksOf(check: XmlElement, { body }: EppCommand, { check: asked }: DraftForm): readonly XmlElement[] {
  const currency = childOf(check, FEE, 'currency');
  const commands = childrenOf(check, FEE, 'command');
  if (asked === 'all') return [check];
  if (asked === 'command')
    return commands.map((command) => fee('check', [nameOf(command), currency, periodOf(command)]));
  const names = childrenOf(childOf(body, DOMAIN, 'check'), DOMAIN, 'name').map(({ text }) => text);
  return [
    fee(
      'check',
      names.flatMap((name) =>
        commands.map((command) =>
          fee(asked.element, [fee(asked.id, name), currency, nameOf(command), periodOf(command)]),
        ),
      ),
    ),
  ];
}

function nameOf(command: XmlElement): XmlElement {
  return fee('command', command.attributes.get('name'));
}

function periodOf(command: XmlElement): XmlElement | undefined {
  return childOf(command, FEE, 'period');
}

/** Fees in another currency than the first one are left out: the RFC has one for all. */
function chkDataOf(parts: readonly XmlElement[], { check, id }: DraftForm): XmlElement {
  const data = fee('chkData', parts);
  const all = childrenOf(data, FEE, 'cd');
  const currencyOf = (cd: XmlElement) => tokenOf(childOf(check === 'all' ? data : cd, FEE, 'currency'));
  const currency = all.map(currencyOf).find((each) => each !== undefined);
  const byName = new Map<string, XmlElement[]>();
  for (const cd of all) {
    const name = tokenOf(id === 'object' ? childOf(childOf(cd, FEE, id), DOMAIN, 'name') : childOf(cd, FEE, id));
    if (name !== undefined && currencyOf(cd) === currency)
      byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), cd]);
  }
  return fee('chkData', [
    currency === undefined ? undefined : fee('currency', currency),
    [...byName].map(([name, cds]) => cdOf(name, cds, check === 'all')),
  ]);
}

/** With the commands that a `cd` has, or else the one that it is about. */
function cdOf(name: string, cds: readonly XmlElement[], hasCommands: boolean): XmlElement {
  const avail = hasCommands ? (cds[0]?.attributes.get('avail') ?? '1') : '1';
  const category = cds.map((cd) => childOf(cd, FEE, 'class')).find((each) => each);
  const commands = hasCommands ? cds.flatMap((cd) => childrenOf(cd, FEE, 'command')) : cds.map(commandOf);
  return fee('cd', [fee('objID', name), category, commands], { avail });
}

/** Without a fee if the command is not available. */
function commandOf(cd: XmlElement): XmlElement {
  const isAvailable = booleanOf(cd.attributes.get('avail') ?? '1');
  const parts = (isAvailable ? ['period', 'fee', 'credit', 'class'] : ['class']).flatMap((name) =>
    childrenOf(cd, FEE, name),
  );
  return fee('command', parts, { name: tokenOf(childOf(cd, FEE, 'command')) });
}
