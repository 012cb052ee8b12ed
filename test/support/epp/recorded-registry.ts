import { rfc } from '../../../src/infrastructure/registry/epp/profiles/rfc';
import { RegistryNotContacted } from '../../../src/application/ports/registry/registry-errors';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { parseXml } from '../../../src/infrastructure/registry/epp/codec/parse-xml';
import { EppClient } from '../../../src/infrastructure/registry/epp/session/epp-client';
import { EppRegistry, type EppRegistrySettings } from '../../../src/infrastructure/registry/epp/epp-registry';
import type { EppSession } from '../../../src/infrastructure/registry/epp/session/epp-session';
import type { EppSessionPool } from '../../../src/infrastructure/registry/epp/session/epp-session-pool';
import { commandDocument, type EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import type { Services } from '../../../src/infrastructure/registry/epp/mapping/greeting';
import { responseOf, type EppResponse } from '../../../src/infrastructure/registry/epp/mapping/response';
import { UnreadableResponse } from '../../../src/infrastructure/registry/epp/session/connection-errors';
import type { StoredValues } from '../../../src/infrastructure/registry/registry-adapter';
import { originOf, profileResponses, recordedExchanges } from './epp-fixtures';
import { MovableClock } from '../fakes/movable-clock';
import { RecordingLog } from '../fakes/recording-log';
import { PERIODS } from '../data/some-tlds';

/** The title of a recording, `profile/file` of a response of a profile, a document, or an error to throw. RegistryNotContacted stands for no session. A buffer is a mutated response. */
export type Answer = string | Buffer | Error;

interface RecordedRegistry {
  readonly registry: EppRegistry;
  readonly log: RecordingLog;
  /** Sent commands as `title clTRID`. */
  readonly sent: string[];
  readonly documents: string[];
  /** Recorded responses that were not requested yet. */
  readonly left: Answer[];
}

const eur = (minor: number) => ({ minor, currency: 'EUR' });

const LIST = { registration: eur(500), renewal: eur(500), restore: eur(5_000) };
const TEST_TLD = {
  suffix: 'test',
  years: { min: 1, max: 10 },
  renewalYears: { min: 1, max: 10 },
  nameservers: { min: 2, max: 13 },
  periods: PERIODS,
  price: LIST,
};
export const ALL_SERVICES: Services = {
  objects: [NAMESPACES.domain, NAMESPACES.host, NAMESPACES.contact],
  extensions: [NAMESPACES.rgp, NAMESPACES.fee],
  language: 'en',
};
export const NO_FEES: Services = { ...ALL_SERVICES, extensions: [NAMESPACES.rgp] };
const NOW = '2026-11-20T15:10:00Z';

/** The adapter with these responses in order, whatever it sends. */
export function recordedRegistry(
  answers: readonly Answer[],
  services: Services = NO_FEES,
  settings: Partial<EppRegistrySettings> = {},
  stored?: StoredValues,
): RecordedRegistry {
  const left = [...answers];
  const sent: string[] = [];
  const documents: string[] = [];
  const session: Pick<EppSession, 'services' | 'send'> = {
    services,
    send: async (command: EppCommand, clTRID: string): Promise<EppResponse> => {
      sent.push(clTRID.startsWith('nw-') ? command.title : `${command.title} ${clTRID}`);
      documents.push(commandDocument(command, clTRID));
      const answer = left.shift();
      if (answer === undefined) throw new TypeError(`no response left for ${command.title}`);
      if (answer instanceof Error) throw answer;
      if (Buffer.isBuffer(answer)) return readResponse(answer);
      const response = readResponse(bytesOf(answer));
      originOf(response.svTRID);
      return response;
    },
  };
  const use: EppSessionPool<EppSession>['use'] = async (work) => {
    const [next] = left;
    if (next instanceof RegistryNotContacted) {
      left.shift();
      throw next;
    }
    return work(session as EppSession);
  };
  const client = new EppClient({ use, close: async () => undefined });
  const all = {
    clientId: 'leonet',
    currency: 'EUR',
    profile: { ...rfc, namesPerCheck: 2 },
    tlds: [TEST_TLD],
    server: 'epp.registry.example:700',
    namesFile: undefined,
    unsupported: [],
    ...settings,
  };
  const log = new RecordingLog();
  return {
    registry: new EppRegistry(client, all, new MovableClock(NOW), log, stored),
    log,
    sent,
    documents,
    left,
  };
}

/** Parses like connection and session. */
function readResponse(bytes: Buffer): EppResponse {
  try {
    return responseOf(parseXml(bytes));
  } catch (error) {
    throw new UnreadableResponse(bytes, { cause: error });
  }
}

const RECORDED = recordedExchanges();

function bytesOf(answer: string): Buffer {
  const [, profile, title] = /^([a-z-]+)\/([a-z-]+)$/.exec(answer) ?? [];
  if (profile !== undefined) {
    const found = profileResponses(profile).find(({ file }) => file === `${title}.xml`);
    if (!found) throw new TypeError(`unknown response ${answer}`);
    return found.bytes;
  }
  if (!/^\d+-[\w-]+$/.test(answer)) return Buffer.from(answer);
  const exchange = RECORDED.find(({ title }) => title === answer);
  if (!exchange) throw new TypeError(`unknown recording ${answer}`);
  return exchange.response;
}
