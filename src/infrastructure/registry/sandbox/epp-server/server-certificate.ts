import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { generate } from 'selfsigned';
import { addYears } from '../../../../domain/shared/time/calendar';

export interface ServerCertificate {
  /** PEM. Self-signed: clients use it as their `ca`. */
  readonly certificate: string;
  readonly key: string;
  /** The certificate's path. */
  readonly file: string;
}

const VALID_YEARS = 10;

/** Reads the certificate in the folder. Creates one for the loopback addresses if there is none. */
export async function serverCertificate(folder: string, now: Date): Promise<ServerCertificate> {
  const [file, keyFile] = [resolve(folder, 'certificate.pem'), resolve(folder, 'key.pem')];
  if (!existsSync(file) || !existsSync(keyFile)) {
    mkdirSync(folder, { recursive: true });
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: now,
      notAfterDate: addYears(now, VALID_YEARS),
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
            { type: 7, ip: '::1' },
          ],
        },
      ],
    });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(file, cert);
  }
  return { certificate: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8'), file };
}
