#!/usr/bin/env python3
"""An independent checker of sixproof certificates, written from the specification.

    python3 checker.py FILE...

Prints `verified`, `rejected: reason` or `unreadable: reason` for each file (after its name, if
there are several) and exits with 0, 1 or 2: the worst of them. Standard library only.

How it works. Sets of squares and sets of segments are both big integers, one bit each. A zone is
a set of squares and a list of sets of segments S1, S2, ... of which the last one stays constant,
so that union is `|` and a shift is a slice. The moves of Defender that a node must cover are not
listed one by one: the stones of a move are chosen one after another, first among the squares that
block a threat still open, and for the last stone all squares are tried at once, as a set.
"""

import itertools
import re
import sys
import threading


class Unreadable(Exception):
    """Not a certificate."""


class Rejected(Exception):
    """A certificate that proves nothing."""


# ---------------------------------------------------------------------------------------- reading

NUMBER = re.compile(r"(0|[1-9][0-9]{0,9})\Z")
NUMBER_MAX = 1_000_000_000
SQUARES_MAX = 200_000
BOUNDED = re.compile(r"([A-Z]{1,6})([1-9][0-9]{0,9})\Z")
UNBOUNDED = re.compile(r"(0|-?[1-9][0-9]{0,9}),(0|-?[1-9][0-9]{0,9})\Z")
SEGMENT = re.compile(r"(.*?[0-9])-(.*)\Z", re.S)


class Tokens:
    """The words of a file, comments left out."""

    def __init__(self, data):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unreadable(f"not UTF-8: {error}") from None
        self.words = []
        for line in text.split("\n"):
            self.words += re.findall(r"[^ \t\r]+", line.split("#", 1)[0])
        self.next = 0

    def peek(self):
        return self.words[self.next] if self.next < len(self.words) else ""

    def take(self):
        word = self.peek()
        if not word:
            raise Unreadable("the file ends too early")
        self.next += 1
        return word

    def expect(self, word):
        found = self.take()
        if found != word:
            raise Unreadable(f"{found!r} instead of {word!r}")

    def number(self, word=None):
        word = self.take() if word is None else word
        if not NUMBER.match(word) or int(word) > NUMBER_MAX:
            raise Unreadable(f"{word!r} is no number")
        return int(word)

    def color(self):
        word = self.take()
        if word not in ("black", "white"):
            raise Unreadable(f"{word!r} is no side")
        return word


class Header:
    """The claim: the game, the stones, and the move at hand."""

    def __init__(self, tokens):
        tokens.expect("sixproof-certificate")
        tokens.expect("1")
        tokens.expect("game")
        self.cols, self.rows, self.k, self.p, self.q = (tokens.number() for _ in range(5))
        bounded = self.cols > 0 or self.rows > 0
        longest = max(self.cols, self.rows)
        if bounded and (0 in (self.cols, self.rows) or longest > 59 or self.k > longest):
            raise Unreadable("no such board")
        if not (1 <= self.k <= 19 and 1 <= self.p <= 9 and 1 <= self.q <= 19):
            raise Unreadable("no such game")
        self.exact = tokens.peek() == "exact"
        if self.exact:
            tokens.take()
        tokens.expect("attacker")
        self.attacker = tokens.color()
        tokens.expect("black")
        black = self.squares(tokens)
        tokens.expect("white")
        white = self.squares(tokens)
        if set(black) & set(white):
            raise Unreadable("two stones on one square")
        tokens.expect("to-move")
        self.to_move = tokens.color()
        self.count = tokens.number()
        self.stones = {"black": black, "white": white}
        most = self.p
        if self.to_move == "black" and not white:
            most = max(self.p, self.q) if black else self.q
        if not 1 <= self.count <= most:
            raise Unreadable(f"{self.count} stones to move, where 1 to {most} are possible")

    def square(self, word):
        """The square with this name, as a pair (x, y)."""
        if self.cols == 0:
            match = UNBOUNDED.match(word)
            if not match:
                raise Unreadable(f"{word!r} is no square")
            x, y = int(match[1]), int(match[2])
            if max(abs(x), abs(y)) > NUMBER_MAX:
                raise Unreadable(f"{word} is too far away")
            return (x, y)
        match = BOUNDED.match(word)
        if not match:
            raise Unreadable(f"{word!r} is no square")
        x = 0
        for letter in match[1]:
            x = x * 26 + ord(letter) - ord("A") + 1
        y = int(match[2])
        if x > self.cols or y > self.rows:
            raise Unreadable(f"{word} is off the board")
        return (x - 1, y - 1)

    def squares(self, tokens):
        """As many distinct squares as follow."""
        found = []
        while tokens.peek()[-1:] in set("0123456789") and tokens.peek()[0] != "~":
            square = self.square(tokens.take())
            if square in found:
                raise Unreadable("a square twice")
            found.append(square)
        return found


