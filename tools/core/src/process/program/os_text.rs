//! Words and paths as JSON: text where they are UTF-8, a list of bytes where they are not.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A word of a command, or a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Word {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(word: &OsStr) -> Self {
        match word.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(word.as_bytes().to_vec()),
        }
    }
}

impl From<OsString> for Word {
    fn from(word: OsString) -> Self {
        Self::from(word.as_os_str())
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => OsString::from_vec(bytes),
        }
    }
}

/// For `#[serde(with = "…")]`.
///
/// # Errors
/// If the serializer fails.
pub(crate) fn serialize<S: Serializer>(
    word: &impl AsRef<OsStr>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Word::from(word.as_ref()).serialize(serializer)
}

/// For `#[serde(with = "…")]`.
///
/// # Errors
/// If it is neither a text nor a list of bytes.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: From<OsString>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Word::deserialize(deserializer).map(|word| OsString::from(word).into())
}

#[cfg(test)]
mod tests {
    use crate::process::Command;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn commands_are_written_down_to_the_byte() {
        let command = Command {
            program: "./a b".into(),
            args: vec!["".into(), "x\n".into(), OsString::from_vec(vec![0xff])],
        };
        let text = serde_json::to_string(&command).unwrap();
        insta::assert_snapshot!(text, @r#"["./a b","","x\n",[255]]"#);
        assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command);
    }
}
