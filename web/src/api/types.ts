// What the server says and understands: the types of the REST API and of the live messages.
// The server describes the same in /api/openapi.json (docs/openapi.json); a test compares the two.

/** The name of a square as everywhere in sixproof: `J10`, or `x,y` on an unbounded board. */
export type SquareName = string;
export type Color = "black" | "white";

/** Connect(m,n,k,p,q). `cols` and `rows` are 0 when the board is unbounded. */
export interface Game {
  /** `connect6`, `gomoku`, `9,9,5,1,1`, ...: what can be typed. */
  name: string;
  /** For people: `Connect6, 19 x 19`. */
  title: string;
  cols: number;
  rows: number;
  k: number;
  p: number;
  q: number;
  exact: boolean;
}

/** A position, with the numbers of the moves that led to it. */
export interface Position {
  black: SquareName[];
  white: SquareName[];
  toMove: Color;
  /** Stones left in the move at hand. */
  left: number;
  winner: Color | null;
  isFull: boolean;
  /** k in a row, if somebody has won. */
  winningSquares: SquareName[];
  /** The stones that were played, in order, each with the number of its move from 1. */
  played: { square: SquareName; color: Color; turn: number }[];
}

// --- Documents: game trees ------------------------------------------------------------------------

/** Nodes have numbers that are never used again; the root is 0. */
export type NodeId = number;

export interface DocumentSummary {
  id: string;
  title: string;
  game: Game;
  nodes: number;
  /** Grows with every change, undo and redo included. */
  revision: number;
  /** Milliseconds since 1970. */
  createdMs: number;
  changedMs: number;
}

export interface Document extends DocumentSummary {
  /** Facts such as player names: SGF's keys `PB`, `PW`, `EV`, `DT`, `PC`, `RE`, ... */
  info: { key: string; value: string }[];
  canUndo: boolean;
  canRedo: boolean;
  /** What undo and redo would do, in words: "move J10 K11"; null if nothing. */
  undoes: string | null;
  redoes: string | null;
  /** The same as data: the page says it in the reader's language. */
  undoDeed: Deed | null;
  redoDeed: Deed | null;
  /** Where the reader was last: kept with the document. */
  at: NodeId;
  /** What is not as it was when the document was kept, in sentences, and the same as data. */
  notes?: string[];
  noted?: Note[];
}

export type DeedKind =
  | "move"
  | "pass"
  | "delete"
  | "order"
  | "main-line"
  | "name"
  | "comment"
  | "label"
  | "mark"
  | "arrow"
  | "dim"
  | "setup"
  | "title"
  | "fact"
  | "paste"
  | "left-out";

/** What an edit did. */
export interface Deed {
  kind: DeedKind;
  squares: SquareName[];
  /** The number of the move at which something was said or drawn; 0 at the start. */
  turn: number | null;
  /** The nodes that came or went. */
  nodes: number | null;
  /** SGF's key of the fact that was said. */
  key: string | null;
}

export type MarkKind = "triangle" | "square" | "circle" | "cross";

/** One node of a game tree, with all that the board shows of it. */
export interface Node {
  id: NodeId;
  parent: NodeId | null;
  /** From the root to this node, both included. */
  path: NodeId[];
  /** The number of this node's move, 0 at the root. */
  turn: number;
  /** The stones of this node's move: usually p; fewer while a move is not complete. */
  stones: { square: SquareName; color: Color }[];
  /** Stones set up (or removed: color null) before them. */
  setup: { square: SquareName; color: Color | null }[];
  name: string;
  comment: string;
  labels: { square: SquareName; text: string }[];
  marks: { square: SquareName; kind: MarkKind }[];
  arrows: { from: SquareName; to: SquareName }[];
  dimmed: SquareName[];
  position: Position;
  /** The next moves that are stored, the main line first. */
  children: Child[];
  /** Index among the parent's children, and how many these are. */
  sibling: { index: number; count: number };
  results: Result[];
  /** What is known about this position, and how; null if nothing. */
  verdict: Verdict | null;
  /** Other nodes with the same position. Never merged. */
  links: Link[];
  /** The way to it in move notation. */
  moves: string;
}

