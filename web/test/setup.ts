// All test files share one document, since a document for each takes four times as long as the tests.
// Every test leaves the language as it was, and none reaches a network.
import { afterEach } from "vitest";
import { language } from "../src/words";

globalThis.fetch = () => Promise.reject(new TypeError("tests have no network"));
language.value = "en";

afterEach(() => {
  language.value = "en";
});
