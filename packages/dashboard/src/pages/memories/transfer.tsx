import { useState } from "preact/hooks";
import { DASHBOARD_HEADERS } from "../../api.ts";
import { Question } from "../../ui/dialog.tsx";

/** Saves the memories of a tenant as a file of lines of JSON ("": of the whole account). */
export async function exportMemories(tenant: string): Promise<void> {
  const [name, value] = tenant === "" ? ["whole_account", "true"] : ["tenant_id", tenant];
  const response = await fetch(`/agent/export?${new URLSearchParams([[name, value]])}`, {
    headers: DASHBOARD_HEADERS,
  });
  if (!response.ok) throw new Error(await sentenceIn(response));
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
    const headers = { ...DASHBOARD_HEADERS, "content-type": "application/x-ndjson" };
    const response = await fetch("/agent/import", { method: "POST", body: file, headers });
    if (!response.ok) throw new Error(await sentenceIn(response));
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
        A file that <em>Export</em> saved. Each memory counts as one write. Its tenants may hold no
        other memories.
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

async function sentenceIn(response: Response): Promise<string> {
  const { detail } = await response.json().catch(() => ({}));
  return typeof detail === "string" ? detail : `The service answered ${response.status}.`;
}