export interface Child {
  id: NodeId;
  stones: SquareName[];
  color: Color | null;
  /** Nodes below it, itself included. */
  size: number;
  verdict: Verdict | null;
  /** One or two characters for the board: its label, or a, b, c ... */
  label: string;
}

export interface Link {
  node: NodeId;
  /** `same`: the same stones. `symmetric`: turned or mirrored. */
  kind: "same" | "symmetric";
  /** The way to it in move notation. */
  moves: string;
}

/** A fact: proved with a certificate, or decided by the rules. Never a percentage. */
export interface Verdict {
  winner: Color;
  /** `rules`: k in a row stand. `certificate`: proved. `inherited`: a stored move below (or the
   * proof of a node above, walked to this node) proves it. */
  because: "rules" | "certificate" | "inherited";
  /** The certificate, if there is one. */
  certificate: string | null;
  /** Where in that certificate this position is. */
  at: ProofPlace | null;
}

/** What a job found about the position of a node, and how. */
export interface Result {
  kind: JobKind;
  outcome: "proved" | "no-win" | "unknown" | "value" | "stopped" | "thrown-away";
  attacker: Color;
  /** One sentence for people. */
  text: string;
  /** The line found, moves of both sides from this position on. */
  line: SquareName[][];
  /** Several moves with their values, best first (analysis). */
  moves: Candidate[];
  /** Replies that a verification could not answer. */
  unsolved: SquareName[][];
  order: number | null;
  /** Nodes and seconds that it took. */
  nodes: number;
  seconds: number;
  limits: JobLimits;
  version: string;
  /** Its hash (BLAKE3, 64 hexadecimal digits): the certificate's name. */
  certificate: string | null;
  job: number;
  atMs: number;
}

export interface Candidate {
  squares: SquareName[];
  /** `win` and `loss` are facts or all that was tried; `value` is in hundredths of log-odds. */
  score: "win" | "loss" | "value";
  value: number;
  line: SquareName[][];
  reason: string;
  /** The same as data; null in results of earlier versions. */
  why: Why | null;
}

export type WhyKind = "completes" | "forces" | "book" | "blocks" | "defends" | "holds-out" | "searched" | "chosen";

/** Why a move is played. */
export interface Why {
  kind: WhyKind;
  /** Who moves. */
  by: Color;
  /** How many in a row win. */
  k: number;
  style: string;
  /** The order of the proof that the checker has accepted; null if nothing is proved. */
  order: number | null;
  /** Where the other side would begin a forced win. */
  danger: SquareName[];
}

// --- Edits. POST /api/documents/{id}/edits with one Edit; answer: Edited --------------------------

export type Edit =
  /** A move: all its stones at once, or fewer (an incomplete move). Goes to the child that has
   * these stones already, in any order, if there is one: then nothing changes. */
  | { edit: "move"; node: NodeId; squares: SquareName[] }
  | { edit: "pass"; node: NodeId }
  /** Deletes a node and all below it. */
  | { edit: "delete"; node: NodeId }
  /** Makes the node the first of its siblings (`up`: one place earlier, `main`: the whole path). */
  | { edit: "promote"; node: NodeId; how: "up" | "down" | "first" | "main" }
  /** `was`: the text that the writer saw when he began. If it is another one now, the edit is refused with
   * the kind `text-changed`. */
  | { edit: "name"; node: NodeId; text: string; was?: string }
  | { edit: "comment"; node: NodeId; text: string; was?: string }
  /** Empty text removes the label. */
  | { edit: "label"; node: NodeId; square: SquareName; text: string }
  /** kind null removes the mark. */
  | { edit: "mark"; node: NodeId; square: SquareName; kind: MarkKind | null }
  /** Drawn if it is not there, removed if it is. */
  | { edit: "arrow"; node: NodeId; from: SquareName; to: SquareName }
  | { edit: "dim"; node: NodeId; squares: SquareName[] }
  /** Set-up: the whole position of this node, as a new child if the node has a move or children. */
  | {
      edit: "setup";
      node: NodeId;
      black: SquareName[];
      white: SquareName[];
      toMove: Color;
      left: number;
    }
  | { edit: "info"; key: string; value: string }
  | { edit: "title"; text: string }
  /** Pastes a tree (SGF, or any text that can be opened) below a node. */
  | { edit: "paste"; node: NodeId; text: string };

