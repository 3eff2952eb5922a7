// Facts about the document: its title, the game, players, event, date.
import { doc } from "../state/document";
import { edit } from "../state/edits";
import { W } from "../words";
import { DocumentNotes } from "./DocumentNotes";
import "./InfoPane.css";

/** Keys whose fields are there even while they are empty. */
const USUAL = ["PB", "PW", "RE", "EV", "DT", "PC"];

export function InfoPane() {
  const here = doc.value;
  if (here === null) return null;
  const words = W();
  const values = new Map(here.info.map(({ key, value }) => [key, value]));
  const keys = [...USUAL, ...here.info.map(({ key }) => key).filter((key) => !USUAL.includes(key))];
  const { k, p, q, exact } = here.game;
  const title = words.server.title(here.title);
  return (
    <div class="info-pane">
      <p class="muted">
        {words.server.title(here.game.title)} · k={k} p={p} q={q}
        {exact ? ` · ${words.exact}` : ""} · {words.nodes(here.nodes)}
      </p>
      <DocumentNotes all />
      <div class="info-grid">
        <label for="info-title">{words.title}</label>
        <input
          id="info-title"
          key={`title/${title}`}
          defaultValue={title}
          onChange={(event) => void edit({ edit: "title", text: event.currentTarget.value })}
        />
        {keys.map((key) => (
          <>
            <label key={`label-${key}`} for={`info-${key}`}>
              {words.infoKeys[key] ?? key}
            </label>
            <input
              key={`${key}/${values.get(key) ?? ""}`}
              id={`info-${key}`}
              defaultValue={values.get(key) ?? ""}
              onChange={(event) => void edit({ edit: "info", key, value: event.currentTarget.value })}
            />
          </>
        ))}
      </div>
    </div>
  );
}
