//! A page in headless Chromium, looked at and clicked as a person would.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;

/// So long we wait for what a click brings about. Not a measurement: machines are shared.
const PATIENCE: Duration = Duration::from_secs(60);

/// Remembers in every page what went wrong in it.
const FAULTS: &str = "window.faults = [];
addEventListener('error', (e) => faults.push(String(e.message)));
addEventListener('unhandledrejection', (e) => faults.push(String(e.reason)));
addEventListener('securitypolicyviolation', (e) => faults.push(`policy: ${e.violatedDirective} ${e.blockedURI}`));
window.alert = (text) => faults.push(`alert: ${text}`);";

/// Starts the first Chromium of those that there are, in the order of `scripts/browser`. It reads requests from
/// descriptor 3 and writes to 4.
const START: &str = r#"for chromium in "$CHROME" chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$chromium" >/dev/null && exec "$chromium" "$@" 3<&0 4>&1 </dev/null >/dev/null
done
echo "no Chromium (scripts/browser installs it)" >&2"#;

/// The browser of all pages that are open. It ends with the last of them, also when tests fail.
static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

/// A Chromium, which is asked by the DevTools protocol: JSON, and a NUL after each message.
///
/// It ends with this value, and by itself when its pipes close, however this program ends.
struct Browser {
    child: Child,
    requests: Mutex<Requests>,
    /// Who waits for which answer; none when Chromium is gone.
    waiting: Arc<Mutex<Option<Waiting>>>,
    /// The empty tabs of windows that no page uses.
    free: Mutex<Vec<Tab>>,
    /// What Chromium keeps on disk, and its messages.
    profile: TempDir,
}

type Waiting = HashMap<u64, Sender<Value>>;

/// The only tab of a window, in a context of its own: windows share no storage.
struct Tab {
    context: String,
    target: String,
    session: String,
}

struct Requests {
    pipe: ChildStdin,
    count: u64,
}

