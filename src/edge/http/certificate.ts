import { readFile } from "node:fs/promises";
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

/** Rejects when one of the files can't be read: of two, always for the same one. */
export async function readCertificate({ certFile, keyFile }: CertificateFiles) {
  const cert = await readFile(certFile);
  return { cert, key: await readFile(keyFile) };
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
): () => void {
  const { certFile } = files;
  let seen = fingerprint(current);

  async function look(): Promise<void> {
    const found = await readCertificate(files).catch((error: unknown) => String(error));
    const isRead = typeof found === "object";
    const before = seen;
    seen = isRead ? fingerprint(found) : found;
    if (seen === before) return;
    try {
      if (!isRead) throw new Error(found);
      use(found);
      log.info({ certFile }, "the certificate changed and is served from now on");
    } catch (err) {
      log.error({ err, certFile }, "the certificate stays: the new one is no use");
    }
  }

  const timer = setInterval(look, CERTIFICATE_CHECK_MS).unref();
  return () => clearInterval(timer);
}

function fingerprint({ cert, key }: Certificate): string {
  return `${cert}\n${key}`;
}
