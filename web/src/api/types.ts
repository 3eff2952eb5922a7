// The types of the REST API, made from docs/openapi.json by `npm run api`. Do not edit.

/** What if Defender plays these stones here? */
export type AnswerQuery = {
  extra?: SquareName[];
  node: number;
  /** A move, or its first stones. */
  squares: SquareName[];
};

/** How a proof takes stones of Defender. */
export type AnswerVerdict = "stands" | "answered" | "too-late" | "incomplete" | "inside" | "unknown";

/** An arrow. */
export type Arrow = { from: SquareName; to: SquareName };

/** Where the reader is. */
export type At = { node: NodeId };

/** How it is known who wins. */
export type Because = "rules" | "certificate" | "inherited";

/** A move that an analysis compares. */
export type Candidate = {
  line: string[][];
  /** Why, in a sentence. */
  reason: string;
  score: ScoreName;
  squares: string[];
  /** In hundredths of log-odds. */
  value: number;
  /** The same as data; not in results of earlier versions. */
  why: Why | null;
};

/** A next move. */
export type Child = {
  color: Color | null;
  id: NodeId;
  /** What to write on its square. */
  label: string;
  /** Nodes below it, itself included. */
  size: number;
  stones: SquareName[];
  verdict: Verdict | null;
};

/** A side. */
export type Color = "black" | "white";

/** What an edit did. */
export type Deed = {
  /** SGF's key of the fact that was said. */
  key: string | null;
  kind: DeedKind;
  /** The nodes that came or went. */
  nodes: number | null;
  /** The squares that it is about. */
  squares: SquareName[];
  /** The number of the move at which something was said or drawn; 0 at the start. */
  turn: number | null;
};

/** What was done. */
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

/** A document: a game tree. */
export type Document = DocumentSummary & {
  /** Where the reader was last. */
  at: NodeId;
  canRedo: boolean;
  canUndo: boolean;
  /** Facts about the game, by SGF's keys. */
  info: Fact[];
  /** The same as data. */
  noted: Note[];
  /** What is not as it was when the document was kept, in sentences: hardly ever anything. */
  notes: string[];
  redoDeed: Deed | null;
  redoes: string | null;
  /** The same as data. */
  undoDeed: Deed | null;
  /** What undo would take back, in words. */
  undoes: string | null;
};

/** A document, in short. */
export type DocumentSummary = {
  changedMs: number;
  /** Milliseconds since 1970. */
  createdMs: number;
  game: Game;
  id: string;
  nodes: number;
  /** Grows with every change. */
  revision: number;
  title: string;
};

/** Something to be done to a document. */
export type Edit =
  /** A move: all its stones, or fewer. Leads to the child that has them already. */
  | { edit: "move"; node: NodeId; squares: SquareName[] }
  /** The side to move places nothing. */
  | { edit: "pass"; node: NodeId }
  /** A node and all below it. */
  | { edit: "delete"; node: NodeId }
  | { edit: "promote"; how: Promotion; node: NodeId }
  | {
      edit: "name";
      node: NodeId;
      text: string;
      /** The name that the writer saw: if it is another one by now, the edit is refused. */
      was?: string | null;
    }
  | {
      edit: "comment";
      node: NodeId;
      text: string;
      /** The comment that the writer saw: if it is another one by now, the edit is refused. */
      was?: string | null;
    }
  /** An empty text removes the label. */
  | { edit: "label"; node: NodeId; square: SquareName; text: string }
  /** No kind removes the mark. */
  | { edit: "mark"; kind?: MarkKind | null; node: NodeId; square: SquareName }
  /** Drawn, or removed if it is there. */
  | { edit: "arrow"; from: SquareName; node: NodeId; to: SquareName }
  /** These squares are shown pale, and no others. */
  | { edit: "dim"; node: NodeId; squares: SquareName[] }
  /** The whole position of a node; of a new child if the node has a move or children. */
  | { black: SquareName[]; edit: "setup"; left: number; node: NodeId; toMove: Color; white: SquareName[] }
  /** A fact about the game, by SGF's key. */
  | { edit: "info"; key: string; value: string }
  | { edit: "title"; text: string }
  /** A tree as text, in any format that can be read, below a node. */
  | { edit: "paste"; node: NodeId; text: string };

