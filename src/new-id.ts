const BYTES_OF_AN_ID = 16;
const IDS_AT_ONCE = 256;

/** Where IDs come from. */
export interface IdSource {
  /** Of the clock. */
  nowMs(): number;
  randomBytes(length: number): Buffer;
  /** As the package `uuid` has it. */
  uuidv7(options: { msecs: number; seq: number; random: Uint8Array }): string;
}

/**
 * Makes UUIDv7s, each greater than the one before, whatever the clock does. Random bytes are
 * had for many at once: that takes longer than all else about an ID.
 */
export function createIds({ nowMs, randomBytes, uuidv7 }: IdSource): () => string {
  let random = randomBytes(0);
  let lastMs = 0;
  /** Of the IDs of one millisecond. */
  let sequence = 0;

  return () => {
    if (random.length === 0) random = randomBytes(BYTES_OF_AN_ID * IDS_AT_ONCE);
    const own = random.subarray(0, BYTES_OF_AN_ID);
    random = random.subarray(BYTES_OF_AN_ID);
    const ms = nowMs();
    if (ms > lastMs) {
      lastMs = ms;
      // 31 random bits, so that no process gets to the end of the 32 in a millisecond.
      sequence = own.readUInt32BE(6) >>> 1;
    } else sequence++;
    return uuidv7({ msecs: lastMs, seq: sequence, random: own });
  };
}
