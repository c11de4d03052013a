//! Where a page finds the picture that a contest's visualizer drew.

use tester::case::CaseId;
use tester::store::Run;
use tester::store::artifacts::CaseArtifacts;
use tester::store::pictures::PictureKind;

/// The page asks for what stands in a frame under an address of its own: so it has a policy of its own.
pub(super) fn address(artifacts: &mut CaseArtifacts, run: &Run, id: CaseId) {
    if let Some(picture) = &mut artifacts.picture
        && picture.kind != PictureKind::Image
    {
        picture.content = None;
        picture.address = Some(format!("/vis/{}/{}", run.id, id.0));
    }
}