/** What an edit did. */
export type Edited = {
  /** False if all was so already. */
  changed: boolean;
  /** Where to look now. */
  node: NodeId;
  /** The same as data. */
  noted: Note[];
  /** What is not as a pasted text had it, in sentences. */
  notes: string[];
  revision: number;
};

/** A fact about a game. */
export type Fact = { key: string; value: string };

/** The farm, if there is one. */
export type FarmAnswer = {
  /** None if the editor was started without `--farm`. */
  farm: FarmView | null;
};

/** The view of a farm. */
export type FarmView = {
  /** Whether the server answers. */
  connected: boolean;
  /** The command that joins another machine. */
  join: string;
  /** The searches that use the farm. */
  managers: ManagerView[];
  /** The problem, if there is one. */
  problem: string | null;
  /** The address of the server, without secrets. */
  url: string;
  /** Warnings about the server and all searches. */
  warnings: WarningView[];
};

/** What was found. */
export type Found = {
  /** There are more than are listed. */
  more: boolean;
  nodes: FoundNode[];
};

/** A node that was found. */
export type FoundNode = { moves: string; node: NodeId; text: string; turn: number };

/** Connect(m,n,k,p,q). `cols` and `rows` are 0 when the board is unbounded. */
export type Game = {
  cols: number;
  exact: boolean;
  k: number;
  /** What can be typed: `connect6`, `9,9,5,1,1`. */
  name: string;
  p: number;
  q: number;
  rows: number;
  /** For people. */
  title: string;
};

/** A game of a file, in a list to choose from. */
export type GameSummary = {
  black: string;
  /** The game; null where the file has parameters that make none. */
  game: Game | null;
  /** The moves of the main line. */
  moves: number;
  /** From 1: what `number` of `documents/open` means. */
  number: number;
  /** The result in the words of the file: `B+`. */
  result: string;
  /** The name of the game, else the event and the round; often empty. */
  title: string;
  white: string;
};

/** A job, with all that is known of it. */
export type Job = {
  attacker: Color;
  createdMs: number;
  document: string;
  documentTitle: string;
  /** Positions done and to do. */
  done: number;
  endedMs: number | null;
  /** When it was last heard of. */
  heartbeatMs: number | null;
  id: JobId;
  kind: JobKind;
  level: number;
  limits: JobLimits;
  lines: number;
  node: NodeId;
  priority: number;
  /** What went wrong, as a name; not all have one. */
  problem: ProblemKind | null;
  progress: Progress | null;
  result: Result | null;
  scope: JobScope;
  squares: string[] | null;
  startedMs: number | null;
  state: JobState;
  style: string;
  /** What was counted, if it was about several positions. */
  tally: Tally | null;
  /** What came of it, or what went wrong, in a sentence. */
  text: string;
  total: number;
  /** Who works on it: `local`. */
  worker: string | null;
};

/** What is to be done. */
export type JobKind = "solve" | "verify" | "prove" | "analyse" | "play" | "check";

/** What a job may take; what is not limited is the usual. */
export type JobLimits = { nodes?: number | null; order?: number | null; seconds?: number | null };

/** What somebody wants to be done. `POST /api/jobs` */
export type JobOrder = {
  /** Who is to win; the side to move if not said. */
  attacker?: Color | null;
  /** Seconds left on the engine's clock, if there is one. */
  clockSeconds?: number | null;
  document: string;
  kind: JobKind;
  level?: number | null;
  limits?: JobLimits;
  /** How many moves to compare, 1 to 10. */
  lines?: number | null;
  node: NodeId;
  /** -10 to 10, higher first. */
  priority?: number;
  scope?: JobScope;
  /** The move to verify; else the node's own last move. */
  squares?: string[] | null;
  style?: string | null;
};

/** What a job found, in a word. */
export type JobOutcome = "proved" | "no-win" | "unknown" | "value" | "stopped" | "thrown-away";

