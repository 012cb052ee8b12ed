import { readFile } from 'node:fs/promises';
import { RegistryInconclusive, unsupportedBy } from '../../../../application/ports/registry/registry-errors';
import type { NamePage } from '../../../../application/ports/registry/name-listings';
import { DomainName } from '../../../../domain/registration/domain-name';
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
    const left = (await readNames(this.file)).filter((name) => name > cursor);
    const page = left.slice(0, NAMES_PER_PAGE);
    const found = await Promise.all(page.map((name) => this.domains.find(DomainName.fromState(name))));
    const next = left.length > page.length ? page.at(-1) : undefined;
    return {
      names: found.flatMap((domain) =>
        domain?.sponsoredByUs ? [{ name: domain.name, expiresAt: domain.expiresAt }] : [],
      ),
      ...(next !== undefined && { next }),
    };
  }
}

/** Sorted, without repetitions, empty lines and comments after `#`. */
async function readNames(file: string): Promise<readonly string[]> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.replace(/#.*/, '').trim());
    return [...new Set(lines.filter((line) => line !== '').map((line) => DomainName.parse(line).value))].toSorted();
  } catch (error) {
    throw new RegistryInconclusive(
      'The names file cannot be read, or has a line that is not a domain name',
      undefined,
      {
        cause: error,
      },
    );
  }
}
