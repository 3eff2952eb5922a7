// The page starts here.
import { render } from "preact";
import { api } from "./api/client";
import { handleKey } from "./commands";
import { Page } from "./layout/Page";
import { registerPanels } from "./panels";
import { startLive } from "./state/sync";
import { applyTheme } from "./state/view";
import { applyLanguage } from "./words";
import "./style/index.css";

applyTheme();
applyLanguage();
registerPanels();
window.addEventListener("keydown", handleKey);
const root = document.getElementById("page");
if (root !== null) render(<Page />, root);
void api.status().catch(() => null).then(startLive);
