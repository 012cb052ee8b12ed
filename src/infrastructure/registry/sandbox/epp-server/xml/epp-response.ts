import { NAMESPACES } from '../../../epp/codec/namespaces';
import { elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { writeXml } from '../../../epp/codec/write-xml';
import { EppError, RESULT_MESSAGES, type SuccessCode } from '../epp-error';

const epp = elementFactory(NAMESPACES.epp);

/** The variable parts of a success response. */
export interface ResponseData {
  readonly code?: SuccessCode;
  readonly resData?: XmlElement;
  readonly extensions?: readonly (XmlElement | undefined)[];
  readonly queue?: { readonly count: number; readonly id: string; readonly at?: Date; readonly text?: string };
}

interface TransactionIds {
  readonly clTRID: string | undefined;
  readonly svTRID: string;
}

export function responseDocument(reply: ResponseData | EppError, { clTRID, svTRID }: TransactionIds): string {
  const trID = epp('trID', [clTRID === undefined ? undefined : epp('clTRID', clTRID), epp('svTRID', svTRID)]);
  const parts = reply instanceof EppError ? failureParts(reply) : successParts(reply);
  return writeXml(epp('epp', epp('response', [parts, trID])));
}

function successParts({
  code = 1000,
  resData,
  extensions = [],
  queue,
}: ResponseData): readonly (XmlElement | undefined)[] {
  const some = extensions.filter((extension) => extension !== undefined);
  return [
    result(code),
    queue &&
      epp(
        'msgQ',
        [
          queue.at && epp('qDate', queue.at.toISOString()),
          queue.text === undefined ? undefined : epp('msg', queue.text),
        ],
        { count: String(queue.count), id: queue.id },
      ),
    resData && epp('resData', resData),
    some.length > 0 ? epp('extension', some) : undefined,
  ];
}

function failureParts({ code, reason, value }: EppError): readonly XmlElement[] {
  return [
    result(
      code,
      reason === undefined ? undefined : epp('extValue', [epp('value', value ?? epp('undef')), epp('reason', reason)]),
    ),
  ];
}

function result(code: keyof typeof RESULT_MESSAGES, detail?: XmlElement): XmlElement {
  return epp('result', [epp('msg', RESULT_MESSAGES[code]), detail], { code: String(code) });
}

/** Sent after connecting and in response to `<hello/>`. */
export function greetingDocument(
  server: string,
  now: Date,
  services: { readonly objects: readonly string[]; readonly extensions: readonly string[] },
): string {
  const menu = epp('svcMenu', [
    epp('version', '1.0'),
    epp('lang', 'en'),
    services.objects.map((uri) => epp('objURI', uri)),
    epp(
      'svcExtension',
      services.extensions.map((uri) => epp('extURI', uri)),
    ),
  ]);
  const statement = epp('statement', [
    epp('purpose', [epp('admin'), epp('prov')]),
    epp('recipient', [epp('ours'), epp('public')]),
    epp('retention', epp('stated')),
  ]);
  const dcp = epp('dcp', [epp('access', epp('all')), statement]);
  return writeXml(epp('epp', epp('greeting', [epp('svID', server), epp('svDate', now.toISOString()), menu, dcp])));
}
