// The panes of the page itself.
import { W } from "../words";
import { registerPane } from ".";
import { CommentPane } from "./CommentPane";
import { DocumentsPane } from "./DocumentsPane";
import { InfoPane } from "./InfoPane";
import { TreePane } from "./tree/TreePane";

export function registerPagePanes(): void {
  registerPane({ id: "tree", dock: "upper", words: () => W().tree, view: TreePane });
  registerPane({ id: "documents", dock: "upper", words: () => W().documents, view: DocumentsPane });
  registerPane({ id: "comment", dock: "lower", words: () => W().comment, view: CommentPane });
  registerPane({ id: "info", dock: "lower", words: () => W().info, view: InfoPane });
}
