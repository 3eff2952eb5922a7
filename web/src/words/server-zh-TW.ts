// Traditional Chinese words for data of the server.
import { kebab } from "../api/client";
import type { Color, Deed, DeedKind, Note, NoteKind, ProblemKind, Why, WhyKind } from "../api/types";
import type { ServerWords } from "./server";

const side = (color: Color): string => (color === "black" ? "黑方" : "白方");
const otherSide = (color: Color): string => (color === "black" ? "白方" : "黑方");
const n = (count: number): string => count.toLocaleString("en");

const STYLES: Record<string, { name: string; about: string }> = {
  sixproof: { name: "sixproof", about: "本程式的下法：搜尋、雙方的威脅搜尋、相關區；共十級" },
  nctu6: { name: "NCTU6", about: "先解威脅，再從最好的幾手中選，如 NCTU6" },
  kagami: { name: "Kagami", about: "Kagami 的防守策略" },
  greedy: { name: "貪心", about: "只憑評估選最好的一手，不往下看" },
  random: { name: "隨機", about: "任意一手" },
};

const GAMES: Record<string, string> = {
  connect6: "六子棋",
  gomoku: "五子棋",
  "gomoku-exact": "五子棋（恰好五子）",
  "tic-tac-toe": "井字棋",
};

const NAMES: Record<string, string> = {
  connect6: "六子棋，19 × 19",
  gomoku: "自由規則的五子棋",
  "gomoku-exact": "恰好五子才算勝的五子棋",
  "tic-tac-toe": "井字棋",
  connect623: "19 × 19 的 Connect(6,2,3)，黑方已下第一手，輪到白方",
  example: "開局 F10-N10，未指定局面時的例子",
  "tx-h9": "開局 TX-H9，已知黑方必勝",
  "tx-h8": "開局 TX-H8，已知黑方必勝",
  "xx-j6": "開局 XX-J6，已知黑方必勝",
  "i7-g9": "開局 I7-G9，已知黑方必勝",
  "x-k9": "開局 X-K9，可能就是「米老鼠」",
  "xx-l8": "開局 XX-L8，可能就是「米老鼠」",
  "f10-n10": "白方兩子在左右各隔四格",
  "g10-m10": "白方兩子在左右各隔三格",
  "j6-n10": "白方兩子在下方與右方各隔四格",
  "l7-m13": "白方兩子都在右方隔三格",
};

const TITLES: Record<string, string> = { "White to move wins": "輪到白方，一手必勝" };

const FORMATS: Record<string, string> = {
  "CCGC record": "CCGC 棋譜",
  diagram: "文字棋圖",
  moves: "著法",
  name: "有名稱的局面",
  certificate: "證書",
};

/** The title of a game. One without a name is written as in the papers: `Connect(9,9,5,1,1), exact`. */
function gameTitle(title: string): string {
  const [, name = "", cols, rows] = /^([A-Za-z][\w-]*), (\d+) x (\d+)$/.exec(title) ?? [];
  const known = GAMES[name.toLowerCase()];
  if (known !== undefined) return `${known}，${cols} × ${rows}`;
  return title.replace(/^(Connect\([\d,]+\)), exact$/, "$1，恰好成連");
}

const WHY: Record<WhyKind, (why: Why) => string> = {
  completes: ({ k }) => `這一手連成 ${k} 子。`,
  forces: ({ by, order }) =>
    order === null ? "原以為能強制取勝，但沒有證明。" : `${side(by)}下這一手即強制取勝：${order} 階的證明，已檢查。`,
  book: () => "這一手在開局庫中。",
  blocks: ({ by, k }) => `擋住${otherSide(by)}連成 ${k} 子的威脅。`,
  defends: ({ by, danger }) => {
    const from = danger.length === 0 ? "" : `（從 ${danger.join(" ")} 開始）`;
    return `若不應，${otherSide(by)}能強制取勝${from}；這一手選自能防止的著法。`;
  },
  "holds-out": ({ by }) => `試過的著法都擋不住${otherSide(by)}取勝；這一手看來撐得最久。`,
  searched: () => "搜尋認為這一手最好。",
  chosen: ({ style }) => `「${STYLES[style]?.name ?? style}」風格不經搜尋而選這一手。`,
};