# Nodes are tuples: ("W", squares), ("A", squares, node), ("D", threats or None, replies) with
# replies (squares, slack or None, node), ("@", node) and ("=", number).

def read_node(tokens, header):
    word = tokens.take()
    if word == "W":
        return ("W", header.squares(tokens))
    if word == "A":
        return ("A", header.squares(tokens), read_node(tokens, header))
    if word in ("D", "D!"):
        threats = None
        if word == "D!":
            threats = []
            for _ in range(tokens.number()):
                name = tokens.take()
                match = SEGMENT.match(name)
                if not match:
                    raise Unreadable(f"{name!r} is no segment")
                threats.append((header.square(match[1]), header.square(match[2])))
        replies = []
        for _ in range(tokens.number()):
            tokens.expect("R")
            squares, slack = header.squares(tokens), None
            if tokens.peek().startswith("~"):
                slack = tokens.number(tokens.take()[1:])
            replies.append((squares, slack, read_node(tokens, header)))
        return ("D", threats, replies)
    if word == "@":
        return ("@", read_node(tokens, header))
    if word == "=":
        return ("=", tokens.number())
    raise Unreadable(f"{word!r} instead of a node")


def named_squares(node):
    """Every square named at or below a node."""
    found, stack = [], [node]
    while stack:
        node = stack.pop()
        if node[0] in ("W", "A"):
            found += node[1]
        if node[0] == "A":
            stack.append(node[2])
        elif node[0] == "@":
            stack.append(node[1])
        elif node[0] == "D":
            for ends in node[1] or []:
                found += ends
            for squares, _, child in node[2]:
                found += squares
                stack.append(child)
    return found


# -------------------------------------------------------------------------------------- the board

def bits(mask):
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def shorten(coordinates, width):
    """Places for the named coordinates such that empty stretches are at most `width` wide."""
    places, place, last = {}, width, None
    for coordinate in sorted(set(coordinates)):
        if last is not None:
            place += min(coordinate - last, width + 1)
        places[coordinate] = place
        last = coordinate
    return places, place + width + 1


