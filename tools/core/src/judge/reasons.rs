//! What the judge says of a case that is not accepted: every sentence in English and in Japanese.
//!
//! Records hold the English text. [`japanese`] recognises it and says the same in Japanese, for pages. What a
//! problem says of a refused line stands in the problem's own file ([`Problem::reasons`]).
//!
//! [`Problem::reasons`]: crate::problem::Problem::reasons

use std::sync::LazyLock;

use crate::problem;
use crate::util::template::{Translator, templates};

templates! {
    // Where it happened.
    AT_TURN = "turn {0}: {1*}", "{0} ターン目：{1*}";
    AFTER_END = "after the game ended at turn {0}: {1*}", "{0} ターン目にゲームが終わった後：{1*}";

    // WA: the session.
    AFTER_THE_END =
        "{0\"} was printed after the game was over: exit as soon as it is over",
        "ゲームが終わった後に {0\"} が出力されました。ゲームが終わったらプログラムを終了してください";
    DEBUG_OR_COMMENT =
        "{0*}; if it is debug output, print it to stderr or after #",
        "{0*}。デバッグ出力であれば、標準エラー出力に出力するか、行頭に # を付けてください";
    DEBUG_ALONE =
        "{0*}; if it is debug output, print it to stderr",
        "{0*}。デバッグ出力であれば、標準エラー出力に出力してください";
    PAST_TURN_LIMIT =
        "{0\"} is past the limit of {1} turns",
        "{0\"} はターン数の上限 {1} を超えています";
    GAVE_UP =
        "expected a line, found the end of the output: the program exited with status 0 before the game was over",
        "次の行が出力されないまま、ゲームが終わる前にプログラムが終了しました（終了コードは 0）";
    EXITED_SILENTLY =
        "expected a line, found the end of the output: the program exited with status 0 before the game was over. No \
         output came: did it flush stdout?",
        "次の行が出力されないまま、ゲームが終わる前にプログラムが終了しました（終了コードは 0）。出力は一度も届いていません。標準出力を \
         flush しましたか？";
    OUTPUT_ENDED =
        "expected a line, found the end of the output",
        "次の行が出力されないまま、出力が終わりました";
    QUESTION_NOT_COMPLETE =
        "expected the rest of a question, found the end of the output after {0} of its lines",
        "質問の {0} 行目の後で出力が終わりました。質問の残りの行が必要です";
    CUT_TRANSCRIPT =
        "the transcript is cut, so the rest of the session is not known",
        "記録が上限で打ち切られているため、その後のやりとりは分かりません";
    INPUT_ENDED =
        "expected a line, found the end of the input",
        "次の行が届かないまま、入力が終わりました";

    // TLE: how much time, and what the program was doing.
    TOO_SLOW =
        "{0} s passed, {1} s of them computing (limit {2} s); {3*}",
        "{0} 秒が経過しました（うち計算 {1} 秒、制限 {2} 秒）。{3*}";
    EXITED_LATE =
        "the program had exited by then, but too late",
        "プログラムは終了しましたが、制限時間を過ぎていました";
    STILL_COMPUTING = "the program was still computing", "まだ計算中でした";
    SLEPT =
        "the program slept, or waited for something",
        "スリープしていたか、何かを待っていました";
    SLEPT_OR_UNHEARD =
        "the program slept, or waited for something. If it waited for a reply: did you print a newline and flush \
         stdout?",
        "スリープしていたか、何かを待っていました。返答を待っていた場合、改行を出力し、標準出力を flush しましたか？";
    COMPUTED_THEN_SLEPT =
        "the program computed for most of this time, then it slept, or waited for something. If it waited for a reply: \
         did you print a newline and flush stdout?",
        "この時間の大半は計算し、最後はスリープしていたか、何かを待っていました。返答を待っていた場合、改行を出力し、標準出力を flush しましたか？";
    LINE_TIMEOUT =
        "the program was still running when the limit in the line of the contest's tester was over: {0*}",
        "コンテストのテスタの行にある制限時間が過ぎたとき、プログラムはまだ動いていました：{0*}";
    NOT_EXITED =
        "the program had not exited: exit after the last reply",
        "ゲームが終わった後もプログラムが終了していません。最後の返答を読んだら終了してください";
    LINE_NOT_ENDED =
        "the judge waited for the end of the line {0\"}: print a newline after each line, then flush",
        "ジャッジは {0\"} の後の改行を待っていました。行ごとに改行を出力し、flush してください";
    OUTPUT_CLOSED =
        "the program had closed its output but not exited",
        "標準出力が閉じられましたが、プログラムは終了していません";
    NOT_HEARD =
        "the program printed more than the judge could read in time; {0} bytes were left",
        "出力が多く、ジャッジは時間内に読み切れませんでした（残り {0} バイト）";
    COMPUTING_LINE =
        "the program was still computing its next line",
        "次の行をまだ計算中でした";
    INPUT_CLOSED =
        "the program had closed its input, and slept or waited for something else",
        "標準入力を閉じた後、スリープしていたか、ほかの何かを待っていました";
    UNREAD =
        "the program had not read the judge's last {0} bytes",
        "ジャッジが最後に送った {0} バイトがまだ読まれていません";
    WAITED_FOR_LINES =
        "the judge waited for the rest of a question, of which it had {0} lines. Did you print all lines and flush \
         stdout?",
        "ジャッジは質問の残りの行を待っていました（届いたのは {0} 行）。すべての行を出力し、標準出力を flush しましたか？";
    BOTH_WAITED_AFTER_NO_REPLY =
        "both sides were waiting: the program for input (or it slept), the judge for a line. The last question gets \
         no reply",
        "プログラムは入力を待ち（またはスリープし）、ジャッジは次の行を待っていました。最後の質問には返答がありません";
    BOTH_WAITED_AFTER_BLANK =
        "both sides were waiting: the program for input (or it slept), the judge for a line. The last line was blank, \
         and blank lines do not count",
        "プログラムは入力を待ち（またはスリープし）、ジャッジは次の行を待っていました。最後の行は空行で、空行は無視されます";
    BOTH_WAITED_FOR_THE_FIRST =
        "both sides were waiting: the program for input (or it slept), the judge for a line. Did you print a newline and \
         flush stdout? Or does the program read more than the judge sends at first?",
        "プログラムは入力を待ち（またはスリープし）、ジャッジは次の行を待っていました。改行を出力し、標準出力を \
         flush しましたか？または、最初の入力より多く読もうとしていませんか？";
    BOTH_WAITED =
        "both sides were waiting: the program for input (or it slept), the judge for a line. Did you print a \
         newline and flush stdout?",
        "プログラムは入力を待ち（またはスリープし）、ジャッジは次の行を待っていました。改行を出力し、標準出力を \
         flush しましたか？";

    // MLE, OLE, and RE by the number of processes.
    TOO_LARGE =
        "{0} MiB of memory were resident (limit {1} MiB)",
        "メモリを {0} MiB 使いました（制限 {1} MiB）";
    KILLED_FOR_MEMORY =
        "the kernel killed the program when it wanted more than {0} MiB of memory (limit {1} MiB); files in memory, \
         sockets and pipes count",
        "メモリを {0} MiB より多く使おうとしたため、カーネルがプログラムを終了させました（制限 {1} MiB）。メモリ上の\
         ファイル、ソケット、パイプも含みます";
    STDOUT_TOO_LONG =
        "stdout passed its limit of {0} bytes",
        "標準出力が上限の {0} バイトを超えました";
    STDERR_TOO_LONG =
        "stderr passed its limit of {0} bytes",
        "標準エラー出力が上限の {0} バイトを超えました";
    LINE_TOO_LONG =
        "a line of stdout passed its limit of {0} bytes",
        "標準出力の 1 行が上限の {0} バイトを超えました";
    INPUT_LINE_TOO_LONG =
        "expected a line of at most {0} bytes, found {1\"}",
        "1 行は {0} バイトまでですが、{1\"} が届きました";
    TOO_MANY_PROCESSES =
        "{0} processes existed at once (limit {1})",
        "プロセスが同時に {0} 個存在しました（制限 {1} 個）";

    // RE: how the program ended.
    RUST_PANIC =
        "exit status 101, as after a Rust panic; see its stderr",
        "終了コードが 101 でした（Rust の panic など）。標準エラー出力を確認してください";
    NO_SUCH_PROGRAM =
        "exit status 127, as after a shell found no such program; see its stderr",
        "終了コードが 127 でした（シェルがプログラムを見つけられないときなど）。標準エラー出力を確認してください";
    STATUS_OF_NAMED_SIGNAL =
        "exit status {0}, expected 0; this is how a shell reports signal {1} ({2*})",
        "終了コードが 0 ではなく {0} でした。シェルはシグナル {1}（{2*}）による終了をこう報告します";
    STATUS_OF_SIGNAL =
        "exit status {0}, expected 0; this is how a shell reports signal {1}",
        "終了コードが 0 ではなく {0} でした。シェルはシグナル {1} による終了をこう報告します";
    STATUS = "exit status {0}, expected 0", "終了コードが 0 ではなく {0} でした";
    NAMED_SIGNAL = "killed by signal {0} ({1*})", "シグナル {0}（{1*}）で終了しました";
    SIGNAL = "killed by signal {0}", "シグナル {0} で終了しました";
    SIGABRT =
        "SIGABRT, as after abort() or a failed assertion",
        "SIGABRT：abort() や assert の失敗など";
    SIGFPE = "SIGFPE, as after a division by zero", "SIGFPE：0 での除算など";
    SIGKILL =
        "SIGKILL, by no limit of the judge; perhaps the machine ran out of memory, or the program asked to be traced and \
         stopped",
        "SIGKILL：ジャッジの制限によるものではなく、マシンのメモリ不足や、トレースを求めた後の停止などが考えられます";
    SIGPIPE =
        "SIGPIPE, as after writing to an output that it had closed",
        "SIGPIPE：閉じた出力先への書き込みなど";
    SIGSEGV =
        "SIGSEGV, as after a bad pointer or a stack overflow",
        "SIGSEGV：不正なポインタやスタックオーバーフローなど";

    // The score that another judge prints.
    NO_SCORE =
        "no score: stderr ended with {0*}, stdout with {1*}; expected a match of {2*}",
        "スコアがありません。標準エラー出力の最後：{0*}、標準出力の最後：{1*}（{2*} に一致する行が必要です）";
    NO_SCORE_BUT_MESSAGE =
        "no score: {0*}; expected a match of {1*}",
        "スコアがありません：{0*}（{1*} に一致する行が必要です）";
    NO_SCORE_BUT_LINES =
        "no score: {0*}; stdout ended with {1*}; expected a match of {2*}",
        "スコアがありません：{0*}。標準出力の最後：{1*}（{2*} に一致する行が必要です）";
    NO_SCORE_BUT_LIKELY =
        "no score: expected a match of {0*}; if {1*} is the score: --score-regex '{2*}' (score_regex in tester.toml)",
        "スコアがありません。{0*} に一致する行が必要です。{1*} がスコアであれば：--score-regex '{2*}'（tester.toml では score_regex）";
    NO_SCORE_BUT_MESSAGE_AND_LIKELY =
        "no score: {0*}; expected a match of {1*}; if {2*} is the score: --score-regex '{3*}' (score_regex in tester.toml)",
        "スコアがありません：{0*}。{1*} に一致する行が必要です。{2*} がスコアであれば：--score-regex '{3*}'（tester.toml では score_regex）";
    NOTHING = "nothing", "空";
    ZERO_SCORE =
        "the score is 0, which is how local testers say that the output is wrong (--zero-counts if it is a score)",
        "スコアが 0 でした。ローカルテスタでは不正解を表します（スコアとして扱うには --zero-counts）";
    NEGATIVE_SCORE =
        "the score is {0}; a score below 0 means a wrong answer",
        "スコアが {0} でした。負のスコアは不正解を表します";
    REFUSED_WITH_SCORE = "score {0}: {1*}", "スコア {0}: {1*}";
    DEBUG_ON_STDOUT =
        "{0*}; if it is debug output, print it to stderr, or after # where the contest allows that",
        "{0*}。デバッグ出力であれば、標準エラー出力に出力してください（# で始まる行が許されるコンテストでは # の後でも可）";
    TOO_FEW_WORDS =
        "{0*}; a line of the output has too few words, or lines are missing",
        "{0*}。出力の行の語が足りないか、行が足りません";
    TOO_FEW_WORDS_AT =
        "{0*}; a line of the output has too few words, or lines are missing; the output ends with {1\"}",
        "{0*}。出力の行の語が足りないか、行が足りません。出力の最後の行：{1\"}";
    PRINTED_NOTHING =
        "{0*}; the program printed nothing on stdout",
        "{0*}。プログラムは標準出力に何も出力していません";
    TESTER_FAILED =
        "the contest's tester failed, often because it cannot read what the program printed: {0*}",
        "コンテストのテスタが異常終了しました。プログラムの出力を読めないときによく起こります：{0*}";
    TESTER_SAID =
        "the contest's tester ended with exit status {0}: {1*}",
        "コンテストのテスタが終了コード {0} で終了しました：{1*}";
    TESTER_NOT_READ =
        "the contest's tester failed when it wrote to the program, which had ended or closed stdin: {0*}",
        "コンテストのテスタが、プログラムに書き込むときに異常終了しました。プログラムはすでに終了していたか、標準入力を閉じていました：{0*}";
    FAILED_AFTER_SCORE =
        "the contest's tester accepted the output, but the program failed: {0*}; the contest may count that as RE",
        "コンテストのテスタは出力を受け入れましたが、プログラムが異常終了しました：{0*}。コンテストでは RE になることがあります";
    TESTER_HUNG =
        "the contest's tester was still running {0} s after the time limit; the program had ended in time",
        "プログラムは時間内に終わりましたが、コンテストのテスタが制限時間の {0} 秒後も動いていました";
    TESTER_STARTED_NOTHING =
        "the contest's tester failed before it started the program: {0*}",
        "コンテストのテスタが、プログラムを起動する前に異常終了しました：{0*}";
    SAID_AFTER_CRASH = "{0*}; after it: {1*}", "{0*}。その後の出力：{1*}";
    WITH_MESSAGE = "{0*}; the last message: {1*}", "{0*}。最後のメッセージ：{1*}";
    NOT_A_SCORE =
        "expected an integer from 0 to {0} as the score, found {1\"}; --score-scale 1000000 keeps decimals, \
         --score-regex can take a part of it, or another line",
        "スコアは 0 以上 {0} 以下の整数ですが、{1\"} が見つかりました。小数は --score-scale 1000000 で残せます。\
         --score-regex で一部や別の行を指定できます";
    SCORE_IS_NO_NUMBER =
        "expected a number as the score, found {0\"}",
        "スコアは数ですが、{0\"} が見つかりました";
    NOT_A_SCALED_SCORE =
        "expected a number from 0 to {0} as the score, which --score-scale {1} multiplies, found {2\"}; \
         a smaller scale takes larger scores, --score-regex can take a part of it, or another line",
        "スコアは --score-scale {1} を掛ける前で 0 以上 {0} 以下の数ですが、{2\"} が見つかりました。\
         倍率を小さくすれば大きいスコアも扱えます。--score-regex で一部や別の行を指定できます";

    // An interactor between us and its case: its verdict, whose fault it was, and who ended first.
    INTERACTOR_REFUSED = "refused by the interactor: {0*}", "インタラクタが不正解としました：{0*}";
    INTERACTOR_GAVE_NO_REASON = "it gave no reason", "理由は示されていません";
    INTERACTOR_FAILED =
        "the interactor failed, not the program: {0*}",
        "プログラムではなく、インタラクタに問題があります：{0*}";
    INTERACTOR_TOO_SLOW =
        "it did not end in time: {0} s of computing, {1} s after the program (limit {2} s)",
        "時間内に終了しませんでした（計算 {0} 秒、プログラムの終了から {1} 秒、制限 {2} 秒）";
    INTERACTOR_UNREAD =
        "when the program's time was up, it had not read the program's last {0} bytes",
        "プログラムの制限時間が来たとき、プログラムが最後に送った {0} バイトを読んでいませんでした";
    INTERACTOR_LINE_NOT_ENDED =
        "when the program's time was up, it had not ended its line {0\"}",
        "プログラムの制限時間が来たとき、{0\"} の後の改行を送っていませんでした";
    TESTLIB_FAIL =
        "exit status 3, by which testlib says that the judge failed",
        "終了コードが 3 でした（testlib ではジャッジの失敗を表します）";
    ODD_STATUS =
        "exit status {0}, which means nothing in the contract {1}",
        "終了コードが {0} でした。{1} の規約にはない値です";
    NO_POINTS =
        "exit status 7, but no line \"points N\" on its stderr",
        "終了コードは 7 でしたが、標準エラー出力に \"points N\" の行がありません";
    NO_SCORE_PRINTED = "it printed no score on stderr", "標準エラー出力にスコアがありません";
    REPLIES_UNREAD =
        "the program had not read the interactor's last {0} bytes",
        "インタラクタが最後に送った {0} バイトがまだ読まれていません";
    BOTH_WAITED_FOR_LINES =
        "both sides were waiting for a line (or slept), after {0} lines of the program and {1} of the interactor. Did \
         you print a newline and flush stdout?",
        "双方が相手の次の行を待っていた（またはスリープしていた）ようです（プログラムの出力は {0} 行、インタラクタは {1} 行）。改行を出力し、\
         標準出力を flush しましたか？";
    NOT_EXITED_AFTER_INTERACTOR =
        "the program had not exited, although the interactor had accepted",
        "インタラクタは正解としましたが、プログラムが終了していません";
    INPUT_LINE_NOT_ENDED =
        "the interactor waited for the end of the line {0\"}: print a newline after each line, then flush",
        "インタラクタは {0\"} の後の改行を待っていました。行ごとに改行を出力し、flush してください";
    BOTH_ENDED = "{0*}; both ended by themselves", "{0*}。双方がそれぞれ自分で終了しました";
    PROGRAM_ENDED_FIRST = "{0*}; the program ended first", "{0*}。先に終了したのはプログラムです";
    INTERACTOR_ENDED_FIRST =
        "{0*}; the interactor ended first",
        "{0*}。先に終了したのはインタラクタです";
    NEITHER_ENDED = "{0*}; neither had ended", "{0*}。どちらも終了していませんでした";

    // What earlier versions said, and histories still hold: of games that only a right answer ended.
    AFTER_ANSWER_BEFORE =
        "after the right answer at turn {0}: {1*}",
        "{0} ターン目に正解した後：{1*}";
    AFTER_THE_END_BEFORE =
        "{0\"} was printed after the right answer; the session was over, so exit there",
        "正解した後に {0\"} が出力されました。正解したらプログラムを終了してください";
    GAVE_UP_BEFORE =
        "expected a guess, found the end of the output: the program exited with status 0 before it had found \
         the secret",
        "推測が出力されないまま、正解する前にプログラムが終了しました（終了コードは 0）";
    OUTPUT_ENDED_BEFORE =
        "expected a guess, found the end of the output",
        "推測が出力されないまま、出力が終わりました";
    INPUT_ENDED_BEFORE =
        "expected a guess, found the end of the input",
        "推測が届かないまま、入力が終わりました";
    NOT_EXITED_BEFORE =
        "the program had not exited: exit after the winning reply",
        "正解した後もプログラムが終了していません。正解の返答を読んだら終了してください";
    LINE_NOT_ENDED_BEFORE =
        "the judge waited for the end of the line {0\"}: print a newline after each guess, then flush",
        "ジャッジは {0\"} の後の改行を待っていました。推測ごとに改行を出力し、flush してください";
    COMPUTING_GUESS_BEFORE = "the program was still computing its guess", "次の推測をまだ計算中でした";
    WAITED_FOR_GUESS_BEFORE =
        "both sides were waiting: the program for input (or it slept), the judge for a guess. Did you print a \
         newline and flush stdout?",
        "プログラムは入力を待ち（またはスリープし）、ジャッジは推測を待っていました。改行を出力し、標準出力を \
         flush しましたか？";

    // Earlier still.
    NO_SCORE_BEFORE =
        "expected a score that matches {0*}, found none; stderr ended with {1*}, stdout with {2*}",
        "{0*} に一致するスコアが見つかりません。標準エラー出力の最後：{1*}、標準出力の最後：{2*}";
    BOTH_WAITED_BEFORE =
        "the judge waited for a guess while the program, which had read everything, waited for more (or slept): \
         was the guess printed with a newline and flushed?",
        "プログラムは入力を待ち（またはスリープし）、ジャッジは推測を待っていました。改行を出力し、標準出力を \
         flush しましたか？";
    STILL_COMPUTING_BEFORE = "it was still computing", "まだ計算中でした";
    SLEPT_BEFORE =
        "it slept, or waited for something",
        "スリープしていたか、何かを待っていました";
    RUST_PANIC_BEFORE =
        "exit status 101, as after a Rust panic; its stderr says more",
        "終了コードが 101 でした（Rust の panic など）。標準エラー出力を確認してください";
}

