//! The server's messages in Japanese, for pages that are read in Japanese.
//!
//! Every message is English where it is made. A page in Japanese shows the translation that is sent with it, or the
//! English text where there is none.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tester::judge::reasons;
use tester::util::template::{Template, Translator};

/// What stands between the cause of an error and what to do about it.
pub(super) const HINT: &str = "\nhint: ";

/// English and Japanese, with places as [`Template`] has them.
const MESSAGES: &[[&str; 2]] = &[
    // The history.
    ["no history at {0*}", "履歴 {0*} がありません。"],
    [
        "`tester batch` makes a history; --history FILE names another",
        "tester batch を実行すると作成されます。別の履歴は --history FILE で指定できます。",
    ],
    [
        "{0*} is not a history, but another kind of file",
        "{0*} は履歴のファイルではありません。",
    ],
    [
        "name another file with --history",
        "--history で別のファイルを指定してください。",
    ],
    [
        "history {0*} is of a newer tester: expected format {1} or older, found {2}",
        "履歴 {0*} は新しいバージョンの tester で作成されています（形式 {2}、対応しているのは {1} まで）。",
    ],
    [
        "use the newer tester, or name another file with --history",
        "新しい tester を使うか、--history で別のファイルを指定してください。",
    ],
    [
        "failed to read history {0*}: {1*}",
        "履歴 {0*} を読み取れません（{1*}）。",
    ],
    [
        "the file is damaged or cannot be read: restore a copy, save what is in it with `sqlite3 FILE .recover`, or move \
         it away to begin another",
        "ファイルが破損しているか、読み取れません。バックアップから復元するか、`sqlite3 FILE .recover` で内容を取り出すか、\
         ファイルを移動して新しい履歴を作成してください。",
    ],
    [
        "no such run in {0*}: expected {1*}, found {2*}",
        "{0*} に該当する実行がありません（指定：{2*}）。{1*}を指定してください。",
    ],
    [
        "a run's number, a tag, or \"last\"",
        "実行の番号、タグ、または \"last\" ",
    ],
    [
        "`tester history` lists all runs",
        "実行の一覧は tester history で確認できます。",
    ],
    [
        "expected a case of run {0}, found none with number {1}",
        "実行 {0} にケース {1} はありません。",
    ],
    [
        "expected the number of a case, found {0\"}",
        "ケースの番号を指定してください（指定：{0\"}）。",
    ],
    // Reports.
    [
        "run {0} is named twice",
        "実行 {0} が 2 回指定されています。",
    ],
    [
        "failed to compare runs {0} and {1}: expected {2*}, found {3*}",
        "実行 {0} と実行 {1} は比較できません。{2*}が必要です（{3*}）。",
    ],
    ["the same problem", "同じ問題の実行"],
    [
        "the same objective",
        "スコアの向き（大小どちらが良いか）が同じ実行",
    ],
    [
        "scores with the same number of decimals",
        "スコアの小数点以下の桁数が同じ実行",
    ],
    ["cases that both have", "両方の実行に共通のケース"],
    [
        "too many cases for a report: expected at most {0} in all, found {1}",
        "ケースが多すぎるため、レポートを作成できません（合計 {1} ケース、上限は {0} ケース）。",
    ],
    [
        "`tester show --csv` prints a run for other programs",
        "tester show --csv で CSV に出力できます。",
    ],
    // Games.
    [
        "expected a problem such as {0\"}, found {1\"}",
        "問題名が正しくありません（入力：{1\"}）。{0\"} のように入力してください。",
    ],
    [
        "expected {0*} with {1*}, found {2*}",
        "{0*}（{1*}）の形で入力してください（入力：{2*}）。",
    ],
    [
        "expected a game of at most {0} codes, found {1} in {2*}; lab explain takes its time",
        "{2*} は答えが {1} 通りあり、ここでは分析できません（上限は {0} 通り）。lab explain なら時間をかけて分析できます。",
    ],
    [
        "expected a game of at most {0} codes, found {1} in {2*}; lab policy takes its time",
        "{2*} は答えが {1} 通りあり、ここでは計算できません（上限は {0} 通り）。lab policy なら時間をかけて計算できます。",
    ],
    ["failed to list the codes: {0*}", "{0*}"],
    [
        "expected at most {0} codes, found {1} in {2*}",
        "{2*} は答えが {1} 通りあり、ここでは扱えません（上限は {0} 通り）。",
    ],
    [
        "expected a game that is searched in seconds, found {0*}; lab optimal takes its time",
        "{0*} は数秒では探索できません。lab optimal なら時間をかけて探索できます。",
    ],
    [
        "expected at most {0} codes, {1} places, and {2} places times digits, found {3}, {4} and {5}",
        "最適な戦略を探索できる大きさを超えています（答え {3} 通り、上限 {0} 通り。位置 {4}、上限 {1}。位置と数字の組 {5}、上限 {2}）。",
    ],
    [
        "expected options that go with {0*} ({1*}), found {2*}",
        "{0*} に {2*} は指定できません（指定できるもの：{1*}）。",
    ],
    [
        "expected a finite number of at least 0 for {0*}, found {1}",
        "0 以上の数を入力してください（入力：{1}）。",
    ],
    [
        "{0*} has no decision tree",
        "{0*} には決定木がないため、計算できません。",
    ],
    [
        "replies may be lies: tools/tester --problem {0\"} ./solver --trace shows what the solver believes, lab liar {1\"} plays every game",
        "返答に嘘が混ざることがあるからです。tools/tester --problem {0\"} ./solver --trace はソルバーの考えを表示し、lab liar {1\"} はすべてのゲームを試します。",
    ],
    [
        "the lab does not look into games of {0*}",
        "{0*} の分析には対応していません。",
    ],
    [
        "expected an integer from 0 to {0} as the seed, found {1\"}",
        "シードは 0 以上 {0} 以下の整数で入力してください（入力：{1\"}）。",
    ],
    // Guesses and replies that were typed.
    [
        "expected at most {0} rows, found {1}",
        "返答は {0} 行までです（入力：{1} 行）。",
    ],
    [
        "expected at most {0} guesses, found {1}",
        "推測は {0} 個までです（入力：{1} 個）。",
    ],
    [
        "row {0\"}: expected what was asked, a colon and the reply, such as \"{1*}: …\"",
        "{0\"} を読み取れません。「推測:返答」の形で入力してください（例：{1*}:…）。",
    ],
    ["row {0} ({1*}): {2*}", "{0} 行目 ({1*})：{2*}"],
    [
        "expected a code of the game such as {0\"}, found {1\"}",
        "{0\"} のような推測を入力してください（入力：{1\"}）。",
    ],
    [
        "expected hits and blows such as \"0 1\", together at most {0} and not all but one hit with one blow, found {1\"}",
        "返答は「ヒット ブロー」の順に \"0 1\" のように入力してください（合計 {0} 以下。1 つ以外がすべてヒットなら、残りの 1 つはブローになりません。入力：{1\"}）。",
    ],
    [
        "expected a weighing such as {0\"}, found {1\"}",
        "{0\"} のような天秤の量り方を入力してください（入力：{1\"}）。",
    ],
    [
        "expected <, = or >, found {0\"}",
        "返答は <、=、> のいずれかを入力してください（入力：{0\"}）。",
    ],
    [
        "expected 0 and a difference such as \"0 -35\", or 1 and one if the guess was right, found {0\"}",
        "返答は \"0 -35\" のように入力してください（正解なら 1、そうでなければ 0 に続けて差。入力：{0\"}）。",
    ],
    // Other digits, other probabilities.
    ["digits: {0*}", "数字の文字：{0*}"],
    [
        "expected {0} different characters, one for each digit, found {1\"}",
        "各数字を表す {0} 種類の文字を入力してください（入力：{1\"}）。",
    ],
    ["prior, {0*}", "事前確率：{0*}"],
    [
        "line {0}: expected a code of the game and a weight of at least 0, such as {1\"}, found {2\"}",
        "{0} 行目に、答えと 0 以上の重みを {1\"} のように入力してください（入力：{2\"}）。",
    ],
    [
        "line {0}: expected each code once, found {1} again (first in line {2})",
        "{0} 行目の {1} は {2} 行目と重複しています。",
    ],
    [
        "expected weights with a sum greater than 0 and finite, found a sum of {0} over {1} codes",
        "重みの合計が正の有限値になりません（{1} 個の答えの合計：{0}）。",
    ],
    [
        "expected neither digits nor a prior: stones are numbered, and equally likely",
        "天秤の問題では、数字の文字と事前確率は変更できません。",
    ],
    [
        "failed to answer: a fault of this program, which its standard error tells of",
        "サーバーの内部エラーです。詳細は lab serve の標準エラー出力を確認してください。",
    ],
];

