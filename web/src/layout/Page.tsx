// The whole page: a bar on top, the board in the middle, the docks of panes on the right.
import { dragging } from "../files/open";
import { W } from "../words";
import { Bar } from "./Bar";
import { Docks } from "./Docks";
import { Help } from "./Help";
import { Middle } from "./Middle";
import { Notices } from "./Notices";
import { Palette } from "./Palette";
import { Sheets } from "./Sheet";

export function Page() {
  return (
    <div class="page">
      <Bar />
      <Middle />
      <Docks />
      <Notices />
      <Palette />
      <Help />
      <Sheets />
      {dragging.value && <div class="drop">{W().dropHere}</div>}
    </div>
  );
}
