import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseDocument } from 'yaml';
import { FairSlots } from '../../../../application/shared/fair-slots';
import { ValidationError } from '../../../../domain/shared/validation-error';

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
