//! The options of commands: pairs of a name and a value.

use std::process::ExitCode;
use std::str::FromStr;

/// An option as it is typed.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl Setting<'_> {
    /// The value as a number or another type.
    pub(crate) fn parse<T: FromStr>(self) -> Result<T, String> {
        self.value.parse().map_err(|_| self.wrong())
    }

    /// The complaint about the value.
    pub(crate) fn wrong(self) -> String {
        format!("`{}` is not a value of {}", self.value, self.name)
    }

    /// The complaint about the name.
    pub(crate) fn unknown(self) -> String {
        format!("there is no option `{}`", self.name)
    }
}

/// The options of a command, each with its value.
pub(crate) fn settings(arguments: &[String]) -> impl Iterator<Item = Result<Setting<'_>, String>> {
    arguments.chunks(2).map(|pair| match pair {
        [name, value] => Ok(Setting { name, value }),
        _ => Err(format!("`{}` needs a value", pair[0])),
    })
}

/// Runs a command: prints its help, or does the work with the options that `parse` reads. The work
/// returns whether the answer is yes.
pub(crate) fn run<O>(
    command: &str,
    help: &str,
    arguments: &[String],
    parse: impl FnOnce(&[String]) -> Result<O, String>,
    work: impl FnOnce(&O) -> Result<bool, String>,
) -> ExitCode {
    if arguments.iter().any(|argument| crate::is_help(argument)) {
        print!("{help}");
        return ExitCode::SUCCESS;
    }
    let options = match parse(arguments) {
        Ok(options) => options,
        Err(complaint) => return crate::usage_error(&complaint, help),
    };
    match work(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("xtask {command}: {complaint}");
            ExitCode::from(crate::UNDECIDED)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_values_of_their_type() {
        let read = |text: &str| {
            let words: Vec<String> = text.split(' ').map(String::from).collect();
            settings(&words)
                .map(|setting| setting.and_then(Setting::parse::<u32>))
                .collect::<Result<Vec<u32>, String>>()
        };
        assert_eq!(read("--a 1 --b 2"), Ok(vec![1, 2]));
        assert_eq!(read("--a 1 --b"), Err("`--b` needs a value".to_string()));
        assert_eq!(read("--a x"), Err("`x` is not a value of --a".to_string()));
    }
}
