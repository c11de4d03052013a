//! A page in headless Chromium, looked at and clicked as a person would.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::{Emulation, Page as Cdp};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;

/// So long we wait for what a click brings about. Not a measurement: machines are shared.
const PATIENCE: Duration = Duration::from_secs(60);

/// Remembers in every page what went wrong in it.
const FAULTS: &str = "window.faults = [];
addEventListener('error', (e) => faults.push(String(e.message)));
addEventListener('unhandledrejection', (e) => faults.push(String(e.reason)));
addEventListener('securitypolicyviolation', (e) => faults.push(`policy: ${e.violatedDirective} ${e.blockedURI}`));
window.alert = (text) => faults.push(`alert: ${text}`);";

/// The browser of all pages that are open. It ends with the last of them, also when tests fail.
static BROWSER: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

/// The shared browser, started where no page is open.
fn browser() -> Arc<Browser> {
    let mut shared = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(browser) = shared.upgrade() {
        return browser;
    }
    // Chromium does these things by itself at each start, and they fail without a network.
    let args = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
        "--lang=en-US",
    ];
    let options = LaunchOptions::default_builder()
        .sandbox(!rustix::process::geteuid().is_root())
        .idle_browser_timeout(PATIENCE)
        .args(args.iter().map(OsStr::new).collect())
        .build()
        .unwrap();
    let browser = Browser::new(options).expect("Chromium (scripts/browser installs it)");
    let browser = Arc::new(browser);
    *shared = Arc::downgrade(&browser);
    browser
}

/// A page that is open, in a context of its own: pages share no storage.
pub struct Page {
    tab: Arc<Tab>,
    _browser: Arc<Browser>,
}

impl Drop for Page {
    fn drop(&mut self) {
        // The browser may have died, which is why the test fails.
        let _ = self.tab.close(false);
    }
}

impl Page {
    /// Opens a window of that size (CSS pixels), with no page yet.
    pub fn new(width: u32, height: u32) -> Self {
        let browser = browser();
        let tab = browser.new_context().unwrap().new_tab().unwrap();
        // Otherwise only one of the pages has the focus.
        tab.call_method(Emulation::SetFocusEmulationEnabled { enabled: true })
            .unwrap();
        tab.set_default_timeout(PATIENCE);
        tab.call_method(Cdp::AddScriptToEvaluateOnNewDocument {
            source: FAULTS.to_owned(),
            world_name: None,
            include_command_line_api: None,
            run_immediately: None,
        })
        .unwrap();
        let page = Self {
            tab,
            _browser: browser,
        };
        page.resize(width, height, width < 600);
        page
    }

    /// Another size of what is seen.
    pub fn resize(&self, width: u32, height: u32, mobile: bool) {
        self.tab
            .call_method(Emulation::SetDeviceMetricsOverride {
                width,
                height,
                device_scale_factor: 1.0,
                mobile,
                scale: None,
                screen_width: None,
                screen_height: None,
                position_x: None,
                position_y: None,
                dont_set_visible_size: None,
                screen_orientation: None,
                viewport: None,
                display_feature: None,
                device_posture: None,
            })
            .unwrap();
    }

    /// Whether the system is said to be dark.
    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.tab
            .call_method(Emulation::SetEmulatedMedia {
                media: None,
                features: Some(vec![Emulation::MediaFeature {
                    name: "prefers-color-scheme".to_owned(),
                    value: value.to_owned(),
                }]),
            })
            .unwrap();
    }

    /// Opens a file; `at` stands behind the `#`.
    pub fn open(&self, file: &Path, at: &str) {
        let file = file.canonicalize().unwrap();
        self.open_url(&format!("file://{}#{at}", file.display()));
    }

    /// Opens an address.
    pub fn open_url(&self, url: &str) {
        // Another part of the same page would not be loaded anew.
        self.tab.navigate_to("about:blank").unwrap();
        self.tab.wait_until_navigated().unwrap();
        self.tab.navigate_to(url).unwrap();
        self.tab.wait_until_navigated().unwrap();
        self.wait_for("performance.getEntriesByName('ready').length > 0");
    }

    /// What an expression comes to.
    pub fn eval(&self, expression: &str) -> Value {
        let done = self
            .tab
            .evaluate(&format!("JSON.stringify({expression})"), true);
        let done = done.unwrap_or_else(|error| panic!("{expression}: {error}"));
        match done.value {
            Some(Value::String(json)) => serde_json::from_str(&json).unwrap(),
            // What has no value, such as a call of `focus()`.
            None if done.description.is_none() => Value::Null,
            other => panic!("{expression}: {other:?}, {:?}", done.description),
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
        while self.eval(&format!("Boolean({expression})")) != Value::Bool(true) {
            assert!(begun.elapsed() < PATIENCE, "never: {expression}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Clicks the middle of an element with the mouse.
    pub fn click(&self, selector: &str) {
        self.click_within(&format!("document.querySelector({selector:?})"), "null");
    }

    /// Clicks a point of an element; `point` is `{x, y}` in it, or null for its middle.
    pub fn click_within(&self, element: &str, point: &str) {
        let at = self.eval(&format!(
            "((e, p) => {{ e.scrollIntoView({{block: 'center', behavior: 'instant'}}); const r = e.getBoundingClientRect(); \
             return [r.x + (p ? p.x : r.width / 2), r.y + (p ? p.y : r.height / 2)]; }})({element}, {point})"
        ));
        let (x, y) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        self.tab.click_point(Point { x, y }).unwrap();
    }

    /// Clicks an element and types into it.
    pub fn type_into(&self, selector: &str, text: &str) {
        self.click(selector);
        self.tab.type_str(text).unwrap();
    }

    /// Presses a key, by its name.
    pub fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
    }

    /// What went wrong in the page.
    pub fn errors(&self) -> Value {
        self.eval("faults")
    }

    /// What went wrong in the page, and what it asked the network for.
    pub fn faults(&self) -> Value {
        self.eval("faults.concat(performance.getEntriesByType('resource').map((r) => r.name))")
    }

    /// A picture of what is seen; where `SCREENSHOTS` names a folder, it is kept there for a person to look at.
    pub fn picture(&self, name: &str) -> Vec<u8> {
        let png = Cdp::CaptureScreenshotFormatOption::Png;
        let png = self.tab.capture_screenshot(png, None, None, true).unwrap();
        if let Some(dir) = std::env::var_os("SCREENSHOTS") {
            std::fs::write(Path::new(&dir).join(format!("{name}.png")), &png).unwrap();
        }
        png
    }
}
