import { useState } from "preact/hooks";
import { DASHBOARD_HEADERS } from "../../api.ts";
import { Question } from "../../ui/dialog.tsx";

/** Saves the memories of a tenant as a file of lines of JSON ("": of the whole account). */
export async function exportMemories(tenant: string): Promise<void> {
  const [name, value] = tenant === "" ? ["whole_account", "true"] : ["tenant_id", tenant];
  const response = await call(`/agent/export?${new URLSearchParams([[name, value]])}`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${tenant || "memories"}.ndjson`;
  link.click();
  // Once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** `onClose` gets null where nothing was imported. */
export function Import({ onClose }: { readonly onClose: (outcome: string | null) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const send = async () => {
    const response = await call("/agent/import", { method: "POST", body: file });
    const { imported_count: stored, skipped_count: skipped } = await response.json();
    onClose(`Imported: ${stored} memories. ${skipped} were there already.`);
  };
  return (
    <Question
      title="Import memories"
      action="Import"
      isDisabled={file === null}
      onConfirm={send}
      onClose={(isDone) => isDone || onClose(null)}
    >
      <p>
        A file that <em>Export</em> saved. Its tenants may hold no other memories. Each memory
        counts as one write, and as one more for each 32 KiB of its history.
      </p>
      <input
        type="file"
        aria-label="File"
        accept=".ndjson,.jsonl,application/x-ndjson"
        onChange={({ currentTarget: { files } }) => setFile(files?.[0] ?? null)}
      />
    </Question>
  );
}

/** An answer over REST, whose errors say why in `detail`. */
async function call(path: string, init?: RequestInit): Promise<Response> {
  const headers = { ...DASHBOARD_HEADERS, "content-type": "application/x-ndjson" };
  const response = await fetch(path, { ...init, headers });
  if (response.ok) return response;
  const { detail } = await response.json().catch(() => ({}));
  throw new Error(typeof detail === "string" ? detail : `The service answered ${response.status}.`);
}