/** What a job is about: one node, the line from the root through it to its end, all below, all. */
export type JobScope = "node" | "line" | "subtree" | "document";

/** Where a job is. */
export type JobState = "queued" | "running" | "paused" | "done" | "failed" | "cancelled";

/** A label on a square. */
export type Label = { square: SquareName; text: string };

/** Another node with the same position. */
export type Link = { kind: LinkKind; moves: string; node: NodeId };

/** How two positions are the same. */
export type LinkKind = "same" | "symmetric";

/** A search that uses the farm. */
export type ManagerView = {
  /** The cores of all present workers. */
  core_count: number;
  /** Answered jobs. */
  done: number;
  /** How many of these an audit has confirmed. */
  done_again: number;
  /** Time since its start. */
  for_seconds: number;
  /** Jobs given up. */
  given_up: number;
  /** The id of its manager. */
  id: string;
  /** Answered jobs per second, over the last minute. */
  jobs_per_second: number;
  /** Jobs whose results are being judged. */
  judging: number;
  /** Nodes per second, over the last minute. */
  nodes_per_second: number;
  /** The age of the oldest open job. */
  oldest_seconds: number;
  /** Queued jobs. */
  queued: number;
  /** Running jobs. */
  running: number;
  /** What it searches. */
  title: string;
  /** Answers without a certificate in use. */
  uncertified: number;
  /** The number of present workers; the list may be shorter. */
  worker_count: number;
  /** Its workers, including lost and dropped ones. */
  workers: WorkerView[];
};

/** The sign on a marked square. */
export type MarkKind = "triangle" | "square" | "circle" | "cross";

/** A marked square. */
export type Marked = { kind: MarkKind; square: SquareName };

/** A game that has a name. */
export type NamedGame = { about: string; game: Game; name: string };

/** A position that has a name. */
export type NamedPosition = { about: string; game: string; moves: string; name: string };

/** A way of playing. */
export type NamedStyle = { about: string; name: string };

/** Games and positions that have a name. */
export type Names = { games: NamedGame[]; positions: NamedPosition[] };

/** A document that is to be made. */
export type NewDocument = {
  /** A game, by name or m,n,k,p,q; else Connect6. */
  game?: string | null;
  /** A named position, moves, a diagram. */
  position?: string | null;
  title?: string | null;
};

/** One node of a game tree, with all that the board shows of it. */
export type Node = {
  arrows: Arrow[];
  /** The next moves, the main line first. */
  children: Child[];
  comment: string;
  dimmed: SquareName[];
  id: NodeId;
  labels: Label[];
  /** Other nodes with the same position. */
  links: Link[];
  marks: Marked[];
  /** The way to it in move notation. */
  moves: string;
  name: string;
  parent: NodeId | null;
  /** From the root to this node, both included. */
  path: NodeId[];
  position: Position;
  /** What jobs found about its position. */
  results: Result[];
  setup: SetUp[];
  sibling: Sibling;
  stones: Stone[];
  /** The number of its move, 0 at the root. */
  turn: number;
  verdict: Verdict | null;
};

/** Something that is not as a file had it. */
export type Note = {
  /** The node of the file, as a path; or the number of an edit. */
  at: string | null;
  /** The side that moves out of turn. */
  color: Color | null;
  /** SGF's keys of facts. */
  keys: string[];
  kind: NoteKind;
  /** Notes that are not told; or numbers that were inferred. */
  more: number;
  /** The rules of the file, in its own words. */
  rules: string | null;
  squares: SquareName[];
};

/** What is not as a file had it. */
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

/** A file that was opened. */
export type Opened = {
  document: Document;
  /** What it was: SGF, psq, certificate … */
  format: string;
  /** The number of games in the file. */
  games: number;
  /** The same as data. */
  noted: Note[];
  /** What is not as the file has it, in sentences. */
  notes: string[];
};

/** A live-l or dead-l of a line. */
export type Pattern = { kind: PatternName; l: number; squares: SquareName[]; stones: SquareName[] };

/** Live or dead. */
export type PatternName = "live" | "dead";

