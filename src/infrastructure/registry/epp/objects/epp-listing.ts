import { readFile } from 'node:fs/promises';
import {
  RegistryInconclusive,
  RegistryNotContacted,
  RegistryRejected,
  RegistryUnavailable,
  unsupportedBy,
} from '../../../../application/ports/registry/registry-errors';
import type { RegistryDomain } from '../../../../application/ports/registry/registry-port';
import type { NamePage, SkippedName } from '../../../../application/ports/registry/registries';
import { DomainName } from '../../../../domain/shared/domain-name';
import { parseNameList } from '../../../../domain/registrar/name-list';
import type { EppDomains } from './epp-domains';

/** Each name needs an `<info>`, and a page must fit into the time limit of one call. */
const NAMES_PER_PAGE = 20;

/** EPP lists no names. The names of a file, one per line, that we sponsor take the place of a list. */
export class EppListing {
  constructor(
    private readonly domains: Pick<EppDomains, 'find'>,
    private readonly file: string | undefined,
  ) {}

  /** The file is read again for each page. `cursor` is the last name of the page before. */
  async list(cursor = ''): Promise<NamePage> {
    if (this.file === undefined) throw unsupportedBy('The registry', 'listing names');
    const { names, skipped } = await readNames(this.file);
    const left = names.filter((name) => name > cursor);
    const page = left.slice(0, NAMES_PER_PAGE);
    const { found, failed } = await this.findAll(page);
    const next = left.length > page.length ? page.at(-1) : undefined;
    return {
      names: found.flatMap((domain) =>
        domain.sponsoredByUs ? [{ name: domain.name, expiresAt: domain.expiresAt }] : [],
      ),
      // Invalid lines with the first page only, so that each is reported once.
      skipped: [...(cursor === '' ? skipped : []), ...failed],
      ...(next !== undefined && { next }),
    };
  }

  /** A name that the registry does not show is reported, and does not hide the others. @throws RegistryNotContacted in an outage */
  private async findAll(page: readonly string[]) {
    const found: RegistryDomain[] = [];
    const failed: SkippedName[] = [];
    const results = await Promise.allSettled(page.map((name) => this.domains.find(DomainName.fromState(name))));
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') {
        if (result.value) found.push(result.value);
      } else if (result.reason instanceof RegistryRejected || isForOneName(result.reason))
        failed.push({ name: page[index] ?? '', reason: result.reason.details ?? result.reason.message });
      else throw result.reason;
    }
    return { found, failed };
  }
}

/** The registry has received the query, so that it is no outage. */
function isForOneName(error: unknown): error is RegistryUnavailable {
  return error instanceof RegistryUnavailable && !(error instanceof RegistryNotContacted);
}

/** Sorted, without repetitions. */
async function readNames(
  file: string,
): Promise<{ readonly names: readonly string[]; readonly skipped: readonly SkippedName[] }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new RegistryInconclusive('The names file cannot be read', undefined, { cause });
  }
  const { names, invalid } = parseNameList(text);
  return {
    names: names.toSorted(),
    skipped: invalid.map(({ line, message }) => ({ name: `line ${line}`, reason: message })),
  };
}