const at = ({ turn }: Deed): string => (turn === 0 ? "（開頭）" : `（第 ${turn} 手）`);

const DEEDS: Record<DeedKind, (deed: Deed) => string> = {
  move: ({ squares }) => `下 ${squares.join(" ")}`,
  pass: () => "虛手",
  delete: ({ nodes }) => `刪除 ${n(nodes ?? 0)} 個節點`,
  order: (deed) => `變化的順序${at(deed)}`,
  "main-line": () => "新的主線",
  name: (deed) => `名稱${at(deed)}`,
  comment: (deed) => `註解${at(deed)}`,
  label: (deed) => `標籤 ${deed.squares.join(" ")}${at(deed)}`,
  mark: (deed) => `標記 ${deed.squares.join(" ")}${at(deed)}`,
  arrow: (deed) => `箭頭 ${deed.squares.join(" ")}${at(deed)}`,
  dim: (deed) => `變暗的交叉點${at(deed)}`,
  setup: () => "擺子",
  title: () => "標題",
  fact: ({ key }) => `資訊 ${key ?? ""}`,
  paste: ({ nodes }) => `貼上 ${n(nodes ?? 0)} 個節點`,
  "left-out": () => "無法復原的編輯",
};

const RULES: Record<string, string> = { renju: "連珠" };

const NOTES: Record<NoteKind, (note: Note) => string> = {
  "off-board": ({ at: path, squares }) => `在 ${path}：${squares.join(" ")} 不在棋盤上，已略去。`,
  "out-of-turn": ({ at: path, color, squares }) =>
    `在 ${path}：沒有輪到${side(color ?? "black")}，已在 ${squares.join(" ")} 之前加上虛手。`,
  "set-up": ({ at: path, squares }) => `在 ${path}：${squares.join(" ")} 不合規則，已存為擺設的棋子。`,
  "setup-left-out": () => "擺設的局面不能用，已略去。",
  "facts-left-out": ({ keys }) => `貼上的對局的資訊已略去：${keys.join("、")}。`,
  "rules-differ": ({ rules }) =>
    `原檔的規則是${RULES[rules?.toLowerCase() ?? ""] ?? "另一種"}規則，sixproof 不懂；這裡當作最相近的棋，證明也只對後者成立。`,
  "edit-left-out": ({ at: number }) => `第 ${number} 項編輯無法復原，已略去。`,
  "numbers-inferred": ({ more }) => `較早的版本儲存得不夠：${n(more)} 個節點的編號是推算的。`,
  more: ({ more }) => `還有 ${n(more)} 處類似的改動。`,
};

/** `（3）`, if there is a number. */
const counted = (count: number | null): string => (count === null ? "" : `（${n(count)}）`);

const WARNINGS: Record<string, (count: number | null) => string> = {
  "too-many-workers": (count) => `報到的工作機太多${counted(count)}，多出的不予理會。`,
  "stream-missing": (count) => `NATS 伺服器上的工作佇列不見了${counted(count)}，已重新建立。`,
  "no-answers": (count) => `有工作機領了工作卻從不回答${counted(count)}。`,
  "jobs-lost": (count) => `NATS 伺服器的佇列中有工作不見了${counted(count)}，已重新送出。`,
  "open-server": () => "NATS 伺服器讓任何人做任何事：請設定帳號與權限。",
  "worker-dropped": (count) => `有工作機因答案錯誤而被除名${counted(count)}。`,
};

interface Known {
  text: string;
  help?: string;
  /** Whether the server's sentence has more detail. */
  detailed?: true;
}

