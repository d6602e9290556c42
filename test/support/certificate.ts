import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import type { Config } from "../../src/config/config.ts";

export interface TestCertificate {
  readonly tls: NonNullable<Config["tls"]>;
  /** In PEM: what a client must trust. */
  readonly ca: string;
  /** Puts another certificate in its place, and returns what a client must trust then. */
  renew(): Promise<string>;
  remove(): Promise<void>;
}

/** A certificate for `localhost` and 127.0.0.1 that signs itself, in files. */
export async function createTestCertificate(): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-tls-"));
  const tls = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  async function renew(): Promise<string> {
    const altNames = [
      { type: 2 as const, value: "localhost" },
      { type: 7 as const, ip: "127.0.0.1" },
    ];
    const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
      keyType: "ec",
      extensions: [{ name: "subjectAltName", altNames }],
    });
    await writeFile(tls.certFile, cert);
    await writeFile(tls.keyFile, key);
    return cert;
  }
  const ca = await renew();
  return { tls, ca, renew, remove: () => rm(folder, { recursive: true, force: true }) };
}
