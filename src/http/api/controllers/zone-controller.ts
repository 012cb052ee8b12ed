import { inject, injectable } from 'inversify';
import { ExportZoneFile } from '../../../application/dns/zones/export-zone-file';
import { ImportZoneFile } from '../../../application/dns/zones/import-zone-file';
import { ReadZoneHistory } from '../../../application/dns/zones/read-zone-history';
import { RollBackZone } from '../../../application/dns/zones/roll-back-zone';
import { ValidationError } from '../../../domain/shared/validation-error';
import { streamLines } from '../../stream-lines';
import type { ApiHandler } from '../caller';
import { changeZone } from '../change-zone';
import { nextVersionsLink, versionsRequest } from '../dto/versions-query';
import { assertNoMembers } from '../dto/validated';
import { versionNumber, zoneRequest } from '../dto/zone-request';
import { formerZone, importReport, writtenChange, zonePlan, zoneVersion } from '../presenters/zone-presenter';
import { sendLongJson } from '../send-json';
import { tellZoneVersion } from '../zone-version';

/** A zone as a whole, and its past. */
@injectable()
export class ZoneController {
  constructor(
    @inject(ExportZoneFile) private readonly exportZoneFile: ExportZoneFile,
    @inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile,
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(RollBackZone) private readonly restoreVersion: RollBackZone,
  ) {}

  exportFile: ApiHandler = async (req, res) => {
    const { zoneVersion: version, lines } = await this.exportZoneFile.execute(
      res.locals.caller.accountId,
      req.params['id'] ?? '',
    );
    tellZoneVersion(res, version);
    res.type('text/dns; charset=utf-8');
    await streamLines(res, lines);
  };

  importFile: ApiHandler = async (req, res) => {
    const { body } = req;
    if (typeof body !== 'string') throw new ValidationError([{ path: '', message: 'The body must be a zone file' }]);
    const command = { ...zoneRequest(req, res), text: body };
    await changeZone(req, res, this.importZoneFile, command, {
      written: ({ result, zoneVersion: version }) => ({
        ...writtenChange(result.change, version),
        ...importReport(result),
      }),
      planned: (plan) => ({ ...zonePlan(plan), ...importReport(plan.result) }),
    });
  };

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
    await sendLongJson(
      res,
      formerZone(await this.history.version(res.locals.caller.accountId, req.params['id'] ?? '', version)),
    );
  };

  restore: ApiHandler = async (req, res) => {
    assertNoMembers(req.body);
    const command = { ...zoneRequest(req, res), version: versionNumber('version', req.params['version'] ?? '') };
    await changeZone(req, res, this.restoreVersion, command, {
      written: ({ result, zoneVersion }) => writtenChange(result, zoneVersion),
    });
  };
}
