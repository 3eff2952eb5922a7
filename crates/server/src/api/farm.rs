//! The farm that the editor was started with: its workers and their speed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sixproof_farm::FarmView;

use crate::Editor;

/// The farm, if there is one.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct FarmAnswer {
    /// Null if the editor was started without `--farm`.
    farm: Option<FarmView>,
}

/// The present state of the farm: its searches and their workers.
#[cfg_attr(test, utoipa::path(get, path = "/farm", tag = "general",
    responses((status = 200, body = FarmAnswer))))]
pub(super) async fn farm(State(editor): State<Arc<Editor>>) -> Json<FarmAnswer> {
    let farm = match &editor.farm {
        Some(look) => Some(look().await),
        None => None,
    };
    Json(FarmAnswer { farm })
}
