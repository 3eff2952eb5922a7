// Which of the two overlays is open: the keys (`?`) or the palette (Ctrl+K).
import { signal } from "@preact/signals";

export const helpOpen = signal(false);
export const paletteOpen = signal(false);