impl Browser {
    /// The shared one, started where no page is open.
    fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let browser = Arc::new(Self::start());
            *shared = Arc::downgrade(&browser);
            browser
        })
    }

    fn start() -> Self {
        let profile = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", START, "sh"]);
        command.args([
            "--headless",
            "--no-startup-window",
            "--remote-debugging-pipe",
            "--disable-gpu",
            "--allow-pre-commit-input",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        // Chromium does these things by itself at each start, and they fail without a network.
        command.args([
            "--disable-background-networking",
            "--disable-component-update",
        ]);
        command.args(["--disable-sync", "--disable-quic", "--no-first-run"]);
        // All pages are in use, also those in the background.
        command.args([
            "--disable-background-timer-throttling",
            "--disable-renderer-backgrounding",
        ]);
        command.args([
            "--disable-backgrounding-occluded-windows",
            "--disable-dev-shm-usage",
        ]);
        command.args([
            "--disable-extensions",
            "--force-color-profile=srgb",
            "--lang=en-US",
        ]);
        if rustix::process::geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        let messages = std::fs::File::create(profile.path().join("messages")).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(messages).spawn().unwrap();
        let waiting = Arc::new(Mutex::new(Some(Waiting::new())));
        let (answers, answered) = (child.stdout.take().unwrap(), Arc::clone(&waiting));
        std::thread::spawn(move || {
            for answer in BufReader::new(answers).split(0).map_while(Result::ok) {
                let answer: Value = serde_json::from_slice(&answer).unwrap();
                let mut waiting = answered.lock().unwrap();
                let waiting = waiting.as_mut().expect("only this thread takes it");
                // What has no number is an event.
                let asked = answer["id"].as_u64().and_then(|id| waiting.remove(&id));
                asked.map(|asked| asked.send(answer));
            }
            answered.lock().unwrap().take();
        });
        let pipe = child.stdin.take().unwrap();
        Self {
            child,
            requests: Mutex::new(Requests { pipe, count: 0 }),
            free: Mutex::default(),
            waiting,
            profile,
        }
    }

    /// Asks for something, of a page where a session is given.
    fn try_call(
        &self,
        session: Option<&str>,
        method: &str,
        params: &Value,
    ) -> Result<Value, String> {
        let (sender, answer) = channel();
        {
            let mut requests = self.requests.lock().unwrap();
            requests.count += 1;
            let id = requests.count;
            if let Some(waiting) = self.waiting.lock().unwrap().as_mut() {
                waiting.insert(id, sender);
            }
            let mut request = json!({"id": id, "method": method, "params": params});
            if let Some(session) = session {
                request["sessionId"] = session.into();
            }
            let _ = requests.pipe.write_all(format!("{request}\0").as_bytes());
        }
        let Ok(mut answer) = answer.recv_timeout(PATIENCE) else {
            let messages = std::fs::read_to_string(self.profile.path().join("messages"));
            let messages = messages.unwrap_or_default();
            return Err(format!("no answer to {method}: {messages}"));
        };
        match answer["error"].take() {
            Value::Null => Ok(answer["result"].take()),
            error => Err(format!("{method}: {error}")),
        }
    }

    fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let answer = self.try_call(session, method, &params);
        answer.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The text `key` of an answer.
    fn ask(&self, method: &str, params: Value, key: &str) -> String {
        let answer = self.call(None, method, params);
        answer[key].as_str().unwrap().to_owned()
    }

    /// In the window of the context, which is opened if there is none.
    fn new_tab(&self, context: String) -> Tab {
        let target = json!({"url": "about:blank", "browserContextId": context});
        let target = self.ask("Target.createTarget", target, "targetId");
        let session = json!({"targetId": target, "flatten": true});
        let session = self.ask("Target.attachToTarget", session, "sessionId");
        Tab {
            context,
            target,
            session,
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Ok(requests) = self.requests.get_mut() {
            let close = b"{\"id\": 0, \"method\": \"Browser.close\"}\0";
            let _ = requests.pipe.write_all(close);
        }
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page that is open, in a window that no other page uses.
pub struct Page {
    browser: Arc<Browser>,
    tab: Tab,
}

/// Leaves the window to the next page, with nothing of this one: a new window takes as long as a short test.
impl Drop for Page {
    fn drop(&mut self) {
        // Chromium may be gone, which is why the test fails.
        if std::thread::panicking() {
            return;
        }
        let tab = self.browser.new_tab(self.tab.context.clone());
        let close = json!({"targetId": self.tab.target});
        self.browser.call(None, "Target.closeTarget", close);
        let all = json!({"origin": "*", "storageTypes": "all"});
        let session = Some(tab.session.as_str());
        self.browser
            .call(session, "Storage.clearDataForOrigin", all);
        self.browser.free.lock().unwrap().push(tab);
    }
}

impl Page {
    /// Opens a window of that size (CSS pixels), with no page yet.
    pub fn new(width: u32, height: u32) -> Self {
        let browser = Browser::shared();
        let free = browser.free.lock().unwrap().pop();
        let tab = free.unwrap_or_else(|| {
            let create = "Target.createBrowserContext";
            browser.new_tab(browser.ask(create, json!({}), "browserContextId"))
        });
        let page = Self { browser, tab };
        page.call("Page.enable", json!({}));
        page.call(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({"source": FAULTS}),
        );
        // Otherwise only one of all pages has the focus.
        page.call(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
        page.resize(width, height, width < 600);
        page
    }

    fn call(&self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.tab.session), method, params)
    }

    /// Another size of what is seen.
    pub fn resize(&self, width: u32, height: u32, mobile: bool) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Whether the system is said to be dark.
    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let feature = json!({"name": "prefers-color-scheme", "value": value});
        self.call("Emulation.setEmulatedMedia", json!({"features": [feature]}));
    }

    /// Opens a file; `at` stands behind the `#`.
    pub fn open(&self, file: &Path, at: &str) {
        let file = file.canonicalize().unwrap();
        self.open_url(&format!("file://{}#{at}", file.display()));
    }

    /// Opens an address.
    pub fn open_url(&self, url: &str) {
        // Another part of the same page would not be loaded anew.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.wait_for("location.href === 'about:blank'");
        let opened = self.call("Page.navigate", json!({"url": url}));
        assert_eq!(opened["errorText"], Value::Null, "{url}");
        self.wait_for("document.readyState === 'complete'");
        for event in ["ready", "first-contentful-paint"] {
            self.wait_for(&format!(
                "performance.getEntriesByName('{event}').length > 0"
            ));
        }
        self.wait_for_frame();
    }

    /// What an expression comes to.
    pub fn eval(&self, expression: &str) -> Value {
        let value = self.try_eval(expression);
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same; fails also while the page changes to another.
    fn try_eval(&self, expression: &str) -> Result<Value, String> {
        let json = format!("JSON.stringify({expression})");
        let params = json!({"expression": json, "awaitPromise": true});
        let session = Some(self.tab.session.as_str());
        let done = self
            .browser
            .try_call(session, "Runtime.evaluate", &params)?;
        match &done["result"]["value"] {
            Value::String(json) => Ok(serde_json::from_str(json).unwrap()),
            // What has no value, such as a call of `focus()`.
            Value::Null if done["exceptionDetails"].is_null() => Ok(Value::Null),
            _ => Err(done.to_string()),
        }
    }

    /// The text of an element as it is seen.
    pub fn text(&self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({selector:?}).innerText"));
        text.as_str().unwrap().to_owned()
    }

    /// The texts of all such elements.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let texts = self.eval(&format!(
            "[...document.querySelectorAll({selector:?})].map((e) => e.innerText.trim())"
        ));
        serde_json::from_value(texts).unwrap()
    }

    /// Waits until an expression holds.
    pub fn wait_for(&self, expression: &str) {
        let begun = Instant::now();
        let holds = format!("Boolean({expression})");
        loop {
            let found = self.try_eval(&holds);
            if found == Ok(Value::Bool(true)) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "never: {expression}: {found:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until everything that was changed so far is laid out and painted, or another page comes.
    fn wait_for_frame(&self) {
        let frames =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
        let params = json!({"expression": frames, "awaitPromise": true});
        let session = Some(self.tab.session.as_str());
        let _ = self.browser.try_call(session, "Runtime.evaluate", &params);
    }

    /// Clicks the middle of an element with the mouse.
    pub fn click(&self, selector: &str) {
        let element = format!("document.querySelector({selector:?})");
        // Answers of the server may still be on their way.
        self.wait_for(&format!("{element} !== null"));
        self.click_within(&element, "null");
    }

    /// Clicks a point of an element; `point` is `{x, y}` in it, or null for its middle.
    pub fn click_within(&self, element: &str, point: &str) {
        let place = format!(
            "((e, p) => {{ e.scrollIntoView({{block: 'center', behavior: 'instant'}}); const r = e.getBoundingClientRect(); \
             return [r.x + (p ? p.x : r.width / 2), r.y + (p ? p.y : r.height / 2)]; }})({element}, {point})"
        );
        let mut at = Value::Null;
        // What was done before may still move it.
        while self.eval(&place) != at {
            at = self.eval(&place);
            self.wait_for_frame();
        }
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let mut event = json!({"type": kind, "x": at[0], "y": at[1]});
            if kind != "mouseMoved" {
                event["button"] = "left".into();
                event["clickCount"] = 1.into();
            }
            self.call("Input.dispatchMouseEvent", event);
        }
        self.wait_for_frame();
    }

    /// Clicks an element and types into it.
    pub fn type_into(&self, selector: &str, text: &str) {
        self.click(selector);
        for letter in text.chars().map(String::from) {
            self.key(&letter, 0, Some(&letter));
        }
    }

    /// Presses a key, by its name.
    pub fn press(&self, key: &str) {
        // What Windows calls it, and so every browser.
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => panic!("which code has {key}?"),
        };
        self.key(key, code, (key == "Enter").then_some("\r"));
    }

    fn key(&self, key: &str, code: u32, text: Option<&str>) {
        let mut event = json!({"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": code});
        if let Some(text) = text {
            event["type"] = "keyDown".into();
            event["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", event);
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", up);
    }

    /// What went wrong in the page.
    pub fn errors(&self) -> Value {
        self.eval("faults")
    }

    /// What went wrong in the page, and what it asked the network for.
    pub fn faults(&self) -> Value {
        self.eval("faults.concat(performance.getEntriesByType('resource').map((r) => r.name))")
    }

    /// Where `SCREENSHOTS` names a folder, keeps a picture there of what is seen, for a person to look at.
    pub fn picture(&self, name: &str) {
        let Some(dir) = std::env::var_os("SCREENSHOTS") else {
            return;
        };
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let engine = base64::engine::general_purpose::STANDARD;
        let png = engine.decode(shot["data"].as_str().unwrap()).unwrap();
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(Path::new(&dir).join(format!("{name}.png")), png).unwrap();
    }
}