export interface Edited {
  revision: number;
  /** Where to look now: the new or changed node. */
  node: NodeId;
  /** False if it was there already. */
  changed: boolean;
  /** What is not as a pasted text had it, in sentences. */
  notes: string[];
  /** The same as data. */
  noted: Note[];
}

/** POST /api/documents/open */
export interface Opened {
  document: Document;
  /** What it was: SGF, psq, certificate, ... */
  format: string;
  /** What is not as the file has it, in sentences, and the same as data. */
  notes: string[];
  noted: Note[];
  /** The number of games in the file. */
  games?: number;
}

export type NoteKind =
  | "off-board"
  | "out-of-turn"
  | "set-up"
  | "setup-left-out"
  | "facts-left-out"
  | "rules-differ"
  | "edit-left-out"
  | "numbers-inferred"
  | "more";

/** POST /api/collection: the games of a file. Opening takes one of them by its number. */
export interface GameSummary {
  /** From 1 on. */
  number: number;
  /** The name of the game, or the event; often empty. */
  title: string;
  /** null: the file has parameters that make none. */
  game: Game | null;
  black: string;
  white: string;
  /** In the words of the file: `B+`. */
  result: string;
  /** The moves of the main line. */
  moves: number;
}

/** Something that is not as a file had it. */
export interface Note {
  kind: NoteKind;
  /** The node of the file, as a path; or the number of an edit. */
  at: string | null;
  squares: SquareName[];
  /** The side that moves out of turn. */
  color: Color | null;
  /** SGF's keys of facts. */
  keys: string[];
  /** The rules of the file, in its own words. */
  rules?: string | null;
  /** Notes that are not told; or numbers that were inferred. */
  more: number;
}

// --- The tree pane. POST /api/documents/{id}/rows with RowsQuery; answer: Rows ---------------------
// A tree is shown as rows: the main line goes straight down, a variation is indented. A node with
// several children can be folded: then its side variations are hidden behind it.

export interface RowsQuery {
  from: number;
  count: number;
  /** Nodes that are folded otherwise than by default. */
  toggled: NodeId[];
  /** The node that must be visible (its folded ancestors are opened); its row is answered as `at`. */
  at: NodeId | null;
}

export interface Rows {
  revision: number;
  total: number;
  /** The row of the node asked for, -1 if none. */
  at: number;
  rows: Row[];
}

export interface Row {
  node: NodeId;
  indent: number;
  turn: number;
  color: Color | null;
  stones: SquareName[];
  text: string; // name or the beginning of the comment
  /** Side variations hidden or shown behind this row: 0 none. */
  branches: number;
  folded: boolean;
  verdict: Verdict | null;
  /** Whether other nodes have the same position. */
  linked: boolean;
  /** A proved win was thrown away with this move. */
  thrownAway: boolean;
}

// --- Finding. GET /api/documents/{id}/find?... -> Found ---------------------------------------------
// text= (name, comment, label), turn=, verdict=black|white|proved, square= (moves on it),
// position=NODE (same position as this node)

export interface Found {
  nodes: { node: NodeId; turn: number; moves: string; text: string }[];
  /** There are more than are listed. */
  more: boolean;
}

// --- What stands on the board: GET .../nodes/{n}/threats?side=both ------------------------------------

export interface Threats {
  sides: {
    color: Color;
    /** How many stones the other side needs to block all threats; null: more than can be counted. */
    number: number | null;
    threats: { squares: SquareName[]; empties: SquareName[] }[];
    patterns: {
      kind: "live" | "dead";
      l: number;
      squares: SquareName[];
      stones: SquareName[];
    }[];
    /** Squares that the other side must answer on, if he has to answer. */
    mustAnswer: SquareName[];
  }[];
}

// --- Proofs: certificates that the checker has verified -----------------------------------------------

/** A place in a certificate: a node of it, and Defender stones that stand outside of its zone. */
export interface ProofPlace {
  node: number;
  extra: SquareName[];
}

/** GET /api/proofs/{hash} */
export interface Proof {
  hash: string;
  game: Game;
  attacker: Color;
  /** The root. */
  position: Position;
  bytes: number;
  nodes: number;
  depth: number;
  /** Counts of the checker by kind. */
  counts: Record<string, number>;
}

