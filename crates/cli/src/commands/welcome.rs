//! `sixproof` without a command.

use clap::CommandFactory as _;
use sixproof_solve::output::{Output, STRONG};

use crate::Exit;
use crate::options::Cli;
use crate::try_next;

/// What the program can do, and what to try first.
pub(super) fn run(output: Output) -> Exit {
    if output.json {
        let version = env!("CARGO_PKG_VERSION");
        let commands = Cli::command();
        let commands: Vec<&str> = commands.get_subcommands().map(|c| c.get_name()).collect();
        output.say_json(&serde_json::json!({ "version": version, "commands": commands }));
        return Exit::Yes;
    }
    let try_first = [
        ("prove", "proves an opening of Connect6"),
        ("prove \"J10 / A1 S19 / K11 L12 / A3 S17\"", "does Black win? Try your own moves"),
        ("serve", "opens a board in the browser"),
        ("play", "plays Connect6 with you"),
        ("check --demo", "walks through a proof"),
        ("show tx-h9 --out board.svg", "draws a famous opening"),
        ("list", "lists games and positions"),
    ];
    let try_first = try_first.map(|(words, what)| (words.to_string(), what));
    let mut text = format!(
        "{STRONG}sixproof{STRONG:#} proves and plays Connect6 and all k-in-a-row games \
         Connect(m,n,k,p,q).\nEvery claimed win comes with a certificate that anyone can check.\n\n\
         {STRONG}Try first{STRONG:#}\n{}\n",
        try_next::listed(&try_first)
    );
    text += &format!(
        "\n{STRONG}Commands{STRONG:#}\n  \
         prove        does a side win by force? If so, with a certificate\n  \
         verify       is this move winning?\n  \
         value        who wins a small game from the empty board?\n  \
         check        is the win that a certificate claims proved?\n  \
         serve        the editor: a board to edit, analyse, prove and play on\n  \
         show         a position on the terminal, as SVG, PNG or animated GIF\n  \
         threats      what each side threatens, and how to defend\n  \
         play         a game against the engine\n  \
         engine       plays in other programs: Gomocup, c6, CCGC, Botzone, GTP\n  \
         match        two players, many games: who is stronger?\n  \
         store        the proofs that were found, kept for the next time\n  \
         worker       does jobs of searches on other machines, over NATS\n  \
         farm         what these machines do\n  \
         convert      games between SGF and other formats\n  \
         list         games and positions that have a name\n  \
         bench        how prover and player do on fixed positions\n  \
         survey       all positions of a class, with their proofs\n  \
         atlas        which second moves of White lose in Connect6?\n  \
         completions  for your shell\n  \
         man          the manual page\n\n\
         `{}` explains a command, with examples.",
        try_next::command("help COMMAND")
    );
    output.say(text);
    Exit::Yes
}
