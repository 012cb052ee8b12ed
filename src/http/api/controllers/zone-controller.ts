import { inject, injectable } from 'inversify';
import { ReadZoneHistory } from '../../../application/dns/read-zone-history';
import { RestoreVersion } from '../../../application/dns/restore-version';
import type { ApiHandler } from '../caller';
import { changeZone } from '../change-zone';
import { nextVersionsLink, versionsRequest } from '../dto/versions-query';
import { versionNumber, zoneRequest } from '../dto/zone-request';
import { formerZone, writtenChange, zoneVersion } from '../presenters/zone-presenter';

/** A zone as a whole, and its past. */
@injectable()
export class ZoneController {
  constructor(
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(RestoreVersion) private readonly restoreVersion: RestoreVersion,
  ) {}

  versions: ApiHandler = async (req, res) => {
    const { limit, before } = versionsRequest(req);
    const found = await this.history.page(res.locals.caller.accountId, req.params['id'] ?? '', limit + 1, before);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    if (last && found.length > limit) res.setHeader('Link', nextVersionsLink(req, limit, last.version));
    res.json(shown.map(zoneVersion));
  };

  version: ApiHandler = async (req, res) => {
    const version = versionNumber('version', req.params['version'] ?? '');
    res.json(formerZone(await this.history.version(res.locals.caller.accountId, req.params['id'] ?? '', version)));
  };

  restore: ApiHandler = async (req, res) => {
    const command = { ...zoneRequest(req, res), version: versionNumber('version', req.params['version'] ?? '') };
    await changeZone(req, res, this.restoreVersion, command, ({ result, zoneVersion }) => res.json(writtenChange(result, zoneVersion)));
  };
}
