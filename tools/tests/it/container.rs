//! The recipe for a container: its commands are those of README and guide, and its options those that `tester doctor`
//! names. No image is built here: CI has no registry of images.

use std::path::Path;

use serde_json::Value;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The commands of the first block after a heading, without their remarks.
fn commands(text: &str, heading: &str) -> Vec<String> {
    let (_, after) = text.split_once(heading).expect(heading);
    let block = after.split("```").nth(1).unwrap();
    let lines = block.lines().skip(1);
    let commands = lines.map(|line| line.split("  #").next().unwrap().trim().to_owned());
    commands.filter(|line| !line.is_empty()).collect()
}

/// The words of the options that a container needs.
fn options() -> Vec<String> {
    let container: Value = serde_json::from_str(&read(".devcontainer/devcontainer.json")).unwrap();
    let words = container["runArgs"].as_array().unwrap().iter();
    words
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_container_runs_the_commands_of_the_readme() {
    let (english, japanese) = (read("README.md"), read("README.ja.md"));
    let quick = commands(&english, "## Quick start");
    assert_eq!(commands(&japanese, "## クイックスタート"), quick);
    let container: Value = serde_json::from_str(&read(".devcontainer/devcontainer.json")).unwrap();
    assert_eq!(container["postCreateCommand"], quick[0].as_str());
    let dockerfile = read(".devcontainer/Dockerfile");
    let built: Vec<&str> = dockerfile
        .lines()
        .filter(|line| line.contains("RUN cargo"))
        .collect();
    assert_eq!(built, [format!("RUN {}", quick[2])]);
    // The user that both name, and the image with the Rust that the project needs.
    assert_eq!(container["remoteUser"], "contestant");
    assert!(dockerfile.contains("\nUSER contestant\n"));
    let cargo = read("Cargo.toml");
    let (_, version) = cargo.split_once("rust-version = \"").unwrap();
    let version = version.split('"').next().unwrap();
    let base = format!("\nARG BASE=docker.io/library/rust:{version}-bookworm\nFROM ${{BASE}}\n");
    assert!(dockerfile.contains(&base), "{base}");
}

#[test]
fn the_options_of_the_container_are_the_same_everywhere() {
    let options = options().join(" ");
    let dockerfile = read(".devcontainer/Dockerfile");
    let typed: Vec<&str> = dockerfile
        .lines()
        .filter_map(|line| line.strip_prefix("#   docker "))
        .collect();
    assert!(typed[1].contains(&format!(" {options} -v ")), "{typed:?}");
    for (page, heading) in [
        ("docs/guide.md", "## In a container"),
        ("docs/guide.ja.md", "## コンテナで使う"),
    ] {
        let docker = commands(&read(page), heading);
        let docker: Vec<&str> = docker
            .iter()
            .filter_map(|line| line.strip_prefix("docker "))
            .collect();
        assert_eq!(docker, typed, "{page}");
    }
    let doctor = read("tools/cli/src/cmd/doctor.rs");
    assert!(doctor.contains(&format!("\"{options}\"")), "{options}");
}

/// Every file that the image copies is there, and the build needs no other.
#[test]
fn the_image_copies_what_the_judge_is_built_from() {
    let dockerfile = read(".devcontainer/Dockerfile");
    let copied: Vec<&str> = dockerfile
        .lines()
        .filter_map(|line| line.strip_prefix("COPY "))
        .flat_map(|line| {
            line.split_whitespace()
                .filter(|word| !word.starts_with('/'))
        })
        .collect();
    assert_eq!(
        copied,
        ["Cargo.toml", "Cargo.lock", ".cargo", "src", "tools"]
    );
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    assert!(copied.iter().all(|path| top.join(path).exists()));
    // Members of the workspace must be there, or cargo refuses the whole.
    let cargo = read("Cargo.toml");
    let (_, members) = cargo.split_once("members = [").unwrap();
    let members = members.split(']').next().unwrap();
    let words = members.split('"').skip(1).step_by(2);
    assert!(
        words
            .into_iter()
            .all(|member| member == "." || member.starts_with("tools"))
    );
}
