//! The official files, by their sums: they were written by the official generator.

use ahc022::case_file;
use ahc022::generate::{FixedParameters, generate};

use crate::case_files::sum;

fn file(seed: u64) -> String {
    case_file::write(&generate(seed, FixedParameters::default()))
}

#[test]
fn case_of_a_seed_is_the_official_file() {
    let expected = [
        "b762341168bc97a4f02d9499310469b75ca6da26c62a8beb5cf5fb4582fb7764",
        "011939bad2572303bd35017d80cb7918054f82e6366d64dcddfcedbf69cb3b25",
        "a2a4ef5359f0d9d01193eedcf266a52d2378b43c06c23a8fe924875e10ccf8ca",
        "c7a993ab6fbc0995a35193c94f1f923ee0a955d77cf6a8a0fb8bed6408dbff6a",
        "9b125b45cf8b0f0bde02afb324c2db821faec1559f45c87812f9e4af99f9ba12",
        "1c999cf831ce0f80f22c6e84c1b93309118273bdd8ef836008283e072a9d1514",
        "4e965b05c1015f75342f96a9eda8f462ddd80d5f60ca59ab698450769bf80932",
        "120e0d55071789a9ac7559ed511d6ddf018d33bb381fed12d15aed1543afaff1",
        "5b1d71ccb2ba5fe119178bdd4908e3e2db991134dceeff84cf77cd7cc2d1fa31",
        "ee596a87e89d86fabda697b39fc2371a89e6f101c09be5b509e93a2c3d07db94",
    ];
    for (seed, expected) in (0..).zip(expected) {
        assert_eq!(sum(&file(seed)), expected, "seed {seed}");
    }
}

#[test]
fn cases_of_seeds_0_to_99_are_the_official_files() {
    let files: String = (0..100).map(file).collect();
    let expected = "d78fd7ac56876c3f480311ba404a89e5d97124cdd1bff263023386b3acee9b65";
    assert_eq!(sum(&files), expected);
}

/// The official generator with `3 L N S` as a line of seeds.txt, where 0 leaves a number out.
#[test]
fn fixed_parameters_make_the_official_files() {
    let fixed = |l, n, s| {
        let fixed = FixedParameters::new(l, n, s).unwrap();
        sum(&case_file::write(&generate(3, fixed)))
    };
    for ((l, n, s), expected) in [
        (
            (Some(12), None, None),
            "836ec0c31e681649fb1e964b15def4d380fa1bc886689d143e5a3ed6553e3320",
        ),
        (
            (None, Some(77), None),
            "52e0d4c61f960177962e0f8dce6f5e63b0219e3279d1d0cb220c39d84daaaae7",
        ),
        (
            (None, None, Some(100)),
            "3f7ff604524d61ab3c8a290dc28ab459572baf77c74086b9e731c79bcdb115e6",
        ),
        (
            (None, None, Some(7)),
            "1dcfcd4d541e8dfcccd78df191b3ba15ddb8ef21aa36fc9c9fece8f48a5dfbdb",
        ),
        (
            (Some(10), Some(60), Some(900)),
            "fa64bfe779af99bfea19c20bc208997e1ba98def8fa7c32e41dae8d0a774fd15",
        ),
    ] {
        assert_eq!(fixed(l, n, s), expected, "{l:?} {n:?} {s:?}");
    }
    for (l, n, s) in [
        (Some(9), None, None),
        (Some(51), None, None),
        (None, Some(59), None),
        (None, Some(101), None),
        (None, None, Some(0)),
        (None, None, Some(901)),
    ] {
        assert_eq!(FixedParameters::new(l, n, s), None);
    }
}

/// As the statement says: N different cells in order, and each of them the exit of one wormhole.
#[test]
fn exit_cells_are_in_order_and_have_one_wormhole_each() {
    for seed in 0..200 {
        let case = generate(seed, FixedParameters::default());
        assert!(case.exit_cells.is_sorted_by(|a, b| a < b), "seed {seed}");
        let inside = |cell: &ahc022::case::Cell| cell.row < case.l && cell.column < case.l;
        assert!(case.exit_cells.iter().all(inside), "seed {seed}");
        let mut exits = case.exits.clone();
        exits.sort();
        assert!(exits.iter().copied().eq(0..case.n()), "seed {seed}");
        assert_eq!(case.exit_cells.len(), case.exits.len());
        let root = f64::from(case.s).sqrt();
        assert_eq!(root, root.round(), "seed {seed}: S is a square");
    }
}
