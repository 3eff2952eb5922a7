//! `sixproof serve`: the editor.

use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::options;

pub(crate) fn run(options: &options::Serve, output: Output) -> Result<Exit> {
    sixproof_server::run(
        sixproof_server::Options {
            files: options.files.clone(),
            game: options.game.clone(),
            port: options.port,
            host: options.host,
            names: options.names.clone(),
            token_file: options.token_file.clone(),
            opens_browser: !options.no_open,
            store: options.store.choice(),
            threads: options.local.threads(),
            farm: farm(options)?,
        },
        output,
    )?;
    Ok(Exit::Yes)
}

/// What the page shows of the farm.
#[cfg(feature = "farm")]
fn farm(options: &options::Serve) -> Result<Option<sixproof_server::FarmLook>> {
    use std::sync::Arc;

    use sixproof_farm_nats::status::StatusClient;
    use tokio::sync::Mutex;

    let Some(url) = &options.farm else { return Ok(None) };
    let watcher = StatusClient::new(options.connection.connection(Some(url))?);
    let watcher = Arc::new(Mutex::new(watcher));
    Ok(Some(Box::new(move || {
        let watcher = Arc::clone(&watcher);
        Box::pin(async move { watcher.lock().await.view().await })
    })))
}

#[cfg(not(feature = "farm"))]
fn farm(options: &options::Serve) -> Result<Option<sixproof_server::FarmLook>> {
    match options.farm {
        Some(_) => Err(super::absent("farm")),
        None => Ok(None),
    }
}