/// Japanese by English text, of this message; empty where there is no translation.
pub(super) fn translations(message: &str) -> BTreeMap<&str, String> {
    // The hint stands on a line of its own.
    let japanese = match message.split_once(HINT) {
        Some((cause, hint)) => japanese(cause)
            .zip(japanese(hint))
            .map(|(cause, hint)| format!("{cause}\n{hint}")),
        None => japanese(message),
    };
    japanese.map(|text| (message, text)).into_iter().collect()
}

/// The judge calls a line the output of a program. On these pages, the reader has typed it.
fn of_typed(text: &str, japanese: String) -> String {
    let typed = text.match_indices(" in \"").find_map(|(at, _)| {
        let line = &text[at + " in ".len()..];
        let why = japanese.strip_suffix(&format!("（出力：{line}）"))?;
        Some(format!("{why}（入力：{line}）"))
    });
    typed.unwrap_or(japanese)
}

fn japanese(text: &str) -> Option<String> {
    static TRANSLATOR: LazyLock<Translator> = LazyLock::new(|| {
        let messages = MESSAGES.iter();
        Translator::new(messages.map(|[english, japanese]| Template::new(english, japanese)))
    });
    let japanese = reasons::japanese(text).map(|japanese| of_typed(text, japanese));
    let japanese = japanese.or_else(|| TRANSLATOR.japanese(text));
    // The form of a game has its conditions as formulas, with a word between them.
    japanese.map(|text| match text.contains("の形で入力") {
        true => text.replace(" and ", "、"),
        false => text,
    })
}
