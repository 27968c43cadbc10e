//! The composition root: the only place that names a provider, the tools and a face.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use zeug_app::{Notice, Parts, Profiles, SystemPrompt, TaskSetup, profile_places};
use zeug_config::{Approve, context_files};
use zeug_engine::Approval;
use zeug_ext_catalog::{Candidate, Found};
use zeug_ext_host::{Facts, Invite};
use zeug_hook::Board;
use zeug_process::{Spawner, Watchdog};
use zeug_skills::{Bundle, Roots, Shelf, SkillTool, Skills};
use zeug_stdx::claims::Order;
use zeug_tool::{Filter, Table};

use crate::args::{ApproveArg, RunArgs};
use crate::models::{Brain, Shelf as ModelShelf};
use crate::reload::Again;
use crate::world::{VERSION, World};
use crate::{invite, session};

/// Who registers the built-in tools.
const ZEUG: &str = "zeug";

/// Starts children, with a watchdog for the case that zeug is killed.
pub(crate) fn spawner() -> Spawner {
    let args = vec!["__watchdog".into()];
    // On Linux this also finds a program whose file was replaced by an update meanwhile.
    let running = PathBuf::from("/proc/self/exe");
    let exe = if running.exists() {
        Ok(running)
    } else {
        std::env::current_exe()
    };
    Spawner::new(match exe {
        Ok(exe) => Watchdog::Program { exe, args },
        Err(error) => {
            tracing::warn!("no watchdog, children survive a kill of zeug: {error}");
            Watchdog::Off
        }
    })
}

/// Puts everything together for one run with this model.
pub(crate) fn parts(
    world: &World,
    args: &RunArgs,
    spawner: &Spawner,
    brain: Brain,
) -> anyhow::Result<Parts> {
    let settings = &world.loaded.settings;
    let mut first: Vec<Notice> = world
        .loaded
        .warnings
        .iter()
        .map(|warning| Notice::Remark(warning.to_string()))
        .collect();
    first.extend(brain.remark.clone().map(Notice::Remark));
    let found = invite::find(world, &args.extensions)?;
    first.extend(invite::remarks(&found));
    let table = tools(world, args, spawner)?;
    let skills = skills(world, args, &found, &table, &mut first)?;
    let mut prompt = system_prompt(world, args)?;
    prompt.appended.extend(skills.prompt_section());
    let (profiles, problems) = Profiles::load(&profile_places(
        &world.cwd,
        world.paths.home(),
        world.env.user_home.as_deref(),
    ));
    first.extend(problems.iter().map(|p| Notice::Remark(p.to_string())));
    let max_steps = args
        .max_steps
        .or(settings.max_steps.value)
        .or(zeug_engine::Limits::default().max_steps);
    let board = Arc::new(Board::default());
    let invites = invites(world, spawner, found.loadable, &mut first);
    let facts = facts(world, &brain);
    let (session, remark) = session::open(world, &args.session, &facts)?;
    first.extend(remark.map(Notice::Remark));
    let again = Again {
        cwd: world.cwd.clone(),
        extensions: args.extensions.clone(),
        spawner: spawner.clone(),
    };
    let parts = Parts {
        inviter: Some(Arc::new(again)),
        models: Arc::new(ModelShelf::new(&settings.providers)),
        skills,
        engine: zeug_engine::Setup {
            provider: brain.provider,
            model: facts.model.clone(),
            reasoning: args.model.reasoning.or(settings.reasoning.value),
            tools: table.clone(),
            board: Arc::clone(&board),
            system_prompt: prompt.assemble().into(),
            cwd: Arc::new(world.cwd.clone()),
            session_id: facts.session_id.clone(),
            history: Vec::new(),
            spent: zeug_transcript::Usage::default(),
            approval: approval(world, args),
            can_ask: false,
            can_interact: false,
            limits: zeug_engine::Limits {
                max_steps,
                context_window: brain.context_window,
                ..zeug_engine::Limits::default()
            },
        },
        host: zeug_ext_host::Setup {
            invites,
            limits: invite::limits(world),
            table,
            board,
            facts,
        },
        task: Some(TaskSetup {
            profiles,
            prompt,
            max_steps,
            ..TaskSetup::default()
        }),
        session,
        first,
    };
    Ok(parts)
}

/// Invites those that can be started as their authors meant it; the others are told about.
fn invites(
    world: &World,
    spawner: &Spawner,
    candidates: Vec<Candidate>,
    first: &mut Vec<Notice>,
) -> Vec<Invite> {
    let mut invites = Vec::new();
    for candidate in candidates {
        match invite::impossible(&candidate) {
            Some(message) => first.push(Notice::ExtensionFailed {
                extension: candidate.name().to_owned(),
                message,
            }),
            None => invites.push(invite::invite(world, spawner, candidate)),
        }
    }
    invites
}

