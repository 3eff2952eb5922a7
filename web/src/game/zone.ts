// Zones of a proof: the squares in a zone, and why. Stones outside change nothing.
import type { SquareName, Zone } from "../api/types";

/** The role of a square in a zone: none, a square of A, or part of segments (the least level counts). */
export type WhyInZone =
  | { kind: "outside" }
  | { kind: "square" }
  | { kind: "segment"; level: number; ends: SquareName[]; count: number };

export function whyInZone(zone: Zone, square: SquareName): WhyInZone {
  if (zone.squares.includes(square)) return { kind: "square" };
  let least: Zone["segments"][number] | null = null;
  let count = 0;
  for (const segment of zone.segments) {
    if (!segment.squares.includes(square)) continue;
    count += 1;
    if (least === null || segment.level < least.level) least = segment;
  }
  if (least === null) return { kind: "outside" };
  return { kind: "segment", level: least.level, ends: least.ends, count };
}

/** Whether the zone is known. The server leaves out the zone of a very large proof. */
export const hasZone = (zone: Zone): boolean => zone.squares.length + zone.solid.length + zone.hatched.length > 0;

/** Whether all these stones are outside; false if the zone is not known. */
export const allOutside = (zone: Zone, squares: SquareName[]): boolean =>
  hasZone(zone) && squares.every((square) => whyInZone(zone, square).kind === "outside");

/** Empty squares outside the zone, the farthest from all stones and from the zone first. */
export function outsideSquares(
  empty: { name: SquareName; x: number; y: number }[],
  zone: Zone,
  near: { x: number; y: number }[],
): SquareName[] {
  const inside = new Set([...zone.squares, ...zone.solid, ...zone.hatched]);
  const distance = (a: { x: number; y: number }): number =>
    near.reduce((least, b) => Math.min(least, Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))), 99);
  return empty
    .filter((square) => !inside.has(square.name))
    .map((square) => ({ name: square.name, far: distance(square) }))
    .sort((a, b) => b.far - a.far)
    .map((square) => square.name);
}
