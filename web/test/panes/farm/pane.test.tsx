import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../src/api/client";
import type { FarmAnswer } from "../../../src/api/types";
import { active, registerPane } from "../../../src/panes";
import { FarmPane, rateText } from "../../../src/panes/farm/FarmPane";
import { copyJoin, FARM_EVERY_MS, FARM_LATE_MS, farmStatus, isLoopback } from "../../../src/panes/farm/state";
import { notices } from "../../../src/state/notices";
import { language } from "../../../src/words";
import { FakeServer } from "../../fake-server";
import { farm, manager, worker } from "./farms";

let server: FakeServer;
let root: HTMLElement;
let copied: string[];
let visibility: DocumentVisibilityState;

const asked = (): number => server.asked.filter((one) => one.path === "/farm").length;
const text = (selector = ""): string => ((selector ? root.querySelector(selector) : root)?.textContent ?? "").trim();
const all = (selector: string): string[] => [...root.querySelectorAll(selector)].map((one) => one.textContent ?? "");

/** Lets time pass, with everything that the pane fetches and draws meanwhile. */
const pass = (ms: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
async function show(status: FarmAnswer): Promise<void> {
  server.farm = status;
  await act(() => render(<FarmPane />, root));
  await pass(0);
}
const leave = (): Promise<void> => act(() => render(null, root));
function turn(to: DocumentVisibilityState): void {
  visibility = to;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  root = document.createElement("div");
  document.body.append(root);
  copied = [];
  visibility = "visible";
  notices.value = [];
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (line) => void copied.push(line));
});
afterEach(async () => {
  await leave();
  root.remove();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the farm pane", () => {
  it("says_how_to_start_a_farm_where_there_is_none", async () => {
    await show({ farm: null });
    expect(text()).toContain("No farm.");
    expect(all("code")).toEqual(["sixproof serve --farm nats://HOST:4222"]);
    expect(root.querySelector("table")).toBeNull();
  });

  it("says_why_it_is_not_connected_and_still_how_to_join", async () => {
    await show(farm({ connected: false, problem: "nats://farm.test:4222 does not answer", managers: [] }));
    expect(text(".farm-link")).toMatch(/^✕ not connected/);
    expect(text("[role=status]")).toBe("nats://farm.test:4222 does not answer");
    expect(all("code")).toEqual(["sixproof worker nats://farm.test:4222"]);
    expect(text()).not.toContain("No search is running");
  });

  it("shows_warnings_first_in_the_readers_language_and_unknown_ones_in_the_servers", async () => {
    const warnings = [
      { kind: "tooManyWorkers", text: "16,384 workers asked", count: 16_384 },
      { kind: "newKind", text: "something new", count: null },
    ];
    await show(farm({ warnings }));
    expect(all(".farm-warnings li")).toEqual(["⚠  16,384 workers asked", "⚠  something new"]);
    expect(root.querySelector(".farm-pane")?.firstElementChild?.className).toBe("farm-warnings");
    await act(() => {
      language.value = "zh-TW";
    });
    expect(all(".farm-warnings li")).toEqual([
      "⚠ 報到的工作機太多（16,384），多出的不予理會。 16,384 workers asked",
      "⚠  something new",
    ]);
  });

  it("says_how_many_answers_were_done_again", async () => {
    await show(farm({ managers: [manager({ uncertified: 6_812, done_again: 140 })] }));
    expect(text(".farm-facts")).toContain("answers without a certificate6,812");
    expect(text(".farm-facts")).toContain("of these repeated140");
  });

  it("says_how_to_search_where_nobody_does", async () => {
    await show(farm({ managers: [] }));
    expect(text(".farm-link")).toMatch(/^● connected/);
    expect(text()).toContain("No search is running.");
    expect(all("code")).toEqual([
      "sixproof worker nats://farm.test:4222",
      "sixproof prove POSITION --farm nats://farm.test:4222",
    ]);
  });

  it("a_search_without_workers_points_to_the_command_that_joins_one", async () => {
    await show(farm({ managers: [manager({ workers: [] })] }));
    expect(text("h3")).toBe("Black to win, Connect6, 5 stones");
    expect(text()).toContain("No worker yet. The command “sixproof worker” joins one.");
    expect(all("code")).toEqual(["sixproof worker nats://farm.test:4222"]);
    expect(root.querySelector("table")).toBeNull();
  });

  it("every_search_tells_its_queue_its_rates_and_its_oldest_job", async () => {
    const second = manager({
      id: "m2",
      title: "White",
      queued: 0,
      running: 0,
      judging: 0,
      oldest_seconds: 0,
      given_up: 2,
    });
    await show(farm({ managers: [manager(), second] }));
    const facts = [...root.querySelectorAll("dl")].map((list) =>
      Object.fromEntries([...list.children].map((one) => [one.children[0]?.textContent, one.children[1]?.textContent])),
    );
    expect(facts[0]).toEqual({
      queued: "3",
      running: "2",
      "being checked": "1",
      done: "1,120",
      "jobs/s": "12.5",
      "nodes/s": "200,000",
      "oldest job": "1 min 4 s",
      "given up": "0",
      "so far": "12 s",
      "answers without a certificate": "0",
      "of these repeated": "0",
    });
    expect(facts[1]).toMatchObject({ "oldest job": "–", "given up": "! 2" });
    expect(root.querySelectorAll(".farm-fact.warned").length).toBe(1);
  });

  it("a_worker_tells_its_state_by_sign_and_word_and_why_it_is_out", async () => {
    const workers = [
      worker("z-dropped", { state: "dropped", why: "its certificate was wrong", seen_seconds: 7 }),
      worker("b-working"),
      worker("c-lost", { state: "lost", seen_seconds: 130 }),
      worker("a-idle", { state: "idle", running: 0 }),
      worker("y-dropped", { state: "dropped", why: "signature 1a, not 2b: install the same version" }),
    ];
    await show(farm({ managers: [manager({ workers })] }));
    expect(all("tbody th")).toEqual(["a-idle", "b-working", "c-lost", "y-dropped", "z-dropped"]);
    expect(all(".farm-state")).toEqual(["○ idle", "▶ working", "? lost", "✕ dropped", "✕ dropped"]);
    expect(all(".farm-why")).toEqual(["signature 1a, not 2b: install the same version", "its certificate was wrong"]);
    const row = [...(root.querySelectorAll(".farm-worker")[2]?.children ?? [])].map((one) => one.textContent);
    expect(row).toEqual(["c-lost", "? lost", "2", "2", "60", "90,000", "2 min 10 s ago"]);
    expect(root.querySelector(".farm-worker")?.lastElementChild?.textContent).toBe("now");
    expect(root.querySelector("table")?.getAttribute("aria-label")).toBe("Workers: Black to win, Connect6, 5 stones");
  });

  it("rows_do_not_change_places_when_a_worker_gets_or_ends_a_job", async () => {
    const workers = (a: "working" | "idle", b: "working" | "idle") => [
      worker("b", { state: b }),
      worker("a", { state: a }),
    ];
    await show(farm({ managers: [manager({ workers: workers("idle", "working") })] }));
    expect(all("tbody th")).toEqual(["a", "b"]);
    server.farm = farm({ managers: [manager({ workers: workers("working", "idle") })] });
    await pass(FARM_EVERY_MS);
    expect(all("tbody th")).toEqual(["a", "b"]);
    expect(all(".farm-state")).toEqual(["▶ working", "○ idle"]);
  });

  it("names_are_text_whatever_is_in_them", async () => {
    const name = "<img src=x onerror=alert(1)>";
    await show(
      farm({ managers: [manager({ title: name, workers: [worker(name, { state: "dropped", why: name })] })] }),
    );
    expect(root.querySelector("img")).toBeNull();
    expect([text("h3"), text("tbody th"), text(".farm-why")]).toEqual([name, name, name]);
  });

  it("of_very_many_workers_the_first_are_shown_and_the_others_counted", async () => {
    const workers = Array.from({ length: 203 }, (_, i) => worker(`w${i}`));
    await show(farm({ managers: [manager({ workers })] }));
    expect(root.querySelectorAll(".farm-worker").length).toBe(200);
    expect(text()).toContain("3 more workers");
  });

  it("speaks_chinese", async () => {
    language.value = "zh-TW";
    await show(farm());
    expect(text()).toContain("在另一台機器執行，它就加入");
    expect(text(".farm-state")).toBe("▶ 工作中");
  });
});