/** GET /api/proofs/{hash}/places/{node}?extra=A1,B1 : the board at a place of the proof. */
export interface ProofNode {
  node: number;
  kind: "attack" | "win" | "defence";
  parent: number | null;
  /** Nodes from the root. */
  path: number[];
  /** The stones on the way, in order: `reply` may be empty (null move) or a macro. */
  line: { by: "attacker" | "defender"; squares: SquareName[] }[];
  position: Position;
  extra: SquareName[];
  zone: Zone;
  /** Attacker's move here, if it is his turn. */
  attack: SquareName[] | null;
  /** After an attack: the defence that follows it (a server may leave it out; then it is the next
   * node of the file unless a reference stands there). */
  next?: number | null;
  /** The longest line from here, for stepping through. */
  best: SquareName[][];
  /** At a defence: Attacker's threats that have to be blocked, and the replies that are answered. */
  threats: SquareName[][];
  replies: ProofReply[];
  text: string;
}

export interface ProofReply {
  node: number;
  squares: SquareName[];
  /** null, semi-null, full, macro (all blocks at once). */
  kind: "null" | "semi-null" | "full" | "macro";
  /** Stones that may stand anywhere outside of the zone. */
  slack: number;
  /** Attacker's answer. */
  answer: SquareName[];
  size: number;
}

export interface Zone {
  /** A: squares that Defender must not have. First layer, solid. */
  squares: SquareName[];
  /** Segments by level: S1 (one Defender stone in it matters), S2, ... Second layer, hatched. */
  segments: { ends: [SquareName, SquareName]; level: number; squares: SquareName[] }[];
  /** Union of squares and of all segments of level 1; and the squares of the higher levels. */
  solid: SquareName[];
  hatched: SquareName[];
}

/** POST /api/proofs/{hash}/answer {node, extra, squares}: what if Defender plays these stones here?
 * Fewer stones than a move are allowed: the rest stands anywhere outside. */
export interface AnswerQuery {
  node: number;
  extra: SquareName[];
  squares: SquareName[];
}

export interface Answer {
  /** `stands`: no stone is inside the zone, the proof stands as it is. `answered`: a reply covers
   * it. `too-late`: it does not block Attacker's threats. `incomplete`: more stones are needed
   * before a reply can be told (if `answer` is there, it holds wherever the rest stands outside).
   * `inside`: it is Attacker's turn, and only stones outside can be answered. `unknown`: the proof
   * is too large to tell its zone here. */
  verdict: "stands" | "answered" | "too-late" | "incomplete" | "inside" | "unknown";
  /** The reply that covers it. */
  reply: ProofReply | null;
  /** Attacker's move. */
  answer: SquareName[];
  /** Where the proof goes on, after Defender's stones (Attacker to move). */
  place: ProofPlace | null;
  /** A sentence: "K11 is a block of I8-N13; after L12 Black answers J9 H7". */
  text: string;
}

/** POST /api/proofs/{hash}/rows with ProofRowsQuery; answer: ProofRows. All is folded at first. */
export interface ProofRowsQuery {
  from: number;
  count: number;
  opened: number[];
  at: number | null;
}

export interface ProofRows {
  total: number;
  at: number;
  rows: ProofRow[];
}

export interface ProofRow {
  node: number;
  indent: number;
  /** A reply of Defender, and Attacker's answer to it; at the root only the answer. */
  reply: SquareName[] | null;
  answer: SquareName[];
  kind: ProofReply["kind"] | "root";
  /** Replies to the answer: 0 if no defence is left. */
  replies: number;
  folded: boolean;
  size: number;
  depth: number;
}

// --- Jobs -----------------------------------------------------------------------------------------------

export type JobKind = "solve" | "verify" | "prove" | "analyse" | "play" | "check";
export type JobState = "queued" | "running" | "paused" | "done" | "failed" | "cancelled";
/** What a job is about: one node, the line from the root through it to its end, all below, all. */
export type JobScope = "node" | "line" | "subtree" | "document";

export interface JobLimits {
  /** null: the usual of the command line. */
  order: number | null;
  nodes: number | null;
  seconds: number | null;
}

