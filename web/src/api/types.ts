// The types of the REST API, made from docs/openapi.json by `npm run api`. Do not edit.

/** A question: how does the proof answer these stones of Defender? */
export type AnswerQuery = {
  extra?: SquareName[];
  node: number;
  /** A move, or its first stones. */
  squares: SquareName[];
};

/** The kinds of answers of a proof to stones of Defender. */
export type AnswerVerdict = "stands" | "answered" | "too-late" | "incomplete" | "inside" | "unknown";

/** An arrow. */
export type Arrow = { from: SquareName; to: SquareName };

/** The node where the reader is. */
export type At = { node: NodeId };

/** The reason for a verdict. */
export type Because = "rules" | "certificate" | "inherited";

/** A move that an analysis compares. */
export type Candidate = {
  line: string[][];
  /** The reason for the move, in a sentence. */
  reason: string;
  score: ScoreName;
  squares: string[];
  /** In hundredths of log-odds. */
  value: number;
  /** The reason as data; null in results of earlier versions. */
  why: Why | null;
};

/** A next move. */
export type Child = {
  color: Color | null;
  id: NodeId;
  /** The label on its square. */
  label: string;
  /** The number of nodes below it, itself included. */
  size: number;
  stones: SquareName[];
  verdict: Verdict | null;
};

/** A side. */
export type Color = "black" | "white";

/** An edit that was made. */
export type Deed = {
  /** SGF's key of the fact that was changed. */
  key: string | null;
  kind: DeedKind;
  /** The number of nodes that were added or removed. */
  nodes: number | null;
  /** The squares that it is about. */
  squares: SquareName[];
  /** The number of the move at which something was written or drawn; 0 at the start. */
  turn: number | null;
};

/** The kinds of edits that were made. */
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
  /** The node where the reader was last. */
  at: NodeId;
  canRedo: boolean;
  canUndo: boolean;
  /** Facts about the game, by SGF's keys. */
  info: Fact[];
  /** The same as data. */
  noted: Note[];
  /** The differences from the document that was stored, in sentences; usually none. */
  notes: string[];
  redoDeed: Deed | null;
  redoes: string | null;
  /** The same as data. */
  undoDeed: Deed | null;
  /** What undo takes back, in words. */
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

/** A change of a document. */
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
      /** The name that the client saw: if it has changed since, the edit is refused. */
      was?: string | null;
    }
  | {
      edit: "comment";
      node: NodeId;
      text: string;
      /** The comment that the client saw: if it has changed since, the edit is refused. */
      was?: string | null;
    }
  /** An empty text removes the label. */
  | { edit: "label"; node: NodeId; square: SquareName; text: string }
  /** Without a kind, the mark is removed. */
  | { edit: "mark"; kind?: MarkKind | null; node: NodeId; square: SquareName }
  /** Draws an arrow, or removes it if it exists. */
  | { edit: "arrow"; from: SquareName; node: NodeId; to: SquareName }
  /** The page shows these squares pale, and no others. */
  | { edit: "dim"; node: NodeId; squares: SquareName[] }
  /** The whole position of a node; of a new child if the node has a move or children. */
  | { black: SquareName[]; edit: "setup"; left: number; node: NodeId; toMove: Color; white: SquareName[] }
  /** A fact about the game, by SGF's key. */
  | { edit: "info"; key: string; value: string }
  | { edit: "title"; text: string }
  /** A tree as text, in any format that can be read, below a node. */
  | { edit: "paste"; node: NodeId; text: string };

/** The outcome of an edit. */
export type Edited = {
  /** False if the document was so already. */
  changed: boolean;
  /** The node to show now. */
  node: NodeId;
  /** The same as data. */
  noted: Note[];
  /** The differences from a pasted text, in sentences. */
  notes: string[];
  revision: number;
};

/** A fact about a game. */
export type Fact = { key: string; value: string };

