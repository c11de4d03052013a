//! The best places of two fields together, in the AHC030 submission, against all places of both.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::oil::knowledge::Knowledge;
use crate::oil::pairs::{Pairs, Taken};
use crate::oil_fast::{grid, layout};

/// What a field adds to the logarithm in each place, beside the cells of this gradient; and the most of it.
fn added(know: &Knowledge, field: usize, gradient: &[f32]) -> (Vec<f32>, f32) {
    let cells = &know.grid.fields[field].cells;
    let own = know.own[field].iter().enumerate();
    let logs: Vec<f32> = own
        .map(|(place, own)| own + cells.iter().map(|cell| gradient[cell + place]).sum::<f32>())
        .collect();
    let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    (logs, most)
}

#[test]
fn best_places_of_two_fields_are_the_best_of_all() {
    let (mut rng, truth) = (Pcg64Mcg::seed_from_u64(11), layout([3, 7, 5]));
    let (mut know, mut pairs) = (Knowledge::new(grid(0.05)), Pairs::new(3));
    let (mut moved, mut stayed) = (0, 0);
    for _ in 0..60 {
        // Sometimes two questions at once: what is kept of the pair is brought up to date later.
        for _ in 0..rng.random_range(1..3) {
            let cells: Vec<usize> = (0..36).filter(|_| rng.random()).collect();
            let all: Vec<usize> = know.grid.covered(&truth).collect();
            let sum = all.iter().filter(|cell| cells.contains(cell)).count();
            know.learn(&cells, sum + rng.random_range(0..2));
        }
        let log_of = |layout: &[u16]| know.log_of(layout, &know.gradient(layout));
        let places = |field: usize| know.grid.fields[field].places.clone();
        let mut now = truth.clone();
        for (field, place) in now.iter_mut().enumerate() {
            if rng.random() {
                *place = places(field)[rng.random_range(0..places(field).len())];
            }
        }
        let (mut best, before) = (f64::NEG_INFINITY, log_of(&now));
        for &one in &places(1) {
            for &two in &places(2) {
                best = best.max(log_of(&[now[0], one, two]));
            }
        }
        // Of the gradient, only the first field is in the layout.
        let gradient = know.gradient(&now[..1]);
        let ((logs_1, most_1), (logs_2, most_2)) =
            (added(&know, 1, &gradient), added(&know, 2, &gradient));
        let taken = |field, logs, most| Taken {
            field,
            place: now[field],
            logs,
            most,
        };
        let both = [taken(1, &logs_1[..], most_1), taken(2, &logs_2[..], most_2)];
        match pairs.best(&know, both).0 {
            Some([one, two]) => {
                let found = log_of(&[now[0], one, two]);
                assert!((found - best).abs() < 0.01, "{found} {best}");
                moved += 1;
            }
            None => {
                assert!(best < before + 0.06, "{before} {best}");
                stayed += 1;
            }
        }
    }
    assert!(moved > 20 && stayed > 5, "{moved} {stayed}");
}
