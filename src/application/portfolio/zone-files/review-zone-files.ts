import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ImportZoneFile, type ImportedZone, type ImportMode } from '../../dns/zones/zone-files/import-zone-file';
import type { ZonePlan } from '../../dns/zones/zone-plan';
import { FindDomain } from '../../registration/find-domain';
import { reviewEach } from '../reviews/review-each';
import { unpackFiles, type GivenFile } from './read-archive';

/** A zone file that was matched with a name of the account, and what its import would change. */
export interface ReviewedZoneFile {
  readonly fileName: string;
  readonly name: string;
  readonly text: string;
  readonly plan: ZonePlan<ImportedZone>;
}

export interface ZoneFilesReview {
  readonly zones: readonly ReviewedZoneFile[];
  readonly refused: readonly { readonly fileName: string; readonly reason: string }[];
}

const EXTENSION = /\.(zone|txt|db|dns|hosts|bind)$/i;
const ORIGIN = /^\$ORIGIN[ \t]+(\S+)/im;

/** Shows what the zone files of many names would change. Stores nothing. @throws ValidationError about `files`, LimitedKey */
@injectable()
export class ReviewZoneFiles {
  constructor(
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile,
  ) {}

  async execute({
    files: given,
    mode,
    ...requester
  }: Requester & { readonly files: readonly GivenFile[]; readonly mode: ImportMode }): Promise<ZoneFilesReview> {
    const files = await unpackFiles(given);
    if (files.length === 0) throw ValidationError.of('files', 'must be at least one zone file');
    const fileOf = new Map<string, string>();
    const { accepted, refused } = await reviewEach(
      requester.accountId,
      files,
      async ({ fileName, bytes }): Promise<ReviewedZoneFile> => {
        const text = bytes.toString('utf8');
        const domain = await this.match(requester, fileName, text);
        const [domainId, name] = [domain.id, domain.toState().name];
        const other = fileOf.get(name);
        if (other !== undefined) throw ValidationError.of('', `${other} is for ${name}, too`);
        fileOf.set(name, fileName);
        const plan = await this.importZoneFile.plan({ ...requester, domainId, text, mode });
        return { fileName, name, text, plan };
      },
    );
    return { zones: accepted, refused: refused.map(({ fileName, reason }) => ({ fileName, reason })) };
  }

  /** By the name of the file, or by its first $ORIGIN. */
  private async match(requester: Requester, fileName: string, text: string) {
    const base = fileName.slice(fileName.lastIndexOf('/') + 1).replace(/^db\./i, '');
    const names = new Set([base.replace(EXTENSION, ''), base, (ORIGIN.exec(text)?.[1] ?? '').replace(/\.$/, '')]);
    for (const name of names) {
      try {
        return await this.findDomain.zoneByName({ ...requester, name });
      } catch (error) {
        if (!(error instanceof DomainNotFound)) throw error;
      }
    }
    throw ValidationError.of('', 'has neither the name of a zone of this account nor its $ORIGIN');
  }
}