/** The farm, if there is one. */
export type FarmAnswer = {
  /** Null if the editor was started without `--farm`. */
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

/** The nodes that fit a query. */
export type Found = {
  /** Whether there are more than are listed. */
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
  /** The name that users type: `connect6`, `9,9,5,1,1`. */
  name: string;
  p: number;
  q: number;
  rows: number;
  /** The name that the page shows. */
  title: string;
};

/** A game of a file, in a list to choose from. */
export type GameSummary = {
  black: string;
  /** The game; null where the parameters of the file are invalid. */
  game: Game | null;
  /** The number of moves in the main line. */
  moves: number;
  /** From 1, as in `number` of `documents/open`. */
  number: number;
  /** The result in the words of the file: `B+`. */
  result: string;
  /** The name of the game, else the event and the round; often empty. */
  title: string;
  white: string;
};

/** A job with its state, progress and result. */
export type Job = {
  attacker: Color;
  createdMs: number;
  document: string;
  documentTitle: string;
  /** Positions done and to do. */
  done: number;
  endedMs: number | null;
  /** The time of the worker's last report. */
  heartbeatMs: number | null;
  id: JobId;
  kind: JobKind;
  level: number;
  limits: JobLimits;
  lines: number;
  node: NodeId;
  priority: number;
  /** The kind of error; some errors have none. */
  problem: ProblemKind | null;
  progress: Progress | null;
  result: Result | null;
  scope: JobScope;
  squares: string[] | null;
  startedMs: number | null;
  state: JobState;
  style: string;
  /** The counts of a job about several positions. */
  tally: Tally | null;
  /** The outcome or the error, in a sentence. */
  text: string;
  total: number;
  /** The worker that runs it: `local`. */
  worker: string | null;
};

/** The kinds of jobs. */
export type JobKind = "solve" | "verify" | "prove" | "analyse" | "play" | "check";

/** The limits of a job; where one is missing, the default holds. */
export type JobLimits = { nodes?: number | null; order?: number | null; seconds?: number | null };

/** An order for a job. `POST /api/jobs` */
export type JobOrder = {
  /** The side whose win is in question; without it, the side to move. */
  attacker?: Color | null;
  /** The seconds left on the engine's clock, if it has one. */
  clockSeconds?: number | null;
  document: string;
  kind: JobKind;
  level?: number | null;
  limits?: JobLimits;
  /** The number of moves to compare, 1 to 10. */
  lines?: number | null;
  node: NodeId;
  /** -10 to 10, higher first. */
  priority?: number;
  scope?: JobScope;
  /** The move to verify; without it, the node's own move. */
  squares?: string[] | null;
  style?: string | null;
};

/** The outcome of a job about a position. */
export type JobOutcome = "proved" | "no-win" | "unknown" | "value" | "stopped" | "thrown-away";

/** The nodes of a job: one node; the line from the root through it to its end; the node and all
 * below it; all nodes. */
export type JobScope = "node" | "line" | "subtree" | "document";

/** The state of a job. */
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

/** A request for a new document. */
export type NewDocument = {
  /** A game, by name or m,n,k,p,q; without it, Connect6. */
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
  /** The moves from the root to it, in move notation. */
  moves: string;
  name: string;
  parent: NodeId | null;
  /** From the root to this node, both included. */
  path: NodeId[];
  position: Position;
  /** The results of jobs about its position. A win is among them only beside its certificate. */
  results: Result[];
  setup: SetUp[];
  sibling: Sibling;
  stones: Stone[];
  /** The number of its move, 0 at the root. */
  turn: number;
  verdict: Verdict | null;
};

/** A difference between a document and its file. */
export type Note = {
  /** The node of the file, as a path; or the number of an edit. */
  at: string | null;
  /** The side that moves out of turn. */
  color: Color | null;
  /** SGF's keys of facts. */
  keys: string[];
  kind: NoteKind;
  /** The number of notes that are not listed, or of inferred numbers. */
  more: number;
  /** The rules of the file, in its own words. */
  rules: string | null;
  squares: SquareName[];
};

/** The kinds of differences from a file. */
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
  /** The format of the file: SGF, psq, certificate … */
  format: string;
  /** The number of games in the file. */
  games: number;
  /** The same as data. */
  noted: Note[];
  /** The differences from the file, in sentences. */
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

/** The opponents: styles and levels. */
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
  /** The stones that the side to move has left to place. */
  left: number;
  /** The stones that were played, in order. */
  played: Played[];
  toMove: Color;
  white: SquareName[];
  winner: Color | null;
  /** The squares of k in a row, if a side has won. */
  winningSquares: SquareName[];
};

/** The priority of a job. */
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

/** The progress of a search. */
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
  /** The proof number; null: infinite. */
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
  /** The BLAKE3 hash of the certificate, which is its name. */
  hash: string;
  nodes: number;
  /** The position that Attacker wins. */
  position: Position;
};

/** The answer of a proof to stones of Defender. */
export type ProofAnswer = {
  /** Attacker's move. */
  answer: SquareName[];
  /** Where the proof goes on, with Attacker to move. */
  place: ProofPlace | null;
  /** The reply that covers the stones. */
  reply: ProofReply | null;
  /** The answer in a sentence. */
  text: string;
  verdict: AnswerVerdict;
};

/** The verdict of the independent checker, which has read a certificate again. */
export type ProofChecked = { nodes: number; seconds: number; verified: boolean };

/** The checker's counts. */
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
  /** Attacker's move, at a node with Attacker to move. */
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
  /** The node in a sentence. */
  text: string;
  /** Attacker's threats that have to be blocked: their empty squares. */
  threats: SquareName[][];
  zone: Zone;
};

/** The kinds of nodes of a proof. */
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
  /** The number of nodes of the proof from there on. */
  size: number;
  /** The number of further stones that may stand anywhere outside of the zone. */
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
  /** The number of replies to the answer; 0 if there is no defence left. */
  replies: number;
  /** Null at the root. */
  reply: SquareName[] | null;
  size: number;
};

/** A window of the rows of a proof. */
export type ProofRows = {
  /** The row of the requested node, or -1. */
  at: number;
  rows: ProofRow[];
  total: number;
};

