import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { runEvery } from "../../concurrency/bounds.ts";
import type { Log } from "../../log.ts";

/** A certificate chain and its private key, in PEM. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** How often the files are looked at: a renewed certificate is served so much later at most. */
export const CERTIFICATE_CHECK_MS = 10_000;

/** Rejects, naming the variable, when a file can't be read (of two, always for the same one) or they don't fit. */
export async function readCertificate({ certFile, keyFile }: CertificateFiles) {
  const read = (variable: string, file: string) =>
    readFile(file).catch((cause: Error) => {
      throw new Error(`${variable} cannot be read: ${cause.message}`, { cause });
    });
  const cert = await read("TLS_CERT_FILE", certFile);
  const key = await read("TLS_KEY_FILE", keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE are no certificate and its key: ${cause}`);
  }
  return { cert, key };
}

/**
 * Reads the files again and again, and hands on what differs from what was read
 * before, at first from `current`. Returns the function that ends it.
 *
 * A pair that can't be read, or that `use` throws for, is logged once and changes
 * nothing. While a renewal has replaced one file and not yet the other, the two don't
 * fit; the next look finds both. The files are read whole, rather than watched, since
 * renewals replace links and folders as well as files.
 */
export function followCertificate(
  files: CertificateFiles,
  current: Certificate,
  use: (certificate: Certificate) => void,
  log: Log,
): () => Promise<void> {
  const { certFile } = files;
  let seen = fingerprint(current);

  async function look(): Promise<void> {
    const before = seen;
    try {
      const found = await readCertificate(files);
      seen = fingerprint(found);
      if (seen === before) return;
      use(found);
      log.info({ certFile }, "the certificate changed and is served from now on");
    } catch (err) {
      seen = String(err);
      if (seen !== before)
        log.error({ err, certFile }, "the certificate stays: the new one is no use");
    }
  }

  return runEvery(CERTIFICATE_CHECK_MS, look);
}

function fingerprint({ cert, key }: Certificate): string {
  return `${cert}\n${key}`;
}
