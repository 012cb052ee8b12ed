import { describeOrSkip } from '../describe-or-skip';
import { MYSQL_MISSING, startMysql, type MysqlServer } from './mariadb';
import { isRegistryExternal } from '../registries/external-registry';
import { startService, type TestService } from '../service/service';

/** Runs `suite` on SQLite and on MySQL or MariaDB, each with a new service. */
export function onBothDatabases(
  title: string,
  suite: (service: () => TestService) => void,
  settings: Record<string, string> = {},
): void {
  describe(`${title}, on SQLite`, () => withService(async () => settings, suite));
  if (isRegistryExternal()) return;
  describeOrSkip(MYSQL_MISSING)(`${title}, on MySQL`, () => {
    let mysql: MysqlServer;
    beforeAll(async () => {
      mysql = await startMysql();
    });
    withService(async () => ({ ...settings, DATABASE_URL: await mysql.createDatabase() }), suite);
    afterAll(() => mysql.stop());
  });
}

function withService(
  settings: () => Promise<Record<string, string>>,
  suite: (service: () => TestService) => void,
): void {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(await settings());
  });
  suite(() => service);
  afterAll(() => service.stop());
}
