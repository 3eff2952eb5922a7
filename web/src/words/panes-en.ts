// English texts of the panes for proofs, jobs, the farm, threats, analysis, playing and the puzzle.
import type { Color, Job, JobKind, JobLimits, JobScope, JobState, ReplyKind, Result, WorkerState } from "../api/types";

const side = (color: Color): string => (color === "black" ? "Black" : "White");
const otherSide = (color: Color): string => (color === "black" ? "White" : "Black");
const n = (count: number): string => count.toLocaleString("en");
const many = (count: number, one: string, more: string): string => `${n(count)} ${count === 1 ? one : more}`;

export const panesEn = {
  proof: {
    title: "Proof",
    none: "No proof here yet.",
    noneHint: "Solve this position (F5), or open a certificate.",
    wins: (attacker: Color): string => `Proved: ${side(attacker)} wins`,
    facts: (nodes: number, depth: number, bytes: string): string => `${n(nodes)} nodes, ${depth} moves deep, ${bytes}`,
    counts: {
      attacks: "attacks",
      wins: "wins",
      defences: "defences",
      nullReplies: "null replies",
      semiNullReplies: "semi-null replies",
      fullReplies: "full replies",
      macroReplies: "macros",
    } as Record<string, string>,
    hash: "Certificate",
    copyHash: "Copy the hash",
    verify: "Verify",
    verifyHint: "Check it again with the independent checker",
    verifying: (seconds: number): string => `checking … ${seconds} s`,
    verified: (nodes: number, seconds: string): string => `Verified: ${n(nodes)} nodes in ${seconds} s`,
    download: "Download",
    copyCheck: "Copy check command",
    rows: "Proof tree",
    root: "Start",
    anything: "anything outside",
    plusAnything: "and anything outside",
    allBlocks: "all of",
    replyKind: {
      null: "any move outside of the zone",
      "semi-null": "some stones here, the rest anywhere outside",
      full: "a whole move",
      macro: "all blocks at once",
    } satisfies Record<Exclude<ReplyKind, "root">, string>,
    ends: "no defence is left",
    wonHere: "wins",
    size: (count: number): string => many(count, "node", "nodes"),
    keys: "→ into the replies, ← back, ↑ ↓ other replies, Enter: into the document",
    intoDocument: "Put this line into the document",
    putDone: "The line is in the document now.",
    putOpened: "The proof was opened as a document of its own.",
    putStopped: "The line could not be followed to its end.",
    backToBoard: "Back to the document",
    walking: (moves: number): string => `Walking the proof, ${many(moves, "move", "moves")} deep. Esc: back`,
    replies: (count: number): string =>
      count === 0 ? "No defence is left." : `${many(count, "reply is", "replies are")} answered.`,
    playNext: "Play the proof's next move",
    startWalk: "Walk through the proof",
    walkNext: "Into the proof: the first reply",
    walkBack: "Back in the proof",
    walkUp: "The previous reply of the proof",
    walkDown: "The next reply of the proof",
    whyOutside: (square: string): string => `${square} is outside of the zone: a stone there changes nothing.`,
    whySquare: (square: string): string => `${square} is in the zone: the proof uses this square itself.`,
    whySegment: (square: string, segment: string, level: number): string =>
      level <= 1
        ? `${square} is in the zone: one stone in ${segment} could become a counter-threat.`
        : `${square}: ${level} stones in ${segment} together would matter, one does not.`,
    strip: (attacker: Color): string =>
      `${side(attacker)} wins whatever ${otherSide(attacker)} does outside of the zone: try.`,
    stripEnd: (attacker: Color): string => `No defence is left: ${side(attacker)} completes a line next.`,
    stripAttack: (attacker: Color, squares: string): string => `Proved: ${side(attacker)} wins. Next: ${squares}`,
    stands: (squares: string, attacker: Color, answer: string): string =>
      answer === ""
        ? `${squares}: outside. The proof still stands.`
        : `${squares}: outside. The proof still stands: ${side(attacker)} goes on with ${answer}.`,
    answered: (squares: string, reply: string, attacker: Color, answer: string): string =>
      reply === "" || reply === squares
        ? `${squares} is answered by ${answer}. ${side(attacker)} wins all the same.`
        : `${squares} is covered by the answer to ${reply}: ${side(attacker)} plays ${answer} and wins all the same.`,
    tooLate: (squares: string, attacker: Color, answer: string): string =>
      `${squares} does not stop the threats: ${side(attacker)} completes ${answer}.`,
    incomplete: (squares: string): string =>
      `${squares} is inside the zone. Place the rest of the move to see the answer.`,
    answeredPartly: (squares: string, attacker: Color, answer: string): string =>
      `${squares} is answered by ${answer}, wherever the rest of the move stands outside: ${side(attacker)} wins.`,
    unknown: "This proof is too large to show its zone; its answers are in the pane.",
  },
  search: {
    title: "Search",
    none: "No search is running.",
    noneHint: "Start one with F5, or prove an opening: its tree grows here.",
    waiting: "Waiting for the first numbers.",
    job: "Job",
    size: (listed: number, all: number): string =>
      listed === all ? many(all, "node", "nodes") : `the ${n(listed)} most important of ${many(all, "node", "nodes")}`,
    tree: "Search tree",
    root: "Start",
    critical: "critical",
    criticalHint: "The search works here now",
    pn: "proof number: about how many positions are left to solve to prove it",
    dn: "disproof number: about how many positions are left to solve to refute it",
    states: { open: "open", proved: "proved", refuted: "refuted", running: "being searched" },
    hidden: (count: number): string => `${n(count)} more`,
    numbers: (proof: string, disproof: string): string => `proof number ${proof}, disproof number ${disproof}`,
    toLeaf: "Show the critical leaf",
    rate: (nodes: number, perSecond: number): string => `${n(nodes)} nodes, ${n(perSecond)} per second`,
  },
  jobs: {
    title: "Jobs",
    none: "No jobs.",
    noneHint: "Searches and other jobs are listed here. They continue when the page is closed.",
    kinds: {
      solve: "Solve",
      verify: "Verify a move",
      prove: "Prove",
      analyse: "Analyse",
      play: "Move",
      check: "Check",
    } satisfies Record<JobKind, string>,
    states: {
      queued: "waiting",
      running: "running",
      paused: "paused",
      done: "done",
      failed: "failed",
      cancelled: "stopped",
    } satisfies Record<JobState, string>,
    scopes: { node: "", line: "the line", subtree: "all below", document: "everything" } satisfies Record<
      JobScope,
      string
    >,
    forSide: (color: Color): string => `for ${side(color)}`,
    priority: (value: number): string => `priority ${value > 0 ? "+" : ""}${value}`,
    raise: "Higher priority",
    lower: "Lower priority",
    pause: "Pause",
    resume: "Resume",
    cancel: "Stop",
    cancelHint: "Stop; results so far are kept",
    repeat: "Repeat",
    forget: "Remove",
    forgetEnded: "Remove all that have ended",
    goTo: "Go to its position",
    tree: "Show its search tree",
    worker: (name: string, age: string): string => `${name}, last seen ${age} ago`,
    age: (text: string): string => `ordered ${text} ago`,
    took: (text: string): string => `took ${text}`,
    progress: (done: number, total: number): string => `${n(done)} of ${n(total)} positions`,
    nodes: (count: number): string => many(count, "node", "nodes"),
    perSecond: (count: number): string => `${n(count)}/s`,
    order: (order: number): string => `order ${order}`,
    pnDn: (pn: string, dn: string): string => `pn ${pn} · dn ${dn}`,
    unsolved: (count: number): string => `${many(count, "reply", "replies")} unsolved`,
    active: (count: number): string => `${n(count)} active`,
    ended: (kind: string, text: string): string => `${kind}: ${text}`,
    spoken: (job: Job): string => `Job ${job.id}`,
    cancelled: "Stopped before it was done.",
    doneBefore: "Done before the server restarted.",
  },
  farm: {
    title: "Farm",
    asking: "Asking …",
    late: "The server does not answer.",
    stale: "The numbers below are older.",
    none: "No farm.",
    noneHint:
      "A farm lets many machines work on one proof. Start a NATS server with JetStream where all of them reach it, then start the editor with it:",
    serve: "Command that starts the editor with a farm",
    connected: "connected",
    notConnected: "not connected",
    join: "To join with another machine, run there:",
    joinCommand: "Command that joins a machine",
    loopback: "This address works on this machine only: on others, use the name of this machine in the network.",
    copyJoin: "Copy the command that joins a machine to the farm",
    copy: "Copy",
    copyWhat: (what: string): string => `Copy: ${what}`,
    noManager: "No search is running. Workers that join wait for one:",
    proveCommand: "Command that starts a search in the farm",
    warnings: "Warnings",
    noWorker: "No worker yet. The command “sixproof worker” joins one.",
    facts: {
      queued: "queued",
      running: "running",
      judging: "being checked",
      done: "done",
      jobsPerSecond: "jobs/s",
      nodesPerSecond: "nodes/s",
      oldest: "oldest job",
      givenUp: "given up",
      since: "so far",
      uncertified: "answers without a certificate",
      doneAgain: "of these repeated",
    },
    workers: (title: string): string => `Workers: ${title}`,
    columns: {
      name: "Worker",
      cores: "cores",
      state: "State",
      running: "running",
      done: "done",
      nodesPerSecond: "nodes/s",
      seen: "last seen",
    },
    states: {
      working: "working",
      idle: "idle",
      lost: "lost",
      dropped: "dropped",
    } satisfies Record<WorkerState, string>,
    stateHints: {
      working: "has jobs",
      idle: "waits for jobs",
      lost: "has not reported for a while; its jobs go to other workers",
      dropped: "sent a wrong result and gets no more jobs",
    } satisfies Record<WorkerState, string>,
    now: "now",
    ago: (text: string): string => `${text} ago`,
    more: (count: number): string => many(count, "more worker", "more workers"),
  },
  solve: {
    title: "Solve",
    solve: "Solve",
    solveHint: (color: Color): string => `Does ${side(color)}, to move, win by force?`,
    solveOther: (color: Color): string => `Solve for ${side(color)}`,
    threatWin: "Threat win",
    threatWinHint: "A win by threats alone (order 2 at most)",
    verifyMove: "Verify this move",
    verifyHint: "Does the last move win against every reply?",
    prove: "Prove this opening …",
    proveHint: "A long search with limits of your own; its tree grows in the pane Search",
    proveStart: "Start",
    review: "Review this game",
    solveBelow: "Solve all below",
    solveBelowHint: "Solve this position and every position below it; thrown-away wins are marked",
    solveAll: "Solve the whole document",
    reviewHint: "Solve every position of the line: thrown-away wins are marked in the tree",
    stop: "Stop",
    nothingToStop: "Nothing is running here.",
    stopped: "Stopped. Results so far are kept.",
    order: "Order, at most",
    nodes: "Nodes, at most",
    seconds: "Seconds, at most",
    noLimit: "no limit",
    forWhom: "Attacker",
    running: "Running here",
    results: "Results",
    noResults: "No results yet.",
    outcome: {
      proved: "proved",
      "no-win": "no win found",
      unknown: "not decided",
      value: "estimated",
      stopped: "stopped",
      "thrown-away": "a win was thrown away",
    } satisfies Record<Result["outcome"], string>,
    sentence: (result: Result): string => {
      const who = side(result.attacker);
      switch (result.outcome) {
        case "proved":
          return `${who} wins. Proved and checked.`;
        case "no-win":
          return `${who}: no win found, though everything within the limits was searched.`;
        case "unknown":
          return `${who}: no win found within the limits. The question stays open.`;
        case "value":
          return "Moves compared.";
        case "stopped":
          return `${who}: stopped before a win was found.`;
        case "thrown-away":
          return `${who} had a proved win before this move and threw it away.`;
      }
    },
    /** The sentence of a search that failed before the proof was found. */
    sinceProved: (who: Color): string => `A search did not find ${side(who)}'s win before it was proved.`,
    known: (winner: Color): string => `Proved already: ${side(winner)} wins.`,
    knownAgainst: (winner: Color): string => `Proved: ${side(winner)} wins, so ${otherSide(winner)} cannot.`,
    provenance: (nodes: number, seconds: string, version: string): string =>
      `${many(nodes, "node", "nodes")}, ${seconds} s, version ${version}`,
    limits: ({ order, nodes, seconds }: JobLimits): string =>
      [order && `order ${order}`, nodes && `${n(nodes)} nodes`, seconds && `${n(seconds)} s`]
        .filter(Boolean)
        .join(", ") || "default limits",
    limitsLabel: "limits",
    certificate: "certificate",
    line: "Line",
    unsolved: "Unsolved",
    showProof: "Show the proof",
    again: "Repeat with higher limits",
    fact: (color: Color): string => `${side(color)} wins`,
    because: { rules: "by the rules", certificate: "proved", inherited: "follows from a stored proof" },
    noVerdict: "Nothing is proved here.",
    found: (text: string): string => text,
  },
  threats: {
    title: "Threats",
    none: "No threats.",
    side: (color: Color, number: number | null): string =>
      number === null
        ? `${side(color)}: more threats than can be blocked`
        : number === 0
          ? `${side(color)}: no threat`
          : `${side(color)}: ${many(number, "stone is", "stones are")} needed against the threats`,
    winsNow: (color: Color): string => `${side(color)} to move completes a line now.`,
    lost: (color: Color, needed: string, has: number): string =>
      `${side(color)} needs ${needed} and has ${has}: a line will be completed.`,
    moreThanCan: "more stones than can be counted",
    threat: (empties: string): string => `line through ${empties}`,
    lines: (count: number): string => many(count, "line", "lines"),
    mustAnswer: "Must answer on",
    live: (l: number): string => `live-${l}`,
    dead: (l: number): string => `dead-${l}`,
    patterns: "Patterns",
    layer: "Show on the board",
    line: "Winning line",
    lineHint: "Wheel or ↑ ↓ step through it, “,” plays it",
    findLine: "Look for a win by threats (F4)",
  },
  analysis: {
    title: "Analysis",
    start: "Analyse",
    stop: "Stop",
    toggle: "Analysis on or off",
    off: "Off. Space starts it.",
    estimate: (color: Color): string => `Estimates for ${side(color)}, not facts. Facts come from Solve.`,
    lines: "Moves",
    thinking: (seconds: string, nodes: number): string => `${seconds} s, ${n(nodes)} nodes`,
    score: {
      win: "wins",
      loss: "loses",
      muchBetter: "much better",
      better: "better",
      slightlyBetter: "slightly better",
      even: "even",
      slightlyWorse: "slightly worse",
      worse: "worse",
      muchWorse: "much worse",
    },
    candidates: "Moves, best first",
    hint: "Hover: the line on the board; wheel steps; “,” plays it",
    graph: "Values over the moves",
    graphPoint: (turn: number, word: string): string => `Move ${turn}: ${word} for Black`,
    style: "Style",
    level: "Level",
  },
  play: {
    title: "Play",
    start: "Play from here",
    newGame: "New game",
    newGameAs: (color: Color): string => `New game as ${side(color)}`,
    newBoard: "New game on an empty board",
    youPlay: "You play",
    sideToMove: "the side to move",
    style: "Style",
    level: "Level",
    levels: (most: number): string => `Level 1 is for beginners, level ${most} is the strongest`,
    clock: "Clock",
    noClock: "none",
    minutes: "Minutes",
    increment: "Seconds per move",
    yourMove: "Your move.",
    thinking: (seconds: number): string => `The engine thinks … ${seconds} s`,
    waiting: "The engine's move was stopped.",
    goOn: "Let it move",
    exploring: "You are looking around: the game waits.",
    backToGame: "Back to the game",
    takeBack: "Take back",
    hint: "Hint",
    hintText: (squares: string, reason: string): string => `Hint: ${squares}${reason === "" ? "" : `; ${reason}`}`,
    resign: "Resign",
    end: "End the game",
    says: (text: string): string => `Engine: ${text}`,
    ending: (how: "won" | "drawn" | "resigned" | "time", isYours: boolean): string => {
      if (how === "drawn") return "The board is full: a draw.";
      const who = isYours ? "You win" : "The engine wins";
      if (how === "time") return `${who} on time.`;
      if (how === "resigned") return "You resigned. The engine wins.";
      return `${who}.`;
    },
    clocks: "Clocks",
    left: (color: Color, text: string): string => `${side(color)}: ${text}`,
    against: (style: string, level: number | null): string => (level === null ? style : `${style}, level ${level}`),
  },
  puzzle: {
    title: "The first five minutes",
    show: "The first five minutes",
    ask: (color: Color): string => `${side(color)} to move wins. Can you see it?`,
    askHint: (stones: number): string => `${many(stones, "click", "clicks")} on the board. F5 shows the answer.`,
    showMe: "Show me (F5)",
    judging: (squares: string, seconds: number): string => `${squares}: does it win? … ${seconds} s`,
    refuting: (color: Color, seconds: number): string => `How does ${otherSide(color)} answer? … ${seconds} s`,
    refutedWin: (squares: string, color: Color): string =>
      `After ${squares}, ${otherSide(color)} wins like this. Try another move.`,
    refutedDefence: (squares: string, color: Color): string =>
      `After ${squares}, ${otherSide(color)} defends like this, and no win is found. Try another move.`,
    refutedPlain: (squares: string): string => `${squares}: no win was found after this. Try another move.`,
    tryAgain: "Try again",
    solving: (seconds: number): string => `Looking for the win … ${seconds} s`,
    unsolved: "Not found within the limits.",
    won: (color: Color): string => `${side(color)} wins whatever ${otherSide(color)} does outside of the zone: try.`,
    right: "That is it.",
    wonHint: (color: Color): string =>
      `Place ${otherSide(color)}'s stones anywhere. Dimmed squares are outside of the zone.`,
    standsTitle: "The proof still stands.",
    insideTitle: "Inside the zone, and answered.",
    again: "Again",
    nextTitle: "What to try next",
    next: {
      walk: "Walk through the win with the arrow keys",
      drop: "Drop a game (SGF) on the board, then review it: thrown-away wins get marked",
      prove: "Prove an opening: its tree grows while you watch",
      share: "Share it: a link, a picture, the certificate",
      play: "Play against the engine",
    },
    dismiss: "Close",
  },
  time: {
    seconds: (s: number): string => `${s} s`,
    minutes: (m: number, s: number): string => `${m} min ${s} s`,
    hours: (h: number, m: number): string => `${h} h ${m} min`,
    days: (d: number): string => many(d, "day", "days"),
  },
};
