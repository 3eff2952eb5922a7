// Files that hold several games, and games with rules that are not known here: the reader chooses.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentId, drop, otherDocument, reload, rows, seeNothingCut, seeNotice, showTab } from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

const THREE =
  "(;GM[511]SZ[19]GN[First]PB[Ann]PW[Bo]RE[B+];B[jj];W[ii];W[kk])\n" +
  "(;GM[4]SZ[15]GN[Cup, round 2];B[hh];W[hg];B[ii])\n" +
  "(;GM[511]SZ[19]PB[黑]C[third];B[jj](;W[ij];W[kj])(;W[aa];W[bb]))\n";

const count = async (stage) => (await stage.server.api("/documents")).length;

/** One game of a collection, all of them, none; Renju refused, and opened by choice, with a note that stays. */
export async function collections(stage) {
  const page = await stage.open();
  await settled(page);
  const before = await count(stage);
  const file = join(stage.folder, "three.sgf");
  writeFileSync(file, THREE);
  const sheet = page.getByRole("dialog");
  await drop(page, [file]);
  await sheet.getByText("three.sgf has 3 games. Which one?").waitFor();
  await stage.picture("games");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await settled(page);
  check((await count(stage)) === before, "none was opened");

  await drop(page, [file]);
  await sheet.getByRole("searchbox").fill("cup");
  await until(async () => (await sheet.getByRole("listitem").count()) === 1, "one game has the word");
  await otherDocument(page, () => page.keyboard.press("Enter"));
  await showTab(page, "Tree");
  await until(async () => (await rows(page).count()) === 4, "the game has its three moves");

  await drop(page, [file]);
  await otherDocument(page, () => sheet.getByRole("button", { name: "Open all 3" }).click());
  await until(async () => (await count(stage)) === before + 4, "all three were opened, beside the first");
  await seeNotice(page, "Opened: SGF");

  const renju = join(stage.files, "suite/sgf/renju.sgf");
  await stage.allowing([/status of 409/], async () => {
    await drop(page, [renju]);
    await sheet.getByText("These are Renju rules, which sixproof does not know").waitFor();
    await stage.picture("renju");
    await sheet.getByRole("button", { name: "Cancel" }).click();
    await sheet.waitFor({ state: "detached" });
    await settled(page);
    check((await count(stage)) === before + 4, "nothing was opened");
    await drop(page, [renju]);
    await otherDocument(page, () => sheet.getByRole("button", { name: "Open as free-style Go-Moku" }).click());
  });
  const note = page.getByRole("list", { name: "Notes about this document" }).first();
  await note.getByText(/rules/).waitFor();
  const id = documentId(page);
  await reload(page);
  await note.getByText(/rules/).waitFor();
  check(documentId(page) === id, "the note is there after a reload");
  await stage.picture("renju-opened");

  // The same on a phone, in Chinese and in the dark.
  const phone = await stage.open({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: "zh-TW",
    colorScheme: "dark",
  });
  await settled(phone);
  await drop(phone, [file], "放開即可開啟");
  await phone.getByRole("dialog").getByText("three.sgf 有 3 局棋").waitFor();
  await seeNothingCut(phone);
  await stage.picture("phone-games", phone);
  await phone.getByRole("button", { name: "取消" }).tap();
  await stage.allowing([/status of 409/], async () => {
    await drop(phone, [renju], "放開即可開啟");
    await phone.getByRole("dialog").getByText("連珠規則").waitFor();
    await seeNothingCut(phone);
    await stage.picture("phone-renju", phone);
    await phone.getByRole("button", { name: "當作自由規則的五子棋開啟" }).tap();
    await phone.getByRole("list", { name: "關於這份棋譜" }).first().waitFor();
  });
  await seeNothingCut(phone);
  await stage.picture("phone-renju-opened", phone);
}
