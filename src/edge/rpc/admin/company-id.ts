import { type CompanyId, toCompanyId } from "../../../domain/ids.ts";
import { readLabel } from "../fields.ts";

export const MAX_COMPANY_ID_CHARACTERS = 256;

/** Throws `invalid_field`. */
export function readCompanyId(value: string): CompanyId {
  return toCompanyId(readLabel("company_id", value, MAX_COMPANY_ID_CHARACTERS));
}
