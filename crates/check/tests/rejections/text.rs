//! Certificates as lists of tokens, and what can be done to them: the tests' own small reader.

/// Pseudo-random numbers from a seed (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// The tokens of a certificate that can be read, its header taken apart.
#[derive(Clone)]
pub(crate) struct Text {
    /// m, n, k, p, q.
    pub(crate) game: [i32; 5],
    pub(crate) exact: bool,
    pub(crate) attacker: String,
    pub(crate) black: Vec<(i32, i32)>,
    pub(crate) white: Vec<(i32, i32)>,
    pub(crate) to_move: String,
    pub(crate) stones: i32,
    pub(crate) proof: Vec<Word>,
}

#[derive(Clone)]
pub(crate) enum Word {
    Square((i32, i32)),
    Segment([(i32, i32); 2]),
    Other(String),
}

impl Text {
    /// Reads a certificate whose header is sound; `None` otherwise.
    pub(crate) fn read(bytes: &[u8]) -> Option<Text> {
        let text = std::str::from_utf8(bytes).ok()?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        let mut tokens = lines.flat_map(str::split_ascii_whitespace).peekable();
        let mut expect = |word: &str| (tokens.next()? == word).then_some(());
        expect("sixproof-certificate")?;
        expect("1")?;
        expect("game")?;
        let mut game = [0; 5];
        for n in &mut game {
            *n = tokens.next()?.parse().ok()?;
        }
        let unbounded = game[0] == 0;
        let exact = tokens.next_if_eq(&"exact").is_some();
        (tokens.next()? == "attacker").then_some(())?;
        let attacker = tokens.next()?.to_string();
        let mut stones_of = |keyword: &str| {
            (tokens.next()? == keyword).then_some(())?;
            let mut stones = Vec::new();
            while let Some(square) = tokens.peek().and_then(|word| parse_square(word, unbounded)) {
                stones.push(square);
                tokens.next();
            }
            Some(stones)
        };
        let (black, white) = (stones_of("black")?, stones_of("white")?);
        (tokens.next()? == "to-move").then_some(())?;
        let (to_move, stones) = (tokens.next()?.to_string(), tokens.next()?.parse().ok()?);
        let proof = tokens.map(|token| Word::read(token, unbounded)).collect();
        Some(Text { game, exact, attacker, black, white, to_move, stones, proof })
    }

    pub(crate) fn is_unbounded(&self) -> bool {
        self.game[0] == 0
    }

    /// The same with every square moved by `map`.
    pub(crate) fn with_squares(&self, map: impl Fn((i32, i32)) -> (i32, i32)) -> Text {
        let mut text = self.clone();
        text.black.iter_mut().chain(&mut text.white).for_each(|s| *s = map(*s));
        for word in &mut text.proof {
            match word {
                Word::Square(square) => *square = map(*square),
                Word::Segment(ends) => *ends = ends.map(&map),
                Word::Other(_) => {}
            }
        }
        text
    }

    /// All tokens, in order.
    pub(crate) fn tokens(&self) -> Vec<String> {
        let name = |&(x, y): &(i32, i32)| {
            if self.is_unbounded() {
                return format!("{x},{y}");
            }
            let letter = |n: i32| char::from(b'A' + n as u8);
            let first = if x < 26 { String::new() } else { letter(x / 26 - 1).to_string() };
            format!("{first}{}{}", letter(x % 26), y + 1)
        };
        let mut all: Vec<String> = ["sixproof-certificate", "1", "game"].map(String::from).into();
        all.extend(self.game.iter().map(i32::to_string));
        all.extend(self.exact.then(|| "exact".to_string()));
        all.extend(["attacker", &self.attacker, "black"].map(String::from));
        all.extend(self.black.iter().map(name));
        all.push("white".to_string());
        all.extend(self.white.iter().map(name));
        all.extend(["to-move".to_string(), self.to_move.clone(), self.stones.to_string()]);
        all.extend(self.proof.iter().map(|word| match word {
            Word::Square(square) => name(square),
            Word::Segment([a, b]) => format!("{}-{}", name(a), name(b)),
            Word::Other(word) => word.clone(),
        }));
        all
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.tokens().join(" ").into_bytes()
    }
}

impl Word {
    fn read(token: &str, unbounded: bool) -> Word {
        let segment = || {
            let from = token.find(',').map_or(0, |comma| comma + 2);
            let dash = from + token.get(from..)?.find('-')?;
            let (a, b) = (&token[..dash], &token[dash + 1..]);
            Some([parse_square(a, unbounded)?, parse_square(b, unbounded)?])
        };
        match (parse_square(token, unbounded), segment()) {
            (Some(square), _) => Word::Square(square),
            (_, Some(ends)) => Word::Segment(ends),
            _ => Word::Other(token.to_string()),
        }
    }
}

/// `C4`, or `2,-3` on an unbounded board.
fn parse_square(token: &str, unbounded: bool) -> Option<(i32, i32)> {
    if unbounded {
        let (x, y) = token.split_once(',')?;
        return Some((x.parse().ok()?, y.parse().ok()?));
    }
    let letters = token.find(|c: char| !c.is_ascii_uppercase()).filter(|n| (1..=2).contains(n))?;
    let column = token[..letters].bytes().fold(0, |n, b| n * 26 + i32::from(b - b'A') + 1);
    Some((column - 1, token[letters..].parse::<i32>().ok()? - 1))
}