class Board:
    """Squares and segments as bits."""

    def __init__(self, header, named):
        self.k, self.p, self.exact = header.k, header.p, header.exact
        if header.cols:
            self.columns, self.cols = range(header.cols), header.cols
            self.lines, self.rows = range(header.rows), header.rows
        else:
            width = (max(header.p, header.count) + 2) * header.k
            self.columns, self.cols = shorten([x for x, _ in named], width)
            self.lines, self.rows = shorten([y for _, y in named], width)
        cols, rows = self.cols, self.rows
        if cols * rows > SQUARES_MAX:
            raise Unreadable("the board is too large for this checker")
        self.squares = (1 << cols * rows) - 1
        self.segments = []       # the squares of each segment
        self.beyond = []         # the squares just beyond its ends
        self.by_ends = {}        # the segments with these two end squares
        self.through = [0] * (cols * rows)  # the segments through each square
        for y in range(rows):
            for x in range(cols):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    self.add_segment(x, y, dx, dy)
        self.all_segments = (1 << len(self.segments)) - 1

    def add_segment(self, x, y, dx, dy):
        cols, rows, k = self.cols, self.rows, self.k
        last_x, last_y = x + (k - 1) * dx, y + (k - 1) * dy
        if not (0 <= last_x < cols and 0 <= last_y < rows):
            return
        number, squares, beyond = len(self.segments), 0, 0
        for i in range(k):
            square = (y + i * dy) * cols + x + i * dx
            squares |= 1 << square
            self.through[square] |= 1 << number
        for bx, by in ((x - dx, y - dy), (last_x + dx, last_y + dy)):
            if 0 <= bx < cols and 0 <= by < rows:
                beyond |= 1 << by * cols + bx
        ends = frozenset((y * cols + x, last_y * cols + last_x))
        self.by_ends.setdefault(ends, []).append(number)
        self.segments.append(squares)
        self.beyond.append(beyond)

    def index(self, square):
        return self.lines[square[1]] * self.cols + self.columns[square[0]]

    def mask(self, squares):
        mask = 0
        for square in squares:
            mask |= 1 << self.index(square)
        return mask

    def touched(self, squares):
        """The segments that have one of these squares."""
        found = 0
        for square in bits(squares):
            found |= self.through[square]
        return found


class Position:
    """The stones of both roles; the segments that they touch."""

    def __init__(self, board, attacker, defender):
        self.attacker, self.defender = attacker, defender
        self.attacker_touches = board.touched(attacker)
        self.defender_touches = board.touched(defender)

    def empties(self, board):
        return board.squares & ~self.attacker & ~self.defender

    def can_win(self, board, number):
        """Whether the segment is Attacker-active and, under the exact rule, would be exact."""
        longer = board.exact and board.beyond[number] & self.attacker
        return not longer and not self.defender_touches >> number & 1

    def threats(self, board):
        """The segments that Attacker completes with at most p stones."""
        active = board.all_segments & ~self.defender_touches
        if board.k > board.p:
            active &= self.attacker_touches
        found = []
        for number in bits(active):
            missing = board.segments[number] & ~self.attacker
            if missing.bit_count() <= board.p and self.can_win(board, number):
                found.append(number)
        return found

    def defender_segments(self, board):
        """The Defender-active segments by their number of empty squares: sets[u]."""
        sets = [0] * (board.k + 1)
        sets[board.k] = board.all_segments & ~self.attacker_touches & ~self.defender_touches
        for number in bits(self.defender_touches & ~self.attacker_touches):
            sets[(board.segments[number] & ~self.defender).bit_count()] |= 1 << number
        return sets


# ------------------------------------------------------------------------------------------ zones

class Zone:
    """A = squares; levels[i - 1] = Si, constant after the last."""

    def __init__(self, squares, levels):
        self.squares, self.levels = squares, levels
        self.clear_cache, self.pair_cache = None, {}

    def level(self, i):
        return self.levels[min(i, len(self.levels)) - 1] if self.levels else 0

    def unite(self, other):
        length = max(len(self.levels), len(other.levels))
        levels = [self.level(i) | other.level(i) for i in range(1, length + 1)]
        return Zone(self.squares | other.squares, levels)

    def shift(self, u):
        return Zone(self.squares, self.levels[u:] or self.levels[-1:])

    def clear_squares(self, board):
        """The squares s for which {s} is clear."""
        if self.clear_cache is None:
            blocked, first = self.squares, self.level(1)
            for number in bits(first):
                blocked |= board.segments[number]
            self.clear_cache = board.squares & ~blocked
        return self.clear_cache

    def last_squares(self, board, rest):
        """The squares s for which rest + {s} is clear, if rest (a list) is."""
        allowed = self.clear_squares(board)
        for size in range(1, len(rest) + 1):
            for chosen in itertools.combinations(rest, size):
                if chosen not in self.pair_cache:
                    common = self.level(size + 1)
                    for square in chosen:
                        common &= board.through[square]
                    blocked = 0
                    for number in bits(common):
                        blocked |= board.segments[number]
                    self.pair_cache[chosen] = blocked
                allowed &= ~self.pair_cache[chosen]
        return allowed