describe("the command that joins", () => {
  it("comes_first_until_a_worker_is_there", async () => {
    const isFirst = (): boolean => root.querySelector(".farm-link")?.nextElementSibling?.className === "farm-join";
    await show(farm({ managers: [manager({ workers: [worker("gone", { state: "lost" })] })] }));
    expect(isFirst()).toBe(true);
    server.farm = farm();
    await pass(FARM_EVERY_MS);
    expect(isFirst()).toBe(false);
    expect(all(".farm-join code")).toEqual(["sixproof worker nats://farm.test:4222"]);
  });

  it("is_copied_by_its_button_which_says_what_it_copies", async () => {
    await show(farm());
    const button = root.querySelector("button");
    expect(button?.getAttribute("aria-label")).toBe("Copy: sixproof worker nats://farm.test:4222");
    button?.click();
    await pass(0);
    expect(copied).toEqual(["sixproof worker nats://farm.test:4222"]);
    expect(notices.value.map((notice) => notice.text)).toEqual(["Copied."]);
  });

  it("is_copied_by_its_command_while_the_pane_is_closed", async () => {
    server.farm = farm();
    await copyJoin();
    expect(copied).toEqual(["sixproof worker nats://farm.test:4222"]);
  });

  it("without_a_farm_its_command_opens_the_pane", async () => {
    registerPane({ id: "farm", dock: "lower", words: () => "Farm", view: FarmPane });
    active.lower.value = "comment";
    await copyJoin();
    expect([copied, active.lower.value]).toEqual([[], "farm"]);
  });

  it("says_so_if_its_address_is_of_this_machine_only", async () => {
    await show(farm({ join: "sixproof worker nats://127.0.0.1:4222" }));
    expect(text()).toContain("This address works on this machine only");
    await leave();
    await show(farm());
    expect(text()).not.toContain("this machine only");
  });

  it.each([
    ["nats://127.0.0.1:4222", true],
    ["nats://localhost", true],
    ["tls://me:secret@localhost:4222/", true],
    ["nats://[::1]:4222", true],
    ["127.0.0.1:4222", true],
    ["nats://localhost.example:4222", false],
    ["nats://10.127.0.0:4222", false],
    ["nats://farm:4222", false],
    ["nats://127.0.0.1@farm:4222", false],
  ])("%s is of this machine only: %s", (url, is) => {
    expect(isLoopback(url)).toBe(is);
  });
});

