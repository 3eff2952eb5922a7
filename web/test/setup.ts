// All test files share one DOM, since one for each takes four times as long as the tests. Every test begins in
// English, and none reaches a network.
import { beforeEach } from "vitest";
import { language } from "../src/words";

globalThis.fetch = () => Promise.reject(new TypeError("tests have no network"));

beforeEach(() => {
  language.value = "en";
});
