// Exports: files, pictures, certificates, and the clipboard.
import { request, withQuery } from "../api/client";
import { ensureDocument, node } from "../state/document";
import { afterEdits } from "../state/edits";
import { failed, inform, notify } from "../state/notices";
import { coordinates, layers, numbers, shownTheme } from "../state/view";
import { W } from "../words";

export const EXPORTS = [
  "sgf",
  "moves",
  "little-golem",
  "psq",
  "ccgc",
  "connectk",
  "diagram",
  "png",
  "svg",
  "gif",
  "certificate",
  "print",
] as const;
export type Export = (typeof EXPORTS)[number];

/**
 * Downloads a file; the server names it. The page fetches it first, so that a failure becomes a notice and not a
 * file.
 */
async function download(path: string): Promise<void> {
  try {
    const response = await request(path);
    const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
    const url = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    link.href = url;
    link.download = named?.[1] ?? "sixproof";
    document.body.appendChild(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    failed(error);
  }
}

/** The address of a picture as the board looks now. */
export function picturePath(id: string, at: number, format: "png" | "svg" | "gif"): string {
  const number = { none: "none", turn: "turn", stone: "stone", here: "turn", last: "last" }[numbers.value];
  return withQuery(`/documents/${encodeURIComponent(id)}/nodes/${at}/picture`, {
    format,
    numbers: number,
    zone: String(layers.zone.value),
    coordinates: String(coordinates.value !== "off"),
    theme: { light: "wood", dark: "dark", contrast: "light" }[shownTheme.value],
    width: format === "svg" ? undefined : 1200,
  });
}

export async function exportAs(format: Export): Promise<void> {
  if (format === "print") return window.print();
  await afterEdits();
  const id = await ensureDocument();
  const here = node.value;
  if (id === null || here === null) return;
  if (format === "certificate") {
    const hash = here.verdict?.certificate ?? here.results.find((one) => one.certificate)?.certificate;
    if (hash) await download(`/proofs/${hash}/certificate`);
    else inform(W().noCertificate);
  } else if (format === "png" || format === "svg" || format === "gif") {
    await download(picturePath(id, here.id, format));
  } else {
    await download(withQuery(`/documents/${encodeURIComponent(id)}/export`, { format, node: here.id }));
  }
}

/** Copies text. Without access to the clipboard it falls back to a text area. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.appendChild(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) notify({ kind: "error", text: W().copyFailed, where: text.slice(0, 300) });
    return done;
  }
}