/// A reason in Japanese; `None` if it is no sentence that the judge or a problem says, such as the fault of a
/// machine.
///
/// Cost: some 10 µs.
pub fn japanese(reason: &str) -> Option<String> {
    static TRANSLATOR: LazyLock<Translator> = LazyLock::new(|| {
        let own = TEMPLATES.iter().copied();
        Translator::new(own.chain(problem::reasons()))
    });
    TRANSLATOR.japanese(reason)
}

#[cfg(test)]
mod tests {
    use super::japanese;

    /// Histories hold what earlier versions said.
    #[test]
    fn earlier_sentences_are_still_recognised() {
        let told: Vec<String> = [
            r#"turn 2: "8 2 5" was printed after the right answer; the session was over, so exit there"#,
            "turn 1: expected a guess, found the end of the output: the program exited with status 0 before it had \
             found the secret",
            "turn 1: expected a guess, found the end of the output",
            "turn 1: expected a guess, found the end of the input",
            "after the right answer at turn 5: exit status 3, expected 0",
            "after the right answer at turn 5: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had not \
             exited: exit after the winning reply",
            "turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); both sides were waiting: the program for input \
             (or it slept), the judge for a guess. Did you print a newline and flush stdout?",
            "turn 4: 2.00 s passed, 2.00 s of them computing (limit 2 s); the program was still computing its guess",
            r#"turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the judge waited for the end of the line "1": print a newline after each guess, then flush"#,
            r#"expected a score that matches Score = (.*), found none; stderr ended with "7", stdout with nothing"#,
        ]
        .map(|reason| japanese(reason).unwrap_or_else(|| panic!("not recognised: {reason}")))
        .to_vec();
        insta::assert_snapshot!(told.join("\n"), @r#"
        2 ターン目：正解した後に "8 2 5" が出力されました。正解したらプログラムを終了してください
        1 ターン目：推測が出力されないまま、正解する前にプログラムが終了しました（終了コードは 0）
        1 ターン目：推測が出力されないまま、出力が終わりました
        1 ターン目：推測が届かないまま、入力が終わりました
        5 ターン目に正解した後：終了コードが 0 ではなく 3 でした
        5 ターン目に正解した後：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。正解した後もプログラムが終了していません。正解の返答を読んだら終了してください
        4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。プログラムは入力を待ち（またはスリープし）、ジャッジは推測を待っていました。改行を出力し、標準出力を flush しましたか？
        4 ターン目：2.00 秒が経過しました（うち計算 2.00 秒、制限 2 秒）。次の推測をまだ計算中でした
        4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。ジャッジは "1" の後の改行を待っていました。推測ごとに改行を出力し、flush してください
        Score = (.*) に一致するスコアが見つかりません。標準エラー出力の最後："7"、標準出力の最後：空
        "#);
    }
}