const PROBLEMS: Record<ProblemKind, Known> = {
  "certificate-rejected": { text: "檢查程式拒絕這份證書：它沒有證明所說的結論。", detailed: true },
  "certificate-unreadable": { text: "這份證書無法讀取。", detailed: true },
  "document-full": { text: "這份棋譜的節點已達上限。" },
  "document-gone": { text: "沒有這份棋譜。", help: "可能已被刪除。" },
  empty: { text: "檔案是空的。" },
  "game-over": { text: "對局已結束。", help: "請選最後一手之前的局面。" },
  internal: { text: "伺服器發生錯誤。", detailed: true },
  "job-ended": { text: "這項工作已經結束。", help: "可以再做一次。" },
  "job-gone": { text: "沒有這項工作。", help: "可能已被移除。" },
  "job-runs": { text: "這項工作尚未結束。", help: "請先停止，再移除。" },
  "jobs-full": { text: "等待的工作太多，不再接受新的。", help: "請停止一些，或等它們完成。" },
  "limit-out-of-range": { text: "限制超出範圍。", detailed: true },
  "move-incomplete": { text: "這一手尚未下完。", help: "請先下完，或虛手。" },
  "newer-version": { text: "這份棋譜來自較新的版本。", help: "請更新 sixproof。" },
  "no-certificate": { text: "這個局面沒有證書。", help: "請先求解或證明。" },
  "no-move": { text: "這個節點沒有自己的一手。", help: "請選一手之後的節點。" },
  "no-position": { text: "這樣擺不成局面。", detailed: true },
  "node-gone": { text: "這個節點已不存在。", help: "可能已在別的視窗刪除。" },
  "nothing-to-redo": { text: "沒有可重做的編輯。" },
  "nothing-to-undo": { text: "沒有可復原的編輯。" },
  "other-game": { text: "貼上的是另一種棋的棋譜。" },
  "other-rules": { text: "這份棋譜用的是 sixproof 不懂的規則。", detailed: true },
  root: { text: "開頭不能刪除或移動。" },
  "square-taken": { text: "不能下在這裡。" },
  "text-changed": { text: "這段文字已在別處更改。" },
  "token-needed": { text: "需要權杖。", help: "請開啟伺服器印出的完整網址。" },
  "too-large": { text: "內容太大。" },
  "too-many-stones": { text: "這一手的棋子太多。" },
  "unknown-format": { text: "看不出這是什麼檔案。", help: "可讀 SGF、CCGC、psq、RenLib、connectk、棋圖、著法與證書。" },
  "unknown-game": { text: "沒有這種遊戲。", help: "例如 connect6 或 15,15,5,1,1。" },
  "unknown-position": { text: "看不懂這個局面。", detailed: true },
  unreadable: { text: "內容無法讀取。", detailed: true },
};

/** The meaning of a status, for a problem whose kind has no words. */
function statusText(status: number): string {
  if (status === 404) return "找不到。";
  if (status === 409) return "目前無法這樣做。";
  return status >= 500 ? "伺服器發生錯誤。" : "無法這樣做。";
}

/** The server's sentence and its advice. */
const said = (title: string, help: string | null): string => (help === null ? title : `${title}; ${help}`);

export const serverZhTW: ServerWords = {
  styleName: (name) => STYLES[name]?.name ?? name,
  styleAbout: ({ name, about }) => STYLES[name]?.about ?? about,
  nameAbout: ({ name, about }) => NAMES[name] ?? about,
  title: (title) => TITLES[title] ?? gameTitle(title),
  why: (why, reason) => WHY[why.kind]?.(why) ?? reason,
  deed: (deed, text) => DEEDS[deed.kind]?.(deed) ?? text,
  note: (note, text) => NOTES[note.kind]?.(note) ?? text,
  format: (format) => FORMATS[format] ?? format,
  tally: (kind, { positions, wins, thrownAway }) => {
    if (kind === "analyse") return `已分析 ${n(positions)} 個局面。`;
    const lost = thrownAway === 0 ? "" : `；${n(thrownAway)} 手錯失已證明的必勝`;
    return `${n(wins)} 個局面已證明必勝${lost}。`;
  },
  problem: ({ kind, status, title, help }) => {
    const known = kind === null ? undefined : PROBLEMS[kind];
    if (known === undefined) return { text: statusText(status), help: null, detail: said(title, help) };
    return { text: known.text, help: known.help ?? null, detail: known.detailed ? said(title, help) : null };
  },
  warning: ({ kind, count, text }) => WARNINGS[kebab(kind)]?.(count ?? null) ?? text,
  worker: (name) => (name === "local" ? "本機" : name),
};
