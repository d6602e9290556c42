import { Metadata } from "@grpc/grpc-js";

const BINARY = /-bin$/;

/** Values of names that end with `-bin` are base64 in headers, and bytes in metadata. */
export function metadataOf(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) {
    metadata.add(name, BINARY.test(name) ? Buffer.from(value, "base64") : value);
  }
  return metadata;
}

export function headersOf(metadata: Metadata): Headers {
  const headers = new Headers();
  for (const name of Object.keys(metadata.getMap())) {
    for (const value of metadata.get(name)) {
      headers.append(name, Buffer.isBuffer(value) ? value.toString("base64") : value);
    }
  }
  return headers;
}
