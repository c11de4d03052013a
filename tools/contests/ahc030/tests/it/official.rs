//! The official files, by their sums: they were written by the official generator.

use ahc030::case::Eps;
use ahc030::generate::{FixedParameters, generate};
use ahc030::{case_file, layout::Field};

use crate::case_files::sum;

fn file(seed: u64) -> String {
    case_file::write(&generate(seed, FixedParameters::default()))
}

#[test]
fn case_of_a_seed_is_the_official_file() {
    for (seed, expected) in [
        (
            0,
            "ddeb9019fe2a4365f2fac06661ad793ba06fc0afae09c03427c0b2300760e9aa",
        ),
        (
            1,
            "986419d072721cfc42ecb20d8c3ff0ee44d9eec4b62742567b93a9b63881cdfa",
        ),
        (
            2,
            "0dd89f5cedf2400ba2f0ee06a831f529a6c8a552bb87aa1fb73b1cbda5cd9c1c",
        ),
        (
            5,
            "ddac7a992d1c2ed4817d30c747f079388fd304d5c05f4a6e486d306d5661591f",
        ),
        (
            9,
            "5851179a428f6f437039d1a7e01de7313f474c37590b4d9b73bdf6bad7a1e353",
        ),
    ] {
        assert_eq!(sum(&file(seed)), expected, "seed {seed}");
    }
}

#[test]
fn cases_of_seeds_0_to_99_are_the_official_files() {
    let files: String = (0..100).map(file).collect();
    let expected = "9c31fb08c66688ac8c53a246035a72f794c06c3b120110c0d9582d072c4059fa";
    assert_eq!(sum(&files), expected);
}

/// The official generator with `--N=`, `--M=` and `--eps=`, seed 3.
#[test]
fn fixed_parameters_are_drawn_nevertheless() {
    let fixed = |n, m, eps: Option<u8>| {
        let eps = eps.and_then(Eps::from_hundredths);
        let case = generate(3, FixedParameters::new(n, m, eps).unwrap());
        sum(&case_file::write(&case))
    };
    let all = fixed(Some(11), Some(20), Some(7));
    assert_eq!(
        all,
        "d409390a434a70bc8f188b96d23691cb0149046dd45e60f79f65a48bc3d009c1"
    );
    assert_eq!(
        fixed(None, Some(5), None),
        "5d4a6505c702fc8f78a6f9fd99c73b8070c856979edc573fe8ef282832e01558"
    );
    assert_eq!(
        fixed(Some(10), None, None),
        "5ce795105df8db07225d9d19ae05562a66a7374dcd9b11c2bbcb15fc4f169306"
    );
    assert_eq!(FixedParameters::new(Some(21), None, None), None);
    assert_eq!(FixedParameters::new(None, Some(1), None), None);
    assert_eq!(Eps::from_hundredths(21), None);
}

#[test]
fn fields_are_connected() {
    for seed in 0..100 {
        let case = generate(seed, FixedParameters::default());
        for Field { shape, .. } in case.layout.fields() {
            let mut reached = vec![shape[0]];
            let mut next = 0;
            while let Some(&from) = reached.get(next) {
                next += 1;
                for &to in shape {
                    let distance = from.row.abs_diff(to.row) + from.column.abs_diff(to.column);
                    if distance == 1 && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            assert_eq!(reached.len(), shape.len(), "seed {seed}");
        }
    }
}
