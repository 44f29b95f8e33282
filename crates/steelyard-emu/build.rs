//! Stamps the library with a hash of its own source, so that measurements kept by a cache never outlive the
//! code that made them.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    // FNV-1a, 64 bit: `std`'s hasher promises no stable value between releases.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in &files {
        let content = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for byte in file.to_string_lossy().bytes().chain(content) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=STEELYARD_EMU_SOURCE={hash:016x}");
    println!("cargo::rerun-if-changed=src");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