/** POST /api/jobs */
export interface JobOrder {
  kind: JobKind;
  document: string;
  node: NodeId;
  scope?: JobScope;
  /** Who is to win; the side to move if not said. */
  attacker?: Color | null;
  /** The move to verify; else the node's own last move. */
  squares?: SquareName[] | null;
  limits?: Partial<JobLimits>;
  /** -10 to 10, higher first; 0 if not said. */
  priority?: number;
  /** analyse and play */
  style?: string;
  level?: number;
  /** analyse: how many moves to compare, 1 to 10. */
  lines?: number;
  /** play: seconds left on the engine's clock, if there is one. */
  clockSeconds?: number | null;
}

/** GET /api/jobs, GET /api/jobs/{id}. POST /api/jobs/{id}/(pause|resume|cancel|repeat),
 * PUT /api/jobs/{id}/priority {priority}; DELETE /api/jobs/{id} forgets an ended one. */
export interface Job {
  id: number;
  kind: JobKind;
  state: JobState;
  document: string;
  documentTitle: string;
  node: NodeId;
  scope: JobScope;
  attacker: Color;
  squares: SquareName[] | null;
  limits: JobLimits;
  priority: number;
  style: string;
  level: number;
  lines: number;
  createdMs: number;
  startedMs: number | null;
  endedMs: number | null;
  /** Who works on it: `local`. */
  worker: string | null;
  /** When it was last heard of. */
  heartbeatMs: number | null;
  /** Positions done and to do, for scopes other than `node`. */
  done: number;
  total: number;
  progress: Progress | null;
  /** What came of it, or what went wrong, in a sentence. */
  text: string;
  result: Result | null;
  /** What was counted, if it was about several positions. */
  tally: Tally | null;
  /** What went wrong, as a name; not all have one. */
  problem: ProblemKind | null;
}

export interface Tally {
  /** Positions that were looked at, since the server was started. */
  positions: number;
  /** Those in which a side is proved to win. */
  wins: number;
  /** Moves that threw a proved win away. */
  thrownAway: number;
}

/** How far a search is: the fields of `sixproof prove --json`. */
export interface Progress {
  seconds: number;
  order: number;
  nodes: number;
  nodesPerSecond: number;
  /** null: infinite. */
  proof: number | null;
  disproof: number | null;
  proved: number;
  refuted: number;
  depth: number;
  line: SquareName[][];
  best: SquareName[][];
  memoryBytes: number;
  /** Replies found unsolved so far (verify). */
  unsolved: SquareName[][];
  /** Moves compared so far (analyse). */
  moves: Candidate[];
}

/** GET /api/jobs/{id}/tree: the proof-number tree of a search, its most important nodes. */
export interface SearchTree {
  /** Counts up when it has changed. */
  version: number;
  /** All nodes of the search's tree; listed are at most 2,000. */
  size: number;
  nodes: SearchNode[];
}

export interface SearchNode {
  /** Index of the parent in the list; -1 at the root. Parents come before their children. */
  parent: number;
  by: "attacker" | "defender";
  squares: SquareName[];
  proof: number | null;
  disproof: number | null;
  state: "open" | "proved" | "refuted" | "running";
  /** Whether the most-proving line goes through it (the last such node is the critical leaf). */
  critical: boolean;
  /** Children that are not listed. */
  hidden: number;
}

// --- Playing: GET /api/players -> Players ---------------------------------------------------------------

export interface Players {
  styles: NamedStyle[];
  levels: number;
  defaultLevel: number;
}

export interface NamedStyle {
  name: string;
  about: string;
}

// --- The farm: GET /api/farm -> FarmStatus, asked while somebody looks --------------------------------------

/** What `sixproof farm status` shows. */
export interface FarmStatus {
  /** null: the editor was started without a farm. */
  farm: Farm | null;
}

export interface Farm {
  /** The NATS server, as it was given with `--farm`. */
  url: string;
  connected: boolean;
  /** The command that lets another machine join. */
  join: string;
  /** Why it is not connected, or what else is wrong, in a sentence. */
  problem: string | null;
  managers: FarmManager[];
  /** What an operator should know. */
  warnings?: FarmWarning[];
}

export interface FarmWarning {
  /** `tooManyWorkers`, `streamMissing`, `openServer`, `workerDropped`, ... */
  kind: string;
  /** One sentence for people. */
  text: string;
  count?: number | null;
}

