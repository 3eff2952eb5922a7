// Links: to a position (works with any server) and to a node (holds the whole tree, on this server).
import { ensureDocument, game, node } from "../state/document";
import { afterEdits } from "../state/edits";
import { inform } from "../state/notices";
import { movesOf, nodeHash, positionHash } from "../state/place";
import { W } from "../words";
import { copyText } from "./export";

const withHash = (hash: string): string => location.href.replace(/#.*$/, "") + hash;

export async function copyPositionLink(): Promise<void> {
  await afterEdits();
  const [board, here] = [game.value, node.value];
  if (board === null || here === null) return;
  const moves = movesOf(here);
  if (moves === null) {
    if (await copyServerLink(false)) inform(W().linkNeedsMoves);
    return;
  }
  if (await copyText(withHash(positionHash(board.name, moves)))) inform(W().copied);
}

export async function copyServerLink(say = true): Promise<boolean> {
  await afterEdits();
  const id = await ensureDocument();
  const here = node.value;
  if (id === null || here === null) return false;
  const done = await copyText(withHash(nodeHash(id, here.id)));
  if (done && say) inform(W().copied);
  return done;
}
