import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { generate } from 'selfsigned';
import { loadConfig } from '../../../src/config';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';

const PASSWORD = 'only-over-tls';

/** Self-signed, and so its own authority, with a client certificate that it has signed. */
function certificate(name: string) {
  return generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    clientCertificate: { cn: 'namewright', algorithm: 'sha256' },
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
}

describeOrSkip(PRIVATE_MYSQL_MISSING)('MySQL over TLS', () => {
  let folder: string;
  let server: PrivateMysqlServer;
  let files: Record<'ca' | 'key' | 'clientCert' | 'clientKey' | 'otherCa', string>;
  let address: URL;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-tls-'));
    const authority = await certificate('localhost');
    const other = await certificate('localhost');
    files = {
      ca: file('ca.pem', authority.cert),
      key: file('key.pem', authority.private),
      clientCert: file('client.pem', authority.clientcert ?? ''),
      clientKey: file('client-key.pem', authority.clientprivate ?? ''),
      otherCa: file('other.pem', other.cert),
    };
    server = await startPrivateMysql([`--ssl-ca=${files.ca}`, `--ssl-cert=${files.ca}`, `--ssl-key=${files.key}`]);
    const root = await server.createDatabase();
    address = new URL(root);
    const connection = await createConnection(root);
    await connection.query(`CREATE USER over_tls@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE SSL`);
    await connection.query(`CREATE USER with_certificate@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE X509`);
    await connection.query(`GRANT ALL ON ${address.pathname.slice(1)}.* TO over_tls@'%', with_certificate@'%'`);
    await connection.end();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  async function ciphersOf(
    parameters: Record<string, string>,
    { user = 'over_tls', host = 'localhost' } = {},
  ): Promise<string | undefined> {
    const url = new URL(address);
    Object.assign(url, {
      username: user,
      password: PASSWORD,
      hostname: host,
      search: new URLSearchParams(parameters).toString(),
    });
    const database = new Database(loadConfig({ DATABASE_URL: url.toString() }).database, SERVICE_CONTENT);
    await database.open();
    try {
      const [row] = await database.query<{ Value: string }>("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
      return row?.Value;
    } finally {
      await database.close();
    }
  }

  it('is used, with the certificate verified, for a user that requires it', async () => {
    expect(await ciphersOf({ 'ssl-ca': files.ca })).toMatch(/AES|CHACHA/);
  });

  it('is used without verification if ssl-mode is REQUIRED', async () => {
    expect(await ciphersOf({ 'ssl-mode': 'REQUIRED' }, { host: '127.0.0.1' })).toMatch(/AES|CHACHA/);
  });

  it('verifies the certificate alone if ssl-mode is VERIFY_CA', async () => {
    expect(await ciphersOf({ 'ssl-mode': 'VERIFY_CA', 'ssl-ca': files.ca }, { host: '127.0.0.1' })).toMatch(
      /AES|CHACHA/,
    );
  });

  it('presents a client certificate to a user that requires one', async () => {
    expect(
      await ciphersOf(
        { 'ssl-ca': files.ca, 'ssl-cert': files.clientCert, 'ssl-key': files.clientKey },
        { user: 'with_certificate' },
      ),
    ).toMatch(/AES|CHACHA/);
  });

  it('is refused by the server without a client certificate, if the user requires one', async () => {
    await expect(ciphersOf({ 'ssl-ca': files.ca }, { user: 'with_certificate' })).rejects.toThrow(
      'rejects the user name or the password',
    );
  });

  it('is not used without parameters, and the user that requires it is refused', async () => {
    await expect(ciphersOf({})).rejects.toThrow('rejects the user name or the password');
  });

  it.each([
    ['signed by an unknown authority', () => ({ 'ssl-ca': files.otherCa })],
    ['that no authority known to Node.js has signed', () => ({ 'ssl-mode': 'VERIFY_IDENTITY' })],
    ['signed by an unknown authority, in VERIFY_CA', () => ({ 'ssl-mode': 'VERIFY_CA', 'ssl-ca': files.otherCa })],
  ])('refuses a certificate %s, and says so', async (_case, parameters) => {
    await expect(ciphersOf(parameters())).rejects.toThrow(
      /MySQL at localhost:\d+ fails the TLS handshake: its certificate does not verify/,
    );
  });

  it('refuses a certificate for another host name', async () => {
    const { cert, private: key } = await certificate('db.namewright.test');
    const ca = file('other-host.pem', cert);
    const misnamed = await startPrivateMysql([`--ssl-cert=${ca}`, `--ssl-key=${file('other-host-key.pem', key)}`]);
    try {
      const url = new URL(await misnamed.createDatabase());
      Object.assign(url, { hostname: 'localhost', search: new URLSearchParams({ 'ssl-ca': ca }).toString() });
      const database = new Database(loadConfig({ DATABASE_URL: url.toString() }).database, SERVICE_CONTENT);

      await expect(database.open()).rejects.toThrow(/its certificate does not verify/);
    } finally {
      await misnamed.stop();
    }
  });

  it('is refused if the server does not offer it', async () => {
    const plain = await startPrivateMysql(['--skip-ssl']);
    try {
      const database = new Database(
        loadConfig({ DATABASE_URL: `${await plain.createDatabase()}?ssl-mode=REQUIRED` }).database,
        SERVICE_CONTENT,
      );

      await expect(database.open()).rejects.toThrow('does not offer TLS');
    } finally {
      await plain.stop();
    }
  });

  it('names a file that cannot be read', async () => {
    await expect(ciphersOf({ 'ssl-ca': join(folder, 'missing.pem') })).rejects.toThrow(
      /ssl-ca of DATABASE_URL names the file .*missing\.pem, which cannot be read/,
    );
  });
});