/** A stone that was played. */
export type Played = {
  color: Color;
  square: SquareName;
  /** The number of its move, from 1. */
  turn: number;
};

/** Who can be played against. */
export type Players = {
  defaultLevel: number;
  /** Levels of the style sixproof, from 1. */
  levels: number;
  styles: NamedStyle[];
};

/** A position, with the moves that led to it. */
export type Position = {
  black: SquareName[];
  isFull: boolean;
  /** Stones left in the move at hand. */
  left: number;
  /** The stones that were played, in order. */
  played: Played[];
  toMove: Color;
  white: SquareName[];
  winner: Color | null;
  /** k in a row, if somebody has won. */
  winningSquares: SquareName[];
};

/** How urgent a job is. */
export type Priority = {
  /** -10 to 10, higher first. */
  priority: number;
};

/** The answer to a request that failed. */
export type Problem = {
  /** What to do. */
  help: string | null;
  /** The kind of problem, for clients that show it in another language; some problems have none. */
  kind: ProblemKind | null;
  /** The text that is there now, where an edit would have replaced another one (`text-changed`). */
  present: string | null;
  /** The status of the answer. */
  status: number;
  /** What was wrong. */
  title: string;
  /** The line of the input with a caret below. */
  where: string | null;
};

/** The kinds of problems that the page can meet. */
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

/** How far a search is. */
export type Progress = {
  best: string[][];
  depth: number;
  disproof: number | null;
  line: string[][];
  memoryBytes: number;
  /** Moves compared so far (analyse). */
  moves: Candidate[];
  nodes: number;
  nodesPerSecond: number;
  order: number;
  /** None: infinite. */
  proof: number | null;
  proved: number;
  refuted: number;
  seconds: number;
  /** Replies found unsolved so far (verify). */
  unsolved: string[][];
};

/** How a node changes its place among its siblings. */
export type Promotion = "up" | "down" | "first" | "main";

/** A certificate that the checker has verified. */
export type Proof = {
  attacker: Color;
  bytes: number;
  counts: ProofCounts;
  /** Defender's moves in the longest line. */
  depth: number;
  game: Game;
  /** The BLAKE3 hash of the certificate, its name here. */
  hash: string;
  nodes: number;
  /** What is proved to be won. */
  position: Position;
};

/** What the proof says to stones of Defender. */
export type ProofAnswer = {
  /** Attacker's move. */
  answer: SquareName[];
  /** Where the proof goes on, with Attacker to move. */
  place: ProofPlace | null;
  /** The reply that covers them. */
  reply: ProofReply | null;
  /** The same in a sentence. */
  text: string;
  verdict: AnswerVerdict;
};

/** The independent checker read a certificate once more. */
export type ProofChecked = { nodes: number; seconds: number; verified: boolean };

/** What the checker counted. */
export type ProofCounts = {
  attacks: number;
  defences: number;
  fullReplies: number;
  macroReplies: number;
  nullReplies: number;
  semiNullReplies: number;
  wins: number;
};

/** A move of a proof. */
export type ProofMove = { by: Role; squares: SquareName[] };

/** The board at a place of the proof. */
export type ProofNode = {
  /** Attacker's move, if it is his turn. */
  attack: SquareName[] | null;
  /** The longest line from here on. */
  best: SquareName[][];
  extra: SquareName[];
  kind: ProofNodeKind;
  /** The moves on the way. */
  line: ProofMove[];
  /** The defence after an attack. */
  next: number | null;
  node: number;
  parent: number | null;
  /** From the root to this node, both included. */
  path: number[];
  position: Position;
  replies: ProofReply[];
  /** The same in a sentence. */
  text: string;
  /** Attacker's threats that have to be blocked: their empty squares. */
  threats: SquareName[][];
  zone: Zone;
};

/** What a node of a proof is. */
export type ProofNodeKind = "attack" | "win" | "defence";

/** A place in a certificate: a node of it, and Defender stones that stand outside of its zone. */
export type ProofPlace = { extra: SquareName[]; node: number };

