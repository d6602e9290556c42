const HEADER_BYTES = 4;
const BYTES_PER_DIMENSION = 4;

/**
 * A vector as a parameter in pgvector's binary form: the number of dimensions
 * and a zero as 16 bit integers, then single precision numbers, all big-endian.
 * Less than half the size of its text, and neither side formats or parses digits.
 * A Buffer, because pg sends those in binary; cast it in SQL: `$1::vector`.
 */
export function vectorParameter(vector: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + vector.length * BYTES_PER_DIMENSION);
  bytes.writeUInt16BE(vector.length, 0);
  bytes.writeUInt16BE(0, 2);
  let offset = HEADER_BYTES;
  for (const value of vector) offset = bytes.writeFloatBE(value, offset);
  return bytes;
}