describe("the farm is asked", () => {
  it("every_two_seconds_while_the_pane_is_there_and_no_more_after", async () => {
    await show(farm());
    expect(asked()).toBe(1);
    await pass(FARM_EVERY_MS - 1);
    expect(asked()).toBe(1);
    await pass(1);
    expect(asked()).toBe(2);
    await pass(3 * FARM_EVERY_MS);
    expect(asked()).toBe(5);
    await leave();
    expect(farmStatus.value).toBeNull();
    await pass(5 * FARM_EVERY_MS);
    expect(asked()).toBe(5);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("not_while_the_page_is_hidden_and_at_once_when_it_is_seen_again", async () => {
    await show(farm());
    turn("hidden");
    await pass(5 * FARM_EVERY_MS);
    expect(asked()).toBe(1);
    turn("visible");
    await pass(0);
    expect(asked()).toBe(2);
    await pass(FARM_EVERY_MS);
    expect(asked()).toBe(3);
  });

  it("not_at_all_in_a_page_that_is_opened_hidden", async () => {
    visibility = "hidden";
    await show(farm());
    await pass(FARM_EVERY_MS);
    expect(asked()).toBe(0);
    expect(text()).toBe("Asking …");
  });

  it("not_again_before_it_has_answered", async () => {
    let answer = (): void => undefined;
    server.gate = () => new Promise((resolve) => (answer = resolve));
    await show(farm());
    await pass(3 * FARM_EVERY_MS);
    expect(asked()).toBe(1);
    answer();
    await pass(FARM_EVERY_MS);
    expect(asked()).toBe(2);
  });

  it("an_answer_that_comes_after_the_pane_was_closed_is_not_kept", async () => {
    let answer = (): void => undefined;
    server.gate = () => new Promise((resolve) => (answer = resolve));
    await show(farm());
    await leave();
    answer();
    await pass(FARM_EVERY_MS);
    expect(farmStatus.value).toBeNull();
    expect(asked()).toBe(1);
  });

  it("a_server_that_is_away_is_told_in_the_pane_and_asked_again", async () => {
    await show(farm());
    server.isAway = true;
    await pass(2 * FARM_EVERY_MS);
    expect(text("[role=status]")).toContain("The server cannot be reached.");
    expect(text("[role=status]")).toContain("The numbers below are older");
    expect(all("tbody th")).toEqual(["host-1"]);
    expect(notices.value).toEqual([]);
    server.isAway = false;
    await pass(FARM_EVERY_MS);
    expect(root.querySelector("[role=status]")).toBeNull();
  });

  it("a_server_that_never_answers_is_told_too", async () => {
    vi.stubGlobal(
      "fetch",
      (_: string, init: RequestInit) =>
        new Promise((_resolve, reject) => {
          init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        }),
    );
    await show(farm());
    await pass(FARM_LATE_MS - 1);
    expect(text()).toBe("Asking …");
    await pass(1);
    expect(text("[role=status]")).toBe("The server does not answer.");
  });

  it("what_a_server_says_against_it_is_shown", async () => {
    const problem = {
      status: 404,
      title: "There is no such thing.",
      help: null,
      where: null,
      kind: null,
      present: null,
    };
    vi.stubGlobal(
      "fetch",
      async () =>
        new Response(JSON.stringify(problem), { status: 404, headers: { "content-type": "application/problem+json" } }),
    );
    await show(farm());
    expect(text("[role=status]")).toBe(new Failure(problem).message);
  });
});

describe("rates", () => {
  it.each([
    [0, "0"],
    [1e-9, "0"],
    [0.042, "0.042"],
    [2.55, "2.5"],
    [12.5, "12.5"],
    [99.97, "100"],
    [1234.5, "1,235"],
  ])("%s is shown as %s", (value, text) => expect(rateText(value)).toBe(text));
});