/** A reply of Defender that is answered. */
export type ProofReply = {
  /** Attacker's move against it. */
  answer: SquareName[];
  kind: ReplyKind;
  /** The node after it, with Attacker to move. */
  node: number;
  /** Nodes of the proof from there on. */
  size: number;
  /** So many further stones may stand anywhere outside of the zone. */
  slack: number;
  squares: SquareName[];
};

/** A reply of Defender, and Attacker's answer to it. */
export type ProofRow = {
  answer: SquareName[];
  depth: number;
  folded: boolean;
  indent: number;
  kind: ReplyKind;
  node: number;
  /** Replies to the answer: 0 if there is no defence left. */
  replies: number;
  /** None at the root. */
  reply: SquareName[] | null;
  size: number;
};

/** A window of the rows of a proof. */
export type ProofRows = {
  /** The row of the node asked for, or -1. */
  at: number;
  rows: ProofRow[];
  total: number;
};

/** Which rows of the proof are asked for. */
export type ProofRowsQuery = {
  /** A node that must be visible. */
  at?: number | null;
  count: number;
  from: number;
  /** Rows that are open; all others are folded. */
  opened?: number[];
};

/** A certificate was taken in. */
export type ProofTaken = { proof: Proof };

/** The puzzle of the first page. */
export type Puzzle = {
  /** Who is to move, and wins. */
  attacker: Color;
  /** The document that holds it. */
  document: string;
  node: number;
};

/** A position that was typed. */
export type Read = { game: Game; position: Position };

/** What the stones of a reply are, compared with those of a move. */
export type ReplyKind = "root" | "null" | "semi-null" | "full" | "macro";

/** What a job found about the position of a node, and how. */
export type Result = {
  atMs: number;
  attacker: Color;
  /** BLAKE3 of the certificate's bytes, 64 hexadecimal digits. */
  certificate: string | null;
  job: JobId;
  kind: JobKind;
  limits: JobLimits;
  /** The line found, moves of both sides from this position on. */
  line: string[][];
  /** Several moves with their values, best first (analysis). */
  moves: Candidate[];
  nodes: number;
  order: number | null;
  outcome: JobOutcome;
  seconds: number;
  /** One sentence for people. */
  text: string;
  /** Replies that a verification could not answer. */
  unsolved: string[][];
  version: string;
};

/** Who moves in a proof. */
export type Role = "attacker" | "defender";

/** A row of the tree: a node. */
export type Row = {
  /** Side variations behind it. */
  branches: number;
  color: Color | null;
  folded: boolean;
  indent: number;
  /** Whether other nodes have the same position. */
  linked: boolean;
  node: NodeId;
  stones: SquareName[];
  text: string;
  /** A proved win was thrown away with this move. */
  thrownAway: boolean;
  turn: number;
  verdict: Verdict | null;
};

/** A window of the rows of the tree. */
export type Rows = {
  /** The row of the node asked for, or -1. */
  at: number;
  revision: number;
  rows: Row[];
  total: number;
};

/** Which rows of the tree are asked for. */
export type RowsQuery = {
  /** A node that must be visible. */
  at?: NodeId | null;
  count: number;
  from: number;
  /** Nodes that are folded otherwise than by default. */
  toggled?: NodeId[];
};

/** What a move is worth. */
export type ScoreName = "win" | "loss" | "value";

/** One node of it. */
export type SearchNode = {
  by: Role;
  /** Whether the most-proving line goes through it. */
  critical: boolean;
  disproof: number | null;
  /** Children that are not listed. */
  hidden: number;
  /** Index of the parent in the list; -1 at the root. */
  parent: number;
  proof: number | null;
  squares: string[];
  state: SearchState;
};

/** What is known of a node of a search. */
export type SearchState = "open" | "proved" | "refuted" | "running";

/** The proof-number tree of a search, its most important nodes. */
export type SearchTree = {
  nodes: SearchNode[];
  /** All nodes of the search's tree; listed are at most 2,000. */
  size: number;
  /** Counts up when it has changed. */
  version: number;
};

