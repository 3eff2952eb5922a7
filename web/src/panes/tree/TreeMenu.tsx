// The menu of the tree: the commands for the current move and the moves below it.
import { commands, isPossible, keyHint } from "../../commands";
import { W } from "../../words";
import { Menu, type MenuItem } from "../Menu";

const IDS = ["promote-main", "promote-first", "promote-up", "promote-down", "cut", "copy", "paste", "pass", "delete"];

export function TreeMenu() {
  const items = (): MenuItem[] =>
    IDS.flatMap((id) => {
      const command = commands.value.find((one) => one.id === id);
      if (command === undefined) return [];
      const apart = id === "cut" || id === "pass" || id === "delete";
      return [
        {
          label: command.words(),
          hint: keyHint(id),
          run: command.run,
          disabled: !isPossible(command),
          ...(apart ? { apart } : {}),
        },
      ];
    });
  return <Menu label="⋯" title={W().menuEdit} items={items} align="right" />;
}