/** A search that lends its jobs to workers. */
export interface FarmManager {
  /** 32 hexadecimal digits. */
  id: string;
  title: string;
  /** How long it has been there. */
  for_seconds: number;
  queued: number;
  running: number;
  /** Answered, and being checked. */
  judging: number;
  done: number;
  /** The age of the oldest job that is not done; null or 0: there is none. */
  oldest_seconds: number | null;
  jobs_per_second: number;
  nodes_per_second: number;
  /** Jobs that were tried too often. */
  given_up: number;
  /** All workers that are there, and their cores; the list may be shorter. */
  worker_count?: number;
  core_count?: number;
  /** Answers without a certificate that are in use, and how many of them were done again. */
  uncertified?: number;
  done_again?: number;
  workers: FarmWorker[];
}

/** `lost`: not heard of for a while. `refused`: never let in. `dropped`: its proof was wrong. */
export type FarmWorkerState = "working" | "idle" | "lost" | "refused" | "dropped";

export interface FarmWorker {
  /** 32 hexadecimal digits. */
  id: string;
  name: string;
  cores: number;
  state: FarmWorkerState;
  /** Why it was refused or dropped, in a sentence. */
  why: string | null;
  running: number;
  done: number;
  nodes: number;
  nodes_per_second: number;
  /** Since it was last heard of. */
  seen_seconds: number;
}

// --- Other ----------------------------------------------------------------------------------------------

/** GET /api/status */
export interface Status {
  version: string;
  /** Another one after a restart of the server. */
  epoch: string;
  /** The file that keeps everything, or null if nothing is kept. */
  store: string | null;
  threads: number;
  sequence: number;
}

/** GET /api/names: games and positions that have a name, and the puzzle of the first page. */
export interface Names {
  games: { name: string; about: string; game: Game }[];
  positions: { name: string; about: string; game: string; moves: string }[];
}

/** GET /api/puzzle */
export interface Puzzle {
  /** What to ask, e.g. which side. The page has the words. */
  attacker: Color;
  /** A document holds it. */
  document: string;
  node: NodeId;
}

/** Errors are `application/problem+json` with a fitting status. */
export interface Problem {
  status: number;
  /** What was wrong. */
  title: string;
  /** What to do, if there is something to say. */
  help: string | null;
  /** Where in the input: the line with a caret below, if it was text. */
  where: string | null;
  /** What was wrong, as a name: the page says it in the reader's language. Not all have one. */
  kind: ProblemKind | null;
  /** The text that stands there, if a text was changed meanwhile. */
  present?: string | null;
}

export type ProblemKind =
  | "certificate-rejected"
  | "certificate-unreadable"
  | "document-full"
  | "document-gone"
  | "empty"
  | "game-over"
  | "internal"
  | "job-ended"
  | "job-gone"
  | "job-runs"
  | "jobs-full"
  | "limit-out-of-range"
  | "move-incomplete"
  | "newer-version"
  | "no-certificate"
  | "no-move"
  | "no-position"
  | "node-gone"
  | "nothing-to-redo"
  | "nothing-to-undo"
  | "other-game"
  | "other-rules"
  | "root"
  | "square-taken"
  | "text-changed"
  | "token-needed"
  | "too-large"
  | "too-many-stones"
  | "unknown-format"
  | "unknown-game"
  | "unknown-position"
  | "unreadable";

// --- Live: GET /api/live (WebSocket), GET /api/events (server-sent events) --------------------------------
// The page sends one message after connecting: {"after": N, "epoch": E} (N: the last sequence
// number it has seen, 0 at first). The server answers with `hello`, then everything after N that it
// still has; or `reset` if it has not (or was restarted): then the page asks for all again.

export type Live =
  | { seq: number; event: "hello"; epoch: string; version: string }
  | { seq: number; event: "reset"; epoch: string }
  | { seq: number; event: "document"; document: string; revision: number; nodes: NodeId[]; removed: boolean }
  | { seq: number; event: "job"; job: Job }
  | { seq: number; event: "jobs-removed"; jobs: number[] }
  /** A node's results or verdict changed. */
  | { seq: number; event: "result"; document: string; node: NodeId }
  | { seq: number; event: "ping" };
