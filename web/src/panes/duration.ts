// Durations and sizes as text.
import { W } from "../words";

export function durationText(ms: number): string {
  const words = W().time;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return words.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return words.minutes(minutes, seconds % 60);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return words.hours(hours, minutes % 60);
  return words.days(Math.floor(hours / 24));
}

/** Seconds with two or three significant digits: `0.04`, `2.7`, `125`. */
export function secondsText(seconds: number): string {
  if (seconds < 1) return seconds.toFixed(2);
  return seconds < 100 ? seconds.toFixed(1) : Math.round(seconds).toLocaleString("en");
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
