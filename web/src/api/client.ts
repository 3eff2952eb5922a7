// Calls of the REST API. Every failure is a `Failure` with a sentence to show: the server refused the request, or
// did not answer.
import type {
  Document,
  DocumentSummary,
  Edit,
  Edited,
  Found,
  Game,
  GameSummary,
  Names,
  Node,
  NodeId,
  Opened,
  Position,
  Problem,
  ProblemKind,
  Rows,
  RowsQuery,
  Status,
} from "./types";

/** `textChanged` and `text-changed` are one kind. */
export const kebab = (kind: string): string => kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The error of a call: the server's Problem, or status 0 if there was no answer. */
export class Failure extends Error {
  readonly status: number;
  readonly help: string | null;
  readonly where: string | null;
  readonly kind: ProblemKind | null;
  readonly present: string | null;
  constructor(problem: Problem) {
    super(problem.title);
    this.name = "Failure";
    this.status = problem.status;
    this.help = problem.help;
    this.where = problem.where;
    this.kind = problem.kind === null ? null : (kebab(problem.kind) as ProblemKind);
    this.present = problem.present;
  }
}

/** Below the page's own address, so that it works behind any prefix. */
export const apiUrl = (path: string): string => `api${path}`;

/** An address with the parameters that are not undefined. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const parts = Object.entries(query)
    .filter((entry): entry is [string, string | number] => entry[1] !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

/** A problem of which only the title is known. */
const problem = (status: number, title: string): Problem => ({
  status,
  title,
  help: null,
  where: null,
  kind: null,
  present: null,
});

async function problemOf(response: Response): Promise<Problem> {
  const plain = problem(response.status, response.statusText);
  if (!response.headers.get("content-type")?.includes("json")) return plain;
  const body = (await response.json().catch(() => null)) as Partial<Problem> | null;
  return { ...plain, ...body, status: response.status } as Problem;
}

/** One request; throws a Failure unless the answer is 2xx. */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(apiUrl(path), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure(problem(0, "The server cannot be reached."));
  }
  if (!response.ok) throw new Failure(await problemOf(response));
  return response;
}

/** Reads JSON. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, signal ? { signal } : undefined)).json() as Promise<T>;
}

/** Reads text. */
export const getText = async (path: string): Promise<string> => (await request(path)).text();

/** Sends JSON (or nothing) and reads JSON, or null if the answer is empty. */
export async function send<T>(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  options: RequestInit = {},
): Promise<T> {
  const init: RequestInit = { ...options, method };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "content-type": "application/json" };
  }
  const text = await (await request(path, init)).text();
  return (text === "" ? null : JSON.parse(text)) as T;
}

async function sendBytes<T>(path: string, bytes: BodyInit): Promise<T> {
  const headers = { "content-type": "application/octet-stream" };
  return (await request(path, { method: "POST", body: bytes, headers })).json() as Promise<T>;
}

const of = (id: string): string => `/documents/${encodeURIComponent(id)}`;

/** The calls that are used in more than one place, by name. */
export const api = {
  status: () => get<Status>("/status"),
  names: () => get<Names>("/names"),
  documents: () => get<DocumentSummary[]>("/documents"),
  document: (id: string) => get<Document>(of(id)),
  create: (body: { game?: string; position?: string; title?: string }) => send<Document>("POST", "/documents", body),
  /** `number`: the game of a collection to open. `anyway`: open the file although its rules are not known. */
  open: (bytes: BodyInit, name: string, { number, anyway }: { number?: number; anyway?: boolean } = {}) =>
    sendBytes<Opened>(
      withQuery("/documents/open", { name, format: "auto", number, anyway: anyway ? "true" : undefined }),
      bytes,
    ),
  collection: (bytes: BodyInit) => sendBytes<GameSummary[]>("/collection", bytes),
  remove: (id: string) => send<null>("DELETE", of(id)),
  at: (id: string, node: NodeId) => send<null>("PUT", `${of(id)}/at`, { node }),
  edit: (id: string, edit: Edit, options?: RequestInit) => send<Edited>("POST", `${of(id)}/edits`, edit, options),
  undo: (id: string) => send<Edited>("POST", `${of(id)}/undo`),
  redo: (id: string) => send<Edited>("POST", `${of(id)}/redo`),
  rows: (id: string, query: RowsQuery) => send<Rows>("POST", `${of(id)}/rows`, query),
  find: (id: string, query: Record<string, string | number | undefined>) =>
    get<Found>(withQuery(`${of(id)}/find`, query)),
  /** `or`: the nodes to take if this one is gone; the server takes the first that exists. */
  node: (id: string, node: NodeId, or: readonly NodeId[] = []) =>
    get<Node>(withQuery(`${of(id)}/nodes/${node}`, { or: or.length > 0 ? or.join(",") : undefined })),
  subtree: (id: string, node: NodeId) => getText(`${of(id)}/nodes/${node}/sgf`),
  position: (game: string, text: string) =>
    send<{ game: Game; position: Position }>("POST", "/positions", { game, text }),
};
