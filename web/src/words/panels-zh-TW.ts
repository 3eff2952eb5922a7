// Traditional Chinese texts of the panes for proofs, jobs, threats, analysis, playing and the puzzle.
import type { Color } from "../api/types";
import type { panelsEn } from "./panels-en";

const side = (color: Color): string => (color === "black" ? "黑方" : "白方");
const otherSide = (color: Color): string => (color === "black" ? "白方" : "黑方");
const n = (count: number): string => count.toLocaleString("en");

export const panelsZhTW: typeof panelsEn = {
  proof: {
    title: "證明",
    none: "此處尚無證明。",
    noneHint: "求解此局面（F5），或開啟一份證書。",
    wins: (attacker) => `已證明：${side(attacker)}必勝`,
    facts: (nodes, depth, bytes) => `${n(nodes)} 個節點，深 ${depth} 手，${bytes}`,
    counts: {
      attacks: "攻著", wins: "成連", defences: "防守局面", nullReplies: "空著應手",
      semiNullReplies: "半空著應手", fullReplies: "完整應手", macroReplies: "合併應手",
    },
    hash: "證書",
    copyHash: "複製其名稱",
    verify: "驗證",
    verifyHint: "由獨立的檢查程式再讀一遍",
    verifying: (seconds) => `檢查中 … ${seconds} 秒`,
    verified: (nodes, seconds) => `驗證通過：${n(nodes)} 個節點，${seconds} 秒`,
    download: "下載",
    copyCheck: "複製檢查指令",
    rows: "證明樹",
    root: "起點",
    anything: "區外任意著",
    plusAnything: "及區外任意著",
    allBlocks: "全擋",
    replyKind: {
      null: "相關區外的任何一手",
      "semi-null": "部分棋子在此，其餘在區外任意處",
      full: "完整的一手",
      macro: "同時下所有擋點",
    },
    ends: "已無防守",
    wonHere: "勝",
    size: (count) => `${n(count)} 個節點`,
    keys: "→ 進入應手，← 返回，↑ ↓ 其他應手，Enter：放入棋譜",
    intoDocument: "將此變化放入棋譜",
    putDone: "此變化已放入棋譜。",
    putOpened: "已將證明開啟為新的棋譜。",
    putStopped: "此變化無法走到底。",
    backToBoard: "回到棋譜",
    walking: (moves) => `正在走讀證明，深 ${moves} 手。Esc：返回`,
    replies: (count) => (count === 0 ? "已無防守。" : `${n(count)} 種應手皆有對策。`),
    playNext: "下出證明的下一手",
    startWalk: "走讀證明",
    walkNext: "進入證明：第一個應手",
    walkBack: "在證明中後退",
    walkUp: "證明中的上一個應手",
    walkDown: "證明中的下一個應手",
    whyOutside: (square) => `${square} 在相關區外：下在那裡不會改變任何事。`,
    whySquare: (square) => `${square} 在相關區內：證明本身用到這一點。`,
    whySegment: (square, segment, level) =>
      level <= 1
        ? `${square} 在相關區內：${segment} 上的一子可能成為反擊。`
        : `${square}：${segment} 上合計 ${level} 子才有影響，一子無妨。`,
    strip: (attacker) => `無論${otherSide(attacker)}在區外下哪裡，${side(attacker)}必勝：試試看。`,
    stripEnd: (attacker) => `已無防守：${side(attacker)}下一手成連。`,
    stripAttack: (attacker, squares) => `已證明：${side(attacker)}必勝。下一手：${squares}`,
    stands: (squares, attacker, answer) =>
      answer === ""
        ? `${squares}：在區外。證明依然成立。`
        : `${squares}：在區外。證明依然成立：${side(attacker)}續下 ${answer}。`,
    answered: (squares, reply, attacker, answer) =>
      reply === "" || reply === squares
        ? `對 ${squares} 的對策是 ${answer}，${side(attacker)}仍必勝。`
        : `${squares} 已包含在對 ${reply} 的對策中：${side(attacker)}下 ${answer}，仍必勝。`,
    tooLate: (squares, attacker, answer) => `${squares} 擋不住威脅：${side(attacker)}下 ${answer} 成連。`,
    incomplete: (squares) => `${squares} 在區內。請下完這一手，看看對策。`,
    answeredPartly: (squares, attacker, answer) =>
      `無論其餘棋子在區外何處，對 ${squares} 的對策是 ${answer}：${side(attacker)}必勝。`,
    unknown: "此證明太大，無法在此算出相關區；對策列於面板。",
  },
  search: {
    title: "搜尋",
    none: "目前沒有搜尋。",
    noneHint: "按 F5 開始，或證明一個開局：搜尋樹會在此生長。",
    waiting: "數字馬上就來。",
    job: "工作",
    size: (listed, all) => (listed === all ? `${n(all)} 個節點` : `${n(all)} 個節點中最重要的 ${n(listed)} 個`),
    tree: "搜尋樹",
    root: "起點",
    critical: "關鍵",
    criticalHint: "搜尋正在此處進行",
    pn: "證明數：約略還需多少才能證明",
    dn: "反證數：約略還需多少才能反證",
    states: { open: "未決", proved: "已證明", refuted: "已反證", running: "進行中" },
    hidden: (count) => `另有 ${n(count)} 個`,
    numbers: (proof, disproof) => `證明數 ${proof}，反證數 ${disproof}`,
    toLeaf: "顯示關鍵葉節點",
    rate: (nodes, perSecond) => `${n(nodes)} 個節點，每秒 ${n(perSecond)}`,
  },
  jobs: {
    title: "工作",
    none: "沒有工作。",
    noneHint: "交給電腦的一切都列在這裡，關閉網頁也會繼續。",
    kinds: { solve: "求解", verify: "驗證一手", prove: "證明", analyse: "分析", play: "走棋", check: "檢查" },
    states: { queued: "等待", running: "進行中", paused: "暫停", done: "完成", failed: "失敗", cancelled: "已停止" },
    scopes: { node: "", line: "整條變化", subtree: "以下全部", document: "整份棋譜" },
    forSide: (color) => `為${side(color)}`,
    priority: (value) => `優先 ${value > 0 ? "+" : ""}${value}`,
    raise: "提高優先",
    lower: "降低優先",
    pause: "暫停",
    resume: "繼續",
    cancel: "停止",
    cancelHint: "停止；已找到的會保留",
    repeat: "再做一次",
    forget: "移除",
    forgetEnded: "移除所有已結束的工作",
    goTo: "前往其局面",
    tree: "其搜尋樹",
    worker: (name, age) => `${name}，${age}前有回報`,
    age: (text) => `${text}前交辦`,
    took: (text) => `用時 ${text}`,
    progress: (done, total) => `${n(total)} 個局面中的 ${n(done)} 個`,
    nodes: (count) => `${n(count)} 個節點`,
    perSecond: (count) => `每秒 ${n(count)}`,
    order: (order) => `階 ${order}`,
    pnDn: (pn, dn) => `pn ${pn} · dn ${dn}`,
    unsolved: (count) => `${n(count)} 種應手未解`,
    active: (count) => `${n(count)} 個進行中`,
    ended: (kind, text) => `${kind}：${text}`,
    spoken: (job) => `工作 ${job.id}`,
  },
  solve: {
    title: "求解",
    solve: "求解",
    solveHint: "輪到的一方能強制取勝嗎？",
    solveOther: (color) => `為${side(color)}求解`,
    threatWin: "連續威脅取勝",
    threatWinHint: "只靠威脅取勝（至多二階）",
    verifyMove: "驗證這一手",
    verifyHint: "最後一手對任何應手都能勝嗎？",
    prove: "證明此開局 …",
    proveHint: "自訂限制的長時間搜尋；其樹在「搜尋」面板生長",
    proveStart: "開始",
    review: "檢討此局",
    solveBelow: "求解以下全部",
    solveBelowHint: "求解此局面及其下的每個局面；錯失的必勝會標出",
    solveAll: "求解整份文件",
    reviewHint: "求解此變化的每個局面：錯失的必勝會在樹上標出",
    stop: "停止",
    nothingToStop: "此處沒有進行中的工作。",
    stopped: "已停止。已找到的都保留。",
    order: "階數上限",
    nodes: "節點上限",
    seconds: "秒數上限",
    noLimit: "不限",
    forWhom: "由誰取勝",
    running: "此處進行中",
    results: "結果",
    noResults: "此處尚未嘗試。",
    outcome: {
      proved: "已證明", "no-win": "未找到勝法", unknown: "未決", value: "估計",
      stopped: "已停止", "thrown-away": "錯失必勝",
    },
    sentence: (result) => {
      const who = side(result.attacker);
      switch (result.outcome) {
        case "proved":
          return `${who}必勝。已證明並檢查。`;
        case "no-win":
          return `限制內的一切都試過了：${who}沒有找到勝法。`;
        case "unknown":
          return "在限制內未能決定。這並不表示沒有。";
        case "value":
          return "已比較各著。";
        case "stopped":
          return "決定之前已停止。";
        case "thrown-away":
          return `${who}在此手之前有已證明的必勝，現已失去。`;
      }
    },
    provenance: (nodes, seconds, version) => `${n(nodes)} 個節點，${seconds} 秒，版本 ${version}`,
    limits: (order, nodes, seconds) =>
      [
        order === null ? "" : `階 ${order}`,
        nodes === null ? "" : `${n(nodes)} 個節點`,
        seconds === null ? "" : `${n(seconds)} 秒`,
      ].filter((text) => text !== "").join("，") || "一般限制",
    limitsLabel: "限制",
    certificate: "證書",
    line: "變化",
    unsolved: "未解",
    showProof: "顯示證明",
    again: "加大限制再試",
    fact: (color) => `${side(color)}必勝`,
    because: { rules: "依規則", certificate: "已證明", inherited: "由已存的證明得知" },
    noVerdict: "此處尚無證明。",
    found: (text) => text,
  },
  threats: {
    title: "威脅",
    none: "沒有威脅。",
    side: (color, number) =>
      number === null
        ? `${side(color)}：威脅多到無法全擋`
        : number === 0
          ? `${side(color)}：沒有威脅`
          : `${side(color)}：需 ${n(number)} 子才能擋住威脅`,
    winsNow: (color) => `輪到${side(color)}，可立即成連。`,
    lost: (color, needed, has) => `${side(color)}需要 ${needed} 子，只有 ${has} 子：擋不住了。`,
    moreThanCan: "數不清的",
    threat: (empties) => `經 ${empties} 的線`,
    lines: (count) => `${n(count)} 條線`,
    mustAnswer: "必須應在",
    live: (l) => `活${l}`,
    dead: (l) => `死${l}`,
    patterns: "棋型",
    layer: "顯示在棋盤上",
    line: "勝法",
    lineHint: "滾輪或 ↑ ↓ 逐手觀看，「,」下出來",
    findLine: "尋找連續威脅的勝法（F4）",
  },
  analysis: {
    title: "分析",
    start: "分析",
    stop: "停止",
    toggle: "開關分析",
    off: "未開啟。按空白鍵開始；它從不自行開始。",
    estimate: (color) => `以${side(color)}的角度估計，不是事實。事實請用「求解」。`,
    lines: "著法數",
    thinking: (seconds, nodes) => `${seconds} 秒，${n(nodes)} 個節點`,
    score: {
      win: "勝", loss: "負", muchBetter: "大優", better: "優勢", slightlyBetter: "稍優",
      even: "均勢", slightlyWorse: "稍劣", worse: "劣勢", muchWorse: "大劣",
    },
    candidates: "候選著，最好的在前",
    hint: "滑過：在棋盤上顯示變化；滾輪逐手；「,」下出來",
    graph: "各手的評估",
    graphPoint: (turn, word) => `第 ${turn} 手：黑方${word}`,
    style: "風格",
    level: "等級",
  },
  play: {
    title: "對局",
    start: "從此處對局",
    newGame: "新對局",
    newGameAs: (color) => `執${side(color).charAt(0)}再來一局`,
    newBoard: "在空棋盤上開新局",
    youPlay: "你執",
    sideToMove: "輪到的一方",
    style: "風格",
    level: "等級",
    clock: "棋鐘",
    noClock: "無",
    minutes: "分鐘",
    increment: "每手加秒",
    yourMove: "輪到你。",
    thinking: (seconds) => `引擎思考中 … ${seconds} 秒`,
    waiting: "引擎的思考已被停止。",
    goOn: "讓它走",
    exploring: "你正在看別處：對局等著你。",
    backToGame: "回到對局",
    takeBack: "悔棋",
    hint: "提示",
    hintText: (squares, reason) => `提示：${squares}${reason === "" ? "" : `；${reason}`}`,
    resign: "認輸",
    end: "結束對局",
    says: (text) => `引擎：${text}`,
    ending: (ending, human) => {
      if (ending.how === "drawn") return "棋盤已滿：和局。";
      const who = ending.winner === human ? "你獲勝" : "引擎獲勝";
      if (ending.how === "time") return `超時，${who}。`;
      if (ending.how === "resigned") return "你認輸了。引擎獲勝。";
      return `${who}。`;
    },
    clocks: "棋鐘",
    left: (color, text) => `${side(color)}：${text}`,
    against: (style, level) => (style === "sixproof" ? `${style}，等級 ${level}` : style),
  },
  puzzle: {
    title: "最初五分鐘",
    show: "最初五分鐘",
    ask: (color) => `輪到${side(color)}，一手必勝。你看得出來嗎？`,
    askHint: (stones) => `在棋盤上點 ${n(stones)} 下。F5 顯示答案。`,
    showMe: "告訴我（F5）",
    judging: (squares, seconds) => `${squares}：能勝嗎？ … ${seconds} 秒`,
    refuting: (color, seconds) => `${otherSide(color)}如何應付？ … ${seconds} 秒`,
    refutedWin: (squares, color) => `下 ${squares} 之後反而是${otherSide(color)}勝，勝法如圖。換一手試試。`,
    refutedDefence: (squares, color) => `下 ${squares} 之後，${otherSide(color)}這樣防守，就找不到勝法了。換一手試試。`,
    refutedPlain: (squares) => `${squares}：之後沒有找到勝法。換一手試試。`,
    tryAgain: "再試一次",
    solving: (seconds) => `尋找勝法 … ${seconds} 秒`,
    unsolved: "在限制內沒有找到。",
    won: (color) => `無論${otherSide(color)}在外面怎麼下，${side(color)}必勝：試試看。`,
    right: "就是這一手。",
    wonHint: (color) => `把${otherSide(color)}的棋子下在任何地方。變暗處都在相關區外。`,
    standsTitle: "證明依然成立。",
    insideTitle: "在相關區內，但有對策。",
    again: "再來一次",
    nextTitle: "接下來可以試試",
    next: {
      walk: "用方向鍵走讀整個勝法",
      drop: "把一局棋（SGF）拖到棋盤上再檢討：錯失的必勝會標出來",
      prove: "證明一個開局：看著它的樹生長",
      share: "分享：連結、圖片、證書",
      play: "與引擎對局",
    },
    dismiss: "關閉",
  },
  time: {
    seconds: (s) => `${s} 秒`,
    minutes: (m, s) => `${m} 分 ${s} 秒`,
    hours: (h, m) => `${h} 小時 ${m} 分`,
    days: (d) => `${d} 天`,
  },
  panels: {
    yes: "是",
    copy: "複製",
    close: "關閉",
    showZone: "相關區",
  },
};
