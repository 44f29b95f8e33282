//! Memory of emitted code, and the way into it.

use super::emitted::Code;
use cranelift_codegen::ir::{types, AbiParam, Function as Emitted, Type, UserFuncName, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, Linkage, Module};
use std::ffi::c_void;

/// Entry of emitted code: it works on a frame and returns a number.
pub type Entry = unsafe extern "C" fn(*mut c_void) -> u32;

/// The memory that holds emitted code.
pub struct Host {
    module: Option<JITModule>,
    functions: u32,
}

impl Host {
    /// Creates an empty memory; `None` on a host for which no code can be emitted.
    pub fn new() -> Option<Self> {
        let mut flags = settings::builder();
        // Optimising doubles the time of translation, which short runs do not win back.
        for (name, value) in [("opt_level", "none"), ("enable_verifier", "false"), ("is_pic", "false")] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        Some(Host { module: Some(module), functions: 0 })
    }

    /// Returns the convention in which emitted code calls functions of the emulator.
    pub fn convention(&self) -> Option<CallConv> {
        Some(self.module.as_ref()?.isa().default_call_conv())
    }

    /// Adds a function; `emit` writes its code, beginning in a block of its own, and gets the frame's address.
    pub fn add(&mut self, emit: impl FnOnce(&Code, Value)) -> Option<Entry> {
        let module = self.module.as_mut()?;
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(POINTER));
        signature.returns.push(AbiParam::new(types::I32));
        let name = format!("block{}", self.functions);
        self.functions += 1;
        let id = module.declare_function(&name, Linkage::Local, &signature).ok()?;
        let mut context = module.make_context();
        context.func = Emitted::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        let mut frontend = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        let first = builder.create_block();
        builder.append_block_params_for_function_params(first);
        builder.switch_to_block(first);
        builder.seal_block(first);
        let frame = builder.block_params(first)[0];
        let code = Code::new(builder);
        emit(&code, frame);
        let mut builder = code.into_inner();
        builder.seal_all_blocks();
        builder.finalize(module.target_config());
        module.define_function(id, &mut context).ok()?;
        module.finalize_definitions().ok()?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was just defined with this very signature, in the host's own convention. It stays
        // mapped until the memory is dropped.
        Some(unsafe { std::mem::transmute::<*const u8, Entry>(address) })
    }
}

/// Type of a host address.
pub const POINTER: Type = types::I64;

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: entries are kept beside the memory by the one owner of both, which forgets them with it and calls
            // none while it drops it.
            unsafe { module.free_memory() };
        }
    }
}