/** A stone that a node sets up, or a square that it empties. */
export type SetUp = { color: Color | null; square: SquareName };

/** A place among siblings. */
export type Sibling = { count: number; index: number };

/** What a side threatens. */
export type SideThreats = {
  color: Color;
  /** Squares on which the other side has to answer. */
  mustAnswer: SquareName[];
  /** How many stones it takes to block all threats; null if that takes too long to find out. */
  number: number | null;
  /** What one move makes into threats. */
  patterns: Pattern[];
  threats: Threat[];
};

/** The server. */
export type Status = {
  /** Another one after a restart. */
  epoch: string;
  /** The number of the last live message. */
  sequence: number;
  /** The file that keeps everything; none if nothing is kept. */
  store: string | null;
  threads: number;
  version: string;
};

/** A stone that a node plays. */
export type Stone = { color: Color; square: SquareName };

/** The name of a square: `J10`, or `x,y` on an unbounded board. */
export type SquareName = string;

/** What a job about several positions has counted. */
export type Tally = {
  /** Positions that were looked at, since the server was started. */
  positions: number;
  /** Moves that threw a proved win away. */
  thrownAway: number;
  /** Those in which a side is proved to win. */
  wins: number;
};

/** A segment that one move completes. */
export type Threat = { empties: SquareName[]; squares: SquareName[] };

/** What both sides threaten. */
export type Threats = {
  /** Black, then White; nobody when the game is over. */
  sides: SideThreats[];
};

/** A position as text. */
export type Typed = {
  /** The game, where the text does not say it. */
  game?: string | null;
  /** A name, a game, moves, a diagram, SGF. */
  text: string;
};

/** Who wins: a fact. */
export type Verdict = {
  /** Where in it this position is. */
  at: ProofPlace | null;
  because: Because;
  /** The hash of the certificate. */
  certificate: string | null;
  winner: Color;
};

/** A warning for the operator. */
export type WarningView = {
  /** The number of events or workers, if there is something to count. */
  count: number | null;
  /** `tooManyWorkers`, `noAnswers`, `workerDropped`, `streamMissing`, `jobsLost` or `openServer`. */
  kind: string;
  /** A sentence in English. */
  text: string;
};

/** Why a move is played, as data: the page says it in the language of its reader. */
export type Why = {
  /** Who moves. */
  by: Color;
  /** Where the other side would begin a forced win. */
  danger: string[];
  /** How many in a row win. */
  k: number;
  kind: WhyKind;
  /** The order of the proof that the checker has accepted; none if nothing is proved. */
  order: number | null;
  style: string;
};

/** Where a move comes from. */
export type WhyKind = "completes" | "forces" | "book" | "blocks" | "defends" | "holds-out" | "searched" | "chosen";

/** The state of a worker. */
export type WorkerState = "working" | "idle" | "lost" | "dropped";

/** A worker of a search. */
export type WorkerView = {
  /** The number of jobs that it does at once. */
  cores: number;
  /** Jobs since its start. */
  done: number;
  /** Its id; empty for a dropped worker. */
  id: string;
  /** Its name. */
  name: string;
  /** Nodes since its start. */
  nodes: number;
  /** Nodes per second. */
  nodes_per_second: number;
  /** The number of its running jobs. */
  running: number;
  /** Time since its last message. */
  seen_seconds: number;
  /** Its state. */
  state: WorkerState;
  /** Why it was dropped. */
  why: string | null;
};

/** What a proof depends on. */
export type Zone = {
  /** The second layer: squares of segments of higher levels alone. */
  hatched: SquareName[];
  /** S1, S2, …: segments, and how many Defender stones in one matter. */
  segments: ZoneSegment[];
  /** The first layer: squares of A and of segments of level 1. */
  solid: SquareName[];
  /** A: squares that Defender must not have. */
  squares: SquareName[];
};

/** A segment of a zone. */
export type ZoneSegment = { ends: SquareName[]; level: number; squares: SquareName[] };

/** The number of a node of a document. It is never used again; the root is 0. */
export type NodeId = number;

/** The number of a job. */
export type JobId = number;