/** A request for rows of a proof. */
export type ProofRowsQuery = {
  /** A node that must be visible. */
  at?: number | null;
  count: number;
  from: number;
  /** Rows that are open; all others are folded. */
  opened?: number[];
};

/** The answer to an accepted certificate. */
export type ProofTaken = { proof: Proof };

/** The puzzle of the first page. */
export type Puzzle = {
  /** The side to move, which wins. */
  attacker: Color;
  /** The document that holds it. */
  document: string;
  node: number;
};

/** The position of a typed text. */
export type Read = { game: Game; position: Position };

/** The kinds of replies, by the number of their stones. */
export type ReplyKind = "root" | "null" | "semi-null" | "full" | "macro";

/** The result of a job about the position of a node. */
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
  /** The moves that an analysis compared, the best first. */
  moves: Candidate[];
  nodes: number;
  order: number | null;
  outcome: JobOutcome;
  seconds: number;
  /** The result in a sentence. */
  text: string;
  /** Replies that a verification could not answer. */
  unsolved: string[][];
  version: string;
};

/** A side of a proof. */
export type Role = "attacker" | "defender";

/** A row of the tree: a node. */
export type Row = {
  /** The number of its side variations. */
  branches: number;
  color: Color | null;
  folded: boolean;
  indent: number;
  /** Whether other nodes have the same position. */
  linked: boolean;
  node: NodeId;
  stones: SquareName[];
  text: string;
  /** Whether this move threw a proved win away. */
  thrownAway: boolean;
  turn: number;
  verdict: Verdict | null;
};

/** A window of the rows of the tree. */
export type Rows = {
  /** The row of the requested node, or -1. */
  at: number;
  revision: number;
  rows: Row[];
  total: number;
};

/** A request for rows of the tree. */
export type RowsQuery = {
  /** A node that must be visible. */
  at?: NodeId | null;
  count: number;
  from: number;
  /** Nodes that are folded otherwise than by default. */
  toggled?: NodeId[];
};

/** The kind of a move's score. */
export type ScoreName = "win" | "loss" | "value";

/** A node of the tree of a search. */
export type SearchNode = {
  by: Role;
  /** Whether the most-proving line goes through it. */
  critical: boolean;
  disproof: number | null;
  /** The number of children that are not listed. */
  hidden: number;
  /** Index of the parent in the list; -1 at the root. */
  parent: number;
  proof: number | null;
  squares: string[];
  state: SearchState;
};

/** The state of a node of a search. */
export type SearchState = "open" | "proved" | "refuted" | "running";

/** The most important nodes of a search's proof-number tree. */
export type SearchTree = {
  nodes: SearchNode[];
  /** The number of nodes in the tree; at most 2,000 are listed. */
  size: number;
  /** Grows with every change. */
  version: number;
};

/** A stone that a node sets up, or a square that it empties. */
export type SetUp = { color: Color | null; square: SquareName };

/** A place among siblings. */
export type Sibling = { count: number; index: number };

/** The threats of a side. */
export type SideThreats = {
  color: Color;
  /** The squares on which the other side has to answer. */
  mustAnswer: SquareName[];
  /** The number of stones that block all threats; null if it takes too long to compute. */
  number: number | null;
  /** The patterns that one move makes into threats. */
  patterns: Pattern[];
  threats: Threat[];
};

/** The server. */
export type Status = {
  /** A random text, different after each start of the server. */
  epoch: string;
  /** The number of the last live message. */
  sequence: number;
  /** The file of the store; null if it is temporary. */
  store: string | null;
  threads: number;
  version: string;
};

/** A stone that a node plays. */
export type Stone = { color: Color; square: SquareName };

/** The name of a square: `J10`, or `x,y` on an unbounded board. */
export type SquareName = string;

/** The counts of a job about several positions. */
export type Tally = {
  /** Positions that were searched since the server was started. */
  positions: number;
  /** Moves that threw a proved win away. */
  thrownAway: number;
  /** Those in which a side is proved to win. */
  wins: number;
};

/** A segment that one move completes. */
export type Threat = { empties: SquareName[]; squares: SquareName[] };

/** The threats of both sides. */
export type Threats = {
  /** Black, then White; empty when the game is over. */
  sides: SideThreats[];
};

/** A position as text. */
export type Typed = {
  /** The game, for texts that do not name it. */
  game?: string | null;
  /** A name, a game, moves, a diagram, SGF. */
  text: string;
};

/** The winner of a position: a fact. */
export type Verdict = {
  /** The place of this position in it. */
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

/** The reason for a move as data, which the page shows in the language of its reader. */
export type Why = {
  /** The side that moves. */
  by: Color;
  /** The squares on which the other side would begin a forced win. */
  danger: string[];
  /** The number of stones in a row that win. */
  k: number;
  kind: WhyKind;
  /** The order of the proof that the checker has accepted; null if nothing is proved. */
  order: number | null;
  style: string;
};

/** The kind of reason for a move. */
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