def cumulative(sets):
    """S1, S2, ... from the segments with level exactly 1, 2, ..."""
    levels, union = [], 0
    for members in sets:
        union |= members
        levels.append(union)
    return levels


# ---------------------------------------------------------------------------------------- the rules

class Checker:
    """Checks the nodes of one certificate."""

    def __init__(self, board):
        self.board = board
        self.kept = []    # [position, side, t, zone or None] of every mark
        self.nodes = 0

    def reject(self, reason):
        raise Rejected(f"node {self.nodes}: {reason}")

    def free_mask(self, position, squares):
        mask = self.board.mask(squares)
        if mask & (position.attacker | position.defender):
            self.reject("a stone on a stone")
        return mask

    def check(self, node, position, attacking, t):
        """The zone of a node."""
        self.nodes += 1
        kind = node[0]
        if kind == "@":
            mark = [position, attacking, t, None]
            self.kept.append(mark)
            mark[3] = self.check(node[1], position, attacking, t)
            return mark[3]
        if kind == "=":
            return self.cite(node[1], position, attacking, t)
        if attacking != (kind in ("W", "A")):
            self.reject("the other side is to move")
        if kind == "W":
            return self.check_win(node, position, t)
        if kind == "A":
            return self.check_attack(node, position, t)
        return self.check_defence(node, position, t)

    def cite(self, number, position, attacking, t):
        if number >= len(self.kept):
            self.reject(f"no mark {number}")
        other, *move, zone = self.kept[number]
        if zone is None:
            self.reject(f"mark {number} is not finished")
        stones = (position.attacker, position.defender)
        if (other.attacker, other.defender) != stones or move != [attacking, t]:
            self.reject(f"mark {number} is another position")
        return zone

    def check_win(self, node, position, t):
        board = self.board
        move = self.free_mask(position, node[1])
        candidates = board.all_segments
        for square in bits(move):
            candidates &= board.through[square]
        if move.bit_count() > t or not any(
            board.segments[number] & ~position.attacker == move and position.can_win(board, number)
            for number in bits(candidates)
        ):
            self.reject("the move completes no segment")
        sets = position.defender_segments(board)
        if sets[0]:
            self.reject("Defender has a row already")
        touched = board.touched(move)
        return Zone(move, cumulative(members & ~touched for members in sets[1:]))

    def check_attack(self, node, position, t):
        board = self.board
        move = self.free_mask(position, node[1])
        if move.bit_count() != min(t, position.empties(board).bit_count()):
            self.reject("a move has all its stones")
        next_one = Position(board, position.attacker | move, position.defender)
        child = self.check(node[2], next_one, False, board.p)
        return Zone(child.squares | move, child.levels)

    def relied_threats(self, named, position):
        board = self.board
        if named is None:
            return position.threats(board)
        found = []
        for ends in named:
            numbers = board.by_ends.get(frozenset(map(board.index, ends)), [])
            for number in numbers:
                missing = board.segments[number] & ~position.attacker
                if missing.bit_count() <= board.p and position.can_win(board, number):
                    found.append(number)
                    break
            else:
                self.reject("the segment that is named is not a threat")
        return found

    def check_defence(self, node, position, t):
        board = self.board
        relied = self.relied_threats(node[1], position)
        replies = []
        for squares, slack, child in node[2]:
            reply = self.free_mask(position, squares)
            slack = max(0, t - len(squares)) if slack is None else slack
            next_one = Position(board, position.attacker, position.defender | reply)
            zone = self.check(child, next_one, True, board.p)
            replies.append((reply, slack, zone))
        # Segments with the same empty squares are one threat; larger sets follow from smaller ones.
        openings = sorted({board.segments[h] & ~position.attacker for h in relied},
                          key=int.bit_count)
        needed = [h for i, h in enumerate(openings)
                  if not any(other & ~h == 0 for other in openings[:i])]
        empties = position.empties(board)
        size = min(t, empties.bit_count())
        found = self.uncovered(needed, replies, [], empties, size)
        if found is not None:
            names = [(s % board.cols, s // board.cols) for s in found]
            self.reject(f"the move {names} (column, row from 0) is not covered")
        zone = Zone(0, [])
        for _, slack, child in replies:
            zone = zone.unite(child.shift(slack))
        if relied:
            zone = zone.unite(self.danger(position, openings, t))
        return zone

    def danger(self, position, openings, t):
        """What Defender's own segments add to a zone that relies on threats."""
        board = self.board
        dangerous, squares = 0, 0
        for opening in openings:
            squares |= opening
            dangerous |= ~board.touched(opening)
        sets = [members & dangerous for members in position.defender_segments(board)]
        if any(sets[:t + 1]):
            self.reject("Defender completes a row")
        return Zone(squares, cumulative(sets[t + 1:]))

    def uncovered(self, needed, replies, chosen, allowed, left):
        """A move that blocks all of `needed` and that no reply covers, or None. `chosen` is its
        beginning, `left` the number of further stones, to be taken from `allowed`."""
        # Only replies that cover the beginning can cover the whole.
        replies = [reply for reply in replies if self.covers(reply, chosen)]
        mask = sum(1 << square for square in chosen)
        openings = [opening for opening in needed if not opening & mask]
        if left == 0:
            if openings:
                return None
            return None if replies else chosen
        if left == 1:
            for opening in openings:
                allowed &= opening
            for reply in replies:
                if not allowed:
                    return None
                allowed &= ~self.covered_squares(reply, chosen)
            return None if not allowed else chosen + [next(bits(allowed))]
        # The next stone blocks the first threat that is open, if there is one.
        for square in bits(allowed & openings[0] if openings else allowed):
            allowed &= ~(1 << square)
            found = self.uncovered(needed, replies, chosen + [square], allowed, left - 1)
            if found is not None:
                return found
        return None

    def covered_squares(self, reply, chosen):
        """The squares s for which the reply, which covers chosen, covers chosen + [s] too."""
        squares, slack, zone = reply
        rest = tuple(sorted(s for s in chosen if not squares >> s & 1))
        if len(rest) + 1 > slack:
            return squares
        return squares | zone.last_squares(self.board, rest)

    def covers(self, reply, chosen):
        """Whether the reply covers this set of stones."""
        squares, slack, zone = reply
        rest = sorted(s for s in chosen if not squares >> s & 1)
        if len(rest) > slack:
            return False
        return all(zone.last_squares(self.board, tuple(rest[:i])) >> rest[i] & 1
                   for i in range(len(rest)))


def verify(data):
    """Checks the bytes of a file; returns the number of nodes."""
    tokens = Tokens(data)
    header = Header(tokens)
    root = read_node(tokens, header)
    if tokens.peek():
        raise Unreadable(f"{tokens.peek()!r} after the last node")
    named = header.stones["black"] + header.stones["white"] + named_squares(root)
    board = Board(header, named)
    defender = "white" if header.attacker == "black" else "black"
    position = Position(board, board.mask(header.stones[header.attacker]),
                        board.mask(header.stones[defender]))
    for number, squares in enumerate(board.segments):
        attacker_row = not squares & ~position.attacker and position.can_win(board, number)
        if attacker_row or not squares & ~position.defender:
            raise Rejected("the game is over at the root")
    checker = Checker(board)
    checker.check(root, position, header.to_move == header.attacker, header.count)
    return checker.nodes


def main(paths):
    worst = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                verify(file.read())
            verdict, code = "verified", 0
        except Rejected as reason:
            verdict, code = f"rejected: {reason}", 1
        except (Unreadable, OSError) as reason:
            verdict, code = f"unreadable: {reason}", 2
        print(f"{path}: {verdict}" if len(paths) > 1 else verdict)
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    # Nodes are followed recursively: a deep proof needs a deep stack.
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 * 1024 * 1024)
    result = []
    worker = threading.Thread(target=lambda: result.append(main(sys.argv[1:])))
    worker.start()
    worker.join()
    sys.exit(result[0] if result else 2)