/// Finds the skills, and offers the tool that reads them.
fn skills(
    world: &World,
    args: &RunArgs,
    found: &Found,
    table: &Table,
    first: &mut Vec<Notice>,
) -> anyhow::Result<Arc<Skills>> {
    if args.no_skills {
        return Ok(Arc::default());
    }
    let places = zeug_skills::Places {
        explicit: &[],
        project: &world.cwd,
        home: world.paths.home(),
        user_home: world.env.user_home.as_deref(),
    };
    // Only extensions that may start: what was not trusted teaches the model nothing.
    let bundles = found.loadable.iter().map(|candidate| Bundle {
        extension: candidate.name().to_owned(),
        dir: candidate.dir.clone(),
        entries: candidate.manifest.skills.clone(),
    });
    let looked = zeug_skills::discover(&Roots::usual(&places).with_bundles(bundles));
    first.extend(
        looked
            .problems
            .iter()
            .map(|p| Notice::Remark(p.to_string())),
    );
    let shelf = Shelf::new(looked.skills);
    table
        .register(
            ZEUG,
            Order::BUILT_IN,
            Arc::new(SkillTool::new(shelf.clone())),
        )
        .context("built-in tool skill")?;
    Ok(shelf.now())
}

/// What extensions are told about this run.
pub(crate) fn facts(world: &World, brain: &Brain) -> Facts {
    Facts {
        version: VERSION.to_owned(),
        provider: brain.provider.key().to_owned(),
        model: brain.model.clone(),
        cwd: world.cwd.display().to_string(),
        session_id: uuid::Uuid::now_v7().to_string(),
        session: None,
    }
}

/// The built-in tools in a table that shows what the user allows.
pub(crate) fn tools(world: &World, args: &RunArgs, spawner: &Spawner) -> anyhow::Result<Table> {
    let filter = match &args.tools {
        _ if args.no_tools => Filter::Nothing,
        None => Filter::All,
        Some(names) => Filter::Only(names.iter().map(|n| n.trim().to_owned()).collect()),
    };
    let table = Table::new(filter);
    let outputs = world.paths.home().join("tmp");
    remove_old(&outputs);
    let mut options = zeug_tools_builtin::Options::new(spawner.clone(), outputs);
    options.home.clone_from(&world.env.user_home);
    let withheld = world.loaded.settings.withheld();
    options.env_remove = withheld.into_iter().map(Into::into).collect();
    for tool in zeug_tools_builtin::all(options) {
        let name = tool.spec().name.clone();
        table
            .register(ZEUG, Order::BUILT_IN, tool)
            .with_context(|| format!("built-in tool {name}"))?;
    }
    Ok(table)
}

/// Removes long outputs of commands that nobody came back for within a week.
fn remove_old(dir: &Path) {
    let week = Duration::from_secs(7 * 24 * 3600);
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let age = entry
            .metadata()
            .and_then(|m| m.modified())
            .ok()
            .and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > week) {
            // Another zeug may have been faster.
            std::fs::remove_file(entry.path()).ok();
        }
    }
}

/// A face that cannot ask runs everything unless the user said otherwise.
fn approval(world: &World, args: &RunArgs) -> Approval {
    wanted_approval(world, args).unwrap_or(Approval::Never)
}

/// What the user said about approvals.
pub(crate) fn wanted_approval(world: &World, args: &RunArgs) -> Option<Approval> {
    let typed = match args.approve {
        _ if args.yolo => Some(Approve::Never),
        _ if args.no_yolo => Some(Approve::Always),
        Some(ApproveArg::Never) => Some(Approve::Never),
        Some(ApproveArg::Writes) => Some(Approve::Writes),
        Some(ApproveArg::Always) => Some(Approve::Always),
        None => world.loaded.settings.approve.value,
    };
    Some(match typed? {
        Approve::Never => Approval::Never,
        Approve::Writes => Approval::Writes,
        Approve::Always => Approval::Always,
    })
}

fn system_prompt(world: &World, args: &RunArgs) -> anyhow::Result<SystemPrompt> {
    let read = |path: &PathBuf| {
        std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))
    };
    let identity = match &args.system_prompt {
        Some(text) => Some(text.clone()),
        None => {
            let file = world.paths.system_md();
            file.is_file().then(|| read(&file)).transpose()?
        }
    };
    let mut files = Vec::new();
    if !args.no_context_files {
        for path in context_files(&world.paths, &world.cwd) {
            files.push((path.display().to_string(), read(&path)?));
        }
    }
    Ok(SystemPrompt {
        identity,
        cwd: world.cwd.display().to_string(),
        context_files: files,
        appended: args.append_system_prompt.clone(),
    })
}
