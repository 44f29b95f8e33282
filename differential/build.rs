//! Looks for libsimavr; without it the crate still builds, and says so when it is run.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(have_simavr)");
    println!("cargo::rerun-if-changed=src/references/shim.c");
    let Ok(library) = pkg_config::Config::new().atleast_version("1.6").probe("simavr") else {
        return;
    };
    cc::Build::new()
        .file("src/references/shim.c")
        .includes(&library.include_paths)
        .std("gnu11")
        .flag("-Wall")
        .flag("-Wextra")
        .compile("steelyard_simavr_shim");
    println!("cargo::rustc-cfg=have_simavr");
}
