import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseDocument } from 'yaml';
import { FairSlots } from '../../../application/shared/fair-slots';
import type { Request, Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';
import { accountOf } from '../../shared/unread-responses';
import { UnsupportedMediaType } from '../../shared/errors';
import { hasBody, JsonBody, TextBody, ZONE_FILE_BODY, type BodyReader } from '../request-body';

/** The same path from src and from dist. */
const THREAD_FILE = join(__dirname, 'yaml-thread.js');
/** Takes a few milliseconds; a thread takes longer to start. */
const SHORT = 8_192;
const MAX_ALIASES = 100;
const PARSED_WITHIN_MS = 10_000;
/** Of a thread, in MiB: 4 MiB of YAML need less than half. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

type Parsed = { readonly json: string } | { readonly at: number; readonly code: string };

/** Parses YAML 1.2. */
export class YamlTexts {
  /** Threads at once, of all accounts and of one. */
  private readonly threads = new FairSlots(2, 1);

  /** A long text is parsed in a thread. @throws ValidationError */
  async parse(text: string, accountId: string): Promise<unknown> {
    const parsed =
      text.length <= SHORT ? parseShort(text) : await this.threads.run(accountId, () => parseInThread(text));
    if ('at' in parsed)
      throw invalid(`line ${text.slice(0, parsed.at).split('\n').length} is not valid YAML (${parsed.code})`);
    return JSON.parse(parsed.json);
  }
}

function parseShort(text: string): Parsed {
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = [...document.errors, ...document.warnings];
  if (error) return { at: error.pos[0], code: error.code };
  try {
    return { json: JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })) ?? 'null' };
  } catch (cause) {
    throw unreadable(cause);
  }
}

function parseInThread(text: string): Promise<Parsed> {
  return new Promise<Parsed>((resolve, reject) => {
    const worker = new Worker(THREAD_FILE, {
      workerData: { text, maxAliasCount: MAX_ALIASES },
      resourceLimits: MEMORY,
      name: 'yaml',
    });
    const timer = setTimeout(() => {
      reject(invalid('it takes too long to parse'));
      void worker.terminate();
    }, PARSED_WITHIN_MS);
    worker.once('message', resolve);
    worker.once('error', (cause) => reject(unreadable(cause)));
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(invalid('it could not be parsed'));
    });
  });
}

/** Too many aliases, an alias without an anchor, or too much memory. */
function unreadable(cause: unknown): ValidationError {
  return invalid('it has too many aliases, an alias without an anchor, or is too large', cause);
}

function invalid(why: string, cause?: unknown): ValidationError {
  return new ValidationError([{ path: '', message: `The body must be well-formed YAML: ${why}` }], { cause });
}

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'] as const;
const ZONE_FILE_TYPES = ['text/dns', 'text/plain'];

const MAX_VALUES = 110_000;
const JSON_STATE: BodyReader = new JsonBody('4mb', false, MAX_VALUES);
/** As large as one, so that many take no longer. */
export const STATES_JSON_BODY: BodyReader = new JsonBody('4mb', false, MAX_VALUES);
const YAML_TEXTS = new YamlTexts();
const YAML_STATE: BodyReader = new TextBody(YAML_TYPES, '4mb');

/** A desired state in JSON or YAML (RFC 9512) as its value; a zone file (RFC 4027) as text. */
export const STATE_BODY: BodyReader = {
  async read(req: Request, res: Response, count): Promise<unknown> {
    if (req.is(ZONE_FILE_TYPES)) return ZONE_FILE_BODY.read(req, res, count);
    if (hasBody(req) && !req.is(['application/json', ...YAML_TYPES]))
      throw new UnsupportedMediaType('application/json, application/yaml or text/dns');
    if (!req.is([...YAML_TYPES])) return JSON_STATE.read(req, res, count);
    const value = await YAML_TEXTS.parse(String(await YAML_STATE.read(req, res, count)), accountOf(res));
    if (typeof value !== 'object') throw ValidationError.of('', 'The body must be an object');
    return value;
  },
};
