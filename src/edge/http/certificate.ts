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
  let seen = fingerprint(current);
  let isLooking = false;

  async function look(): Promise<void> {
    try {
      const certificate = await readCertificate(files);
      if (!isNew(fingerprint(certificate))) return;
      use(certificate);
      log.info({ certFile: files.certFile }, "the certificate changed and is served from now on");
    } catch (err) {
      if (isUnreadable(err) && !isNew(String(err))) return;
      log.error({ err, certFile: files.certFile }, "the certificate stays: the new one is no use");
    }
  }

  function isNew(found: string): boolean {
    const before = seen;
    seen = found;
    return found !== before;
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, CERTIFICATE_CHECK_MS).unref();
  return () => clearInterval(timer);
}

function fingerprint({ cert, key }: Certificate): string {
  return `${cert}\n${key}`;
}

/** An error of the file system, not of the certificate. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
