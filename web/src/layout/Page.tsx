// The whole page: a bar on top, the board in the middle, the docks of panes on the right.
import { Docks } from "./Docks";
import { Notices } from "./Notices";

export function Page() {
  return (
    <div class="page">
      <header class="bar" />
      <main class="middle" />
      <Docks />
      <Notices />
    </div>
  );
}
